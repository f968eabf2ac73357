package paimon

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

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

// effects are the procedures that change which data a table has, by their names; all take its name first (Paimon's
// documentation, "Procedures").
var effects = map[string]func(*definition, *ast.CallStmt){
	"rescale":        (*definition).rescale,
	"drop_partition": (*definition).dropProcedure,
	// What is older than a time goes, and that isn't known here.
	"expire_partitions": func(d *definition, _ *ast.CallStmt) { d.history.maybeDropped(&touched{}, d.bucket) },
	"purge_files":       func(d *definition, _ *ast.CallStmt) { d.history.truncate(d) },
	// An older state, or that of a branch: any number of buckets that there has been.
	"rollback":              func(d *definition, _ *ast.CallStmt) { d.history.forget() },
	"rollback_to":           func(d *definition, _ *ast.CallStmt) { d.history.forget() },
	"rollback_to_timestamp": func(d *definition, _ *ast.CallStmt) { d.history.forget() },
	"rollback_to_watermark": func(d *definition, _ *ast.CallStmt) { d.history.forget() },
	"fast_forward":          func(d *definition, _ *ast.CallStmt) { d.history.forget() },
}

// procedure is the effect of a CALL, or nil.
func procedure(st *ast.CallStmt) func(*definition, *ast.CallStmt) {
	if n := len(st.Name); n > 0 {
		return effects[strings.ToLower(st.Name[n-1].Text)]
	}
	return nil
}

// callTarget is the table that a CALL changes, or nil.
func callTarget(st *ast.CallStmt) []ast.Name {
	if procedure(st) == nil {
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
	for p, c := range d.history.named {
		if c.empty { // it may not be there
			c.add(n)
			d.history.named[p] = c
			continue
		}
		d.history.set(p, n)
	}
	d.history.other.may = nil
	d.history.other.add(n)
	d.history.ever.add(n)
	d.history.other.add(d.bucket)
}

// rescaleSome gives the partitions of a text n buckets.
func (d *definition) rescaleSome(text projection.Text, n int) {
	d.eachSpec(text, func(item projection.Text, partition string, ok bool) {
		if ok {
			d.history.set(partition, n)
			return
		}
		d.Errorf("rescale.partition", item, "name all of "+d.namesOf(d.partition)+", as in dt=20250217,hh=08", "%s names no partition", projection.Quote(item.S))
	})
}

// eachSpec reads "dt=20250217,hh=08;dt=20250217,hh=09".
func (d *definition) eachSpec(text projection.Text, f func(item projection.Text, partition string, ok bool)) {
	from := 0
	for i := 0; i <= len(text.S); i++ {
		if i < len(text.S) && text.S[i] != ';' {
			continue
		}
		item := text.Slice(from, i)
		from = i + 1
		p, ok := d.partitionSpec(item)
		f(item, p, ok)
	}
}

// dropProcedure follows CALL sys.drop_partition(table, partition, …).
func (d *definition) dropProcedure(st *ast.CallStmt) {
	for i, a := range st.Args {
		if a.Name == nil && i == 0 || a.Name != nil && strings.EqualFold(a.Name.Text, "table") {
			continue
		}
		d.eachSpec(argumentText(a.X), func(_ projection.Text, partition string, ok bool) {
			if ok {
				d.history.dropped(partition, d.bucket)
			} else {
				d.history.maybeDropped(&touched{}, d.bucket)
			}
		})
	}
}

func argumentText(x ast.Expr) projection.Text {
	t, ok := optionText(&ast.Option{Value: x})
	if !ok {
		return projection.NewText(ast.Span{From: x.Pos(), To: x.End()}, "")
	}
	return t
}
