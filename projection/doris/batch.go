package doris

import (
	"math/big"
	"strconv"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// maxBatch bounds the partitions of one FROM … TO … INTERVAL.
const maxBatch = 1 << 20

// batch adds the ranges of FROM (a) TO (b) INTERVAL n [unit] (MultiPartitionDesc.java).
func (h *history) batch(ps *partitions, d *ast.PartitionDef, buckets int) {
	if len(ps.table.by) != 1 {
		h.Errorf("partition.batch", d, "write the ranges one by one", "FROM … TO … INTERVAL needs one partition column, not %d", len(ps.table.by))
		return
	}
	c := ps.table.by[0]
	n, name, ok := h.interval(d)
	if !ok {
		return
	}
	if len(d.Lo) != 1 || len(d.Hi) != 1 {
		h.Errorf("partition.batch", d, "write FROM (a) TO (b)", "FROM … TO … INTERVAL needs one value on each side")
		return
	}
	b := &pieces{history: h, ps: ps, def: d, column: c, buckets: buckets, every: n}
	switch date := isOneOf(c.kind, " date datetime timestamptz "); {
	case !date && name != "":
		h.Errorf("partition.batch", d.Interval, "write INTERVAL n without a unit", "%s is no date: the interval has no unit", c.name)
	case !date:
		b.numbers()
	case name == "":
		h.Errorf("partition.batch", d.Interval, "write a unit: HOUR, DAY, WEEK, MONTH or YEAR", "%s is a date: the interval needs a unit", c.name)
	default:
		b.dates(name)
	}
}

// interval reads INTERVAL n [unit].
func (h *history) interval(d *ast.PartitionDef) (n int64, unit string, ok bool) {
	i, isInterval := d.Interval.(*ast.Interval)
	if !isInterval {
		h.Errorf("partition.batch", d, "add INTERVAL 1 DAY", "FROM … TO needs an INTERVAL")
		return 0, "", false
	}
	text, _ := literalText(i.X)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		h.Errorf("partition.batch", i, "write a whole number from 1 on", "%s is no length of an interval", projection.Quote(text))
		return 0, "", false
	}
	return n, i.Unit, true
}

// pieces are the ranges of one batch.
type pieces struct {
	*history
	ps      *partitions
	def     *ast.PartitionDef
	column  *column
	buckets int
	every   int64
	from    []pruning.Value // where the next one begins
}

func (b *pieces) tooMany() {
	b.Errorf("partition.many", b.def, "use a longer interval", "FROM … TO … INTERVAL makes more than %d partitions", maxBatch)
}

// add adds the range up to hi, where the next one begins; false to stop.
func (b *pieces) add(name string, hi pruning.Value) bool {
	t := b.ps.table
	p := &partition{name: name, lo: b.from, hi: []pruning.Value{hi}, buckets: b.buckets}
	b.from = p.hi
	if old := t.normal.names[name]; old != nil || t.temp.names[name] != nil {
		b.Errorf("partition.name", b.def, "choose another interval", "there is a partition %s already", name)
		return false
	}
	return b.place(b.ps, p, b.def)
}

// rising checks the ends of the batch.
func (b *pieces) rising(below bool) bool {
	if !below {
		lo, _ := literalText(b.def.Lo[0])
		hi, _ := literalText(b.def.Hi[0])
		b.Errorf("partition.batch", span(b.def.Lo), "put the lesser value first", "the start of the batch, %s, is not below its end, %s", projection.Clip(lo), projection.Clip(hi))
	}
	return below
}

// numbers cuts whole numbers. The ends are compared as numbers.
func (b *pieces) numbers() {
	lo, ok1 := b.number(b.def.Lo[0])
	hi, ok2 := b.number(b.def.Hi[0])
	if !ok1 || !ok2 || !b.rising(lo.Cmp(hi) < 0) {
		return
	}
	step := big.NewInt(b.every)
	if n := new(big.Int).Sub(hi, lo); n.Quo(n, step).Cmp(big.NewInt(maxBatch)) > 0 {
		b.tooMany()
		return
	}
	from, _ := b.column.typ.FromBig(lo)
	b.from = []pruning.Value{from}
	name := lo.Append([]byte("p_"), 10)
	for end := lo; end.Cmp(hi) < 0; {
		if end.Add(end, step).Cmp(hi) > 0 {
			end.Set(hi)
		}
		at := len(name) + 1
		name = end.Append(append(name, '_'), 10)
		to, _ := b.column.typ.FromBig(end)
		if !b.add(string(name), to) {
			return
		}
		name = append(name[:len("p_")], name[at:]...)
	}
}

func (b *pieces) number(x ast.Expr) (*big.Int, bool) {
	d, ok := b.end(x)
	if !ok {
		return nil, false
	}
	return b.column.typ.Big(d.Value), true
}

// end reads an end of the batch as a value of the column.
func (b *pieces) end(x ast.Expr) (d datum, ok bool) {
	if d, ok = b.datum(x, b.column); ok && (d.max || d.Null) {
		b.Errorf("partition.batch", x, "write a value", "MAXVALUE and NULL can't be an end of a batch")
		return d, false
	}
	return d, ok
}

// dates cuts time by units of the calendar. Weeks, months and years begin at their own starts, so the first piece may be
// short; the last one is cut at the end, but not where the unit is a day.
func (b *pieces) dates(name string) {
	u := unitNamed(name)
	if u == noUnit || u < hour || u == quarter {
		b.Errorf("partition.batch", b.def.Interval, "write HOUR, DAY, WEEK, MONTH or YEAR", "there are no batches by %s", name)
		return
	}
	if u == hour && b.column.kind == "date" {
		b.Errorf("partition.batch", b.def.Interval, "write DAY, or declare the column as DATETIME", "%s is a DATE, and its days can't be cut into hours", b.column.name)
		return
	}
	lo, ok1 := b.instant(b.def.Lo[0], u)
	hi, ok2 := b.instant(b.def.Hi[0], u)
	if !ok1 || !ok2 || !b.rising(lo < hi) {
		return
	}
	b.every = min(b.every, u.most())
	if l := u.length(); l > 0 && (hi-lo)/(l*b.every) > maxBatch {
		b.tooMany()
		return
	}
	from, _ := b.column.ofMicros(lo)
	b.from = []pruning.Value{from}
	for x := lo; x < hi; {
		begin := x
		if u > day {
			begin = u.floor(x)
		}
		end := u.next(begin, b.every)
		if u != day {
			end = min(end, hi)
		}
		to, ok := b.column.ofMicros(end)
		if !ok {
			b.Errorf("partition.batch", b.def, "end it earlier", "the range from %s on ends after the calendar", b.column.appendValue(nil, b.from[0]))
			return
		}
		if !b.add(batchName(u, x), to) {
			return
		}
		x = end
	}
}

// instant reads an end of a batch of dates, which may be shorter than a date: 2022 for years, 2022-12 for months,
// 2022-12-01 05 or 2022120105 for hours.
func (b *pieces) instant(x ast.Expr, u unit) (micros int64, ok bool) {
	text, isText := literalText(x)
	switch {
	case !isText:
	case u == year && len(text) == 4:
		text += "-01-01"
	case u == month && len(text) == 6:
		text = text[:4] + "-" + text[4:] + "-01"
	case u == month && len(text) == 7 && text[4] == '-':
		text += "-01"
	case u == hour && len(text) == 10 && text[4] != '-':
		text = text[:8] + " " + text[8:]
	}
	if isText {
		if m, problem := projection.ParseMoment(text); problem == "" && (b.column.kind != "date" || m.Micros == 0) {
			return m.Days*microsADay + m.Micros, true
		}
	}
	d, ok := b.end(x)
	return b.column.micros(d.Value), ok
}

// batchName is the name of the piece that begins at an instant.
func batchName(u unit, micros int64) string {
	days := floorTo(micros, microsADay) / microsADay
	y, m, d := pruning.CivilFromDays(days)
	name := appendPadded([]byte("p_"), y, 4)
	if u == week {
		return string(appendPadded(append(name, '_'), weekOfYear(days, y), 2))
	}
	if u < year {
		name = appendPadded(name, m, 2)
	}
	if u < month {
		name = appendPadded(name, d, 2)
	}
	if u == hour {
		name = appendPadded(name, int((micros-days*microsADay)/3600e6), 2)
	}
	return string(name)
}

// weekOfYear counts weeks from Monday to Sunday, the first of which holds 1 January.
func weekOfYear(days int64, y int) int {
	first := pruning.DaysFromCivil(y, 1, 1)
	monday := floorTo(first+3, 7) - 3
	return int(days-monday)/7 + 1
}

func appendPadded(dst []byte, n, width int) []byte {
	s := strconv.Itoa(n)
	for i := len(s); i < width; i++ {
		dst = append(dst, '0')
	}
	return append(dst, s...)
}
