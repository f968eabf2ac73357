package paimon

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// Load is what is known of a table's data. Fields that are zero aren't known.
type Load struct {
	Partitions int64            // that there are
	Bytes      int64            // of a partition
	Rows       int64            // of a partition
	Distinct   map[string]int64 // values of a column, by its name
	Writers    int64            // that write to a partition at once
}

const (
	mebibyte = 1 << 20
	gibibyte = 1 << 30

	// Paimon advises 200 MB to 1 GB for a bucket (Paimon's documentation, "Primary Key Table", "Table Mode").
	leastBucket = 200 * mebibyte
	mostBucket  = gibibyte

	manyPartitions   = 100_000 // of one column's values
	fewPartitions    = 10      // likewise
	manyDirectories  = 100_000
	indexBytesPerRow = 10 // of a dynamic table: about 1 GB for 100 million keys
	keysPerBucket    = 4  // fewer distinct keys leave buckets empty
)

// Advise says what a table's load asks of its buckets and partitions. The findings are notes and warnings; the error is
// [System.Table]'s.
func Advise(env *projection.Env, ref *ast.TableRef, decls []ast.Stmt, load Load) (ast.Diagnostics, error) {
	d := &definition{env: env, at: ref, name: dotted(ref.Name), options: settings{}}
	created := d.lookup(ref, script(decls))
	if created == nil {
		return nil, d.failed()
	}
	d.read(created)
	if d.List.HasErrors() {
		return nil, d.failed()
	}
	a := adviser{definition: d, load: load}
	switch d.mode() {
	case Fixed:
		a.fixed()
	case HashDynamic, KeyDynamic:
		a.dynamic()
	case Postponed:
		a.postponed()
	}
	a.partitions()
	a.List.Sort()
	return a.List, nil
}

type adviser struct {
	*definition
	load Load
}

// ceilDiv is a / b rounded up, at least 1.
func ceilDiv(a, b int64) int64 { return max(1, (a+b-1)/b) }

// place is the option that advice is about, or the table.
func (a *adviser) place(option string) ast.Node {
	if t, ok := a.get(option); ok {
		return t
	}
	return a.at
}

// fixed compares the number of buckets with the size of a partition, the number of keys and of writers.
func (a *adviser) fixed() {
	at, n := a.place(bucketOption), int64(a.bucket)
	if a.load.Bytes > 0 {
		low := ceilDiv(a.load.Bytes, mostBucket)
		high := max(1, a.load.Bytes/leastBucket, low)
		files := ceilDiv(a.load.Bytes, a.fileSize())
		msg := fmt.Sprintf("a partition of %s: Paimon advises 200 MB to 1 GB a bucket, which is %s to %s buckets; a bucket for each file of %s would be %s, but a bucket holds several files",
			sizeText(a.load.Bytes), grouped64(low), grouped64(high), sizeText(a.fileSize()), grouped64(files))
		switch {
		case n < low:
			a.Warnf("advise.buckets", at, fmt.Sprintf("write %d to %d", low, high), "%s: %s are too few", msg, counted(a.bucket, "bucket"))
		case n > high:
			a.Warnf("advise.buckets", at, fmt.Sprintf("write %d to %d", low, high), "%s: %s are too many", msg, counted(a.bucket, "bucket"))
		default:
			a.Notef("advise.buckets", at, "", "%s: %s fit", msg, counted(a.bucket, "bucket"))
		}
	}
	if a.load.Partitions > 0 && len(a.partition) > 0 {
		all := new(big.Int).Mul(big.NewInt(a.load.Partitions), big.NewInt(n))
		if all.Cmp(big.NewInt(manyDirectories)) > 0 {
			a.Warnf("advise.directories", at, "use fewer buckets, or coarser partitions", "%s partitions of %s are %s directories", grouped64(a.load.Partitions), counted(a.bucket, "bucket"), grouped(all))
		} else {
			a.Notef("advise.directories", at, "", "%s partitions of %s are %s directories", grouped64(a.load.Partitions), counted(a.bucket, "bucket"), grouped(all))
		}
	}
	if a.load.Writers > n {
		a.Warnf("advise.writers", at, "use no more writers than buckets", "%s writers are more than %s: each bucket has one", grouped64(a.load.Writers), counted(a.bucket, "bucket"))
	}
	a.skew(at, n)
}

// skew warns of a bucket key with so few values that buckets stay empty: d values fill about n(1-(1-1/n)^d).
func (a *adviser) skew(at ast.Node, n int64) {
	keys := int64(1)
	for _, k := range a.hashed {
		d := a.load.Distinct[a.columns[k].name.S]
		if d == 0 || keys > keysPerBucket*n {
			return
		}
		keys *= d
	}
	if n == 1 || keys >= keysPerBucket*n {
		return
	}
	filled := float64(n) * (1 - math.Pow(1-1/float64(n), float64(keys)))
	a.Warnf("advise.skew", at, "hash a column with more values, or use fewer buckets", "%s values of %s fill about %.0f of %s", grouped64(keys), a.namesOf(a.hashed), filled, counted(a.bucket, "bucket"))
}

// dynamic tells how many buckets a partition gets, and what the index of keys costs.
func (a *adviser) dynamic() {
	if a.load.Rows == 0 {
		return
	}
	at := a.place(targetRowsOption)
	each := int64(2_000_000)
	if t, ok := a.get(targetRowsOption); ok {
		if each, ok = a.Int("option.rows", targetRowsOption, t, 1, math.MaxInt64); !ok {
			return
		}
	}
	n := max(ceilDiv(a.load.Rows, each), a.load.Writers)
	a.Notef("advise.dynamic", at, "", "%s rows in a partition, %s a bucket, are %s buckets; the index of their keys takes about %s of memory",
		grouped64(a.load.Rows), grouped64(each), grouped64(n), sizeText(a.load.Rows*indexBytesPerRow))
	if a.mode() == KeyDynamic {
		a.Warnf("advise.cross", a.primaryAt, "add "+a.namesOf(a.missing())+" to the primary key, if rows never move between partitions",
			"the primary key lacks %s: each writing job starts by reading all keys of the table into an index", a.namesOf(a.missing()))
	}
}

// postponed tells how many buckets a partition gets when it gets any.
func (a *adviser) postponed() {
	if t, ok := a.get(postponeBucketsOpt); ok {
		a.Notef("advise.postpone", t, "", "each partition gets %s buckets first", t.S)
		return
	}
	if t, ok := a.get(postponeRowsOption); ok && a.load.Rows > 0 {
		if each, ok := a.Int("option.rows", postponeRowsOption, t, 1, math.MaxInt64); ok {
			a.Notef("advise.postpone", t, "", "%s rows, %s a bucket, are %s buckets", grouped64(a.load.Rows), grouped64(each), grouped64(ceilDiv(a.load.Rows, each)))
		}
		return
	}
	if a.load.Bytes > 0 {
		each := a.size(postponeSizeOption, gibibyte)
		a.Notef("advise.postpone", a.place(postponeSizeOption), "", "a partition of %s, %s a bucket, gets %s buckets",
			sizeText(a.load.Bytes), sizeText(each), grouped64(ceilDiv(a.load.Bytes, each)))
	}
}

// partitions judges partition columns by how many values they have.
func (a *adviser) partitions() {
	for _, k := range a.partition {
		c := &a.columns[k]
		switch d := a.load.Distinct[c.name.S]; {
		case d > manyPartitions:
			a.Warnf("advise.partition", c.at, "partition by a column with fewer values, such as a date, and hash "+c.name.S,
				"%s values of %s make as many small partitions", grouped64(d), c.name.S)
		case d > 0 && d < fewPartitions && len(a.partition) == 1:
			a.Warnf("advise.partition", c.at, "partition by a date, or by a date and "+c.name.S,
				"%s values of %s make large partitions of which a query can skip few", grouped64(d), c.name.S)
		}
	}
}

// fileSize is target-file-size, which depends on whether there is a primary key.
func (a *adviser) fileSize() int64 {
	if len(a.primary) > 0 {
		return a.size(targetFileOption, 128*mebibyte)
	}
	return a.size(targetFileOption, 256*mebibyte)
}

// units are the units of sizes, by how they are written.
var units = map[string]int64{"": 1, "b": 1, "bytes": 1, "k": 1 << 10, "kb": 1 << 10, "kibibytes": 1 << 10, "m": mebibyte, "mb": mebibyte, "mebibytes": mebibyte,
	"g": gibibyte, "gb": gibibyte, "gibibytes": gibibyte, "t": 1 << 40, "tb": 1 << 40, "tebibytes": 1 << 40}

// size reads a size such as "128 mb", in binary units (apache/paimon, options/MemorySize.java).
func (a *adviser) size(option string, otherwise int64) int64 {
	t, ok := a.get(option)
	if !ok {
		return otherwise
	}
	text := strings.TrimSpace(t.S)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	unit, known := units[strings.ToLower(strings.TrimSpace(text[digits:]))]
	if err != nil || !known || n < 1 || n > math.MaxInt64/unit {
		a.Warnf("option.size", t, "write 128 mb", "%s: %s is no size", option, projection.Quote(t.S))
		return otherwise
	}
	return n * unit
}

// sizeText is a number of bytes in binary units: "10 GB".
func sizeText(n int64) string {
	f, i := float64(n), 0
	for f >= 1024 && i < 5 {
		f /= 1024
		i++
	}
	return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64) + [...]string{" B", " KB", " MB", " GB", " TB", " PB"}[i]
}

func grouped64(n int64) string { return grouped(big.NewInt(n)) }
