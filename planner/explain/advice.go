package explain

import (
	"bufio"
	"io"
	"strings"

	"github.com/yqlplan/yqlplan/planner/advise"
)

// Advice writes recommendations, each with its reason. title may be empty.
func Advice(w io.Writer, title string, list []advise.Advice, st Style) error {
	b := bufio.NewWriter(w)
	if title != "" {
		b.WriteString(st.Name.of(printable(title)) + "\n")
	}
	if len(list) == 0 {
		b.WriteString("nothing can be computed: give the table's size\n")
	}
	for _, a := range list {
		head := pad(a.What, len("buckets by files")) + "  "
		paint := st.Good
		if a.Warning {
			paint = st.Bad
			head = pad(a.What, len("buckets by files")) + "! "
		}
		b.WriteString(head + paint.of(a.Value))
		indent := strings.Repeat(" ", width(head))
		if a.Value != "" {
			b.WriteString("\n" + indent)
		}
		b.WriteString(st.Faint.of(strings.Join(wrap(a.Why, textWidth-width(head), 10), "\n"+indent)) + "\n")
	}
	return b.Flush()
}
