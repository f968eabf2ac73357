package s3store

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/yqlplan/yqlplan/projection/store"
)

var (
	errNoListing = errors.New("the answer isn't a listing")
	errStuck     = errors.New("the listing makes no progress")
	errUnordered = errors.New("the keys aren't in byte order")
)

// mostIdle is how many pages in a row may bring nothing new before a listing counts as stuck.
const mostIdle = 100

// cursor reads a listing page by page.
type cursor struct {
	s      *Store
	prefix string // as the server knows it
	deep   bool
	start  string // only keys behind it are wanted
	end    string // and only up to this one; "": all
	token  *string
	done   bool

	last   string        // the last key told, as the server knows it
	before []store.Entry // the page that it was in
	idle   int           // pages since that brought nothing new
	tokens map[string]bool
}

// cursor starts a listing.
func (s *Store) cursor(prefix string, deep bool) *cursor {
	return &cursor{s: s, prefix: s.Prefix + prefix, deep: deep}
}

// from starts another listing of the same objects, of the keys behind start up to end.
func (c *cursor) from(start, end string) *cursor {
	return &cursor{s: c.s, prefix: c.prefix, deep: c.deep, start: start, end: end, last: start}
}

// next reads a page: entries behind all those before it, without directory markers. It may be empty.
func (c *cursor) next(ctx context.Context) ([]store.Entry, error) {
	in := &s3.ListObjectsV2Input{Prefix: &c.prefix, ContinuationToken: c.token}
	if !c.deep {
		in.Delimiter = aws.String("/")
	}
	if c.start != "" {
		in.StartAfter = &c.start
	}
	out, err := c.s.fetch(ctx, in)
	if err != nil {
		return nil, err
	}
	page, err := c.entries(out)
	if err != nil {
		return nil, err
	}
	fresh, err := c.fresh(page)
	if err != nil {
		return nil, err
	}
	if err := c.advance(out, len(fresh) > 0); err != nil {
		return nil, err
	}
	if c.end != "" && c.last > c.end {
		n, _ := slices.BinarySearchFunc(fresh, c.end+"\x00", compareKey)
		fresh, c.done = fresh[:n], true
	}
	return c.tell(fresh), nil
}

// entries are what an answer holds, in byte order and each once. Keys are as the server knows them.
func (c *cursor) entries(out *s3.ListObjectsV2Output) ([]store.Entry, error) {
	if out.Name == nil && out.IsTruncated == nil && out.KeyCount == nil && len(out.Contents) == 0 && len(out.CommonPrefixes) == 0 {
		return nil, errNoListing
	}
	page := make([]store.Entry, 0, len(out.Contents)+len(out.CommonPrefixes))
	for _, o := range out.Contents {
		if key, ok := c.name(aws.ToString(o.Key), out.EncodingType); ok && strings.HasSuffix(key, "/") {
			page = append(page, store.Entry{Key: key, Size: -1})
		} else if ok {
			page = append(page, store.Entry{Key: key, Size: aws.ToInt64(o.Size), Modified: aws.ToTime(o.LastModified)})
		}
	}
	for _, p := range out.CommonPrefixes {
		if key, ok := c.name(aws.ToString(p.Prefix), out.EncodingType); ok {
			page = append(page, store.Entry{Key: key, Size: -1})
		}
	}
	slices.SortFunc(page, func(a, b store.Entry) int { return strings.Compare(a.Key, b.Key) })
	return slices.CompactFunc(page, func(a, b store.Entry) bool { return a.Key == b.Key }), nil
}

// name is the key of an entry; ok is false for one that wasn't asked for. A directory may be told by a key below it, its
// marker.
func (c *cursor) name(key string, encoding types.EncodingType) (name string, ok bool) {
	if encoding == types.EncodingTypeUrl {
		if plain, err := url.QueryUnescape(key); err == nil {
			key = plain
		}
	}
	below, ok := strings.CutPrefix(key, c.prefix)
	if i := strings.IndexByte(below, '/'); i >= 0 && !c.deep {
		key = key[:len(c.prefix)+i+1]
	}
	return key, ok
}

// fresh are the entries of a page behind the last one. Some servers tell a directory, or a whole page, again.
func (c *cursor) fresh(page []store.Entry) ([]store.Entry, error) {
	n, _ := slices.BinarySearchFunc(page, c.last+"\x00", compareKey)
	for _, e := range page[:n] {
		switch _, told := slices.BinarySearchFunc(c.before, e.Key, compareKey); {
		case told, strings.HasPrefix(c.start, e.Key): // a directory that start is in may be told
		case e.Key <= c.start:
			c.s.whole.Store(true)
		default:
			return nil, errUnordered
		}
	}
	fresh := page[n:]
	if len(fresh) > 0 {
		c.last, c.before = fresh[len(fresh)-1].Key, page
	}
	return fresh, nil
}

func compareKey(e store.Entry, key string) int { return strings.Compare(e.Key, key) }

// advance makes ready for the next page. Where it can't be reached by a token, it is asked for by the last key.
func (c *cursor) advance(out *s3.ListObjectsV2Output, news bool) error {
	c.done = !aws.ToBool(out.IsTruncated)
	if c.done {
		return nil
	}
	if news {
		c.idle, c.tokens = 0, nil
	}
	c.idle++
	token := aws.ToString(out.NextContinuationToken)
	if c.tokens[token] || c.idle > mostIdle {
		return errStuck
	}
	if c.tokens == nil {
		c.tokens = map[string]bool{aws.ToString(c.token): true}
	}
	c.tokens[token] = true
	if c.token = out.NextContinuationToken; token == "" {
		c.token, c.start = nil, c.last
	}
	return nil
}

// tell gives a page's entries their keys in the store, and leaves markers out.
func (c *cursor) tell(page []store.Entry) []store.Entry {
	out := make([]store.Entry, 0, len(page))
	for _, e := range page {
		if e.Key == c.prefix && (e.Key == "" || strings.HasSuffix(e.Key, "/")) || c.deep && strings.HasSuffix(e.Key, "/") {
			continue
		}
		e.Key = e.Key[len(c.s.Prefix):]
		out = append(out, e)
	}
	return out
}
