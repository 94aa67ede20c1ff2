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

bool emission_end(struct emission *m, struct turns *t,
                  const struct axis_job *job, size_t task, struct error *e)
{
    bool ok = true;
    if (turns_wait(t, task))
        ok = job->emit->emit(job->emit->context, &m->values, e);
    turns_pass(t);
    return ok;
}
