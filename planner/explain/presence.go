package explain

import (
	"math/big"

	"github.com/yqlplan/yqlplan/planner"
	"github.com/yqlplan/yqlplan/projection"
)

// presence says what the storage holds of a projection.
func (t *textWriter) presence(s *planner.Scan) []string {
	if s.Listing == nil || s.Listing.Prefixes == nil {
		return nil
	}
	p := s.Listing.Prefixes
	text := projection.Grouped(big.NewInt(p.Found)) + " with " + counted(s.Listing.Objects, "object")
	if p.Empty > 0 {
		text += ", " + projection.Grouped(big.NewInt(p.Empty)) + " empty"
	}
	if p.Missing != nil && p.Missing.Sign() > 0 {
		text += ", " + projection.Grouped(p.Missing) + " missing"
	}
	if p.Others > 0 {
		text += "; " + counted(p.Others, "object") + " below the others"
	}
	lines := []string{text}
	if p.Misplaced > 0 {
		lost := counted(p.Misplaced, "object")
		if p.Lost > 0 {
			lost += " of " + bytesText(p.Lost)
		}
		lines = append(lines, t.Style.Bad.of(lost+" below no prefix of the projection, such as "+printable(s.Listing.Examples[0])))
	}
	return lines
}

// holdingText is what lies below a prefix that was compared with the storage: "12 objects, 3.0 MB", "empty" or "missing".
func holdingText(l *projection.Listing, prefix []byte) string {
	if l == nil || l.Prefixes == nil {
		return ""
	}
	h, ok := l.Prefixes.Of(prefix)
	switch {
	case !ok && l.Partial:
		return ""
	case !ok:
		return "missing"
	case h.Objects == 0:
		return "empty"
	case h.Objects == h.Unsized:
		return counted(h.Objects, "object")
	}
	return counted(h.Objects, "object") + ", " + bytesText(h.Bytes)
}

// presence writes what the storage holds of a projection; null when it wasn't compared.
func (j *jsonPlans) presence(l *projection.Listing) {
	if j.key("storage"); l == nil || l.Prefixes == nil {
		j.null()
		return
	}
	p := l.Prefixes
	j.openInline('{')
	j.key("found").count(big.NewInt(p.Found))
	j.key("empty").count(big.NewInt(p.Empty))
	j.key("missing").count(p.Missing)
	j.key("others").count(big.NewInt(p.Others))
	j.key("misplaced").count(big.NewInt(p.Misplaced))
	j.key("misplacedBytes").count(big.NewInt(p.Lost))
	j.key("absent").open('[')
	for _, prefix := range p.Absent {
		j.string(prefix)
	}
	j.close(']')
	j.close('}')
}

// holding writes what lies below the prefix that was written last.
func (j *jsonPlans) holding(l *projection.Listing) {
	if l == nil || l.Prefixes == nil {
		return
	}
	h, ok := l.Prefixes.Of(j.name)
	if !ok && l.Partial {
		return
	}
	j.key("objects").count(big.NewInt(h.Objects))
	j.key("bytes").count(big.NewInt(h.Bytes))
}
