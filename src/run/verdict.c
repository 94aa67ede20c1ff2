/* SPDX-License-Identifier: MIT */
#include "run/verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/number.h"
#include "run/places.h"
#include "run/row.h"

/* The most values that a message shows, and the most bytes of all values, of
 * the condition and of a file's name. An escape may take four bytes for one;
 * together they fit the message of row_blame. */
enum { SHOWN_MAX = 12, VALUES_BYTES = 1100, TEXT_BYTES = 200 };

/* A condition on one row. */
struct row {
    const struct plan *plan;
    const struct dataset *d;
    const struct states *states;
    const struct chunk_notes *notes;
    const struct assertion *assertion;
    const struct values *values; /* an array's: its last [d->rows][plan->ops] */
    size_t *column_of; /* [names], owned: the column of each op(column) */
    /* The row's number. ROW_NO_COLUMN: the condition names the column of each
     * op. */
    size_t column;
};

/* The value of a name, and the totals that it was read from. If an op has no
 * value on empty data, it is missing, even under --empty identity. */
static bool read_op(const struct row *row, size_t i, struct totals *totals,
                    struct value *value, struct error *e)
{
    const struct asserted *name = &row->assertion->name[i];
    const size_t column = name->of_column ? row->column_of[i] : row->column;
    if (row->d->has_axes) {
        const size_t left = (row->d->rows - row->column) * row->plan->ops;
        *totals = (struct totals){.nan = row->plan->nan};
        *value = values_at(row->values, row->values->n - left + name->number);
        return true;
    }
    *totals = row_totals(row->plan, row->d, row->states, column);
    totals->empty = EMPTY_BLANK;
    struct error why;
    if (op_finish(name->op, totals, value, &why))
        return true;
    /* The caller adds the file, and the column unless `name` has its own. */
    char text[QUOTE_MAX] = "";
    if (name->of_column)
        asserted_text(name, text);
    return error_set(e, why.kind, "%s%s%.1000s", text, *text ? ": " : "",
                     why.text);
}

/* Converts exactly. False: the integer has over 127 bits. */
static bool convert(const struct value *from, enum expr_type type,
                    struct expr_value *to)
{
    *to = (struct expr_value){.type = EXPR_MISSING};
    if (from->kind == VALUE_NONE)
        return true;
    if (from->kind == VALUE_REAL) {
        to->type = EXPR_FLOAT;
        to->real = from->real;
        return true;
    }
    to->type = type == EXPR_BOOL ? EXPR_BOOL : EXPR_INTEGER;
    if (type == EXPR_BOOL)
        to->truth = from->word[0] != 0;
    else
        to->integer =
            (__int128)((unsigned __int128)from->word[1] << 64 | from->word[0]);
    if (from->word[1] >> 63)
        return false;
    if (from->negative)
        to->integer = -to->integer;
    return from->word[2] == 0 && from->word[3] == 0;
}

static bool read_name(const void *context, uint32_t index, enum expr_type type,
                      struct expr_value *out, struct error *e)
{
    const struct row *row = context;
    struct totals totals;
    struct value value;
    if (!read_op(row, index, &totals, &value, e))
        return false;
    return convert(&value, type, out) ||
           error_set(e, ERROR_DATA,
                     "--assert: %s is an integer of over 127 bits, too large "
                     "for an expression",
                     row->assertion->name[index].op->name);
}

/* Writes the element's place, with the file if there are several binary ones.
 */
static void put_index(const struct row *row, uint64_t index, char *out,
                      size_t room)
{
    const struct dataset *d = row->d;
    char file[QUOTE_MAX];
    uint64_t within = index;
    const struct input *input =
        d->count == 1 ? NULL : place_of_element(d, &within);
    size_t used = (size_t)snprintf(out, room, ", at index %" PRIu64, index);
    if (input)
        snprintf(
            out + used, room - used, ", %" PRIu64 " in %s", within,
            quote_bytes(file, input->name, strnlen(input->name, TEXT_BYTES)));
}

/* Writes a record's place. Omits a long name that begins the message anyway. */
static void put_record(const struct row *row, uint64_t index, char *out,
                       size_t room)
{
    char file[QUOTE_MAX];
    uint64_t line;
    const struct input *input =
        place_of_record(row->d, row->notes, index, &line);
    const size_t bytes = strnlen(input->name, TEXT_BYTES);
    if (line == 0)
        snprintf(out, room, ", in record %" PRIu64 " (the first is 0)", index);
    else if (input->name[bytes] && row->d->count == 1)
        snprintf(out, room, ", on line %" PRIu64, line);
    else
        snprintf(out, room, ", at %s%s:%" PRIu64,
                 escape_bytes(file, input->name, bytes),
                 input->name[bytes] ? "..." : "", line);
}

/* Counts of cells whose places no state has, and the option that reports the
 * first such cell. */
static const struct {
    const char *op, *remedy;
} unplaced[] = {
    {"n_missing", " (--missing error names the first)"},
    {"n_bad", " (without --bad skip the first is named)"},
};

static void put_place(const struct row *row, const struct op *op,
                      const struct totals *totals, const struct value *value,
                      char *out, size_t room)
{
    uint64_t index;
    if (!row->d->has_axes && op_place(op, totals, &index))
        (row->d->table ? put_record : put_index)(row, index, out, room);
    for (size_t i = 0; i < sizeof unplaced / sizeof unplaced[0]; i++) {
        if (value->word[0] > 0 && strcmp(unplaced[i].op, op->name) == 0)
            snprintf(out, room, "%s", unplaced[i].remedy);
    }
}

/* Writes "\n  max is 1.5, at prices.csv:19"; without the place, or nothing, if
 * there is no room. Returns the bytes written. */
static size_t put_name(const struct row *row, size_t i, char *out, size_t room)
{
    const struct asserted *name = &row->assertion->name[i];
    char number[NUMBER_MAX] = "missing", called[QUOTE_MAX],
         place[QUOTE_MAX + 64] = "";
    struct totals totals;
    struct value value;
    struct error e;
    if (!read_op(row, i, &totals, &value, &e))
        return 0;
    value.dtype = DTYPE_f64; /* as conditions compare it */
    if (value.kind != VALUE_NONE)
        number_text(number, &value);
    put_place(row, name->op, &totals, &value, place, sizeof place);
    asserted_text(name, called);
    size_t n =
        (size_t)snprintf(out, room, "\n  %s is %s%s", called, number, place);
    if (n >= room)
        n = (size_t)snprintf(out, room, "\n  %s is %s", called, number);
    if (n < room)
        return n;
    out[0] = '\0';
    return 0;
}

/* Names the file or column that the values are of. */
static void blame(const struct row *row, const struct error *why,
                  struct error *e)
{
    struct error at = *why;
    char text[SHAPE_TEXT];
    if (row->d->has_axes && row->column != ROW_NO_COLUMN &&
        *output_text(text, &row->d->geometry, row->column))
        error_set(&at, why->kind, "output %s: %.2000s", text, why->text);
    row_blame(row->d, row->column, &at, e);
}

/* Writes the condition and the values of its names. */
static void describe(const struct row *row, enum expr_type type,
                     struct error *e)
{
    const struct assertion *a = row->assertion;
    char shown[QUOTE_MAX], names[VALUES_BYTES] = "";
    size_t used = 0;
    struct error why;
    for (size_t i = 0; i < a->names && i < SHOWN_MAX; i++)
        used += put_name(row, i, names + used, sizeof names - used);
    const size_t bytes = a->expr.source.bytes;
    escape_bytes(shown, a->expr.source.text,
                 bytes < TEXT_BYTES ? bytes : TEXT_BYTES);
    error_set(&why, ERROR_ASSERT, "--assert is %s: %s%s%s",
              type == EXPR_MISSING ? "missing" : "false", shown,
              bytes > TEXT_BYTES ? "..." : "", names);
    blame(row, &why, e);
}

static bool judge(struct verdict *v, const struct row *row, struct error *e)
{
    const struct expr_record record = {read_name, row};
    struct expr_value value;
    struct error why;
    if (!expr_evaluate(&row->assertion->expr, &record, &value, &why))
        return row_blame(row->d, row->column, &why, e);
    if (value.type == EXPR_BOOL && value.truth)
        return true;
    if (v->failed++ == 0)
        describe(row, value.type, &v->first);
    return true;
}

/* Finds the columns that the condition names. Sets [*first, *end) to the rows
 * that it is judged on. */
static bool find_columns(struct row *row, size_t *first, size_t *end,
                         struct error *e)
{
    const struct assertion *a = row->assertion;
    bool of_columns = true;
    row->column_of = malloc((a->names + 1) * sizeof *row->column_of);
    if (!row->column_of)
        return error_memory(e);
    for (size_t i = 0; i < a->names; i++) {
        of_columns &= a->name[i].of_column;
        if (a->name[i].of_column &&
            !asserted_column(row->d, &a->name[i], &row->column_of[i], e))
            return false;
    }
    *first = of_columns ? ROW_NO_COLUMN : 0;
    *end = of_columns         ? ROW_NO_COLUMN + 1
           : row->d->has_axes ? row->d->rows
                              : row->states->groups;
    return true;
}

/* Whether the row pairs a column with itself; conditions skip such rows. */
static bool is_itself(const struct row *row)
{
    const struct pairing *p = &row->d->job.pairing;
    if (p->kind != PAIRING_MATRIX || row->column == ROW_NO_COLUMN)
        return false;
    const struct column_pair pair = pairing_at(p, row->column);
    return pair.first == pair.second;
}

bool verdict_add(struct verdict *v, const struct plan *plan,
                 const struct dataset *d, const struct reduced *reduced,
                 const struct values *values, struct error *e)
{
    bool ok = true;
    for (size_t i = 0; ok && i < plan->assertions; i++) {
        struct row row = {.plan = plan,
                          .d = d,
                          .states = &reduced->states,
                          .notes = &reduced->notes,
                          .assertion = &plan->assertion[i],
                          .values = values};
        size_t end = 0;
        ok = find_columns(&row, &row.column, &end, e);
        for (; ok && row.column < end; row.column++)
            ok = is_itself(&row) || judge(v, &row, e);
        free(row.column_of);
    }
    return ok;
}

bool verdict_end(const struct verdict *v, struct error *e)
{
    if (v->failed == 0)
        return true;
    if (v->failed == 1)
        return error_set(e, ERROR_ASSERT, "%s", v->first.text);
    return error_set(e, ERROR_ASSERT,
                     "%.3900s\nThis is the first of %zu failures.",
                     v->first.text, v->failed);
}
