/* SPDX-License-Identifier: MIT */
#include "engine/job.h"

#include "engine/stretch.h"

size_t job_slot_bytes(const struct job *job)
{
    return job->chunk_bytes + (job->text ? STRETCH_SLACK : 0);
}

unsigned job_ordered(const struct job *job)
{
    unsigned ordered = 0;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (monoid_need((enum monoid)m, job->dtype) == NEED_ORDER)
            ordered |= job->monoids & 1u << m;
    }
    return ordered;
}
