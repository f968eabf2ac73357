package datefmt

import "slices"

// builder collects the operations of a pattern.
type builder struct {
	ops  []op
	text []byte // fixed text since the last field
}

func (b *builder) literal(s string) { b.text = append(b.text, s...) }

func (b *builder) add(o op) {
	b.flush()
	b.ops = append(b.ops, o)
}

// flush ends the fixed text.
func (b *builder) flush() {
	if len(b.text) > 0 {
		b.ops = append(b.ops, op{lit: string(b.text)})
		b.text = b.text[:0]
	}
}

// format finishes the pattern.
func (b *builder) format(pattern string, base int32) *Format {
	b.flush()
	f := &Format{pattern: pattern, ops: slices.Clip(b.ops), base: base, plain: true}
	for i := range f.ops {
		if _, ok := f.reserved(i); !ok {
			f.plain = false
		}
	}
	f.framed()
	return f
}

// fixed reports whether the operation writes the same number of bytes for all years from 1000 to 9999.
func (o *op) fixed() bool {
	t := o.trait()
	switch o.field {
	case literal, monthShort, weekdayShort, halfDay:
		return true
	case year, isoYear:
		return o.width <= 4 || o.pad != 0
	case weekdaySunday, weekdayMonday, fraction:
		return true
	case monthLong, weekdayLong, epoch:
		return false
	}
	return o.pad != 0 && o.width >= t.width
}

// size is the number of bytes that a fixed operation writes.
func (o *op) size() int {
	switch o.field {
	case literal:
		return len(o.lit)
	case halfDay:
		return 2
	case monthShort, weekdayShort:
		return 3
	}
	return int(max(o.width, o.trait().width))
}

// Width is the length of the texts of all years from 1000 to 9999, when they are of one length.
func (f *Format) Width() (n int, fixed bool) {
	for i := range f.ops {
		if !f.ops[i].fixed() {
			return 0, false
		}
		n += f.ops[i].size()
	}
	return n, true
}

// reserved tells how many digits behind operation i belong to the operations that follow it, which a reader must know
// when i is a number of any length ("yyyyMdd": 2). ok is false when it can't be told where the number ends.
func (f *Format) reserved(i int) (n int, ok bool) {
	if f.ops[i].fixed() || f.ops[i].isName() {
		return 0, true
	}
	for _, o := range f.ops[i+1:] {
		switch {
		case o.isName() || o.field == literal && !isDigit(o.lit[0]):
			return n, true
		case o.field == literal || !o.fixed() || o.pad == ' ':
			return 0, false
		}
		n += o.size()
	}
	return n, true
}

func (o *op) isName() bool {
	list, _, _ := o.names()
	return list != nil
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
