/* SPDX-License-Identifier: MIT */
#include "engine/products.h"

#include <stdlib.h>
#include <string.h>

#include "chunk/chunker.h"
#include "reduce/cpu/accumulator.h"

/* A group's product so far; of records, the values of the leaf that is not
 * full. */
struct line {
    struct prod prod;
    uint64_t first; /* index of the leaf */
    size_t n, room;
    char *leaf; /* [room] */
};

struct products {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    const struct job *job;
    const struct cpu_loops *loops;
    struct accumulator accumulator;
    bool stopped;
    bool lost;     /* there was no memory for a leaf */
    uint64_t next; /* sequence of the chunk to be multiplied next */
    size_t bytes;  /* of values that wait */
    /* By sequence. */
    bool present[PRODUCTS_WINDOW];
    struct parcel *waiting[PRODUCTS_WINDOW];
    struct line line[]; /* [job_groups] */
};

struct parcel *parcel_new(const struct job *job)
{
    size_t columns = job->reading->chunker->is_indexed ? 0 : job_groups(job);
    struct parcel *p = calloc(1, sizeof *p + columns * sizeof p->column[0]);
    if (!p)
        return NULL;
    p->columns = columns;
    prod_init(&p->prod);
    return p;
}

void parcel_free(struct parcel *p)
{
    for (size_t c = 0; p && c < p->columns; c++)
        free(p->column[c].values);
    free(p);
}

bool parcel_add(struct parcel *p, size_t group, const struct column *column)
{
    /* Texts are no values. */
    const size_t n = column->values ? column->n : 0;
    size_t bytes = n * dtype_info(column->dtype)->size;
    if (p->columns == 0)
        return true;
    void *copy = malloc(bytes + 1);
    if (!copy)
        return false;
    if (bytes > 0)
        memcpy(copy, column->values, bytes);
    p->column[group] = (struct parcel_column){copy, n};
    p->bytes += bytes;
    return true;
}

struct products *products_new(const struct job *job, struct error *e)
{
    size_t groups = job_groups(job);
    struct products *p = calloc(1, sizeof *p + groups * sizeof p->line[0]);
    if (!p)
        goto out_of_memory;
    p->job = job;
    p->loops = job->portable ? &cpu_loops_base : cpu_loops(0);
    for (size_t g = 0; g < groups; g++)
        prod_init(&p->line[g].prod);
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        goto free_products;
    if (pthread_cond_init(&p->moved, NULL) == 0)
        return p;
    pthread_mutex_destroy(&p->lock);
free_products:
    free(p);
out_of_memory:
    return error_memory(e);
}

void products_free(struct products *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < PRODUCTS_WINDOW; i++)
        parcel_free(p->waiting[i]);
    for (size_t g = 0; g < job_groups(p->job); g++)
        free(p->line[g].leaf);
    pthread_cond_destroy(&p->moved);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static enum dtype dtype_of(const struct products *p, const struct line *l)
{
    const struct schema schema = job_schema(p->job);
    return schema_dtype(&schema, (size_t)(l - p->line));
}

static void flush(struct products *p, struct line *l)
{
    enum dtype dtype = dtype_of(p, l);
    accumulator_init(&p->accumulator, MONOID_prod, dtype);
    accumulator_begin(&p->accumulator, (union state *)&l->prod);
    p->loops->run[MONOID_prod][dtype](&p->accumulator, l->leaf, l->n, l->first);
    accumulator_end(&p->accumulator);
    l->first += l->n;
    l->n = 0;
}

/* Makes room for n values of a leaf. */
static bool have_room(struct line *l, size_t n, size_t size)
{
    if (n <= l->room)
        return true;
    size_t room = 2 * n < PROD_LEAF ? 2 * n : PROD_LEAF;
    char *leaf = realloc(l->leaf, room * size);
    if (!leaf)
        return false;
    l->leaf = leaf;
    l->room = room;
    return true;
}

/* Cuts values anew into leaves. */
static void multiply(struct products *p, struct line *l,
                     const struct parcel_column *column)
{
    const size_t size = dtype_info(dtype_of(p, l))->size;
    const char *at = column->values;
    size_t n = column->n;
    while (n > 0) {
        size_t step = PROD_LEAF - l->n < n ? PROD_LEAF - l->n : n;
        if (!have_room(l, l->n + step, size)) {
            p->lost = true;
            return;
        }
        memcpy(l->leaf + l->n * size, at, step * size);
        l->n += step;
        at += step * size;
        n -= step;
        if (l->n == PROD_LEAF)
            flush(p, l);
    }
}

static void take(struct products *p, struct parcel *parcel)
{
    if (!parcel)
        return;
    prod_merge(&p->line[0].prod, &parcel->prod);
    for (size_t c = 0; c < parcel->columns; c++)
        multiply(p, &p->line[c], &parcel->column[c]);
    parcel_free(parcel);
}

/* Takes what follows in the order of the data, if it is there. */
static void take_waiting(struct products *p)
{
    while (p->present[++p->next % PRODUCTS_WINDOW]) {
        uint64_t i = p->next % PRODUCTS_WINDOW;
        struct parcel *parcel = p->waiting[i];
        p->present[i] = false;
        p->waiting[i] = NULL;
        p->bytes -= parcel ? parcel->bytes : 0;
        take(p, parcel);
    }
}

/* Whether so much waits already that this chunk may not, nor is it the next. */
static bool is_too_far(const struct products *p, uint64_t sequence,
                       size_t bytes)
{
    return sequence - p->next >= PRODUCTS_WINDOW ||
           (sequence != p->next && p->bytes > 0 &&
            p->bytes + bytes > PRODUCTS_BYTES);
}

void products_push(struct products *p, uint64_t sequence, struct parcel *parcel)
{
    size_t bytes = parcel ? parcel->bytes : 0;
    pthread_mutex_lock(&p->lock);
    /* Who pushes `next` never waits, so somebody always moves on. */
    while (!p->stopped && is_too_far(p, sequence, bytes))
        pthread_cond_wait(&p->moved, &p->lock);
    if (p->stopped) {
        parcel_free(parcel);
    } else if (sequence != p->next) {
        p->waiting[sequence % PRODUCTS_WINDOW] = parcel;
        p->present[sequence % PRODUCTS_WINDOW] = true;
        p->bytes += bytes;
    } else {
        take(p, parcel);
        take_waiting(p);
        pthread_cond_broadcast(&p->moved);
    }
    pthread_mutex_unlock(&p->lock);
}

void products_stop(struct products *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stopped = true;
    pthread_cond_broadcast(&p->moved);
    pthread_mutex_unlock(&p->lock);
}

bool products_finish(struct products *p, struct states *states, struct error *e)
{
    for (size_t g = 0; p && g < states->groups; g++) {
        if (p->line[g].n > 0)
            flush(p, &p->line[g]);
        states_at(states, g, MONOID_prod)->prod = p->line[g].prod;
    }
    return !p || !p->lost || error_memory(e);
}
