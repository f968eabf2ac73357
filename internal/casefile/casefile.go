// Package casefile reads cases, facts about real systems as JSON Lines (SQL in, plan out), and judges what a planner
// made of them.
package casefile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// Case is one fact: a script, and what the plan of its last statement must be.
type Case struct {
	ID      string     `json:"id"`
	From    string     `json:"from"`  // public source of the fact
	Why     string     `json:"why"`   // the reason, in a sentence
	Level   string     `json:"level"` // "core", "edge" or "beyond"
	Dialect string     `json:"dialect"`
	Now     *time.Time `json:"now"`     // the instant that NOW means
	Objects *[]string  `json:"objects"` // a recorded listing; nil when storage isn't touched
	SQL     string     `json:"sql"`
	Expect  Expect     `json:"expect"`
}

// Expect holds what a case fixes; fields that it doesn't give are nil or zero.
type Expect struct {
	Paths      []string                              `json:"paths"`      // the paths of all units
	Files      []string                              `json:"files"`      // the same, for listed objects
	Count      *json.Number                          `json:"count"`      // units selected, over all scans
	Columns    map[string]map[string]json.RawMessage `json:"columns"`    // the values of a path's partition columns
	Partitions []string                              `json:"partitions"` // the partitions of all units
	Buckets    map[string][]int                      `json:"buckets"`    // the buckets of a partition
	Rejected   bool                                  `json:"rejected"`   // an error that has a position
	Error      string                                `json:"error"`      // what the error must tell, for people
	AST        bool                                  `json:"ast"`        // no syntax error
}

// Read reads all cases. An error tells the line.
func Read(r io.Reader) ([]Case, error) {
	var cases []Case
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var c Case
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		cases = append(cases, c)
	}
	return cases, lines.Err()
}

// ReadFile reads all cases of a file.
func ReadFile(name string) ([]Case, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cases, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cases, nil
}
