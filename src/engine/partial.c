/* SPDX-License-Identifier: MIT */
#include "engine/job.h"

void partial_init(struct partial *p, const struct job *job)
{
    p->n = 0;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (job->monoids >> m & 1)
            state_init(&p->state[m], (enum monoid)m, job->dtype);
    }
}

void partial_merge(struct partial *into, const struct partial *from,
                   const struct job *job)
{
    into->n += from->n;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (job->monoids >> m & 1)
            state_merge(&into->state[m], &from->state[m]);
    }
}
