package explain

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
)

// Partitions writes what partitions a table has after each statement that declares or changes it: ranges with the holes
// between them, lists, or the values that are computed.
//
//	ALTER TABLE t DROP PARTITION p201703
//	  p201701: [MIN_VALUE, 2017-02-01)
//	  p201702: [2017-02-01, 2017-03-01)
//	  hole: [2017-03-01, 2017-04-01)
//	  p201705: [2017-04-01, 2017-06-01)
func Partitions(ctx context.Context, w io.Writer, steps []planner.Step, st Style) error {
	b := bufio.NewWriter(w)
	for i, s := range steps {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(st.Name.of(printable(headline(s.Text))) + "\n")
		lines := s.Lines
		if lines == nil {
			lines = axisLines(ctx, s)
		}
		for _, l := range lines {
			l = printable(l)
			if strings.HasPrefix(l, "hole: ") {
				l = st.Caution.of(l)
			}
			b.WriteString("  " + l + "\n")
		}
	}
	return b.Flush()
}

// headline is a statement on one line, cut where it is long.
func headline(text string) string {
	const most = 100
	line := strings.Join(strings.Fields(text), " ")
	if width(line) <= most {
		return line
	}
	return string([]rune(line)[:most-1]) + "…"
}

// axisLines tells the values of each level: year: 13 values, 2010 … 2022.
func axisLines(ctx context.Context, s planner.Step) []string {
	l := s.Table.Layout
	out := []string{strings.TrimSuffix(l.System+", "+l.Shape, ", ")}
	for _, level := range l.Levels {
		var names []string
		for _, k := range level.Keys() {
			names = append(names, l.Keys[k].Name)
		}
		name := strings.Join(names, ", ")
		if name == "" {
			name = l.Unit
		}
		if !level.Fixed() {
			out = append(out, name+": known when they are listed, or named by a query")
			continue
		}
		a, err := level.Axis(ctx, nil)
		if err != nil {
			continue
		}
		last, ok := a.Last()
		switch {
		case !ok:
			out = append(out, name+": none")
		case last == 0:
			out = append(out, fmt.Sprintf("%s: 1 value, %s", name, a.AppendName(nil, 0)))
		default:
			n := new(big.Int).SetUint64(last)
			out = append(out, fmt.Sprintf("%s: %s values, %s … %s", name, projection.Grouped(n.Add(n, big.NewInt(1))), a.AppendName(nil, 0), a.AppendName(nil, last)))
		}
	}
	return out
}
