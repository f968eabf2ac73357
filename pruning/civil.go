package pruning

// The proleptic Gregorian calendar in closed form. Days count from 1970-01-01. Years are grouped in eras of 400 years,
// 146097 days each, that start on 1 March, so that the leap day is the last of its year.

const (
	daysPerEra   = 146097
	epochFromEra = 719468 // 1970-01-01 counted from 0000-03-01
)

// DaysFromCivil is the day of a date. The month is 1…12; the day may be any number and is simply added, so
// (2021, 2, 31) is 2021-03-03.
func DaysFromCivil(y, m, d int) int64 {
	if m <= 2 {
		y--
	}
	era, yoe := floorDiv(int64(y), 400)
	doy := int64((153*((m+9)%12)+2)/5) + int64(d) - 1 // from 1 March
	return era*daysPerEra + yoe*365 + yoe/4 - yoe/100 + doy - epochFromEra
}

// CivilFromDays is the date of a day: year, month 1…12, day 1…31.
func CivilFromDays(days int64) (y, m, d int) {
	if n := days + epochFromEra; n >= 0 && n < 1<<29 {
		return civil32(uint32(n))
	}
	era, doe := floorDiv(days+epochFromEra, daysPerEra)
	yoe := (doe - doe/1460 + doe/36524 - doe/(daysPerEra-1)) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153 // 0 is March
	d = int(doy-(153*mp+2)/5) + 1
	m = int((mp+2)%12) + 1
	y = int(era*400 + yoe)
	if m <= 2 {
		y++
	}
	return y, m, d
}

// civil32 is CivilFromDays for days counted from 0000-03-01, with multiplications in place of most divisions (Neri and
// Schneider, Euclidean affine functions and their application to calendar algorithms, 2022).
func civil32(n uint32) (y, m, d int) {
	n = 4*n + 3
	century, inCentury := n/daysPerEra, n%daysPerEra|3
	p := 2939745 * uint64(inCentury) // 2^32 / 1461 days of four years
	year, day := 100*century+uint32(p>>32), uint32(p)/2939745/4
	q := 2141*day + 197913
	y, m, d = int(year), int(q>>16), int(q&0xFFFF/2141)+1
	if m > 12 {
		return y + 1, m - 12, d
	}
	return y, m, d
}

// DaysInMonth is the length of a month, 28…31.
func DaysInMonth(y, m int) int {
	if m == 2 {
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	}
	return 30 + (m+m/8)%2
}

// AddMonths is the same day of the month n months later, or the last day of that month if it is shorter:
// 2021-01-31 and 1 give 2021-02-28.
func AddMonths(days, n int64) int64 {
	y, m, d := CivilFromDays(days)
	year, month := floorDiv(int64(y)*12+int64(m)-1+n, 12)
	return DaysFromCivil(int(year), int(month)+1, min(d, DaysInMonth(int(year), int(month)+1)))
}

// floorDiv is a/b rounded down, and the rest, which is never negative.
func floorDiv(a, b int64) (q, r int64) {
	q, r = a/b, a%b
	if r < 0 {
		q, r = q-1, r+b
	}
	return q, r
}
