package store

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// FS lists a file tree, such as os.DirFS("data") or an embed.FS. Keys are slash-separated paths from its root.
//
// A directory that doesn't exist is empty, as it is in an object store. Symbolic links to files and directories count
// as what they point to, but a deep listing doesn't go through linked directories, which may form circles.
type FS struct{ Files fs.FS }

// Tree implements [Tree].
func (FS) Tree() bool { return true }

// List yields what lies directly below prefix, or every file below it, in byte order of the keys.
func (f FS) List(ctx context.Context, prefix string, deep bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		dir, name := path.Split(prefix)
		count := pager{ctx: ctx}
		defer count.flush()
		if err := count.begin(); err != nil {
			yield(Entry{}, listError(prefix, err))
			return
		}
		f.walk(ctx, dir, name, deep, func(e Entry, err error) bool {
			if err != nil {
				return yield(e, err)
			}
			if err := count.add(e.Size); err != nil {
				yield(Entry{}, listError(prefix, err))
				return false
			}
			return yield(e, nil)
		})
	}
}

// walk yields the entries of dir (empty or ending in "/") whose name begins with start. It reports whether to go on.
func (f FS) walk(ctx context.Context, dir, start string, deep bool, yield func(Entry, error) bool) bool {
	entries, err := f.read(ctx, dir, start)
	if err != nil {
		yield(Entry{}, listError(dir+start, err))
		return false
	}
	for _, p := range inOrder(entries, len(dir)) {
		e := &entries[p.at]
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

// read lists one directory, in no order. Names come from the file system without their "/", which changes the order: "a.b" is
// before "a/" although it is behind "a".
func (f FS) read(ctx context.Context, dir, start string) ([]file, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root := strings.TrimSuffix(dir, "/")
	if dir == "" {
		root = "."
	}
	switch {
	case !utf8.ValidString(root):
		return nil, errors.New("the name isn't UTF-8")
	case !fs.ValidPath(root):
		return nil, nil // no file has such a key
	}
	found, err := f.readDir(root)
	if err != nil {
		if info, e := fs.Stat(f.Files, root); errors.Is(err, fs.ErrNotExist) || e == nil && !info.IsDir() {
			return nil, nil // nothing lies below a file
		}
		return nil, err
	}
	out := make([]file, 0, len(found))
	for i, d := range found {
		if !strings.HasPrefix(d.Name(), start) {
			continue
		}
		if i%256 == 255 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch e, err := f.entry(dir, d); {
		case err == nil:
			out = append(out, e)
		case errors.Is(err, errNoFile), errors.Is(err, fs.ErrNotExist): // the latter: removed meanwhile, or a link to nothing
		default:
			return nil, err
		}
	}
	return out, nil
}

// readDir reads a directory in whatever order it has, since the keys are sorted anyhow.
func (f FS) readDir(name string) ([]fs.DirEntry, error) {
	opened, err := f.Files.Open(name)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	if d, ok := opened.(fs.ReadDirFile); ok {
		return d.ReadDir(-1)
	}
	return fs.ReadDir(f.Files, name)
}

// place is where a file stands in a list, and the beginning of its name.
type place struct {
	head uint64
	at   int32
}

// inOrder gives the order of files by their keys, which have so many bytes in common. Most names differ in their next
// eight bytes: these are compared as a number.
func inOrder(files []file, common int) []place {
	places := make([]place, len(files))
	for i := range files {
		var head [8]byte
		copy(head[:], files[i].Key[common:])
		places[i] = place{binary.BigEndian.Uint64(head[:]), int32(i)}
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.head != b.head {
			if a.head < b.head {
				return -1
			}
			return 1
		}
		return strings.Compare(files[a.at].Key, files[b.at].Key)
	})
	return places
}

// errNoFile is of what object stores have nothing like: sockets, pipes, devices.
var errNoFile = errors.New("neither a file nor a directory")

func (f FS) entry(dir string, d fs.DirEntry) (file, error) {
	linked := d.Type()&fs.ModeSymlink != 0
	if d.IsDir() {
		return file{Entry: Entry{Key: dir + d.Name() + "/", Size: -1}}, nil
	}
	key := dir + d.Name()
	info, err := d.Info()
	if linked {
		info, err = fs.Stat(f.Files, key)
	}
	if err != nil {
		return file{}, err
	}
	switch {
	case info.IsDir():
		return file{Entry{Key: key + "/", Size: -1}, linked}, nil
	case !info.Mode().IsRegular():
		return file{}, errNoFile
	}
	return file{Entry{Key: key, Size: info.Size(), Modified: info.ModTime()}, linked}, nil
}
