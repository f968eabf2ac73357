// Package store lists objects: recorded key lists, file trees, and (in s3store) S3.
package store

import (
	"context"
	"iter"
	"time"
)

// Entry is an object, or a directory whose Key ends in "/".
type Entry struct {
	Key      string
	Size     int64 // bytes; -1 when unknown
	Modified time.Time
}

// Lister lists what lies below a prefix.
type Lister interface {
	// List yields what lies directly below prefix, in byte order; directories end in "/". deep: every object below instead.
	List(ctx context.Context, prefix string, deep bool) iter.Seq2[Entry, error]
}

// Tree is a Lister that can tell whether a deep listing reads directory by directory, as in a file system. Otherwise it
// costs a request for each 1,000 objects, wherever they lie.
type Tree interface {
	Lister
	Tree() bool
}
