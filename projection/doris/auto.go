package doris

import (
	"encoding/hex"
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// truncatedBy reads AUTO PARTITION BY RANGE (date_trunc(col, 'unit')). A function means AUTO, written or not.
func (h *history) truncatedBy(t *table, c *ast.Clause) {
	const hint = "write AUTO PARTITION BY RANGE (date_trunc(col, 'day')) ()"
	t.auto = true
	call, ok := c.Exprs[0].(*ast.Call)
	switch {
	case t.list && strings.Contains(c.How, "LIST"):
		h.Errorf("partition.auto", c, "list columns only", "AUTO PARTITION BY LIST takes no functions")
		return
	case len(c.Exprs) != 1 || !ok || !strings.EqualFold(call.Func.Text, "date_trunc") || len(call.Args) != 2:
		h.Errorf("partition.auto", c, hint, "partitions can be made by date_trunc of one column only")
		return
	}
	t.list = false
	id, isColumn := call.Args[0].X.(*ast.Ident)
	text, isText := literalText(call.Args[1].X)
	if !isColumn { // date_trunc('day', col)
		id, isColumn = call.Args[1].X.(*ast.Ident)
		text, isText = literalText(call.Args[0].X)
	}
	if !isColumn || !isText || len(id.Parts) != 1 {
		h.Errorf("partition.auto", call, hint, "date_trunc takes a column and a unit here")
		return
	}
	if t.unit = unitNamed(text); t.unit == noUnit {
		h.Errorf("partition.auto", call, "use year, quarter, month, week, day, hour, minute or second", "date_trunc: there is no unit %s", text)
		return
	}
	col := h.lookup(t, id.Parts[0], "partition column", "partition.column")
	switch {
	case col == nil:
		return
	case col.kind != "" && !isOneOf(col.kind, " date datetime timestamptz "):
		h.Errorf("partition.type", id, "", "date_trunc needs a DATE or DATETIME, and %s is %s", col.name, strings.ToUpper(col.declared))
	case col.nullable:
		h.Errorf("partition.auto", id, "declare it NOT NULL", "the column of AUTO PARTITION BY RANGE must be NOT NULL, and %s isn't", col.name)
	default:
		h.partitionColumn(t, col, id)
	}
	t.by = append(t.by, col)
}

// load makes the partitions that the rows of an INSERT … VALUES need in a table with AUTO PARTITION. Values that aren't
// literals are skipped: the planner hands over rows whose constants are folded.
func (h *history) load(s *ast.Insert) {
	rows, ok := s.Query.(*ast.Values)
	if !ok || !h.table.auto {
		return
	}
	for _, row := range rows.Rows {
		if tuple, ok := h.loaded(s, row); ok {
			h.table.grow(tuple)
		}
	}
}

// loaded is the tuple of partition columns of a row.
func (h *history) loaded(s *ast.Insert, row *ast.Tuple) (tuple []pruning.Nullable, ok bool) {
	for _, c := range h.table.by {
		at := c.index
		if len(s.Columns) > 0 {
			at = -1
			for i, n := range s.Columns {
				if strings.EqualFold(n.Text, c.name) {
					at = i
				}
			}
		}
		v := pruning.Nullable{Null: true}
		if at >= 0 {
			if at >= len(row.Items) {
				return nil, false
			}
			if l, isLiteral := row.Items[at].(*ast.Literal); !isLiteral || l.Kind != ast.NullLit {
				text, isText := literalText(row.Items[at])
				value, ok := c.stored(text)
				if !isText || !ok {
					return nil, false
				}
				v = pruning.Nullable{Value: value}
			}
		}
		if v.Null && !c.nullable {
			return nil, false
		}
		tuple = append(tuple, v)
	}
	return tuple, true
}

// stored reads a text as a value that is written to the column: a DATE of an instant is its day.
func (c *column) stored(text string) (v pruning.Value, ok bool) {
	v, problem, _ := c.parse(text)
	if problem == "" {
		return v, true
	}
	m, problem := projection.ParseMoment(text)
	if problem != "" || c.kind != "date" {
		return v, false
	}
	return pruning.Int(m.Days), true
}

// grow makes the partition of a tuple, if there is none that takes it.
func (t *table) grow(tuple []pruning.Nullable) {
	ps := t.normal
	p := &partition{buckets: t.buckets.count}
	if t.list {
		if ps.listed[tupleKey(tuple)] != nil {
			return
		}
		p.name, p.tuples = t.listName(tuple), [][]pruning.Nullable{tuple}
	} else {
		c := t.by[0]
		begin := t.unit.floor(c.micros(tuple[0].Value))
		lo, ok := c.ofMicros(begin)
		if !ok {
			return
		}
		p.lo = []pruning.Value{lo}
		if hi, more := c.ofMicros(t.unit.next(begin, 1)); more {
			p.hi = []pruning.Value{hi}
		}
		next := ps.ranges.at(ps.ranges.search(func(x *partition) bool { return x.hi == nil || compareTuples(x.hi, p.lo) > 0 }))
		if next != nil && t.meet(p, next) {
			return // it takes the row, or stands in the way of the partition that would
		}
		p.name = "p" + momentName(begin)
	}
	if t.normal.names[p.name] == nil && t.temp.names[p.name] == nil {
		ps.insert(p)
	}
}

// momentName is an instant as yyyyMMddHHmmss.
func momentName(micros int64) string {
	days := floorTo(micros, microsADay) / microsADay
	y, m, d := pruning.CivilFromDays(days)
	sec := int((micros - days*microsADay) / 1e6)
	name := appendPadded(nil, y, 4)
	for _, n := range [...]int{m, d, sec / 3600, sec / 60 % 60, sec % 60} {
		name = appendPadded(name, n, 2)
	}
	return string(name)
}

// listName is the name that Doris gives the partition of a tuple: for each value its text with its length behind, and X
// for NULL; characters that a name can't have are their code points in hexadecimal.
func (t *table) listName(tuple []pruning.Nullable) string {
	b := []byte("p")
	for i, v := range tuple {
		if v.Null {
			b = append(b, 'X')
			continue
		}
		text := string(t.by[i].appendValue(nil, v.Value))
		if strings.HasPrefix(text, "-") {
			b = append(b, '_')
		}
		for _, r := range text {
			if r < 0x80 && (r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z') {
				b = append(b, byte(r))
			} else {
				b = strconv.AppendInt(b, int64(r), 16)
			}
		}
		b = strconv.AppendInt(b, int64(len([]rune(text))), 10)
	}
	const longest = 50
	if len(b) > longest {
		var sum [4]byte
		n := crc32.ChecksumIEEE(b)
		sum = [4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
		b = append(b[:longest-8], hex.EncodeToString(sum[:])...)
	}
	return string(b)
}
