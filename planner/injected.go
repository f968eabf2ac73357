package planner

import (
	"fmt"
	"math/big"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// unbound is the finding that injected keys aren't compared with constants: about the conditions that mention them, or
// else about the table.
func (s *Scan) unbound(keys []int, parts []part) error {
	var out ast.Diagnostics
	for _, k := range keys {
		name := s.Table.Layout.Keys[k].Name
		d := &ast.Diagnostic{Code: "injected.unbound", Pos: s.Ref.Pos(), End: s.Ref.End(),
			Msg:  name + " is injected: its values come from the query, which must compare it with constants",
			Hint: "add WHERE " + name + " = '…', or " + name + " IN ('…', '…'), for every case of an OR"}
		for i := len(parts) - 1; i >= 0; i-- {
			if p := &parts[i]; p.alone && p.mentions(k) {
				d.Pos, d.End = p.shown.Pos(), p.shown.End()
				d.Msg += "; " + p.unfit()
			}
		}
		out = append(out, d)
	}
	return out
}

// mentions reports whether key k of the scanned table stands in p.
func (p *part) mentions(k int) bool {
	for c := range columns(p.x) {
		if c.key() == k {
			return true
		}
	}
	return false
}

// unfit is why p leaves infinitely many values.
func (p *part) unfit() string {
	if why := p.reason(); why != "" {
		return "not here: " + why
	}
	return "this leaves infinitely many values"
}

// mostInjected is how many values Athena takes for an injected column (Athena user guide, "Supported types for partition
// projection").
const mostInjected = 1000

// warnLimits tells where the system itself would refuse a scan for its size. declared is the layout before its injected
// keys were found.
func (b *builder) warnLimits(s *Scan, declared *projection.Layout) error {
	l := s.Table.Layout
	for i, level := range declared.Levels {
		if _, ok := level.(*projection.Injected); !ok {
			continue
		}
		axis, err := l.Levels[i].Axis(b.ctx, nil)
		if err != nil {
			return err
		}
		if last, ok := axis.Last(); ok && last >= mostInjected {
			b.warn(s.Ref, "limit.injected", "split the query", fmt.Sprintf("%s has %d values here, and %s takes at most %d for an injected column",
				declared.Keys[level.Keys()[0]].Name, last+1, s.Table.System, mostInjected))
		}
	}
	if l.Most == 0 || !fixed(l) {
		return nil
	}
	n, err := projection.Count(b.ctx, l, s.Diagram, projection.Check{})
	most := big.NewInt(l.Most)
	if err == nil && n.Cmp(most) > 0 && s.Check.Depths != 0 {
		n, err = projection.Count(b.ctx, l, s.Diagram, s.Check)
	}
	if err == nil && n.Cmp(most) > 0 {
		b.warn(s.Ref, "limit.units", "add conditions on partition columns", fmt.Sprintf("%s %s are read, and %s takes at most %s in one scan", n, l.Unit, s.Table.System, most))
	}
	return err
}

func (b *builder) warn(at ast.Node, code, hint, msg string) {
	b.diags = append(b.diags, &ast.Diagnostic{Severity: ast.Warning, Code: code, Pos: at.Pos(), End: at.End(), Msg: msg, Hint: hint})
}
