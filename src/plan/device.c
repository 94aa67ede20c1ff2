/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "plan/device.h"

#include <sched.h>
#include <unistd.h>

#include "backend/registry.h"

enum {
    /* Small files are cut finer, for all threads to have some. */
    SHARES = 4,
    TEXT_MAX = 32 << 20,
    /* What is done once a column and chunk, and not once a cell, is little
     * beside so many cells: 3000 columns in chunks of 19 rows took 1.1 s, of
     * 128 rows 0.7 s. */
    TEXT_ROWS = 128,
    /* A core that takes text at 0.4 GB/s is done with less before a GPU has
     * started. */
    JOIN_MIN = 128 << 20,
};

/* Others join where at least so much of the threads' time is spent at work. */
static const double BUSY_MIN = 0.6;

static const struct backend_cost *cost_of(const struct backend *backend,
                                          const struct dataset *d)
{
    return d->job.text ? &backend->records : &backend->elements;
}

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
                         const struct backend_cost *cost)
{
    uint64_t least = cost->chunk;
    uint64_t share = d->bytes / ((uint64_t)device_threads(o) * SHARES);
    uint64_t rows = bytes_of_rows(d, TEXT_ROWS);
    uint64_t bytes = o->chunk_size   ? o->chunk_size
                     : rows < least  ? least
                     : rows < share  ? rows
                     : share < least ? least
                                     : share;
    return bytes < TEXT_MAX ? (size_t)bytes : TEXT_MAX;
}

static size_t elements_chunk(const struct options *o, const struct dataset *d,
                             const struct backend_cost *cost)
{
    if (cost->mapped == 0 || !may_be_mapped(d))
        return cost->chunk;
    uint64_t share = d->bytes / ((uint64_t)device_threads(o) * SHARES);
    return share < cost->chunk    ? cost->chunk
           : share > cost->mapped ? cost->mapped
                                  : (size_t)share;
}

static size_t chunk_of(const struct options *o, const struct dataset *d,
                       const struct backend *backend)
{
    const struct backend_cost *cost = cost_of(backend, d);
    if (d->job.text)
        return text_chunk(o, d, cost);
    return chunk_bytes_of(o, d->job.dtype, elements_chunk(o, d, cost));
}

/* No more workers than chunks. */
static unsigned workers_of(const struct dataset *d, size_t chunk_bytes,
                           uint64_t workers)
{
    uint64_t full = d->bytes / chunk_bytes;
    return (unsigned)(workers <= full ? workers : full + 1);
}

/* The team of one of so many devices, between which the threads are shared. */
static struct team team_of(const struct options *o, const struct dataset *d,
                           const struct backend *backend, int device,
                           unsigned devices)
{
    struct team team = {.backend = backend, .device = device};
    const unsigned most = cost_of(backend, d)->workers;
    unsigned share = device_threads(o) / devices;
    share = share > 0 ? share : 1;
    team.chunk_bytes = chunk_of(o, d, backend);
    team.workers =
        workers_of(d, team.chunk_bytes, most && share > most ? most : share);
    return team;
}

/* Whether the backend could be of use beside the first: not where bytes come
 * one after the other. */
static bool may_join(const struct backend *backend, const struct dataset *d)
{
    const struct backend_cost *cost = cost_of(backend, d);
    for (size_t i = 0; i < d->count; i++) {
        if (!d->inputs[i].regular || d->inputs[i].rank > 0)
            return false;
    }
    return backend->contexts && d->bytes >= JOIN_MIN &&
           (!d->job.text || bytes_of_rows(d, cost->rows) <= cost->chunk);
}

static struct team waiting_team(const struct options *o,
                                const struct dataset *d,
                                const struct backend *backend)
{
    const struct backend_cost *cost = cost_of(backend, d);
    struct team team = team_of(o, d, backend, 0, 1);
    /* Nobody asked for its memory: chunks that are larger are the first's. */
    struct options tuned = *o;
    tuned.chunk_size = 0;
    size_t most = chunk_of(&tuned, d, backend);
    if (team.chunk_bytes > most)
        team.chunk_bytes = most;
    team.waits = true;
    team.start_up = backend->start_up;
    team.end = backend->end;
    team.busy = BUSY_MIN;
    team.rate = cost->rate;
    team.most = cost->most;
    team.bus = backend->bus;
    return team;
}

void device_teams(const struct plan *plan, struct dataset *d)
{
    const struct options *o = plan->options;
    d->teams = 0;
    for (unsigned i = 0; i < plan->devices; i++)
        d->team[d->teams++] =
            team_of(o, d, o->backend, plan->device[i], plan->devices);
    if (o->backend)
        return;
    d->team[d->teams++] = team_of(o, d, backends[0], 0, 1);
    /* One team at most waits. */
    for (size_t i = 1; backends[i] && d->teams == 1; i++) {
        if (may_join(backends[i], d))
            d->team[d->teams++] = waiting_team(o, d, backends[i]);
    }
}

/* One that can be used besides the dataset's; itself where there is none, or
 * the first was asked for. */
static const struct backend *other_backend(const struct options *o,
                                           const struct backend *backend)
{
    struct error e;
    if (backend != backends[0])
        return backends[0];
    for (size_t i = 1; !o->backend && backends[i]; i++) {
        if (backends[i]->contexts &&
            (!backends[i]->probe || backends[i]->probe(0, &e)))
            return backends[i];
    }
    return backend;
}

void device_other(const struct plan *plan, const struct dataset *d,
                  struct dataset *other)
{
    const struct team *first = &d->team[0];
    size_t grain =
        d->job.text ? 1
                    : CHUNK_ELEMENTS * (size_t)dtype_info(d->job.dtype)->size;
    size_t chunks = first->chunk_bytes / grain;
    unsigned workers = first->workers > 1 ? first->workers - 1 : 2;
    const struct backend *backend =
        other_backend(plan->options, first->backend);
    const unsigned most = cost_of(backend, d)->workers;
    if (most && workers > most)
        workers = most;
    /* Cut elsewhere: by a size that shares no factor with the first. */
    other->team[0] =
        (struct team){.backend = backend,
                      .workers = workers,
                      .chunk_bytes = (chunks > 1 ? chunks - 1 : 2) * grain};
    other->teams = 1;
}

/* Those that are asked for; of "all", those that there are. */
static bool list_devices(struct plan *plan, struct error *e)
{
    const struct options *o = plan->options;
    plan->devices = o->devices;
    for (unsigned i = 0; i < o->devices; i++)
        plan->device[i] = o->device[i];
    if (!o->all_devices)
        return true;
    if (o->backend->probe && !o->backend->probe(0, e))
        return false;
    unsigned count = backend_count(o->backend);
    plan->devices = count < DEVICES_MAX ? count : DEVICES_MAX;
    for (unsigned i = 0; i < plan->devices; i++)
        plan->device[i] = (int)i;
    return true;
}

bool device_choose(struct plan *plan, struct error *e)
{
    const struct options *o = plan->options;
    const struct backend *backend = o->backend;
    plan->device_reason = "asked for";
    if (!backend)
        plan->device_reason = "at work at once, reading no slower than PCIe";
    for (size_t i = 0; backends[i]; i++) {
        if (backends[i]->prepare && (!backend || backend == backends[i]))
            backends[i]->prepare();
    }
    if (!backend)
        return true;
    if (!backend->contexts)
        return backend->probe(0, e);
    if (!list_devices(plan, e))
        return false;
    /* Else a context finds out, while buffers are made ready beside it. */
    for (unsigned i = 0; o->explain && backend->probe && i < plan->devices;
         i++) {
        if (!backend->probe(plan->device[i], e))
            return false;
    }
    return true;
}
