package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// condition looks at the comparisons of a condition that stand under AND and OR only: under NOT, a constant that no
// partition has is harmless.
func (l *linter) condition(p *part) {
	l.comparisons(p.x)
	l.idle(p)
}

func (l *linter) comparisons(e expr) {
	a, ok := e.(*apply)
	if !ok {
		return
	}
	switch a.fn.op {
	case ast.OpAnd, ast.OpOr:
		if l.reversed(a) {
			return
		}
		for _, x := range a.args {
			l.comparisons(x)
		}
	case ast.OpEq, ast.OpNotDistinct, ast.OpNullSafeEq, ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe, ast.OpNe:
		l.comparison(a.fn.op, a.args[0], a.args[1])
	case "IN":
		l.list(a)
	}
}

// reversed tells of BETWEEN with its bounds the wrong way round.
func (l *linter) reversed(a *apply) bool {
	e, ok := a.at.(*ast.Between)
	if !ok || e.Symmetric || e.Not || a.fn.op != ast.OpAnd {
		return false
	}
	lo, hi := constantOf(a.args[0]), constantOf(a.args[1])
	if lo == nil || hi == nil || compareValues(lo.t, lo.v, hi.t, hi.v) != greater {
		return false
	}
	l.Warnf("lint.between", e, "swap the bounds", "BETWEEN goes from the lesser to the greater value, so this is never TRUE")
	return true
}

// constantOf is the known constant that a comparison has on its right side, or nil.
func constantOf(e expr) *constant {
	a, ok := e.(*apply)
	if !ok || len(a.args) != 2 {
		return nil
	}
	c, ok := a.args[1].(*constant)
	if _, known := known(c, ok); !known {
		return nil
	}
	return c
}

func known(c *constant, ok bool) (v pruning.Value, is bool) {
	if !ok || c.t.shape != scalarShape {
		return v, false
	}
	return c.v.known()
}

// comparison looks at "key op constant", either way round.
func (l *linter) comparison(op ast.Op, x, y expr) {
	if _, ok := x.(*constant); ok {
		x, y, op = y, x, mirror(op)
	}
	col, ok := x.(*column)
	c, isConstant := y.(*constant)
	if !ok || !isConstant || col.rel != l.node.rel {
		return
	}
	if c.v.isNull() && op != ast.OpNotDistinct && op != ast.OpNullSafeEq {
		l.Warnf("lint.null", c.at, "write "+col.name+" IS NULL, or IS NOT NULL", "a comparison with NULL is never TRUE")
		return
	}
	v, ok := known(c, true)
	k := col.key()
	if !ok || k < 0 || op == ast.OpNe {
		return
	}
	if op == ast.OpNotDistinct || op == ast.OpNullSafeEq {
		op = ast.OpEq
	}
	if set, ok := cutsAt(col.t.scalar, c.t.scalar, v).where(op); ok {
		l.values(op, col, k, set, string(c.t.scalar.Append(nil, v)), c.at)
	}
}

// mostItems bounds the items of one IN list that are looked at.
const mostItems = 1000

// list looks at the constants of "key IN (…)".
func (l *linter) list(a *apply) {
	col, ok := a.args[0].(*column)
	c, isConstant := a.args[1].(*constant)
	if !ok || !isConstant || col.rel != l.node.rel || col.key() < 0 || c.v.parts == nil {
		return
	}
	if c.v.parts.nulls {
		if in, ok := a.at.(*ast.In); ok && !in.Not {
			l.Warnf("lint.null", c.at, "drop it, or add "+col.name+" IS NULL", "NULL in a list is equal to nothing")
		}
	}
	if c.v.parts.set == nil || len(c.v.parts.set.Cuts()) > 2*mostItems {
		return
	}
	t := col.t.scalar
	for lo := range c.v.parts.set.Intervals() {
		if lo == nil {
			return
		}
		text := string(t.Append(nil, *lo))
		l.values(ast.OpEq, col, col.key(), pruning.Point(t, *lo), text, item(a.at, c.at, text))
	}
}

// item is the item of a list that is written with a text, or the list.
func item(at, list ast.Expr, text string) ast.Expr {
	var items []ast.Expr
	if in, ok := at.(*ast.In); ok {
		switch s := in.Set.(type) {
		case *ast.Tuple:
			items = s.Items
		case *ast.ListExpr:
			items = s.Items
		}
	}
	for _, x := range items {
		for n := range ast.Preorder(x) {
			if lit, ok := n.(*ast.Literal); ok && lit.Text == text {
				return x
			}
		}
	}
	return list
}

// values looks whether some branch has a value of a key for which "key op text" is TRUE.
func (l *linter) values(op ast.Op, col *column, key int, set pruning.Set, text string, at ast.Expr) {
	m := l.nearest(col)
	hashed := key >= len(l.Table.Layout.Values()) // then a bucket without rows of a value says nothing of it
	if m == nil || hashed && len(set.Cuts()) > 0 {
		return
	}
	runs := l.runs(m.axis, key, set)
	switch {
	case len(runs) == 0:
		l.missing(m, op, col, text, at)
	case op == ast.OpEq:
		if n := runs[len(runs)-1].Last - runs[0].First + 1; len(runs) == 1 && n > 1 && m.single(runs[0].First) {
			l.Notef("lint.repeated", at, "", "%d %s have the value %s of %s, and all are read", n, l.unit(), text, col.name)
		}
	case col.t.isText() && m.descends():
		hint := "compare with = or IN, or declare a format that begins with the year and has zeros in front"
		if _, number := m.axis.(*projection.Integer); number {
			hint = "compare with = or IN, or declare the column as a number"
		}
		l.Warnf("lint.order", at, hint,
			"%s compares texts here, and the texts of %s don't sort as what they mean: %s comes before %s", op, col.name, m.quoted(m.up), m.quoted(m.down))
	}
}

// missing tells that no branch has a value, and which are nearest.
func (l *linter) missing(m *near, op ast.Op, col *column, text string, at ast.Expr) {
	const code = "lint.value"
	shown := text
	if col.t.isText() {
		shown = projection.Quote(text)
	}
	if _, _, ok := m.axis.Value(0); !ok {
		l.Warnf(code, at, m.between(text), "no partition of %s holds rows with %s %s %s", l.Table.Name, col.name, op, shown)
		return
	}
	if op != ast.OpEq {
		hint := m.ends()
		if col.t.isText() && m.descends() {
			hint += fmt.Sprintf("; texts are compared here, and %s comes before %s", m.quoted(m.up), m.quoted(m.down))
		}
		l.Warnf(code, at, hint, "no value of %s is %s %s", col.name, op, shown)
		return
	}
	if col.t.isText() {
		if same, ok := m.respelled(text); ok {
			l.Warnf(code, at, "write "+literalLike(at, same), "%s is never %s: its values are written like %s", col.name, shown, m.quoted(same))
			return
		}
	}
	l.Warnf(code, at, m.hint(text, at), "%s is never %s", col.name, shown)
}

// literalLike is a text between the quotes that a literal has.
func literalLike(at ast.Expr, text string) string {
	quote := "'"
	if l, ok := at.(*ast.Literal); ok && strings.HasPrefix(l.Raw, `"`) {
		quote = `"`
	}
	return quote + strings.ReplaceAll(text, quote, quote+quote) + quote
}

// near finds what an axis has in place of a value that it doesn't have.
type near struct {
	*linter
	axis     projection.Axis
	key      int
	last     uint64
	t        pruning.Type
	up, down string // texts of neighbouring branches that descend
}

// nearest is the axis of a column that is a key of the scan's; nil when it has none, or no values.
func (l *linter) nearest(col *column) *near {
	a := l.axis(col.key())
	if a == nil {
		return nil
	}
	last, ok := a.Last()
	if !ok {
		return nil
	}
	return &near{linter: l, axis: a, key: col.key(), last: last, t: col.t.scalar}
}

// value is the text of branch i.
func (m *near) value(i uint64) string {
	v, null, _ := m.axis.Value(i)
	if null {
		return "NULL"
	}
	return string(m.t.Append(nil, v))
}

func (m *near) quoted(text string) string {
	if m.t.Kind == pruning.String {
		return projection.Quote(text)
	}
	return text
}

// single reports whether each branch fixes its key to one value.
func (m *near) single(i uint64) bool {
	_, null, ok := m.axis.Value(i)
	return ok && !null
}

// few is a number of branches that may be looked at one by one.
const few = 4096

// descends finds neighbouring branches, among few, whose texts are in the wrong order. Listed values have no order that
// anybody relies on.
func (m *near) descends() bool {
	if _, listed := m.axis.(*projection.Enum); listed || !m.single(0) {
		return false
	}
	step := m.last/few + 1
	for i := uint64(1); i <= m.last; i += min(step, m.last-i+1) {
		if a, b := m.value(i-1), m.value(i); a > b {
			m.up, m.down = b, a
			return true
		}
	}
	return false
}

// hint names the values next to a missing one, or the one that was probably meant, or all when they are few.
func (m *near) hint(text string, at ast.Expr) string {
	if _, listed := m.axis.(*projection.Enum); listed || m.t.Kind == pruning.Bool {
		return m.listed(text, at)
	}
	v, err := m.t.Parse(text)
	if err != nil {
		return m.ends()
	}
	if m.t.Kind == pruning.String && m.descends() {
		return m.ends()
	}
	below, above := m.neighbours(v)
	switch {
	case below == "":
		return "its least value is " + m.quoted(above)
	case above == "" && m.toNow():
		return "its greatest value is " + m.quoted(below) + ", of NOW in UTC"
	case above == "":
		return "its greatest value is " + m.quoted(below)
	}
	return "the nearest values are " + m.quoted(below) + " and " + m.quoted(above)
}

// toNow reports whether the values go to an end that moves with time.
func (m *near) toNow() bool {
	a, ok := projection.Unescaped(m.axis).(*projection.Date)
	return ok && a.Spec().To != ""
}

// listed looks for a near name among listed values.
func (m *near) listed(text string, at ast.Expr) string {
	names := make([]string, 0, min(m.last+1, few))
	for i := range min(m.last+1, few) {
		names = append(names, m.value(i))
	}
	if hint, ok := ast.Nearest(strings.TrimSpace(text), names); ok {
		return "did you mean " + literalLike(at, hint) + "?"
	}
	const shown = 8
	list := names[:min(len(names), shown)]
	for i := range list {
		list[i] = m.quoted(list[i])
	}
	more := ""
	if m.last >= shown {
		more = fmt.Sprintf(", … (%d in all)", m.last+1)
	}
	return "its values are " + strings.Join(list, ", ") + more
}

// neighbours are the greatest value below v and the least above it, "" for none.
func (m *near) neighbours(v pruning.Value) (below, above string) {
	if runs := m.runs(m.axis, m.key, pruning.Before(v)); len(runs) > 0 {
		below = m.value(runs[len(runs)-1].Last)
	}
	if runs := m.runs(m.axis, m.key, pruning.From(v)); len(runs) > 0 {
		above = m.value(runs[0].First)
	}
	return below, above
}

// between names the cells next to a value that lies in none.
func (m *near) between(text string) string {
	v, err := m.t.Parse(text)
	if err != nil {
		return ""
	}
	var out []string
	if runs := m.runs(m.axis, m.key, pruning.Before(v)); len(runs) > 0 {
		out = append(out, "the partition before it is "+string(m.axis.AppendName(nil, runs[len(runs)-1].Last)))
	}
	if runs := m.runs(m.axis, m.key, pruning.From(v)); len(runs) > 0 {
		out = append(out, "the partition behind it is "+string(m.axis.AppendName(nil, runs[0].First)))
	}
	return strings.Join(out, ", ")
}

// ends are the first and the last value.
func (m *near) ends() string {
	if m.last == 0 {
		return "its only value is " + m.quoted(m.value(0))
	}
	return "its values go from " + m.quoted(m.value(0)) + " to " + m.quoted(m.value(m.last))
}

// respelled is a value of the axis that means the same as text and is written otherwise: in other case, with blanks, or
// the numbers in it with other filling or in another layout (05 for 5, 2021/11/09 for 2021-11-09).
func (m *near) respelled(text string) (string, bool) {
	trimmed := strings.TrimSpace(text)
	candidates := []string{trimmed, " " + trimmed, strings.ToLower(trimmed), strings.ToUpper(trimmed)}
	for _, sample := range []string{m.value(0), m.value(m.last)} {
		candidates = append(candidates, reshaped(trimmed, sample)...)
	}
	for _, c := range candidates {
		if c != text && len(m.runs(m.axis, m.key, pruning.Point(m.t, pruning.Text(c)))) > 0 {
			return c, true
		}
	}
	if _, listed := m.axis.(*projection.Enum); listed {
		for i := range min(m.last+1, few) {
			if v := m.value(i); strings.EqualFold(strings.TrimSpace(v), trimmed) {
				return v, true
			}
		}
	}
	return "", false
}

// reshaped writes the numbers of text as sample has them. They may run together in text, or stand in the opposite order.
func reshaped(text, sample string) (out []string) {
	want, between := numbers(sample)
	have, _ := numbers(text)
	if len(have) == 1 && len(want) > 1 { // 20211109
		at := 0
		var cut []string
		for _, w := range want {
			if at+len(w) > len(have[0]) {
				return nil
			}
			cut = append(cut, have[0][at:at+len(w)])
			at += len(w)
		}
		have = cut
	}
	if len(have) < len(want) || len(want) == 0 {
		return nil
	}
	have = have[:len(want)]
	out = append(out, joined(have, want, between))
	back := slices.Clone(have)
	slices.Reverse(back)
	return append(out, joined(back, want, between))
}

// numbers are the runs of digits of a text, and what stands before, between and behind them.
func numbers(s string) (digits, between []string) {
	from := 0
	for i := 0; i < len(s); {
		if s[i] < '0' || s[i] > '9' {
			i++
			continue
		}
		j := i
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		digits, between = append(digits, s[i:j]), append(between, s[from:i])
		from, i = j, j
	}
	return digits, append(between, s[from:])
}

// joined writes numbers as wide as others are, with zeros in front where they are shorter and without where longer.
func joined(have, want, between []string) string {
	var b strings.Builder
	for i, h := range have {
		b.WriteString(between[i])
		for len(h) > len(want[i]) && h[0] == '0' {
			h = h[1:]
		}
		b.WriteString(strings.Repeat("0", max(0, len(want[i])-len(h))) + h)
	}
	b.WriteString(between[len(have)])
	return b.String()
}
