// Package systems lists the systems whose tables can be planned.
package systems

import (
	"github.com/yqlplan/yqlplan/projection"
	"github.com/yqlplan/yqlplan/projection/athena"
	"github.com/yqlplan/yqlplan/projection/doris"
	"github.com/yqlplan/yqlplan/projection/duckdb"
	"github.com/yqlplan/yqlplan/projection/paimon"
	"github.com/yqlplan/yqlplan/projection/yql"
)

// All are the known systems; the first is the default.
func All() []projection.System {
	return []projection.System{yql.System{}, athena.System{}, duckdb.System{}, doris.System{}, paimon.System{}}
}
