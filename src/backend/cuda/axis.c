/* SPDX-License-Identifier: MIT */
/*
 * The CUDA backend for axes. A context has a stream. Each of its slots has a
 * pinned buffer for a chunk and one for its answers, and the same two on the
 * device. If a task's chunks are parts of the same outputs, their partial
 * results stay on the device until the task ends.
 */
#include "backend/cuda/axis.h"

#include <stdlib.h>

#include "backend/cuda/axis_parts.h"
#include "backend/cuda/memory.h"
#include "backend/cuda/pool.h"

static void cuda_close(struct axis_context *c)
{
    /* A failed submit may have left work on the stream. */
    if (c->stream)
        cudaStreamSynchronize(c->stream);
    for (int i = 0; i < AXIS_SLOTS; i++) {
        cuda_clock_close(&c->slot[i].clock);
        if (c->slot[i].done)
            cudaEventDestroy(c->slot[i].done);
    }
    cuda_release_pinned(&c->host);
    cuda_release_device(&c->device);
    cuda_release_device(&c->scratch);
    cuda_release_stream(c->stream, c->setup.device);
    free(c);
}

static size_t room_of(const struct axis_setup *s)
{
    return place_answers(s, NULL, s->outputs).bytes;
}

static bool open_slots(struct axis_context *c, struct error *e)
{
    const struct axis_setup *s = &c->setup;
    const size_t room = room_of(s), bytes = s->bytes + 256;
    const size_t parts = s->has_parts ? axis_open_bytes(s, s->outputs) : 0;
    if (!cuda_pin(&c->host, e) ||
        !cuda_acquire_device(&c->device, s->device,
                             AXIS_SLOTS * (bytes + room + 512) + parts + 256,
                             e))
        return false;
    char *host = c->host.at, *device = c->device.at;
    c->open = cuda_cut(&device, parts);
    for (int i = 0; i < AXIS_SLOTS; i++) {
        struct slot *slot = &c->slot[i];
        slot->host = cuda_cut(&host, bytes);
        slot->host_room = cuda_cut(&host, room);
        slot->device = cuda_cut(&device, bytes);
        slot->room = cuda_cut(&device, room);
        if (!cuda_check(
                cudaEventCreateWithFlags(&slot->done, cudaEventDisableTiming),
                "no event", e))
            return false;
        cuda_clock_open(&slot->clock, s->meter);
    }
    return true;
}

static bool tune(struct axis_context *c, struct error *e)
{
    int multiprocessors = 0;
    if (!cuda_check(cudaDeviceGetAttribute(&multiprocessors,
                                           cudaDevAttrMultiProcessorCount,
                                           c->setup.device),
                    "asking for its size", e))
        return false;
    c->tuning = axis_tuning_default((unsigned)multiprocessors);
    return true;
}

static struct axis_context *cuda_open(const struct axis_setup *setup,
                                      struct error *e)
{
    struct axis_context *c = calloc(1, sizeof *c);
    if (!c) {
        error_memory(e);
        return NULL;
    }
    c->setup = *setup;
    cuda_prepare_pinned(&c->host, setup->device,
                        AXIS_SLOTS * (setup->bytes + room_of(setup) + 1024));
    if (cuda_ready(setup->device, e) &&
        cuda_acquire_stream(&c->stream, setup->device, e) && open_slots(c, e) &&
        tune(c, e))
        return c;
    cuda_close(c);
    return NULL;
}

static void *cuda_slot(struct axis_context *c, unsigned slot)
{
    return c->slot[slot].host;
}

/* Prepares the slot for the answers of n outputs. */
static bool begin_answers(struct axis_context *c, struct slot *s, uint64_t n,
                          struct error *e)
{
    s->outputs = n;
    s->answers = place_answers(&c->setup, s->room, n);
    s->got = place_answers(&c->setup, s->host_room, n);
    return cuda_check(cudaMemsetAsync(s->answers.doubtfuls, 0,
                                      MEASURE_SUMS * sizeof(uint64_t),
                                      c->stream),
                      "clearing results", e);
}

static bool copy_answers(struct axis_context *c, struct slot *s,
                         struct error *e)
{
    return cuda_to_host(s->host_room, s->room, s->got.copied, c->stream, e);
}

static bool cuda_submit(struct axis_context *c, unsigned slot,
                        const struct axis_chunk *chunk, struct error *e)
{
    struct slot *s = &c->slot[slot];
    const uint64_t outputs = chunk->outer * chunk->inner;
    s->bytes = outputs * chunk->length * dtype_info(c->setup.dtype)->size;
    s->has_answers = !chunk->is_part || (chunk->ends && !chunk->keep);
    cuda_clock_begin(&s->clock, c->stream);
    bool ok = axis_make_plans(c, chunk, e) && begin_answers(c, s, outputs, e) &&
              cuda_to_device(s->device, s->host, s->bytes, c->stream, e);
    cuda_clock_mark(&s->clock, STAGE_COPY, c->stream);
    for (int m = 0; ok && m < MEASURES_END; m++)
        ok = !axis_wants(c, m) || axis_start_measure(c, s, chunk, m, e);
    if (ok && s->has_answers)
        ok = copy_answers(c, s, e);
    else if (ok && chunk->ends)
        ok = cuda_to_host(chunk->keep, c->open,
                          axis_open_bytes(&c->setup, outputs), c->stream, e);
    cuda_clock_mark(&s->clock, STAGE_REDUCE, c->stream);
    return ok &&
           cuda_check(cudaEventRecord(s->done, c->stream), "recording", e);
}

static bool cuda_wait(struct axis_context *c, unsigned slot,
                      struct axis_answers *answers, struct error *e)
{
    struct slot *s = &c->slot[slot];
    if (!cuda_check(cudaEventSynchronize(s->done), "reducing", e))
        return false;
    cuda_clock_put(&s->clock, s->bytes);
    if (!s->has_answers)
        return true;
    const bool ok = place_lists(&s->got, &s->answers, c->stream, e);
    *answers = s->got.at;
    return ok;
}

static bool cuda_merge(struct axis_context *c, unsigned slot, const char *keep,
                       size_t parts, uint64_t outputs,
                       struct axis_answers *answers, struct error *e)
{
    struct slot *s = &c->slot[slot];
    const size_t one = outputs * AXIS_OPEN_BYTES;
    const size_t part = axis_open_bytes(&c->setup, outputs);
    bool ok =
        axis_grow_scratch(c, parts * one, e) && begin_answers(c, s, outputs, e);
    for (int m = 0; ok && m < MEASURES_END; m++) {
        if (!axis_wants(c, m))
            continue;
        for (size_t p = 0; ok && p < parts; p++)
            ok = cuda_to_device((char *)c->scratch.at + p * one,
                                keep + p * part, one, c->stream, e);
        keep += one;
        ok = ok && axis_start_merge(c, s, m, c->scratch.at, parts, outputs, e);
    }
    ok = ok && copy_answers(c, s, e) &&
         cuda_check(cudaStreamSynchronize(c->stream), "reducing", e) &&
         place_lists(&s->got, &s->answers, c->stream, e);
    *answers = s->got.at;
    return ok;
}

const struct axis_device cuda_axis_device = {axis_has,    cuda_open, cuda_slot,
                                             cuda_submit, cuda_wait, cuda_merge,
                                             cuda_close};
