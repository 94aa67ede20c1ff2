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
    return schema_needing(&schema, job->monoids, need);
}
