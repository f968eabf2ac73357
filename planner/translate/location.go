package translate

import (
	"net/url"
	"strings"

	"github.com/yqlplan/yqlplan/ast"
)

// bucketURI is where a data source lies, as s3://bucket/prefix/; "" when that can't be told.
func bucketURI(name string, decls []ast.Stmt) string {
	for i := len(decls) - 1; i >= 0; i-- {
		s, ok := decls[i].(*ast.CreateSource)
		if ok && len(s.Name) == 1 && s.Name[0].Text == name {
			return s3URI(textOption(s.Options, "LOCATION"))
		}
	}
	return ""
}

func textOption(options []ast.Option, key string) string {
	for _, o := range options {
		if l, ok := o.Value.(*ast.Literal); ok && strings.EqualFold(o.Key.Text, key) {
			return l.Text
		}
	}
	return ""
}

// s3URI turns the address of a bucket into s3://bucket/: the bucket is the host's first part in Amazon's addresses, else the
// path's.
func s3URI(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	path := strings.Trim(u.Path, "/")
	bucket, rest, ok := strings.Cut(u.Host, ".s3")
	switch {
	case u.Scheme == "s3":
		bucket = u.Host
	case ok && strings.HasPrefix(rest, "."):
	case path == "":
		return ""
	default:
		bucket, path, _ = strings.Cut(path, "/")
	}
	if path != "" {
		path += "/"
	}
	return "s3://" + bucket + "/" + path
}

// split divides an absolute path into its bucket and what follows; ok is false for one of another scheme.
func split(uri string) (bucket, path string, ok bool) {
	for _, scheme := range []string{"s3://", "s3a://", "s3n://"} {
		if rest, found := strings.CutPrefix(uri, scheme); found {
			bucket, path, _ = strings.Cut(rest, "/")
			return bucket, path, bucket != ""
		}
	}
	return "", "", false
}

// placeholder is a name for a table that has none: the last word of its path, s3.`/logs/app/` is app.
func placeholder(ref []ast.Name) string {
	words := strings.FieldsFunc(ref[len(ref)-1].Text, func(r rune) bool {
		return r != '_' && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z') && !('0' <= r && r <= '9')
	})
	if len(ref) < 2 || len(words) == 0 || '0' <= words[len(words)-1][0] && words[len(words)-1][0] <= '9' {
		return "projected"
	}
	return strings.ToLower(words[len(words)-1])
}
