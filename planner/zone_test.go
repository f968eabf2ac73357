package planner

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/yqlplan/yqlplan/pruning"
)

// TestZones compares what a zone's calendar shows with the library's, and local times with the instants that show them.
func TestZones(t *testing.T) {
	names := []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Sao_Paulo", "-09:30"}
	rapid.Check(t, func(t *rapid.T) {
		zone := loadZone(rapid.SampledFrom(names).Draw(t, "zone"))
		us := rapid.Int64Range(-2e15, 4e15).Draw(t, "instant") // 1906 … 2096
		typ := scalar(pruning.Timestamp)
		typ.zone = zone
		c, want := civilOf(typ, pruning.Int(us)), time.UnixMicro(us).In(zone)
		if got := time.UnixMicro(c.local()).UTC().Format(time.DateTime); got != want.Format(time.DateTime) {
			t.Fatalf("%d in %s is %s, want %s", us, zone, got, want)
		}
		s, ok := typ.instants(point128(c.local()))
		if got, _ := s.lo.int64(); ok && got != us {
			t.Fatalf("%s in %s is %d, want %d", want, zone, got, us)
		}
		near := func(d time.Duration) int { _, o := want.Add(d).Zone(); return o }
		if !ok && near(-5*time.Hour) == near(5*time.Hour) {
			t.Fatalf("%s in %s isn't one instant", want, zone)
		}
	})
}
