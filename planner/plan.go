// Package planner turns statements into read plans: it binds names and types, lowers predicates to diagrams, and
// tells what each table's scan reads.
//
//	session := planner.NewSession(systems.All(), planner.Options{System: "yql"})
//	plans, findings := session.Run(ctx, "q.sql", text)
//
// A [Session] executes statements in order: DDL declares tables, and a query becomes a [Plan] with a [Scan] for each table
// that it names. The conditions that concern a table alone become a diagram over the keys of its layout; those that the
// layout can't decide in every unit that is read are left as [Scan.Residual]. Nothing is enumerated before it is asked for:
// [Scan.Count] multiplies, [Scan.Units] walks.
//
// Which tables there are, and how they lie, a [projection.System] says: one of package projection/systems, or an engine's
// own catalog.
package planner

import (
	"context"
	"slices"
	"time"

	"github.com/yqlplan/yqlplan/ast"
)

// Plan is what a statement reads or writes.
type Plan struct {
	Stmt  ast.Stmt
	Kind  string // "select", "copy" or "insert"
	Scans []*Scan
	Notes ast.Diagnostics // warnings and notes; errors make Exec fail

	Source *ast.Source // the text that the statement stands in, and where it begins; nil where Exec wasn't called by Run
	Pos    ast.Pos

	now time.Time // that NOW means
}

// plan makes the plan of a statement that reads queries.
func (s *Session) plan(ctx context.Context, st ast.Stmt, kind string, queries ...ast.Query) (*Plan, error) {
	b := newBuilder(ctx, s)
	for _, q := range queries {
		b.roots = append(b.roots, b.query(q, nil))
	}
	return b.finish(&Plan{Stmt: st, Kind: kind, now: s.env.Now})
}

// finish makes the scans of everything that has been built, in the order of the text. A plan that comes with an error
// has scans whose listing was cut short.
func (b *builder) finish(p *Plan) (*Plan, error) {
	if b.err != nil {
		return nil, b.err
	}
	if _, declares := p.Stmt.(*ast.CreateTable); declares || len(b.scans) > 0 {
		b.spare()
	}
	b.diags.Sort()
	if b.diags.HasErrors() {
		return nil, b.diags
	}
	for _, n := range b.roots {
		b.push(n, nil)
	}
	for _, q := range b.inner {
		b.push(q.node, nil)
	}
	slices.SortStableFunc(b.scans, func(x, y *scanNode) int { return slices.Compare(x.at, y.at) })
	for _, n := range b.scans {
		scan, err := b.newScan(n)
		if err != nil {
			return nil, err
		}
		p.Scans = append(p.Scans, scan)
	}
	p.Scans = append(p.Scans, b.writes...)
	if p.Notes = b.diags; len(b.s.notes) > 0 {
		p.Notes, b.s.notes = append(b.s.notes, b.diags...), nil
	}
	return p, b.cut
}

// spare makes warnings of the tables that aren't declared: a script doesn't show everything that its statements join or
// insert from, and what they do with the declared tables can be told. In YQL a table that isn't there is an error.
func (b *builder) spare() {
	if b.yql() {
		return
	}
	for i, d := range b.diags {
		if d.Code == "table.unknown" && d.Severity == ast.Error {
			spared := *d
			spared.Severity, spared.Msg = ast.Warning, d.Msg+": what it reads isn't in the plan"
			b.diags[i] = &spared
		}
	}
}
