package projection

// Template is a path with columns in it.
type Template struct{ _ int }
