package projection_test

import (
	"context"
	"fmt"
	"math/big"
	"os"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// The last of 10^15 prefixes, which no walk would reach.
func ExampleSeek() {
	template, errs := projection.ParseTemplate("${tenant}/${part}")
	if errs != nil {
		panic(errs)
	}
	number := pruning.Type{Kind: pruning.Int64}
	layout := &projection.Layout{
		Keys:     []pruning.Key{{Name: "tenant", Type: number}, {Name: "part", Type: number}},
		Template: template.Under("/"),
		Levels: []projection.Level{
			projection.Fixed(0, projection.NewInteger(0, number, 1, 1e9, 1, 0)),
			projection.Fixed(1, projection.NewInteger(1, number, 1, 1e6, 1, 6)),
		},
	}
	all := pruning.NewSpace(layout.Keys, 0).Const(pruning.True)

	ctx := context.Background()
	n, _ := projection.Count(ctx, layout, all, projection.Check{})
	fmt.Println(n)
	last := n.Sub(n, big.NewInt(1))
	for u, err := range projection.Seek(ctx, layout, all, projection.Check{}, last) {
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s\n", u.AppendPath(nil))
	}
	// Output:
	// 1000000000000000
	// 1000000000/1000000/
}

// A layout of years and months, and the prefixes that year = 2021 AND month >= 11 reads.
func Example() {
	template, errs := projection.ParseTemplate("year=${year}/${month}")
	if errs != nil {
		panic(errs)
	}
	number := pruning.Type{Kind: pruning.Int32}
	layout := &projection.Layout{
		Keys:     []pruning.Key{{Name: "year", Type: number}, {Name: "month", Type: number}},
		Template: template.Under("/logs/"),
		Levels: []projection.Level{
			projection.Fixed(0, projection.NewInteger(0, number, 2010, 2022, 1, 0)),
			projection.Fixed(1, projection.NewInteger(1, number, 1, 12, 1, 2)),
		},
	}
	space := pruning.NewSpace(layout.Keys, 0)
	where := space.In(0, pruning.Point(number, pruning.Int(2021))).And(space.In(1, pruning.From(pruning.Int(11))))

	ctx := context.Background()
	selected, _ := projection.Count(ctx, layout, where, projection.Check{})
	total, _ := projection.Count(ctx, layout, space.Const(pruning.True), projection.Check{})
	fmt.Println("read", selected, "of", total)
	for u, err := range projection.Walk(ctx, layout, where, projection.Check{}) {
		if err != nil {
			panic(err)
		}
		month, _, _ := u.Value(1)
		fmt.Printf("%s month %d\n", u.AppendPath(nil), month.Int())
	}
	projection.WritePaths(ctx, os.Stdout, layout, where, projection.Check{}, nil, nil, '\n')
	// Output:
	// read 2 of 156
	// logs/year=2021/11/ month 11
	// logs/year=2021/12/ month 12
	// logs/year=2021/11/
	// logs/year=2021/12/
}
