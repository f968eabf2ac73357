package doris_test

// oneColumn are predicates on one column, #, and a constant, %, which has few values.
var oneColumn = []struct {
	sql   string
	holds func(x, k int) bool
	null  func(k int) truth
}{
	{"CAST(# AS BIGINT) = %", func(x, k int) bool { return x == k }, isUnknown},
	{"CAST(# AS LARGEINT) > %", func(x, k int) bool { return x > k }, isUnknown},
	{"CAST(# AS DECIMAL(9, 2)) <= %.25", func(x, k int) bool { return 4*x <= 4*k+sign(k) }, isUnknown},
	{"CAST(# AS DECIMAL(3, 0)) = %", func(x, k int) bool { return x == k }, isUnknown},
	{"CAST(# AS DOUBLE) < % + 0.5", func(x, k int) bool { return 2*x < 2*k+1 }, isUnknown},
	{"CAST(# AS VARCHAR) = '%'", func(x, k int) bool { return x == k }, isUnknown},
	{"CAST(# AS VARCHAR(9)) IN ('%', '01')", func(x, k int) bool { return x == k }, isUnknown},
	{"# LIKE '%'", func(x, k int) bool { return x == k }, isUnknown},
	{"-# < %", func(x, k int) bool { return -x < k }, isUnknown},
	{"~# = %", func(x, k int) bool { return -1-x == k }, isUnknown},
	{"# / 2 >= %.5", func(x, k int) bool { return x >= 2*k+sign(k) }, isUnknown},
	{"# DIV 2 = %", func(x, k int) bool { return x/2 == k }, isUnknown},
	{"abs(#) <= %", func(x, k int) bool { return max(x, -x) <= k }, isUnknown},
	{"greatest(#, 1) = %", func(x, k int) bool { return max(x, 1) == k }, isUnknown},
	{"IF(# > %, 'x', 'y') = 'y'", func(x, k int) bool { return x <= k }, func(int) truth { return yes }},
	{"CASE # WHEN % THEN 1 WHEN 2 THEN 3 ELSE 0 END = 1", func(x, k int) bool { return x == k }, func(int) truth { return no }},
	{"nullif(#, %) IS NULL", func(x, k int) bool { return x == k }, func(int) truth { return yes }},
	{"ifnull(#, 1) <> %", func(x, k int) bool { return x != k }, func(k int) truth { return truthOf(k != 1) }},
	{"(# = %) IS NOT TRUE", func(x, k int) bool { return x != k }, func(int) truth { return yes }},
	{"(# = %) <=> NULL", func(int, int) bool { return false }, func(int) truth { return yes }},
	{"#", func(x, _ int) bool { return x != 0 }, isUnknown},
	{"!#", func(x, _ int) bool { return x == 0 }, isUnknown},
	{"# BETWEEN 3 AND %", func(x, k int) bool { return 3 <= x && x <= k }, isUnknown},
	{"# NOT BETWEEN % AND '2'", func(x, k int) bool { return x < k || x > 2 }, isUnknown},
	{"# = TRUE", func(x, _ int) bool { return x == 1 }, isUnknown},
	{"# > 170141183460469231731687303715884105727", func(int, int) bool { return false }, isUnknown},
	{"floor(#) = %", func(x, k int) bool { return x == k }, isUnknown},
	{"# & 1 = 1", func(x, _ int) bool { return x&1 == 1 }, isUnknown},
}

func isUnknown(int) truth { return unknown }

// sign is that of a number as it is written.
func sign(k int) int {
	if k < 0 {
		return -1
	}
	return 1
}
