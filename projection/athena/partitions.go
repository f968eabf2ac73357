package athena

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// addition is a partition that ALTER TABLE … ADD PARTITION has entered.
type addition struct {
	at     ast.Node
	values []pruning.Nullable // one for each partition column
	texts  []string
	path   string // empty: below the table's location, which isn't known yet
}

// addPartitions enters partitions. One that is there already stays as it is under IF NOT EXISTS. A partition keeps its
// path when the table's location changes.
func (d *definition) addPartitions(a *ast.AlterAction) {
	if d.additions == nil {
		d.additions = map[string]*addition{}
	}
	for i := range a.Partitions {
		p := &a.Partitions[i]
		values, texts := d.fullSpec(p)
		if values == nil {
			continue
		}
		n, id := &addition{at: p, values: values, texts: texts}, identity(values)
		if p.Location != nil {
			n.path = folder(p.Location.Text)
		} else if d.located && d.location.S != "" {
			n.path = d.folderOf(texts)
		}
		switch {
		case d.additions[id] == nil:
			d.additions[id] = n
		case !a.IfNotExists:
			d.existing(p, texts, "write ADD IF NOT EXISTS")
		}
	}
}

// identity is a text that tells tuples of values apart.
func identity(values []pruning.Nullable) string {
	var b []byte
	for _, v := range values {
		b = fmt.Appendf(b, "%t %d %d:%s", v.Null, v.Value.Int(), len(v.Value.Text()), v.Value.Text())
	}
	return string(b)
}

func (d *definition) existing(at ast.Node, texts []string, hint string) {
	d.Errorf("partition.exists", at, hint, "the partition %s exists already", hiveFolder(d.partIndex.Names(), texts))
}

// onePartition is PARTITION (…) SET LOCATION '…' or RENAME TO PARTITION (…). The latter leaves the data where it is.
func (d *definition) onePartition(a *ast.AlterAction) {
	at := &a.Partitions[0]
	values, texts := d.fullSpec(at)
	if values == nil {
		return
	}
	id := identity(values)
	p := d.additions[id]
	if p == nil {
		d.Errorf("partition.unknown", at, "add it by ALTER TABLE … ADD PARTITION before", "%s has no partition %s", d.name, hiveFolder(d.partIndex.Names(), texts))
		return
	}
	if a.Kind == "SET LOCATION" {
		if l, ok := a.Value.(*ast.Literal); ok {
			p.path = folder(l.Text)
		}
		return
	}
	to := &a.Partitions[1]
	switch values, texts = d.fullSpec(to); {
	case values == nil:
	case d.additions[identity(values)] != nil:
		d.existing(to, texts, "drop it before")
	default:
		delete(d.additions, id)
		d.additions[identity(values)] = &addition{p.at, values, texts, p.path}
	}
}

// dropPartitions removes the partitions whose values meet all conditions of a list: (dt >= '2024-01-01', hour = 5).
func (d *definition) dropPartitions(a *ast.AlterAction) {
	for i := range a.Partitions {
		list, ok := d.spec(&a.Partitions[i])
		if !ok {
			continue
		}
		maps.DeleteFunc(d.additions, func(_ string, p *addition) bool {
			return !slices.ContainsFunc(list, func(s specified) bool { return !s.meets(p.values[s.column]) })
		})
	}
}

// meets reports whether the condition is true for a value. Hive's name for NULL is equal to itself only.
func (s *specified) meets(v pruning.Nullable) bool {
	known, c := !v.Null && !s.value.Null, pruning.Compare(v.Value, s.value.Value)
	switch s.op {
	case "<":
		return known && c < 0
	case "<=":
		return known && c <= 0
	case ">":
		return known && c > 0
	case ">=":
		return known && c >= 0
	case "<>", "!=":
		return known && c != 0
	}
	return v == s.value
}

// fullSpec is spec for a partition whose every value must be given; nil values when something is wrong with it.
func (d *definition) fullSpec(p *ast.PartitionDef) (values []pruning.Nullable, texts []string) {
	list, ok := d.spec(p)
	if !ok {
		return nil, nil
	}
	values, texts = make([]pruning.Nullable, len(d.partitions)), make([]string, len(d.partitions))
	known := make([]bool, len(d.partitions))
	for _, s := range list {
		values[s.column], texts[s.column], known[s.column] = s.value, s.text, true
	}
	if k := slices.Index(known, false); k >= 0 {
		name := d.partitions[k].S
		d.Errorf("partition.spec", p, "add "+name+" = '…'", "the partition column %s is missing: a partition has a value for each", name)
		return nil, nil
	}
	return values, texts
}

// specified is what a PARTITION (…) says about one column.
type specified struct {
	column int
	op     string // = or another comparison
	value  pruning.Nullable
	text   string // of the value
}

// spec reads (dt = '2024-01-01', hour = 5).
func (d *definition) spec(p *ast.PartitionDef) (list []specified, ok bool) {
	if len(d.partitions) == 0 {
		d.Errorf("partition.spec", p, d.partitionHint(), "%s has no partition columns", d.name)
		return nil, false
	}
	ok = true
	for i := range p.Spec {
		o := &p.Spec[i]
		k := d.partIndex.Find(strings.ToLower(o.Key.Text))
		if k < 0 {
			d.Errorf("partition.spec", o.Key, projection.DidYouMean(o.Key.Text, d.partIndex.Names()), "%s is not a partition column of %s", o.Key.Text, d.name)
			ok = false
			continue
		}
		t, isText := specText(o.Value)
		c := d.column(d.partitions[k].S)
		v, bad := d.partitionValue(c, t.S)
		if !isText || bad {
			d.Errorf("partition.spec", o, "write "+o.Key.Text+" = '…'", "the partition column %s: this is no value of the type %s", c.Name, c.Declared)
			ok = false
			continue
		}
		list = append(list, specified{k, o.Sep, v, t.S})
	}
	return list, ok
}

// specText also takes DATE '2024-01-01'.
func specText(x ast.Expr) (projection.Text, bool) {
	if t, ok := x.(*ast.TypedLiteral); ok {
		return projection.LiteralText(t.Text), true
	}
	return literalText(x)
}

func (d *definition) partitionValue(c *projection.Column, text string) (v pruning.Nullable, bad bool) {
	if text == projection.NullName {
		return pruning.Nullable{Null: true}, false
	}
	if c.Type.Kind == pruning.String {
		return pruning.Nullable{Value: pruning.Text(text)}, false
	}
	value, err := c.Type.Parse(text)
	return pruning.Nullable{Value: value}, err != nil
}

func hiveFolder(names, texts []string) string {
	var b strings.Builder
	for i, n := range names {
		b.WriteString(projection.EscapeName(n) + "=" + projection.EscapeName(texts[i]) + "/")
	}
	return b.String()
}

func folder(path string) string {
	if path == "" || strings.HasSuffix(path, "/") {
		return path
	}
	return path + "/"
}

// firstAddition is where the first partition is added that is still there, or nil.
func (d *definition) firstAddition() (at ast.Node) {
	for _, a := range d.additions {
		if at == nil || a.at.Pos() < at.Pos() {
			at = a.at
		}
	}
	return at
}

// folderOf is Hive's folder of a partition below the table's location.
func (d *definition) folderOf(texts []string) string {
	return folder(d.location.S) + hiveFolder(d.partIndex.Names(), texts)
}

// catalogued has the partitions of ALTER TABLE … ADD PARTITION, each where it was put or in Hive's folder.
func (d *definition) catalogued() *projection.Layout {
	var ps []projection.Partition
	for _, a := range d.additions {
		path := a.path
		if path == "" {
			if !d.hasLocation() {
				return nil
			}
			path = d.folderOf(a.texts)
		}
		ps = append(ps, projection.Partition{Values: a.values, Path: path})
	}
	l := projection.Catalogued("athena", d.keys(), ps)
	l.Shape = "partitions added by ALTER TABLE"
	return l
}

func (d *definition) keys() []pruning.Key {
	var ks []pruning.Key
	for _, p := range d.partitions {
		ks = append(ks, pruning.Key{Name: p.S, Type: d.column(p.S).Type})
	}
	return ks
}

// listed has the folders that a listing shows, as MSCK REPAIR TABLE enters them.
func (d *definition) listed() *projection.Layout {
	if !d.hasLocation() {
		return nil
	}
	if d.env.Store == nil && !d.env.Declare {
		d.Errorf("store.needed", d.at, "give --store or --objects, or add its partitions by ALTER TABLE … ADD PARTITION",
			"%s has no projection: which partitions there are stands in the catalog or in the storage", d.name)
		return nil
	}
	root := folder(d.location.S)
	dirs := &projection.Dirs{
		Table: d.name, At: d.at, Store: d.env.Store, Root: root, Limits: d.env.Limits,
		Codec: projection.DirCodec{Fold: true, Null: isNullName, Unescape: projection.UnescapeName, Hidden: projection.HiddenPart},
	}
	var shape strings.Builder
	shape.WriteString("folders " + root)
	for _, p := range d.partitions {
		c := d.column(p.S)
		dirs.Keys = append(dirs.Keys, projection.DirKey{Name: projection.EscapeName(p.S), Type: c.Type, Declared: c.Declared})
		shape.WriteString(p.S + "=…/")
	}
	l := dirs.Layout("athena")
	for i, p := range d.partitions {
		l.Keys[i].Name = p.S
	}
	l.Shape = shape.String()
	return l
}

func isNullName(text string) bool { return text == projection.NullName }
