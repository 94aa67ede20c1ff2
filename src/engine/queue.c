/* SPDX-License-Identifier: MIT */
#include "engine/queue.h"

#include <stdlib.h>

/* A thread, and its worker, which it uses in one run after another. */
struct taker {
    struct queue *queue;
    pthread_t thread;
    struct worker worker;
};

/* Whether one more worker may begin: the run has chunks left, and fewer workers
 * have begun than its team has. */
static bool may_begin(struct queued *x)
{
    return !atomic_load(&x->is_over) &&
           atomic_load(&x->workers) < x->team->workers &&
           atomic_fetch_add(&x->workers, 1) < x->team->workers;
}

static void note_failure(struct queue *q, size_t number)
{
    size_t least = atomic_load(&q->first_failed);
    while (number < least &&
           !atomic_compare_exchange_weak(&q->first_failed, &least, number))
        ;
}

static bool has_failed(struct run *run)
{
    pthread_mutex_lock(&run->failure.lock);
    const bool failed = run->failure.failed;
    pthread_mutex_unlock(&run->failure.lock);
    return failed;
}

static void *take(void *taker)
{
    struct taker *t = taker;
    struct queue *q = t->queue;
    for (size_t i = 0; i < q->n && i <= atomic_load(&q->first_failed); i++) {
        struct queued *x = &q->at[i];
        if (!may_begin(x))
            continue;
        worker_move(&t->worker, x->run, x->team, x->team->device);
        worker_run(&t->worker);
        atomic_fetch_add(&x->bytes, t->worker.bytes);
        atomic_store(&x->is_over, true);
        if (has_failed(x->run))
            note_failure(q, i);
    }
    worker_end(&t->worker);
    return NULL;
}

bool queue_run(struct queue *q, unsigned threads, struct error *e)
{
    struct taker *taker = calloc(threads, sizeof *taker);
    unsigned started = 1;
    if (!taker)
        return error_memory(e);
    atomic_init(&q->first_failed, SIZE_MAX);
    for (unsigned i = 0; i < threads; i++)
        taker[i].queue = q;
    while (started < threads && pthread_create(&taker[started].thread, NULL,
                                               take, &taker[started]) == 0)
        started++;
    take(&taker[0]);
    while (started-- > 1)
        pthread_join(taker[started].thread, NULL);
    free(taker);
    return true;
}
