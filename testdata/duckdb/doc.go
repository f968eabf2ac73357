// Package duckdb compares plans with what DuckDB itself does. It is a module of its own, since the engine is a library of
// 60 MB in C++ that the product must not depend on. Run it with
//
//	cd testdata/duckdb && go test ./...
package duckdb
