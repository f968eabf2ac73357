package projection_test

import (
	"fmt"
	"time"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// A clamped day stays: the month after 2024-02-29 is 2024-03-29.
func ExampleNewDate() {
	from, _ := projection.DateBound("2024-01-31", 0)
	to, _ := projection.DateBound("2024-05-01", 0)
	a := projection.NewDate(projection.DateSpec{
		Type:   pruning.Type{Kind: pruning.Date},
		Format: datefmt.Strftime("%Y-%m-%d"),
		Unit:   datefmt.Months,
		Min:    from,
		Max:    to,
	})
	last, _ := a.Last()
	for i := range last + 1 {
		fmt.Printf("%s\n", a.AppendName(nil, i))
	}
	// Output:
	// 2024-01-31
	// 2024-02-29
	// 2024-03-29
	// 2024-04-29
}

func ExampleDateBound() {
	now := time.Date(2023, 1, 15, 10, 30, 0, 0, time.UTC).UnixMicro()
	us, _ := projection.DateBound(" NOW - 1 MONTHS ", now)
	fmt.Println(time.UnixMicro(us).UTC().Format(time.RFC3339))
	_, bad := projection.DateBound("NOW-3", now)
	fmt.Println(bad.Msg)
	// Output:
	// 2022-12-15T10:30:00Z
	// the unit is missing
}
