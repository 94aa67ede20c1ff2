/* SPDX-License-Identifier: MIT */
/*
 * The output formats. OUTPUT_FORMATS is their only list, for the words of
 * --output-format and for what prints results:
 *
 *   X(name, elements, begin, part, end, separator, put_name)
 *
 * elements: whether it prints elements, 1 or 0; the others as the members of
 * struct form in run/printer.h.
 */
#pragma once

#define OUTPUT_FORMATS(X)                                           \
    X(text, 0, NULL, print_text, NULL, "\t", writer_name)           \
    X(json, 1, json_begin, json_part, json_end, ",", writer_json)   \
    X(jsonl, 1, NULL, jsonl_part, NULL, ",", writer_json)           \
    X(csv, 0, print_header_once, print_rows, NULL, ",", writer_csv) \
    X(tsv, 0, print_header_once, print_rows, NULL, "\t", writer_name)

enum output_format {
#define FORM_ENUM(name, elements, ...) FORM_##name,
    OUTPUT_FORMATS(FORM_ENUM)
#undef FORM_ENUM
};

/* A set of those that print elements, each of which has its counts. */
enum {
    FORMS_WITH_ELEMENTS = 0
#define FORM_BIT(name, elements, ...) | elements << FORM_##name
    OUTPUT_FORMATS(FORM_BIT)
#undef FORM_BIT
};
