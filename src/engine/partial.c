/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "engine/job.h"
#include "engine/stretch.h"

size_t job_slot_bytes(const struct job *job)
{
    return job->chunk_bytes + (job->text ? STRETCH_SLACK : 0);
}

unsigned job_ordered(const struct job *job)
{
    return job->text && dtype_is_float(job->dtype)
               ? job->monoids & MONOID_BIT(prod)
               : 0;
}

void partial_init(struct partial *p, const struct job *job)
{
    p->n = p->records = p->missing = p->bad = p->skipped = p->rounded = 0;
    p->wide = (struct wide){.min.magnitude = 0};
    p->values = NULL;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (job->monoids >> m & 1)
            state_init(&p->state[m], (enum monoid)m, job->dtype);
    }
}

void partial_drop(struct partial *p, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        free(p[c].values);
        p[c].values = NULL;
    }
}

/* Text: the rows of a chunk, counted from where it begins. */
static void shift(struct state *s, uint64_t records)
{
    uint64_t *index[STATE_INDEXES];
    unsigned n = state_indexes(s, index);
    for (unsigned i = 0; i < n; i++) {
        if (*index[i] != INDEX_NONE)
            *index[i] += records;
    }
}

void partial_merge(struct partial *into, const struct partial *from,
                   const struct job *job)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!(job->monoids >> m & 1))
            continue;
        struct state state = from->state[m];
        if (job->text)
            shift(&state, into->records);
        state_merge(&into->state[m], &state);
    }
    wide_merge(&into->wide, &from->wide, into->records);
    into->n += from->n;
    into->skipped += from->skipped;
    into->rounded += from->rounded;
    into->records += from->records;
    into->missing += from->missing;
    into->bad += from->bad;
}
