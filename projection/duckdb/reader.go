package duckdb

import (
	"maps"
	"slices"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/ducktext"
	"github.com/yqlplan/yqlplan/pruning"
)

// reader is what a table reference says: patterns and options.
type reader struct {
	projection.Findings
	env   *projection.Env
	decls []ast.Stmt
	name  string   // of the table, for people
	at    ast.Node // what messages point at
	globs []*glob
	ext   string // of the files that a directory stands for: ".parquet"

	partitioning  *bool // hive_partitioning, when given
	partitionedAt ast.Node
	autocast      bool
	types         []givenType
	typesAt       ast.Node
	filename      string
	filenameGiven bool // filename = true, or a name for it
	filenameAt    ast.Node
	unionByName   bool
	rowNumber     bool // file_row_number = true
	bytesAsText   bool // binary_as_string = true
	declared      bool // the columns are those of the option schema, or keys for decryption are given
}

// givenType is one field of hive_types.
type givenType struct {
	name     string
	typ      pruning.Type
	declared string
	at       ast.Node
}

// formats are the extensions of what can be read, with the extension that a directory's files have.
var formats = []struct{ ext, files string }{
	{".parquet", ".parquet"}, {".csv", ".csv"}, {".tsv", ".csv"}, {".json", ".json"}, {".jsonl", ".json"}, {".ndjson", ".json"},
}

// formatOf finds a format by the end of a name, compressed or not; ok is false for another end.
func formatOf(name string) (files string, ok bool) {
	name = strings.ToLower(name)
	for _, packed := range []string{".gz", ".zst", ".zstd"} {
		name = strings.TrimSuffix(name, packed)
	}
	for _, f := range formats {
		if strings.HasSuffix(name, f.ext) {
			return f.files, true
		}
	}
	return "", false
}

// functions are the table functions that read files, with the format of each.
var functions = map[string]string{
	"read_parquet": ".parquet", "parquet_scan": ".parquet",
	"read_csv": ".csv", "read_csv_auto": ".csv", "sniff_csv": ".csv",
	"read_json": ".json", "read_json_auto": ".json", "read_json_objects": ".json", "read_json_objects_auto": ".json",
	"read_ndjson": ".json", "read_ndjson_auto": ".json", "read_ndjson_objects": ".json",
	"read_text": "", "read_blob": "", "glob": "",
}

// read takes a reference apart; ok is false when it doesn't name files.
func (r *reader) read(ref *ast.TableRef) (ok bool) {
	r.autocast, r.filename = true, filename
	switch {
	case ref.File != nil:
		r.name, r.at = "'"+ref.File.Text+"'", ref.File
		if r.ext, ok = formatOf(ref.File.Text); !ok {
			r.Errorf("table.form", ref.File, "write read_parquet('"+ref.File.Text+"'), or end the name in .parquet, .csv or .json",
				"%s: of what format the files are doesn't show in the name", projection.Clip(r.name))
			return false
		}
		r.glob(projection.LiteralText(ref.File))
		return true
	case ref.Func != nil:
		return r.function(ref.Func)
	case len(ref.Name) > 0:
		return r.named(ref)
	}
	r.Errorf("table.form", ref, "write FROM 'dir/**/*.parquet'", "these are no files")
	return false
}

// named reads a name: one that ends like a file is one (DuckDB, replacement scans), another is a table of the database.
func (r *reader) named(ref *ast.TableRef) (ok bool) {
	texts := make([]string, len(ref.Name))
	for i, n := range ref.Name {
		texts[i] = n.Text
	}
	r.name, r.at = strings.Join(texts, "."), ast.Span{From: ref.Name[0].From, To: ref.Name[len(ref.Name)-1].To}
	if r.created(ref.Name) {
		r.Notef("table.local", r.at, "", "%s lies in the database itself: reading it reads no objects", projection.Clip(r.name))
		return false
	}
	if r.ext, ok = formatOf(r.name); !ok {
		r.Notef("table.local", r.at, "to read files, write FROM 'dir/**/*.parquet'",
			"%s is taken for a table of the database: it isn't read from storage", projection.Clip(r.name))
		return false
	}
	r.glob(projection.NewText(ast.Span{From: r.at.Pos(), To: r.at.End()}, r.name))
	return true
}

// fileText is a literal that names files: one that is written, or the value of an expression.
func fileText(l *ast.Literal) projection.Text {
	if l.Raw == "" {
		return projection.NewText(l.Span, l.Text)
	}
	return projection.LiteralText(l)
}

// created reports whether CREATE TABLE made a table of this name.
func (r *reader) created(name []ast.Name) bool {
	return slices.ContainsFunc(r.decls, func(st ast.Stmt) bool {
		t, ok := st.(*ast.CreateTable)
		return ok && slices.EqualFunc(t.Name, name, func(a, b ast.Name) bool { return strings.EqualFold(a.Text, b.Text) })
	})
}

// function reads read_parquet('a/*.parquet', hive_partitioning = true) and the like.
func (r *reader) function(c *ast.Call) (ok bool) {
	name := strings.ToLower(c.Func.Text)
	r.name, r.at = name+"(…)", c
	if r.ext, ok = functions[name]; !ok {
		if near := projection.DidYouMean(name, slices.Sorted(maps.Keys(functions))); near != "" {
			r.Errorf("table.function", c.Func, near, "there is no table function %s", projection.Quote(c.Func.Text))
		} else {
			r.Notef("table.function", c.Func, "", "%s(…) doesn't read files: nothing is known of its rows", projection.Clip(c.Func.Text))
		}
		return false
	}
	files := 0
	for i := range c.Args {
		a := &c.Args[i]
		switch {
		case a.Name != nil:
			r.option(name, a)
		case files == 0:
			files++
			r.files(a.X)
		default:
			r.Errorf("option.form", a, "write name = value", "%s takes files, then options by name", name)
		}
	}
	if files == 0 {
		r.Errorf("table.form", c, "write "+name+"('dir/**/*"+r.ext+"')", "%s names no files", name)
	}
	r.check()
	return true
}

// files reads a pattern or a list of patterns.
func (r *reader) files(x ast.Expr) {
	switch x := x.(type) {
	case *ast.Literal:
		if x.Kind == ast.StringLit {
			r.at = x
			r.glob(fileText(x))
			return
		}
	case *ast.ListExpr:
		if r.at = x; len(x.Items) == 0 {
			r.Errorf("table.form", x, "name at least one file", "the list of files is empty")
		}
		for _, item := range x.Items {
			l, ok := item.(*ast.Literal)
			if !ok {
				r.unknownFiles(item)
				continue
			}
			if l.Kind != ast.StringLit {
				r.Errorf("table.form", item, "write 'dir/*.parquet'", "a list of files holds texts only")
				continue
			}
			r.glob(fileText(l))
		}
		return
	}
	if l, ok := x.(*ast.Literal); ok && l.Kind == ast.NullLit {
		r.Errorf("table.form", x, "write 'dir/*.parquet', or a list of such texts", "NULL names no files")
		return
	}
	r.unknownFiles(x)
}

// unknownFiles reports an expression for files that has no value before the query runs.
func (r *reader) unknownFiles(x ast.Expr) {
	r.Errorf("table.form", x, "write 'dir/*.parquet', or a list of such texts", "the files have to be named by texts that are known while planning")
}

// glob adds a pattern. One without wildcards is a file, or a directory when there is no such file.
func (r *reader) glob(t projection.Text) {
	if t.S == "" {
		r.Errorf("glob.form", t, "write 'dir/*.parquet'", "the name of the files is empty")
		return
	}
	g := newGlob(t)
	if g.crawls > 1 && !g.remote {
		r.Errorf("glob.form", t, "keep one of them", "%s has more than one **", projection.Quote(t.S))
		return
	}
	r.globs = append(r.globs, g)
}

// hiveOptions are the options that all functions have.
var hiveOptions = []string{"hive_partitioning", "hive_types", "hive_types_autocast", "union_by_name", "filename"}

func (r *reader) option(function string, a *ast.Arg) {
	switch name := strings.ToLower(a.Name.Text); name {
	case "hive_partitioning":
		if on, ok := r.boolean(a); ok {
			r.partitioning, r.partitionedAt = &on, a
		}
	case "hive_types_autocast":
		if on, ok := r.boolean(a); ok {
			r.autocast = on
		}
	case "hive_types":
		r.hiveTypes(a)
	case "filename":
		r.filenameAt = a
		if l, ok := a.X.(*ast.Literal); ok && l.Kind == ast.StringLit {
			if _, isBool := ducktext.Parse(pruning.Type{Kind: pruning.Bool}, l.Text); !isBool {
				r.filename, r.filenameGiven = l.Text, true
				return
			}
		}
		r.filenameGiven, _ = r.boolean(a)
	case "union_by_name":
		r.unionByName, _ = r.boolean(a)
	case "file_row_number":
		r.rowNumber, _ = r.boolean(a)
	case "binary_as_string":
		r.bytesAsText, _ = r.boolean(a)
	default:
		r.declared = r.declared || name == "schema" || name == "encryption_config"
		if known := optionsOf(function); !slices.Contains(known, name) {
			r.Errorf("option.unknown", a.Name, projection.DidYouMean(name, append(known, hiveOptions...)),
				"%s has no option %s", function, projection.Quote(a.Name.Text))
		}
	}
}

// boolean reads true, false, 1, 0 and the texts that a cast to BOOLEAN takes.
func (r *reader) boolean(a *ast.Arg) (on, ok bool) {
	if l, isLiteral := a.X.(*ast.Literal); isLiteral && l.Kind != ast.NullLit {
		if v, ok := ducktext.Parse(pruning.Type{Kind: pruning.Bool}, l.Text); ok {
			return v.Int() != 0, true
		}
	}
	r.Errorf("option.value", a.X, "write true or false", "%s is either true or false", a.Name.Text)
	return false, false
}

// hiveTypes reads {'year': INTEGER, 'day': 'DATE'}.
func (r *reader) hiveTypes(a *ast.Arg) {
	r.typesAt = a
	s, ok := a.X.(*ast.StructExpr)
	if !ok {
		r.Errorf("hive.types", a.X, "write hive_types = {'year': INTEGER}", "hive_types is a struct with a type for each key")
		return
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		t := typeOf(f.X)
		if t == nil {
			r.Errorf("hive.types", f.X, "write a type, such as INTEGER or DATE", "%s: this is no type", f.Name.Text)
			continue
		}
		typ, known := projection.ResolveType("duckdb", t)
		if !known {
			r.Errorf("hive.types", f.X, projection.DidYouMean(t.Name.Text, typeNames), "%s: %s is no type", f.Name.Text, projection.Quote(t.Name.Text))
			continue
		}
		r.types = append(r.types, givenType{f.Name.Text, typ, typeName(t), f.X})
	}
}

// typeName is a type as DuckDB writes it, such as DECIMAL(5,2).
func typeName(t *ast.Type) string {
	name := strings.ToUpper(t.Name.Text)
	if name == "INT" {
		name = "INTEGER"
	}
	for i, p := range t.Params {
		name += map[bool]string{true: "(", false: ","}[i == 0] + p.Text
	}
	if len(t.Params) > 0 {
		name += ")"
	}
	return name
}

var typeNames = []string{"INTEGER", "BIGINT", "SMALLINT", "TINYINT", "HUGEINT", "DOUBLE", "FLOAT", "DECIMAL", "BOOLEAN", "VARCHAR", "DATE",
	"TIMESTAMP", "TIME", "UUID", "INT", "UBIGINT", "UINTEGER"}

// typeOf reads a type where a value stands: INT, DECIMAL(10,2), 'DATE'; nil for anything else.
func typeOf(x ast.Expr) *ast.Type {
	span := ast.Span{From: x.Pos(), To: x.End()}
	switch x := x.(type) {
	case *ast.Ident:
		if len(x.Parts) == 1 {
			return &ast.Type{Span: span, Name: x.Parts[0]}
		}
	case *ast.TypeExpr:
		return x.Type
	case *ast.Call:
		t := &ast.Type{Span: span, Name: x.Func}
		for i := range x.Args {
			l, ok := x.Args[i].X.(*ast.Literal)
			if !ok {
				return nil
			}
			t.Params = append(t.Params, l)
		}
		return t
	case *ast.Literal:
		if x.Kind == ast.StringLit {
			return typeText(x.Text, span)
		}
	}
	return nil
}

// typeText reads a type as a text: DECIMAL(10, 2).
func typeText(s string, span ast.Span) *ast.Type {
	name, params, _ := strings.Cut(s, "(")
	t := &ast.Type{Span: span, Name: ast.Name{Span: span, Text: strings.TrimSpace(name)}}
	for p := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(params), ")"), ",") {
		if p = strings.TrimSpace(p); p != "" {
			t.Params = append(t.Params, &ast.Literal{Span: span, Kind: ast.IntLit, Raw: p, Text: p})
		}
	}
	return t
}

// check looks at options that exclude each other. Types imply partitioning.
func (r *reader) check() {
	if len(r.types) == 0 {
		return
	}
	if r.partitioning != nil && !*r.partitioning {
		r.Errorf("hive.types", r.typesAt, "leave out hive_partitioning = false, or hive_types", "hive_types needs hive partitioning to be on")
		return
	}
	on := true
	if r.partitioning == nil {
		r.partitioning, r.partitionedAt = &on, r.typesAt
	}
}
