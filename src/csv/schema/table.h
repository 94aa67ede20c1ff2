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
#include "csv/cell/cell.h"
#include "csv/structure/machine.h"

enum csv_header { CSV_HEADER_AUTO, CSV_HEADER_YES, CSV_HEADER_NO };

/* Besides a byte. */
enum { CSV_AUTO = 0, CSV_BLANK = 256, CSV_NO_QUOTE = 256 };

/* What the options say about every text input. */
struct csv_settings {
    struct csv_spec spec;
    int delimiter; /* a byte, CSV_BLANK, or CSV_AUTO */
    int quote;     /* a byte, CSV_NO_QUOTE, or CSV_AUTO */
    int comment;   /* a byte, or 0: none */
    uint64_t skip_lines;
    bool is_csv; /* by name or option, not only by its bytes */
    enum csv_header header;
    const char *columns; /* list, or NULL: every numeric column */
    const char *exclude; /* list, or NULL */
    const char *named;   /* list of columns that are asked about, or NULL */
    const char *weights; /* name or number of the column of weights, or NULL */
    /* The answer depends on whether the first record counts as one, even where
     * no cell of it is a number. */
    bool counts_records;
    /* Without `columns`: the table is compared with another, and tells what
     * each field holds; see match.h. */
    bool matches;
    struct notes *notes; /* what had to be assumed; or NULL */
};

/* Where columns are asked for by a list, or records are only counted, so many
 * fields are looked at to find the header and the delimiter, and what a look
 * takes is not in proportion to the fields: of a record of 64 MiB there may be
 * 64 million. */
enum { CSV_LOOK_FIELDS = 1 << 16 };

struct csv_sniffed;

/* Whether the columns are known without a look at all fields. */
static inline bool csv_is_list(const struct csv_settings *settings)
{
    return settings->columns || settings->spec.rows_only;
}

struct csv_table {
    struct csv_dialect dialect;
    bool has_header;
    bool has_records; /* besides the header, in the sample */
    bool is_shared;   /* names and columns are those of another table */
    size_t fields;    /* of every record; 0: no record at all */
    /* [fields]: into `names`, for the columns and the first field at least.
     * Memory never written, so that of other names takes none. */
    char **name;
    char *names; /* each after its bytes, as uint32_t, and ended by NUL */
    size_t names_bytes;
    bool names_all; /* `names` has those of all fields */
    /* Those that are read. The first `valued` are reduced; the column of
     * weights may be one of them, else it is the last. */
    size_t columns, valued;
    bool has_weight;
    size_t weight;      /* which of the columns has the weights, if any does */
    uint32_t *field_of; /* [columns]: in the order of results */
    bool *is_text;      /* [columns]: see texts.h; NULL: none is */
    /* [columns]: another field has the same name. Of a header of which not all
     * names are kept, else NULL. */
    bool *is_twice;
    /* [fields / 8 + 1] while columns are chosen: a bit for each field that is
     * one, or is excluded. */
    unsigned char *taken;
    unsigned char *holds; /* [fields]: enum csv_holds; or NULL */
    size_t header_bytes;  /* of the sample: blank lines and header */
    size_t record_bytes;  /* of an average record of the sample */
    uint64_t line;        /* of the byte after them, from 1 */
    /* Why each is as it is: one clause, a constant. */
    const char *delimiter_reason, *header_reason, *columns_reason;
};

static inline bool csv_is_text_column(const struct csv_table *table,
                                      size_t column)
{
    return table->is_text && table->is_text[column];
}

/* Bytes after the header by which it is judged which columns are numeric. */
enum { CSV_SAMPLE = 64 << 10, CSV_LOOK = 4 << 20 };

/* Reads the shape off the first bytes of an input called `name`, which must
 * outlive the notes. The sample starts after a byte order mark; it holds the
 * header, a record more and CSV_SAMPLE bytes, or is all that there is (is_all).
 * Where csv_is_list, CSV_LOOK bytes of a longer record will do.
 * `sniffed` is what csv_sniff says about it, or NULL: that is not known.
 * `like` is the table of the dataset's first input, whose columns are found
 * again here, or NULL; it must outlive the table. The table must be given to
 * csv_table_free, and may be after a failure. */
bool csv_table_read(struct csv_table *table, const char *name,
                    struct csv_span sample, bool is_all,
                    const struct csv_sniffed *sniffed,
                    const struct csv_settings *settings,
                    const struct csv_table *like, struct error *e);
void csv_table_free(struct csv_table *table);
