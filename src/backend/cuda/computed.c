/* SPDX-License-Identifier: MIT */
/* Jobs of elements with expressions: a kernel computes or selects the values
 * before the other kernels reduce them. */
#include "backend/cuda/elements_parts.h"
#include "backend/cuda/text.h"
#include "engine/columns.h"

/* For these monoids, a neutral value such as -0 replaces the values that are
 * not selected. For the others, NaN does. */
#define PLAIN_MONOIDS                                           \
    (MONOID_BIT(count) | MONOID_BIT(sum) | MONOID_BIT(sumabs) | \
     MONOID_BIT(sumsq))

const char *cuda_computed_left(const struct job *job)
{
    const unsigned here = (GPU_MONOIDS & ~MONOID_BIT(prod)) | MONOID_BIT(wide);
    const unsigned by_nan = job->monoids & here & ~PLAIN_MONOIDS;
    if (job->text)
        return text_formulas_left(job);
    if (job->monoids & ~here)
        return "some operation is the CPU's";
    if (by_nan & ~MONOID_BIT(wide) && job->formulas->has_condition &&
        !dtype_is_float(job->dtypes[0]))
        return "extremes of selected integers are the CPU's";
    return cuda_formulas_missing();
}

/* The map of the only sum that is wanted, if one kernel can compute the values
 * and sum them; else NULL. */
static const char *fused(const struct job *job)
{
    const unsigned set = job->monoids & GPU_MONOIDS;
    if (!dtype_is_float(job->dtypes[0]))
        return NULL;
    return set == MONOID_BIT(sum)      ? "EXACT_VALUE"
           : set == MONOID_BIT(sumabs) ? "EXACT_MAGNITUDE"
                                       : NULL;
}

bool cuda_computed_open(struct context *context, size_t elements,
                        struct error *e)
{
    const struct job *job = context->job;
    const struct formulas *f = job->formulas;
    const unsigned set = job->monoids & GPU_MONOIDS;
    if (!f)
        return true;
    const unsigned plain = f->has_condition ? PLAIN_MONOIDS : GPU_MONOIDS;
    context->dtype = job->dtypes[0];
    const size_t bytes = elements * dtype_info(context->dtype)->size;
    context->plain_bytes = set & plain ? bytes : 0;
    context->nan_bytes = set & ~plain ? bytes : 0;
    context->formulas = cuda_formulas_start(f, fused(job), job->device, e);
    return context->formulas;
}

bool cuda_computed_start(const struct context *context, struct slot *s,
                         struct error *e)
{
    const bool is_fused = fused(context->job);
    const unsigned set = is_fused ? 0 : context->job->monoids & GPU_MONOIDS;
    const unsigned plain =
        context->job->formulas->has_condition ? set & PLAIN_MONOIDS : set;
    struct gpu_sum *sums = s->result->sum;
    uint64_t n = s->chunk.n, first = s->chunk.first;
    struct gpu_chunk work = {.data = s->plain,
                             .n = s->chunk.n,
                             .result = s->result,
                             .scratch = s->scratch};
    void *to = is_fused ? (void *)&sums : &s->nan;
    void *arguments[] = {&s->device, &n, &first, &s->plain, to, &s->counts};
    bool ok =
        cuda_check(
            cudaMemsetAsync(s->counts, 0, sizeof *s->counts, context->stream),
            "clearing results", e) &&
        cuda_formulas_launch(context->formulas, n, arguments, context->stream,
                             e) &&
        cuda_check(gpu_launch(plain, context->dtype, &work, context->stream),
                   "starting kernels", e);
    work.data = s->nan;
    return ok &&
           cuda_check(
               gpu_launch(set & ~plain, context->dtype, &work, context->stream),
               "starting kernels", e) &&
           cuda_to_host(s->host_counts, s->counts, sizeof *s->counts,
                        context->stream, e);
}

bool cuda_computed_add(struct context *context, const struct slot *s,
                       struct owner *owner, struct error *e)
{
    if (s->host_counts->odd)
        return columns_run(context->columns, &s->chunk, owner, e);
    const struct column column = {.dtype = context->dtype,
                                  .n = s->host_counts->selected};
    owner->rows = s->chunk.n;
    if (!columns_add(context->columns, 0, &column, &s->chunk, owner, 0, e))
        return false;
    cuda_add_results(context, s, owner);
    return true;
}

void cuda_computed_correct(const struct slot *s, int m, union state *state)
{
    if (s->nan && !(PLAIN_MONOIDS >> m & 1)) {
        state->extrema.nans = s->host_counts->nans;
        state->extrema.first_nan =
            s->host_counts->nans ? s->chunk.first + ~s->host_counts->first_nan
                                 : INDEX_NONE;
    }
}
