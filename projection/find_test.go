package projection

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// watched is a Lister that notes what it is asked for, and has pages of its own size.
type watched struct {
	store.Lister
	page int
	mu   sync.Mutex
	asks []string // prefixes; deep ones end in "**"
}

func (w *watched) List(ctx context.Context, prefix string, deep bool) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		w.mu.Lock()
		if w.asks = append(w.asks, prefix); deep {
			w.asks[len(w.asks)-1] += "**"
		}
		w.mu.Unlock()
		n := 0
		for e, err := range w.Lister.List(context.Background(), prefix, deep) {
			if n%w.page == 0 {
				store.Request(ctx)
			}
			if n++; !yield(e, err) {
				return
			}
		}
		if n == 0 {
			store.Request(ctx)
		}
	}
}

var (
	testText   = pruning.Type{Kind: pruning.String}
	testNumber = pruning.Type{Kind: pruning.Int32}
)

// dirsOf are directories of keys, whose names decide their types: n… are numbers, others texts.
func dirsOf(l store.Lister, root string, keys ...string) *Dirs {
	d := &Dirs{Table: "t", At: ast.Span{From: 3, To: 5}, Store: l, Root: root}
	for _, k := range keys {
		key := DirKey{Name: k, Type: testText, Declared: "String"}
		if strings.HasPrefix(k, "n") {
			key.Type, key.Declared = testNumber, "Int32"
		}
		d.Keys = append(d.Keys, key)
	}
	return d
}

// textIn is key IN texts.
func textIn(sp *pruning.Space, key int, texts ...string) pruning.Diagram {
	var set pruning.Set
	for _, s := range texts {
		set = set.Union(pruning.Point(testText, pruning.Text(s)))
	}
	return sp.In(key, set)
}

func numberIn(sp *pruning.Space, key int, lo, hi int64) pruning.Diagram {
	return sp.In(key, pruning.Range(pruning.Int(lo), pruning.Int(hi+1)))
}

// pathsOf are the paths that a listing finds.
func pathsOf(t tester, d *Dirs, p pruning.Diagram, c Check) ([]string, *Listing, error) {
	t.Helper()
	l, info, err := d.Find(context.Background(), d.Layout("test"), p, c)
	if err != nil {
		return nil, info, err
	}
	var out []string
	for u, err := range Walk(context.Background(), l, p, c) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(u.AppendPath(nil)))
	}
	n, err := Count(context.Background(), l, p, c)
	if err != nil || n.Int64() != int64(len(out)) {
		t.Fatalf("count %v, %v; walked %d", n, err, len(out))
	}
	return out, info, nil
}

// drawTree draws keys of a tree of at most two levels, with stray and hidden objects among them.
func drawTree(t *rapid.T) []string {
	part := rapid.SampledFrom([]string{"n=1", "n=2", "n=02", "n=3", "n=x", "n=", "p=a", "p=b", "p=ab", "p=", "p=b%20", "p=_c", "P=a", "m", "_x", ".y", "n"})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(part, 0, 4).Draw(t, "parts")
		key := "t/"
		if rapid.IntRange(0, 9).Draw(t, "elsewhere") == 0 {
			key = rapid.SampledFrom([]string{"", "t", "t2/", "s/t/"}).Draw(t, "root")
		}
		for _, p := range parts {
			key += p + "/"
		}
		return key + rapid.SampledFrom([]string{"a.csv", "b.csv", "c.txt", "_SUCCESS", ""}).Draw(t, "name")
	}), 0, 30).Draw(t, "keys")
}

// findModel is what finding means, object by object.
func findModel(d *Dirs, keys []string, p pruning.Diagram, c Check) (paths []string, misfit bool) {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		name, ok := strings.CutPrefix(k, d.Root)
		parts := strings.Split(name, "/")
		if !ok || len(parts) <= len(d.Keys) || strings.HasSuffix(k, "/") || slices.ContainsFunc(parts[len(d.Keys):], HiddenPart) {
			continue
		}
		at := &Place{Axes: make([]Axis, len(d.Keys)+1), Index: make([]uint64, len(d.Keys)+1)}
		rest, bad := own(p), false
		for i := range d.Keys {
			var text string
			if text, ok = d.Codec.cut(&d.Keys[i], parts[i]); !ok {
				break
			}
			v, null, err := d.Codec.value(d.Keys[i].Type, text)
			b := &branches{key: i}
			switch {
			case err != nil:
				b.add("", KeyValue{Unknown: true})
				rest, bad = rest.Forget(i), true
			case null:
				b.add("", KeyValue{Null: true})
				rest = rest.AtNull(i)
			default:
				b.add("", KeyValue{Value: v})
				rest = rest.At(i, v)
			}
			at.Axes[i] = b
			if ok = rest.Outcomes().MayBeTrue() && !(c.after(i) && !c.At(at, i+1).MayBeTrue()); !ok {
				break
			}
		}
		if !ok || d.Files != nil && !d.Files(strings.Join(parts[len(d.Keys):], "/")) {
			continue
		}
		misfit = misfit || bad
		paths = append(paths, k)
	}
	return paths, misfit
}

// drawCondition draws a diagram over the keys of d.
func drawCondition(t *rapid.T, d *Dirs, sp *pruning.Space) pruning.Diagram {
	out := sp.Const(rapid.SampledFrom([]pruning.Outcomes{pruning.True, pruning.False, pruning.Unknown}).Draw(t, "start"))
	for range rapid.IntRange(0, 4).Draw(t, "terms") {
		key := rapid.IntRange(0, len(d.Keys)-1).Draw(t, "key")
		var term pruning.Diagram
		if d.Keys[key].Type == testNumber {
			lo := rapid.Int64Range(0, 4).Draw(t, "lo")
			term = numberIn(sp, key, lo, rapid.Int64Range(lo, 4).Draw(t, "hi"))
		} else {
			texts := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "ab", "b", "c", "b%20", "_c", "a/b"}), 1, 3).Draw(t, "texts")
			term = textIn(sp, key, texts...)
			if rapid.Bool().Draw(t, "range") {
				term = sp.In(key, pruning.Range(pruning.Text("a"), pruning.Text(rapid.SampledFrom([]string{"a\x00", "ab", "b", "c"}).Draw(t, "below"))))
			}
		}
		switch rapid.IntRange(0, 3).Draw(t, "op") {
		case 0:
			out = out.Or(term)
		case 1:
			out = out.And(term.Not())
		case 2:
			out = out.And(term.Is(pruning.True | pruning.Null))
		default:
			out = out.And(term)
		}
	}
	return out
}

// oddCheck drops a branch where the names on the way have a certain number of bytes.
func oddCheck(t *rapid.T, levels int) Check {
	depths := rapid.Uint64Range(0, 1<<levels-1).Draw(t, "depths")
	return Check{Depths: depths, At: func(at *Place, known int) pruning.Outcomes {
		sum := int64(0)
		for i := range known {
			v, _, ok := at.Axes[i].Value(at.Index[i])
			if !ok {
				return pruning.Unknown
			}
			sum += v.Int() + int64(len(v.Text()))
		}
		if sum%3 == 1 {
			return pruning.False
		}
		return pruning.Unknown
	}}
}

// A listing finds what a look at every object finds, from recorded keys and from a file tree, with few goroutines and
// with many, with and without a first flat page.
func TestFindAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := drawTree(t)
		names := rapid.SampledFrom([][]string{{"n"}, {"p"}, {"n", "p"}, {"p", "n"}, {"p", "m"}}).Draw(t, "columns")
		d := dirsOf(nil, "t/", names...)
		d.Codec.Hidden = HiddenPart
		d.Codec.Fold = rapid.Bool().Draw(t, "fold")
		if rapid.Bool().Draw(t, "nulls") {
			d.Codec.Null = func(text string) bool { return text == "b" || text == "" }
		}
		if rapid.Bool().Draw(t, "unescape") {
			d.Codec.Unescape = func(s string) string { return strings.ReplaceAll(s, "%20", " ") }
		}
		if rapid.Bool().Draw(t, "csv") {
			d.Files = ParsePattern("*.csv", true).Match
		}
		d.Limits.Requests = rapid.SampledFrom([]int{0, 1, 4}).Draw(t, "parallel")
		d.page = rapid.SampledFrom([]int{1, 2, 3, 5, 1000}).Draw(t, "page")
		p := drawCondition(t, d, pruning.NewSpace(d.Layout("").Keys, 0))
		c := oddCheck(t, len(d.Keys))
		want, misfit := findModel(d, keys, p, c)
		every, unfit := findModel(d, keys, p.Space().Const(pruning.True), Check{})

		listers := []store.Lister{store.NewKeys(slices.Clone(keys)), noProbe{store.NewKeys(slices.Clone(keys))}}
		if tree, ok := fileTree(keys); ok {
			listers = append(listers, store.FS{Files: tree})
		}
		for _, l := range listers {
			d.Store = l
			got, info, err := pathsOf(t, d, p, c)
			if misfit {
				var found ast.Diagnostics
				if !errors.As(err, &found) || found[0].Code != "list.value" || found[0].Pos != 3 || !strings.Contains(found[0].Msg, "t/") {
					t.Fatalf("%T: a text that doesn't fit: %v", l, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%T, %s: %s", l, p, diff)
			}
			if info.Objects != int64(len(got)) || info.Unsized+info.Bytes != int64(len(got)) {
				t.Fatalf("%T: %+v of %d objects", l, info, len(got))
			}
			layout, _, _ := d.Find(context.Background(), d.Layout("test"), p, c)
			known := d.page == 1000 && names[0] == "n" && l == listers[0] && p.Outcomes().MayBeTrue() && !unfit
			if n := layout.Total; n == nil && known || n != nil && (unfit || n.Int64() != int64(len(every))) {
				t.Fatalf("%T, %s: a total of %v, want %d", l, p, n, len(every))
			}
		}
	})
}

// noProbe is a Lister without a first flat page.
type noProbe struct{ store.Lister }

func (noProbe) Tree() bool { return true }

// fileTree is a file system with the keys as files of one byte; ok is false where a file is a directory, too.
func fileTree(keys []string) (tree fstest.MapFS, ok bool) {
	tree = fstest.MapFS{}
	for _, k := range keys {
		if k == "" || strings.HasSuffix(k, "/") {
			return nil, false
		}
		tree[k] = &fstest.MapFile{Data: []byte("x")}
		for _, other := range keys {
			if strings.HasPrefix(other, k+"/") {
				return nil, false
			}
		}
	}
	return tree, true
}

// A directory is never listed in which nothing can match, and trying flat listings costs no more than twice what
// listing directory by directory does.
func TestFindAsksLittle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := drawTree(t)
		for i := range keys {
			keys[i] = strings.ReplaceAll(keys[i], "n=", "q=")
		}
		w := &watched{Lister: store.NewKeys(keys), page: rapid.IntRange(1, 9).Draw(t, "page")}
		d := dirsOf(w, "t/", "p", "q")
		d.page = w.page
		p := drawCondition(t, d, pruning.NewSpace(d.Layout("").Keys, 0))
		_, info, err := pathsOf(t, d, p, Check{})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range w.asks {
			rest := own(p)
			for l, part := range strings.Split(strings.TrimPrefix(a, "t/"), "/") {
				if text, ok := strings.CutPrefix(part, d.Keys[min(l, 1)].Name+"="); ok && strings.Contains(a, part+"/") {
					rest = rest.At(l, pruning.Text(text))
				}
			}
			if !rest.Outcomes().MayBeTrue() {
				t.Fatalf("%q is listed for %s", a, p)
			}
		}
		d.Store = noProbe{w}
		if _, stepwise, _ := pathsOf(t, d, p, Check{}); info.Requests > 3*stepwise.Requests+3 {
			t.Fatalf("%d requests, and %d directory by directory: %q", info.Requests, stepwise.Requests, w.asks)
		}
	})
}

func TestRequests(t *testing.T) {
	var keys []string
	for i := range 10_000 {
		keys = append(keys, fmt.Sprintf("t/p=k%05d/n=%d/f", i, i%7), fmt.Sprintf("t/p=k%05d/n=%d/g", i, i%7))
	}
	many := store.NewKeys(keys)
	few := store.NewKeys([]string{"t/p=a/n=1/f", "t/p=b/n=1/f", "t/p=b/n=2/f", "t/x"})
	sp := pruning.NewSpace([]pruning.Key{{Name: "p", Type: testText}, {Name: "n", Type: testNumber}}, 0)
	prefix := sp.In(0, pruning.Range(pruning.Text("k0123"), pruning.Text("k0124")))
	numbers := make([]string, 10_000)
	for i := range numbers {
		numbers[i] = fmt.Sprintf("t/n=%d/f", i)
	}
	check := func(name string, d *Dirs, p pruning.Diagram, paths int, requests int64) {
		if got, info, err := pathsOf(t, d, p, Check{}); err != nil || len(got) != paths || info.Requests != requests {
			t.Errorf("%s: %d paths, %+v, %v", name, len(got), info, err)
		}
	}
	single := pruning.NewSpace([]pruning.Key{{Name: "n", Type: testNumber}}, 0)
	in3 := numberIn(single, 0, 7, 7).Or(numberIn(single, 0, 500, 500)).Or(numberIn(single, 0, 9999, 9999))
	d := dirsOf(store.NewKeys(numbers), "t/", "n")
	check("n IN (3 values)", d, in3, 3, 1+10+3)
	d.Canonical = true
	check("canonical n IN (3 values)", d, in3, 3, 3)
	check("canonical n <> 3", d, numberIn(single, 0, 3, 3).Not(), 9999, 1+10+10)

	for _, c := range []struct {
		name     string
		l        store.Lister
		p        pruning.Diagram
		paths    int
		requests int64
		full     int64
		guessed  bool
	}{
		{"p IN (3 values)", many, textIn(sp, 0, "k00007", "k05000", "k09999"), 6, 3, 0, false},
		{"p = absent", many, textIn(sp, 0, "absent"), 0, 1, 0, false},
		{"p = 'a/b'", many, textIn(sp, 0, "a/b"), 0, 0, 0, false},
		{"p LIKE 'k0123%'", many, prefix, 20, 1 + 10, 0, false},
		{"p IN (3 values) AND n = 0", many, textIn(sp, 0, "k00007", "k00014", "k09999").And(numberIn(sp, 1, 0, 0)), 4, 3, 0, false},
		{"everything", many, sp.Const(pruning.True), 20_000, 20, 20, false},
		{"n = 3: the first page isn't all", many, numberIn(sp, 1, 3, 3), 2858, 1 + 10 + 20, 20, false},
		{"nothing", many, sp.Const(pruning.False), 0, 0, 0, false},
		{"one page", few, numberIn(sp, 1, 1, 1), 2, 1, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			paths, info, err := pathsOf(t, dirsOf(c.l, "t/", "p", "n"), c.p, Check{})
			if err != nil {
				t.Fatal(err)
			}
			if len(paths) != c.paths || info.Requests != c.requests || info.Full != c.full || info.Guessed != c.guessed {
				t.Errorf("%d paths, %+v", len(paths), info)
			}
		})
	}
}
