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

bool emission_begin(struct emission *m, const struct axis_job *job,
                    const struct part *p, struct error *e)
{
    const struct geometry *g = &job->geometry;
    m->values.n = 0;
    m->sink.values = &m->values;
    m->sink.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    /* Outputs count from the array's first one. */
    m->sink.first = 0 - (size_t)part_output(g, p) * job->ops;
    return values_extend(&m->values, (size_t)part_outputs(g, p) * job->ops, e);
}

bool emissions_open(struct emissions *all, const struct axis_job *job)
{
    all->room = job->device ? READY_DEVICE : READY;
    return turns_open(&all->turns);
}

void emissions_close(struct emissions *all)
{
    turns_close(&all->turns);
    for (size_t i = 0; i < READY; i++)
        values_free(&all->values[i]);
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
    const struct values mine = m->values;
    const size_t i = task % all->room;
    bool ok = true;
    pthread_mutex_lock(&t->lock);
    while (task - t->next >= all->room && !t->stopped)
        pthread_cond_wait(&t->moved, &t->lock);
    if (!t->stopped && !all->is_busy && task == t->next) {
        ok = emit_next(all, &m->values, job, e);
    } else if (!t->stopped) {
        m->values = all->values[i]; /* their memory */
        all->values[i] = mine;
        all->is_ready[i] = true;
    }
    while (!t->stopped && !all->is_busy && all->is_ready[t->next % all->room])
        ok = emit_next(all, &all->values[t->next % all->room], job, e);
    pthread_mutex_unlock(&t->lock);
    return ok;
}
