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
