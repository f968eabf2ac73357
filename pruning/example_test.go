package pruning_test

import (
	"fmt"

	"github.com/yqlplan/yqlplan/pruning"
)

var (
	year  = pruning.Type{Kind: pruning.Int32}
	month = pruning.Type{Kind: pruning.Int8}
	keys  = []pruning.Key{{Name: "y", Type: year}, {Name: "m", Type: month}}
)

// equal is key = n.
func equal(s *pruning.Space, key int, n int64) pruning.Diagram {
	return s.In(key, pruning.Point(s.Keys()[key].Type, pruning.Int(n)))
}

// A predicate is a function from key values to outcomes.
func Example() {
	s := pruning.NewSpace(keys, 0)
	// (y = 2021 AND m = 12) OR (y = 2022 AND m = 1)
	where := equal(s, 0, 2021).And(equal(s, 1, 12)).Or(equal(s, 0, 2022).And(equal(s, 1, 1)))
	fmt.Println(where.May())

	below := where.At(0, pruning.Int(2021)) // the branch y=2021
	fmt.Println(below)
	fmt.Println(below.At(1, pruning.Int(12)).Outcomes(), below.At(1, pruning.Int(1)).Outcomes())
	// Output:
	// y: 2021 → (m: 12 → T), 2022 → (m: 1 → T)
	// m: 12 → T, null → N
	// T F
}

// What isn't understood can be anything. What is joined with AND still prunes, and NOT negates nothing that isn't known.
func ExampleDiagram_Not() {
	s := pruning.NewSpace(keys, 0)
	where := equal(s, 0, 2021).And(s.Const(pruning.Unknown)) // y = 2021 AND data > 5
	fmt.Println(where)
	fmt.Println(where.Not())
	// Output:
	// y: 2021 → T|F|N, null → F|N
	// y: 2021 → T|F|N, null → T|N, else → T
}

// A range partition is a cell: what it can hold. Inside it, the predicate may be decided.
func ExampleDiagram_Given() {
	s := pruning.NewSpace(keys, 0)
	// PARTITION p VALUES [(2021, 6), (2022, 6)), in a system where NULL is least
	from := s.Below(0, pruning.True, pruning.Int(2021), pruning.Int(6))
	to := s.Below(0, pruning.True, pruning.Int(2022), pruning.Int(6))
	cell := to.And(from.Not())
	fmt.Println(cell)

	for _, n := range []int64{2020, 2021, 2022} {
		fmt.Println(n, equal(s, 0, n).Given(cell).Outcomes())
	}
	// Output:
	// y: 2021 → (m: >= 6 → T), 2022 → (m: null, < 6 → T)
	// 2020 F
	// 2021 T|F
	// 2022 T|F
}

// Points are what a hash level hashes: below each day, one bucket.
func ExampleDiagram_Points() {
	s := pruning.NewSpace([]pruning.Key{{Name: "day", Type: year}, {Name: "id", Type: year}}, 0)
	where := equal(s, 0, 1).And(equal(s, 1, 7)).Or(equal(s, 0, 2).And(equal(s, 1, 9)))
	for day := range int64(3) {
		points, ok := where.At(0, pruning.Int(day)).Points([]int{1}, 100)
		fmt.Println(day, len(points), ok)
	}
	_, ok := equal(s, 1, 7).Not().Points([]int{1}, 100) // id <> 7
	fmt.Println(ok)
	// Output:
	// 0 0 true
	// 1 1 true
	// 2 1 true
	// false
}

func ExampleDiagram_Regions() {
	s := pruning.NewSpace(keys, 0)
	where := equal(s, 0, 2021).And(s.In(1, pruning.From(pruning.Int(6)))).Or(equal(s, 0, 2022).And(equal(s, 1, 1)))
	regions, _ := where.Regions(10)
	for _, r := range regions {
		var line []byte
		for _, k := range r {
			key := s.Keys()[k.Key]
			line = k.Set.AppendText(append(line, " "+key.Name+" "...), key.Type)
		}
		fmt.Printf("region%s\n", line)
	}
	// Output:
	// region y 2021 m >= 6
	// region y 2022 m 1
}

// Equal functions are equal handles.
func ExampleSpace_All() {
	s := pruning.NewSpace(keys, 0)
	var terms []pruning.Diagram
	for n := range int64(5) {
		terms = append(terms, equal(s, 0, 2020+n))
	}
	in := s.All(pruning.Diagram.Or, terms, s.Const(pruning.False))
	fmt.Println(in)
	fmt.Println(in == s.In(0, pruning.Range(pruning.Int(2020), pruning.Int(2025))))
	// Output:
	// y: [2020,2025) → T, null → N
	// true
}

func ExampleSet() {
	set := pruning.Points(month, []pruning.Value{pruning.Int(7), pruning.Int(5), pruning.Int(6)})
	fmt.Printf("%s\n", set.AppendText(nil, month))
	fmt.Printf("%s\n", set.Complement().AppendText(nil, month))
	upToA := pruning.Before(pruning.Text("a\x00"))
	fmt.Printf("%s\n", upToA.AppendText(nil, pruning.Type{Kind: pruning.String}))
	// Output:
	// [5,8)
	// not [5,8)
	// <= 'a'
}

func ExampleType_Parse() {
	v, _ := month.Parse("02")
	fmt.Printf("%s\n", month.Append(nil, v))
	_, err := month.Parse("128")
	fmt.Println(err)
	_, err = pruning.Type{Kind: pruning.Date}.Parse("2023-02-29")
	fmt.Println(err)
	// Output:
	// 2
	// "128" is not an int8: want -128…127
	// "2023-02-29" is not a date: want a day of the calendar
}
