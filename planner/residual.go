package planner

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// judge tells what became of each condition, and which of them remain as a filter. One that follows from others, or
// concerns other tables, too, is no filter here, and is told only when it dropped units.
func (b *builder) judge(s *Scan, n *scanNode, parts []part) error {
	may := s.Diagram.May()
	var where []ast.Expr
	for i := range parts {
		p := &parts[i]
		effect, dropped, err := b.effect(s, n, may, p)
		if err != nil {
			return err
		}
		switch {
		case !p.alone && !dropped:
			continue
		case p.alone:
			where = append(where, p.shown)
			if effect != Decided {
				s.open = append(s.open, *p)
			}
		}
		c := Conjunct{Expr: p.shown, Effect: effect, From: p.from}
		if effect != Decided {
			c.Reason = p.reason()
		}
		s.Conjuncts = append(s.Conjuncts, c)
	}
	s.Where = all(where)
	s.Residual = all(shownOf(s.open))
	return nil
}

// effect is what a condition did, given the cell of the tuples that are read, and whether it dropped units by itself.
func (b *builder) effect(s *Scan, n *scanNode, may pruning.Diagram, p *part) (e Effect, dropped bool, err error) {
	if dropped, err = b.reaches(s.Table.Layout, p.d.May().Not()); err != nil {
		return Unused, false, err
	}
	dropped = dropped || p.check.Depths != 0
	open, err := b.reaches(s.Table.Layout, may.And(p.d.Must().Not()))
	switch {
	case err != nil:
		return Unused, false, err
	case !open || n.settles(p):
		return Decided, dropped, nil
	case dropped:
		return Pruned, true, nil
	}
	return Unused, false, nil
}

// reaches reports whether some unit lies where d can be TRUE. Where that would take a listing, any tuple counts.
func (b *builder) reaches(l *projection.Layout, d pruning.Diagram) (bool, error) {
	if !d.Outcomes().MayBeTrue() {
		return false, nil
	}
	if !fixed(l) {
		return true, nil
	}
	for _, err := range projection.Walk(b.ctx, l, d, projection.Check{}) {
		return err == nil, err
	}
	return false, nil
}

// settles reports whether evaluating p for a unit always gives one outcome: it is about keys of which every unit has
// one value, and it is evaluated when all of them are known. A unit that is read then satisfies it.
func (n *scanNode) settles(p *part) bool {
	if p.check.Depths == 0 || !n.alone(p.x) || !settledBy(p.x, n) {
		return false
	}
	for c := range columns(p.x) {
		decided := slices.ContainsFunc(n.table.Layout.Levels, func(l projection.Level) bool {
			return c.key() >= 0 && projection.Decides(l, c.key())
		})
		if !decided {
			return false
		}
	}
	return true
}

// reason is why a condition isn't decided, in words.
func (p *part) reason() string {
	var texts []string
	for _, r := range p.reasons {
		if !slices.Contains(texts, r.text) {
			texts = append(texts, r.text)
		}
	}
	return strings.Join(texts, "; ")
}

// UnitResidual is what is still to be filtered in one unit, or nil.
func (s *Scan) UnitResidual(u *projection.Unit) ast.Expr {
	var open []part
	for _, p := range s.open {
		if p.outcomes(u, len(s.Table.Layout.Keys)) != pruning.True {
			open = append(open, p)
		}
	}
	return all(shownOf(open))
}

// outcomes are those of p for the rows of a unit.
func (p *part) outcomes(u *projection.Unit, keys int) pruning.Outcomes {
	out := pruning.Unknown
	if p.check.Depths != 0 {
		out = p.check.At(&u.Place, len(u.Index))
	}
	d := p.d.Space().Fork().Adopt(p.d)
	for k := range keys {
		if v, null, ok := u.Value(k); ok && null {
			d = d.AtNull(k)
		} else if ok {
			d = d.At(k, v)
		}
	}
	return out & d.Outcomes()
}

func shownOf(parts []part) []ast.Expr {
	out := make([]ast.Expr, len(parts))
	for i := range parts {
		out[i] = parts[i].shown
	}
	return out
}

// all is the conjunction of some conditions, nil for none.
func all(list []ast.Expr) ast.Expr {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return &ast.Logic{Span: ast.Span{From: list[0].Pos(), To: list[len(list)-1].End()}, Op: ast.OpAnd, Args: list}
}
