package planner

import (
	"slices"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/datefmt"
)

// Days of partitions are days of UTC unless whoever wrote them says otherwise, and a projection's NOW is UTC in any case.

// zones looks at the columns of days for conditions that take a day of another zone for one of UTC.
func (l *linter) zones(now time.Time) {
	zone, at := l.zone()
	for k, key := range l.Table.Layout.Keys {
		a, ok := projection.Unescaped(l.axis(k)).(*projection.Date)
		if !ok || a.Spec().Format.Finest() != datefmt.Days {
			continue
		}
		set := l.sp.Adopt(l.Diagram).Set(k)
		runs := l.runs(a, k, set)
		one := len(runs) == 1 && runs[0].First == runs[0].Last
		switch {
		case zone != "" && (one || l.compares(at, key.Name)):
			l.Notef("lint.zone", at, "read the days before and behind it, too, when "+key.Name+" has days of UTC",
				"a day in %s lies in two days of UTC, and %s is held to one", projection.Quote(zone), key.Name)
		case one && len(set.Cuts())%2 == 1:
			l.today(a, k, runs[0].First, now)
		}
	}
}

// today tells of a query for the newest days that these end in UTC, while in zones ahead of it the next day has begun.
func (l *linter) today(a *projection.Date, key int, i uint64, now time.Time) {
	const ahead = 14 * time.Hour // Kiribati
	last, _ := a.Last()
	s, next := a.Spec(), time.UnixMicro(a.Instant(i)).Add(24*time.Hour)
	at := slices.IndexFunc(l.parts, func(p part) bool { return p.d.Depends(key) })
	if i != last || s.To == "" || !now.Before(next) || now.Add(ahead).Before(next) || at < 0 {
		return
	}
	name := l.Table.Layout.Keys[key].Name
	l.Notef("lint.zone", l.parts[at].shown, "where folders have days of such a zone, end the range of "+name+" at NOW+1DAYS",
		"%s ends at %s, the day in UTC; in zones ahead of it, %s has begun", name, a.AppendName(nil, last), s.Format.Append(nil, datefmt.FromMicros(next.UnixMicro())))
}

// zone is the first zone other than UTC that times are converted to in the conditions, and where.
func (l *linter) zone() (zone string, at ast.Node) {
	for i := range l.parts {
		for n := range ast.Preorder(l.parts[i].shown) {
			c, ok := n.(*ast.Call)
			if !ok || len(c.Args) != 2 || !slices.Contains([]string{ast.AtTimeZone, "AT_TIMEZONE", "WITH_TIMEZONE"}, strings.ToUpper(c.Func.Text)) {
				continue
			}
			if z, ok := c.Args[1].X.(*ast.Literal); ok && z.Kind == ast.StringLit && !isUTC(z.Text) {
				return z.Text, c
			}
		}
	}
	return "", nil
}

// compares reports whether a condition is an equality of a column with something in which at stands.
func (l *linter) compares(at ast.Node, name string) bool {
	return slices.ContainsFunc(l.parts, func(p part) bool {
		a, ok := p.x.(*apply)
		within := p.shown.Pos() <= at.Pos() && at.End() <= p.shown.End()
		return ok && a.fn.op == ast.OpEq && within && slices.Contains(keysIn(p.x), name)
	})
}
