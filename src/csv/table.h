/* SPDX-License-Identifier: MIT */
/*
 * The shape of one text input: how many fields its records have, what they are
 * called, and which of them are the columns asked for. Known from its first
 * records, before anything is reduced.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/notes.h"
#include "csv/cell.h"
#include "csv/machine.h"

enum csv_header { CSV_HEADER_AUTO, CSV_HEADER_YES, CSV_HEADER_NO };

/* Besides a byte. */
enum { CSV_AUTO = 0, CSV_BLANK = 256, CSV_NO_QUOTE = 256 };

/* What the options say about every text input. */
struct csv_wishes {
    struct csv_spec spec;
    int delimiter; /* a byte, CSV_BLANK, or CSV_AUTO */
    int quote;     /* a byte, CSV_NO_QUOTE, or CSV_AUTO */
    int comment;   /* a byte, or 0: none */
    uint64_t skip_lines;
    enum csv_header header;
    const char *columns; /* list, or NULL: every numeric column */
    const char *exclude; /* list, or NULL */
    /* The answer depends on whether the first record counts as one, even where
     * no cell of it is a number. */
    bool counts_records;
    struct notes *notes; /* what had to be assumed; or NULL */
};

#define CSV_NO_COLUMN UINT32_MAX

struct csv_table {
    struct csv_dialect dialect;
    bool has_header;
    bool has_records; /* besides the header, in the sample */
    bool is_shared;   /* names and columns are those of another table */
    size_t fields;    /* of every record; 0: no record at all */
    char **name;      /* [fields + 1]: into `names`, the last behind all */
    char *names;      /* each ended by NUL */
    size_t columns;
    uint32_t *field_of;  /* [columns]: in the order of results */
    uint32_t *column_of; /* [fields]: or CSV_NO_COLUMN */
    size_t header_bytes; /* of the sample: blank lines and header */
    uint64_t line;       /* of the byte after them, from 1 */
    /* Why each is as it is: one clause, a constant. */
    const char *delimiter_reason, *header_reason, *columns_reason;
};

/* Bytes after the header by which it is judged which columns are numeric. */
enum { CSV_SAMPLE = 64 << 10 };

/* Reads the shape off the first bytes of an input called `name`, which must
 * outlive the notes. The sample starts after a byte order mark; it holds the
 * header, a record more and CSV_SAMPLE bytes, or is all that there is (is_all).
 * `like` is the table of the dataset's first input, whose columns are found
 * again here, or NULL; it must outlive the table. The table must be given to
 * csv_table_free, and may be after a failure. */
bool csv_table_read(struct csv_table *table, const char *name,
                    struct csv_span sample, bool is_all,
                    const struct csv_wishes *wishes,
                    const struct csv_table *like, struct error *e);
void csv_table_free(struct csv_table *table);
