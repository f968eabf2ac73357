package planner

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/datefmt"
	"github.com/yqlplan/yqlplan/pruning"
)

// dorisWord is one of the names that stand for the time of the query without brackets, or DEFAULT, which only the column
// that is written tells.
func (b *binder) dorisWord(e *ast.Ident) expr {
	switch name := strings.ToLower(e.Parts[0].Text); name {
	case "current_date", "current_timestamp", "localtime", "localtimestamp":
		return b.dorisNow(e, name)
	case "default":
		return &opaque{at: e, why: defaultWord}
	}
	return nil
}

// dorisNow is what depends on the present, in UTC; nil for other names.
func (b *binder) dorisNow(at ast.Expr, name string) expr {
	switch name {
	case "current_date", "curdate":
		return &constant{at: at, t: dorisKind(pruning.Date), v: integer(floorDiv(b.now, microsADay))}
	case "now", "current_timestamp", "localtime", "localtimestamp", "utc_timestamp", "sysdate":
		return &constant{at: at, t: dorisKind(pruning.Datetime), v: integer(floorDiv(b.now, 1e6))}
	case "unix_timestamp":
		return &constant{at: at, t: dorisKind(pruning.Int64), v: integer(floorDiv(b.now, 1e6))}
	}
	return nil
}

// dorisRare binds intervals and EXTRACT.
func (b *binder) dorisRare(e ast.Expr, sc *scope) expr {
	switch e := e.(type) {
	case *ast.Interval:
		return b.calendarLiteral(e, sc)
	case *ast.Extract:
		if fn := dorisDateCalls()[strings.ToLower(e.Field.Text)]; fn != nil && fn.max == 1 {
			return b.call(e, fn, b.dorisDate(b.bind(e.X, sc)))
		}
	}
	return nil
}

// dorisDate is a text as an instant, other values as they are.
func (b *binder) dorisDate(x expr) expr {
	if isTextConstant(x) {
		if m, problem := projection.ParseMoment(x.(*constant).v.lo.Text()); problem == "" {
			return moment(x.node(), m)
		}
	}
	if x.typ().isText() {
		return b.dorisTo(x.node(), x, dorisKind(pruning.Timestamp))
	}
	return x
}

// dorisCall binds calls whose arguments aren't ordinary values, or whose result depends on the session; nil for others.
func (b *binder) dorisCall(e *ast.Call, sc *scope) expr {
	name := strings.ToLower(e.Func.Text)
	if len(e.Args) == 0 || name == "now" || name == "current_timestamp" {
		return b.dorisNow(e, name)
	}
	if unit, ok := dorisUnitArgument(e, name); ok {
		return b.dorisUnitCall(e, name, unit, sc)
	}
	switch name {
	case "date_trunc":
		return b.dorisTrunc(e, b.arguments(e, sc))
	case "date_format":
		return b.dorisDateFormat(e, b.arguments(e, sc))
	case "str_to_date":
		return b.dorisReadDate(e, b.arguments(e, sc))
	case "from_unixtime":
		return b.dorisFromUnix(e, b.arguments(e, sc))
	case "concat":
		return b.dorisConcat(e, b.arguments(e, sc))
	case "locate", "position":
		if args := b.sought(e, sc); args != nil {
			return b.call(e, b.sem.calls.plain["instr"], args...)
		}
	case "week", "yearweek":
		return b.dorisWeeks(e, name, b.arguments(e, sc))
	case "convert_tz":
		return b.dorisZones(e, b.arguments(e, sc))
	case "abs":
		if args := b.arguments(e, sc); len(args) == 1 {
			return b.call(e, absFn, b.dorisOperand(args[0]))
		}
	case "greatest", "least":
		return b.dorisExtreme(e, name, b.arguments(e, sc))
	case "isnull":
		if args := b.arguments(e, sc); len(args) == 1 {
			return b.call(e, isFn(pruning.Null), args[0])
		}
	case "date_add", "adddate", "date_sub", "subdate":
		return b.dorisDateAdd(e, strings.Contains(name, "sub"), b.arguments(e, sc))
	}
	if x := b.dorisRound(e, name, sc); x != nil {
		return x
	}
	if shift := dorisShiftOf(name); shift != (calendar{}) && len(e.Args) == 2 {
		return b.dorisUnits(e, name, shift, b.arguments(e, sc))
	}
	if fn := dorisDateCalls()[name]; fn != nil {
		args := b.arguments(e, sc)
		for i, x := range args {
			args[i] = b.dorisDate(x)
		}
		return b.callNamed(e, fn, args)
	}
	return nil
}

// dorisUnitArgument is the unit of timestampdiff(DAY, a, b), which isn't a column.
func dorisUnitArgument(e *ast.Call, name string) (unit string, ok bool) {
	if name != "timestampdiff" && name != "timestampadd" || len(e.Args) != 3 {
		return "", false
	}
	id, ok := e.Args[0].X.(*ast.Ident)
	if !ok || len(id.Parts) != 1 {
		return "", false
	}
	return strings.ToLower(id.Parts[0].Text), true
}

// dorisUnitCall is timestampdiff(unit, a, b) = b - a, and timestampadd(unit, n, x).
func (b *binder) dorisUnitCall(e *ast.Call, name, unit string, sc *scope) expr {
	x, y := b.bind(e.Args[1].X, sc), b.bind(e.Args[2].X, sc)
	if name == "timestampadd" {
		if c, ok := calendarUnit(unit); ok {
			return b.dorisUnits(e, name, c, []expr{y, x})
		}
	}
	if fn := dorisDiff(unit); fn != nil && name == "timestampdiff" {
		return b.call(e, fn, b.dorisDate(y), b.dorisDate(x))
	}
	return &opaque{at: e, why: "the function " + e.Func.Text, args: []expr{x, y}}
}

// dorisTrunc is date_trunc(x, 'unit'), or with the unit first. It keeps the type of x.
func (b *binder) dorisTrunc(e *ast.Call, args []expr) expr {
	if len(args) == 2 {
		if _, known := trinoUnits[dorisUnitText(args[0])]; known {
			args[0], args[1] = args[1], args[0]
		}
		if first := trinoUnits[dorisUnitText(args[1])]; first != nil {
			fn := dateRise("date_trunc", same("d"), func(a *apply, c civil) value { return dateSpan(a.t, point128(first(c))) })
			return b.call(e, fn, b.dorisDate(args[0]))
		}
	}
	return &opaque{at: e, why: "date_trunc of an unknown unit", args: args}
}

func dorisUnitText(x expr) string {
	if !isTextConstant(x) {
		return ""
	}
	return strings.ToLower(x.(*constant).v.lo.Text())
}

// dorisShiftOf is what years_add, days_sub and the like move by for each unit.
func dorisShiftOf(name string) calendar {
	unit, op, _ := strings.Cut(name, "_")
	if name == "add_months" {
		unit, op = "month", "add"
	}
	c, ok := calendarUnit(unit)
	switch {
	case !ok || op != "add" && op != "sub":
		return calendar{}
	case op == "sub":
		return calendar{-c.months, -c.days, -c.micros}
	}
	return c
}

// dorisUnits is days_add(x, n) with a constant n.
func (b *binder) dorisUnits(e *ast.Call, name string, unit calendar, args []expr) expr {
	if c, ok := b.dorisOperand(args[1]).(*constant); ok {
		if n, known := knownInt(c.t, c.v); known && !c.v.mayNull() {
			if shift, fits := unit.times(n); fits {
				return b.dorisShift(e, name, args[0], shift)
			}
		}
	}
	return &opaque{at: e, why: "the function " + e.Func.Text, args: args}
}

// dorisDateAdd is date_add(x, INTERVAL 1 MONTH) or date_add(x, 3), days.
func (b *binder) dorisDateAdd(e *ast.Call, sub bool, args []expr) expr {
	op := ast.OpAdd
	if sub {
		op = ast.OpSub
	}
	if len(args) == 2 {
		if c, ok := calendarOf(args[1]); ok {
			return b.dorisShift(e, strings.ToLower(e.Func.Text), args[0], signedBy(op, c))
		}
		if args[1].typ().isInt() {
			return b.dorisUnits(e, strings.ToLower(e.Func.Text), signedBy(op, calendar{days: 1}), args)
		}
	}
	return &opaque{at: e, why: "the function " + e.Func.Text, args: args}
}

// dorisShift moves a date along the calendar. A DATE stays one unless it is moved by less than a day. What would leave the
// calendar may be NULL.
func (b *binder) dorisShift(at ast.Expr, name string, x expr, c calendar) expr {
	x = b.dorisDate(x)
	t := x.typ()
	if !t.isDate() {
		return &opaque{at: at, why: "an interval added to something else than a date", args: []expr{x}}
	}
	result := dorisOf(t.scalar)
	if t.is(pruning.Date) && c.micros != 0 {
		result = dorisKind(pruning.Datetime)
	}
	if c.micros%1e6 != 0 {
		result = dorisKind(pruning.Timestamp)
	}
	result.notNull = false
	fn := &function{name: name, min: 1, max: 1, mayNull: true, result: takes("d", result)}
	move := shiftBy(ast.OpAdd, c)
	fn.span = func(a *apply, args []value) value {
		instants := *a
		instants.t = wideTime()
		out := move.span(&instants, args)
		if out.isNull() || !out.bounded() {
			return out.orNull()
		}
		return withinCalendar(out, a.t)
	}
	return b.call(at, fn, x)
}

// The first and the last microsecond of the calendar, years 0 through 9999.
const (
	firstMoment = -719528 * microsADay
	lastMoment  = 2932897*microsADay - 1
)

// withinCalendar is an instant in microseconds as a value of a date type, or NULL outside of the calendar.
func withinCalendar(x value, u typ) value {
	lo, hi := x.lo.Int(), x.hi.Int()
	out := value{is: x.is & null}
	if lo < firstMoment || hi > lastMoment {
		out.is |= null
		lo, hi = max(lo, firstMoment), min(hi, lastMoment)
	}
	if lo > hi {
		return nullValue
	}
	in := dateSpan(u, span128{wide(lo), wide(hi)})
	in.is |= out.is
	return in
}

// dorisFormats are patterns that are written without directives (datetime_format in be/src/vec).
var dorisFormats = map[string]string{"yyyyMMdd": "%Y%m%d", "yyyy-MM-dd": "%Y-%m-%d", "yyyy-MM-dd HH:mm:ss": "%Y-%m-%d %H:%i:%s"}

// dorisDateFormat is date_format(x, '%Y-%m').
func (b *binder) dorisDateFormat(e *ast.Call, args []expr) expr {
	if len(args) == 2 && isTextConstant(args[1]) {
		if fn := dorisWrite("date_format", args[1].(*constant).v.lo.Text()); fn != nil {
			return b.call(e, fn, b.dorisDate(args[0]))
		}
	}
	return &opaque{at: e, t: dorisKind(pruning.String).optional(), why: "a format that isn't known", args: args}
}

// dorisWrite writes dates by a pattern. Where years come first, then months, and so on, texts are in the order of dates.
func dorisWrite(name, pattern string) *function {
	if p, ok := dorisFormats[pattern]; ok {
		pattern = p
	}
	f := patternReader(mysqlPattern).compile(pattern)
	if f == nil {
		return nil
	}
	fn := &function{name: name, min: 1, max: 1, result: takes("d", dorisKind(pruning.String)),
		call: func(a *apply, args []value) value {
			t := a.args[0].typ()
			if !t.isDate() || !inCalendar(t, args[0]) {
				return anything
			}
			us, _ := nanos(t.scalar, args[0].lo).int64Micros()
			return text(string(f.Append(nil, datefmt.FromMicros(us))))
		}}
	if descending(pattern) {
		fn.rise = "+"
	}
	return fn
}

// descending reports whether a pattern begins with the year and goes on to ever smaller units, each with all its digits.
func descending(pattern string) bool {
	order := "YmdHisf"
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' {
			continue
		}
		if i++; i == len(pattern) {
			return false
		}
		switch c := pattern[i]; {
		case c == 'T' && strings.HasPrefix(order, "His"):
			order = order[3:]
		case c == 'S' && strings.HasPrefix(order, "s"):
			order = order[1:]
		case order != "" && c == order[0]:
			order = order[1:]
		default:
			return false
		}
	}
	return order != "YmdHisf"
}

// dorisReadDate is str_to_date(text, pattern): a DATE when the pattern has no time.
func (b *binder) dorisReadDate(e *ast.Call, args []expr) expr {
	if len(args) == 2 && isTextConstant(args[1]) {
		pattern := args[1].(*constant).v.lo.Text()
		if p, ok := dorisFormats[pattern]; ok {
			pattern = p
		}
		f := patternReader(mysqlPattern).compile(pattern)
		if f != nil && !strings.Contains(pattern, "%y") {
			u := dorisKind(pruning.Date)
			if strings.ContainsAny(pattern, "HhIiklrSsTf") {
				u = dorisKind(pruning.Datetime)
			}
			fn := &function{name: "str_to_date", min: 1, max: 1, mayNull: true, result: takes("t", u.optional()),
				call: func(a *apply, args []value) value {
					c, ok := f.Parse(args[0].lo.Text())
					if !ok {
						return anything.orNull()
					}
					return withinCalendar(integer(c.Micros()), a.t)
				}}
			return b.call(e, fn, args[0])
		}
	}
	return &opaque{at: e, why: "the function " + e.Func.Text, args: args}
}

// dorisFromUnix is from_unixtime(seconds[, format]), a text.
func (b *binder) dorisFromUnix(e *ast.Call, args []expr) expr {
	pattern := "%Y-%m-%d %H:%i:%s"
	if len(args) == 2 && isTextConstant(args[1]) {
		pattern = args[1].(*constant).v.lo.Text()
	}
	write := dorisWrite("from_unixtime", pattern)
	if len(args) > 2 || len(args) == 2 && !isTextConstant(args[1]) || write == nil {
		return &opaque{at: e, t: dorisKind(pruning.String).optional(), why: "the function " + e.Func.Text, args: args}
	}
	seconds := &function{name: "from_unixtime", min: 1, max: 1, mayNull: true, result: takes("i", dorisKind(pruning.Datetime).optional()),
		span: strict(func(a *apply, t typ, x value) value {
			out := anything.orNull()
			if t.isInt() && x.bounded() && x.is&under == 0 {
				s, _ := spanOf(t.scalar.Kind, x)
				lo, ok1 := s.lo.mul(wide(1e6)).int64()
				hi, ok2 := s.hi.mul(wide(1e6)).int64()
				if ok1 && ok2 && lo >= 0 {
					out = withinCalendar(between(pruning.Int(lo), pruning.Int(hi)), a.t)
				}
			}
			return out
		})}
	return b.call(e, write, b.call(e, seconds, args[0]))
}

// dorisDiff is the whole units from y to x of days_diff(x, y), timestampdiff(unit, y, x); nil for other units.
func dorisDiff(unit string) *function {
	c, ok := calendarUnit(unit)
	if !ok {
		return nil
	}
	length := c.days*microsADay + c.micros
	return &function{name: unit + "s_diff", min: 2, max: 2, rise: "+-", result: takes("d", dorisKind(pruning.Int64)),
		call: func(a *apply, args []value) value {
			t, u := a.args[0].typ(), a.args[1].typ()
			if !t.isDate() || !u.isDate() || !inCalendar(t, args[0]) || !inCalendar(u, args[1]) {
				return anything
			}
			x, y := civilOf(t, args[0].lo), civilOf(u, args[1].lo)
			if c.months != 0 {
				return integer(monthsBetween(y, x) / c.months)
			}
			return integer((x.days*microsADay + x.micros - y.days*microsADay - y.micros) / length)
		}}
}
