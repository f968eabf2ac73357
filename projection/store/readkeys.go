package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// FormatError says why a text is no recorded listing.
type FormatError struct{ Msg, Advice string }

func (e *FormatError) Error() string { return e.Msg }

// Hint says how to write one.
func (e *FormatError) Hint() string { return e.Advice }

// ReadKeys reads a recorded listing: one key a line, or, when the first character is "[", a JSON array of strings.
// Empty lines are skipped. The error is a [FormatError] or one of r.
func ReadKeys(r io.Reader) (*Keys, error) {
	text := new(strings.Builder)
	if _, err := io.Copy(text, r); err != nil {
		return nil, err
	}
	s := strings.TrimPrefix(text.String(), "\ufeff")
	var keys []string
	var err error
	if strings.HasPrefix(strings.TrimLeftFunc(s, unicode.IsSpace), "[") {
		keys, err = keysOfArray(s)
	} else {
		keys, err = keysOfLines(s)
	}
	if err != nil {
		return nil, err
	}
	return NewKeys(keys), nil
}

func keysOfArray(s string) (keys []string, err error) {
	err = json.Unmarshal([]byte(s), &keys)
	if err == nil {
		return keys, nil
	}
	why := err.Error()
	if t := (*json.UnmarshalTypeError)(nil); errors.As(err, &t) {
		why = fmt.Sprintf("it holds a value of type %s, ending at byte %d", t.Value, t.Offset)
	} else if x := (*json.SyntaxError)(nil); errors.As(err, &x) {
		why = fmt.Sprintf("%v, at byte %d", err, x.Offset)
	}
	return nil, &FormatError{"not a JSON array of strings: " + why, `write ["a/1", "a/2"], or one key a line`}
}

func keysOfLines(s string) ([]string, error) {
	if err := checkText(s); err != nil {
		return nil, err
	}
	keys := make([]string, 0, strings.Count(s, "\n")+1)
	number, uris := 0, false
	for line := range strings.Lines(s) {
		number++
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			continue
		}
		uri := isURI(line)
		if len(keys) == 0 {
			uris = uri
		}
		switch {
		case !uris && hasScheme(line):
			return nil, &FormatError{fmt.Sprintf("line %d: an object's key is wanted, not a URL", number), "leave out what stands before the key, such as s3://bucket/"}
		case uris && !uri:
			return nil, &FormatError{fmt.Sprintf("line %d: a URL is wanted, as in the lines before", number), "write s3://bucket/key in all lines or in none"}
		}
		keys = append(keys, line)
	}
	return keys, nil
}

// checkText looks for what other programs write where keys are meant.
func checkText(s string) error {
	first, _, _ := strings.Cut(strings.TrimLeftFunc(s, unicode.IsSpace), "\n")
	object, isObject := strings.CutPrefix(first, "{")
	switch {
	case strings.ContainsRune(s[:min(len(s), 4096)], 0):
		return &FormatError{"not a text", "write one key a line as UTF-8, not compressed"}
	case isObject && strings.HasPrefix(strings.TrimSpace(object+`"`), `"`):
		return &FormatError{"JSON objects aren't keys", "give the keys alone: aws s3api list-objects-v2 --bucket BUCKET --query 'Contents[].Key'"}
	case isLongListing(first):
		return &FormatError{"it has dates and sizes beside the keys", "give the keys alone: aws s3 ls --recursive s3://BUCKET | cut -c32-"}
	}
	return nil
}

// isURI reports whether a line is the whole URI of an object, as tables of Athena want it.
func isURI(line string) bool {
	scheme, _, ok := strings.Cut(line, "://")
	return ok && slices.Contains([]string{"s3", "s3a", "s3n"}, scheme)
}

// hasScheme reports whether a line begins like a URL.
func hasScheme(line string) bool {
	scheme, _, ok := strings.Cut(line[:min(len(line), 16)], "://")
	return ok && scheme != "" && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// isLongListing reports whether a line is one of aws s3 ls: 2024-05-01 12:00:00       1234 a/1.
func isLongListing(line string) bool {
	const shape = "0000-00-00 00:00:00 "
	if len(line) < len(shape) {
		return false
	}
	for i, want := range []byte(shape) {
		c := line[i]
		if digit := '0' <= c && c <= '9'; digit != (want == '0') || !digit && c != want {
			return false
		}
	}
	return true
}
