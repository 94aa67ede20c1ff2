/* SPDX-License-Identifier: MIT */
/* Plans and starts the kernels over axes. */
#include "backend/cuda/axis_parts.h"
#include "backend/cuda/memory.h"
#include "kernels/axis/launch.h"

static const enum axis_monoid monoid_of[MEASURES_END] = {
    [MEASURE_SUM] = AXIS_SUM,
    [MEASURE_MEAN] = AXIS_SUM,
    [MEASURE_SUMABS] = AXIS_SUMABS,
    [MEASURE_SUMSQ] = AXIS_SUMSQ,
    [MEASURE_COUNT] = AXIS_COUNT,
    [MEASURE_EXTREMA] = AXIS_EXTREMA,
    [MEASURE_ABSEXTREMA] = AXIS_ABSEXTREMA};

bool axis_has(enum measure measure, enum dtype dtype)
{
    return dtype < DTYPES_END &&
           (measure != MEASURE_MEAN || dtype_is_float(dtype)) &&
           axis_is_supported(monoid_of[measure], dtype);
}

bool axis_grow_scratch(struct axis_context *c, size_t bytes, struct error *e)
{
    if (bytes <= c->scratch.bytes)
        return true;
    if (!cuda_check(cudaStreamSynchronize(c->stream), "reducing", e))
        return false;
    cuda_release_device(&c->scratch);
    return cuda_acquire_device(&c->scratch, c->setup.device, bytes, e);
}

bool axis_make_plans(struct axis_context *c, const struct axis_chunk *chunk,
                     struct error *e)
{
    const struct axis_shape shape = {chunk->outer, chunk->length, chunk->inner};
    const unsigned size = dtype_info(c->setup.dtype)->size;
    bool ok = true;
    if (shape.outer == c->shape.outer && shape.length == c->shape.length &&
        shape.inner == c->shape.inner && chunk->is_part == c->is_part)
        return true;
    c->shape.outer = 0;
    for (int m = 0; ok && m < MEASURES_END; m++) {
        if (!axis_wants(c, m))
            continue;
        ok = chunk->is_part
                 ? axis_plan_part(&c->plan[m], &shape, size, &c->tuning)
                 : gpu_axis_plan(&c->plan[m], monoid_of[m], c->setup.dtype,
                                 &shape, &c->tuning);
        if (!ok)
            return error_set(e, ERROR_DEVICE,
                             "GPU: there are no kernels for chunks of this "
                             "shape\nTry --device cpu.");
        ok = axis_grow_scratch(c, axis_scratch_bytes(&c->plan[m]), e);
    }
    c->shape = shape;
    c->is_part = chunk->is_part;
    return ok;
}

/* The partial results of a measure in `open`, for that many outputs. */
static char *open_of(const struct axis_context *c, int measure,
                     uint64_t outputs)
{
    const unsigned before = c->setup.measures & ((1u << measure) - 1);
    return c->open + __builtin_popcount(before) * outputs * AXIS_OPEN_BYTES;
}

static double divisor_of(const struct axis_context *c, int measure)
{
    return measure == MEASURE_MEAN ? (double)c->setup.length : 0;
}

bool axis_start_merge(struct axis_context *c, const struct slot *s, int measure,
                      void *from, size_t parts, uint64_t n, struct error *e)
{
    const struct axis_job job = {.shape = {1, c->setup.length, n},
                                 .plan = axis_plan_merge(n, parts),
                                 .results = place_results(&s->answers, measure),
                                 .scratch = from,
                                 .divisor = divisor_of(c, measure),
                                 .skip_nan = c->setup.skip_nan};
    return cuda_check(
        gpu_axis_merge(monoid_of[measure], c->setup.dtype, &job, c->stream),
        "starting kernels", e);
}

bool axis_start_measure(struct axis_context *c, const struct slot *s,
                        const struct axis_chunk *chunk, int m, struct error *e)
{
    const uint64_t outputs = s->outputs;
    struct axis_job job = {.data = s->device,
                           .shape = c->shape,
                           .plan = c->plan[m],
                           .results = place_results(&s->answers, m),
                           .scratch = c->scratch.at,
                           .divisor = divisor_of(c, m),
                           .skip_nan = c->setup.skip_nan};
    if (chunk->is_part) {
        job.parts = open_of(c, m, outputs);
        job.adds = chunk->adds;
        job.first = (uint32_t)chunk->first;
    }
    return cuda_check(gpu_axis(monoid_of[m], c->setup.dtype, &job, c->stream),
                      "starting kernels", e) &&
           (!chunk->is_part || !s->has_answers ||
            axis_start_merge(c, s, m, job.parts, 1, outputs, e));
}
