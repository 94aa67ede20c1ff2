/* SPDX-License-Identifier: MIT */
#include "axis/emit.h"

bool turns_open(struct turns *t)
{
    *t = (struct turns){.next = 0};
    if (pthread_mutex_init(&t->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&t->moved, NULL) == 0)
        return true;
    pthread_mutex_destroy(&t->lock);
    return false;
}

void turns_close(struct turns *t)
{
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->moved);
}

void turns_stop(struct turns *t)
{
    pthread_mutex_lock(&t->lock);
    t->stopped = true;
    pthread_cond_broadcast(&t->moved);
    pthread_mutex_unlock(&t->lock);
}

/* No deadlock: the first task that has not passed waits for no other. */
bool turns_wait(struct turns *t, size_t task)
{
    pthread_mutex_lock(&t->lock);
    while (t->next != task && !t->stopped)
        pthread_cond_wait(&t->moved, &t->lock);
    const bool goes_on = !t->stopped;
    pthread_mutex_unlock(&t->lock);
    return goes_on;
}

void turns_pass(struct turns *t)
{
    pthread_mutex_lock(&t->lock);
    t->next++;
    pthread_cond_broadcast(&t->moved);
    pthread_mutex_unlock(&t->lock);
}

static size_t values_of(const struct axis_job *job, const struct part *p)
{
    return (size_t)part_outputs(&job->geometry, p) * job->ops;
}

/* Returns spare memory, if there is any; the caller holds the lock. */
static struct values take_spare(struct emissions *all)
{
    struct values spare = {0};
    if (all->spares > 0) {
        spare = all->spare[--all->spares];
        all->spare[all->spares] = (struct values){0};
    }
    return spare;
}

bool emission_begin(struct emission *m, struct emissions *all,
                    const struct axis_job *job, const struct part *p,
                    struct error *e)
{
    if (!m->values.word) {
        pthread_mutex_lock(&all->turns.lock);
        m->values = take_spare(all);
        pthread_mutex_unlock(&all->turns.lock);
    }
    m->values.n = 0;
    m->sink.values = &m->values;
    m->sink.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    /* Outputs count from the array's first one. */
    m->sink.first = 0 - (size_t)part_output(&job->geometry, p) * job->ops;
    return values_extend(&m->values, values_of(job, p), e);
}

bool emissions_open(struct emissions *all, const struct axis_job *job,
                    const struct part *p)
{
    struct error unused; /* emission_begin tries again */
    if (!turns_open(&all->turns))
        return false;
    all->room = job->device ? READY_DEVICE : READY;
    while (all->spares < all->room &&
           values_extend(&all->spare[all->spares], values_of(job, p), &unused))
        all->spares++;
    return true;
}

void emissions_close(struct emissions *all)
{
    turns_close(&all->turns);
    for (size_t i = 0; i < READY; i++) {
        values_free(&all->values[i]);
        values_free(&all->spare[i]);
    }
}

/* Hands on the values whose turn it is; the caller holds the lock. */
static bool emit_next(struct emissions *all, struct values *values,
                      const struct axis_job *job, struct error *e)
{
    struct turns *t = &all->turns;
    all->is_busy = true;
    pthread_mutex_unlock(&t->lock);
    const bool ok = job->emit->emit(job->emit->context, values, e);
    pthread_mutex_lock(&t->lock);
    all->is_busy = all->is_ready[t->next % all->room] = false;
    t->stopped |= !ok;
    t->next++;
    pthread_cond_broadcast(&t->moved);
    return ok;
}

bool emission_end(struct emission *m, struct emissions *all,
                  const struct axis_job *job, size_t task, struct error *e)
{
    struct turns *t = &all->turns;
    struct values *mine = &all->values[task % all->room], *next;
    bool ok = true;
    /* The thread that hands them on would get the tags from this one's cache.
     */
    values_note_reals(&m->values);
    pthread_mutex_lock(&t->lock);
    while (task - t->next >= all->room && !t->stopped)
        pthread_cond_wait(&t->moved, &t->lock);
    if (!t->stopped && !all->is_busy && task == t->next) {
        ok = emit_next(all, &m->values, job, e);
    } else if (!t->stopped) {
        *mine = m->values;
        m->values = take_spare(all);
        all->is_ready[task % all->room] = true;
    }
    while (!t->stopped && !all->is_busy && all->is_ready[t->next % all->room]) {
        next = &all->values[t->next % all->room];
        ok = emit_next(all, next, job, e);
        all->spare[all->spares++] = *next;
        *next = (struct values){0};
    }
    pthread_mutex_unlock(&t->lock);
    return ok;
}
