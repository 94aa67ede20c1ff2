/* SPDX-License-Identifier: MIT */
#include "run/by.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/share.h"
#include "plan/by.h"
#include "run/by_folds.h"
#include "run/by_kept.h"
#include "run/joint.h"
#include "run/row.h"

void by_rows_free(struct by_rows *rows)
{
    if (!rows)
        return;
    order_free(&rows->order);
    groups_free(rows->groups);
    free(rows);
}

/* Shared by the threads that compute the rows of all keys. */
struct finishing {
    const struct plan *plan;
    const struct dataset *d;
    const struct by_rows *rows;
    const struct totals *like; /* what the totals of all rows have in common */
    const struct by_asked *asked;
    struct values *values;
    size_t at;   /* the number of row 0's first value */
    bool is_sum; /* all results are sums of cells of text, with all digits */
    /* Guards the two below, and setting values that are kept apart (reduce/
     * values.h). */
    pthread_mutex_t lock;
    size_t failed;      /* the first row that failed, or SIZE_MAX */
    struct error error; /* of that row */
};

/* Sets *e to the error `why`, preceded by the row's key. Returns false. */
static bool blame(const struct finishing *f, size_t row,
                  const struct error *why, struct error *e)
{
    char name[BY_NAME_MAX];
    struct error of_key;
    error_set(&of_key, why->kind, "key %s: %.1500s",
              by_row_name(name, f->rows, row), why->text);
    return row_blame(f->d, row % f->rows->columns, &of_key, e);
}

/* Memory of one thread that computes rows. */
struct row_reader {
    struct totals totals;
    struct by_reading reading;
    struct by_folder *folder; /* owned; NULL: no --reduce */
    struct value folded;      /* the result of --reduce of the current row */
    struct by_kept *kept;     /* owned; NULL: no product or pairs of these */
};

/* Sets the values of a row. */
static bool finish_row(struct finishing *f, size_t row, struct row_reader *r,
                       struct error *e)
{
    const size_t columns = f->rows->columns, ops = f->plan->ops;
    const struct by_place place = f->rows->order.item[row / columns].place;
    struct totals *totals = &r->totals;
    struct value value;
    struct error why;
    double sum;
    bool ok = true;
    order_prefetch(f->rows->groups, &f->rows->order, row / columns);
    if (columns == 1)
        order_keep(f->rows->groups, &f->rows->order.item[row]);
    if (f->is_sum && by_read_sum(f->rows->groups, place, row % columns, &sum)) {
        values_set_reals(f->values, f->at + row, 0, &sum, 1, DTYPE_f64);
        return true;
    }
    const struct pairing *pairs = dataset_pairing(f->d);
    const size_t column =
        pairs->kind ? pairing_at(pairs, row % columns).first : row % columns;
    totals->is_text = dataset_is_text(f->d, column);
    by_read(f->rows->groups, place, column, &r->reading, totals);
    if (r->kept)
        ok = by_kept_read(r->kept, f->rows->groups, place, row % columns,
                          totals, e);
    if (ok && r->folder)
        ok = by_fold(r->folder, f->rows->groups, place, row % columns,
                     &r->folded, &why) ||
             blame(f, row, &why, e);
    if (ok && !f->rows->table && !row_check(f->d, 0, totals, &why))
        ok = blame(f, row, &why, e);
    for (size_t i = 0; ok && i < ops; i++) {
        ok = op_finish(f->plan->op[i], totals, &value, &why) ||
             blame(f, row, &why, e);
        ok = ok && values_set_locked(f->values, &f->lock, f->at + row * ops + i,
                                     &value, e);
    }
    return ok;
}

static void finish_some(void *finishing, size_t first, size_t end)
{
    struct finishing *f = finishing;
    struct decimals decimals = {.digits = f->plan->digits};
    struct row_reader r = {.totals = *f->like, .reading = {.asked = f->asked}};
    struct error e;
    bool ok = true;
    r.totals.decimals = f->plan->has_digits ? &decimals : NULL;
    if (f->d->folds) {
        r.totals.folded = &r.folded;
        ok = (r.folder = by_folder_open(f->d, &e));
    } else if (f->d->job.by.spec.in_order)
        ok = (r.kept = by_kept_open(f->plan, f->d, &e));
    while (ok && first < end && finish_row(f, first, &r, &e))
        first++;
    by_folder_close(r.folder);
    by_kept_close(r.kept);
    if (first == end)
        return;
    pthread_mutex_lock(&f->lock);
    if (first < f->failed) {
        f->failed = first;
        f->error = e;
    }
    pthread_mutex_unlock(&f->lock);
}

/* Computes all rows, with a thread for each LEAST of them. */
static bool finish_rows(struct finishing *f, size_t rows, struct error *e)
{
    enum { LEAST = 4096 };
    const size_t most = f->plan->settings.threads, n = rows / LEAST + 1;
    if (pthread_mutex_init(&f->lock, NULL) != 0)
        return error_memory(e);
    f->failed = SIZE_MAX;
    share_out((unsigned)(n < most ? n : most), rows, finish_some, f);
    pthread_mutex_destroy(&f->lock);
    if (f->failed == SIZE_MAX)
        return true;
    *e = f->error;
    if (f->plan->joint)
        f->plan->joint->failed(f->plan, f->rows, f->failed);
    return false;
}

/* False, with the error, if operations cannot read a column at all. */
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

bool by_check_read(const struct plan *plan, const struct dataset *d,
                   struct error *e)
{
    uint64_t bytes = 0;
    if (!plan->keys.is_open)
        return true;
    for (size_t i = 0; i < d->count; i++)
        bytes += d->inputs[i].taken;
    const uint64_t elements = bytes / dtype_info(d->job.dtype)->size;
    return by_check_order(plan, d, e) &&
           (elements == plan->keys.n ||
            key_file_differs(&plan->keys, elements, e));
}

/* Frees memory that printing does not need. */
static void trim(struct by_rows *rows)
{
    uint16_t to[GROUPS_TABLES];
    if (!groups_trim(rows->groups, to))
        return;
    for (size_t i = 0; i < rows->order.n; i++)
        rows->order.item[i].place.table = to[rows->order.item[i].place.table];
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
    *rows = (struct by_rows){.groups = reduced->groups,
                             .keys = d->job.by.spec.keys,
                             .table = dataset_key_names(d),
                             .dtype = plan->keys.input.dtype};
    rows->columns = dataset_rows_of_key(d);
    reduced->groups = NULL;
    struct by_reader r;
    const struct by_asked asked = {plan->op, plan->ops, plan->interpolation,
                                   plan->nan == NAN_SKIP};
    struct finishing f = {.plan = plan,
                          .d = d,
                          .rows = rows,
                          .like = &like,
                          .asked = &asked,
                          .values = values,
                          .at = values->n,
                          .is_sum = d->table && plan->ops == 1 &&
                                    !plan->has_digits &&
                                    strcmp(plan->op[0]->name, "sum") == 0};
    bool ok =
        groups_sort(rows->groups, plan->settings.threads, e) &&
        order_make(&rows->order, rows->groups, by_reader_open(&r, plan, rows),
                   &r, plan->settings.threads, e);
    d->rows = ok ? rows->order.n * rows->columns : 0;
    ok = ok && values_extend(values, d->rows * plan->ops, e) &&
         finish_rows(&f, d->rows, e);
    if (!ok) {
        by_rows_free(rows);
        return false;
    }
    trim(rows);
    *out = rows;
    return true;
}
