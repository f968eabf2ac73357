package paimon

import (
	"maps"
	"slices"

	"github.com/yqlplan/yqlplan/ast"
)

// kept are the tables of a session as far as they have been followed, so that a script with very many INSERTs isn't
// followed from its CREATE for each of them.
type kept map[*ast.CreateTable]*progress

// progress is a table behind some of the statements that follow its CREATE.
type progress struct {
	definition
	n    int
	last ast.Stmt // the n-th
}

// resume reads a declaration and what has been done to the table since, from where that was left the last time.
func (d *definition) resume(c *created) {
	if d.env.Memo == nil {
		d.read(c)
		return
	}
	tables, ok := d.env.Memo.Value.(kept)
	if !ok {
		tables = kept{}
		d.env.Memo.Value = tables
	}
	p := tables[c.table]
	if p == nil || p.n > len(c.since) || p.n > 0 && c.since[p.n-1] != p.last {
		p = &progress{definition: definition{env: d.env, name: d.name, options: settings{}}}
		p.create(c)
		tables[c.table] = p
	}
	if rest := c.since[p.n:]; len(rest) > 0 {
		p.follow(rest)
		p.n, p.last = len(c.since), rest[len(rest)-1]
	}
	d.take(&p.definition)
}

// take makes d a copy of a definition, but for how the table is called. What may change of either is its own; the history
// isn't where a plan is made of neither.
func (d *definition) take(from *definition) {
	env, name, wide, branch := d.env, d.name, d.wide, d.branch
	*d = *from
	d.env, d.name, d.wide, d.branch = env, name, wide, branch
	d.List, d.options = slices.Clone(from.List), maps.Clone(from.options)
	if !env.Declare {
		d.history.named = maps.Clone(from.history.named)
	}
}
