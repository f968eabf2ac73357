package planner

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

func scalar(k pruning.Kind) typ {
	t := typ{shape: scalarShape, scalar: pruning.Type{Kind: k}, notNull: true}
	if k == pruning.Timestamp {
		t.scalar.Precision = 6
	}
	return t
}

func listOf(item typ) typ { return composed(listShape, []typ{item}) }

// maxTypes bounds the types that a composite one is made of: names let it double with every line.
const maxTypes = 1 << 20

// composed is a type made of others; unknown when that is too large.
func composed(s shape, items []typ) typ {
	t := typ{shape: s, items: items, size: 1, notNull: true}
	for i := range items {
		t.size += 1 + items[i].size
	}
	if t.size > maxTypes {
		return typ{notNull: true}
	}
	return t
}

func (t typ) optional() typ          { t.notNull = false; return t }
func (t typ) named(name string) typ  { t.name = name; return t }
func (t typ) is(k pruning.Kind) bool { return t.shape == scalarShape && t.scalar.Kind == k }
func (t typ) isBool() bool           { return t.is(pruning.Bool) }
func (t typ) isText() bool           { return t.is(pruning.String) }
func (t typ) isInt() bool            { return t.shape == scalarShape && isInt(t.scalar.Kind) }
func (t typ) isNumber() bool         { return t.shape == scalarShape && isNumber(t.scalar.Kind) }
func (t typ) isDate() bool           { return t.shape == scalarShape && isDate(t.scalar.Kind) }
func (t typ) isOpen() bool           { return t.shape == anyShape || t.shape == nullShape }

// sameScalar: both are scalars of one type.
func (t typ) sameScalar(u typ) bool {
	return t.shape == scalarShape && u.shape == scalarShape && t.scalar == u.scalar
}

// sameValues: what stands in a value of type t means the same in one of type u. It is sameScalar for all types.
func (t typ) sameValues(u typ) bool {
	switch {
	case t.shape != u.shape: // NULL, or a value that is never looked at
		return true
	case t.scalar != u.scalar || len(t.items) != len(u.items):
		return false
	}
	for i := range t.items {
		if !t.items[i].sameValues(u.items[i]) {
			return false
		}
	}
	return true
}

// sameResult: an operation that has its result type from elsewhere, as CAST has, gives the same with both.
func (t typ) sameResult(u typ) bool {
	return t.shape == u.shape && t.scalar == u.scalar && t.length == u.length && t.wide == u.wide && t.zone == u.zone && t.name == u.name
}

func (t typ) orNull(other typ) typ { t.notNull = t.notNull && other.notNull; return t }

// nullIf is t, nullable when one of the arguments is: the type of a function that gives NULL for NULL.
func (t typ) nullIf(args []expr) typ {
	for _, a := range args {
		t.notNull = t.notNull && a.typ().neverNull()
	}
	return t
}

// neverNull: no NULL is in a value of the type either, as it may be in tuples and lists.
func (t typ) neverNull() bool {
	for _, x := range t.items {
		if !x.neverNull() {
			return false
		}
	}
	return t.notNull
}

// String names the type in messages: as it was written, else in pruning's notation.
func (t typ) String() string { return string(t.appendName(nil)) }

// shownType is how much of a type is shown, in bytes, about.
const shownType = 100

func (t typ) appendName(dst []byte) []byte {
	switch {
	case t.name != "":
		return append(dst, t.name...)
	case t.shape == scalarShape:
		return append(dst, scalarName(t.scalar)...)
	}
	dst = append(dst, [...]string{anyShape: "a value of unknown type", nullShape: "NULL", listShape: "List", tupleShape: "Tuple",
		structShape: "Struct", dictShape: "Dict", lambdaShape: "a lambda", calendarShape: "INTERVAL"}[t.shape]...)
	if len(t.items) == 0 {
		return dst
	}
	sep := byte('<')
	for _, x := range t.items {
		dst, sep = append(dst, sep), ','
		if len(dst) > shownType {
			dst = append(dst, "…"...)
			break
		}
		dst = x.appendName(dst)
	}
	return append(dst, '>')
}

// scalarName is YQL's name of a type, which others understand as well.
func scalarName(t pruning.Type) string {
	switch t.Kind {
	case pruning.Float32:
		return "Float"
	case pruning.Float64:
		return "Double"
	case pruning.Timestamp:
		return "Timestamp"
	}
	name := t.String()
	return strings.ToUpper(name[:1]) + name[1:]
}

// common is the type of a value that is of type t or of type u, such as the branches of IF; ok is false when there is
// none. Numbers of different types have none here that keeps every value: the result is unknown then.
func common(t, u typ) (typ, bool) {
	switch {
	case t.shape == nullShape:
		return u.optional(), true
	case u.shape == nullShape:
		return t.optional(), true
	case t.shape == anyShape || u.shape == anyShape:
		return typ{}, true
	case t.shape != u.shape:
		return typ{}, false
	case t.shape == scalarShape:
		return commonScalar(t, u)
	case len(t.items) != len(u.items):
		return typ{}, t.shape == listShape
	case !slices.Equal(t.names, u.names):
		return typ{}, true
	}
	out := t.orNull(u)
	out.name = ""
	out.items = make([]typ, len(t.items))
	for i := range t.items {
		var ok bool
		if out.items[i], ok = common(t.items[i], u.items[i]); !ok {
			return typ{}, false
		}
	}
	return out, true
}

func commonScalar(t, u typ) (typ, bool) {
	switch {
	case t.zone != nil || u.zone != nil:
		return typ{}, true
	case t.scalar == u.scalar:
		if t.wide || u.name == "Utf8" {
			t.name, t.wide = cmpName(t, u), t.wide || u.wide
		}
		return t.orNull(u), true
	case isInt(t.scalar.Kind) && isInt(u.scalar.Kind):
		return commonInt(t, u).orNull(t).orNull(u), true
	case t.isNumber() && u.isNumber() && (isFloat(t.scalar.Kind) || isFloat(u.scalar.Kind)):
		return scalar(pruning.Float64).orNull(t).orNull(u), true
	case t.isDate() && u.isDate():
		if t.scalar.Kind < u.scalar.Kind {
			t, u = u, t
		}
		t.wide = t.wide || u.wide
		return t.orNull(u), true
	}
	return typ{}, t.isNumber() && u.isNumber()
}

// cmpName keeps a common name only.
func cmpName(t, u typ) string {
	if t.name == u.name {
		return t.name
	}
	return ""
}

// commonInt is the narrower type that holds both, Int64 for Int32 and Uint32; unknown for Uint64 and a signed one.
func commonInt(t, u typ) typ {
	a, b := t.scalar.Kind, u.scalar.Kind
	if isUnsigned(a) == isUnsigned(b) {
		if width(a) < width(b) {
			return scalar(b)
		}
		return scalar(a)
	}
	if isUnsigned(b) {
		a, b = b, a
	}
	for _, k := range []pruning.Kind{pruning.Int8, pruning.Int16, pruning.Int32, pruning.Int64} {
		if width(k) > width(a) && width(k) >= width(b) {
			return scalar(k)
		}
	}
	return typ{}
}

// columnType is the type of a table's column.
func (b *binder) columnType(c *projection.Column) typ {
	t := typ{shape: scalarShape, scalar: c.Type, notNull: !c.Nullable, name: strings.TrimSuffix(c.Declared, "?")}
	if c.Type.Kind == pruning.NoKind {
		t.shape = anyShape
	}
	t.wide = !b.sem.narrowDates || isWide(c.Declared)
	return t
}

// isWide recognises Date32, Datetime64, Timestamp64 and Interval64.
func isWide(name string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, "?"))
	switch name {
	case "date32", "datetime64", "timestamp64", "interval64":
		return true
	}
	return false
}

// writtenType resolves a type in the text: the error bind.type when it is none of the dialect.
func (b *binder) writtenType(t *ast.Type) typ {
	s, known := projection.ResolveType(b.sem.dialect, t)
	if !known {
		if !b.sem.lenient {
			b.errorf(t, "bind.type", "", "%s is not a type", t.Name.Text)
		}
		return typ{}
	}
	core, notNull := t, !t.Optional && b.sem.strictNull
	for strings.EqualFold(core.Name.Text, "optional") && len(core.Args) == 1 {
		core, notNull = core.Args[0].Type, false
	}
	if s.Kind == pruning.NoKind {
		return typ{notNull: notNull}
	}
	return typ{shape: scalarShape, scalar: s, length: textLength(core), wide: !b.sem.narrowDates || isWide(core.Name.Text), notNull: notNull, name: core.Name.Text}
}

// textLength is n of varchar(n).
func textLength(t *ast.Type) int {
	switch strings.ToLower(t.Name.Text) {
	case "char", "character", "binary", "varbinary":
		return -1
	}
	if len(t.Params) == 1 {
		if n, err := strconv.Atoi(t.Params[0].Text); err == nil {
			return n
		}
	}
	return 0
}
