package store

import (
	"errors"
	"fmt"
	"io/fs"
)

// ListError is a listing that failed.
type ListError struct {
	Prefix string
	Err    error
}

func (e *ListError) Error() string { return fmt.Sprintf("listing %q: %v", e.Prefix, e.Err) }

func (e *ListError) Unwrap() error { return e.Err }

// Hint says what to do about it, or is empty.
func (e *ListError) Hint() string {
	var h interface{ Hint() string }
	switch {
	case errors.As(e.Err, &h):
		return h.Hint()
	case errors.Is(e.Err, fs.ErrPermission):
		return "have the directory made readable, or give a recorded listing"
	}
	return ""
}

// listError wraps what went wrong below prefix. Paths in errors of the file system only repeat it.
func listError(prefix string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	return &ListError{prefix, err}
}
