package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Reader is a Lister whose objects can be read, a range of bytes at a time.
type Reader interface {
	Lister
	// ReadAt fills p with the bytes of an object from off on. The error is [errors.ErrUnsupported] where objects can only be
	// listed. A Reader counts what it reads by [Read].
	ReadAt(ctx context.Context, key string, p []byte, off int64) error
}

// Column is a column that a file tells to have, with its type as DuckDB names it: {"amount", "DECIMAL(10,2)"}.
type Column struct{ Name, Type string }

// Read counts a range of bytes that is read in the meters of ctx.
func Read(ctx context.Context) {
	for m := metersOf(ctx); m != nil; m = m.outer {
		m.reads.Add(1)
	}
}

// ReadError is an object that can't be read.
type ReadError struct {
	Key string
	Err error
}

func (e *ReadError) Error() string { return fmt.Sprintf("reading %q: %v", e.Key, e.Err) }

func (e *ReadError) Unwrap() error { return e.Err }

// ReadAt implements [Reader], for files that can be read from any place.
func (f FS) ReadAt(ctx context.Context, key string, p []byte, off int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	Read(ctx)
	err := f.readAt(key, p, off)
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	if err != nil {
		return &ReadError{key, err}
	}
	return nil
}

func (f FS) readAt(key string, p []byte, off int64) error {
	opened, err := f.Files.Open(key)
	if err != nil {
		return err
	}
	defer opened.Close()
	at, ok := opened.(io.ReaderAt)
	if !ok {
		return errors.ErrUnsupported
	}
	n, err := at.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	return err
}

// ReadAt implements [Reader] where Lister is one.
func (r Rooted) ReadAt(ctx context.Context, key string, p []byte, off int64) error {
	inner, ok := r.Lister.(Reader)
	if !ok {
		return errors.ErrUnsupported
	}
	return inner.ReadAt(ctx, strings.TrimPrefix(key, r.Root), p, off)
}
