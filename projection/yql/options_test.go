package yql

import "testing"

func TestSameOption(t *testing.T) {
	for _, c := range []struct {
		a, b          string
		inSelect, ddl bool
	}{
		{"PARTITIONED_BY", "PARTITIONED_BY", true, true},
		{"PARTITIONED_BY", "partitioned_by", true, true},
		{"PARTITIONED_BY", "PartitionedBy", true, false},
		{"PARTITIONED_BY", "_partitioned_b_y_", true, false},
		{"PARTITIONED_BY", "partitioned", false, false},
		{"PARTITIONED_BY", "partitioned_by2", false, false},
		{"FORMAT", "", false, false},
		{"FORMAT", "__", false, false},
		{"DATA.DATE.FORMAT", "data.date.format", true, true},
		{"DATA.DATE.FORMAT", "data_date_format", false, false},
	} {
		for _, ddl := range []bool{false, true} {
			d, want := &definition{ddl: ddl}, c.inSelect
			if ddl {
				want = c.ddl
			}
			if d.same(c.a, c.b) != want || d.same(c.b, c.a) != want {
				t.Errorf("%s, %s, ddl %v: want %v", c.a, c.b, ddl, want)
			}
		}
	}
}
