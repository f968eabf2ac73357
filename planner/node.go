package planner

import (
	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
)

// node is one operator of a statement: something that yields rows. A closed set: scanNode, joinNode, selectNode,
// setNode, rowsNode, opaqueNode.
type node interface {
	// owns reports whether r is a relation whose columns conditions on this node's rows may use.
	owns(r *relation) bool
}

type (
	// scanNode reads a table.
	scanNode struct {
		ref   *ast.TableRef
		table *projection.Table
		alias string
		rel   *relation
		at    []ast.Pos // where it stands: the places of the $names that lead to it, then its own
		preds []pred    // what holds for the rows that matter
	}

	// joinNode joins two nodes. RIGHT joins have their sides swapped.
	joinNode struct {
		kind        joinKind
		l, r        node
		first, last int  // the orders of its relations
		anyL, anyR  bool // of the side's rows that are equal in what ON equates only one is taken, whichever comes
		on          []pred
		within      bool     // it stands for IN (SELECT …) or EXISTS in a WHERE about l, and on filters rows of r only
		merged      []*apply // of a full join: what the columns of USING mean, COALESCE(left, right)
		implications
	}

	// selectNode is SELECT items FROM from WHERE where GROUP BY groups HAVING having QUALIFY qualify.
	selectNode struct {
		from    node      // nil: one row without columns
		out     *relation // what the query around calls the result
		items   []expr    // the columns of out, as expressions over from's relations
		where   []pred
		having  []pred
		qualify []pred
		groups  []expr    // of GROUP BY
		grouped bool      // rows of from are combined: GROUP BY, or an aggregate without one
		blurred bool      // ROLLUP and its like: grouping columns become NULL in some rows
		windows [][]expr  // the PARTITION BY of each window function
		limited bool      // LIMIT, OFFSET, or a sample of so many rows
		sampled bool      // some rows may be missing
		counted bool      // USING SAMPLE of so many rows of from, before WHERE
		on      []expr    // DISTINCT ON: one row is taken of those that are equal in these
		passes  *relation // the open relation that names which aren't in out are taken from, or nil
		implications
	}

	// setNode is UNION, INTERSECT or EXCEPT.
	setNode struct {
		op      string
		out     *relation
		args    []outNode
		columns [][]int // for each argument, which of its columns a column of out is; -1: it has none there, NULL
		limited bool
		implications
	}

	// rowsNode is VALUES: rows of expressions without columns.
	rowsNode struct {
		out  *relation
		rows [][]expr
	}

	// opaqueNode yields rows of which only the columns' names are known: UNNEST, a recursive reference, a table with an
	// error.
	opaqueNode struct{ out *relation }
)

// outNode is a node that yields the columns of one relation.
type outNode interface {
	node
	relation() *relation
}

func (n *scanNode) relation() *relation   { return n.rel }
func (n *selectNode) relation() *relation { return n.out }
func (n *setNode) relation() *relation    { return n.out }
func (n *rowsNode) relation() *relation   { return n.out }
func (n *opaqueNode) relation() *relation { return n.out }

func (n *scanNode) owns(r *relation) bool   { return r == n.rel }
func (n *selectNode) owns(r *relation) bool { return r == n.out }
func (n *setNode) owns(r *relation) bool    { return r == n.out }
func (n *rowsNode) owns(r *relation) bool   { return r == n.out }
func (n *opaqueNode) owns(r *relation) bool { return r == n.out }
func (n *joinNode) owns(r *relation) bool   { return n.first <= r.order && r.order <= n.last }

// orders are those of the first and the last relation below n in a FROM.
func orders(n node) (first, last int) {
	switch n := n.(type) {
	case *joinNode:
		return n.first, n.last
	case outNode:
		return n.relation().order, n.relation().order
	}
	return 0, 0
}

// newJoin joins l and r, which stand in a FROM in this order.
func newJoin(kind joinKind, l, r node) *joinNode {
	j := &joinNode{kind: kind, l: l, r: r}
	j.first, _ = orders(l)
	_, j.last = orders(r)
	return j
}

// joinKind is what a join does with rows that have no partner.
type joinKind uint8

const (
	innerJoin      joinKind = iota
	leftJoin                // rows of l without a partner stay, with NULLs
	fullJoin                // those of both sides
	semiJoin                // rows of l that have a partner, once each
	antiJoin                // rows of l that have none
	exclusionJoin           // rows of both sides that have none
	positionalJoin          // the first row of l with the first of r, and so on
)

// joinOf is the kind of a join as written, and whether its sides are to be swapped.
func joinOf(kind string) (k joinKind, swapped bool) {
	switch kind {
	case "LEFT":
		return leftJoin, false
	case "RIGHT":
		return leftJoin, true
	case "FULL":
		return fullJoin, false
	case "LEFT SEMI", "SEMI":
		return semiJoin, false
	case "RIGHT SEMI":
		return semiJoin, true
	case "LEFT ONLY", "LEFT ANTI", "ANTI":
		return antiJoin, false
	case "RIGHT ONLY", "RIGHT ANTI":
		return antiJoin, true
	case "EXCLUSION":
		return exclusionJoin, false
	case "ASOF LEFT":
		return leftJoin, false
	case "ASOF RIGHT", "ASOF FULL": // what may be without a partner is taken for more than it is
		return fullJoin, false
	case "ASOF SEMI":
		return semiJoin, false
	case "ASOF ANTI":
		return antiJoin, false
	case "POSITIONAL":
		return positionalJoin, false
	}
	return innerJoin, false
}

// pred is a condition on its way down to the scans. For each row of a node that matters to the result there are values
// of the columns that aren't the node's own for which x is TRUE.
type pred struct {
	x     expr
	shown ast.Expr // x as it reads where it has come to
	from  string   // where it comes from, when that isn't the WHERE next to the scan
	// extra: it follows from other conditions, or says less than what is filtered above. It prunes but isn't a filter.
	extra bool
	grown int // nodes that x has gained on the way: the bound is that of all levels together
}
