package pruning

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The model of a diagram is its table: the outcomes at every tuple of a small domain that holds a value on each side of
// every cut that the generators make. A nil value is NULL.

var modelKeys = []Key{{"a", Type{Kind: Int8}}, {"b", Type{Kind: Bool}}, {"c", Type{Kind: String}}}

var modelDomain = [][]*Value{
	values(Int(-128), Int(-1), Int(0), Int(1), Int(2), Int(3), Int(126), Int(127)),
	values(Int(0), Int(1)),
	values(Text(""), Text("\x00"), Text("a"), Text("a\x00"), Text("b"), Text("zz")),
}

// values are the domain of a key: NULL and vs.
func values(vs ...Value) []*Value {
	out := []*Value{nil}
	for i := range vs {
		out = append(out, &vs[i])
	}
	return out
}

type tuple [3]*Value

func tuples() (out []tuple) {
	for _, a := range modelDomain[0] {
		for _, b := range modelDomain[1] {
			for _, c := range modelDomain[2] {
				out = append(out, tuple{a, b, c})
			}
		}
	}
	return out
}

var allTuples = tuples()

type model []Outcomes

func tabulate(f func(tuple) Outcomes) model {
	m := make(model, len(allTuples))
	for i, t := range allTuples {
		m[i] = f(t)
	}
	return m
}

func (m model) apply(f func(Outcomes) Outcomes) model {
	out := make(model, len(m))
	for i := range m {
		out[i] = f(m[i])
	}
	return out
}

func (m model) with(n model, f func(a, b Outcomes) Outcomes) model {
	out := make(model, len(m))
	for i := range m {
		out[i] = f(m[i], n[i])
	}
	return out
}

// at replaces a key by a value in every tuple.
func (m model) at(key int, v *Value) model {
	return tabulate(func(t tuple) Outcomes {
		t[key] = v
		return m[slices.Index(allTuples, t)]
	})
}

// eval follows one tuple through a diagram.
func eval(d Diagram, t tuple) Outcomes {
	for key, v := range t {
		if v == nil {
			d = d.AtNull(key)
		} else {
			d = d.At(key, *v)
		}
	}
	return d.Outcomes()
}

func tableOf(d Diagram) model {
	return tabulate(func(t tuple) Outcomes { return eval(d, t) })
}

// lift is an operation on single outcomes, lifted to sets by the definition.
func lift(f func(x, y Outcomes) Outcomes) func(a, b Outcomes) Outcomes {
	return func(a, b Outcomes) (r Outcomes) {
		for x := True; x <= Null; x <<= 1 {
			for y := True; y <= Null; y <<= 1 {
				if a&x != 0 && b&y != 0 {
					r |= f(x, y)
				}
			}
		}
		return r
	}
}

var (
	slowAnd = lift(func(x, y Outcomes) Outcomes {
		switch {
		case x == False || y == False:
			return False
		case x == Null || y == Null:
			return Null
		}
		return True
	})
	slowOr = lift(func(x, y Outcomes) Outcomes {
		switch {
		case x == True || y == True:
			return True
		case x == Null || y == Null:
			return Null
		}
		return False
	})
	slowXor = lift(func(x, y Outcomes) Outcomes {
		switch {
		case x == Null || y == Null:
			return Null
		case x != y:
			return True
		}
		return False
	})
)

func slowNot(a Outcomes) Outcomes { return slowXor(a, True) }
func slowIs(a, p Outcomes) (r Outcomes) {
	if a&p != 0 {
		r |= True
	}
	if a&^p != 0 {
		r |= False
	}
	return r
}
func slowMay(a Outcomes) Outcomes {
	if a&True != 0 {
		return True
	}
	return False
}
func slowMust(a Outcomes) Outcomes {
	if a == True {
		return True
	}
	return False
}
func slowOpen(a, b Outcomes) Outcomes { return slowAnd(slowMay(a), slowNot(slowMust(b))) }
func slowGiven(a, cell Outcomes) Outcomes {
	if cell&True == 0 {
		return None
	}
	return a
}

func genOutcomes(t *rapid.T, label string) Outcomes {
	return Outcomes(rapid.IntRange(0, 7).Draw(t, label))
}

func genValue(t *rapid.T, key int) Value {
	return *rapid.SampledFrom(modelDomain[key][1:]).Draw(t, "value")
}

// genSet draws a set whose cuts are values of the domain or their successors.
func genSet(t *rapid.T, key int) Set {
	set := Empty()
	for range rapid.IntRange(0, 3).Draw(t, "intervals") {
		a, b := genValue(t, key), genValue(t, key)
		switch rapid.IntRange(0, 3).Draw(t, "form") {
		case 0:
			set = set.Union(Range(a, b))
		case 1:
			set = set.Union(Point(modelKeys[key].Type, a))
		case 2:
			set = set.Union(From(a))
		default:
			set = set.Union(Before(a))
		}
	}
	if rapid.Bool().Draw(t, "complement") {
		set = set.Complement()
	}
	return set
}

// genLeaf draws a diagram made by a constructor, with its table.
func genLeaf(t *rapid.T, s *Space) (Diagram, model) {
	key := rapid.IntRange(0, 2).Draw(t, "key")
	switch rapid.IntRange(0, 3).Draw(t, "leaf") {
	case 0:
		o := genOutcomes(t, "const")
		return s.Const(o), tabulate(func(tuple) Outcomes { return o })
	case 1:
		return genBelow(t, s, key)
	case 2:
		return genSteps(t, s, key)
	}
	set := genSet(t, key)
	return s.In(key, set), tabulate(func(x tuple) Outcomes {
		switch {
		case x[key] == nil:
			return Null
		case set.Contains(*x[key]):
			return True
		}
		return False
	})
}

func genSteps(t *rapid.T, s *Space, key int) (Diagram, model) {
	cuts := []Value{}
	for range rapid.IntRange(0, 3).Draw(t, "cuts") {
		cuts = append(cuts, genValue(t, key))
	}
	slices.SortFunc(cuts, Compare)
	outs := []Outcomes{genOutcomes(t, "out")}
	for range cuts {
		outs = append(outs, genOutcomes(t, "out"))
	}
	null := genOutcomes(t, "null")
	return s.Steps(key, cuts, outs, null), tabulate(func(x tuple) Outcomes {
		if x[key] == nil {
			return null
		}
		i := 0
		for i < len(cuts) && Compare(cuts[i], *x[key]) <= 0 {
			i++
		}
		return outs[i]
	})
}

func genBelow(t *rapid.T, s *Space, key int) (Diagram, model) {
	var bound []Value
	for k := key; k < len(modelKeys); k++ {
		bound = append(bound, genValue(t, k))
	}
	null := genOutcomes(t, "null")
	return s.Below(key, null, bound...), tabulate(func(x tuple) Outcomes {
		for i, v := range bound {
			if x[key+i] == nil {
				return null
			}
			switch Compare(*x[key+i], v) {
			case -1:
				return True
			case 1:
				return False
			}
		}
		return False
	})
}

// genDiagram draws a diagram built by up to n operations, with its table.
func genDiagram(t *rapid.T, s *Space, n int) (Diagram, model) {
	if n == 0 {
		return genLeaf(t, s)
	}
	d, m := genDiagram(t, s, n-1)
	switch rapid.IntRange(0, 9).Draw(t, "op") {
	case 0:
		return d.Not(), m.apply(slowNot)
	case 1:
		o := genOutcomes(t, "is")
		return d.Is(o), m.apply(func(a Outcomes) Outcomes { return slowIs(a, o) })
	case 2:
		key, v := rapid.IntRange(0, 2).Draw(t, "key"), (*Value)(nil)
		if rapid.Bool().Draw(t, "null") {
			return d.AtNull(key), m.at(key, nil)
		}
		v = rapid.SampledFrom(modelDomain[key][1:]).Draw(t, "value")
		return d.At(key, *v), m.at(key, v)
	case 3:
		return genForget(t, d, m)
	}
	e, k := genDiagram(t, s, n/2)
	switch rapid.IntRange(0, 5).Draw(t, "binary") {
	case 0:
		return d.And(e), m.with(k, slowAnd)
	case 1:
		return d.Or(e), m.with(k, slowOr)
	case 2:
		return d.Xor(e), m.with(k, slowXor)
	case 3:
		return d.Meet(e), m.with(k, func(a, b Outcomes) Outcomes { return a & b })
	case 4:
		return d.Join(e), m.with(k, func(a, b Outcomes) Outcomes { return a | b })
	}
	return d.Given(e), m.with(k, slowGiven)
}

func genForget(t *rapid.T, d Diagram, m model) (Diagram, model) {
	var keys []int
	for k := range modelKeys {
		if rapid.Bool().Draw(t, "forget") {
			keys = append(keys, k)
			sum := make(model, len(m))
			for _, v := range modelDomain[k] {
				sum = sum.with(m.at(k, v), func(a, b Outcomes) Outcomes { return a | b })
			}
			m = sum
		}
	}
	return d.Forget(keys...), m
}

func TestTables(t *testing.T) {
	for a := None; a <= Unknown; a++ {
		for b := None; b <= Unknown; b++ {
			for _, c := range []struct {
				name      string
				got, want Outcomes
			}{
				{"AND", a.And(b), slowAnd(a, b)},
				{"OR", a.Or(b), slowOr(a, b)},
				{"XOR", a.Xor(b), slowXor(a, b)},
				{"IS", a.Is(b), slowIs(a, b)},
				{"NOT", a.Not(), slowNot(a)},
				{"meet", table[opMeet][a][b], a & b},
				{"join", table[opJoin][a][b], a | b},
				{"given", table[opGiven][a][b], slowGiven(a, b)},
				{"may", table[opMay][a][b], slowMay(a)},
				{"must", table[opMust][a][b], slowMust(a)},
				{"open", table[opOpen][a][b], slowOpen(a, b)},
			} {
				if c.got != c.want {
					t.Errorf("%v %s %v = %v, want %v", a, c.name, b, c.got, c.want)
				}
			}
		}
	}
	for o := opAnd; o < ops; o++ {
		for a := range 8 {
			if o.idempotent() && table[o][a][a] != Outcomes(a) {
				t.Errorf("operation %d isn't idempotent", o)
			}
			for b := range 8 {
				if o.commutative() && table[o][a][b] != table[o][b][a] {
					t.Errorf("operation %d isn't commutative", o)
				}
			}
		}
	}
}
