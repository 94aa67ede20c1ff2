/* SPDX-License-Identifier: MIT */
/*
 * The shape of one text input: how many fields its records have, their names,
 * and which of them are the columns asked for. Known from the first records,
 * before anything is reduced.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/notes.h"
#include "csv/cell/cell.h"
#include "csv/structure/machine.h"
#include "expr/expr.h"

enum csv_header { CSV_HEADER_AUTO, CSV_HEADER_YES, CSV_HEADER_NO };

/* Values of csv_settings.delimiter and quote besides a byte. */
enum { CSV_AUTO = 0, CSV_BLANK = 256, CSV_NO_QUOTE = 256 };

/* A column that an expression names. */
struct csv_used {
    struct csv_span name;
    uint64_t field;                   /* N of $N, from 1; 0: by name */
    const struct expr_source *source; /* borrowed; for messages */
    size_t at;                        /* offset of the name in `source` */
};

/* The options for text, the same for every text input of a run. */
struct csv_settings {
    struct csv_spec spec;
    int delimiter; /* a byte, CSV_BLANK, or CSV_AUTO */
    int quote;     /* a byte, CSV_NO_QUOTE, or CSV_AUTO */
    int comment;   /* a byte, or 0: no comments */
    uint64_t skip_lines;
    bool is_csv; /* the file name or an option says CSV, not only the bytes */
    enum csv_header header;
    const char *columns;         /* list, or NULL: every numeric column */
    const char *exclude;         /* list, or NULL */
    const char *named;           /* list of columns in --assert, or NULL */
    const struct csv_used *used; /* [used_count]: columns in expressions */
    size_t used_count;
    /* [literals]: constants in expressions that may be meant as names */
    const struct csv_used *literal;
    size_t literals;
    bool computes;       /* expressions compute further columns */
    const char *weights; /* name or number of the column of weights, or NULL */
    const char *by;      /* list of the columns of the keys, or NULL */
    /* Results depend on whether the first record is a header, even where no
     * cell of it is a number. */
    bool counts_records;
    /* The table is compared with another. Without `columns`, table->holds then
     * says what each field holds; see match.h. */
    bool matches;
    /* An earlier table, whose columns tell which columns of this one are text;
     * or NULL. */
    const struct csv_table *kinds;
    /* More FILEs follow, so a table without a record may lack the columns asked
     * for. */
    bool others_follow;
    struct notes *notes; /* receives what was assumed; or NULL */
};

/* Where csv_is_list, only this many fields of a record are looked at to find
 * the header and the delimiter. Memory then does not grow with the fields: a
 * record of 64 MiB may have 64 million. */
enum { CSV_LOOK_FIELDS = 1 << 16 };

/* Most columns of a key. */
enum { CSV_KEYS_MAX = 16 };

struct csv_sniffed;

/* Whether the columns are known without looking at all fields. */
static inline bool csv_is_list(const struct csv_settings *settings)
{
    return settings->columns || settings->spec.rows_only;
}

/* The thread that calls csv_table_read or csv_match writes it. After that it is
 * constant, and any thread may read it. */
struct csv_table {
    struct csv_dialect dialect;
    bool has_header;
    bool has_records;    /* the sample has a record besides the header */
    bool is_shared;      /* names and columns are borrowed from another table */
    bool used_is_shared; /* `used` is borrowed from another table */
    char begin;          /* the first byte of the first record, or 0 */
    size_t first_bytes;  /* of the first record, without its line end */
    uint64_t first_hash; /* csv_hash of these bytes */
    size_t fields;       /* of every record; 0: the input has no record */
    /* [fields]: pointers into `names`, for at least the columns and the first
     * field. Others are never written, so that their pages take no memory. */
    char **name;
    char *names; /* each name: its length as a uint32_t, the text, NUL */
    size_t names_bytes;
    bool names_all; /* `names` has the names of all fields */
    /* Columns that are read; the first `valued` of them are reduced. The
     * columns of weights and of keys are among these, or follow them. */
    size_t columns, valued;
    size_t inputs; /* further columns, which only expressions read */
    bool has_weight;
    size_t weight;                 /* the column of weights, if has_weight */
    size_t keys;                   /* number of columns of the keys */
    uint32_t key_of[CSV_KEYS_MAX]; /* [keys]: their columns, as --by lists */
    uint32_t *field_of; /* [columns + inputs]: in the order of results */
    uint32_t *used;     /* [used_count]: columns of settings->used, or NULL */
    bool *is_text;      /* [columns]: see texts.h; NULL: no column of text */
    /* [columns]: whether another field has the same name. NULL, unless there is
     * a header of which not all names are kept. */
    bool *is_twice;
    /* [fields / 8 + 1], only while columns are chosen: a bit for each field
     * that is a column or excluded. */
    unsigned char *taken;
    unsigned char *holds; /* [fields]: enum csv_holds; NULL unless matches */
    /* Offset in the sample of the first record that is data. */
    size_t header_bytes;
    size_t record_bytes; /* average bytes per line of the sample */
    uint64_t line;       /* line of the byte at header_bytes, from 1 */
    uint64_t part_line;  /* line of the first record that is read */
    /* Why this delimiter, header and these columns were chosen: one clause
     * each; constants. */
    const char *delimiter_reason, *header_reason, *columns_reason;
};

/* The columns that are decoded. */
static inline size_t csv_columns(const struct csv_table *table)
{
    return table->columns + table->inputs;
}

static inline bool csv_is_text_column(const struct csv_table *table,
                                      size_t column)
{
    return table->is_text && table->is_text[column];
}

/* CSV_SAMPLE: how many bytes after the header decide which columns are numeric.
 * CSV_LOOK: how many bytes of a long record are looked at where csv_is_list. */
enum { CSV_SAMPLE = 64 << 10, CSV_LOOK = 4 << 20 };

/*
 * Finds the shape of an input from its first bytes. The sample starts after a
 * byte order mark. It holds the header, one more record and CSV_SAMPLE bytes,
 * or is the whole input (is_all). Where csv_is_list, CSV_LOOK bytes of a longer
 * record are enough.
 *
 * name: the input, for messages; must outlive the notes. sniffed: what
 * csv_sniff found in the sample, or NULL if it was not called. like: the table
 * of the dataset's first input, whose columns are found again here, or NULL;
 * must outlive the table.
 *
 * False, with the error. The caller frees the table with csv_table_free, also
 * after a failure. One thread at a time, because of the notes.
 */
bool csv_table_read(struct csv_table *table, const char *name,
                    struct csv_span sample, bool is_all,
                    const struct csv_sniffed *sniffed,
                    const struct csv_settings *settings,
                    const struct csv_table *like, struct error *e);
void csv_table_free(struct csv_table *table);
