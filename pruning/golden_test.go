package pruning

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// The files of testdata hold blocks of a command, its diagrams one a line, and the result. `keys y=int32 …` sets the keys
// of the blocks that follow, `limit=n` the limit of one block.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		g := &golden{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			return strings.TrimRight(g.run(t, d), "\n") + "\n"
		})
	})
}

type golden struct{ keys []Key }

func (g *golden) run(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "keys":
		g.keys = nil
		for _, a := range d.CmdArgs {
			g.keys = append(g.keys, Key{a.Key, typeNamed(t, strings.Join(a.Vals, ","))})
		}
		return "ok"
	case "sets":
		return sets(t, d)
	}
	limit := 0
	d.MaybeScanArgs(t, "limit", &limit)
	s := NewSpace(g.keys, limit)
	var ds []Diagram
	for _, line := range strings.Split(d.Input, "\n") {
		e, err := s.Parse(line)
		if err != nil {
			return "error: " + err.Error()
		}
		ds = append(ds, e)
	}
	out := g.apply(t, d, s, ds)
	if s.Hit() {
		out += "\nlimit hit"
	}
	return out
}

func (g *golden) apply(t *testing.T, d *datadriven.TestData, s *Space, ds []Diagram) string {
	binary := map[string]func(Diagram, Diagram) Diagram{"and": Diagram.And, "or": Diagram.Or, "xor": Diagram.Xor,
		"meet": Diagram.Meet, "join": Diagram.Join, "given": Diagram.Given}
	unary := map[string]func(Diagram) Diagram{"not": Diagram.Not, "may": Diagram.May, "must": Diagram.Must,
		"print": func(d Diagram) Diagram { return d }}
	x := ds[0]
	if f, ok := unary[d.Cmd]; ok {
		return f(x).String()
	}
	if f, ok := binary[d.Cmd]; ok {
		return s.All(f, ds, s.Const(None)).String()
	}
	var keys []int
	for _, a := range d.CmdArgs {
		for i, k := range s.Keys() {
			if k.Name == a.Key {
				keys = append(keys, i)
			}
		}
	}
	switch d.Cmd {
	case "equal":
		return strconv.FormatBool(x == ds[1])
	case "is":
		o, err := s.Parse(d.CmdArgs[0].Key)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		return x.Is(o.Outcomes()).String()
	case "at":
		for i, k := range keys {
			if text := d.CmdArgs[i].Vals[0]; text == "null" {
				x = x.AtNull(k)
			} else {
				x = x.At(k, valueNamed(t, s.Keys()[k].Type, text))
			}
		}
		return x.String()
	case "forget":
		return x.Forget(keys...).String()
	case "outcomes":
		return x.Outcomes().String()
	case "set":
		return string(x.Set(keys[0]).AppendText(nil, s.Keys()[keys[0]].Type))
	case "points":
		return points(d, s, x, keys)
	case "regions":
		return regions(s, x)
	}
	d.Fatalf(t, "no such command")
	return ""
}

func points(d *datadriven.TestData, s *Space, x Diagram, keys []int) string {
	tuples, ok := x.Points(keys, 10)
	if !ok {
		return "not finite or too many"
	}
	var b strings.Builder
	for _, p := range tuples {
		for i, v := range p {
			fmt.Fprintf(&b, "%s ", s.Keys()[keys[i]].Type.AppendLiteral(nil, v))
		}
		b.WriteByte('\n')
	}
	return strings.ReplaceAll(b.String()+"none"[min(len(tuples)*4, 4):], " \n", "\n")
}

func regions(s *Space, x Diagram) string {
	rs, ok := x.Regions(10)
	if !ok {
		return "more than 10"
	}
	var b strings.Builder
	for _, r := range rs {
		b.WriteString("region")
		for _, k := range r {
			fmt.Fprintf(&b, ", %s %s", s.Keys()[k.Key].Name, k.Set.AppendText(nil, s.Keys()[k.Key].Type))
			if k.Null {
				b.WriteString(" or null")
			}
		}
		b.WriteByte('\n')
	}
	return b.String() + "none"[min(len(rs)*4, 4):]
}

// sets reads a set a line and prints it as it is normally written.
func sets(t *testing.T, d *datadriven.TestData) string {
	typ := typeNamed(t, d.CmdArgs[0].Key)
	var b strings.Builder
	for _, line := range strings.Split(d.Input, "\n") {
		set, err := ParseSet(typ, line)
		if err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
			continue
		}
		fmt.Fprintf(&b, "%s\n", set.AppendText(nil, typ))
	}
	return b.String()
}

func valueNamed(t *testing.T, typ Type, text string) Value {
	v, err := typ.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func typeNamed(t *testing.T, name string) Type {
	for _, typ := range allTypes {
		if typ.String() == name {
			return typ
		}
	}
	t.Fatalf("no type %s", name)
	return Type{}
}

// Texts that aren't diagrams or sets give errors, never panics; those that are print and parse back.
func FuzzDiagram(f *testing.F) {
	for _, text := range []string{"a: [1,5), > 7, null → (b: true → (c: 'x''\\x00' → T|F, else → N)), else → -", "c: not 'a', 'b' → T", "T|F|N", "`a`: 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := NewSpace(modelKeys, 0)
		d, err := s.Parse(text)
		if err != nil {
			return
		}
		if back, err := s.Parse(d.String()); back != d || err != nil {
			t.Errorf("%q is %v, read again %v, %v", text, d, back, err)
		}
		for _, typ := range allTypes {
			if set, err := ParseSet(typ, text); err == nil {
				if back, err := ParseSet(typ, string(set.AppendText(nil, typ))); err != nil || !back.Equal(set) {
					t.Errorf("%v %q is %s", typ, text, set.AppendText(nil, typ))
				}
			}
		}
	})
}
