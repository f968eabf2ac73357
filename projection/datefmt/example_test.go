package datefmt_test

import (
	"fmt"

	"github.com/yqlplan/yqlplan/projection/datefmt"
)

func ExampleStrftime() {
	f := datefmt.Strftime("year=%Y/month=%m/day=%d")
	fmt.Printf("%s\n", f.Append(nil, datefmt.FromDays(18661)))
	t, ok := f.Parse("year=2021/month=02/day=03")
	fmt.Println(t.Days(), ok)
	fmt.Println(f.Unit(), datefmt.Strftime("%m-%d").Unit())
	// Output:
	// year=2021/month=02/day=03
	// 18661 true
	// DAYS NONE
}

func ExampleJava() {
	f, _ := datefmt.Java("yyyy/MM/dd")
	fmt.Printf("%s\n", f.Append(nil, datefmt.FromDays(18661)))
	_, bad := datefmt.Java("YYYY/MM/dd")
	for _, d := range bad {
		fmt.Printf("%d-%d: %s; %s\n", d.Pos, d.End, d.Msg, d.Hint)
	}
	// Output:
	// 2021/02/03
	// 0-4: YYYY means the week-based year, which depends on the locale and can't be used here; write yyyy for the year
}

func ExampleParseISO() {
	_, _, bad := datefmt.ParseISO("2021-02-30")
	fmt.Println(bad.Msg)
	fmt.Println(bad.Hint)
	// Output:
	// "2021-02-30": not a real day: February 2021 has 28 days
	// the last one is 2021-02-28
}
