/* SPDX-License-Identifier: MIT */
#include "engine/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "engine/ordered.h"

static bool make_rooms(struct fold *f, const struct job *job, struct error *e)
{
    f->total = malloc(f->columns * sizeof *f->total);
    if (!f->total)
        return error_set(e, ERROR_DATA, "out of memory");
    for (size_t c = 0; c < f->columns; c++)
        partial_init(&f->total[c], job);
    if (job_ordered(job))
        f->ordered = ordered_new(job, e);
    return f->ordered || !job_ordered(job);
}

static void free_rooms(struct fold *f)
{
    while (f->spares > 0)
        free(f->spare[--f->spares]);
    free(f->total);
    ordered_free(f->ordered);
    free(f);
}

struct fold *fold_new(const struct job *job, uint64_t window, struct error *e)
{
    struct fold *f = calloc(1, sizeof *f);
    if (!f) {
        error_set(e, ERROR_DATA, "out of memory");
        return NULL;
    }
    f->job = job;
    f->columns = job_columns(job);
    f->window = f->columns > FOLD_PARTIALS / window ? FOLD_PARTIALS / f->columns
                                                    : window;
    if (f->window < FOLD_WINDOW_MIN)
        f->window = FOLD_WINDOW_MIN;
    if (!make_rooms(f, job, e))
        goto free_fold;
    if (pthread_mutex_init(&f->lock, NULL) != 0)
        goto out_of_memory;
    if (pthread_cond_init(&f->moved, NULL) != 0)
        goto destroy_lock;
    return f;
destroy_lock:
    pthread_mutex_destroy(&f->lock);
out_of_memory:
    error_set(e, ERROR_DATA, "out of memory");
free_fold:
    free_rooms(f);
    return NULL;
}

void fold_free(struct fold *f)
{
    for (uint64_t i = 0; i < f->window; i++) {
        if (f->waiting[i])
            partial_drop(f->waiting[i], f->columns);
        free(f->waiting[i]);
    }
    pthread_cond_destroy(&f->moved);
    pthread_mutex_destroy(&f->lock);
    free_rooms(f);
}

static void merge(struct fold *f, const struct partial *p)
{
    uint64_t start = meter_now();
    for (size_t c = 0; p && c < f->columns; c++) {
        partial_merge(&f->total[c], &p[c], f->job);
        if (f->ordered)
            ordered_push(f->ordered, c, p[c].values, (size_t)p[c].n);
        free(p[c].values);
    }
    meter_add(f->job->meter, STAGE_MERGE, start, 0);
}

/* Bytes of the values that a chunk's partials hold. */
static size_t values_of(const struct fold *f, const struct partial *p)
{
    size_t n = 0;
    for (size_t c = 0; f->ordered && p && c < f->columns; c++)
        n += (size_t)p[c].n;
    return n * dtype_info(f->job->dtype)->size;
}

/* Merges what follows in the order of the data, if it is there. */
static void merge_waiting(struct fold *f)
{
    while (f->present[++f->next % f->window]) {
        uint64_t i = f->next % f->window;
        struct partial *p = f->waiting[i];
        f->present[i] = false;
        f->waiting[i] = NULL;
        f->values -= values_of(f, p);
        merge(f, p);
        if (p)
            f->spare[f->spares++] = p;
    }
}

/* Whether so much waits already that this chunk may not, nor is it the next. */
static bool is_too_far(const struct fold *f, uint64_t sequence, size_t values)
{
    return sequence - f->next >= f->window ||
           (sequence != f->next && f->values > 0 &&
            f->values + values > FOLD_VALUES);
}

static void fail(struct fold *f, uint64_t sequence, const struct error *e)
{
    if (!f->failed || sequence < f->failed_at) {
        f->failed_at = sequence;
        f->error = *e;
    }
    f->failed = true;
    pthread_cond_broadcast(&f->moved);
}

/* Keeps partials that are not the next. */
static void keep(struct fold *f, uint64_t sequence, const struct partial *p,
                 size_t values)
{
    size_t bytes = f->columns * sizeof *p;
    struct partial *block = NULL;
    if (p) {
        block = f->spares > 0 ? f->spare[--f->spares] : malloc(bytes);
        if (!block) {
            struct error e;
            error_set(&e, ERROR_DATA, "out of memory");
            for (size_t c = 0; c < f->columns; c++)
                free(p[c].values);
            fail(f, sequence, &e);
            return;
        }
        memcpy(block, p, bytes);
    }
    f->waiting[sequence % f->window] = block;
    f->present[sequence % f->window] = true;
    f->values += values;
}

void fold_push(struct fold *f, uint64_t sequence, const struct partial *p)
{
    size_t values = values_of(f, p);
    pthread_mutex_lock(&f->lock);
    /* Who pushes `next` never waits, so somebody always moves on. */
    while (!f->failed && is_too_far(f, sequence, values))
        pthread_cond_wait(&f->moved, &f->lock);
    if (f->failed) {
        for (size_t c = 0; p && c < f->columns; c++)
            free(p[c].values);
    } else if (sequence != f->next) {
        keep(f, sequence, p, values);
    } else {
        merge(f, p);
        merge_waiting(f);
        pthread_cond_broadcast(&f->moved);
    }
    pthread_mutex_unlock(&f->lock);
}

void fold_finish(struct fold *f)
{
    for (size_t c = 0; f->ordered && c < f->columns; c++)
        ordered_finish(f->ordered, c, &f->total[c]);
}

void fold_fail(struct fold *f, uint64_t sequence, const struct error *e)
{
    pthread_mutex_lock(&f->lock);
    fail(f, sequence, e);
    pthread_mutex_unlock(&f->lock);
}
