package ast

import "testing"

func TestRewrite(t *testing.T) {
	year, month := &Ident{Parts: []Name{{Text: "year"}}}, &Ident{Parts: []Name{{Text: "month"}}}
	one := &Literal{Kind: IntLit, Raw: "1", Text: "1"}
	forms := []Expr{
		&Unary{Op: OpNeg, X: year}, &Binary{Op: OpEq, L: one, R: year}, &Logic{Op: OpAnd, Args: []Expr{one, year}},
		&Between{X: one, Lo: one, Hi: year}, &In{X: one, Set: &Tuple{Items: []Expr{one, year}}}, &Like{X: one, Pattern: one, Escape: year},
		&Is{X: year, What: "NULL"}, &Cast{X: year}, &ListExpr{Items: []Expr{year}}, &Call{Args: []Arg{{X: one}, {X: year}}},
		&Call{Callee: year}, &Call{Filter: year}, &Case{Whens: []When{{If: one, Then: year}}}, &Case{Operand: year}, &Case{Else: year},
		&StructExpr{Fields: []Arg{{X: year}}}, &DictExpr{Keys: []Expr{one}, Values: []Expr{year}}, &Member{X: year}, &Index{X: one, I: year},
		&Lambda{Body: year}, &Interval{X: year}, &Extract{X: year}, year,
		&Call{OrderBy: []OrderItem{{X: year}}}, &Call{Over: &Window{OrderBy: []OrderItem{{X: one}, {X: year}}}},
		&Call{Over: &Window{PartitionBy: []SelectItem{{X: year}}}}, &Lambda{Lets: []*Let{{X: year}}, Body: one},
	}
	replace := func(from, to Expr) func(Expr) Expr {
		return func(e Expr) Expr {
			if e == from {
				return to
			}
			return e
		}
	}
	for _, e := range forms {
		if Rewrite(e, replace(month, one)) != e {
			t.Errorf("%T: nothing was to be replaced, but the tree isn't shared", e)
		}
		to := Rewrite(e, replace(year, month))
		if to == e {
			t.Errorf("%T: a part isn't replaced", e)
		}
		if Rewrite(e, replace(month, one)) != e {
			t.Errorf("%T was changed in place", e)
		}
		if back := Rewrite(to, replace(month, year)); Rewrite(back, replace(month, one)) != back || back == to {
			t.Errorf("%T: the replaced part isn't where it was", e)
		}
	}
}
