package paimon

import (
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
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
			d.open = true // columns may have come, gone, or got other names
		}
	}
}

// change follows SET and RESET of options.
func (d *definition) change(set []ast.Option, reset []ast.Name) {
	before := d.bucket
	for _, o := range set {
		d.checkChange(o, o.Key.Text)
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
			d.history.other.add(d.bucket)
			continue
		}
		p := strings.Join(t.levels, "/")
		gone := counts{empty: true}
		gone.add(d.bucket)
		d.history.named[p] = gone
	}
}

// arguments are the arguments of CALL by name; those without one have the names of the procedure's parameters in order.
func arguments(st *ast.CallStmt, parameters ...string) map[string]ast.Expr {
	out := map[string]ast.Expr{}
	for i, a := range st.Args {
		switch {
		case a.Name != nil:
			out[strings.ToLower(a.Name.Text)] = a.X
		case i < len(parameters):
			out[parameters[i]] = a.X
		}
	}
	return out
}

// rescaleArguments are the parameters of sys.rescale in their order (Paimon's documentation, "Procedures").
func rescaleArguments(st *ast.CallStmt) map[string]ast.Expr {
	return arguments(st, "table", "bucket_num", "partition")
}

// callTarget is the table that CALL sys.rescale is about.
func callTarget(st *ast.CallStmt) []ast.Name {
	if n := len(st.Name); n == 0 || !strings.EqualFold(st.Name[n-1].Text, "rescale") {
		return nil
	}
	l, ok := rescaleArguments(st)["table"].(*ast.Literal)
	if !ok {
		return nil
	}
	var name []ast.Name
	for _, part := range strings.Split(l.Text, ".") {
		name = append(name, ast.Name{Span: l.Span, Text: part})
	}
	return name
}

// rescale follows CALL sys.rescale: the partitions that it names get bucket_num buckets, or the option's number.
func (d *definition) rescale(st *ast.CallStmt) {
	args := rescaleArguments(st)
	n := d.bucket
	if x := args["bucket_num"]; x != nil {
		m, ok := d.Int("rescale.number", "bucket_num", argumentText(x), 1, 1<<31-1)
		if !ok {
			return
		}
		n = int(m)
	}
	if n < 1 {
		d.Errorf("rescale.number", st, "add bucket_num => 4", "rescale needs bucket_num: %s is %d", bucketOption, d.bucket)
		return
	}
	partitions := args["partition"]
	if partitions == nil {
		partitions = args["partitions"]
	}
	d.history.data = true
	if partitions == nil {
		d.rescaleAll(n)
		return
	}
	d.rescaleSome(argumentText(partitions), n)
}

// rescaleAll gives every partition n buckets. One that comes later takes the option's number.
func (d *definition) rescaleAll(n int) {
	if len(d.partition) == 0 {
		d.history.set("", n)
		return
	}
	for p := range d.history.named {
		d.history.set(p, n)
	}
	d.history.other.may = nil
	d.history.other.add(n)
	d.history.other.add(d.bucket)
}

// rescaleSome reads "dt=20250217,hh=08;dt=20250217,hh=09".
func (d *definition) rescaleSome(text projection.Text, n int) {
	from := 0
	for i := 0; i <= len(text.S); i++ {
		if i < len(text.S) && text.S[i] != ';' {
			continue
		}
		item := text.Slice(from, i)
		from = i + 1
		if p, ok := d.partitionSpec(item); ok {
			d.history.set(p, n)
			continue
		}
		d.Errorf("rescale.partition", item, "name all of "+d.namesOf(d.partition)+", as in dt=20250217,hh=08", "%s names no partition", projection.Quote(item.S))
	}
}

func argumentText(x ast.Expr) projection.Text {
	t, ok := optionText(&ast.Option{Value: x})
	if !ok {
		return projection.NewText(ast.Span{From: x.Pos(), To: x.End()}, "")
	}
	return t
}
