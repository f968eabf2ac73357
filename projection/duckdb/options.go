package duckdb

import "strings"

// optionsOf are the options of a function beside those of hive partitioning (DuckDB documentation, "Reading and Writing
// Parquet Files", "CSV Import", "Loading JSON").
func optionsOf(function string) []string {
	switch functions[function] {
	case ".parquet":
		return parquetOptions
	case ".csv":
		return csvOptions
	case ".json":
		return jsonOptions
	}
	return nil
}

var (
	parquetOptions = strings.Fields("binary_as_string can_have_nan compression debug_use_openssl encryption_config explicit_cardinality " +
		"file_row_number parquet_version schema variant_legacy_encoding")
	csvOptions = strings.Fields("all_varchar allow_quoted_nulls auto_detect auto_type_candidates buffer_size columns column_names " +
		"column_types comment compression date_format dateformat decimal_separator delim delimiter dtypes encoding escape " +
		"files_to_sniff force_not_null header ignore_errors max_line_size maximum_line_size names new_line normalize_names null null_padding " +
		"nullstr parallel quote rejects_limit rejects_scan rejects_table sample_size sep skip store_rejects strict_mode thousands " +
		"timestamp_format timestampformat types")
	jsonOptions = strings.Fields("auto_detect columns compression convert_strings_to_integers date_format dateformat field_appearance_threshold " +
		"format ignore_errors map_inference_threshold maximum_depth maximum_object_size maximum_sample_files records sample_size " +
		"timestamp_format timestampformat")
)
