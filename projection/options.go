package projection

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// Findings gathers what is wrong with one declaration, so that everything is told at once. The zero value is empty.
// Of very many errors the first hundred are kept, and so are as many warnings and notes.
type Findings struct {
	List   ast.Diagnostics
	counts [2]int // of errors and of all others
}

const mostFindings = 100

// Errorf adds an error about the text of at; hint says what to write instead and may be empty.
func (f *Findings) Errorf(code string, at ast.Node, hint, format string, args ...any) {
	f.add(ast.Error, code, at, hint, fmt.Sprintf(format, args...))
}

// Warnf adds a warning: the declaration is legal, but probably not meant so.
func (f *Findings) Warnf(code string, at ast.Node, hint, format string, args ...any) {
	f.add(ast.Warning, code, at, hint, fmt.Sprintf(format, args...))
}

// Notef adds a note.
func (f *Findings) Notef(code string, at ast.Node, hint, format string, args ...any) {
	f.add(ast.Note, code, at, hint, fmt.Sprintf(format, args...))
}

// Full reports whether so many errors were found that more would be dropped.
func (f *Findings) Full() bool { return f.counts[0] >= mostFindings }

func (f *Findings) add(sev ast.Severity, code string, at ast.Node, hint, msg string) {
	count := &f.counts[0]
	if sev != ast.Error {
		count = &f.counts[1]
	}
	if *count++; *count > mostFindings {
		return
	}
	f.List = append(f.List, &ast.Diagnostic{Severity: sev, Code: code, Pos: at.Pos(), End: at.End(), Msg: msg, Hint: hint})
}

// Setting is one key with its value.
type Setting struct{ Key, Value Text }

// Settings are settings in the order in which they are added, each key once.
type Settings struct {
	list  []Setting
	index map[string]int // by key; nil while there are few
}

// Grow makes room for n more, where so many are expected.
func (s *Settings) Grow(n int) { s.list = slices.Grow(s.list, n) }

// Add takes a setting; it is false when the key is there already, and the first one stays.
func (s *Settings) Add(st Setting) bool {
	const few = 16
	if s.find(st.Key.S) >= 0 {
		return false
	}
	s.list = append(s.list, st)
	switch n := len(s.list); {
	case s.index != nil:
		s.index[st.Key.S] = n - 1
	case n > few:
		s.index = make(map[string]int, 2*few)
		for i := range s.list {
			s.index[s.list[i].Key.S] = i
		}
	}
	return true
}

// find is the place of a key, or -1.
func (s *Settings) find(key string) int {
	if s.index == nil {
		for i := range s.list {
			if s.list[i].Key.S == key {
				return i
			}
		}
		return -1
	}
	if i, ok := s.index[key]; ok {
		return i
	}
	return -1
}

// Lookup finds a setting by its exact key, or gives nil. It is valid until the next Add.
func (s *Settings) Lookup(key string) *Setting {
	if i := s.find(key); i >= 0 {
		return &s.list[i]
	}
	return nil
}

// All are the settings in order, not to be changed.
func (s *Settings) All() []Setting { return s.list }

// Int reads a decimal whole number from lo to hi; leading zeros are fine, blanks and other signs than - aren't.
// name is what messages call the value, as in projection.year.min.
func (f *Findings) Int(code, name string, t Text, lo, hi int64) (int64, bool) {
	n, err := strconv.ParseInt(t.S, 10, 64)
	number := err == nil && t.S[0] != '+'
	switch {
	case t.S == "":
		f.Errorf(code, t, "write a whole number, for example 1", "%s is empty", name)
	case !number && !isDecimal(t.S):
		f.Errorf(code, t, "write a whole number, for example 12", "%s: %s is not a whole number", name, Quote(t.S))
	case !number && t.S[0] == '-', number && n < lo:
		f.Errorf(code, t, fmt.Sprintf("write at least %d", lo), "%s: %s is too small", name, Clip(t.S))
	case !number, n > hi:
		f.Errorf(code, t, fmt.Sprintf("write at most %d", hi), "%s: %s is too large", name, Clip(t.S))
	default:
		return n, true
	}
	return 0, false
}

// isDecimal reports whether s is an optional minus sign and digits, of any length.
func isDecimal(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// OneOf reads a word that must stand in words exactly, and gives its place there, or -1.
func (f *Findings) OneOf(code, name string, t Text, words []string) int {
	i := slices.Index(words, t.S)
	if i < 0 {
		f.Errorf(code, t, Known(t.S, words), "%s: %s is unknown", name, Quote(t.S))
	}
	return i
}

// DidYouMean is a hint that names the candidate that was probably meant by word, or "". A word may have been cut short:
// "csv" finds "csv_with_names".
func DidYouMean(word string, candidates []string) string {
	const shortest = 3
	if len(word) >= shortest {
		for _, c := range candidates {
			if len(c) > len(word) && strings.EqualFold(c[:len(word)], word) {
				return "did you mean " + c + "?"
			}
		}
	}
	if near, ok := ast.Nearest(word, candidates); ok {
		return "did you mean " + near + "?"
	}
	return ""
}

// Known is a hint that lists all candidates, the probable one first.
func Known(word string, candidates []string) string {
	all := strings.Join(candidates, ", ")
	if near := DidYouMean(word, candidates); near != "" {
		return near + " Known are " + all
	}
	if len(candidates) == 1 {
		return "write " + all
	}
	return "write one of " + all
}
