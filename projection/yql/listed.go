package yql

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// listed makes the layout of a table that has to be listed: directories of PARTITIONED_BY without a projection, a plain
// directory, a path with wildcards, or one object (YDB, yql_s3_list.cpp, yql_s3_path.cpp).
func (d *definition) listed() *projection.Layout {
	if d.env.Store == nil && !d.env.Declare {
		d.Errorf("store.needed", d.path, "give --store or --objects", "%s needs a listing: which files there are stands in the storage only", d.name)
		return nil
	}
	path := normal(d.path.S)
	switch {
	case d.partitioned:
		return d.directories(below(path))
	case strings.ContainsAny(path, "*?{"):
		p := projection.ParsePattern(path, true)
		root := p.Prefix()
		l := d.dirs(root, func(name string) bool { return p.Match(root + name) }).Layout("yql")
		l.Shape = "objects " + path
		return l
	case path == "" || strings.HasSuffix(path, "/"):
		return d.directories(path)
	}
	l := (&projection.Object{At: d.path, Store: d.env.Store, Key: path}).Layout("yql")
	l.Shape = "object " + path
	return l
}

// normal is a path as keys of objects begin: without a "/" in front or two in a row.
func normal(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if path[i] != '/' || b.Len() > 0 && path[i-1] != '/' {
			b.WriteByte(path[i])
		}
	}
	return b.String()
}

// below is a path as the prefix of what lies in that directory.
func below(path string) string {
	if path == "" || strings.HasSuffix(path, "/") {
		return path
	}
	return path + "/"
}

// directories is the layout below a root: a level for each column of PARTITIONED_BY, then the objects.
func (d *definition) directories(root string) *projection.Layout {
	shape := "directories " + root
	pattern, given := d.get(filePattern)
	dirs := d.dirs(root, d.files())
	for _, p := range d.partitions {
		c := d.column(p.S)
		dirs.Keys = append(dirs.Keys, projection.DirKey{Name: p.S, Type: c.Type, Declared: c.Declared})
		shape += p.S + "=…/"
	}
	l := dirs.Layout("yql")
	if l.Shape = shape; len(d.partitions) == 0 {
		l.Shape = "objects " + root
	}
	if given {
		l.Shape += pattern.S
	}
	return l
}

// files is whether an object is read that has name below the last directory: as FILE_PATTERN says, nil without one.
func (d *definition) files() func(name string) bool {
	if pattern, given := d.get(filePattern); given {
		return projection.ParsePattern(pattern.S, true).Match
	}
	return nil
}

// visible is files that leaves hidden objects out, too.
func (d *definition) visible() func(name string) bool {
	match := d.files()
	return func(name string) bool {
		for part := range strings.SplitSeq(name, "/") {
			if projection.HiddenPart(part) {
				return false
			}
		}
		return match == nil || match(name)
	}
}

func (d *definition) dirs(root string, match func(string) bool) *projection.Dirs {
	return &projection.Dirs{
		Table: d.name, At: d.path, Store: d.env.Store, Root: root, Files: match, Limits: d.env.Limits, Canonical: d.env.Canonical,
		Codec: projection.DirCodec{Parse: parseValue, Hidden: projection.HiddenPart, NoEmpty: true},
	}
}

// days of YQL's dates: 1970-01-01 through 2105-12-31.
const lastDay = 49672

// parseValue reads the text of a directory as a literal of the column's type.
func parseValue(t pruning.Type, text string) (pruning.Value, error) {
	v, err := t.Parse(text)
	if err != nil {
		return v, err
	}
	day := v.Int()
	switch t.Kind {
	case pruning.Date:
	case pruning.Datetime:
		if len(text) != len("2006-01-02T15:04:05Z") || text[10] != 'T' || text[19] != 'Z' {
			return v, errors.New("want YYYY-MM-DDThh:mm:ssZ")
		}
		day /= 24 * 60 * 60
	default:
		return v, nil
	}
	if v.Int() < 0 || day > lastDay {
		return v, fmt.Errorf("want a date from 1970-01-01 to 2105-12-31")
	}
	return v, nil
}
