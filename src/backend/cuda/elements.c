/* SPDX-License-Identifier: MIT */
/*
 * The CUDA backend for elements. A context has a stream and, for each slot, a
 * pinned host buffer, its copy on the device and a result there. While the
 * device copies and reduces one slot, the worker fills the other. Nothing here
 * touches the driver until a plan asks for a GPU.
 */
#include <stdlib.h>

#include "backend/registry.h"
#include "engine/columns.h"
#include "backend/cuda/axis.h"
#include "backend/cuda/clock.h"
#include "backend/cuda/elements_parts.h"
#include "backend/cuda/formulas.h"
#include "backend/cuda/memory.h"
#include "backend/cuda/pool.h"
#include "backend/cuda/ranks.h"
#include "backend/cuda/result.h"
#include "backend/cuda/sets.h"
#include "backend/cuda/text.h"
#include "kernels/by/by.h"
#include "kernels/common/launch.h"

static void cuda_close(struct context *context)
{
    /* A failed submit may have left work on the stream. */
    if (context->stream)
        cudaStreamSynchronize(context->stream);
    cuda_sets_leave(context->sets, context->has_collected);
    for (int i = 0; i < SLOTS; i++) {
        cuda_clock_close(&context->slot[i].clock);
        if (context->slot[i].done)
            cudaEventDestroy(context->slot[i].done);
    }
    cuda_release_pinned(&context->host);
    cuda_release_device(&context->device);
    cuda_release_stream(context->stream, context->job->device);
    columns_close(context->columns);
    free(context);
}

/* Bytes of the parts of a slot that both the host and the device have: all but
 * scratch, wide, plain and nan. */
static size_t slot_bytes(const struct context *context)
{
    return context->job->chunk_bytes +
           context->nodes * sizeof *context->slot[0].node +
           sizeof *context->slot[0].result + cuda_ranks_bytes(&context->ranks) +
           sizeof *context->slot[0].counts + 5 * 256;
}

static bool open_slots(struct context *context, struct error *e)
{
    size_t chunk = context->job->chunk_bytes;
    size_t nodes = context->nodes * sizeof *context->slot[0].node;
    size_t device_bytes = SLOTS * (slot_bytes(context) + context->wide_bytes +
                                   context->plain_bytes + context->nan_bytes +
                                   2 * 256 + gpu_scratch_bytes(1));
    if (!cuda_pin(&context->host, e) ||
        !cuda_acquire_device(&context->device, context->job->device,
                             device_bytes, e))
        return false;
    char *host = context->host.at, *device = context->device.at;
    for (int i = 0; i < SLOTS; i++) {
        struct slot *s = &context->slot[i];
        s->host = cuda_cut(&host, chunk);
        s->host_result = cuda_cut(&host, sizeof *s->host_result);
        s->host_node = cuda_cut(&host, nodes);
        s->device = cuda_cut(&device, chunk);
        s->wide = cuda_cut(&device, context->wide_bytes);
        s->result = cuda_cut(&device, sizeof *s->result);
        s->node = cuda_cut(&device, nodes);
        s->scratch = cuda_cut(&device, gpu_scratch_bytes(1));
        s->host_counts = cuda_cut(&host, sizeof *s->host_counts);
        s->counts = cuda_cut(&device, sizeof *s->counts);
        if (context->plain_bytes > 0)
            s->plain = cuda_cut(&device, context->plain_bytes);
        if (context->nan_bytes > 0)
            s->nan = cuda_cut(&device, context->nan_bytes);
        cuda_ranks_cut(&context->ranks, &s->ranks, &host, &device);
        if (!cuda_check(
                cudaEventCreateWithFlags(&s->done, cudaEventDisableTiming),
                "no event", e))
            return false;
        cuda_clock_open(&s->clock, context->job->meter);
    }
    return true;
}

/* The monoids that the CPU steps; the slot has the chunk in any case. These are
 * the monoids without kernels. Where places are not indexes, extrema and count
 * are among them, because the CPU's loops compare the indexes of equal
 * elements. */
static unsigned on_cpu(const struct job *job, const struct cuda_ranks *ranks)
{
    unsigned set = ~GPU_MONOIDS & ~MONOID_BIT(wide);
    if (job->index.index)
        set |= MONOID_BIT(extrema) | MONOID_BIT(count);
    if (ranks->asked)
        set &= ~MONOID_BIT(ranks);
    return job->monoids & set & ~cuda_sets_monoids(job);
}

static struct context *cuda_open(const struct job *job, struct error *e)
{
    struct context *context = calloc(1, sizeof *context);
    if (!context)
        return error_memory(e);
    const struct dtype_info *info = dtype_info(job->dtype);
    const size_t elements = job->chunk_bytes / info->size;
    context->job = job;
    context->dtype = info->computed;
    context->nodes = (elements + PROD_LEAF - 1) / PROD_LEAF;
    if (info->widen)
        context->wide_bytes = elements * dtype_info(info->computed)->size;
    cuda_ranks_init(&context->ranks, job);
    cuda_prepare_pinned(&context->host, job->device,
                        SLOTS * slot_bytes(context));
    context->on_cpu = on_cpu(job, &context->ranks);
    context->columns = columns_open(job, e);
    bool ok = context->columns && cuda_computed_open(context, elements, e) &&
              cuda_ready(job->device, e) &&
              cuda_acquire_stream(&context->stream, job->device, e) &&
              open_slots(context, e) &&
              (!context->formulas || cuda_formulas_ready(context->formulas, e));
    if (ok && cuda_sets_monoids(job))
        ok = (context->sets = cuda_sets_join(job, context->stream, e)) != NULL;
    if (ok)
        return context;
    cuda_close(context);
    return NULL;
}

static void *cuda_slot(struct context *context, unsigned slot)
{
    return context->slot[slot].host;
}

static bool start_kernels(const struct context *context, struct slot *s,
                          struct error *e)
{
    const struct job *job = context->job;
    const struct dtype_info *info = dtype_info(job->dtype);
    const struct gpu_chunk work = {.data = info->widen ? s->wide : s->device,
                                   .n = s->chunk.n,
                                   .result = s->result,
                                   .scratch = s->scratch,
                                   .node = s->node};
    return (!info->widen ||
            cuda_check(gpu_widen(job->dtype, s->device, s->chunk.n, s->wide,
                                 context->stream),
                       "starting kernels", e)) &&
           (!context->sets || cuda_sets_add(context->sets, work.data, work.n,
                                            context->stream, e)) &&
           cuda_check(gpu_launch(job->monoids & GPU_MONOIDS & ~context->on_cpu,
                                 info->computed, &work, context->stream),
                      "starting kernels", e) &&
           cuda_ranks_start(&context->ranks, &s->ranks, work.data, work.n,
                            context->stream, e);
}

static bool cuda_submit(struct context *context, unsigned slot,
                        const struct chunk *chunk, struct error *e)
{
    struct slot *s = &context->slot[slot];
    const struct job *job = context->job;
    size_t bytes = chunk->n * dtype_info(job->dtype)->size;
    cudaStream_t stream = context->stream;
    s->chunk = *chunk;
    cuda_clock_begin(&s->clock, stream);
    bool ok = cuda_to_device(s->device, s->host, bytes, stream, e);
    cuda_clock_mark(&s->clock, STAGE_COPY, stream);
    ok = ok &&
         cuda_check(cudaMemsetAsync(s->result, 0, sizeof *s->result, stream),
                    "clearing results", e);
    ok = ok &&
         (context->formulas ? cuda_computed_start : start_kernels)(context, s,
                                                                   e) &&
         cuda_to_host(s->host_result, s->result, sizeof *s->result, stream, e);
    if (ok && job->monoids & MONOID_BIT(prod) && dtype_is_float(job->dtype))
        ok = cuda_to_host(s->host_node, s->node,
                          (chunk->n + PROD_LEAF - 1) / PROD_LEAF *
                              sizeof *s->node,
                          stream, e);
    cuda_clock_mark(&s->clock, STAGE_REDUCE, stream);
    return ok && cuda_check(cudaEventRecord(s->done, stream), "recording", e);
}

/* Merges the slot's result for monoid m into the owner's states. */
static void add_result(const struct context *context, const struct slot *s,
                       int m, union state *into)
{
    union state state;
    cuda_read_state((enum monoid)m, context->dtype, &state, s->host_result,
                    &s->chunk, s->host_node);
    cuda_computed_correct(s, m, &state);
    monoids[m].merge(into, &state);
}

void cuda_add_results(const struct context *context, const struct slot *s,
                      struct owner *owner)
{
    const struct job *job = context->job;
    const unsigned ordered = job_ordered(job);
    struct states *states = owner_take(owner, 0);
    for (int m = 0; m < MONOIDS_END; m++) {
        if ((job->monoids & GPU_MONOIDS & ~context->on_cpu) >> m & 1)
            add_result(context, s, m,
                       ordered >> m & 1 ? (union state *)&owner->part->prod
                                        : states_at(states, 0, m));
    }
    cuda_ranks_take(&context->ranks, &s->ranks, states);
    owner_give(owner, 0);
}

static bool cuda_wait(struct context *context, unsigned slot,
                      struct owner *owner, struct error *e)
{
    struct slot *s = &context->slot[slot];
    const struct job *job = context->job;
    const unsigned ordered = job_ordered(job);
    if (!cuda_check(cudaEventSynchronize(s->done), "reducing", e))
        return false;
    cuda_clock_put(&s->clock, s->chunk.bytes);
    if (context->formulas)
        return cuda_computed_add(context, s, owner, e);
    if (ordered && !(owner->part = product_part_new(job)))
        return error_memory(e);
    const struct column column = {
        .dtype = job->dtype, .n = s->chunk.n, .values = s->host};
    const unsigned left =
        context->on_cpu | cuda_ranks_left(&context->ranks, &s->ranks);
    if (!columns_add(context->columns, left, &column, &s->chunk, owner, 0, e))
        return false;
    cuda_add_results(context, s, owner);
    return true;
}

/* The context keeps its results for all slots together, so only slot 0
 * collects. */
static bool cuda_collect(struct context *context, unsigned slot,
                         struct owner *owner, struct error *e)
{
    if (slot > 0 || !context->sets || context->has_collected)
        return true;
    context->has_collected = true;
    return cuda_sets_collect(context->sets, owner, e);
}

static const struct context_kind *cuda_contexts(const struct job *job)
{
    static const struct context_kind elements = {
        SLOTS,     cuda_open,    cuda_slot,  cuda_submit,
        cuda_wait, cuda_collect, cuda_close, false};
    return job->text               ? &cuda_text_contexts
           : job->by.spec.keys > 0 ? &cuda_by_contexts
                                   : &elements;
}

const struct backend backend_cuda = {
    .name = "cuda",
    .alias = "gpu",
    .title = "a GPU",
    .is_numbered = true,
    .faster_on_host = MONOID_BIT(sumcube) | MONOID_BIT(sumfourth) |
                      MONOID_BIT(distinct) | MONOID_BIT(tallies) |
                      MONOID_BIT(sketch),
    .kept = MONOID_BIT(sketch),
    .kept_alone = MONOID_BIT(distinct),
    .suits_ranks = cuda_ranks_suit,
    .rank_counters = CUDA_RANK_COUNTERS,
    /* Measured on an H200 with PCIe 5. A context takes 0.17 s to open while the
     * workers stop, 0.19 s beside threads that map and unmap. A process that
     * has used a context takes 0.07 s longer to end. */
    .start_up = 0.19,
    .end = 0.07,
    .bus = 53e9,
    /* PCIe reaches 53 of its 55 GB/s from 4 MiB on. 8 workers with two slots
     * each pin 64 MiB, which takes 36 ms. */
    .elements = {.chunk = 4 << 20, .workers = 8, .rate = 6.6e9, .most = 50e9},
    /* 12 workers with chunks of 4 MiB reduce 9 GB of text at 29 to 33 GB/s, and
     * 10 workers with 6 MiB at 26 to 27. 1, 2, 4 and 8 workers reach 5.3, 11.5,
     * 17 and 22 GB/s (medians of five). Filling a ring by pread and copying it
     * reaches 37. The launches of a chunk take 66 us, whatever its size: chunks
     * of 1 MiB reach 15 GB/s, and 3 MiB could not exceed 47. */
    .records = {.chunk = 4 << 20,
                .workers = 12,
                .rows = 32,
                .rate = 5e9,
                .most = 33e9},
    /* Start-up included, 4.8 GB take 0.41 s without keys, 0.45 s by 1000 texts,
     * 0.47 s by 4096 integers and 0.65 s by 65000 integers. These are 33, 26,
     * 23 and 13 GB/s. */
    .keyed = {.chunk = 4 << 20,
              .workers = 12,
              .rows = 32,
              .rate = 2.5e9,
              .most = 15e9},
    .keys = GPU_BY_KEYS,
    /* 1.2 GB by 65000 integers, sum, mean and max of two columns, take 0.25 s
     * longer than by 1000: each context gives back all keys. */
    .key = 4e-6,
    .prepare = cuda_prepare,
    .probe = cuda_probe,
    .count = cuda_count,
    .speed = cuda_speed,
    .is_coherent = cuda_is_coherent,
    .by_left = cuda_by_left,
    .contexts = cuda_contexts,
    .formulas_left = cuda_computed_left,
    .axes = &cuda_axis_device,
};
