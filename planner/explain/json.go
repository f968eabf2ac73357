package explain

import (
	"context"
	"errors"
	"io"
	"math/big"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// JSON writes plans and diagnostics for programs: one document of version 1, described in docs/json.md. Units are
// written as they are found.
//
// A scan whose counting or listing fails ends where it stands; the document stays well-formed and tells the failure as
// a diagnostic. The error returned is the first of these, or the writer's.
func JSON(ctx context.Context, w io.Writer, plans []*planner.Plan, ds ast.Diagnostics, win Window) error {
	j := &jsonPlans{jsonWriter: jsonWriter{w: w}, Window: win}
	j.open('{')
	j.key("version").int(1)
	j.key("statements").open('[')
	for _, p := range plans {
		j.plan(ctx, p)
	}
	j.close(']')
	j.key("diagnostics").open('[')
	for _, d := range ds {
		j.diagnostic(d)
	}
	for _, err := range j.failures {
		j.failure(err)
	}
	j.close(']')
	j.close('}')
	j.buf = append(j.buf, '\n')
	j.flush()
	if j.err != nil {
		return j.err
	}
	return errors.Join(j.failures...)
}

type jsonPlans struct {
	jsonWriter
	Window
	dialect  // of the current scan
	failures []error
	name     []byte
	rest     ast.Expr // the residual printed last, which the next unit often has too
	restText string
}

func (j *jsonPlans) plan(ctx context.Context, p *planner.Plan) {
	j.open('{')
	j.key("kind").string(p.Kind)
	j.place(p)
	j.key("scans").open('[')
	for _, s := range p.Scans {
		j.scan(ctx, s)
	}
	j.close(']')
	j.close('}')
}

// place is where the statement begins, so that a plan is found again among those of several texts.
func (j *jsonPlans) place(p *planner.Plan) {
	if p.Source == nil {
		j.key("file").null()
		j.key("line").null()
		return
	}
	j.key("file").string(p.Source.Name)
	j.key("line").int(p.Source.Position(p.Pos).Line)
}

func (j *jsonPlans) scan(ctx context.Context, s *planner.Scan) {
	j.dialect = dialectOf(s)
	selected, total, err := s.Count(ctx)
	j.open('{')
	j.key("table").string(s.Table.Name)
	j.key("alias").stringOrNull(s.Alias)
	j.key("system").string(s.Table.System)
	j.key("write").bool(s.Write)
	j.key("selected").count(selected)
	j.key("total").count(total)
	j.key("exact").bool(s.Exact())
	j.key("residual").stringOrNull(j.residual(s.Residual))
	j.key("conjuncts").open('[')
	for _, c := range s.Conjuncts {
		j.conjunct(c)
	}
	j.close(']')
	j.regions(s)
	if e := j.facts(ctx, s); err == nil {
		err = e
	}
	j.listing(s.Listing)
	j.presence(s.Listing)
	j.key("units").open('[')
	truncated := true
	if err == nil {
		truncated, err = j.units(ctx, s, selected)
	}
	j.close(']')
	j.key("truncated").bool(truncated)
	j.close('}')
	if err != nil {
		j.failures = append(j.failures, err)
	}
}

// residual is an expression's text, or "" for none.
func (j *jsonPlans) residual(x ast.Expr) string {
	if x == nil {
		return ""
	}
	if x != j.rest {
		j.rest, j.restText = x, j.dialect.text(x)
	}
	return j.restText
}

func (j *jsonPlans) conjunct(c planner.Conjunct) {
	j.openInline('{')
	j.key("text").string(j.dialect.text(c.Expr))
	j.key("effect").string(c.Effect.String())
	j.key("reason").stringOrNull(c.Reason)
	j.key("from").stringOrNull(c.From)
	j.close('}')
}

const jsonRegions = 1000

// regions writes the boxes of key values that are read; when they are too many, the one box around them.
func (j *jsonPlans) regions(s *planner.Scan) {
	rs, exact := s.Regions(jsonRegions)
	if !exact {
		rs = []pruning.Region{s.Hull()}
	}
	j.key("regions").open('[')
	for _, r := range rs {
		j.openInline('{')
		for _, k := range r {
			j.keySet(s.Table.Layout, k)
		}
		j.close('}')
	}
	j.close(']')
	j.key("regionsExact").bool(exact)
}

func (j *jsonPlans) keySet(l *projection.Layout, k pruning.KeySet) {
	key := l.Keys[k.Key]
	j.key(key.Name).open('[')
	for i := range intervals(key.Type, k.Set) {
		j.open('{')
		switch {
		case i.point:
			j.key("value").typed(l, key.Type, *i.lo)
		default:
			if i.lo != nil {
				j.key("from").typed(l, key.Type, *i.lo)
			}
			if i.hi != nil {
				j.key("to").typed(l, key.Type, *i.hi)
			}
		}
		j.close('}')
	}
	if k.Null {
		j.null()
	}
	j.close(']')
}

// units writes the units that the window shows and tells whether there are others.
func (j *jsonPlans) units(ctx context.Context, s *planner.Scan, selected *big.Int) (truncated bool, err error) {
	first, n := j.of(selected)
	for u, err := range units(ctx, s, first, n) {
		if err != nil {
			return true, err
		}
		j.unit(s, u)
		if j.err != nil {
			return true, nil // nobody reads on
		}
	}
	return n.Cmp(selected) < 0, nil
}

func (j *jsonPlans) unit(s *planner.Scan, u *projection.Unit) {
	l := s.Table.Layout
	j.openInline('{')
	if hasPath(l) {
		j.name = u.AppendPath(j.name[:0])
		j.key("path").bytes(j.name)
	}
	if l.Names != nil {
		partition, bucket, hasPartition, hasBucket := l.Names(&u.Place)
		if hasPartition {
			j.key("partition").string(partition)
		}
		if hasBucket {
			j.key("bucket").int(bucket)
		}
	}
	j.key("values").open('{')
	for key, k := range l.Values() {
		v, null, known := u.Value(key)
		switch {
		case !known:
		case null:
			j.key(k.Name).null()
		default:
			j.key(k.Name).typed(l, k.Type, v)
		}
	}
	j.close('}')
	if size, known := projection.Size(&u.Place); known {
		j.key("size").count(big.NewInt(size))
	}
	j.holding(s.Listing)
	rest := ""
	if !s.Exact() {
		rest = j.residual(s.UnitResidual(u))
	}
	j.key("residual").stringOrNull(rest)
	j.close('}')
}

// failure writes an error from counting or listing: its findings where it is made of such.
func (j *jsonPlans) failure(err error) {
	if ds := (ast.Diagnostics)(nil); errors.As(err, &ds) {
		for _, d := range ds {
			j.diagnostic(d)
		}
		return
	}
	j.diagnostic(&ast.Diagnostic{Severity: ast.Error, Code: "read", Msg: err.Error(), Pos: ast.NoPos, End: ast.NoPos, Err: err})
}
