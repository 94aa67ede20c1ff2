/* SPDX-License-Identifier: MIT */
/* The CPU: reduces in the worker's own thread, in blocks that stay in cache
 * while every monoid passes over them. */
#include <stdlib.h>

#include "base/meter.h"
#include "engine/backend.h"
#include "engine/columns.h"
#include "reduce/cpu/work.h"

struct lane {
    const struct job *job;
    const struct cpu_loops *loops;
    void *slot;
    uint64_t n;
    /* Text. */
    struct columns *columns;
    struct chunk chunk;
    struct work work[MONOIDS_END];
};

static void cpu_close(struct lane *lane)
{
    columns_close(lane->columns);
    free(lane->slot);
    free(lane);
}

static struct lane *cpu_open(const struct job *job, struct error *e)
{
    struct lane *lane = aligned_alloc(64, (sizeof *lane + 63) / 64 * 64);
    void *slot =
        aligned_alloc(4096, (job_slot_bytes(job) + 4095) / 4096 * 4096);
    if (!lane || !slot) {
        free(lane);
        free(slot);
        error_set(e, ERROR_DATA, "out of memory");
        return NULL;
    }
    lane->job = job;
    lane->loops = job->portable ? &cpu_loops_base : cpu_loops(0);
    lane->slot = slot;
    lane->columns = job->text ? columns_open(job, e) : NULL;
    if (job->text && !lane->columns) {
        cpu_close(lane);
        return NULL;
    }
    for (int m = 0; m < MONOIDS_END; m++) {
        if (job->text || !(job->monoids >> m & 1))
            continue;
        work_init(&lane->work[m], (enum monoid)m, job->dtype);
        lane->work[m].fast = job->fast;
        if (job->map) {
            lane->work[m].index = dealer_index;
            lane->work[m].map = job->map;
        }
    }
    return lane;
}

static void *cpu_slot(struct lane *lane, unsigned slot)
{
    (void)slot;
    return lane->slot;
}

static bool cpu_submit(struct lane *lane, unsigned slot,
                       const struct chunk *chunk, struct error *e)
{
    const struct job *job = lane->job;
    const char *p = chunk->data;
    size_t size = dtype_info(job->dtype)->size;
    (void)slot, (void)e;
    if (job->text) {
        lane->chunk = *chunk;
        return true;
    }
    uint64_t start = meter_now();
    for (size_t i = 0; i < chunk->n; i += CHUNK_ELEMENTS) {
        size_t left = chunk->n - i;
        size_t n = left < CHUNK_ELEMENTS ? left : CHUNK_ELEMENTS;
        for (int m = 0; m < MONOIDS_END; m++) {
            if (job->monoids >> m & 1)
                lane->loops->run[m][job->dtype](&lane->work[m], p + i * size, n,
                                                chunk->first + i);
        }
    }
    lane->n = chunk->n;
    meter_add(job->meter, STAGE_REDUCE, start, chunk->bytes);
    return true;
}

static bool cpu_wait(struct lane *lane, unsigned slot, struct partial *out,
                     struct error *e)
{
    (void)slot;
    if (lane->job->text)
        return columns_run(lane->columns, &lane->chunk, out, e);
    out->n = lane->n;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (lane->job->monoids >> m & 1)
            work_take(&lane->work[m], &out->state[m]);
    }
    return true;
}

const struct backend backend_cpu = {
    .name = "cpu",
    .slots = 1,
    .text_slots = 1,
    .reads_anywhere = true,
    .open = cpu_open,
    .slot = cpu_slot,
    .submit = cpu_submit,
    .wait = cpu_wait,
    .close = cpu_close,
};
