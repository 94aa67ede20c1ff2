/* SPDX-License-Identifier: MIT */
#include "engine/products.h"

#include <stdlib.h>
#include <string.h>

#include "reduce/cpu/accumulator.h"

/* A group's product so far. For records it also has the values of the last
 * leaf, which is not full yet. */
struct group_product {
    struct prod prod;
    uint64_t first; /* index of the leaf's first value */
    size_t n, room;
    char *leaf; /* [room], owned; n values are used */
};

struct products {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    const struct job *job;
    const struct cpu_loops *loops;
    struct accumulator accumulator;
    uint64_t end; /* parts of chunks from this sequence on are dropped */
    bool lost;    /* out of memory for a leaf */
    struct fold_run *folds; /* the user's reduction; NULL: none */
    /* Parts whose values are to be combined, in the order of the data. Empty
     * whenever no worker holds the lock. */
    struct product_part *ready, **ready_end;
    bool failed;        /* the user's reduction failed */
    uint64_t failed_at; /* the sequence of the chunk where it failed */
    struct error error;
    uint64_t next; /* sequence of the chunk to multiply next */
    size_t bytes;  /* of values in waiting[] */
    /* [sequence % PRODUCTS_WINDOW] */
    bool present[PRODUCTS_WINDOW];
    struct product_part *waiting[PRODUCTS_WINDOW];
    size_t groups;
    struct group_product group[]; /* [groups]; 0 groups if no product */
};

struct products *products_new(const struct job *job, struct error *e)
{
    size_t groups = job_ordered(job) ? job_groups(job) : 0;
    struct products *p = calloc(1, sizeof *p + groups * sizeof p->group[0]);
    if (!p)
        goto out_of_memory;
    p->job = job;
    p->groups = groups;
    if (job->folds && !(p->folds = fold_run_open(job, e))) {
        free(p);
        return NULL;
    }
    p->end = UINT64_MAX;
    p->ready_end = &p->ready;
    p->loops = job->portable ? &cpu_loops_base : cpu_loops(0);
    for (size_t g = 0; g < groups; g++)
        prod_init(&p->group[g].prod);
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        goto free_products;
    if (pthread_cond_init(&p->moved, NULL) == 0)
        return p;
    pthread_mutex_destroy(&p->lock);
free_products:
    fold_run_close(p->folds);
    free(p);
out_of_memory:
    return error_memory(e);
}

void products_free(struct products *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < PRODUCTS_WINDOW; i++)
        product_part_free(p->waiting[i]);
    for (size_t g = 0; g < p->groups; g++)
        free(p->group[g].leaf);
    fold_run_close(p->folds);
    pthread_cond_destroy(&p->moved);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static enum dtype dtype_of(const struct products *p,
                           const struct group_product *g)
{
    const struct schema schema = job_schema(p->job);
    return schema_dtype(&schema, (size_t)(g - p->group));
}

static void flush(struct products *p, struct group_product *g)
{
    enum dtype dtype = dtype_of(p, g);
    accumulator_init(&p->accumulator, MONOID_prod, dtype);
    accumulator_begin(&p->accumulator, (union state *)&g->prod);
    p->loops->run[MONOID_prod][dtype](&p->accumulator, g->leaf, g->n, g->first);
    accumulator_end(&p->accumulator);
    g->first += g->n;
    g->n = 0;
}

/* Makes room for n values of a leaf. False: out of memory. */
static bool have_room(struct group_product *g, size_t n, size_t size)
{
    if (n <= g->room)
        return true;
    size_t room = 2 * n < PROD_LEAF ? 2 * n : PROD_LEAF;
    char *leaf = realloc(g->leaf, room * size);
    if (!leaf)
        return false;
    g->leaf = leaf;
    g->room = room;
    return true;
}

/* Adds a chunk's values to a group's product. Cuts them into leaves, which may
 * begin anywhere in a chunk. */
static void multiply_values(struct products *p, struct group_product *g,
                            const struct product_part_column *column)
{
    const size_t size = dtype_info(dtype_of(p, g))->size;
    const char *at = column->values;
    size_t n = column->n;
    while (n > 0) {
        size_t step = PROD_LEAF - g->n < n ? PROD_LEAF - g->n : n;
        if (!have_room(g, g->n + step, size)) {
            p->lost = true;
            return;
        }
        memcpy(g->leaf + g->n * size, at, step * size);
        g->n += step;
        at += step * size;
        n -= step;
        if (g->n == PROD_LEAF)
            flush(p, g);
    }
}

/* Notes a failure in the user's reduction of a chunk. */
static void fail(struct products *p, uint64_t sequence, const struct error *e)
{
    if (p->failed && p->failed_at < sequence)
        return;
    p->failed = true;
    p->failed_at = sequence;
    p->error = *e;
}

/* Appends the part's contribution to the user's reduction. */
static void append_fold(struct products *p, struct product_part *part)
{
    struct fold_part *fold = part->fold;
    uint64_t sequence;
    struct error e;
    part->fold = NULL;
    if (!fold_run_append(p->folds, fold, &sequence, &e))
        fail(p, sequence, &e);
}

static void multiply_part(struct products *p, struct product_part *part)
{
    if (!part)
        return;
    if (part->fold) {
        fold_run_place(p->folds, part->fold, part->sequence);
        if (fold_part_has_values(part->fold)) {
            *p->ready_end = part;
            p->ready_end = &part->after;
            return;
        }
        append_fold(p, part);
    }
    if (p->groups > 0)
        prod_merge(&p->group[0].prod, &part->prod);
    for (size_t c = 0; c < part->columns; c++)
        multiply_values(p, &p->group[c], &part->column[c]);
    product_part_free(part);
}

/* Multiplies the parts that follow in the order of the data, as far as they
 * are present. */
static void multiply_waiting(struct products *p)
{
    while (p->present[++p->next % PRODUCTS_WINDOW]) {
        uint64_t i = p->next % PRODUCTS_WINDOW;
        struct product_part *part = p->waiting[i];
        p->present[i] = false;
        p->waiting[i] = NULL;
        p->bytes -= part ? part->bytes : 0;
        multiply_part(p, part);
    }
}

/* Whether this chunk's part must not be stored yet, since too many parts wait.
 * The part of the next chunk may always be stored. */
static bool is_too_far(const struct products *p, uint64_t sequence,
                       size_t bytes)
{
    return sequence - p->next >= PRODUCTS_WINDOW ||
           (sequence != p->next && p->bytes > 0 &&
            p->bytes + bytes > PRODUCTS_BYTES);
}

/* Combines the values of a part. The caller does not hold the lock. A worker
 * with folders of its own combines without the lock, in parallel with others.
 */
static void combine(struct products *p, struct product_part *part,
                    const struct folders *own)
{
    struct error e;
    bool ok = own && fold_part_combine(part->fold, own, &e);
    pthread_mutex_lock(&p->lock);
    if (!own)
        ok = fold_part_combine(part->fold, fold_run_folders(p->folds), &e);
    if (ok)
        append_fold(p, part);
    else
        fail(p, part->sequence, &e);
    pthread_mutex_unlock(&p->lock);
    product_part_free(part);
}

static void combine_all(struct products *p, struct product_part *part,
                        const struct folders *own)
{
    while (part) {
        struct product_part *after = part->after;
        combine(p, part, own);
        part = after;
    }
}

/* p->lock guards all of p while workers run. */
void products_push(struct products *p, uint64_t sequence,
                   struct product_part *part)
{
    const bool any_order = p->folds && p->job->folds->any_order;
    const struct folders *own =
        part && part->fold ? fold_part_folders(part->fold) : NULL;
    if (part) {
        part->bytes += fold_part_bytes(part->fold);
        part->sequence = sequence;
    }
    size_t bytes = part ? part->bytes : 0;
    pthread_mutex_lock(&p->lock);
    if (any_order) {
        multiply_part(p, part);
        pthread_mutex_unlock(&p->lock);
        return;
    }
    /* The worker that pushes `next` never waits, so the others cannot wait
     * forever. */
    while (sequence < p->end && is_too_far(p, sequence, bytes))
        pthread_cond_wait(&p->moved, &p->lock);
    if (sequence >= p->end) {
        product_part_free(part);
    } else if (sequence != p->next) {
        p->waiting[sequence % PRODUCTS_WINDOW] = part;
        p->present[sequence % PRODUCTS_WINDOW] = true;
        p->bytes += bytes;
    } else {
        multiply_part(p, part);
        multiply_waiting(p);
        pthread_cond_broadcast(&p->moved);
    }
    struct product_part *const ready = p->ready;
    p->ready = NULL;
    p->ready_end = &p->ready;
    pthread_mutex_unlock(&p->lock);
    combine_all(p, ready, own);
}

void products_stop(struct products *p, uint64_t sequence)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->end = sequence < p->end ? sequence : p->end;
    pthread_cond_broadcast(&p->moved);
    pthread_mutex_unlock(&p->lock);
}

bool products_failed(struct products *p, uint64_t *sequence, struct error *e)
{
    pthread_mutex_lock(&p->lock);
    const bool failed = p->failed;
    *sequence = p->failed_at;
    *e = failed ? p->error : *e;
    pthread_mutex_unlock(&p->lock);
    return failed;
}

bool products_finish(struct products *p, struct states *states, struct error *e)
{
    for (size_t g = 0; p && g < p->groups; g++) {
        if (p->group[g].n > 0)
            flush(p, &p->group[g]);
        states_at(states, g, MONOID_prod)->prod = p->group[g].prod;
    }
    if (p && p->lost)
        return error_memory(e);
    return !p || !p->folds || fold_run_finish(p->folds, states, e);
}
