package athena

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/pruning"
)

// addition is a partition that ALTER TABLE … ADD PARTITION has entered.
type addition struct {
	at       ast.Node
	values   []pruning.Nullable // one for each partition column
	texts    []string
	location projection.Text
	located  bool
}

// addPartitions enters partitions. One that is there already stays as it is under IF NOT EXISTS.
func (d *definition) addPartitions(a *ast.AlterAction) {
	for i := range a.Partitions {
		p := &a.Partitions[i]
		values, texts, known := d.spec(p)
		if values == nil {
			continue
		}
		if slices.Contains(known, false) {
			name := d.partitions[slices.Index(known, false)].S
			d.Errorf("partition.spec", p, "add "+name+" = '…'", "the partition column %s is missing: a partition has a value for each", name)
			continue
		}
		n := addition{at: p, values: values, texts: texts}
		if p.Location != nil {
			n.location, n.located = projection.LiteralText(p.Location), true
		}
		if id := identity(values); d.has[id] {
			if !a.IfNotExists {
				d.Errorf("partition.exists", p, "write ADD IF NOT EXISTS", "the partition %s exists already", hiveFolder(d.partIndex.Names(), texts))
			}
			continue
		}
		if d.has == nil {
			d.has = map[string]bool{}
		}
		d.has[identity(values)] = true
		d.added = append(d.added, n)
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

// dropPartitions removes the partitions that have the given values.
func (d *definition) dropPartitions(a *ast.AlterAction) {
	for i := range a.Partitions {
		values, _, known := d.spec(&a.Partitions[i])
		if values == nil {
			continue
		}
		d.added = slices.DeleteFunc(d.added, func(p addition) bool {
			for k := range values {
				if known[k] && p.values[k] != values[k] {
					return false
				}
			}
			delete(d.has, identity(p.values))
			return true
		})
	}
}

// spec reads (dt = '2024-01-01', hour = 5); nil values when something is wrong with it.
func (d *definition) spec(p *ast.PartitionDef) (values []pruning.Nullable, texts []string, known []bool) {
	n := len(d.partitions)
	if n == 0 {
		d.Errorf("partition.spec", p, d.partitionHint(), "%s has no partition columns", d.name)
		return nil, nil, nil
	}
	values, texts, known = make([]pruning.Nullable, n), make([]string, n), make([]bool, n)
	ok := true
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
		values[k], texts[k], known[k] = v, t.S, true
	}
	if !ok {
		return nil, nil, nil
	}
	return values, texts, known
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

// catalogued has the partitions of ALTER TABLE … ADD PARTITION, each where it was put or in Hive's folder.
func (d *definition) catalogued() *projection.Layout {
	var ps []projection.Partition
	for _, a := range d.added {
		path := a.location.S
		if !a.located {
			if !d.hasLocation() {
				return nil
			}
			path = folder(d.location.S) + hiveFolder(d.partIndex.Names(), a.texts)
		}
		ps = append(ps, projection.Partition{Values: a.values, Path: folder(path)})
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
