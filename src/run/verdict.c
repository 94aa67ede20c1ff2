/* SPDX-License-Identifier: MIT */
#include "run/verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "output/number.h"
#include "run/row.h"

/* Values that a message shows. */
enum { SHOWN_MAX = 12 };

/* Conditions on one row. */
struct row {
    const struct plan *plan;
    const struct dataset *d;
    const struct states *states;
    const struct assertion *assertion;
    size_t column;
};

/* The value of a name, and the totals that it was read from. An op without a
 * value on no data is missing, whatever is printed. */
static bool read_op(const struct row *row, const struct asserted *name,
                    struct totals *totals, struct value *value, struct error *e)
{
    struct error why;
    size_t column = row->column;
    if (name->of_column && !asserted_column(row->d, name, &column, e))
        return false;
    *totals = row_totals(row->plan, row->d, row->states, column);
    totals->empty = EMPTY_BLANK;
    return op_finish(name->op, totals, value, &why) ||
           row_blame(row->d, column, &why, e);
}

/* Exact, or false: an integer of over 127 bits. */
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
        to->integer = (__int128)from->word[1] << 64 | from->word[0];
    if (from->negative)
        to->integer = -to->integer;
    return from->word[1] >> 63 == 0 && from->word[2] == 0 && from->word[3] == 0;
}

static bool read_name(const void *context, uint32_t index, enum expr_type type,
                      struct expr_value *out, struct error *e)
{
    const struct row *row = context;
    const struct asserted *name = &row->assertion->name[index];
    struct totals totals;
    struct value value;
    struct error why;
    if (!read_op(row, name, &totals, &value, e))
        return false;
    if (convert(&value, type, out))
        return true;
    error_set(&why, ERROR_DATA,
              "--assert: %s is an integer of over 127 bits, too large for an "
              "expression",
              name->op->name);
    return row_blame(row->d, row->column, &why, e);
}

/* "\n  max is 1.5, in record 17 (the first is 0)" */
static size_t put_name(const struct row *row, const struct asserted *name,
                       char *out, size_t room, struct error *e)
{
    char number[NUMBER_MAX] = "missing", called[QUOTE_MAX], place[64] = "";
    struct totals totals;
    struct value value;
    uint64_t index;
    if (!read_op(row, name, &totals, &value, e))
        return 0;
    if (value.kind != VALUE_NONE)
        number_text(number, &value);
    if (op_place(name->op, &totals, &index))
        snprintf(place, sizeof place,
                 row->d->table ? ", in record %" PRIu64 " (the first is 0)"
                               : ", at index %" PRIu64,
                 index);
    int n = snprintf(out, room, "\n  %.200s is %s%s",
                     asserted_text(name, called), number, place);
    return n > 0 && (size_t)n < room ? (size_t)n : 0;
}

/* What was asserted and the values of the names in it. */
static void describe(const struct row *row, enum expr_type type,
                     struct error *e)
{
    const struct assertion *a = row->assertion;
    char shown[QUOTE_MAX], names[3072] = "";
    size_t used = 0;
    struct error why;
    for (size_t i = 0; i < a->names && i < SHOWN_MAX; i++)
        used +=
            put_name(row, &a->name[i], names + used, sizeof names - used, &why);
    escape_bytes(shown, a->expr.source.text, a->expr.source.bytes);
    error_set(&why, ERROR_ASSERT, "--assert is %s: %.600s%s",
              type == EXPR_MISSING ? "missing" : "false", shown, names);
    row_blame(row->d, row->column, &why, e);
}

/* Whether the condition says of all columns which they are. */
static bool is_of_columns(const struct assertion *a)
{
    for (size_t i = 0; i < a->names; i++) {
        if (!a->name[i].of_column)
            return false;
    }
    return true;
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

bool verdict_add(struct verdict *v, const struct plan *plan,
                 const struct dataset *d, const struct states *states,
                 struct error *e)
{
    struct row row = {plan, d, states, NULL, 0};
    for (size_t i = 0; i < plan->assertions; i++) {
        row.assertion = &plan->assertion[i];
        const bool once = is_of_columns(row.assertion);
        const size_t rows = once ? 1 : states->groups;
        for (size_t c = 0; c < rows; c++) {
            row.column = once ? SIZE_MAX : c;
            if (!judge(v, &row, e))
                return false;
        }
    }
    return true;
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
