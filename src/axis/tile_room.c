/* SPDX-License-Identifier: MIT */
/* Computes the memory of a tile and its values. */
#include "axis/tile.h"
#include "base/memory.h"

enum { STATES_MAX = 16 << 20 }; /* bytes of a tile's states */

struct schema tile_schema(const struct axis_job *job, size_t outputs)
{
    return (struct schema){.groups = outputs,
                           .dtype = dtype_info(job->dtype)->computed};
}

unsigned tile_ordered(const struct axis_job *job)
{
    const struct schema schema = tile_schema(job, 1);
    return schema_needing(&schema, job->monoids, NEED_ORDER);
}

size_t tile_bytes(const struct axis_job *job)
{
    const struct schema schema = tile_schema(job, 1);
    const size_t leaf =
        sizeof(struct leaf) + PROD_LEAF * dtype_info(job->dtype)->size;
    return states_bytes(&schema, job->monoids) +
           (tile_ordered(job) ? leaf : 0) +
           (axis_gathers(job) ? quantiles_bytes(job) : 0) +
           (job->histogram ? job->parts->bins * sizeof(uint64_t) : 0);
}

size_t tile_outputs(const struct axis_job *job)
{
    return STATES_MAX / tile_bytes(job);
}

bool tile_extend(struct axis_sink *sink, const struct axis_job *job,
                 uint64_t outputs, struct error *e)
{
    const uint64_t each = axis_values(job);
    if (job->keep)
        return true;
    const uint64_t most = memory_limit() / VALUE_REST_BYTES / each;
    const uint64_t had = sink->values->n / each;
    if (outputs > most || had > most - outputs)
        return memory_refuse(e, "the results of so many outputs");
    return values_extend(sink->values, (size_t)(outputs * each), e);
}
