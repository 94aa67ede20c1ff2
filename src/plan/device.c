/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "plan/device.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "backend/registry.h"
#include "cli/options.h"
#include "format/pack.h"
#include "plan/axes.h"
#include "plan/by.h"
#include "plan/saving.h"

_Static_assert((int)DEVICES_MAX <= (int)TEAMS_MAX, "a device has a team");

enum {
    /* Small files are cut into this many chunks for each thread, so that all
     * threads get some. */
    SHARES = 4,
    /* The most bytes of a chunk of text. */
    TEXT_MAX = 32 << 20,
    /* Rows of a chunk of text, if the file is large enough for all threads.
     * Work that is done once for each column and chunk then takes little time
     * beside that for each cell: 3000 columns took 1.1 s in chunks of 19 rows,
     * 0.7 s in chunks of 128. */
    TEXT_ROWS = 128,
    /* Bytes of data, at least, for a GPU to join. A core that reads text at 0.4
     * GB/s finishes less before a GPU has started. */
    JOIN_MIN = 128 << 20,
    /* Bytes of the chunks of a device that is short of memory. A context of raw
     * data takes 3.7 MB besides its two slots, so that smaller ones would save
     * an eighth of it at most. */
    SHORT_LEAST = 256 << 10,
    /* The most elements of a chunk with keys. A worker of the CPU uses about 50
     * bytes for each. */
    KEYED_MOST = 16 * CHUNK_ELEMENTS,
    /* The same for a device: the three slots of each of 8 workers pin 16 bytes
     * for each element. */
    KEYED_MOST_DEVICE = 64 * CHUNK_ELEMENTS,
};

/* Another team joins if the threads are busy for at least this share of the
 * time. */
static const double BUSY_MIN = 0.6;

static const struct backend_cost *cost_of(const struct backend *backend,
                                          const struct dataset *d)
{
    return !d->job.text                               ? &backend->elements
           : plan_is_by(d) && backend->keyed.most > 0 ? &backend->keyed
                                                      : &backend->records;
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

static uint64_t share_of(const struct plan *plan, const struct dataset *d)
{
    const struct input *whole = d->inputs[0].whole;
    /* Workers that finish an array take the next one of the FILE. */
    if (whole && whole->pack->bytes > 0)
        return whole->pack->bytes / ((uint64_t)plan->settings.threads * SHARES);
    return d->bytes / ((uint64_t)plan->settings.threads * SHARES);
}

/* The unit of a chunk's size in bytes. Text may be cut to any size. */
static size_t grain_of(const struct dataset *d)
{
    return d->job.text ? 1 : CHUNK_ELEMENTS * dtype_info(d->job.dtype)->size;
}

static bool may_be_mapped(const struct dataset *d)
{
    for (size_t i = 0; i < d->count; i++) {
        if (!d->inputs[i].regular || d->inputs[i].big_endian)
            return false;
    }
    return true;
}

/* The bytes of so many rows, of text in the columns that are reduced. */
static uint64_t bytes_of_rows(const struct dataset *d, uint64_t rows)
{
    const struct csv_table *t = d->table;
    return t->fields ? rows * t->record_bytes / t->fields * d->job.columns : 0;
}

static uint64_t text_chunk(const struct plan *plan, const struct dataset *d,
                           const struct backend_cost *cost)
{
    uint64_t least = cost->chunk;
    uint64_t share = share_of(plan, d);
    uint64_t rows = bytes_of_rows(d, TEXT_ROWS);
    uint64_t bytes = rows < share ? rows : share;
    return bytes > least ? bytes : least;
}

static uint64_t elements_chunk(const struct plan *plan, const struct dataset *d,
                               const struct backend_cost *cost)
{
    if (cost->mapped == 0 || !may_be_mapped(d))
        return cost->chunk;
    uint64_t share = share_of(plan, d);
    share = share < cost->chunk    ? cost->chunk
            : share > cost->mapped ? cost->mapped
                                   : share;
    return d->inputs[0].whole && d->bytes < share ? d->bytes : share;
}

/* The bytes of a chunk. `asked` is as plan->chunk_size. */
static size_t chunk_of(const struct plan *plan, const struct dataset *d,
                       const struct backend *backend, uint64_t asked)
{
    const struct backend_cost *cost = cost_of(backend, d);
    const bool is_text = d->job.text != NULL;
    uint64_t bytes = asked     ? asked
                     : is_text ? text_chunk(plan, d, cost)
                               : elements_chunk(plan, d, cost);
    uint64_t most = is_text ? TEXT_MAX : CHUNK_BYTES_MAX;
    size_t grain = grain_of(d);
    if (!is_text && plan_is_by(d))
        most = (backend == backends[0] ? KEYED_MOST : KEYED_MOST_DEVICE) *
               dtype_info(d->job.dtype)->size;
    bytes = bytes < most ? bytes : most;
    bytes = bytes > 0 ? bytes : 1;
    return (size_t)(bytes + grain - 1) / grain * grain;
}

/* The number of workers, at most one for each chunk. */
static unsigned workers_of(const struct dataset *d, size_t chunk_bytes,
                           uint64_t workers)
{
    uint64_t full = d->bytes / chunk_bytes;
    return (unsigned)(workers <= full ? workers : full + 1);
}

/* The team of a device, which gets its share of the threads: the plan divides
 * them among `devices` devices. */
static struct team team_of(const struct plan *plan, const struct dataset *d,
                           const struct backend *backend, int device,
                           unsigned devices)
{
    struct team team = {.backend = backend, .device = device};
    const unsigned most = cost_of(backend, d)->workers;
    unsigned share = plan->settings.threads / devices;
    share = share > 0 ? share : 1;
    team.chunk_bytes = chunk_of(plan, d, backend, plan->chunk_size);
    team.chunk_least = plan->chunk_size ? 0 : SHORT_LEAST;
    team.workers =
        workers_of(d, team.chunk_bytes, most && share > most ? most : share);
    return team;
}

static unsigned faster_on_host(const struct backend *backend,
                               const struct dataset *d)
{
    return backend->faster_on_host & ~(d->job.text ? 0 : backend->kept);
}

/* Whether the plan may use a device that the user did not ask for. What is
 * computed must suit it, and inputs that are streams do not. */
static bool is_for_devices(const struct backend *backend,
                           const struct dataset *d)
{
    if (d->has_axes || d->job.formulas || d->job.folds || d->inputs[0].whole ||
        (plan_is_by(d) && (!d->job.text || by_left_by(backend, d))))
        return false;
    for (size_t i = 0; i < d->count; i++) {
        if (!d->inputs[i].regular || d->inputs[i].is_fortran)
            return false;
    }
    return backend->contexts && d->bytes >= JOIN_MIN && !d->job.texts &&
           !d->job.pairing.kind;
}

/* Whether the backend may save time as a second team. */
static bool may_join(const struct backend *backend, const struct dataset *d)
{
    const struct backend_cost *cost = cost_of(backend, d);
    return is_for_devices(backend, d) &&
           !(faster_on_host(backend, d) & d->job.monoids) &&
           (!d->job.text || bytes_of_rows(d, cost->rows) <= cost->chunk);
}

/* Whether the backend may be faster as the only team. It reduces the monoids of
 * kept_alone only if it is alone; with other teams the host reduces them.
 * Narrow types stay on the host, which has a counter for each of their values.
 */
static bool may_replace(const struct backend *backend, const struct dataset *d)
{
    const unsigned here = backend->kept | backend->kept_alone;
    return !d->job.text && !may_join(backend, d) &&
           dtype_info(d->job.dtype)->size >= 4 &&
           !(d->job.monoids & backend->faster_on_host & ~here) &&
           is_for_devices(backend, d);
}

/* Whether the backend may be faster as the only team for an array along axes.
 */
static bool may_reduce_axes(const struct plan *plan, const struct dataset *d,
                            const struct backend *backend)
{
    return d->has_axes && backend->contexts && d->bytes >= JOIN_MIN &&
           !d->inputs[0].whole && !axes_left(plan, d, backend);
}

static struct team waiting_team(const struct plan *plan,
                                const struct dataset *d,
                                const struct backend *backend)
{
    const struct backend_cost *cost = cost_of(backend, d);
    struct team team = team_of(plan, d, backend, 0, 1);
    /* The user did not ask for this device: it gets no larger chunks than the
     * tuned ones, which take less of its memory. */
    size_t most = chunk_of(plan, d, backend, 0);
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
    /* Arrays are reduced along axes by one device. */
    const unsigned devices = d->has_axes ? plan->devices > 0 : plan->devices;
    const char *saves = saving_left(plan, d);
    d->teams = 0;
    d->left = d->has_axes     ? axes_left(plan, d, plan->backend)
              : plan_is_by(d) ? by_left(plan, d)
                              : formulas_left(plan, d);
    if (saves && plan->backend && plan->backend != backends[0])
        d->left = saves;
    for (unsigned i = 0; !d->left && i < devices; i++)
        d->team[d->teams++] =
            team_of(plan, d, plan->backend, plan->device[i], devices);
    if (d->teams == 0)
        d->team[d->teams++] = team_of(plan, d, backends[0], 0, 1);
    if (d->counts_records)
        d->team[0].workers = 1;
    if (plan->backend || saves)
        return;
    /* One team at most waits. */
    for (size_t i = 1; backends[i] && d->teams == 1; i++) {
        if (may_join(backends[i], d)) {
            d->team[d->teams++] = waiting_team(plan, d, backends[i]);
        } else if (may_replace(backends[i], d) ||
                   may_reduce_axes(plan, d, backends[i])) {
            d->instead = waiting_team(plan, d, backends[i]);
            d->instead.waits = false;
        }
    }
}

/* Another backend than that of the dataset's first team. The same one if no
 * other can be used, or if the user asked for it. */
static const struct backend *other_backend(const struct plan *plan,
                                           const struct dataset *d)
{
    const struct backend *backend = d->team[0].backend;
    struct error e;
    if (backend != backends[0] || d->job.pairing.kind || d->has_axes ||
        d->job.formulas || d->job.folds || plan_is_by(d))
        return backends[0];
    for (size_t i = 1; !plan->backend && backends[i]; i++) {
        if (backends[i]->contexts &&
            (!backends[i]->probe || backends[i]->probe(0, &e)))
            return backends[i];
    }
    return backend;
}

struct dataset dataset_verification(const struct plan *plan,
                                    const struct dataset *d)
{
    const struct team *first = &d->team[0];
    struct dataset other = *d;
    size_t grain = grain_of(d);
    size_t chunks = first->chunk_bytes / grain;
    unsigned workers = d->counts_records    ? 1
                       : first->workers > 1 ? first->workers - 1
                                            : 2;
    const struct backend *backend = other_backend(plan, d);
    const unsigned most = cost_of(backend, d)->workers;
    /* Chunks are cut elsewhere: in grains, the sizes have no common factor. */
    other.team[0] =
        (struct team){.backend = backend,
                      .workers = most && workers > most ? most : workers,
                      .chunk_bytes = (chunks > 1 ? chunks - 1 : 2) * grain,
                      .chunk_least = first->chunk_least};
    other.teams = 1;
    other.job.portable = true;
    other.job.notes = false;
    return other;
}

/* Lists the devices asked for; for "all", those of the machine. */
static bool list_devices(struct plan *plan, const struct options *o,
                         struct error *e)
{
    plan->devices = o->devices;
    memcpy(plan->device, o->device, sizeof o->device);
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

bool device_choose(struct plan *plan, const struct options *o, struct error *e)
{
    const struct backend *backend = o->backend;
    plan->backend = backend;
    plan->chunk_size = o->chunk_size;
    for (size_t i = 0; backends[i]; i++) {
        if (backends[i]->prepare && (!backend || backend == backends[i]))
            backends[i]->prepare();
    }
    if (!backend)
        return true;
    if (!backend->contexts)
        return backend->probe(0, e);
    if (!list_devices(plan, o, e))
        return false;
    /* A run does not probe here: its contexts find out, while other threads
     * prepare buffers. */
    for (unsigned i = 0; o->explain && backend->probe && i < plan->devices;
         i++) {
        if (!backend->probe(plan->device[i], e))
            return false;
    }
    return true;
}
