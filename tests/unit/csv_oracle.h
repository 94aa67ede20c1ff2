/* SPDX-License-Identifier: MIT */
/* Text taken apart by plain descent, record by record: what the machine and
 * the loops are held to. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oracle_field {
    size_t start, end;     /* without the CR of a line end */
    uint64_t line, column; /* of its first byte, from 1 */
    bool whole;            /* nothing follows the closing quote */
};

struct oracle_record {
    size_t start, end; /* with the line end */
    uint64_t line;
    size_t first, fields; /* in the fields */
};

struct oracle {
    const char *text;
    size_t bytes;
    struct oracle_record *record;
    size_t records, record_room;
    struct oracle_field *field;
    size_t fields, field_room;
    /* The last record's last field has a quote that is never closed. */
    bool open;
};

void oracle_read(struct oracle *t, const char *text, size_t bytes,
                 char delimiter);
void oracle_free(struct oracle *t);
