package paimon

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// history is how many buckets the partitions of a table have, by what the script did to it. A partition takes the option's
// number when it is first written to, when it is overwritten, or that of a rescale; ALTER TABLE alone changes nothing that
// has been written (Paimon's documentation, "Rescale Bucket").
type history struct {
	named map[string]counts // by directory; those that the script names
	other counts            // of any other partition
	ever  counts            // all that any partition has had
	data  bool              // the table has a snapshot
}

// counts are the numbers of buckets that a partition may have, ascending.
type counts struct {
	may   []int
	empty bool // nothing has been written yet, as far as is known: it takes what the option becomes, too
}

// add puts a number among those that there may be. The list itself isn't changed: copies have it, too.
func (c *counts) add(n int) {
	if i, found := slices.BinarySearch(c.may, n); !found && n > 0 {
		c.may = slices.Insert(slices.Clone(c.may), i, n)
	}
}

// only is the one number that a partition can have, or ok false.
func (c *counts) only() (n int, ok bool) {
	if len(c.may) != 1 {
		return 0, false
	}
	return c.may[0], true
}

// differs reports whether a partition certainly has another number of buckets than n.
func (c *counts) differs(n int) bool {
	has, ok := c.only()
	return ok && !c.empty && n > 0 && has != n
}

// begin starts with the CREATE. With a query, there is data already.
func (h *history) begin(d *definition, data bool) {
	*h = history{named: map[string]counts{}, other: counts{empty: true}, ever: h.ever}
	h.option(d.bucket)
	if data {
		h.wrote(d, nil)
	}
}

// option is the start of a new value of `bucket`.
func (h *history) option(n int) {
	h.other.add(n)
	h.ever.add(n)
	for p, c := range h.named {
		if c.empty {
			c.add(n)
			h.named[p] = c
		}
	}
}

// of is what a partition may have.
func (h *history) of(partition string) counts {
	if c, ok := h.named[partition]; ok {
		return c
	}
	return h.other
}

// at is what a partition's directory may have. One that isn't known in full, such as dt=*/hh=08/, may be any.
func (h *history) at(dir string) counts {
	dir = strings.TrimSuffix(dir, "/")
	if !strings.Contains(dir, "*") {
		return h.of(dir)
	}
	all := counts{may: h.other.may}
	for _, c := range h.named {
		if len(c.may) == 0 {
			return counts{}
		}
		for _, n := range c.may {
			all.add(n)
		}
	}
	return all
}

// forget is what is known when an older state of the table is read: partitions may have any number there has been.
func (h *history) forget() {
	h.named, h.other = map[string]counts{}, counts{may: h.ever.may}
}

// dropped notes that a partition is gone: it takes the option's number when it is written again.
func (h *history) dropped(partition string, option int) {
	gone := counts{empty: true}
	gone.add(option)
	h.named[partition] = gone
}

// maybeDropped notes that partitions may be gone, or that they may have been written anew.
func (h *history) maybeDropped(t *touched, option int) {
	h.other.add(option)
	for p, c := range h.named {
		if t.mayTouch(p) {
			c.add(option)
			h.named[p] = c
		}
	}
}

// truncate notes that all data is gone.
func (h *history) truncate(d *definition) {
	h.begin(d, false)
	h.data = true
}

// set gives a partition a number of buckets.
func (h *history) set(partition string, n int) {
	c := counts{}
	c.add(n)
	h.ever.add(n)
	h.named[partition] = c
}

// wrote notes a plain INSERT. Where it goes into a partition that is known to have another number than the option, Paimon
// refuses it; so what has been written has the option's number.
func (h *history) wrote(d *definition, to *touched) {
	h.data = true
	switch {
	case len(d.partition) == 0 && to == nil:
		h.set("", d.bucket)
		return
	case to == nil:
		return
	case !to.known:
		for p := range h.named {
			if d.bucket == postponed && to.mayTouch(p) {
				h.set(p, d.bucket) // batch writes may have rescaled it
			}
		}
		return
	}
	for _, p := range to.partitions {
		if c := h.of(p); c.differs(d.bucket) {
			what := "the partition " + p
			if p == "" {
				what = "the table"
			}
			d.Errorf("rescale.insert", to.at, "rewrite it first: INSERT OVERWRITE … SELECT … FROM "+d.name,
				"%s still has %d buckets, and %s is %d now: a plain INSERT can't mix the two", what, c.may[0], bucketOption, d.bucket)
			continue
		}
		h.set(p, d.bucket)
	}
}

// overwrote notes an INSERT OVERWRITE: what it touches takes the option's number.
func (h *history) overwrote(d *definition, to *touched) {
	h.data = true
	if len(d.partition) == 0 {
		h.set("", d.bucket)
		return
	}
	if to.known {
		for _, p := range to.partitions {
			h.set(p, d.bucket)
		}
		return
	}
	h.maybeDropped(to, d.bucket)
}

// touched are the partitions that a statement writes to.
type touched struct {
	at         ast.Node
	known      bool     // they are partitions
	partitions []string // directories
	levels     []string // else: the directories that are fixed, "" for one that isn't
}

// mayTouch reports whether a partition has all levels that are fixed.
func (t *touched) mayTouch(partition string) bool {
	for i, dir := range strings.Split(partition, "/") {
		if i < len(t.levels) && t.levels[i] != "" && t.levels[i] != dir {
			return false
		}
	}
	return true
}

// target is the table that a statement changes, or nil.
func target(st ast.Stmt) []ast.Name {
	switch st := st.(type) {
	case *ast.Insert:
		if st.Table != nil {
			return st.Table.Name
		}
	case *ast.AlterTable:
		return st.Name
	case *ast.CallStmt:
		return callTarget(st)
	case *ast.Other:
		if strings.HasPrefix(st.Verb, "TRUNCATE") {
			return st.Name
		}
	}
	return nil
}

// follow goes through the statements behind the CREATE.
func (d *definition) follow(s script) {
	for _, st := range s {
		if d.List.HasErrors() {
			return
		}
		if name := target(st); name == nil || !same(name, d.created) {
			continue
		}
		switch st := st.(type) {
		case *ast.Insert:
			d.insert(st)
		case *ast.AlterTable:
			d.alter(st)
		case *ast.CallStmt:
			procedure(st)(d, st)
		case *ast.Other:
			if strings.Contains(strings.ToUpper(st.Text), "PARTITION") {
				d.history.maybeDropped(&touched{}, d.bucket)
				break
			}
			d.history.truncate(d)
		}
	}
}

func (d *definition) insert(st *ast.Insert) {
	to := d.touched(st)
	if st.Verb == "INSERT OVERWRITE" {
		d.history.overwrote(d, to)
		return
	}
	d.history.wrote(d, to)
}

// touched finds the partitions that an INSERT writes to: those of its PARTITION clause, and of constant rows.
func (d *definition) touched(st *ast.Insert) *touched {
	t := &touched{at: st.Table, known: true}
	if len(d.partition) == 0 {
		t.partitions = []string{""}
		return t
	}
	t.levels = make([]string, len(d.partition))
	for _, o := range st.Partition {
		d.fix(t, o.Key.Text, o.Value)
	}
	if !slices.Contains(t.levels, "") {
		t.partitions = []string{strings.Join(t.levels, "/")}
		return t
	}
	rows, ok := st.Query.(*ast.Values)
	if !ok {
		t.known = false
		return t
	}
	seen := map[string]bool{}
	for _, row := range rows.Rows {
		p, ok := d.rowPartition(t, st, row)
		if t.known = t.known && ok; ok && !seen[p] {
			seen[p], t.partitions = true, append(t.partitions, p)
		}
	}
	return t
}

// fix notes a directory that a PARTITION clause names.
func (d *definition) fix(t *touched, name string, x ast.Expr) {
	for i, k := range d.partition {
		if d.columns[k].name.S == name {
			t.levels[i], _ = d.directory(k, x)
		}
	}
}

// directory is the name of a constant's directory.
func (d *definition) directory(column int, x ast.Expr) (string, bool) {
	c := &d.columns[column]
	v, ok := constant(c.typ, x)
	if !ok {
		return "", false
	}
	return d.names.level(c, v)
}

// constant reads a literal as a value of a type.
func constant(t pruning.Type, x ast.Expr) (v pruning.Nullable, ok bool) {
	text := ""
	switch x := x.(type) {
	case *ast.Literal:
		if x.Kind == ast.NullLit {
			return pruning.Nullable{Null: true}, true
		}
		text = x.Text
	case *ast.Unary:
		l, isLiteral := x.X.(*ast.Literal)
		if !isLiteral || x.Op != ast.OpNeg {
			return v, false
		}
		text = "-" + l.Text
	case *ast.TypedLiteral:
		text = x.Text.Text
	default:
		return v, false
	}
	v.Value, ok = parseSpec(t, text)
	return v, ok
}

// parseSpec reads the text of a value in SQL or in the argument of a procedure. A date is a date there and no number.
func parseSpec(t pruning.Type, text string) (v pruning.Value, ok bool) {
	switch {
	case t.Kind == pruning.NoKind:
		return v, false
	case t.Kind == pruning.Datetime, t.Kind == pruning.Timestamp, t.Kind == pruning.Float32, t.Kind == pruning.Float64, t.Kind == pruning.String:
		return parse(t, text)
	}
	v, err := t.Parse(text)
	return v, err == nil
}

// rowPartition is the directory of a row of VALUES. Its expressions stand for the columns that no PARTITION clause fixes, in
// their order or in that of the INSERT's list.
func (d *definition) rowPartition(t *touched, st *ast.Insert, row *ast.Tuple) (string, bool) {
	levels := slices.Clone(t.levels)
	for i, k := range d.partition {
		if levels[i] != "" {
			continue
		}
		at := d.position(t, st, k)
		if at < 0 || at >= len(row.Items) {
			return "", false
		}
		var ok bool
		if levels[i], ok = d.directory(k, row.Items[at]); !ok {
			return "", false
		}
	}
	return strings.Join(levels, "/"), true
}

// position is where a column stands in the rows of an INSERT, or -1.
func (d *definition) position(t *touched, st *ast.Insert, column int) int {
	name := d.columns[column].name.S
	if len(st.Columns) > 0 {
		return slices.IndexFunc(st.Columns, func(n ast.Name) bool { return n.Text == name })
	}
	at := 0
	for i := range d.columns[:column] {
		if p := slices.Index(d.partition, i); d.columns[i].virtual == "" && (p < 0 || t.levels[p] == "") {
			at++
		}
	}
	return at
}

// partitionSpec is the directory that "dt=20250217,hh=08" names.
func (d *definition) partitionSpec(text projection.Text) (string, bool) {
	levels := make([]string, len(d.partition))
	for _, item := range list(text) {
		name, value, _ := strings.Cut(trimmed(item).S, "=")
		for i, k := range d.partition {
			c := &d.columns[k]
			if c.name.S != strings.TrimSpace(name) {
				continue
			}
			if v, ok := parseSpec(c.typ, strings.TrimSpace(value)); ok {
				levels[i], _ = d.names.level(c, pruning.Nullable{Value: v})
			}
		}
	}
	return strings.Join(levels, "/"), !slices.Contains(levels, "")
}
