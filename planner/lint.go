package planner

import (
	"context"
	"math/big"
	"slices"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// Lint tells what in a plan's statement was probably not meant, though it can be planned: constants that no partition
// has, with the nearest that exist; conditions that drop nothing; columns without a condition, with the factor that
// they cost. What is to be said of a table's declaration is among its Notes instead. Codes begin with "lint.".
func (p *Plan) Lint(ctx context.Context) (ast.Diagnostics, error) {
	var ds ast.Diagnostics
	for _, s := range p.Scans {
		if s.node == nil { // it is written
			continue
		}
		l := linter{ctx: ctx, Scan: s, sp: s.Diagram.Space().Fork()}
		if err := l.scan(p); err != nil {
			return nil, err
		}
		ds = append(ds, l.List...)
	}
	ds.Sort()
	return ds, nil
}

// linter looks at one scan.
type linter struct {
	projection.Findings
	*Scan
	ctx context.Context
	sp  *pruning.Space // for diagrams of its own
	err error          // the first of an axis or a walk
}

func (l *linter) scan(p *Plan) error {
	for i := range l.parts {
		if part := &l.parts[i]; !part.extra && part.from == "" {
			l.condition(part)
		}
	}
	if l.err != nil {
		return l.err
	}
	selected, total, err := l.Count(l.ctx)
	if err != nil {
		return err
	}
	if selected.Sign() == 0 {
		l.empty()
	} else {
		l.factors(p, selected)
	}
	l.injected()
	l.zones(p.now)
	l.leading(selected)
	l.ended(p.now)
	l.size(selected, total)
	return l.err
}

// axis is the axis that a key's values stand on, the same everywhere, or nil.
func (l *linter) axis(key int) projection.Axis {
	for _, level := range l.Table.Layout.Levels {
		if !level.Fixed() || !slices.Contains(level.Keys(), key) {
			continue
		}
		a, err := level.Axis(l.ctx, nil)
		if l.err == nil {
			l.err = err
		}
		return a
	}
	return nil
}

// runs are the branches of an axis whose values lie in set.
func (l *linter) runs(a projection.Axis, key int, set pruning.Set) []projection.Run {
	runs, err := a.Runs(nil, l.sp.In(key, set))
	if l.err == nil {
		l.err = err
	}
	return runs
}

// unit is what one branch is called in plural: "prefixes".
func (l *linter) unit() string { return l.Table.Layout.Unit }

// reference is the table's name in the statement.
func (l *linter) reference() ast.Node {
	if n := l.Ref.Name; len(n) > 0 {
		return ast.Span{From: n[0].From, To: n[len(n)-1].To}
	}
	return l.Ref
}

// limits are the numbers of partitions above which a system refuses a query, or serves it badly. The plan is made all the same.
var limits = map[string]struct {
	most      int64
	engine    string
	selecting bool // it counts what is left after pruning, not what there is
	many      int64
}{
	"yql":    {50_000, "YDB", false, 50_000},       // YDB, yql_s3_settings.cpp, GeneratorPathsLimit
	"athena": {1_000_000, "Athena", true, 100_000}, // Athena user guide; Trino, hive.max-partitions-per-scan
}

// size warns of more partitions than the table's system takes, and names the column that most of them come from.
func (l *linter) size(selected, total *big.Int) {
	limit, ok := limits[l.Table.System]
	if !ok || total == nil && !limit.selecting || l.Table.Layout.Template == nil {
		return
	}
	n, what := total, "it has"
	if limit.selecting {
		n, what = selected, "the query selects"
	}
	hint := ""
	if key, branches := l.widest(); branches > 1 {
		hint = "most come from " + l.Table.Layout.Keys[key].Name + ", which has " + projection.Grouped(branches) + " values"
	}
	switch {
	case n.Cmp(big.NewInt(limit.most)) > 0:
		l.Warnf("lint.count", l.reference(), hint, "%s itself refuses to read %s: %s %s %s, and its limit is %s", limit.engine, l.Table.Name, what, projection.Grouped(n), l.unit(), projection.Grouped(limit.most))
	case total != nil && total.Cmp(big.NewInt(limit.many)) > 0:
		l.Notef("lint.count", l.reference(), hint, "%s has %s %s: without a condition they are all looked for", l.Table.Name, projection.Grouped(total), l.unit())
	}
}

// widest is the key with the most branches, and how many it has.
func (l *linter) widest() (key int, n uint64) {
	for k := range l.Table.Layout.Keys {
		if a := l.axis(k); a != nil {
			if last, ok := a.Last(); ok && last >= n {
				key, n = k, last
			}
		}
	}
	return key, n + 1
}
