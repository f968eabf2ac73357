package explain

import (
	"bytes"
	"context"
	"math/big"
	"strings"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
)

// tree writes the units of a scan that the window shows.
func (t *textWriter) tree(ctx context.Context, s *planner.Scan, selected *big.Int) error {
	first, n := t.of(selected)
	rest := new(big.Int).Sub(selected, first)
	rest.Sub(rest, n)
	if first.Sign() > 0 {
		t.branch(first.Cmp(selected) == 0, t.Style.Faint.of("… "+projection.Grouped(first)+" before"))
	}
	rows := t.rows(s, n, rest.Sign() == 0)
	for u, err := range units(ctx, s, first, n) {
		if err != nil {
			return err
		}
		rows.add(u)
		if t.err != nil {
			return t.err // nobody reads on
		}
	}
	rows.flush()
	if rest.Sign() > 0 {
		more := "… and " + projection.Grouped(rest) + " more"
		if t.More != "" {
			more += " (" + t.More + ")"
		}
		t.branch(true, t.Style.Faint.of(more))
	}
	return nil
}

func (t *textWriter) branch(last bool, text string) {
	t.edge(last)
	t.line(text)
}

// edge begins the line of a branch.
func (t *textWriter) edge(last bool) {
	if last {
		t.WriteString(t.Style.Faint.of("└─ "))
	} else {
		t.WriteString(t.Style.Faint.of("├─ "))
	}
}

// heldRows is how many rows are held so that the remarks behind them stand below each other.
const heldRows = 1000

// rows are lines of a tree, names with remarks, on their way to the output.
type rows struct {
	t      *textWriter
	scan   *planner.Scan
	filter string   // the scan's residual: units with another one have it told
	left   *big.Int // rows to come
	closes bool     // the last row closes the tree
	held   []row
	name   []byte
}

type row struct{ name, remark string }

func (t *textWriter) rows(s *planner.Scan, n *big.Int, closes bool) *rows {
	r := &rows{t: t, scan: s, left: new(big.Int).Set(n), closes: closes}
	if !s.Exact() {
		r.filter = t.text(s.Residual)
	}
	if t.Limit > 0 && t.Limit <= heldRows {
		r.held = make([]row, 0, t.Limit)
	}
	return r
}

func (r *rows) add(u *projection.Unit) {
	r.name = appendName(r.name[:0], r.scan.Table.Layout, u, " bucket ")
	remark := strings.Join(nonEmpty(holdingText(r.scan.Listing, r.name), r.remark(u)), "; ")
	switch {
	case r.held != nil:
		r.held = append(r.held, row{printable(string(r.name)), remark})
	case remark == "" && !bytes.ContainsFunc(r.name, unprintable):
		r.t.edge(r.ends())
		r.t.Write(r.name)
		r.t.line("")
	default:
		r.write(row{printable(string(r.name)), remark}, 0)
	}
}

// remark says what has to be filtered in a unit where that isn't what holds for the scan.
func (r *rows) remark(u *projection.Unit) string {
	if r.scan.Exact() {
		return ""
	}
	rest := r.scan.UnitResidual(u)
	if rest == nil {
		return "every row"
	}
	if text := r.t.text(rest); text != r.filter {
		return printable(text)
	}
	return ""
}

func (r *rows) flush() {
	longest := 0
	for _, next := range r.held {
		longest = max(longest, width(next.name))
	}
	for _, next := range r.held {
		r.write(next, longest)
	}
}

var one = big.NewInt(1)

func (r *rows) write(next row, align int) {
	line := next.name
	if next.remark != "" {
		room := max(20, r.t.Width-3-max(align, width(line))-2)
		line = pad(line, align) + "  " + r.t.Style.Faint.of(clip(next.remark, room))
	}
	r.t.branch(r.ends(), line)
}

// ends counts one more row and reports whether it closes the tree.
func (r *rows) ends() bool {
	r.left.Sub(r.left, one)
	return r.closes && r.left.Sign() == 0
}
