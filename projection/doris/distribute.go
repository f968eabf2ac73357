package doris

import (
	"math"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// defaultBuckets are what a table gets without BUCKETS (FeConstants.java), and what is planned with for BUCKETS AUTO.
const defaultBuckets = 10

// distributedBy reads DISTRIBUTED BY; without one rows are spread at random over a number of buckets that isn't known.
func (h *history) distributedBy(t *table, c *ast.Clause, s *ast.CreateTable) {
	d := &t.buckets
	d.count = defaultBuckets
	var at ast.Node = nameSpan(s.Name)
	if c == nil {
		d.random, d.auto = true, true
	} else {
		at = c
		d.random = c.How == "RANDOM"
		h.bucketColumns(t, c)
		if n, auto, ok := h.bucketCount(c.Buckets); ok {
			d.count, d.auto = n, auto
		}
	}
	if d.auto {
		d.count, d.at = h.autoBuckets(s.Options), ast.Span{From: at.Pos(), To: at.End()}
	}
	if d.random {
		h.randomAllowed(t, at)
	}
	if o, v := option(s.Options, "distribution_hash_type"); o != nil && !strings.EqualFold(v, "crc32") {
		h.Errorf("property.hash", o, `write "crc32", which is the default`, "the hash %s isn't known: only buckets by CRC-32 can be planned", projection.Quote(v))
	}
}

// option is the last option of some name and its text, or nil.
func option(list []ast.Option, name string) (o *ast.Option, text string) {
	for i := range list {
		if v, ok := list[i].Value.(*ast.Literal); ok && strings.EqualFold(list[i].Key.Text, name) {
			o, text = &list[i], v.Text
		}
	}
	return o, text
}

// randomAllowed: rows of one key must meet in one bucket to replace each other (DistributionDescriptor.java).
func (h *history) randomAllowed(t *table, at ast.Node) {
	if t.model == "UNIQUE" {
		h.Errorf("bucket.random", at, "write DISTRIBUTED BY HASH (…) BUCKETS n", "a UNIQUE table can't be distributed by RANDOM")
		return
	}
	for _, c := range t.columns {
		if t.model == "AGGREGATE" && strings.HasPrefix(c.aggregate, "REPLACE") {
			h.Errorf("bucket.random", at, "write DISTRIBUTED BY HASH (…) BUCKETS n",
				"a table can't be distributed by RANDOM when a column, here %s, is aggregated by %s", c.name, c.aggregate)
			return
		}
	}
}

// bucketColumns reads the columns of HASH (…) (HashDistributionDesc.java).
func (h *history) bucketColumns(t *table, c *ast.Clause) {
	if c.How == "RANDOM" {
		return
	}
	for _, n := range h.namesOf(c, "bucket") {
		col := h.lookup(t, n, "bucket column", "bucket.column")
		switch {
		case col == nil:
			continue
		case indexOf(t.buckets.hash, col) >= 0:
			h.Errorf("bucket.column", n, "drop one of them", "the bucket column %s is listed twice", n.Text)
			continue
		case t.model != "DUPLICATE" && !col.key:
			h.Errorf("bucket.column", n, "hash a column of "+t.model+" KEY", "the bucket column %s must be a key column of the %s table", n.Text, t.model)
		case col.kind != "" && !isOneOf(col.kind, hashed):
			h.Errorf("bucket.type", n, "hash a column of whole numbers, dates or texts", "the type %s of %s cannot be that of a bucket column", strings.ToUpper(col.declared), n.Text)
		}
		t.buckets.hash = append(t.buckets.hash, col)
	}
}

// bucketCount reads what stands behind BUCKETS; without it there are ten. ok is false when it is wrong.
func (h *history) bucketCount(x ast.Expr) (n int, auto, ok bool) {
	switch x := x.(type) {
	case nil:
		return defaultBuckets, false, true
	case *ast.Ident:
		if len(x.Parts) == 1 && strings.EqualFold(x.Parts[0].Text, "AUTO") {
			return defaultBuckets, true, true
		}
	case *ast.Literal:
		if v, err := strconv.ParseInt(x.Text, 10, 64); err == nil && x.Kind == ast.IntLit && 1 <= v && v <= math.MaxInt32 {
			return int(v), false, true
		}
	}
	h.Errorf("bucket.count", x, "write BUCKETS 16 or BUCKETS AUTO", "the number of buckets must be a whole number from 1 on")
	return 0, false, false
}

// autoBuckets is what Doris makes of the property estimate_partition_size (AutoBucketUtils.java): a fifth of the size, as
// it is when compressed, in buckets of 5 GB.
func (h *history) autoBuckets(options []ast.Option) int {
	const mb = 1 << 20
	o, text := option(options, "estimate_partition_size")
	if o == nil {
		return defaultBuckets
	}
	size, ok := parseSize(text)
	if !ok {
		h.Errorf("property.size", o.Value, `write "10G"`, "estimate_partition_size: %s is no size", projection.Quote(text))
		return defaultBuckets
	}
	switch s := (size + 4) / 5; {
	case s <= 100*mb:
		return 1
	case s <= 1024*mb:
		return 2
	default:
		const bucket = 5 * 1024 * mb
		return int(min(128, (s+bucket-1)/bucket))
	}
}

// parseSize reads 500, 500B, 10K, 10MB, 2g.
func parseSize(s string) (int64, bool) {
	s = strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(s)), "B")
	shift := 0
	if n := len(s); n > 0 {
		if i := strings.IndexByte("KMGTP", s[n-1]); i >= 0 {
			shift, s = 10*(i+1), strings.TrimSpace(s[:n-1])
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>shift>>1 {
		return 0, false
	}
	return n << shift, true
}
