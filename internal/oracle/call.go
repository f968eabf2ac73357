package oracle

import (
	"math"
	"math/big"
	"regexp"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/ast"
)

// like turns the pattern into a regular expression.
func (r *Row) like(e *ast.Like) Value {
	x, pattern := r.eval(e.X), r.eval(e.Pattern)
	if x == nil || pattern == nil {
		return nil
	}
	escape := ""
	if e.Escape != nil {
		escape = r.eval(e.Escape).(string)
	}
	source := pattern.(string)
	switch e.Op {
	case ast.OpLike:
		source = "^(?s:" + likeSource(source, escape) + ")$"
	case ast.OpILike:
		source = "^(?is:" + likeSource(source, escape) + ")$"
	case ast.OpMatch:
		source = "^(?:" + source + ")$"
	case ast.OpRegexp, ast.OpRLike:
	default:
		fail("%s", e.Op)
	}
	return regexp.MustCompile(source).MatchString(x.(string))
}

func likeSource(pattern, escape string) string {
	var b strings.Builder
	escaped := false
	for _, c := range pattern {
		switch {
		case escaped:
			b.WriteString(regexp.QuoteMeta(string(c)))
			escaped = false
		case string(c) == escape:
			escaped = true
		case c == '%':
			b.WriteString(".*")
		case c == '_':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	return b.String()
}

func (r *Row) call(e *ast.Call) Value {
	if e.Callee != nil {
		return r.apply(e)
	}
	name := strings.ToLower(e.Func.Text)
	args := make([]Value, len(e.Args))
	for i, a := range e.Args {
		args[i] = r.eval(a.X)
	}
	if e.Module.Text != "" {
		return r.module(e.Module.Text+"::"+e.Func.Text, args)
	}
	switch name {
	case "coalesce", "nvl":
		return coalesce(args...)
	case "if":
		switch {
		case args[0] == true:
			return args[1]
		case len(args) > 2:
			return args[2]
		}
		return nil
	case "nullif":
		if compare(ast.OpEq, args[0], args[1]) == true {
			return nil
		}
		return args[0]
	case "astuple":
		return Tuple(args)
	case "aslist":
		return List(args)
	case "currentutcdate":
		return Date(r.Now.Unix() / 86400)
	}
	for _, x := range args {
		if x == nil {
			return nil
		}
	}
	return plain(name, args)
}

// apply calls a lambda, or formats a date.
func (r *Row) apply(e *ast.Call) Value {
	switch f := e.Callee.(type) {
	case *ast.Param:
		if l, ok := r.Names[f.Name].(*ast.Lambda); ok {
			return r.lambda(l, e.Args)
		}
	case *ast.Call:
		if f.Module.Text+f.Func.Text == "DateTimeFormat" {
			return formatted(r.eval(f.Args[0].X).(string), r.eval(e.Args[0].X))
		}
	}
	fail("call of %T", e.Callee)
	return nil
}

func (r *Row) lambda(l *ast.Lambda, args []ast.Arg) Value {
	in := *r
	in.Args = map[string]Value{}
	for i, p := range l.Params {
		in.Args[p.Name] = nil
		if i < len(args) {
			in.Args[p.Name] = r.eval(args[i].X)
		}
	}
	for _, let := range l.Lets {
		in.Args[let.Names[0].Name] = in.eval(let.X)
	}
	return in.eval(l.Body)
}

func formatted(pattern string, v Value) Value {
	if v == nil {
		return nil
	}
	us, ok := micros(v)
	if !ok {
		fail("format of %T", v)
	}
	layout := strings.NewReplacer("%Y", "2006", "%m", "01", "%d", "02", "%H", "15", "%M", "04", "%S", "05").Replace(pattern)
	return time.UnixMicro(us).UTC().Format(layout)
}

// plain are functions that are NULL when an argument is.
func plain(name string, args []Value) Value {
	switch name {
	case "length", "len":
		return Int{big.NewInt(int64(len(args[0].(string)))), 32, true}
	case "startswith":
		return strings.HasPrefix(args[0].(string), args[1].(string))
	case "endswith":
		return strings.HasSuffix(args[0].(string), args[1].(string))
	case "find":
		if i := strings.Index(args[0].(string), args[1].(string)); i >= 0 {
			return Int{big.NewInt(int64(i)), 32, true}
		}
		return nil
	case "substring":
		s := args[0].(string)
		if len(args) == 1 {
			return s
		}
		from := min(args[1].(Int).N.Int64(), int64(len(s)))
		to := int64(len(s))
		if len(args) > 2 {
			to = min(to, from+args[2].(Int).N.Int64())
		}
		return s[from:to]
	case "abs":
		if f, ok := args[0].(float64); ok {
			return math.Abs(f)
		}
		i := args[0].(Int)
		i.N = new(big.Int).Abs(i.N)
		return i.wrap()
	case "min_of", "max_of":
		out := args[0]
		for _, x := range args[1:] {
			if c := order(x, out); name == "min_of" && c < 0 || name == "max_of" && c > 0 {
				out = x
			}
		}
		return out
	case "listhas":
		for _, x := range args[0].(List) {
			if x == nil {
				fail("NULL in a list")
			}
			if order(x, args[1]) == 0 {
				return true
			}
		}
		return false
	case "rfind":
		if i := strings.LastIndex(args[0].(string), args[1].(string)); i >= 0 {
			return Int{big.NewInt(int64(i)), 32, true}
		}
		return nil
	case "unwrap", "just":
		return args[0]
	}
	return typed(name, args)
}

// typed is Date("2021-01-01") and the like.
func typed(name string, args []Value) Value {
	switch name {
	case "interval":
		d, err := time.ParseDuration(strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(args[0].(string), "P"), "T")))
		days, found := strings.CutSuffix(strings.TrimPrefix(args[0].(string), "P"), "D")
		if found {
			n, ok := new(big.Int).SetString(days, 10)
			if !ok {
				fail("interval %v", args[0])
			}
			return Interval(n.Int64() * 86400e6)
		}
		if err != nil {
			fail("interval %v", args[0])
		}
		return Interval(d.Microseconds())
	case "date", "datetime", "timestamp", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "string", "utf8":
		return cast(args[0], name)
	}
	fail("function %s", name)
	return nil
}

func (r *Row) module(name string, args []Value) Value {
	for _, x := range args {
		if x == nil {
			return nil
		}
	}
	if module, _, _ := strings.Cut(name, "::"); module == "DateTime" {
		return dateTime(strings.TrimPrefix(name, "DateTime::"), args)
	}
	s, _ := args[0].(string)
	switch name {
	case "String::AsciiToUpper":
		return asciiCase(s, 'a', 'z', 'A')
	case "String::AsciiToLower":
		return asciiCase(s, 'A', 'Z', 'a')
	case "String::Contains":
		return strings.Contains(s, args[1].(string))
	case "String::HasPrefix":
		return strings.HasPrefix(s, args[1].(string))
	case "String::ReplaceAll":
		return strings.ReplaceAll(s, args[1].(string), args[2].(string))
	case "String::LeftPad":
		for len(s) < int(args[1].(Int).N.Int64()) {
			s = args[2].(string) + s
		}
		return s
	case "Unicode::GetLength":
		return Int{big.NewInt(int64(len([]rune(s)))), 64, true}
	}
	fail("function %s", name)
	return nil
}

// asciiCase moves the letters first … last to those from to on.
func asciiCase(s string, first, last, to byte) string {
	b := []byte(s)
	for i, c := range b {
		if first <= c && c <= last {
			b[i] = c - first + to
		}
	}
	return string(b)
}

// dateTime are functions on dates, by package time.
func dateTime(name string, args []Value) Value {
	small := func(n int) Value { return Int{big.NewInt(int64(n)), 16, true} }
	units := map[string]int64{"Days": 86400e6, "Hours": 3600e6, "Minutes": 60e6, "Seconds": 1e6}
	if n, ok := args[0].(Int); ok {
		if unit, ok := units[strings.TrimPrefix(name, "IntervalFrom")]; ok {
			return inInterval(new(big.Int).Mul(n.N, big.NewInt(unit)))
		}
	}
	if i, ok := args[0].(Interval); ok {
		if unit, ok := units[strings.TrimPrefix(name, "To")]; ok {
			return Int{big.NewInt(int64(i) / unit), 64, false}
		}
	}
	us, ok := micros(args[0])
	if !ok {
		fail("DateTime::%s of %T", name, args[0])
	}
	t := time.UnixMicro(us).UTC()
	midnight := func(y int, m time.Month, d int) Value {
		return dateLike(Timestamp(0), time.Date(y, m, d, 0, 0, 0, 0, time.UTC).UnixMicro())
	}
	switch name {
	case "GetYear":
		return small(t.Year())
	case "GetMonth":
		return small(int(t.Month()))
	case "GetDayOfMonth":
		return small(t.Day())
	case "GetDayOfYear":
		return small(t.YearDay())
	case "GetDayOfWeek":
		return small((int(t.Weekday())+6)%7 + 1)
	case "GetWeekOfYearIso8601":
		_, week := t.ISOWeek()
		return small(week)
	case "GetHour":
		return small(t.Hour())
	case "GetMonthName":
		return t.Month().String()
	case "GetDayOfWeekName":
		return t.Weekday().String()
	case "TimeOfDay":
		return Interval(us - t.Unix()/86400*86400e6)
	case "MakeDate":
		return Date(t.Unix() / 86400)
	case "MakeDatetime":
		return Datetime(t.Unix())
	case "StartOfYear":
		return midnight(t.Year(), 1, 1)
	case "StartOfQuarter":
		return midnight(t.Year(), (t.Month()-1)/3*3+1, 1)
	case "StartOfMonth":
		return midnight(t.Year(), t.Month(), 1)
	case "StartOfWeek":
		return midnight(t.Year(), t.Month(), t.Day()-(int(t.Weekday())+6)%7)
	case "ShiftMonths", "ShiftYears":
		n := int(args[1].(Int).N.Int64())
		if name == "ShiftYears" {
			n *= 12
		}
		first := time.Date(t.Year(), t.Month()+time.Month(n), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
		last := first.AddDate(0, 1, -1).Day()
		return dateLike(Timestamp(0), first.AddDate(0, 0, min(t.Day(), last)-1).UnixMicro())
	case "ToSeconds":
		return Int{big.NewInt(t.Unix()), 32, true}
	}
	fail("function DateTime::%s", name)
	return nil
}
