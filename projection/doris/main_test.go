package doris_test

import (
	"flag"
	"os"
	"testing"
)

// Properties draw the same cases in every run, unless -rapid.seed says otherwise.
func TestMain(m *testing.M) {
	flag.Set("rapid.seed", "1")
	flag.Set("rapid.nofailfile", "true")
	flag.Parse()
	os.Exit(m.Run())
}
