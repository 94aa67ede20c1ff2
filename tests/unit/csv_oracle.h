/* SPDX-License-Identifier: MIT */
/* Parses text by plain descent, record by record: the oracle of the state
 * machine and of the loops. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oracle_field {
    size_t start, end;     /* without the CR of a line end */
    uint64_t line, column; /* of its first byte, counted from 1 */
    bool whole;            /* no data follow the closing quote */
};

struct oracle_record {
    size_t start, end; /* including the line end */
    uint64_t line;
    size_t first, fields; /* first: index in the array of fields */
};

struct oracle {
    const char *text;
    size_t bytes;
    struct oracle_record *record;
    size_t records, record_room;
    struct oracle_field *field;
    size_t fields, field_room;
    /* The last field has a quote that is never closed. */
    bool open;
};

void oracle_read(struct oracle *t, const char *text, size_t bytes,
                 char delimiter);
void oracle_free(struct oracle *t);
