package planner

import "github.com/yqlplan/yqlplan/ast"

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
