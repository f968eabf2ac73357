package projection

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection/store"
	"github.com/yqlplan/yqlplan/pruning"
)

// denying is a Lister that fails below a prefix.
type denying struct {
	store.Lister
	prefix string
	err    error
}

func (f denying) List(ctx context.Context, prefix string, deep bool) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for e, err := range f.Lister.List(ctx, prefix, deep) {
			if strings.HasPrefix(e.Key, f.prefix) && deep {
				yield(store.Entry{}, f.err)
				return
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

type hinted struct{ error }

func (hinted) Hint() string { return "log in" }

// An error of the storage ends everything and is told as it is, with its hint, and not as what followed from it.
func TestFindFails(t *testing.T) {
	denied := hinted{errors.New("access denied")}
	var keys []string
	for i := range 300 {
		keys = append(keys, fmt.Sprintf("t/n=%d/p=a/f", i))
	}
	sp := pruning.NewSpace([]pruning.Key{{Name: "n", Type: testNumber}, {Name: "p", Type: testText}}, 0)
	for _, p := range []pruning.Diagram{sp.Const(pruning.True), numberIn(sp, 0, 10, 299), textIn(sp, 1, "a")} {
		d := dirsOf(denying{store.NewKeys(keys), "t/n=200/", denied}, "t/", "n", "p")
		d.page = 7
		l, _, err := d.Find(t.Context(), d.Layout("test"), p, Check{})
		var found ast.Diagnostics
		if l != nil || !errors.As(err, &found) || found[0].Code != "store.list" || found[0].Msg != "access denied" || found[0].Hint != "log in" || found[0].Pos != 3 {
			t.Errorf("%s: %v, %v", p, l, err)
		}
		if !errors.Is(err, denied) {
			t.Errorf("%v isn't the storage's error", err)
		}
	}
}

// A listing that reaches its limit gives what was found, marked as partial, with a warning.
func TestFindLimit(t *testing.T) {
	var keys []string
	for i := range 5000 {
		keys = append(keys, fmt.Sprintf("t/n=%d/p=a/f", i))
	}
	d := dirsOf(store.NewKeys(keys), "t/", "n", "p")
	d.Limits.Pages = 2
	sp := pruning.NewSpace([]pruning.Key{{Name: "n", Type: testNumber}, {Name: "p", Type: testText}}, 0)
	got, info, err := pathsOf(t, d, sp.Const(pruning.True), Check{})
	if err != nil || len(got) != 2*Page || !info.Partial || !info.Limited || len(info.Notes) != 1 || info.Notes[0].Code != "list.limit" || info.Notes[0].Severity != ast.Warning {
		t.Errorf("%d found, %+v, %v", len(got), info, err)
	}
}

// A layout that wasn't listed says so instead of being empty.
func TestUnlisted(t *testing.T) {
	d := dirsOf(store.NewKeys(nil), "t/", "n")
	l := d.Layout("test")
	_, err := Count(t.Context(), l, pruning.NewSpace(l.Keys, 0).Const(pruning.True), Check{})
	if !errors.Is(err, ErrUnlisted) {
		t.Errorf("%v", err)
	}
}

// Few of many directories cost few allocations.
func TestFindAllocations(t *testing.T) {
	d := dirsOf(manyKeys(10_000, 1), "t/", "p", "n")
	sp := pruning.NewSpace([]pruning.Key{{Name: "p", Type: testText}, {Name: "n", Type: testNumber}}, 0)
	p := textIn(sp, 0, "k0007", "k0500", "k0999")
	n := testing.AllocsPerRun(10, func() {
		if _, _, err := d.Find(t.Context(), d.Layout("test"), p, Check{}); err != nil {
			t.Fatal(err)
		}
	})
	if n > 600 {
		t.Errorf("%v allocations", n)
	}
}

// Directories themselves are units where that is asked for.
func TestBare(t *testing.T) {
	d := dirsOf(store.NewKeys([]string{"t/n=1/p=a/f", "t/n=1/p=b/", "t/n=2/p=a/f", "t/n=2/x", "t/n=3/p=c/f"}), "t/", "n", "p")
	d.Bare = true
	sp := pruning.NewSpace([]pruning.Key{{Name: "n", Type: testNumber}, {Name: "p", Type: testText}}, 0)
	got, info, err := pathsOf(t, d, numberIn(sp, 0, 1, 2), Check{})
	if want := "[t/n=1/p=a/ t/n=1/p=b/ t/n=2/p=a/]"; err != nil || fmt.Sprint(got) != want || info.Requests != 3 || info.Stray != 1 || info.Objects != 3 {
		t.Errorf("%v, %+v, %v", got, info, err)
	}
}

func TestObject(t *testing.T) {
	o := &Object{At: ast.Span{From: 3, To: 5}, Store: store.NewKeys([]string{"a/b", "a/b.c"}), Key: "a/b"}
	sp := pruning.NewSpace(nil, 0)
	l, info, err := o.Find(t.Context(), o.Layout("test"), sp.Const(pruning.True), Check{})
	if err != nil || info.Objects != 1 {
		t.Fatal(info, err)
	}
	if n, err := Count(t.Context(), l, sp.Const(pruning.True), Check{}); err != nil || n.Int64() != 1 {
		t.Errorf("%v objects, %v", n, err)
	}
	o.Key = "a/"
	var found ast.Diagnostics
	if _, _, err := o.Find(t.Context(), o.Layout("test"), sp.Const(pruning.True), Check{}); !errors.As(err, &found) || found[0].Code != "list.missing" || found[0].Pos != 3 {
		t.Errorf("%v", err)
	}
}
