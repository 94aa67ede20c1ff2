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
    struct chunk chunk;      /* under way */
    struct columns *columns; /* text */
    struct work work[MONOIDS_END];
};

static void cpu_close(struct lane *lane)
{
    columns_close(lane->columns);
    free(lane->slot);
    free(lane);
}

static struct lane *open_lane(const struct job *job, struct error *e)
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
    lane->columns = NULL;
    return lane;
}

static struct lane *open_elements(const struct job *job, struct error *e)
{
    struct lane *lane = open_lane(job, e);
    for (int m = 0; lane && m < MONOIDS_END; m++) {
        if (!(job->monoids >> m & 1))
            continue;
        work_init(&lane->work[m], (enum monoid)m, job->dtype);
        lane->work[m].fast = job->fast;
        lane->work[m].index = job->map ? dealer_index : NULL;
        lane->work[m].map = job->map;
    }
    return lane;
}

static struct lane *open_text(const struct job *job, struct error *e)
{
    struct lane *lane = open_lane(job, e);
    if (!lane)
        return NULL;
    lane->columns = columns_open(job, e);
    if (lane->columns)
        return lane;
    cpu_close(lane);
    return NULL;
}

static void *cpu_slot(struct lane *lane, unsigned slot)
{
    (void)slot;
    return lane->slot;
}

/* The thread that waits does the work. */
static bool cpu_submit(struct lane *lane, unsigned slot,
                       const struct chunk *chunk, struct error *e)
{
    (void)slot, (void)e;
    lane->chunk = *chunk;
    return true;
}

static void run_loops(struct lane *lane)
{
    const struct job *job = lane->job;
    const struct chunk *chunk = &lane->chunk;
    const size_t size = dtype_info(job->dtype)->size;
    const char *p = chunk->data;
    for (size_t i = 0; i < chunk->n; i += CHUNK_ELEMENTS) {
        size_t left = chunk->n - i;
        size_t n = left < CHUNK_ELEMENTS ? left : CHUNK_ELEMENTS;
        for (int m = 0; m < MONOIDS_END; m++) {
            if (job->monoids >> m & 1)
                lane->loops->run[m][job->dtype](&lane->work[m], p + i * size, n,
                                                chunk->first + i);
        }
    }
}

static bool wait_elements(struct lane *lane, unsigned slot, struct owner *owner,
                          struct error *e)
{
    const struct job *job = lane->job;
    const unsigned ordered = job_ordered(job);
    uint64_t start = meter_now();
    (void)slot;
    if (ordered && !(owner->parcel = parcel_new(job)))
        return error_set(e, ERROR_DATA, "out of memory");
    /* Always the worker's own, into which chunks come in their order, as the
     * loops want: one group of 4096 workers fits the budget four times. */
    struct states *states = owner_take(owner, 0);
    states->tally[0].n += lane->chunk.n;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (job->monoids >> m & 1)
            work_begin(&lane->work[m], ordered >> m & 1
                                           ? (union state *)&owner->parcel->prod
                                           : states_at(states, 0, m));
    }
    run_loops(lane);
    for (int m = 0; m < MONOIDS_END; m++) {
        if (job->monoids >> m & 1)
            work_end(&lane->work[m]);
    }
    owner_give(owner, 0);
    meter_add(job->meter, STAGE_REDUCE, start, lane->chunk.bytes);
    return true;
}

static bool wait_text(struct lane *lane, unsigned slot, struct owner *owner,
                      struct error *e)
{
    (void)slot;
    return columns_run(lane->columns, &lane->chunk, owner, e);
}

const struct backend backend_cpu = {
    .name = "cpu",
    .reads_anywhere = true,
    .elements = {1, open_elements, cpu_slot, cpu_submit, wait_elements,
                 NULL, cpu_close},
    .text = {1, open_text, cpu_slot, cpu_submit, wait_text, NULL, cpu_close},
};
