/* SPDX-License-Identifier: MIT */
/* Steps monoids key by key: sorts values by key, and runs the loops of
 * reduce/cpu over each key's values. It is for monoids that are not asked for
 * with millions of keys. */
#include <stdlib.h>
#include <string.h>

#include "by/step.h"
#include "by/sort.h"

bool runs_open(struct by_runs *r, const struct by_layout *l, bool is_portable,
               struct error *e)
{
    const struct stepper_options options = {.portable = is_portable};
    const unsigned set = l->monoids & ~l->direct;
    *r = (struct by_runs){.stepper = NULL};
    if (set == 0)
        return true;
    r->stepper = stepper_open(set, l->dtype, &options, e);
    return r->stepper;
}

void runs_close(struct by_runs *r)
{
    stepper_close(r->stepper);
    free(r->order);
    free(r->values);
    free(r->rows);
    *r = (struct by_runs){.stepper = NULL};
}

static bool have_room(struct by_runs *r, size_t n, size_t size)
{
    if (n <= r->room)
        return true;
    free(r->order);
    free(r->values);
    free(r->rows);
    r->room = n + n / 4;
    r->order = malloc(2 * r->room * sizeof *r->order);
    r->values = malloc(r->room * size);
    r->rows = malloc(r->room * sizeof *r->rows);
    if (r->order && r->values && r->rows)
        return true;
    r->room = 0;
    return false;
}

/* Adds n values of one record. */
static void step_run(const struct by_addend *a, struct by_runs *r, size_t id,
                     const uint64_t *order, size_t n)
{
    const struct by_layout *l = a->table->layout;
    const size_t size = dtype_size(l->dtype);
    char *column = layout_column(l, table_record(a->table, id), a->number);
    struct tally unused = {0};
    struct states view = {.schema = {.groups = 1, .dtype = l->dtype},
                          .monoids = l->monoids & ~l->direct,
                          .groups = 1,
                          .tally = &unused};
    for (int m = 0; m < MONOIDS_END; m++)
        view.bank[m] = view.monoids >> m & 1 ? column + l->at[m] : NULL;
    for (size_t i = 0; i < n; i++) {
        const uint32_t value = (uint32_t)order[i];
        memcpy(r->values + i * size,
               (const char *)a->column->values + value * size, size);
        r->rows[i] = addend_row(a, value);
    }
    const struct column run = {
        .dtype = l->dtype, .n = n, .values = r->values, .rows = r->rows};
    const struct rows_place place = {a->first, false};
    stepper_add(r->stepper, view.monoids, &run, place, &view, 0);
}

enum distinct_lost by_step_runs(const struct by_addend *a, struct by_runs *r,
                                const uint32_t *which, size_t n)
{
    if (n == 0)
        return DISTINCT_KEPT;
    if (!have_room(r, n, dtype_size(a->table->layout->dtype)))
        return DISTINCT_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const uint32_t value = which ? which[i] : (uint32_t)i;
        r->order[i] = (uint64_t)a->id[addend_row(a, value)] << 32 | value;
    }
    sort_words(r->order, r->order + r->room, n, 32);
    for (size_t i = 0, end; i < n; i = end) {
        const uint64_t id = r->order[i] >> 32;
        for (end = i + 1; end < n && r->order[end] >> 32 == id; end++)
            ;
        step_run(a, r, id, r->order + i, end - i);
    }
    return DISTINCT_KEPT;
}
