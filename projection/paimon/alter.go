package paimon

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// alter follows an ALTER TABLE.
func (d *definition) alter(st *ast.AlterTable) {
	for i := range st.Actions {
		switch a := &st.Actions[i]; a.Kind {
		case "SET":
			d.change(a.Options, nil)
		case "RESET", "UNSET":
			d.change(nil, a.Names)
		case "DROP PARTITION":
			d.dropPartitions(a.Partitions)
		case "ADD PARTITION", "SET LOCATION":
		default:
			d.evolve(a)
		}
	}
}

// change follows SET and RESET of options.
func (d *definition) change(set []ast.Option, reset []ast.Name) {
	before := d.bucket
	for _, o := range set {
		if now, _ := d.get(o.Key.Text); !sameText(now.S, &o) {
			d.checkChange(o, o.Key.Text)
		}
	}
	d.set(set)
	for _, n := range reset {
		d.checkChange(n, n.Text)
		if n.Text == bucketOption && d.history.data {
			d.Errorf("rescale.reset", n, "set it to a number", "%s can't be reset once the table has data", bucketOption)
		}
		delete(d.options, n.Text)
	}
	if d.List.HasErrors() {
		return
	}
	d.readLayout()
	d.checkMode(set, before)
	d.history.option(d.bucket)
}

// sameText reports whether an option is set to what it is already.
func sameText(now string, o *ast.Option) bool {
	t, ok := optionText(o)
	return ok && t.S == now
}

// checkChange refuses a change of what decides where data lies, once there is some.
func (d *definition) checkChange(at ast.Node, option string) {
	if !d.history.data || !slices.Contains(unchangeable, option) {
		return
	}
	d.Errorf("rescale.option", at, "create another table and copy the data", "%s can't change any more: %s has data", option, d.name)
}

// checkMode refuses to bring a table with data from or to dynamic buckets.
func (d *definition) checkMode(set []ast.Option, before int) {
	if !d.history.data || before == d.bucket || before > 0 && d.bucket > 0 {
		return
	}
	for _, o := range set {
		if o.Key.Text != bucketOption || before != dynamic && d.bucket != dynamic {
			continue
		}
		d.Errorf("rescale.mode", o, "create another table and copy the data", "%s = %d can't become %d: %s has data, and its keys are not where a hash would look for them",
			bucketOption, before, d.bucket, d.name)
	}
}

// dropPartitions forgets partitions: they take the option's number when they are written again.
func (d *definition) dropPartitions(list []ast.PartitionDef) {
	for i := range list {
		t := &touched{levels: make([]string, len(d.partition))}
		for _, o := range list[i].Spec {
			d.fix(t, o.Key.Text, o.Value)
		}
		if slices.Contains(t.levels, "") {
			d.history.maybeDropped(t, d.bucket)
			continue
		}
		d.history.dropped(strings.Join(t.levels, "/"), d.bucket)
	}
}
