package explain

import (
	"cmp"
	"context"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// facts are what a layout tells of a scan beside its units.
func facts(ctx context.Context, s *planner.Scan) ([]projection.Fact, error) {
	l := s.Table.Layout
	if l.Facts == nil {
		return nil, nil
	}
	return l.Facts(ctx, s.Diagram, s.Check)
}

func (t *textWriter) facts(ctx context.Context, s *planner.Scan) error {
	list, err := facts(ctx, s)
	for _, f := range list {
		var lines []string
		for _, l := range f.Lines {
			lines = append(lines, wrap(printable(l), t.Width-labelWidth, 4)...)
		}
		t.field(f.Label, lines...)
	}
	return err
}

// shownRoutes bounds the rows of an INSERT that texts show.
const shownRoutes = 20

// target is where a row goes: one partition, and its bucket where the row's values tell it.
type target struct {
	partition string
	bucket    int // -1: any
}

// targetOf finds the partition of a row. ok is false when there is none, or more than one.
func targetOf(ctx context.Context, s *planner.Scan, d pruning.Diagram) (to target, ok bool, err error) {
	l := s.Table.Layout
	if l.Names == nil {
		return to, false, nil
	}
	for u, err := range projection.Walk(ctx, l, d, projection.Check{}) {
		if err != nil {
			return to, false, err
		}
		partition, bucket, _, _ := l.Names(&u.Place)
		switch {
		case !ok:
			to, ok = target{partition, bucket}, true
		case to.partition != partition:
			return to, false, nil
		default:
			to.bucket = -1
		}
	}
	return to, ok, nil
}

// routes tells for each row of INSERT … VALUES where it goes.
func (t *textWriter) routes(ctx context.Context, s *planner.Scan) error {
	var lines []string
	for i, r := range s.Routes {
		if i == shownRoutes {
			lines = append(lines, t.Style.Faint.of("… and more"))
			break
		}
		to, ok, err := targetOf(ctx, s, r.Diagram)
		if err != nil {
			return err
		}
		place := "several partitions"
		if ok {
			place = string(appendTarget(nil, to))
		}
		lines = append(lines, printable(t.rowText(r.Row))+" → "+printable(place))
	}
	t.field("rows", lines...)
	return nil
}

func appendTarget(dst []byte, to target) []byte {
	dst = append(dst, to.partition...)
	if to.bucket < 0 {
		return append(dst, " any bucket"...)
	}
	return appendBucket(dst, " bucket ", to.bucket)
}

// rowText is a row as text, cut where it is long.
func (d *dialect) rowText(row []ast.Expr) string {
	const most = 60
	var b strings.Builder
	b.WriteByte('(')
	for i, x := range row {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > most {
			b.WriteString("…")
			break
		}
		b.WriteString(d.text(x))
	}
	return b.String() + ")"
}

// facts writes the facts and the routes of a scan, where there are any.
func (j *jsonPlans) facts(ctx context.Context, s *planner.Scan) error {
	list, err := facts(ctx, s)
	if len(list) > 0 {
		j.factList(list)
	}
	if len(s.Routes) == 0 || err != nil {
		return err
	}
	return j.routes(ctx, s)
}

func (j *jsonPlans) factList(list []projection.Fact) {
	j.key("facts").open('[')
	for _, f := range list {
		j.open('{')
		j.key("label").string(f.Label)
		j.key("lines").open('[')
		for _, l := range f.Lines {
			j.string(l)
		}
		j.close(']')
		j.close('}')
	}
	j.close(']')
}

func (j *jsonPlans) routes(ctx context.Context, s *planner.Scan) (err error) {
	j.key("routes").open('[')
	for _, r := range s.Routes {
		to, ok, e := targetOf(ctx, s, r.Diagram)
		err = cmp.Or(err, e)
		j.openInline('{')
		j.key("row").string(j.dialect.rowText(r.Row))
		if j.key("partition"); ok {
			j.string(to.partition)
		} else {
			j.null()
		}
		if j.key("bucket"); ok && to.bucket >= 0 {
			j.int(to.bucket)
		} else {
			j.null()
		}
		j.close('}')
	}
	j.close(']')
	return err
}
