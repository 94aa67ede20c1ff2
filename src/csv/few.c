/* SPDX-License-Identifier: MIT */
#include "csv/few.h"

#include <stdlib.h>
#include <string.h>

#include "csv/structure/record.h"

enum {
    FEW_FIELDS = 1 << 16, /* tables with fewer fields keep all ends */
    FEW_SHARE = 64,       /* at most one field in this many may be wanted */
    /* Bytes whose ends the loops find at a time, so that the ends stay in the
     * cache. */
    FEW_PIECE = 16 << 10,
};

bool csv_is_few(const struct csv_table *table)
{
    return table->fields >= FEW_FIELDS &&
           csv_columns(table) < table->fields / FEW_SHARE;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the n fields and drops duplicates. Returns how many are left. */
static size_t sort_fields(uint32_t *field, size_t n)
{
    size_t kept = 0;
    qsort(field, n, sizeof *field, compare);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || field[kept - 1] != field[i])
            field[kept++] = field[i];
    }
    return kept;
}

bool csv_few_choose(struct csv_few *few, const struct csv_table *table,
                    struct error *e)
{
    size_t n = 0;
    few->table = table;
    if (!csv_have_room(&few->room, 3 * csv_columns(table) * sizeof *few->field,
                       e))
        return false;
    few->place = few->room.at;
    few->field = few->place + csv_columns(table);
    for (size_t c = 0; c < csv_columns(table); c++) {
        few->field[n++] = table->field_of[c];
        if (table->field_of[c] > 0)
            few->field[n++] = table->field_of[c] - 1;
    }
    few->n = sort_fields(few->field, n);
    for (size_t c = 0; c < csv_columns(table); c++) {
        const uint32_t *at = bsearch(&table->field_of[c], few->field, few->n,
                                     sizeof *few->field, compare);
        few->place[c] = (uint32_t)(at - few->field) + 1;
    }
    return true;
}

void csv_few_free(struct csv_few *few)
{
    free(few->room.at);
    free(few->piece_room.at);
    free(few->row_room.at);
}

void csv_ends_by_steps(struct csv_span text, size_t from,
                       struct csv_dialect dialect, enum csv_state *state,
                       struct csv_ends *out)
{
    out->n = out->records = 0;
    for (size_t i = from; i < text.bytes; i++) {
        *state = csv_step(*state, (unsigned char)text.at[i], dialect);
        if (*state <= CSV_FIELD)
            out->at[out->n++] = (uint32_t)i;
        out->records += *state == CSV_RECORD;
    }
}

/* Builds the rows of the matrix from the ends of all fields, piece after piece.
 * A record may begin in one piece and end in another. */
struct row_builder {
    struct csv_few *few;
    struct csv_span text;
    struct csv_dialect dialect;
    const struct csv_spec *spec;
    struct csv_rows *rows;
    struct csv_first_error *first_error;
    size_t start; /* offset after the last record, blank line or comment */
    /* Offset after the blank lines and comments at `start`. */
    size_t after_lines;
    size_t ended; /* fields of the current record whose ends were seen */
    size_t next;  /* how many of few->field are below `ended` */
};

/* Memory for the current record's row, which is grown by doubling. Returns the
 * place of the row's second entry, since the first is the end before the
 * record. NULL: no memory. */
static uint32_t *reserve_row(struct row_builder *g, struct error *e)
{
    struct csv_room *room = &g->few->row_room;
    size_t width = (g->few->n + 2) * sizeof(uint32_t);
    size_t need = (g->rows->n + 1) * width;
    if (need > room->bytes) {
        void *grown = realloc(room->at, 2 * need);
        if (!grown)
            return error_memory(e);
        *room = (struct csv_room){grown, 2 * need};
    }
    return (uint32_t *)room->at + g->rows->n * (g->few->n + 2) + 1;
}

/* Adds the next n ends of the current record, and copies the wanted ones to its
 * row. */
static void add_ends(struct row_builder *g, const uint32_t *at, size_t n,
                     uint32_t *row)
{
    const struct csv_few *few = g->few;
    for (; g->next < few->n && few->field[g->next] < g->ended + n; g->next++)
        row[g->next] = at[few->field[g->next] - g->ended];
    g->ended += n;
}

/* Completes the record, whose line end is at `last`. Missing fields get the end
 * of the record. Returns false after a ragged record that is an error: the
 * records after it no longer matter. */
static bool end_record(struct row_builder *g, uint32_t last, uint32_t *row)
{
    const struct csv_few *few = g->few;
    const size_t fields = few->table->fields, ended = g->ended,
                 start = g->start;
    const enum csv_ragged ragged = g->spec->ragged;
    uint32_t end = last;
    size_t n = g->next;
    g->start = last + 1;
    g->ended = g->next = 0;
    if (ended != fields && ragged == CSV_RAGGED_SKIP) {
        g->rows->skipped++;
        return true;
    }
    if ((ended < fields && ragged == CSV_RAGGED_ERROR) ||
        (ended > fields &&
         (ragged == CSV_RAGGED_ERROR || !few->table->dialect.blank))) {
        csv_note_error(g->first_error, g->rows->n, -1, start, ended);
        return false;
    }
    if (end > start && g->dialect.end == '\n' && g->text.at[end - 1] == '\r')
        end--;
    if (n > 0 && few->field[n - 1] + 1 == (ended < fields ? ended : fields))
        row[n - 1] = end;
    for (; n < few->n; n++)
        row[n] = end;
    row[-1] = (uint32_t)start - 1;
    row[few->n] = last;
    g->rows->n++;
    return true;
}

/* How many of the piece's ends, from index `from` on, belong to the current
 * record. */
static size_t count_ends(const struct row_builder *g,
                         const struct csv_ends *ends, size_t from)
{
    size_t last = from + g->few->table->fields - g->ended - 1;
    const char end = (char)g->dialect.end;
    if (ends->records == 0)
        return ends->n - from;
    if (ends->records == 1 && g->ended < g->few->table->fields &&
        last < ends->n && g->text.at[ends->at[last]] == end)
        return last + 1 - from;
    for (last = from; last + 1 < ends->n; last++) {
        if (g->text.at[ends->at[last]] == end)
            break;
    }
    return last + 1 - from;
}

/* Adds the ends of a piece. Clears *more after an error, when later records no
 * longer matter. False: no memory. */
static bool add_piece(struct row_builder *g, const struct csv_ends *ends,
                      bool *more, struct error *e)
{
    for (size_t i = 0; *more && i < ends->n;) {
        if (g->ended == 0 && g->start >= g->after_lines)
            g->after_lines = csv_skip_lines(g->text, g->start, g->dialect);
        if (g->start < g->after_lines) {
            g->start = ends->at[i++] + 1;
            continue;
        }
        uint32_t *row = reserve_row(g, e);
        size_t n = count_ends(g, ends, i);
        if (!row)
            return false;
        add_ends(g, ends->at + i, n, row);
        i += n;
        if (g->text.at[ends->at[i - 1]] == (char)g->dialect.end)
            *more = end_record(g, ends->at[i - 1], row);
    }
    return true;
}

bool csv_few_rows(struct csv_few *few, const struct csv_loops *loops,
                  struct csv_span text, struct csv_dialect dialect,
                  const struct csv_spec *spec, bool by_steps,
                  struct csv_rows *rows, struct csv_ends *ends,
                  struct csv_first_error *first_error, bool *stray,
                  struct error *e)
{
    struct row_builder g = {few,         text, dialect, spec, rows,
                            first_error, 0,    0,       0,    0};
    struct csv_ends piece = {.inside = false};
    enum csv_state state = CSV_RECORD;
    bool more = true;
    *rows = (struct csv_rows){.n = 0};
    *stray = false;
    if (!csv_have_room(&few->piece_room, (FEW_PIECE + 64) * sizeof *piece.at,
                       e))
        return false;
    piece.at = few->piece_room.at;
    for (size_t at = 0, to; more && at < text.bytes; at = to) {
        to = text.bytes - at < FEW_PIECE ? text.bytes : at + FEW_PIECE;
        if (by_steps)
            csv_ends_by_steps((struct csv_span){text.at, to}, at, dialect,
                              &state, &piece);
        else if (!loops->ends(text.at, at, to, dialect, &piece))
            return *stray = true;
        if (!add_piece(&g, &piece, &more, e))
            return false;
    }
    *ends = (struct csv_ends){.at = few->row_room.at};
    return true;
}
