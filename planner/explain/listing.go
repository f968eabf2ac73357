package explain

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/yqlplan/yqlplan/projection"
)

// sizeText is what is to be read, in units of powers of ten: "12.3 MB"; "" when nothing is known.
func sizeText(l *projection.Listing) string {
	if l == nil || l.Objects == l.Unsized {
		return ""
	}
	text := bytesText(l.Bytes)
	if l.Unsized > 0 {
		text = "at least " + text
	}
	return text
}

func bytesText(n int64) string {
	const units = "kMGTPE"
	f, i := float64(n), -1
	for f >= 999.5 && i+1 < len(units) {
		f /= 1000
		i++
	}
	switch {
	case i < 0:
		return strconv.FormatInt(n, 10) + " B"
	case f < 9.95:
		return fmt.Sprintf("%.1f %cB", f, units[i])
	}
	return fmt.Sprintf("%.0f %cB", f, units[i])
}

// listing says what finding the units took.
func (t *textWriter) listing(l *projection.Listing) []string {
	if l == nil {
		return nil
	}
	parts := []string{counted(l.Requests, "request")}
	if l.Reads > 0 {
		parts = append(parts, counted(l.Reads, "read")+" of footers")
	}
	parts = append(parts, counted(l.Seen, "entry")+" seen")
	if l.Pruned > 0 {
		parts = append(parts, counted(l.Pruned, "directory")+" not entered")
	}
	text := strings.Join(parts, ", ")
	switch {
	case l.Full == 0:
	case l.Guessed:
		text += "; a full listing takes about " + counted(l.Full, "request")
	case l.Full > l.Requests:
		text += "; a full listing takes " + counted(l.Full, "request")
	}
	lines := []string{text}
	if l.Partial {
		lines = append(lines, t.Style.Bad.of("partial: the listing was cut short, more may have to be read"))
	}
	return lines
}

// counted is a number with its noun: 1 entry, 2,000 entries.
func counted(n int64, noun string) string {
	text := projection.Grouped(big.NewInt(n)) + " "
	stem, y := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
		return text + noun
	case y:
		return text + stem + "ies"
	}
	return text + noun + "s"
}

// singular is one of what a layout calls its units: prefix, file, directory.
func singular(units string) string {
	switch {
	case strings.HasSuffix(units, "ies"):
		return units[:len(units)-3] + "y"
	case strings.HasSuffix(units, "xes"):
		return units[:len(units)-2]
	}
	return strings.TrimSuffix(units, "s")
}

// listing writes what finding the units took; null when storage wasn't asked.
func (j *jsonPlans) listing(l *projection.Listing) {
	j.key("partial").bool(l != nil && l.Partial)
	if j.key("listing"); l == nil {
		j.null()
		return
	}
	j.openInline('{')
	for _, f := range [...]struct {
		name string
		n    int64
	}{
		{"requests", l.Requests}, {"seen", l.Seen}, {"pruned", l.Pruned}, {"stray", l.Stray}, {"hidden", l.Hidden},
		{"objects", l.Objects}, {"bytes", l.Bytes}, {"unsized", l.Unsized},
	} {
		j.key(f.name).count(big.NewInt(f.n))
	}
	if j.key("full"); l.Full == 0 {
		j.null()
	} else {
		j.count(big.NewInt(l.Full))
	}
	j.key("guessed").bool(l.Guessed)
	j.key("reads").count(big.NewInt(l.Reads))
	j.key("examples").open('[')
	for _, key := range l.Examples {
		j.string(key)
	}
	j.close(']')
	j.close('}')
}
