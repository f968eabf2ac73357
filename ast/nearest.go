package ast

import "strings"

// maxNearest bounds the words that [Nearest] compares: longer ones aren't mistyped, they are something else.
const maxNearest = 64

// Nearest is the candidate that word was probably meant to be, for "did you mean" hints: the one that takes the fewest
// insertions, deletions, replacements and swaps of neighbours, at most one for every three letters. Case doesn't
// count, so "Year" finds "year". On a tie the earlier candidate wins; it is never word itself.
//
//	Nearest("formt", []string{"schema", "format"}) // "format", true
func Nearest(word string, candidates []string) (string, bool) {
	best, limit := "", max(1, len(word)/3)
	found, low := false, strings.ToLower(word)
	for _, c := range candidates {
		if c == word || len(c) > maxNearest || len(word) > maxNearest {
			continue
		}
		if d := distance(low, strings.ToLower(c), limit); d <= limit && (d < len(c) || d == 0) {
			best, found, limit = c, true, d-1
		}
		if limit < 0 {
			break
		}
	}
	return best, found
}

// distance is the edit distance of a and b with swaps of neighbours (optimal string alignment), or limit+1 when it is
// more than limit.
func distance(a, b string, limit int) int {
	if max(len(a), len(b))-min(len(a), len(b)) > limit {
		return limit + 1
	}
	var rows [3][maxNearest + 1]int
	before, prev, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, prev, row = prev, row, before
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
	}
	return min(row[len(b)], limit+1)
}
