// SPDX-License-Identifier: MIT
// Chooses the family of kernels for a monoid and dtype.
#include "kernels/axis/start.cuh"

static const struct axis_starter *find(enum axis_monoid monoid,
                                       enum dtype dtype)
{
    if ((unsigned)monoid >= AXIS_MONOIDS_END || (unsigned)dtype >= DTYPES_END)
        return nullptr;
    const struct axis_starter *rows[AXIS_MONOIDS_END];
    for (int m = AXIS_SUM; m <= AXIS_SUMSQ; m++)
        rows[m] =
            dtype_is_float(dtype) ? axis_float_sums[m] : axis_integer_sums[m];
    rows[AXIS_COUNT] = axis_counts;
    rows[AXIS_EXTREMA] = axis_extremes[0];
    rows[AXIS_ABSEXTREMA] = axis_extremes[1];
    const struct axis_starter *starter = &rows[monoid][dtype];
    return starter->start ? starter : nullptr;
}

cudaError_t gpu_axis(enum axis_monoid monoid, enum dtype dtype,
                     const struct axis_job *job, cudaStream_t stream)
{
    const struct axis_starter *starter = find(monoid, dtype);
    return starter ? starter->start(job, stream) : cudaErrorNotSupported;
}

cudaError_t gpu_axis_merge(enum axis_monoid monoid, enum dtype dtype,
                           const struct axis_job *job, cudaStream_t stream)
{
    const struct axis_starter *starter = find(monoid, dtype);
    return starter ? starter->merge(job, stream) : cudaErrorNotSupported;
}

cudaError_t gpu_axis_cost(enum axis_monoid monoid, enum dtype dtype,
                          const struct axis_plan *plan, struct axis_cost *cost)
{
    const struct axis_starter *starter = find(monoid, dtype);
    if (!starter)
        return cudaErrorNotSupported;
    const void *kernel = (const void *)starter->kernel(*plan);
    struct cudaFuncAttributes of;
    const cudaError_t code = cudaFuncGetAttributes(&of, kernel);
    cost->registers = of.numRegs;
    cost->local = (int)of.localSizeBytes;
    return code != cudaSuccess
               ? code
               : cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                     &cost->resident, kernel, (int)plan->threads, 0);
}

bool gpu_axis_plan(struct axis_plan *plan, enum axis_monoid monoid,
                   enum dtype dtype, const struct axis_shape *shape,
                   const struct axis_tuning *tuning)
{
    const unsigned size = dtype_size(dtype);
    const struct axis_starter *starter = find(monoid, dtype);
    struct axis_tuning real = *tuning;
    struct axis_cost cost;
    if (starter && starter->has_plain)
        real.rows_bytes = tuning->plain_rows_bytes;
    if (!axis_plan(plan, shape, size, &real))
        return false;
    if (gpu_axis_cost(monoid, dtype, plan, &cost) != cudaSuccess ||
        cost.resident < 1)
        return true;
    real.resident = (unsigned)cost.resident;
    real.form = plan->form;
    return axis_plan(plan, shape, size, &real);
}
