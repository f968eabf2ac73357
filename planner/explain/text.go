package explain

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
)

// TextOptions say how a plan looks as text.
type TextOptions struct {
	Window
	Style Style
	Width int    // columns to keep within where it can be done; 0: 100
	More  string // how to see the rest, put behind "… and 136 more"
}

// textWidth is how many columns text keeps within where it can be done.
const textWidth = 100

// Text writes plans for people: for each scan what is read, of how much, by which conditions, and what has still to be
// filtered; then its units.
//
//	scan s3_logs.`/events/`                 yql projection, template ${year}/${month}/
//	│ read      2 of 156 prefixes
//	│ regions   year 2021, month 12
//	│           year 2022, month 1
//	│ where     decided  (year = 2021 AND month = 12) OR (year = 2022 AND month = 1)
//	│ residual  none
//	├─ events/2021/12/
//	└─ events/2022/01/
//
// The units of a window with a limit are held to align what stands behind them; without one they are written as they
// come. The error is the first from counting, listing or writing.
func Text(ctx context.Context, w io.Writer, plans []*planner.Plan, opt TextOptions) error {
	if opt.Width == 0 {
		opt.Width = textWidth
	}
	t := &textWriter{Writer: bufio.NewWriter(w), TextOptions: opt}
	err := t.plans(ctx, plans)
	if e := t.Flush(); err == nil {
		err = e
	}
	return err
}

type textWriter struct {
	*bufio.Writer
	TextOptions
	dialect       // of the current scan
	err     error // the first of the underlying writer
}

func (t *textWriter) plans(ctx context.Context, plans []*planner.Plan) error {
	for n, p := range plans {
		if n > 0 {
			t.line("")
		}
		if len(plans) > 1 {
			t.line(t.Style.Label.of(fmt.Sprintf("%d. %s", n+1, p.Kind)) + t.Style.Faint.of(placeText(p)))
		}
		if len(p.Scans) == 0 {
			t.line(nothing(p))
		}
		for i, s := range p.Scans {
			if i > 0 {
				t.line("")
			}
			if err := t.scan(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// placeText is where a statement begins, as diagnostics write it: ", q.sql:14".
func placeText(p *planner.Plan) string {
	if p.Source == nil {
		return ""
	}
	return fmt.Sprintf(", %s:%d", printable(p.Source.Name), p.Source.Position(p.Pos).Line)
}

// nothing says what is known of a statement without scans.
func nothing(p *planner.Plan) string {
	if st, ok := p.Stmt.(*ast.Insert); ok && st.Table != nil {
		return "no table is read, and which paths are written isn't known"
	}
	return "no table is read"
}

func (t *textWriter) line(s string) {
	t.WriteString(s)
	if err := t.WriteByte('\n'); t.err == nil {
		t.err = err
	}
}

func (t *textWriter) scan(ctx context.Context, s *planner.Scan) error {
	selected, total, err := s.Count(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Table.Name, err)
	}
	t.dialect = dialectOf(s)
	t.title(s)
	t.field(readLabel(s), t.readText(s, selected, total))
	t.field("listing", t.listing(s.Listing)...)
	t.field("storage", t.presence(s)...)
	if err := t.facts(ctx, s); err != nil {
		return fmt.Errorf("%s: %w", s.Table.Name, err)
	}
	empty := selected.Sign() == 0 && !s.Write
	if empty && len(s.Table.Layout.Keys) > 0 {
		t.field("regions", "none")
	} else {
		t.field("regions", regionLines(s)...)
	}
	words := effects(s.Conjuncts)
	if empty {
		if err := idle(ctx, s, words); err != nil {
			return fmt.Errorf("%s: %w", s.Table.Name, err)
		}
	}
	t.field("where", t.conjuncts(s.Conjuncts, words)...)
	t.field("residual", t.residual(s)...)
	if err := t.routes(ctx, s); err != nil {
		return fmt.Errorf("%s: %w", s.Table.Name, err)
	}
	return t.tree(ctx, s, selected)
}

func readLabel(s *planner.Scan) string {
	if s.Write {
		return "write"
	}
	return "read"
}

// title is the line with the table's name; where the layout doesn't fit behind it, it follows below.
func (t *textWriter) title(s *planner.Scan) {
	verb, name := "scan ", printable(s.Table.Name)
	if s.Write {
		verb = "write "
	}
	if s.Alias != "" {
		name += " as " + printable(s.Alias)
	}
	layout := printable(s.Table.Layout.System)
	if shape := s.Table.Layout.Shape; shape != "" {
		layout += ", " + printable(shape)
	}
	gap := max(2, 40-width(verb+name))
	if width(verb+name)+gap+width(layout) > t.Width {
		t.line(verb + t.Style.Name.of(name))
		t.field("layout", wrap(layout, t.Width-labelWidth, 4)...)
		return
	}
	t.line(verb + t.Style.Name.of(name) + strings.Repeat(" ", gap) + t.Style.Faint.of(layout))
}

const labelWidth = len("residual  ") + 2

// field writes lines with a label in front of the first.
func (t *textWriter) field(label string, lines ...string) {
	label = t.Style.Label.of(label) + strings.Repeat(" ", labelWidth-2-width(label))
	for _, l := range lines {
		t.line(t.Style.Faint.of("│ ") + label + l)
		label = strings.Repeat(" ", labelWidth-2)
	}
}

func (t *textWriter) readText(s *planner.Scan, selected, total *big.Int) string {
	unit := s.Table.Layout.Unit
	if n := cmp.Or(total, selected); n.Cmp(one) == 0 {
		unit = singular(unit)
	}
	if size := sizeText(s.Listing); size != "" {
		unit += ", " + size
	}
	if total == nil {
		return projection.Grouped(selected) + " " + unit
	}
	return projection.Grouped(selected) + " of " + projection.Grouped(total) + " " + unit
}

const (
	shownRegions   = 12
	countedRegions = 1000
)

// regionLines are the boxes that are read, or the box around them all when they are many.
func regionLines(s *planner.Scan) []string {
	keys := s.Table.Layout.Keys
	if len(keys) == 0 {
		return nil
	}
	rs, ok := s.Regions(countedRegions)
	switch {
	case !ok:
		return []string{"more than " + projection.Grouped(big.NewInt(countedRegions)) + ", within " + regionText(keys, s.Hull())}
	case len(rs) > shownRegions:
		return []string{projection.Grouped(big.NewInt(int64(len(rs)))) + ", within " + regionText(keys, s.Hull())}
	case len(rs) == 0:
		return []string{"none"}
	}
	lines := make([]string, len(rs))
	for i, r := range rs {
		lines[i] = regionText(keys, r)
	}
	return lines
}

const shownConjuncts = 12

// effects are the words in front of conditions, which tell what became of each.
func effects(cs []planner.Conjunct) []string {
	words := make([]string, len(cs))
	for i, c := range cs {
		words[i] = c.Effect.String()
	}
	return words
}

// idle changes the words for a scan that reads nothing: the condition to which this is due empties it, with the others that
// are decided; the rest has nothing to do.
func idle(ctx context.Context, s *planner.Scan, words []string) error {
	by, last, err := s.Emptied(ctx)
	for i := range words {
		switch {
		case i == last:
			words[i] = "empties"
		case !slices.Contains(by, i):
			words[i] = "idle"
		}
	}
	return err
}

// conjuncts are the conditions, each with what became of it.
func (t *textWriter) conjuncts(cs []planner.Conjunct, words []string) []string {
	var lines []string
	for i, c := range cs {
		if i == shownConjuncts {
			return append(lines, t.Style.Faint.of(fmt.Sprintf("… and %s more", projection.Grouped(big.NewInt(int64(len(cs)-i))))))
		}
		lines = append(lines, t.conjunct(c, words[i])...)
	}
	return lines
}

func (t *textWriter) conjunct(c planner.Conjunct, word string) []string {
	word = pad(word, len("decided  "))
	room := t.Width - labelWidth - width(word)
	expr := printable(t.text(c.Expr))
	remark := printable(strings.Join(nonEmpty(c.Reason, c.From), "; "))
	if remark != "" {
		remark = "-- " + remark
	}
	paint := t.Style.Caution
	if c.Effect == planner.Decided && !strings.HasPrefix(word, "empties") {
		paint = t.Style.Good
	}
	if remark != "" && width(expr)+2+width(remark) <= room {
		return []string{paint.of(word) + expr + "  " + t.Style.Faint.of(remark)}
	}
	blank := strings.Repeat(" ", width(word))
	var lines []string
	for i, l := range wrap(expr, room, 4) {
		if i == 0 {
			lines = append(lines, paint.of(word)+l)
		} else {
			lines = append(lines, blank+l)
		}
	}
	if remark != "" {
		for _, l := range wrap(remark, room, 4) {
			lines = append(lines, blank+t.Style.Faint.of(l))
		}
	}
	return lines
}

func nonEmpty(ss ...string) []string {
	var out []string
	for _, s := range ss {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (t *textWriter) residual(s *planner.Scan) []string {
	if s.Exact() {
		return []string{t.Style.Good.of("none")}
	}
	lines := wrap(printable(t.text(s.Residual)), t.Width-labelWidth, 8)
	for i := range lines {
		lines[i] = t.Style.Caution.of(lines[i])
	}
	return lines
}
