/* SPDX-License-Identifier: MIT */
#include "engine/job.h"

size_t job_slot_bytes(const struct job *job)
{
    return job->chunk_bytes + job->reading->chunker->slack;
}

uint64_t job_position(const struct job *job, const struct chunk *chunk)
{
    return job->reading->chunker->is_indexed ? chunk->first
                                             : chunk->sequence << ROW_BITS;
}

unsigned job_needing(const struct job *job, enum need need)
{
    const struct schema schema = job_schema(job);
    unsigned set = 0;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (job->monoids >> m & 1 &&
            schema_need(&schema, (enum monoid)m) == need)
            set |= 1u << m;
    }
    return set;
}
