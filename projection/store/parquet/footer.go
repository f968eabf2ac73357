// Package parquet reads the columns of Parquet files from their footers, for programs.
package parquet

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/encoding/thrift"

	"github.com/yqlplan/yqlplan/projection/store"
)

const (
	tail    = 32 << 10 // bytes that are read first: they hold most footers
	longest = 16 << 20 // footer
	ending  = 8        // bytes behind the footer: its length, PAR1
)

// Error is why the columns of a file aren't known.
type Error struct {
	Key  string
	What string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("the footer of %q: %s", e.Key, e.What) }

func (e *Error) Unwrap() error { return e.Err }

// Columns gives the columns of a file with the types that DuckDB has for them, in one or two reads: {"amount", "DOUBLE"}.
// Lists, maps and structs are one column each. The error is an [Error], or one of r; [errors.ErrUnsupported] for files whose
// size isn't known.
func Columns(ctx context.Context, r store.Reader, file store.Entry) ([]store.Column, error) {
	footer, err := read(ctx, r, file)
	if err != nil {
		return nil, err
	}
	elements, err := decode(footer)
	if err != nil {
		return nil, &Error{file.Key, "it is broken: " + err.Error(), err}
	}
	columns, ok := columnsOf(elements)
	if !ok {
		return nil, &Error{Key: file.Key, What: "its schema is no tree of columns"}
	}
	return columns, nil
}

// read reads a footer.
func read(ctx context.Context, r store.Reader, file store.Entry) ([]byte, error) {
	switch {
	case file.Size < 0: // as in recorded listings
		return nil, errors.ErrUnsupported
	case file.Size < ending+4:
		return nil, &Error{Key: file.Key, What: "the file is too short for one"}
	}
	end := make([]byte, min(file.Size, tail))
	if err := r.ReadAt(ctx, file.Key, end, file.Size-int64(len(end))); err != nil {
		return nil, err
	}
	body := end[:len(end)-ending]
	n := int64(binary.LittleEndian.Uint32(end[len(body):]))
	switch magic := string(end[len(end)-4:]); {
	case magic == "PARE":
		return nil, &Error{Key: file.Key, What: "it is encrypted"}
	case magic != "PAR1":
		return nil, &Error{Key: file.Key, What: "the file doesn't end as Parquet files do"}
	case n > file.Size-ending-4:
		return nil, &Error{Key: file.Key, What: "it is broken: it is longer than the file"}
	case n > longest:
		return nil, &Error{Key: file.Key, What: fmt.Sprintf("it is longer than %d bytes", longest)}
	case n <= int64(len(body)):
		return body[int64(len(body))-n:], nil
	}
	footer := make([]byte, n)
	front := footer[:n-int64(len(body))]
	if err := r.ReadAt(ctx, file.Key, front, file.Size-ending-n); err != nil {
		return nil, err
	}
	copy(footer[len(front):], body)
	return footer, nil
}

// decode reads the schema out of a footer.
func decode(footer []byte) ([]element, error) {
	var meta struct {
		Schema []element `thrift:"2,required"`
	}
	err := thrift.NewDecoder(&guard{BytesReader: new(thrift.CompactProtocol).NewReaderFromBytes(footer), size: len(footer)}).Decode(&meta)
	return meta.Schema, err
}
