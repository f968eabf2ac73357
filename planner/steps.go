package planner

import (
	"context"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/projection"
)

// Step is a statement that declares a table or changes one, with the table as it stands from there on.
type Step struct {
	Stmt  ast.Stmt // *ast.CreateTable or *ast.AlterTable; a query that declares the table in place, see [Session.Declared]
	Name  []ast.Name
	Ref   *ast.TableRef // where a query declares the table, else nil
	Text  string        // of the statement
	Lines []string      // what partitions the table has then; see [projection.Layout]
	Table *projection.Table
	Decls []ast.Stmt // all declarations that hold
}

// Steps executes a text like [Session.Run] and gives its declarations of tables, in order; those with errors are among the
// findings only.
func (s *Session) Steps(ctx context.Context, name, text string) ([]Step, ast.Diagnostics) {
	return s.steps(ctx, name, text, false)
}

// Declared is Steps with the projected tables that queries declare in place: SELECT … FROM s3.`/logs/` WITH (SCHEMA = …).
func (s *Session) Declared(ctx context.Context, name, text string) ([]Step, ast.Diagnostics) {
	return s.steps(ctx, name, text, true)
}

func (s *Session) steps(ctx context.Context, name, text string, queries bool) ([]Step, ast.Diagnostics) {
	if s.err != nil {
		return nil, ast.Diagnostics{failure(s.err, ast.NoPos, ast.NoPos)}
	}
	src, err := s.sources.Add(name, text)
	if err != nil {
		return nil, ast.Diagnostics{failure(err, ast.NoPos, ast.NoPos)}
	}
	stmts, err := parser.Parse(src, s.dialect)
	diags := appendError(nil, err, src.Base, src.Base)
	var steps []Step
	for _, st := range stmts {
		s.made = nil
		var step Step
		switch st := st.(type) {
		case *ast.CreateTable:
			step = Step{Stmt: st, Name: st.Name}
		case *ast.AlterTable:
			step = Step{Stmt: st, Name: st.Name}
		case *ast.CreateSource, *ast.Drop, *ast.Let, *ast.Declare:
		default:
			if !queries || !declaresInPlace(st) {
				continue
			}
		}
		plan, err := s.Exec(ctx, st)
		diags = appendError(append(diags, s.notes...), err, st.Pos(), st.End())
		if s.notes = nil; step.Stmt != nil && s.laidOut(ctx, step) {
			step.Table, step.Decls, step.Text = s.made, s.catalog.decls, src.Slice(st.Pos(), st.End())
			if describe := s.made.Layout.Describe; describe != nil {
				step.Lines = describe() // now: the next statement changes the table
			}
			steps = append(steps, step)
		}
		if plan != nil && step.Stmt == nil {
			diags = append(diags, plan.Notes...)
			steps = append(steps, s.inPlace(st, plan)...)
		}
	}
	diags.Sort()
	diags.Locate(s.sources)
	return steps, diags
}

// declaresInPlace reports whether a query declares a table behind its path.
func declaresInPlace(st ast.Stmt) bool {
	for n := range ast.Preorder(st) {
		if ref, ok := n.(*ast.TableRef); ok && len(ref.Hints) > 0 {
			return true
		}
	}
	return false
}

func (s *Session) inPlace(st ast.Stmt, plan *Plan) (steps []Step) {
	for _, scan := range plan.Scans {
		if len(scan.Ref.Hints) > 0 && scan.Table.Layout.Template != nil {
			steps = append(steps, Step{Stmt: st, Name: scan.Ref.Name, Ref: scan.Ref, Table: scan.Table, Decls: s.catalog.decls})
		}
	}
	return steps
}

// laidOut reports whether the table that a statement leaves has a layout. Systems that only check a declaration are asked
// for the table as it would be read.
func (s *Session) laidOut(ctx context.Context, step Step) bool {
	if s.made == nil || s.made.Layout != nil {
		return s.made != nil
	}
	env := s.env
	ref := &ast.TableRef{Span: ast.Span{From: step.Stmt.Pos(), To: step.Stmt.End()}, Name: step.Name}
	table, err := s.system.Table(ctx, &env, ref, s.catalog.decls)
	s.made = table
	return err == nil && table != nil && table.Layout != nil
}
