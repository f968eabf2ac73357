package paimon

import (
	"math"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/projection"
)

const (
	mebibyte = 1 << 20
	gibibyte = 1 << 30
)

// sizing is what the options say of the sizes of buckets and files (apache/paimon, CoreOptions.java).
func (d *definition) sizing() *projection.Sizing {
	s := &projection.Sizing{Mode: d.mode().String(), Lacks: d.namesOf(d.missing()), File: d.size(targetFileOption, 256*mebibyte)}
	if len(d.primary) > 0 {
		s.File = d.size(targetFileOption, 128*mebibyte)
	} else {
		s.Lacks = ""
	}
	switch d.mode() {
	case Fixed:
		s.Buckets = d.bucket
	case HashDynamic, KeyDynamic:
		s.Rows = d.positive(targetRowsOption, 2_000_000)
	case Postponed:
		s.Buckets = int(d.positive(postponeBucketsOpt, 0))
		s.Rows = d.positive(postponeRowsOption, 0)
		s.Bytes = d.size(postponeSizeOption, gibibyte)
	}
	return s
}

// positive is a number that an option gives.
func (d *definition) positive(option string, otherwise int64) int64 {
	t, ok := d.get(option)
	if !ok {
		return otherwise
	}
	n, err := strconv.ParseInt(strings.TrimSpace(t.S), 10, 64)
	if err != nil || n < 1 {
		d.Warnf("option.number", t, "write a whole number above 0", "%s: %s is no such number", option, projection.Quote(t.S))
		return otherwise
	}
	return n
}

// units are the units of sizes, by how they are written.
var units = map[string]int64{"": 1, "b": 1, "bytes": 1, "k": 1 << 10, "kb": 1 << 10, "kibibytes": 1 << 10, "m": mebibyte, "mb": mebibyte, "mebibytes": mebibyte,
	"g": gibibyte, "gb": gibibyte, "gibibytes": gibibyte, "t": 1 << 40, "tb": 1 << 40, "tebibytes": 1 << 40}

// size is a size such as "128 mb" that an option gives, in binary units (apache/paimon, options/MemorySize.java).
func (d *definition) size(option string, otherwise int64) int64 {
	t, ok := d.get(option)
	if !ok {
		return otherwise
	}
	text := strings.TrimSpace(t.S)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	unit, known := units[strings.ToLower(strings.TrimSpace(text[digits:]))]
	if err != nil || !known || n < 1 || n > math.MaxInt64/unit {
		d.Warnf("option.size", t, "write 128 mb", "%s: %s is no size", option, projection.Quote(t.S))
		return otherwise
	}
	return n * unit
}
