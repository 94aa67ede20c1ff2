/* SPDX-License-Identifier: MIT */
/*
 * The output formats. OUTPUT_FORMATS is their only list, both for the words of
 * --output-format and for the code that prints results:
 *
 *   X(name, elements, begin, part, end, separator, put_name)
 *
 * elements: 1 if the format prints a JSON object for each row of results, with
 * the row's counts of values; else 0. The other arguments are the members of
 * struct form in run/printer.h.
 */
#pragma once

#define OUTPUT_FORMATS(X)                                             \
    X(text, 0, NULL, print_text, NULL, '\t', writer_name)             \
    X(json, 1, json_begin, json_part, json_end, ',', writer_json)     \
    X(jsonl, 1, NULL, json_part, NULL, ',', writer_json)              \
    X(csv, 0, print_header_once, print_rows, NULL, ',', writer_csv)   \
    X(tsv, 0, print_header_once, print_rows, NULL, '\t', writer_name) \
    X(npy, 0, NULL, print_npy, NULL, 0, writer_name)

enum output_format {
#define FORM_ENUM(name, elements, ...) FORM_##name,
    OUTPUT_FORMATS(FORM_ENUM)
#undef FORM_ENUM
};

/* The set of the formats with elements, as bits 1 << FORM_name. */
enum {
    FORMS_WITH_ELEMENTS = 0
#define FORM_BIT(name, elements, ...) | elements << FORM_##name
    OUTPUT_FORMATS(FORM_BIT)
#undef FORM_BIT
};
