// Package paimon reads tables as Apache Paimon lays them out: a directory for each combination of partition values, and
// in it a directory for each bucket, into which rows go by a hash of the bucket key.
package paimon
