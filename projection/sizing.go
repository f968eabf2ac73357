package projection

// Sizing is what a declaration says of how large the parts of a table become. What is zero isn't declared.
type Sizing struct {
	Mode    string // how rows get into buckets, such as "fixed" or "key-dynamic"; "" where there is one way only
	Buckets int    // of each partition
	Lacks   string // partition columns that the primary key lacks: "dt, hh"
	File    int64  // bytes of a file
	Rows    int64  // rows in a bucket before there is another
	Bytes   int64  // bytes likewise
}
