/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "plan/device.h"

#include <sched.h>
#include <unistd.h>

enum {
    /* Read into a buffer: small enough for a core's L2, large enough that
     * dealing costs nothing. */
    CPU_CHUNK = 512 << 10,
    /* Mapped: 16 threads reached 129 GB/s in windows of 4 MiB, 78 of 1 MiB.
     * Small files are cut finer, for all threads to have some. */
    CPU_WINDOW = 4 << 20,
    CPU_SHARES = 4,
    /* PCIe gives 53 of its 55 GB/s from 4 MiB on; 8 feeders of two slots hold
     * 64 MiB pinned, which take 36 ms to allocate. */
    GPU_CHUNK = 4 << 20,
    GPU_FEEDERS = 8,
    /* Text. A CPU's window and what is decoded of it stay in L2. On the GPU
     * a chunk has a dozen launches a column. */
    CPU_TEXT = 512 << 10,
    GPU_TEXT = 6 << 20,
    GPU_TEXT_FEEDERS = 10,
    TEXT_MAX = 32 << 20,
    /* What is done once a column and chunk, and not once a cell, is little beside
     * so many cells: 3000 columns in chunks of 19 rows took 1.1 s, of 128 rows
     * 0.7 s. Fewer than GPU_ROWS are nothing for a GPU. */
    TEXT_ROWS = 128,
    GPU_ROWS = 32,
    /* A core that takes text at 0.4 GB/s is done with less before a GPU has
     * started. */
    JOIN_MIN = 128 << 20,
};

/* What a GPU brings, measured on an H200, PCIe 5: what one feeder copies to it
 * out of the page cache, and what all can. The CPU's side is not guessed but
 * seen: engine/join.h. */
static const double BUSY_MIN = 0.6;
/* s: driver and context take 0.14 alone, 0.19 beside threads that map and
 * unmap; lanes and looking the rest. A process that has used them takes 0.07 to
 * end. */
static const double GPU_START_UP = 0.23, GPU_END = 0.07;
static const double RAW_RATE = 6.6e9, RAW_MOST = 50e9;
static const double TEXT_RATE = 4.7e9, TEXT_MOST = 46e9;
/* Its bus; where one is seen to be slower, all GPUs bring that much less. */
static const double BUS = 53e9;

static unsigned cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned)CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

unsigned device_threads(const struct options *o)
{
    return o->threads ? (unsigned)o->threads : cores();
}

static size_t chunk_bytes_of(const struct options *o, enum dtype dtype,
                             size_t tuned)
{
    size_t grain = CHUNK_ELEMENTS * (size_t)dtype_info(dtype)->size;
    uint64_t bytes = o->chunk_size ? o->chunk_size : tuned;
    if (bytes > CHUNK_BYTES_MAX)
        bytes = CHUNK_BYTES_MAX;
    return (size_t)(bytes + grain - 1) / grain * grain;
}

static bool may_be_mapped(const struct dataset *d)
{
    for (size_t i = 0; i < d->count; i++) {
        if (!d->inputs[i].regular || d->inputs[i].big_endian)
            return false;
    }
    return true;
}

/* What a chunk of so many rows has in the columns that are wanted. */
static uint64_t bytes_of_rows(const struct dataset *d, uint64_t rows)
{
    const struct csv_table *t = d->table;
    return t->fields ? rows * t->record_bytes / t->fields * d->job.columns : 0;
}

/* Text is cut where it comes: any size will do. */
static size_t text_chunk(const struct options *o, const struct dataset *d,
                         bool gpu)
{
    uint64_t least = gpu ? GPU_TEXT : CPU_TEXT;
    uint64_t share = d->bytes / ((uint64_t)device_threads(o) * CPU_SHARES);
    uint64_t rows = bytes_of_rows(d, TEXT_ROWS);
    uint64_t bytes = o->chunk_size           ? o->chunk_size
                     : rows < least          ? least
                     : rows < share          ? rows
                     : share < least         ? least
                                             : share;
    return bytes < TEXT_MAX ? (size_t)bytes : TEXT_MAX;
}

static size_t cpu_chunk(const struct options *o, const struct dataset *d)
{
    if (!may_be_mapped(d))
        return CPU_CHUNK;
    uint64_t share = d->bytes / ((uint64_t)device_threads(o) * CPU_SHARES);
    return share < CPU_CHUNK    ? CPU_CHUNK
           : share > CPU_WINDOW ? CPU_WINDOW
                                : (size_t)share;
}

static size_t chunk_of(const struct options *o, const struct dataset *d,
                       bool gpu)
{
    if (d->job.text)
        return text_chunk(o, d, gpu);
    return chunk_bytes_of(o, d->job.dtype, gpu ? GPU_CHUNK : cpu_chunk(o, d));
}

/* No more workers than chunks. */
static unsigned workers_of(const struct dataset *d, size_t chunk_bytes,
                           uint64_t workers)
{
    uint64_t full = d->bytes / chunk_bytes;
    return (unsigned)(workers <= full ? workers : full + 1);
}

static unsigned feeders_of(const struct dataset *d)
{
    return d->job.text ? GPU_TEXT_FEEDERS : GPU_FEEDERS;
}

static struct team cpu_team(const struct options *o, const struct dataset *d)
{
    struct team team = {.backend = &backend_cpu};
    team.chunk_bytes = chunk_of(o, d, false);
    team.workers = workers_of(d, team.chunk_bytes, device_threads(o));
    return team;
}

/* The team of one of so many GPUs, between which the threads are shared. */
static struct team gpu_team(const struct options *o, const struct dataset *d,
                            int gpu, unsigned gpus)
{
    struct team team = {.backend = &backend_cuda, .gpu = gpu};
    unsigned share = device_threads(o) / gpus, feeders = feeders_of(d);
    team.chunk_bytes = chunk_of(o, d, true);
    team.workers = workers_of(d, team.chunk_bytes,
                              share < 1         ? 1
                              : share < feeders ? share
                                                : feeders);
    return team;
}

/* Whether a GPU could be of use: not where bytes come one after the other. */
static bool may_join(const struct dataset *d)
{
    for (size_t i = 0; i < d->count; i++) {
        if (!d->inputs[i].regular || d->inputs[i].rank > 0)
            return false;
    }
    return d->bytes >= JOIN_MIN &&
           (!d->job.text || bytes_of_rows(d, GPU_ROWS) <= GPU_TEXT);
}

static struct team waiting_team(const struct options *o,
                                const struct dataset *d)
{
    struct team team = gpu_team(o, d, 0, 1);
    /* Nobody asked for its memory: chunks that are larger are the CPU's. */
    struct options tuned = *o;
    tuned.chunk_size = 0;
    size_t most = chunk_of(&tuned, d, true);
    if (team.chunk_bytes > most)
        team.chunk_bytes = most;
    team.waits = true;
    team.start_up = GPU_START_UP;
    team.end = GPU_END;
    team.busy = BUSY_MIN;
    team.rate = d->job.text ? TEXT_RATE : RAW_RATE;
    team.most = d->job.text ? TEXT_MOST : RAW_MOST;
    team.bus = BUS;
    return team;
}

void device_teams(const struct plan *plan, struct dataset *d)
{
    const struct options *o = plan->options;
    d->teams = 0;
    if (o->device == DEVICE_GPU) {
        for (unsigned i = 0; i < plan->gpus; i++)
            d->team[d->teams++] = gpu_team(o, d, plan->gpu[i], plan->gpus);
        return;
    }
    d->team[d->teams++] = cpu_team(o, d);
    if (o->device == DEVICE_AUTO && may_join(d))
        d->team[d->teams++] = waiting_team(o, d);
}

void device_other(const struct plan *plan, const struct dataset *d,
                  struct dataset *other)
{
    const struct options *o = plan->options;
    const struct team *first = &d->team[0];
    size_t grain =
        d->job.text ? 1
                    : CHUNK_ELEMENTS * (size_t)dtype_info(d->job.dtype)->size;
    size_t chunks = first->chunk_bytes / grain;
    unsigned workers = first->workers > 1 ? first->workers - 1 : 2;
    bool gpu = first->backend == &backend_cpu && o->device != DEVICE_CPU &&
               backend_cuda.probe(0, NULL);
    if (gpu && workers > feeders_of(d))
        workers = feeders_of(d);
    /* Cut elsewhere: by a size that shares no factor with the first. */
    other->team[0] =
        (struct team){.backend = gpu ? &backend_cuda : &backend_cpu,
                      .workers = workers,
                      .chunk_bytes = (chunks > 1 ? chunks - 1 : 2) * grain};
    other->teams = 1;
}

/* gpu:all: those that there are. */
static bool list_gpus(struct plan *plan, struct error *e)
{
    if (!backend_cuda.probe(0, e))
        return false;
    unsigned count = backend_cuda.count ? backend_cuda.count() : 1;
    plan->gpus = count < GPUS_MAX ? count : GPUS_MAX;
    for (unsigned i = 0; i < plan->gpus; i++)
        plan->gpu[i] = (int)i;
    return true;
}

bool device_choose(struct plan *plan, struct error *e)
{
    const struct options *o = plan->options;
    plan->device_reason = "asked for";
    if (o->device == DEVICE_AUTO)
        plan->device_reason = "at work at once, reading no slower than PCIe";
    if (o->device != DEVICE_CPU && backend_cuda.prepare)
        backend_cuda.prepare();
    if (o->device != DEVICE_GPU)
        return true;
    plan->gpus = o->gpus;
    for (unsigned i = 0; i < o->gpus; i++)
        plan->gpu[i] = o->gpu[i];
    if (o->all_gpus)
        return list_gpus(plan, e);
    /* Else a lane finds out, while buffers are made ready beside it. */
    for (unsigned i = 0; o->explain && i < plan->gpus; i++) {
        if (!backend_cuda.probe(plan->gpu[i], e))
            return false;
    }
    return true;
}
