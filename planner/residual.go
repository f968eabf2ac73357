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
	v := verdicts{b: b, scan: s, layout: s.Table.Layout, asked: s.Diagram, listed: s.Listing != nil && !s.Listing.Partial && s.Listing.Prefixes == nil}
	if undecided := undecided(v.layout); len(undecided) > 0 {
		// A unit that is read has all values of these keys.
		v.broad = fixed(v.layout)
		if !v.broad {
			v.asked = s.Diagram.May().Forget(undecided...)
		}
	}
	where := make([]ast.Expr, 0, len(parts))
	s.Conjuncts = make([]Conjunct, 0, len(parts))
	for i := range parts {
		p := &parts[i]
		effect := v.effect(n, p)
		switch {
		case !p.alone && !v.dropped(p):
			continue
		case p.alone:
			where = append(where, p.shown)
			if effect != Decided {
				s.open = append(s.open, *p)
			}
		}
		c := Conjunct{Expr: p.shown, Effect: effect, From: p.from}
		if c.Reason = p.reason(); effect == Decided {
			c.Reason = ""
		} else if effect == Unused && c.Reason == "" {
			c.Reason = "none of the " + s.Table.Layout.Unit + " lies outside of it"
		}
		s.Conjuncts = append(s.Conjuncts, c)
	}
	s.Where = all(where)
	s.Residual = all(shownOf(s.open))
	return v.err
}

// verdicts finds the effects of a scan's conditions.
type verdicts struct {
	b      *builder
	scan   *Scan
	layout *projection.Layout
	listed bool            // layout has what is read, and nothing else
	asked  pruning.Diagram // which tuples are asked for
	broad  bool            // units have other tuples, too
	last   pruning.Diagram // where it was last asked whether a unit lies, and the answer
	reads  bool
	err    error
}

// effect is what a condition did.
func (v *verdicts) effect(n *scanNode, p *part) Effect {
	switch {
	case !v.open(p) || v.settles(n, p):
		return Decided
	case v.dropped(p):
		return Pruned
	}
	return Unused
}

// open reports whether a unit is read of which p isn't TRUE for sure.
func (v *verdicts) open(p *part) bool {
	if v.broad {
		return v.found(projection.Share(v.b.ctx, v.layout, v.asked, v.asked.Space().Const(pruning.True).Open(p.d)))
	}
	d := v.asked
	if p.d.Outcomes() == pruning.True || !p.d.IsConst() {
		d = d.Open(p.d)
	}
	if v.last != d {
		v.last, v.reads = d, v.reaches(d, v.listed)
	}
	return v.reads
}

// dropped reports whether p alone drops a unit.
func (v *verdicts) dropped(p *part) bool {
	switch {
	case p.check.Depths != 0:
		return true
	case v.broad:
		return v.found(projection.Misses(v.b.ctx, v.layout, p.d))
	}
	return v.reaches(p.d.May().Not(), false)
}

// found is an answer, unless there is an error.
func (v *verdicts) found(yes bool, err error) bool {
	if v.err == nil {
		v.err = err
	}
	return yes && v.err == nil
}

// undecided are the keys of which units have many values, as ranges and buckets do.
func undecided(l *projection.Layout) (keys []int) {
	for _, level := range l.Levels {
		for _, k := range level.Keys() {
			decides := func(l projection.Level) bool { return projection.Decides(l, k) }
			if !slices.Contains(keys, k) && !slices.ContainsFunc(l.Levels, decides) {
				keys = append(keys, k)
			}
		}
	}
	return keys
}

// reaches reports whether some unit lies where d can be TRUE. Where that would take another listing, any tuple counts;
// known tells that it wouldn't.
func (v *verdicts) reaches(d pruning.Diagram, known bool) bool {
	if !d.Outcomes().MayBeTrue() || v.err != nil {
		return false
	}
	if !known && !fixed(v.layout) {
		return true
	}
	return v.found(projection.Some(v.b.ctx, v.layout, d))
}

// settles reports whether evaluating p for a unit always gives one outcome: it is about keys of which every unit has
// one value, and it is evaluated when all of them are known. A unit that is read then satisfies it.
func (v *verdicts) settles(n *scanNode, p *part) bool {
	if p.check.Depths == 0 || !n.alone(p.x) || !settledBy(p.x, n) {
		return false
	}
	for c := range columns(p.x) {
		i := slices.IndexFunc(v.layout.Levels, func(l projection.Level) bool {
			return c.key() >= 0 && projection.Decides(l, c.key())
		})
		if i < 0 || p.check.Depths>>i == 0 {
			return false
		}
	}
	return v.certain(p)
}

// looked is how many units are evaluated to see that a condition is certain. Where more are read it stays as a filter,
// for one of them could have a value whose result isn't known, such as the number that a text stands for.
const looked = 1 << 16

// certain reports whether evaluating p gives TRUE for every unit that is read.
func (v *verdicts) certain(p *part) bool {
	n := 0
	for u, err := range v.scan.Units(v.b.ctx) {
		if err != nil {
			v.err = err
			return false
		}
		if p.check.At(&u.Place, len(u.Index)) != pruning.True {
			return false
		}
		if n++; n > looked {
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
		if p.outcomes(u) != pruning.True {
			open = append(open, p)
		}
	}
	return all(shownOf(open))
}

// outcomes are those of p for the rows of a unit.
func (p *part) outcomes(u *projection.Unit) pruning.Outcomes {
	out := pruning.Unknown
	if p.check.Depths != 0 {
		out = p.check.At(&u.Place, len(u.Index))
	}
	return out & u.Within(p.d).Outcomes()
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
