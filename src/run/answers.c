/* SPDX-License-Identifier: MIT */
#include "run/answers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "run/report.h"

/* Columns that a note names one by one. */
enum { NAMED_MAX = 8 };

/* A column is printed with its name unless it is the only one that there is, or
 * that was asked for. */
static bool is_named(const struct options *o, const struct dataset *d)
{
    if (!report_column_name(d, 0).at)
        return false;
    return d->job.columns > 1 || (!o->columns && d->table->fields > 1);
}

bool answers_are_table(const struct options *o, const struct dataset *d)
{
    return o->per_file || is_named(o, d);
}

bool answers_add(struct answers *a, const struct dataset *d,
                 struct value *values, struct error *e)
{
    size_t columns = job_groups(&d->job);
    struct result *grown =
        realloc(a->row, (a->n + columns + 1) * sizeof *grown);
    if (!grown)
        return error_set(e, ERROR_DATA, "out of memory");
    a->row = grown;
    a->by_column |= is_named(a->options, d);
    a->has_text |= d->job.text != NULL;
    a->has_binary |= d->job.text == NULL;
    const char *file = d->inputs[0].is_stdin ? "-" : d->inputs[0].name;
    for (size_t c = 0; c < columns; c++) {
        struct csv_span name = report_column_name(d, c);
        a->row[a->n++] = (struct result){a->datasets, file, name.at, name.bytes,
                                         &values[c * a->options->ops]};
    }
    a->datasets++;
    return true;
}

static bool is_any(const struct answers *a, size_t op)
{
    for (size_t i = 0; i < a->n; i++) {
        if (a->row[i].value[op].word[0] != 0)
            return true;
    }
    return false;
}

static bool is_shown(const struct answers *a, size_t op)
{
    const struct options *o = a->options;
    if (!o->summary || o->named >> op & 1)
        return true;
    switch (o->op[op]->shown) {
    case SHOWN_FOR_TEXT:
        return a->has_text;
    case SHOWN_FOR_BINARY:
        return a->has_binary;
    case SHOWN_IF_ANY:
        return is_any(a, op);
    default:
        return true;
    }
}

struct results answers_results(struct answers *a)
{
    const struct options *o = a->options;
    size_t ops = 0;
    for (size_t i = 0; i < o->ops; i++) {
        if (!is_shown(a, i))
            continue;
        for (size_t r = 0; r < a->n; r++)
            a->row[r].value[ops] = a->row[r].value[i];
        a->op[ops++] = o->op[i];
    }
    return (struct results){.op = a->op,
                            .ops = ops,
                            .row = a->row,
                            .rows = a->n,
                            .by_file = o->per_file,
                            .by_column = a->by_column,
                            .op_per_line = o->summary};
}

void answers_note_empty(const struct answers *a, const struct results *r)
{
    char file[QUOTE_MAX] = "", name[QUOTE_MAX] = "", more[64] = "";
    const struct result *first = NULL;
    const char *op = NULL;
    uint64_t others = 0;
    for (size_t i = 0; i < r->rows * r->ops; i++) {
        const struct result *row = &r->row[i / r->ops];
        if (row->value[i % r->ops].kind != VALUE_NONE)
            continue;
        others += first != NULL;
        op = first ? op : r->op[i % r->ops]->name;
        first = first ? first : row;
    }
    if (!first || a->options->quiet)
        return;
    if (others)
        snprintf(more, sizeof more, " and %" PRIu64 " other value%s are",
                 others, others == 1 ? "" : "s");
    if (r->by_file)
        quote(file, first->file);
    if (r->by_column && first->column)
        quote_bytes(name, first->column, first->column_bytes);
    fprintf(stderr,
            "gpureduce: %s%s%s%s%s%s%s undefined for empty input and left "
            "empty; --empty identity prints the identity\n",
            file, *file ? ": " : "", *name ? "column " : "", name,
            *name ? ": " : "", op, *more ? more : " is");
}

void answers_free(struct answers *a)
{
    for (size_t i = 0; i < a->n; i++) {
        /* A dataset's first row holds the values of all its rows. */
        if (i == 0 || a->row[i].dataset != a->row[i - 1].dataset)
            free(a->row[i].value);
    }
    free(a->row);
}

static uint64_t bad_of(const struct states *states, size_t column)
{
    return states->tally[column].bad;
}

static uint64_t rounded_of(const struct states *states, size_t column)
{
    return states->bank[MONOID_wide]
               ? states_at(states, column, MONOID_wide)->wide.rounded
               : 0;
}

/* Counts of a column that a note has to say. */
static const struct {
    const char *kind, *what, *remedy;
    uint64_t (*count)(const struct states *states, size_t column);
} counted[] = {
    {"bad", "skipped %" PRIu64 " bad cell%s", "", bad_of},
    {"rounded", "rounded %" PRIu64 " integer%s that f64 cannot hold",
     "; -t i64 or -t u64 reads 64 bits exactly", rounded_of},
};

/* Writes " in column 'a'", or of several ": 5 in column 'a', 2 in column 'b'";
 * nothing where there is a single field. */
static void list_columns(const struct dataset *d, const struct states *states,
                         size_t kind, size_t columns, char *text, size_t room)
{
    char quoted[QUOTE_MAX], number[24] = "";
    size_t told = 0, used = 0;
    text[0] = '\0';
    for (size_t c = 0; d->table->fields > 1 && told < NAMED_MAX &&
                       used < room && c < d->job.columns;
         c++) {
        struct csv_span name = report_column_name(d, c);
        if (counted[kind].count(states, c) == 0 || !name.at)
            continue;
        if (columns > 1)
            snprintf(number, sizeof number, "%s %" PRIu64, told ? "," : ":",
                     counted[kind].count(states, c));
        used +=
            (size_t)snprintf(text + used, room - used, "%s in column %s",
                             number, quote_bytes(quoted, name.at, name.bytes));
        told++;
    }
    if (told && columns > told && used < room)
        snprintf(text + used, room - used, " and others in %zu more",
                 columns - told);
}

void answers_note(struct notes *notes, const struct dataset *d,
                  const struct reduced *reduced)
{
    const struct states *states = &reduced->states;
    const char *file = d->count == 1 ? d->inputs[0].name : NULL;
    char what[128], list[4 * QUOTE_MAX];
    for (size_t k = 0; k < sizeof counted / sizeof counted[0]; k++) {
        uint64_t sum = 0;
        size_t columns = 0;
        for (size_t c = 0; c < states->groups; c++) {
            sum += counted[k].count(states, c);
            columns += counted[k].count(states, c) > 0;
        }
        if (sum == 0)
            continue;
        snprintf(what, sizeof what, counted[k].what, sum, sum == 1 ? "" : "s");
        list_columns(d, states, k, columns, list, sizeof list);
        notes_add(notes, counted[k].kind, NOTE_COUNTED, file, "%s%s%s", what,
                  list, counted[k].remedy);
    }
    if (reduced->skipped > 0)
        notes_add(notes, "ragged", NOTE_COUNTED, file,
                  "skipped %" PRIu64 " record%s with another number of fields",
                  reduced->skipped, reduced->skipped == 1 ? "" : "s");
}
