package store

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
)

// FS lists a file tree, such as os.DirFS("data") or an embed.FS. Keys are slash-separated paths from its root.
//
// A directory that doesn't exist is empty, as it is in an object store. Symbolic links to files and directories count
// as what they point to, but a deep listing doesn't go through linked directories, which may form circles.
type FS struct{ Files fs.FS }

// List yields what lies directly below prefix, or every file below it, in byte order of the keys.
func (f FS) List(ctx context.Context, prefix string, deep bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		dir, name := path.Split(prefix)
		f.walk(ctx, dir, name, deep, yield)
	}
}

// walk yields the entries of dir (empty or ending in "/") whose name begins with start. It reports whether to go on.
func (f FS) walk(ctx context.Context, dir, start string, deep bool, yield func(Entry, error) bool) bool {
	entries, err := f.read(ctx, dir, start)
	if err != nil {
		yield(Entry{}, listError(dir+start, err))
		return false
	}
	for _, e := range entries {
		isDir := strings.HasSuffix(e.Key, "/")
		switch {
		case deep && isDir && e.linked:
		case deep && isDir:
			if !f.walk(ctx, e.Key, "", deep, yield) {
				return false
			}
		default:
			if !yield(e.Entry, nil) {
				return false
			}
		}
	}
	return true
}

// file is an entry with what a deep listing has to know about it.
type file struct {
	Entry
	linked bool
}

// read lists one directory. Names come from the file system without their "/", which changes the order: "a.b" is
// before "a/" although it is behind "a".
func (f FS) read(ctx context.Context, dir, start string) ([]file, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root := strings.TrimSuffix(dir, "/")
	if dir == "" {
		root = "."
	}
	if !fs.ValidPath(root) {
		return nil, nil
	}
	found, err := fs.ReadDir(f.Files, root)
	if err != nil {
		if info, e := fs.Stat(f.Files, root); errors.Is(err, fs.ErrNotExist) || e == nil && !info.IsDir() {
			return nil, nil // nothing lies below a file
		}
		return nil, err
	}
	out := make([]file, 0, len(found))
	for _, d := range found {
		if !strings.HasPrefix(d.Name(), start) {
			continue
		}
		e, err := f.entry(dir, d)
		if errors.Is(err, fs.ErrNotExist) { // removed meanwhile, or a link to nothing
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b file) int { return strings.Compare(a.Key, b.Key) })
	return out, nil
}

func (f FS) entry(dir string, d fs.DirEntry) (file, error) {
	linked := d.Type()&fs.ModeSymlink != 0
	key := dir + d.Name()
	if d.IsDir() {
		return file{Entry: Entry{Key: key + "/", Size: -1}}, nil
	}
	info, err := d.Info()
	if linked {
		info, err = fs.Stat(f.Files, key)
	}
	if err != nil {
		return file{}, err
	}
	if info.IsDir() {
		return file{Entry{Key: key + "/", Size: -1}, linked}, nil
	}
	return file{Entry{Key: key, Size: info.Size(), Modified: info.ModTime()}, linked}, nil
}
