package planner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/big"
	"math/bits"
	"slices"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// Scan is the part of a plan that concerns one reference to a table. It doesn't change and may be used by several
// goroutines at once.
type Scan struct {
	Ref       *ast.TableRef     // where the statement names the table
	Alias     string            // what the statement calls the table, when it isn't the table's own name
	Table     *projection.Table // with the layout as it was found, where it had to be listed
	Write     bool              // the units are what is written
	Where     ast.Expr          // the conjunction of all predicates that concern this scan alone, or nil
	Residual  ast.Expr          // what is still to be filtered in what is read, or nil
	Conjuncts []Conjunct
	Diagram   pruning.Diagram     // all conditions as a function of the layout's keys; what it can't express has all outcomes
	Check     projection.Check    // what is evaluated branch by branch, because the diagram can't express it
	Listing   *projection.Listing // what finding the units in the storage took; nil when it wasn't asked

	Routes []Route // of a write of single rows

	open  []part    // the conditions of Residual
	node  *scanNode // nil when Write
	parts []part    // all conditions
}

// Effect is what a conjunct did for a scan.
type Effect uint8

const (
	Decided Effect = iota // every unit read satisfies it: no filter remains
	Pruned                // it dropped units, but a filter remains
	Unused                // it could not drop anything
)

// String is the word that texts use: "decided", "pruned" or "unused".
func (e Effect) String() string { return [...]string{"decided", "pruned", "unused"}[e] }

// Conjunct is one top-level condition of a scan and what became of it.
type Conjunct struct {
	Expr   ast.Expr
	Effect Effect
	Reason string // why it could not prune, or not fully: "data is no partition column"
	From   string // where it comes from when it isn't the scan's own WHERE: "join with u on u.year = t.year"
}

// part is a condition of a scan with its meaning for the layout's keys.
type part struct {
	pred
	lowered
	alone bool // it concerns this scan alone
}

// newScan makes the scan of a table from the conditions that have come down to it.
func (b *builder) newScan(n *scanNode) (*Scan, error) {
	sp := pruning.NewSpace(n.table.Layout.Keys, b.s.env.Limits.Nodes)
	parts := make([]part, len(n.preds))
	ds := make([]pruning.Diagram, len(n.preds))
	l := newLowering(n.rel, sp)
	for i, p := range n.preds {
		parts[i] = part{p, l.lower(p.x), !p.extra && n.alone(p.x)}
		ds[i] = parts[i].d
	}
	s := &Scan{Ref: n.ref, Alias: n.alias, Table: n.table, node: n, parts: parts}
	s.Diagram = l.sharpen(parts, sp.All(pruning.Diagram.And, ds, sp.Const(pruning.True)))
	s.Check = checkOf(parts)
	s.Check = l.cellCheck(s, parts, b.s.env.Limits.Checks)
	if err := b.list(s, parts); err != nil {
		return nil, err
	}
	if err := b.bound(s, parts); err != nil {
		return nil, err
	}
	if err := b.faults(s, n, parts); err != nil {
		return nil, err
	}
	if err := b.judge(s, n, parts); err != nil {
		return nil, err
	}
	if sp.Hit() {
		b.note(n.ref, fmt.Sprintf("the predicate on %s needs more than %d nodes; more is read than it asks for", n.table.Name, b.s.env.Limits.Nodes))
	}
	return s, nil
}

// list finds what stands in the storage, or in the conditions, alone. From then on the scan's layout is known like any other.
func (b *builder) list(s *Scan, parts []part) error {
	source := s.Table.Layout.Source
	if source == nil {
		return b.verify(s)
	}
	layout, listing, err := source.Find(b.ctx, s.Table.Layout, s.Diagram, s.Check)
	if unbound := (*projection.UnboundError)(nil); errors.As(err, &unbound) {
		return s.unbound(unbound.Keys, parts)
	}
	if layout == nil {
		return err
	}
	table := *s.Table
	table.Layout = layout
	s.Table, s.Listing = &table, listing
	if listing != nil {
		b.diags = append(b.diags, listing.Notes...)
	}
	if b.cut == nil {
		b.cut = err
	}
	return nil
}

// verify compares a projection with what lies in the storage, when that is asked for.
func (b *builder) verify(s *Scan) error {
	env := &b.s.env
	if !b.s.verify || env.Store == nil || s.Table.Layout.Template == nil {
		return nil
	}
	at := ast.Span{From: s.Ref.Pos(), To: s.Ref.End()}
	if n := len(s.Ref.Name); n > 0 {
		at = ast.Span{From: s.Ref.Name[0].From, To: s.Ref.Name[n-1].To}
	}
	listing, ok, err := projection.Verify(b.ctx, env.Store, s.Table, s.Diagram, s.Check, at, env.Limits.Pages)
	switch {
	case listing != nil:
		s.Listing = listing
		b.diags = append(b.diags, listing.Notes...)
		if b.cut == nil {
			b.cut = err
		}
		return nil
	case !ok && err == nil:
		b.diags = append(b.diags, &ast.Diagnostic{Severity: ast.Note, Code: "list.verify", Pos: at.From, End: at.To,
			Msg: s.Table.Name + ": the projection can't be compared with the storage: its paths can't be read back"})
	}
	return err
}

// alone reports whether x has columns of n only.
func (n *scanNode) alone(x expr) bool {
	for c := range columns(x) {
		if c.rel != n.rel {
			return false
		}
	}
	return true
}

func (b *builder) note(at ast.Node, msg string) {
	b.diags = append(b.diags, &ast.Diagnostic{Severity: ast.Note, Code: "plan.limit", Pos: at.Pos(), End: at.End(), Msg: msg})
}

// checkOf evaluates all parts that need it.
func checkOf(parts []part) projection.Check {
	var all projection.Check
	var with []projection.Check
	for _, p := range parts {
		if p.check.Depths != 0 {
			all.Depths |= p.check.Depths
			with = append(with, p.check)
		}
	}
	switch {
	case len(with) == 0:
		return all
	case len(parts) == 1:
		return with[0]
	}
	all.At = func(at *projection.Place, known int) pruning.Outcomes {
		for _, c := range with {
			if c.Depths>>(known-1)&1 == 0 {
				continue
			}
			if o := c.At(at, known); !o.MayBeTrue() {
				return o
			}
		}
		return pruning.Unknown // where one part is TRUE, the others decide
	}
	return all
}

// bound drops the check at the depths where counting would evaluate it more often than the limit allows. It is done
// once, so that counting, walking and seeking agree.
func (b *builder) bound(s *Scan, parts []part) error {
	if s.Check.Depths == 0 || !fixed(s.Table.Layout) {
		return nil
	}
	limit := big.NewInt(int64(b.s.env.Limits.Checks / weight(parts)))
	var needed *big.Int
	for s.Check.Depths != 0 {
		n, err := projection.Checks(b.ctx, s.Table.Layout, s.Diagram, s.Check)
		if err != nil {
			return err
		}
		if n.Cmp(limit) <= 0 {
			break
		}
		if needed == nil {
			needed = n
		}
		s.Check.Depths &^= 1 << (bits.Len64(s.Check.Depths) - 1)
	}
	if needed == nil {
		return nil
	}
	for i, p := range parts {
		if p.check.Depths&^s.Check.Depths == 0 {
			continue
		}
		parts[i].check = projection.Check{}
		parts[i].reasons = []reason{{p.shown, "it would have to be evaluated " + needed.String() + " times"}}
		b.note(p.shown, fmt.Sprintf("%s would have to be evaluated %s times, more than %d; it is left to the filter", b.text(p.shown), needed, limit))
	}
	return nil
}

// weight is what evaluating the conditions once costs, compared with a usual one.
func weight(parts []part) int {
	const usual = 8
	n := 0
	for i := range parts {
		if parts[i].check.Depths != 0 {
			n += size(parts[i].x)
		}
	}
	return max(1, n/usual)
}

// fixed reports whether a layout can be counted without looking into storage.
func fixed(l *projection.Layout) bool {
	return !slices.ContainsFunc(l.Levels, func(l projection.Level) bool { return !projection.Computed(l) })
}

// Count is how many units are selected, and of how many. total is nil when that is unknown: without listing, or because a
// query names the values.
func (s *Scan) Count(ctx context.Context) (selected, total *big.Int, err error) {
	l := s.Table.Layout
	if selected, err = projection.Count(ctx, l, s.Diagram, s.Check); err != nil || l.Open {
		return selected, nil, err
	}
	if l.Whole != nil {
		l = l.Whole
	}
	if !fixed(l) || l.Total != nil {
		return selected, l.Total, nil
	}
	total, err = projection.Count(ctx, l, s.Diagram.Space().Const(pruning.True), projection.Check{})
	return selected, total, err
}

// Units yields what is read. A unit is valid until the next one.
func (s *Scan) Units(ctx context.Context) iter.Seq2[*projection.Unit, error] {
	return projection.Walk(ctx, s.Table.Layout, s.Diagram, s.Check)
}

// Seek is Units from the n-th (from 0) on.
func (s *Scan) Seek(ctx context.Context, n *big.Int) iter.Seq2[*projection.Unit, error] {
	return projection.Seek(ctx, s.Table.Layout, s.Diagram, s.Check, n)
}

// WritePaths writes n paths from the first-th on (n nil: all), each followed by sep.
func (s *Scan) WritePaths(ctx context.Context, w io.Writer, first, n *big.Int, sep byte) error {
	return projection.WritePaths(ctx, w, s.Table.Layout, s.Diagram, s.Check, first, n, sep)
}

// Exact reports whether every row of what is read is wanted, so that no filter remains.
func (s *Scan) Exact() bool { return s.Residual == nil }
