/* SPDX-License-Identifier: MIT */
#include "csv/rows.h"

#include <stdlib.h>

#include "base/array.h"
#include "csv/structure/record.h"

bool csv_have_room(struct csv_room *room, size_t bytes, struct error *e)
{
    if (room->bytes >= bytes)
        return true;
    free(room->at);
    room->bytes = bytes + bytes / 4;
    room->at = malloc(room->bytes);
    if (!room->at)
        room->bytes = 0;
    return room->at || error_memory(e);
}

bool csv_wide_add(struct csv_wide_cells *w, size_t row, bool negative,
                  uint64_t magnitude)
{
    if (!array_grow(&w->at, &w->room, w->n, sizeof *w->at))
        return false;
    w->at[w->n++] = (struct wide_integer){magnitude, row, negative};
    return true;
}

/* Whether every record has `fields` fields, and there are no blank lines or
 * comments: then the ends already form a matrix. */
static bool is_regular(struct csv_span text, struct csv_dialect dialect,
                       const struct csv_ends *ends, size_t fields)
{
    const char end = (char)dialect.end;
    const unsigned char comment = dialect.comments ? dialect.comment : '\n';
    size_t start = 0;
    if (fields == 0 || ends->n != ends->records * fields)
        return false;
    for (size_t r = 0; r < ends->records; r++) {
        uint32_t last = ends->at[r * fields + fields - 1];
        /* A blank line looks like a record of one field. A first byte up to CR
         * may begin one. */
        unsigned char first = (unsigned char)text.at[start];
        if (text.at[last] != end || first <= '\r' || first == comment)
            return false;
        start = last + 1;
    }
    return true;
}

/* A walk over the records of a text, by its ends. */
struct record_walk {
    struct csv_span text;
    struct csv_dialect dialect;
    struct csv_ends *ends;
    size_t next;  /* index of the next end */
    size_t start; /* offset after the last record */
};

/* Moves to the next record, after blank lines and comments. False at the end of
 * the text. The bytes of a mapping may change meanwhile, so only ends->n bounds
 * the walk. */
static bool next_record(struct record_walk *m)
{
    size_t after_lines = csv_skip_lines(m->text, m->start, m->dialect);
    for (; m->start < after_lines && m->next < m->ends->n; m->next++)
        m->start = m->ends->at[m->next] + 1;
    return m->next < m->ends->n;
}

/* Skips the record and returns how many fields it has. */
static size_t skip_record(struct record_walk *m)
{
    size_t from = m->next;
    const uint32_t *at = m->ends->at;
    while (m->text.at[at[m->next++]] != (char)m->dialect.end &&
           m->next < m->ends->n)
        ;
    m->start = at[m->next - 1] + 1;
    return m->next - from;
}

/* Moves the ends of the first `fields` fields of a record, whose first end is
 * `from`, to the ends that are kept. */
static void keep_ends(struct csv_ends *ends, size_t *kept, size_t from,
                      size_t fields)
{
    for (size_t i = 0; i < fields; i++)
        ends->at[(*kept)++] = ends->at[from + i];
}

/* Keeps the ends of the rows. A record with too few fields is an error, or is
 * skipped or padded: then a row has at most `fields` ends. One with more fields
 * is an error, or is skipped, unless `joins`: then the surplus fields belong to
 * the last one. Notes the first error and stops there. There is room for as
 * many rows as there were records before the bytes of a mapping changed. */
static void keep_rows(struct csv_rows *rows, struct record_walk *m,
                      size_t fields, enum csv_ragged ragged, bool joins,
                      struct csv_first_error *first_error)
{
    const bool pads = ragged == CSV_RAGGED_PAD;
    size_t kept = 0;
    while (rows->n < m->ends->records && next_record(m)) {
        size_t from = m->next, start = m->start, count = skip_record(m);
        if (count != fields && ragged == CSV_RAGGED_SKIP) {
            rows->skipped++;
            continue;
        }
        if (count != fields && !(pads && (count < fields || joins))) {
            csv_note_error(first_error, rows->n, -1, start, count);
            break;
        }
        rows->start[rows->n] = (uint32_t)start;
        rows->first_end[rows->n++] = (uint32_t)kept;
        keep_ends(m->ends, &kept, from, count < fields ? count : fields);
        if (count > fields)
            m->ends->at[kept - 1] = m->ends->at[m->next - 1];
    }
    rows->first_end[rows->n] = (uint32_t)kept;
}

bool csv_find_rows(struct csv_rows *rows, struct csv_span text,
                   struct csv_dialect dialect, struct csv_ends *ends,
                   size_t fields, enum csv_ragged ragged, bool joins,
                   struct csv_room *room, struct csv_first_error *first_error,
                   struct error *e)
{
    struct record_walk m = {text, dialect, ends, 0, 0};
    *rows = (struct csv_rows){.n = ends->records, .is_matrix = true};
    if (is_regular(text, dialect, ends, fields))
        return true;
    rows->n = 0;
    rows->is_matrix = ragged != CSV_RAGGED_PAD;
    if (!csv_have_room(room, (2 * ends->records + 1) * sizeof(uint32_t), e))
        return false;
    rows->first_end = room->at;
    rows->start = rows->first_end + ends->records + 1;
    keep_rows(rows, &m, fields, ragged, joins, first_error);
    return true;
}

size_t csv_row_end(const struct csv_rows *rows, const struct csv_ends *ends,
                   size_t fields, size_t row)
{
    size_t after =
        rows->first_end ? rows->first_end[row + 1] : (row + 1) * fields;
    return ends->at[after - 1] + 1;
}

void csv_pad_cells(const struct csv_rows *rows, struct csv_span text,
                   struct csv_dialect dialect, const struct csv_ends *ends,
                   size_t field, uint32_t *to)
{
    for (size_t r = 0; r < rows->n; r++, to += 3) {
        const uint32_t *at = ends->at + rows->first_end[r];
        size_t count = rows->first_end[r + 1] - rows->first_end[r];
        to[0] = field == 0 ? rows->start[r] - 1
                           : at[(field < count ? field : count) - 1];
        to[1] = field < count ? at[field] : to[0];
        to[2] = to[1];
        if (field < count && text.at[to[1]] == '\n' && dialect.end == '\n' &&
            to[1] > rows->start[r] && text.at[to[1] - 1] == '\r')
            to[1]--;
    }
}
