package ast

// Format lays out statements, each with a semicolon, and puts the comments back: one that stood behind something on its
// line goes to the end of the line that this is printed on, any other before what followed it.
func Format(stmts []Stmt, comments []Comment, st Style) string {
	p := printer{Style: st, comments: comments}
	for i, s := range stmts {
		if i > 0 && (!short(s) || !short(stmts[i-1])) {
			p.blankLine()
		}
		p.line(s.Pos())
		p.stmt(s)
		p.add(";")
		p.flush(s.End())
		for len(p.comments) > 0 && p.comments[0].Trailing && (i+1 == len(stmts) || p.comments[0].From < stmts[i+1].Pos()) {
			p.flush(p.comments[0].From + 1)
		}
	}
	if len(p.comments) > 0 {
		if len(stmts) > 0 && !p.comments[0].Trailing {
			p.blankLine()
		}
		p.flush(p.comments[len(p.comments)-1].To)
	}
	if n := len(p.dst); n > 0 && p.dst[n-1] != '\n' {
		p.add("\n")
	}
	return string(p.dst)
}

// short reports whether a statement is a line that stands well right below another: a name, a setting.
func short(s Stmt) bool {
	switch s := s.(type) {
	case *Declare, *Pragma, *Other:
		return true
	case *Let:
		return s.Query == nil
	}
	return false
}

// blankLine ends the line and leaves one empty.
func (p *printer) blankLine() {
	if n := len(p.dst); n > 0 && p.dst[n-1] != '\n' {
		p.add("\n")
	}
	p.add("\n")
	p.start = len(p.dst)
}
