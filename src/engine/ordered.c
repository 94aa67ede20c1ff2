/* SPDX-License-Identifier: MIT */
#include "engine/ordered.h"

#include <stdlib.h>
#include <string.h>

#include "reduce/cpu/work.h"

/* A column's product so far, and the values of the leaf that is not full. */
struct line {
    struct work work;
    uint64_t first; /* index of the leaf */
    size_t n;
    char leaf[PROD_LEAF * 8];
};

struct ordered {
    const struct job *job;
    loop_fn *run;
    size_t size; /* of a value */
    struct line line[];
};

struct ordered *ordered_new(const struct job *job, struct error *e)
{
    const struct cpu_loops *loops =
        job->portable ? &cpu_loops_base : cpu_loops(0);
    size_t columns = job_columns(job);
    struct ordered *o = malloc(sizeof *o + columns * sizeof o->line[0]);
    if (!o) {
        error_set(e, ERROR_DATA, "out of memory");
        return NULL;
    }
    o->job = job;
    o->run = loops->run[MONOID_prod][job->dtype];
    o->size = dtype_info(job->dtype)->size;
    for (size_t c = 0; c < columns; c++) {
        work_init(&o->line[c].work, MONOID_prod, job->dtype);
        o->line[c].first = 0;
        o->line[c].n = 0;
    }
    return o;
}

void ordered_free(struct ordered *o)
{
    free(o);
}

static void flush(struct ordered *o, struct line *l)
{
    o->run(&l->work, l->leaf, l->n, l->first);
    l->first += l->n;
    l->n = 0;
}

void ordered_push(struct ordered *o, size_t column, const void *values,
                  size_t n)
{
    struct line *l = &o->line[column];
    const char *p = values;
    while (n > 0) {
        size_t step = PROD_LEAF - l->n < n ? PROD_LEAF - l->n : n;
        memcpy(l->leaf + l->n * o->size, p, step * o->size);
        l->n += step;
        p += step * o->size;
        n -= step;
        if (l->n == PROD_LEAF)
            flush(o, l);
    }
}

void ordered_finish(struct ordered *o, size_t column, struct partial *out)
{
    struct line *l = &o->line[column];
    if (l->n > 0)
        flush(o, l);
    work_take(&l->work, &out->state[MONOID_prod]);
}
