package parser

import (
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// alter is ALTER [EXTERNAL] TABLE name actions.
func (p *parser) alter() (ast.Stmt, error) {
	from := p.pos()
	g, err := run(p, p.grammar().alterStmt)
	if err != nil {
		return nil, err
	}
	return &ast.AlterTable{Span: p.since(from), External: g.External, IfExists: g.IfExists, Name: g.Name.([]ast.Name),
		Actions: g.Actions.([]ast.AlterAction)}, nil
}

// actions are the actions of ALTER TABLE, separated by commas.
func (p *parser) actions() (actions, error) {
	var out []ast.AlterAction
	for {
		from := p.pos()
		a, err := p.action()
		if err != nil {
			return nil, err
		}
		a.Span = p.since(from)
		out = append(out, a)
		if !p.accept(",") {
			return out, nil
		}
	}
}

// action is one action of ALTER TABLE; one that isn't known is kept as text.
func (p *parser) action() (a ast.AlterAction, err error) {
	verb := p.Peek()
	if verb.Type != tokWord {
		return a, p.unexpected("an action such as ADD PARTITION")
	}
	switch strings.ToUpper(verb.Value) {
	case "ADD", "DROP", "MODIFY", "REPLACE", "RENAME":
		if p.partitionAhead() {
			return p.partitionAction()
		}
	case "SET", "UNSET", "RESET":
		return p.setAction()
	case "PARTITION":
		if isPunct(p.ahead(1), "(") {
			return p.onePartition()
		}
	}
	if p.ColumnActions || fold(p.ahead(1).Value, "COLUMN") {
		if a, ok := p.columnAction(); ok {
			return a, nil
		}
	}
	at := p.RawCursor()
	a.Kind = strings.ToUpper(p.Next().Value)
	if t := p.Peek(); t.Type == tokWord {
		a.Kind += " " + strings.ToUpper(p.Next().Value)
	}
	p.balanced()
	a.Text = p.folded(at)
	return a, nil
}

// onePartition is Hive's PARTITION (k = v, …) SET LOCATION '…' | RENAME TO PARTITION (k = v, …). What else it may be is
// kept as text.
func (p *parser) onePartition() (a ast.AlterAction, err error) {
	at := p.RawCursor()
	p.Next()
	d, err := p.specified()
	if err != nil {
		return a, err
	}
	a.Partitions = []ast.PartitionDef{d}
	switch {
	case p.accept("SET", "LOCATION"):
		a.Kind = "SET LOCATION"
		a.Value, err = p.stringValue()
	case p.accept("RENAME", "TO", "PARTITION"):
		a.Kind = "RENAME PARTITION"
		d, err = p.specified()
		a.Partitions = append(a.Partitions, d)
	default:
		p.balanced()
		a = ast.AlterAction{Kind: "PARTITION", Text: p.folded(at)}
	}
	return a, err
}

// specified is a partition by its values: (k = v, …).
func (p *parser) specified() (d ast.PartitionDef, err error) {
	from := p.pos()
	d.Spec, err = p.optionList()
	d.Span = p.since(from)
	return d, err
}

// partitionAhead reports whether ADD, DROP … is about partitions.
func (p *parser) partitionAhead() bool {
	for n := 1; ; n++ {
		switch t := p.ahead(n); {
		case t.Type != tokWord:
			return false
		case fold(t.Value, "PARTITION"), fold(t.Value, "PARTITIONS"):
			return true
		case !oneOf(t.Value, []string{"IF", "NOT", "EXISTS", "TEMPORARY"}):
			return false
		}
	}
}

// partitionAction is ADD | DROP | MODIFY | RENAME | REPLACE [TEMPORARY] PARTITION ….
func (p *parser) partitionAction() (a ast.AlterAction, err error) {
	a.Kind = strings.ToUpper(p.Next().Value) + " PARTITION"
	a.Temporary = p.accept("TEMPORARY")
	if a.Kind == "ADD PARTITION" {
		a.IfNotExists = p.accept("IF", "NOT", "EXISTS")
	} else {
		a.IfExists = p.accept("IF", "EXISTS")
	}
	if p.acceptOne("PARTITION", "PARTITIONS") == "" {
		return a, p.unexpected("PARTITION")
	}
	switch a.Kind {
	case "ADD PARTITION":
		err = p.addPartitions(&a)
	case "RENAME PARTITION":
		err = p.renamePartition(&a)
	default:
		a.IfExists = p.accept("IF", "EXISTS") || a.IfExists
		err = p.namedPartitions(&a)
	}
	if err != nil {
		return a, err
	}
	return a, p.partitionTail(&a)
}

// addPartitions is one definition of Doris, or (k = v, …) [LOCATION '…'] of Hive, which may be repeated.
func (p *parser) addPartitions(a *ast.AlterAction) error {
	for {
		from := p.pos()
		var d ast.PartitionDef
		var err error
		switch {
		case p.is("("):
			if d.Spec, err = p.optionList(); err == nil && p.accept("LOCATION") {
				d.Location, err = p.stringLit()
			}
		case p.is("FROM"):
			err = p.fromTo(&d)
		default:
			err = p.namedPartition(&d)
		}
		if err != nil {
			return err
		}
		if d.Spec == nil && p.is("(") {
			if d.Options, err = p.optionList(); err != nil {
				return err
			}
		}
		if p.is("DISTRIBUTED") {
			if d.DistributedBy, err = p.clause(); err != nil {
				return err
			}
			d.Buckets = d.DistributedBy.Buckets
		}
		d.Span = p.since(from)
		a.Partitions = append(a.Partitions, d)
		if d.Spec == nil || !p.accept("PARTITION") {
			return nil
		}
	}
}

// renamePartition is RENAME PARTITION old new.
func (p *parser) renamePartition(a *ast.AlterAction) error {
	for range 2 {
		n, err := p.name("a partition")
		if err != nil {
			return err
		}
		a.Names = append(a.Names, n)
	}
	return nil
}

// namedPartitions is p, (p, q), (*), or (k = v, k > v, …) [, PARTITION (k = v, …)].
func (p *parser) namedPartitions(a *ast.AlterAction) error {
	if !p.is("(") {
		n, err := p.name("a partition")
		a.Names = append(a.Names, n)
		return err
	}
	if isPunct(p.ahead(1), "*") {
		p.Next()
		star := p.Next()
		a.Value = &ast.Star{Span: span(star)}
		return p.expect(")")
	}
	for {
		from := p.pos()
		var d ast.PartitionDef
		var err error
		if d.Spec, err = list(p, "option", p.condition); err != nil {
			return err
		}
		d.Span = p.since(from)
		if plainNames(d.Spec) {
			if a.Names == nil {
				a.Names = []ast.Name{}
			}
			for _, o := range d.Spec {
				a.Names = append(a.Names, o.Key)
			}
		} else {
			a.Partitions = append(a.Partitions, d)
		}
		if !p.accept(",", "PARTITION") {
			return nil
		}
	}
}

// condition is k = v, and k < v, k >= v … in the DROP PARTITION of Hive.
func (p *parser) condition() (o ast.Option, err error) {
	if o, err = p.hint(); err != nil || o.Sep != "" {
		return o, err
	}
	for _, op := range []string{"<", "<=", ">", ">=", "<>", "!="} {
		if p.accept(op) {
			o.Sep = op
			o.Value, err = p.expr()
			o.To = end(p.last())
			break
		}
	}
	return o, err
}

// plainNames reports whether a list has names only.
func plainNames(spec []ast.Option) bool {
	for _, o := range spec {
		if o.Sep != "" || o.Value != nil {
			return false
		}
	}
	return true
}

// partitionTail is what may follow: WITH TEMPORARY PARTITION (…), SET (…), FORCE, PROPERTIES (…).
func (p *parser) partitionTail(a *ast.AlterAction) (err error) {
	for err == nil {
		switch {
		case p.is("WITH"):
			p.Next()
			p.accept("TEMPORARY")
			if p.acceptOne("PARTITION", "PARTITIONS") == "" {
				return p.unexpected("PARTITION")
			}
			if a.With, err = p.oneOrMore(); err != nil {
				return err
			}
		case p.accept("SET"), p.accept("PROPERTIES"):
			var opts []ast.Option
			opts, err = p.optionList()
			if a.Options = append(a.Options, opts...); a.Options == nil {
				a.Options = opts
			}
		case p.accept("FORCE"), p.accept("PURGE"):
			a.Force = true
		default:
			return nil
		}
	}
	return err
}

// oneOrMore is a partition p, or (p, q).
func (p *parser) oneOrMore() ([]ast.Name, error) {
	if p.is("(") {
		return p.names("partition")
	}
	n, err := p.name("a partition")
	return []ast.Name{n}, err
}

// setAction is SET [TBLPROPERTIES|PROPERTIES] (…), SET LOCATION '…', RESET (…).
func (p *parser) setAction() (a ast.AlterAction, err error) {
	a.Kind = strings.ToUpper(p.Next().Value)
	word := p.acceptOne("TBLPROPERTIES", "PROPERTIES", "SERDEPROPERTIES")
	switch {
	case p.accept("LOCATION"):
		a.Kind += " LOCATION"
		a.Value, err = p.stringValue()
	case p.is("(") && a.Kind == "RESET" || a.Kind == "UNSET":
		p.accept("IF", "EXISTS")
		a.Names, err = list(p, "option", func() (ast.Name, error) { return p.key("a name of an option") })
	case p.is("("), word != "":
		a.Options, err = list(p, "option", p.tableOption)
	default:
		p.balanced()
	}
	a.Word = word
	return a, err
}
