/* SPDX-License-Identifier: MIT */
#include "engine/fold.h"

#include <stdlib.h>

struct fold *fold_new(const struct job *job, struct error *e)
{
    struct fold *f = calloc(1, sizeof *f);
    if (!f)
        goto out_of_memory;
    f->waiting = malloc(FOLD_WINDOW * sizeof *f->waiting);
    if (!f->waiting || pthread_mutex_init(&f->lock, NULL) != 0)
        goto free_fold;
    if (pthread_cond_init(&f->moved, NULL) != 0)
        goto destroy_lock;
    f->job = job;
    partial_init(&f->total, job);
    return f;
destroy_lock:
    pthread_mutex_destroy(&f->lock);
free_fold:
    free(f->waiting);
    free(f);
out_of_memory:
    error_set(e, ERROR_DATA, "out of memory");
    return NULL;
}

void fold_free(struct fold *f)
{
    pthread_cond_destroy(&f->moved);
    pthread_mutex_destroy(&f->lock);
    free(f->waiting);
    free(f);
}

void fold_push(struct fold *f, uint64_t sequence, const struct partial *p)
{
    pthread_mutex_lock(&f->lock);
    /* Who pushes `next` never waits, so somebody always moves on. */
    while (!f->failed && sequence - f->next >= FOLD_WINDOW)
        pthread_cond_wait(&f->moved, &f->lock);
    if (f->failed) {
        pthread_mutex_unlock(&f->lock);
        return;
    }
    if (sequence != f->next) {
        f->waiting[sequence % FOLD_WINDOW] = *p;
        f->present[sequence % FOLD_WINDOW] = true;
    } else {
        partial_merge(&f->total, p, f->job);
        while (f->present[++f->next % FOLD_WINDOW]) {
            f->present[f->next % FOLD_WINDOW] = false;
            partial_merge(&f->total, &f->waiting[f->next % FOLD_WINDOW],
                          f->job);
        }
        pthread_cond_broadcast(&f->moved);
    }
    pthread_mutex_unlock(&f->lock);
}

void fold_fail(struct fold *f, uint64_t sequence, const struct error *e)
{
    pthread_mutex_lock(&f->lock);
    if (!f->failed || sequence < f->failed_at) {
        f->failed_at = sequence;
        f->error = *e;
    }
    f->failed = true;
    pthread_cond_broadcast(&f->moved);
    pthread_mutex_unlock(&f->lock);
}
