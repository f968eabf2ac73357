package planner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/parser"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/store"
)

// Options of a Session. The zero value plans YQL as of the present, without touching storage.
type Options struct {
	System    string            // name of the projection.System that reads tables; "" is yql
	Now       time.Time         // what NOW and CurrentUtcDate() mean; zero: the time of NewSession
	Store     store.Lister      // nil: storage isn't touched
	Limits    projection.Limits // zero fields take their defaults
	Canonical bool              // directory names have one form for each value: see [projection.Dirs]
	Verify    bool              // compare projections with the Store, too: see [Scan.Listing]
	Lint      bool              // Run tells what was probably not meant, too; see [Plan.Lint]

	// Columns reads the columns of files whose types aren't declared, so that names are checked; nil: files of the Store aren't
	// looked into. Package store/parquet has one.
	Columns func(ctx context.Context, r store.Reader, file store.Entry) ([]store.Column, error)
}

// Session executes statements in order and remembers what they declare: tables, sources, named expressions. It isn't
// to be used by several goroutines at once; its plans are.
type Session struct {
	system  projection.System
	dialect *parser.Dialect
	sem     *semantics // as PRAGMAs have changed them
	env     projection.Env
	listed  *store.Memory // the env's Store; nil where there is none
	memo    projection.Memo
	verify  bool
	err     error // why nothing can be executed
	sources ast.Sources
	catalog catalog
	params  *param

	prepared map[string]ast.Stmt // by name, lower case

	tables  map[*ast.TableRef]madeTable // in named queries
	outputs map[ast.Query]*relation     // the columns of named queries, as their definitions were checked
	notes   ast.Diagnostics             // of statements without a plan, not told yet
	views   map[*ast.CreateView]*param  // the queries of views, with the names around them
	lint    bool
	made    *projection.Table // what the last declaration left

	unfinished bool // later statements go on with what the one being executed declares
}

// NewSession starts a session of the system that opt names. When there is none, every statement fails with that error.
func NewSession(systems []projection.System, opt Options) *Session {
	s := &Session{verify: opt.Verify, lint: opt.Lint}
	name := opt.System
	if name == "" {
		name = "yql"
	}
	for _, sys := range systems {
		if sys.Name() == name {
			s.system = sys
		}
	}
	if s.system == nil {
		s.err = fmt.Errorf("there is no system %q", name)
		return s
	}
	var ok bool
	if s.dialect, ok = parser.DialectByName(s.system.Dialect()); !ok {
		s.err = fmt.Errorf("there is no dialect %q", s.system.Dialect())
		return s
	}
	s.sem = semanticsOf(s.dialect.Name)
	s.catalog.same = s.sem.sameName
	if opt.Now.IsZero() {
		opt.Now = time.Now()
	}
	if opt.Store != nil {
		s.listed = &store.Memory{Lister: opt.Store, Room: mostListed}
		opt.Store = s.listed
	}
	s.env = projection.Env{Now: opt.Now.UTC(), Store: opt.Store, Canonical: opt.Canonical, Limits: withDefaults(opt.Limits), Columns: opt.Columns, Memo: &s.memo}
	return s
}

// mostListed bounds the objects and directories that are remembered while a statement that reads several tables is planned.
const mostListed = 1 << 18

// readsTwice reports whether a statement may read some table twice.
func readsTwice(st ast.Stmt) bool {
	n := 0
	for node := range ast.Preorder(st) {
		if t, ok := node.(*ast.TableRef); ok {
			if n++; n > 1 || t.Param != nil { // a named query may read several
				return true
			}
		}
	}
	return false
}

// withDefaults replaces zero limits by their defaults.
func withDefaults(l projection.Limits) projection.Limits {
	d := projection.DefaultLimits
	for _, f := range []struct{ set, to *int }{
		{&l.Nodes, &d.Nodes}, {&l.Points, &d.Points}, {&l.Checks, &d.Checks},
		{&l.Sorted, &d.Sorted}, {&l.Pages, &d.Pages}, {&l.Rows, &d.Rows}, {&l.Requests, &d.Requests},
	} {
		if *f.set == 0 {
			*f.set = *f.to
		}
	}
	return l
}

// maxFindings is how many findings of a text are told.
const maxFindings = 1000

// Run parses a text and executes its statements. The plans are those of the statements that have one; the
// diagnostics are all findings, sorted and located, statements that failed included.
func (s *Session) Run(ctx context.Context, name, text string) ([]*Plan, ast.Diagnostics) {
	var diags ast.Diagnostics
	if s.err != nil {
		return nil, ast.Diagnostics{failure(s.err, ast.NoPos, ast.NoPos)}
	}
	src, err := s.sources.Add(name, text)
	if err != nil {
		return nil, ast.Diagnostics{failure(err, ast.NoPos, ast.NoPos)}
	}
	stmts, err := parser.Parse(src, s.dialect)
	diags = appendError(diags, err, src.Base, src.Base)
	var plans []*Plan
	alterations := s.alterations(stmts)
	for i, st := range stmts {
		o, _ := objectOf(st)
		s.unfinished = alterations[strings.ToLower(dotted(o.name))] > i
		plan, err := s.Exec(ctx, st)
		if plan != nil {
			plan.Source, plan.Pos = src, st.Pos()
			plans = append(plans, plan)
			diags = append(diags, plan.Notes...)
			if s.lint && err == nil {
				found, err := plan.Lint(ctx)
				diags = appendError(append(diags, found...), err, st.Pos(), st.End())
			}
		}
		diags, s.notes = append(diags, s.notes...), nil
		if err != nil && ctx.Err() != nil {
			diags = append(diags, interrupted(st, plan != nil))
			break
		}
		diags = appendError(diags, err, st.Pos(), st.End())
	}
	diags.Sort()
	diags.Limit(maxFindings)
	diags.Locate(s.sources)
	return plans, diags
}

// alterations are the last ALTER TABLE of each table, in dialects where settings may be added one by one: what is declared
// before may be incomplete, and only the last of these statements is checked by itself.
func (s *Session) alterations(stmts []ast.Stmt) map[string]int {
	if !semanticsOf(s.dialect.Name).lateSettings {
		return nil
	}
	last := map[string]int{}
	for i, st := range stmts {
		if a, ok := st.(*ast.AlterTable); ok {
			last[strings.ToLower(dotted(a.Name))] = i
		}
	}
	return last
}

// appendError appends what an error holds: diagnostics as they are, another error as one about the given text.
func appendError(diags ast.Diagnostics, err error, pos, end ast.Pos) ast.Diagnostics {
	var ds ast.Diagnostics
	switch {
	case err == nil:
		return diags
	case errors.As(err, &ds):
		return append(diags, ds...)
	}
	return append(diags, failure(err, pos, end))
}

// failure is an error that isn't about the text: storage that can't be read, a cancelled context.
func failure(err error, pos, end ast.Pos) *ast.Diagnostic {
	return &ast.Diagnostic{Code: "plan.failed", Pos: pos, End: end, Msg: err.Error(), Err: err}
}

// interrupted tells which statement was the last one. A plan may be there, with listings cut short.
func interrupted(st ast.Stmt, planned bool) *ast.Diagnostic {
	d := &ast.Diagnostic{Code: "plan.interrupted", Pos: st.Pos(), End: st.End(), Msg: "interrupted before there was a plan of this statement"}
	if planned {
		d.Severity, d.Msg = ast.Warning, "interrupted: listings were cut short, and more may have to be read"
	}
	return d
}

// Exec executes one statement: nil for one without a plan. The error is ast.Diagnostics or an I/O error. What is worth
// telling about a statement without a plan is among the notes of the next one.
func (s *Session) Exec(ctx context.Context, st ast.Stmt) (*Plan, error) {
	if s.err != nil {
		return nil, s.err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.listed != nil && readsTwice(st) {
		s.listed.Remember(true)
		defer s.listed.Remember(false)
	}
	switch st := st.(type) {
	case *ast.Explain:
		return s.Exec(ctx, st.Stmt)
	case *ast.Prepare:
		s.prepare(st)
	case *ast.Execute:
		return s.execute(ctx, st)
	case *ast.Let:
		return nil, s.let(ctx, st)
	case *ast.Declare:
		return nil, s.declareParam(st)
	case *ast.Pragma:
		switch st.Keyword {
		case "SET VARIABLE":
			return nil, s.setVariable(ctx, st)
		case "RESET VARIABLE":
			s.params = &param{up: s.params, name: variablePrefix + strings.ToLower(st.Name[0].Text), x: noExpr}
			return nil, nil
		}
		return nil, s.pragma(st)
	case *ast.CreateSource, *ast.AlterTable, *ast.Drop:
		return nil, s.declare(ctx, st)
	case *ast.CreateView:
		return nil, s.createView(ctx, st)
	case *ast.CreateTable:
		if err := s.declare(ctx, st); err != nil || st.As == nil || st.Data == "WITH NO DATA" {
			return nil, err
		}
		return s.plan(ctx, st, "insert", st.As)
	case *ast.Select:
		return s.plan(ctx, st, "select", st)
	case *ast.SetOp:
		return s.plan(ctx, st, "select", st)
	case *ast.Values:
		return s.plan(ctx, st, "select", st)
	case *ast.Reshape:
		return s.plan(ctx, st, "select", st)
	case *ast.Insert:
		return s.insert(ctx, st)
	case *ast.CallStmt:
		return nil, s.follow(ctx, st)
	case *ast.Other:
		s.unplanned(st)
		if st.Verb == "USE" && s.sem.dialect == "yql" { // the source of paths that stand alone
			s.catalog.add(st)
		}
		return nil, s.follow(ctx, st)
	case *ast.Copy:
		return s.copy(ctx, st)
	}
	return nil, nil
}

// unplanned warns of statements that hold others, which are executed without being planned.
func (s *Session) unplanned(st *ast.Other) {
	verb, _, _ := strings.Cut(st.Verb, " ")
	if s.sem.dialect != "yql" || verb != "DO" && verb != "EVALUATE" {
		return
	}
	s.notes = append(s.notes, &ast.Diagnostic{
		Severity: ast.Warning, Code: "plan.unplanned", Pos: st.Pos(), End: st.Pos() + ast.Pos(len(verb)),
		Msg: "what " + verb + " reads is not planned", Hint: "write the statements by themselves",
	})
}

// declare enters a declaration and has the system check the table that it leaves, so that a bad one is an error even
// when it is never read.
func (s *Session) declare(ctx context.Context, st ast.Stmt) error {
	var diags ast.Diagnostics
	if !s.catalog.declare(st, &diags) {
		return s.found(diags)
	}
	ref := &ast.TableRef{Span: ast.Span{From: st.Pos(), To: st.End()}}
	switch st := st.(type) {
	case *ast.CreateTable:
		ref.Name = st.Name
	case *ast.AlterTable:
		if s.catalog.view(st.Name, true) != nil {
			for i := range st.Actions {
				diags = append(diags, doubtView(st.Name, st.Actions[i].Options)...)
			}
			return s.found(diags)
		}
		ref.Name = st.Name
	default:
		return s.found(diags)
	}
	if s.unfinished {
		return s.found(diags)
	}
	return s.found(append(diags, s.check(ctx, ref)...))
}

// check has the system make a table and gives its findings.
func (s *Session) check(ctx context.Context, ref *ast.TableRef) ast.Diagnostics {
	env := s.env
	env.Declare = true
	table, err := s.system.Table(ctx, &env, ref, s.catalog.decls)
	s.made = table
	var found ast.Diagnostics
	if errors.As(err, &found) {
		return found
	}
	if table == nil {
		return nil
	}
	return table.Notes
}

// follow hands a statement to a system whose tables depend on it, and checks the table that it leaves.
func (s *Session) follow(ctx context.Context, st ast.Stmt) error {
	f, ok := s.system.(projection.Follower)
	if !ok {
		return nil
	}
	name := f.Follows(st, s.catalog.decls)
	if name == nil {
		return nil
	}
	s.catalog.add(st)
	return s.found(s.check(ctx, &ast.TableRef{Span: ast.Span{From: st.Pos(), To: st.End()}, Name: name}))
}

// found is the error of a statement without a plan. Without an error, what was found is kept for the next plan.
func (s *Session) found(diags ast.Diagnostics) error {
	if diags.HasErrors() {
		return diags
	}
	s.notes = append(s.notes, diags...)
	return nil
}

// declareParam enters DECLARE $x AS Type.
func (s *Session) declareParam(st *ast.Declare) error {
	var diags ast.Diagnostics
	b := s.binder(&diags)
	b.writtenType(st.Type)
	if st.Default != nil {
		b.bind(st.Default, &scope{params: s.params})
	}
	s.params = &param{up: s.params, name: st.Name.Name, typ: st.Type, x: st.Default}
	return s.found(diags)
}

// setVariable enters SET VARIABLE x = value, which getvariable('x') gives. Other settings mean nothing to a plan.
func (s *Session) setVariable(ctx context.Context, st *ast.Pragma) error {
	if len(st.Values) != 1 {
		return nil
	}
	q := newBuilder(ctx, s)
	q.bind.bind(st.Values[0], &scope{params: s.params})
	s.params = &param{up: s.params, name: variablePrefix + strings.ToLower(st.Name[0].Text), x: st.Values[0]}
	if q.err != nil {
		return q.err
	}
	return s.found(q.diags)
}

// variablePrefix keeps variables and named expressions apart.
const variablePrefix = "variable "

// let enters $x = expr or $x = SELECT …. Binding it here finds its errors even when it is never used.
func (s *Session) let(ctx context.Context, st *ast.Let) error {
	b := newBuilder(ctx, s)
	b.checking = true
	var value expr
	if st.Query != nil {
		if s.outputs == nil {
			s.outputs = map[ast.Query]*relation{}
		}
		s.outputs[st.Query] = b.query(st.Query, nil).relation()
	} else if value = b.bind.bind(st.X, &scope{params: s.params}); len(b.inner) > 0 {
		value = nil
	}
	for i := range st.Names {
		p := &param{up: s.params, name: st.Names[i].Name, x: st.X, query: st.Query, sem: s.sem, value: value}
		if len(st.Names) > 1 {
			p.sel = &ast.Name{Span: st.Names[i].Span, Text: st.Names[i].Name}
		}
		s.params = p
	}
	if b.err != nil {
		return b.err
	}
	return s.found(b.diags)
}

func (s *Session) binder(diags *ast.Diagnostics) *binder {
	return newBinder(s.sem, s.env.Now, s.env.Limits, diags)
}
