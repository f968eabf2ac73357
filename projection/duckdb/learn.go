package duckdb

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// key is a partition column.
type key struct {
	name     string
	typ      pruning.Type
	declared string
	given    bool // by hive_types
	at       projection.Text
	unfit    bool // a directory has a text that is no value of the type
}

// learn finds out which keys the paths have and of which types they are. Both are facts about all files, whatever a
// query selects: where the directories alone don't settle them, the files of all directories are listed.
func (t *tree) learn(ctx context.Context) error {
	usual := 0 // keys of a path
	var room []pair
	for _, d := range t.dirs {
		if len(room) < usual {
			room = make([]pair, usual*roomFor)
		}
		d.pairs = pairs(room[:0:usual], d.path)
		usual = max(usual, len(d.pairs))
		room = room[min(len(room), usual):]
	}
	if !t.uniform() {
		if err := t.ended(ctx, t.open(ctx, t.dirs)); err != nil {
			return err
		}
	} else if err := t.ended(ctx, t.sample(ctx)); err != nil {
		return err
	}
	t.dirs = slices.DeleteFunc(t.dirs, func(d *directory) bool { return d.listed && len(d.files) == 0 })
	if t.cut == nil {
		t.missing()
	}
	if len(t.dirs) == 0 || t.List.HasErrors() || !t.partitioned() {
		t.keyless()
		return nil
	}
	t.order()
	t.checkTypes()
	for i := range t.keys {
		t.settle(i)
	}
	t.readValues()
	return nil
}

// roomFor is the number of directories whose keys are put into one piece of memory.
const roomFor = 256

// uniform reports whether any of the directories, taken for themselves, would lead to the same keys and types. Then it
// doesn't matter which of them hold files.
func (t *tree) uniform() bool {
	if !slices.ContainsFunc(t.dirs, func(d *directory) bool { return !d.listed }) {
		return false // all is known anyway
	}
	first := t.dirs[0]
	kinds := make([]detected, len(first.pairs))
	for i := range kinds {
		kinds[i] = undetected
	}
	for _, d := range t.dirs {
		if !sameKeys(first.pairs, d.pairs) {
			return false
		}
		for i, p := range first.pairs {
			text := d.text(p.name)
			if t.typed(p.name) || meansNull(text) {
				continue
			}
			switch kind := detect(text); {
			case kinds[i] == undetected:
				kinds[i] = kind
			case kinds[i] != kind:
				return false
			}
		}
	}
	t.kinds = make(map[string]detected, len(kinds))
	for i, p := range first.pairs {
		t.kinds[p.name] = kinds[i]
	}
	return true
}

// typed reports whether a key's type isn't detected.
func (t *tree) typed(name string) bool {
	return !t.autocast || slices.ContainsFunc(t.types, func(g givenType) bool { return g.name == name })
}

// sample lists directories until each pattern has a file, and each key that is detected has a value in one: were there
// none, it would be a VARCHAR.
func (t *tree) sample(ctx context.Context) error {
	found := map[*glob]bool{}
	valued := map[string]bool{}
	for _, d := range t.dirs {
		if len(found) == len(t.globs) && len(valued) == len(d.pairs) {
			return nil
		}
		news := slices.ContainsFunc(d.globs, func(g *glob) bool { return !found[g] }) ||
			slices.ContainsFunc(d.pairs, func(p pair) bool { return !meansNull(p.text) && !valued[p.name] && !t.typed(p.name) })
		if !news {
			continue
		}
		if err := t.open(ctx, []*directory{d}); err != nil {
			return err
		}
		if len(d.files) == 0 {
			continue
		}
		for _, g := range d.globs {
			found[g] = true
		}
		for _, p := range d.pairs {
			if !meansNull(p.text) {
				valued[p.name] = true
			}
		}
	}
	for name := range t.kinds {
		if !valued[name] {
			t.kinds[name] = undetected
		}
	}
	return nil
}

// missing reports patterns that match no file.
func (t *tree) missing() {
	for _, g := range t.globs {
		if slices.ContainsFunc(t.dirs, func(d *directory) bool { return slices.Contains(d.globs, g) && (!d.listed || len(d.files) > 0) }) {
			continue
		}
		hint := "check the directory, and that each * stands for one part of the path"
		if strings.ContainsAny(g.text, "{}") {
			hint = "braces are literal: give a list, ['a/x.parquet', 'a/y.parquet']"
		}
		t.Errorf("glob.none", g.at, hint, "no files match %s", projection.Quote(g.text))
	}
}

// partitioned decides whether the paths have keys. Asked to find out, DuckDB takes them only if all files have the same.
func (t *tree) partitioned() bool {
	if t.partitioning != nil && !*t.partitioning {
		return false
	}
	first := t.dirs[0]
	i := slices.IndexFunc(t.dirs, func(d *directory) bool { return !sameKeys(first.pairs, d.pairs) })
	if i < 0 {
		return len(first.pairs) > 0
	}
	what := differing(first, t.dirs[i])
	if t.partitioning != nil {
		t.Errorf("hive.mixed", t.at, oneLayout, "%s%s", missesKey, what)
		return false
	}
	t.Warnf("hive.mixed", t.at, "narrow the pattern, or write hive_partitioning = true to make this an error",
		"the paths aren't taken for partitions, since not all files have the same keys: %s", what)
	return false
}

const (
	missesKey = "a partition key is missing in one of the files: "
	oneLayout = "narrow the pattern to files of one layout, or leave hive_partitioning out"
)

// differing tells which keys two directories have.
func differing(a, b *directory) string {
	return fmt.Sprintf("%s has %s and %s has %s", projection.Quote(a.example()), keyNames(pairs(nil, a.path)), projection.Quote(b.example()), keyNames(pairs(nil, b.path)))
}

// example is a file of a directory, or the directory when its files aren't known.
func (d *directory) example() string {
	if len(d.files) > 0 {
		return d.files[0].key
	}
	return d.path
}

func keyNames(ps []pair) string {
	if len(ps) == 0 {
		return "no keys"
	}
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = p.name
	}
	if len(ps) == 1 {
		return "the key " + names[0]
	}
	return "the keys " + strings.Join(names, ", ")
}

// sameKeys compares names with letter case, in any order.
func sameKeys(a, b []pair) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].name != b[i].name && !named(b, a[i].name) {
			return false
		}
	}
	return true
}

func (d *directory) text(name string) string {
	for i := range d.pairs {
		if d.pairs[i].name == name {
			return d.pairs[i].text
		}
	}
	return ""
}

// keyless gives a table without keys, as far as is known.
func (t *tree) keyless() {
	if t.cut != nil && len(t.dirs) == 0 || t.List.HasErrors() {
		return
	}
	for _, g := range t.types {
		t.Errorf("hive.types", g.at, "", "%s is no key of these files: their paths have none", projection.Quote(g.name))
	}
}

// order takes the keys in the order in which they nest in the first file.
func (t *tree) order() {
	for _, p := range t.dirs[0].pairs {
		t.keys = append(t.keys, key{name: p.name})
	}
}

// checkTypes reports fields of hive_types that are no keys. DuckDB compares them with letter case.
func (t *tree) checkTypes() {
	for _, g := range t.types {
		if slices.ContainsFunc(t.keys, func(k key) bool { return k.name == g.name }) {
			continue
		}
		names := make([]string, len(t.keys))
		for i, k := range t.keys {
			names[i] = k.name
		}
		hint := projection.Known(g.name, names)
		t.Errorf("hive.types", g.at, hint, "%s is no key of these files; names are compared with letter case", projection.Quote(g.name))
	}
}

// settle gives a key its type: the one declared, else the one that the texts of all directories have.
func (t *tree) settle(i int) {
	k := &t.keys[i]
	for _, g := range t.types {
		if g.name == k.name {
			k.typ, k.declared, k.given = g.typ, g.declared, true
			k.at = projection.NewText(span(g.at), g.name)
			return
		}
	}
	kind, last := undetected, ""
	if !t.autocast {
		kind = asText
	}
	if t.kinds != nil && kind != asText {
		kind = t.kinds[k.name]
		k.typ, k.declared = detectedTypes[kind], detectedNames[kind]
		return
	}
	for _, d := range t.dirs {
		text := d.text(k.name)
		if kind == asText {
			break
		}
		if meansNull(text) || text == last && kind != undetected {
			continue
		}
		switch found := detect(text); {
		case kind == undetected:
			kind = found
		case kind != found:
			kind = asText
		}
		last = text
	}
	k.typ, k.declared = detectedTypes[kind], detectedNames[kind]
}

// maxWhole bounds the values of a key that a planner is told of.
const maxWhole = 1 << 16

// readValues gives every directory its values.
func (t *tree) readValues() {
	values := make([]held, len(t.dirs)*len(t.keys))
	for _, d := range t.dirs {
		d.values, values = values[:len(t.keys):len(t.keys)], values[len(t.keys):]
		for i := range t.keys {
			k := &t.keys[i]
			text := d.text(k.name)
			if !validText(text) {
				t.Errorf("hive.text", t.at, "rename the directory", "%s: the text of the key %s is not UTF-8 once decoded", projection.Quote(d.path), k.name)
			}
			d.values[i] = k.read(text)
			k.unfit = k.unfit || d.values[i].unfit
		}
		d.pairs = nil
	}
}
