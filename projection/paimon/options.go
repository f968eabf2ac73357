package paimon

import (
	"math"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// Options that matter to a planner (apache/paimon, CoreOptions.java).
const (
	bucketOption        = "bucket"
	bucketKeyOption     = "bucket-key"
	functionOption      = "bucket-function.type"
	primaryKeyOption    = "primary-key"
	partitionOption     = "partition"
	defaultNameOption   = "partition.default-name"
	legacyNameOption    = "partition.legacy-name"
	dataDirOption       = "data-file.path-directory"
	scanBucketOption    = "scan.bucket"
	sequenceOption      = "sequence.field"
	mergeEngineOption   = "merge-engine"
	targetRowsOption    = "dynamic-bucket.target-row-num"
	initialBucketsOpt   = "dynamic-bucket.initial-buckets"
	targetFileOption    = "target-file-size"
	postponeBucketsOpt  = "postpone.default-bucket-num"
	postponeRowsOption  = "postpone.target-row-num-per-bucket"
	postponeSizeOption  = "postpone.target-size-per-bucket"
	postponeMergeOption = "postpone.merge-on-read"
)

// known are the names that a misspelt one is compared with.
var known = []string{bucketOption, bucketKeyOption, functionOption, primaryKeyOption, partitionOption, defaultNameOption, legacyNameOption,
	dataDirOption, scanBucketOption, sequenceOption, mergeEngineOption, targetRowsOption, initialBucketsOpt, targetFileOption,
	postponeBucketsOpt, postponeRowsOption, postponeSizeOption, postponeMergeOption,
	"dynamic-bucket.max-buckets", "dynamic-bucket.assigner-parallelism", "cross-partition-upsert.index-ttl",
	"postpone.batch-write-fixed-bucket", "postpone.batch-write-fixed-bucket.max-parallelism",
	"postpone.batch-write-fixed-bucket.rescale-load-factor"}

// unchangeable are options that can't change once a table has a snapshot (apache/paimon, SchemaManager.java).
var unchangeable = []string{bucketKeyOption, functionOption, primaryKeyOption, partitionOption, dataDirOption, initialBucketsOpt}

// settings are the options of a table that hold, by name.
type settings map[string]projection.Setting

// set takes options; later ones win.
func (d *definition) set(list []ast.Option) {
	for i := range list {
		o := &list[i]
		key := projection.NameText(o.Key)
		value, ok := optionText(o)
		if !ok {
			d.Errorf("option.value", o, "write '"+key.S+"' = '…'", "the option %s needs a text as its value", projection.Quote(key.S))
			continue
		}
		if near, ok := ast.Nearest(key.S, known); ok && !slices.Contains(known, key.S) && !strings.HasPrefix(key.S, near+".") {
			d.Warnf("option.unknown", key, "did you mean "+near+"?", "the option %s is unknown here", projection.Quote(key.S))
		}
		d.options[key.S] = projection.Setting{Key: key, Value: value}
	}
}

// optionText is the value of an option: a text, or a number, a word or a truth value as it is written.
func optionText(o *ast.Option) (projection.Text, bool) {
	switch v := o.Value.(type) {
	case *ast.Literal:
		if v.Kind == ast.StringLit {
			return projection.LiteralText(v), true
		}
		return projection.NewText(v.Span, v.Raw), true
	case *ast.Ident:
		if len(v.Parts) == 1 {
			return projection.NameText(v.Parts[0]), true
		}
	case *ast.Unary:
		if l, ok := v.X.(*ast.Literal); ok && v.Op == ast.OpNeg {
			return projection.NewText(v.Span, "-"+l.Raw), true
		}
	}
	return projection.Text{}, false
}

// get is the value of an option, or ok false.
func (d *definition) get(name string) (projection.Text, bool) {
	s, ok := d.options[name]
	return s.Value, ok
}

// isTrue is a truth value in any case.
func (d *definition) isTrue(name string, otherwise bool) bool {
	t, ok := d.get(name)
	if !ok {
		return otherwise
	}
	switch strings.ToLower(strings.TrimSpace(t.S)) {
	case "true":
		return true
	case "false":
		return false
	}
	d.Errorf("option.value", t, "write 'true' or 'false'", "%s: %s is no truth value", name, projection.Quote(t.S))
	return otherwise
}

// list splits a comma-separated value as Java does: blanks around the items belong to them, and empty ones at the end are
// none.
func list(t projection.Text) (items []projection.Text) {
	from := 0
	for i := 0; i <= len(t.S); i++ {
		if i == len(t.S) || t.S[i] == ',' {
			items = append(items, t.Slice(from, i))
			from = i + 1
		}
	}
	for len(items) > 0 && items[len(items)-1].S == "" {
		items = items[:len(items)-1]
	}
	return items
}

// trimmed is a text without blanks around it.
func trimmed(t projection.Text) projection.Text {
	lead := len(t.S) - len(strings.TrimLeft(t.S, " \t\r\n"))
	return t.Slice(lead, max(lead, len(strings.TrimRight(t.S, " \t\r\n"))))
}

// readBucket reads `bucket`: a number of buckets, -1 or -2.
func (d *definition) readBucket() {
	d.bucket = dynamic
	t, ok := d.get(bucketOption)
	if !ok {
		return
	}
	n, ok := d.Int("option.bucket", bucketOption, t, math.MinInt32, math.MaxInt32)
	switch {
	case !ok:
	case n == 0, n < postponed:
		d.Errorf("option.bucket", t, "write the number of buckets, -1 (dynamic) or -2 (postpone)", "%s: %d is no number of buckets: it must be above 0, -1 or -2", bucketOption, n)
	case n == postponed && len(d.primary) == 0:
		d.Errorf("option.bucket", t, "add a primary key, or write -1", "%s = -2 (postpone) needs a primary key", bucketOption)
	default:
		d.bucket = int(n)
	}
}

// Values of `bucket` that are no number of buckets.
const (
	dynamic   = -1
	postponed = -2
)

// readFunction reads `bucket-function.type`, in any case.
func (d *definition) readFunction() {
	t, ok := d.get(functionOption)
	if !ok {
		return
	}
	i := slices.IndexFunc(functions[:], func(f string) bool { return strings.EqualFold(f, t.S) })
	if i < 0 {
		d.Errorf("option.function", t, projection.Known(t.S, functions[:]), "%s: %s is unknown", functionOption, projection.Quote(t.S))
		return
	}
	d.function = Function(i)
}

// readScanBucket reads `scan.bucket`, the only bucket to be read.
func (d *definition) readScanBucket() {
	d.only = noBucket
	if t, ok := d.get(scanBucketOption); ok {
		if n, ok := d.Int("option.scan", scanBucketOption, t, 0, math.MaxInt32); ok {
			d.only = int(n)
		}
	}
}

const noBucket = -1

// past reports whether a reference reads an older state of the table, by FOR SYSTEM_TIME AS OF, VERSION AS OF or an option.
func (d *definition) past(ref *ast.TableRef) bool {
	return ref.AsOf != "" || slices.ContainsFunc(pastOptions, func(option string) bool { _, ok := d.get(option); return ok })
}

// pastOptions choose an older state of a table, what came since one, or the state of a branch.
var pastOptions = []string{"scan.snapshot-id", "scan.timestamp-millis", "scan.timestamp", "scan.tag-name", "scan.watermark", "scan.version",
	"scan.creation-time-millis", "incremental-between", "incremental-between-timestamp", "incremental-to-auto-tag", "branch",
	"scan.fallback-branch", "scan.primary-branch"}
