/* SPDX-License-Identifier: MIT */
#include "run/by.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "csv/cell/cell.h"
#include "reduce/float_format.h"
#include "run/row.h"

void by_rows_free(struct by_rows *rows)
{
    if (!rows)
        return;
    order_free(&rows->order);
    groups_free(rows->groups);
    free(rows);
}

struct text_cell by_row_key(const struct by_rows *rows, size_t row,
                            size_t column)
{
    return order_key(rows->groups, rows->order.place[row / rows->columns],
                     column);
}

const char *by_row_name(char out[BY_NAME_MAX], const struct by_rows *rows,
                        size_t row)
{
    char quoted[QUOTE_MAX];
    size_t used = 0;
    out[0] = '\0';
    for (size_t k = 0; k < rows->table->keys && used < BY_NAME_MAX; k++) {
        const struct text_cell key = by_row_key(rows, row, k);
        used += (size_t)snprintf(out + used, BY_NAME_MAX - used, "%s%s",
                                 k ? ", " : "",
                                 quote_bytes(quoted, key.at, key.bytes));
    }
    return out;
}

/* How the texts of keys are read as numbers. */
struct reader {
    struct csv_spec spec;
    struct csv_dialect dialect;
};

static enum key_class classify(const void *reader, struct text_cell text,
                               double *value)
{
    const struct reader *r = reader;
    const struct csv_span span = {text.at, text.bytes};
    uint64_t bits = 0;
    if (!csv_cell_is_number(csv_cell_read(&r->spec, r->dialect, span, &bits)))
        return KEY_TEXT;
    *value = double_of_bits(bits);
    return *value == *value ? KEY_NUMBER : KEY_NAN;
}

static bool sort_keys(const struct plan *plan, const struct dataset *d,
                      struct by_rows *rows, struct error *e)
{
    struct reader r = {plan->csv.spec, d->table->dialect};
    r.spec.dtype = DTYPE_f64;
    r.spec.is_bool = false;
    r.spec.round_wide = true;
    r.spec.words.n = 0;
    r.dialect.quotes = false;
    return order_make(&rows->order, rows->groups, classify, &r, e);
}

/* A range of keys that a thread reads. */
struct share {
    const struct plan *plan;
    const struct dataset *d;
    const struct by_rows *rows;
    const struct totals *like; /* what all have in common */
    struct values *values;
    size_t at, first, end; /* value `at` is the first one of key 0 */
    pthread_mutex_t *lock; /* of values that are kept apart */
    pthread_t thread;
    bool failed;
    struct error error;
};

static bool set_value(struct share *s, size_t i, const struct value *value,
                      struct error *e)
{
    if (!values_are_apart(value))
        return values_set(s->values, i, value, e);
    pthread_mutex_lock(s->lock);
    const bool ok = values_set(s->values, i, value, e);
    pthread_mutex_unlock(s->lock);
    return ok;
}

/* Names the key of an error. */
static bool blame(const struct share *s, size_t row, const struct error *why,
                  struct error *e)
{
    char name[BY_NAME_MAX];
    struct error of_key;
    error_set(&of_key, why->kind, "key %s: %.1500s",
              by_row_name(name, s->rows, row), why->text);
    return row_blame(s->d, row % s->rows->columns, &of_key, e);
}

/* Sets the values of a row. */
static bool finish_row(struct share *s, size_t row, struct totals *totals,
                       struct by_reading *reading, struct error *e)
{
    const size_t columns = s->rows->columns, ops = s->plan->ops;
    struct value value;
    struct error why;
    bool ok = true;
    order_prefetch(s->rows->groups, &s->rows->order, row / columns);
    by_read(s->rows->groups, s->rows->order.place[row / columns], row % columns,
            reading, totals);
    for (size_t i = 0; ok && i < ops; i++) {
        ok = op_finish(s->plan->op[i], totals, &value, &why) ||
             blame(s, row, &why, e);
        ok = ok && set_value(s, s->at + row * ops + i, &value, e);
    }
    by_read_end(reading);
    return ok;
}

static void *finish_share(void *share)
{
    struct share *s = share;
    struct decimals decimals = {.digits = s->plan->digits};
    struct totals totals = *s->like;
    struct by_reading reading;
    totals.decimals = s->plan->has_digits ? &decimals : NULL;
    for (size_t row = s->first; row < s->end && !s->failed; row++)
        s->failed = !finish_row(s, row, &totals, &reading, &s->error);
    return NULL;
}

/* Reads all rows, in as many threads as the run may have. The error is that of
 * the first row. */
static bool finish_rows(struct share *like, size_t rows, struct error *e)
{
    enum { LEAST = 4096, MOST = 64 };
    struct share share[MOST];
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    size_t n = rows / LEAST + 1, started = 0, first = 0;
    n = n > like->plan->settings.threads ? like->plan->settings.threads : n;
    n = n > MOST ? MOST : n;
    for (size_t i = 0; i < n; i++) {
        share[i] = *like;
        share[i].lock = &lock;
        share[i].first = rows * i / n;
        share[i].end = rows * (i + 1) / n;
    }
    while (started + 1 < n &&
           pthread_create(&share[started + 1].thread, NULL, finish_share,
                          &share[started + 1]) == 0)
        started++;
    finish_share(&share[0]);
    for (size_t i = started + 1; i < n; i++)
        finish_share(&share[i]);
    for (size_t i = 1; i <= started; i++)
        pthread_join(share[i].thread, NULL);
    while (first < n && !share[first].failed)
        first++;
    if (first < n)
        *e = share[first].error;
    pthread_mutex_destroy(&lock);
    return first == n;
}

/* Whether the columns as a whole have an answer. */
static bool check_columns(const struct plan *plan, const struct dataset *d,
                          const struct reduced *reduced, struct error *e)
{
    struct error why;
    for (size_t c = 0; c < d->job.by.columns; c++) {
        const struct totals totals = row_totals(plan, d, &reduced->states, c);
        if (!row_check(d, c, &totals, &why))
            return row_blame(d, c, &why, e);
    }
    return true;
}

bool by_finish(const struct plan *plan, struct dataset *d,
               struct reduced *reduced, struct values *values,
               struct by_rows **out, struct error *e)
{
    const struct totals like = row_totals(plan, d, &reduced->states, 0);
    if (!check_columns(plan, d, reduced, e))
        return false;
    struct by_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return error_memory(e);
    *rows = (struct by_rows){.groups = reduced->groups, .table = d->table};
    rows->columns = d->job.by.columns ? d->job.by.columns : 1;
    reduced->groups = NULL;
    struct share share = {.plan = plan,
                          .d = d,
                          .rows = rows,
                          .like = &like,
                          .values = values,
                          .at = values->n};
    bool ok = sort_keys(plan, d, rows, e);
    d->rows = ok ? rows->order.n * rows->columns : 0;
    ok = ok && values_extend(values, d->rows * plan->ops, e) &&
         finish_rows(&share, d->rows, e);
    if (!ok) {
        by_rows_free(rows);
        return false;
    }
    *out = rows;
    return true;
}
