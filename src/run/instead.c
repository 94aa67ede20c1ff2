/* SPDX-License-Identifier: MIT */
#include "run/instead.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "reduce/hash.h"
#include "run/sample.h"

enum {
    /* The most keys of the sample that are counted, and the slots of the hash
     * table for it. */
    KEYS_MOST = 64 << 10,
    SLOTS = 2 * KEYS_MOST,
    /* Integers of so many neighbours are dense. */
    DENSE = 6 << 20,
    /* The most bytes of the device's memory that a 64-bit value takes while the
     * set grows. */
    VALUE_BYTES = 48,
};

/* The most bytes that a set of 64-bit values may take on the device. The device
 * must not run out of memory, since the user did not ask for it. */
static const double SET_BYTES = 32e9;

/* The device must be this much faster, since the estimates are rough. */
static const double MARGIN = 1.1;

/* Nanoseconds that a thread of the CPU takes for an element, by the number of
 * distinct values. Measured on an H200's host with 16, 4 and 1 threads. Their
 * times differ by a third below 10^7 distinct values, and by a factor of up to
 * 2 if nearly all values differ. */
static const struct cost {
    double values, narrow, wide; /* ns: types of up to 32 bits; of 64 */
} costs[] = {
    {1e2, 5, 8}, {1e4, 14, 18}, {1e6, 23, 25}, {1e8, 90, 110}, {1e9, 170, 160},
};

/* Seconds until a device has made a set, after its start-up. */
static const double SET_START = 0.03;

/* The number of different keys among n, which are `step` apart. `slot` has
 * SLOTS zeros. */
static size_t count_different(const uint64_t *key, size_t n, size_t step,
                              uint64_t *slot)
{
    size_t different = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = hash_value(key[i * step]) | 1;
        size_t at = hash >> 32 & (SLOTS - 1);
        while (slot[at] != 0 && slot[at] != hash)
            at = (at + 1) & (SLOTS - 1);
        different += slot[at] == 0;
        slot[at] = hash;
    }
    return different;
}

/* Estimates the number of distinct values in the data from n samples with
 * `different` distinct ones. Assumes that all values are equally frequent: n
 * samples of v values then have v (1 - exp(-n / v)) distinct ones on average.
 */
static double estimate_values(double n, double different)
{
    double low = different, high = 1e12;
    for (int i = 0; i < 100 && high > 1.001 * low; i++) {
        const double v = sqrt(low * high);
        *(v * -expm1(-n / v) < different ? &low : &high) = v;
    }
    return low;
}

static double cost_of(double values, bool is_wide)
{
    const size_t n = sizeof costs / sizeof costs[0];
    size_t i = 0;
    while (i + 2 < n && values > costs[i + 1].values)
        i++;
    const struct cost *a = &costs[i], *b = a + 1;
    double share = log(values / a->values) / log(b->values / a->values);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return is_wide ? a->wide + share * (b->wide - a->wide)
                   : a->narrow + share * (b->narrow - a->narrow);
}

/* Whether the keys of the sample are integers that all fit a window of
 * reduce/distinct_seen.h. They take as long as few values. */
static bool is_dense(const struct rank_sample *s, size_t n)
{
    uint64_t least = UINT64_MAX, greatest = 0;
    for (size_t i = 0; i < n; i++) {
        least = s->key[i] < least ? s->key[i] : least;
        greatest = s->key[i] > greatest ? s->key[i] : greatest;
    }
    return n > 0 && !dtype_is_float(s->dtype) && greatest - least < DENSE;
}

/* Seconds that the CPU would take. */
static double host_time(const struct dataset *d, double values)
{
    const unsigned size = dtype_info(d->job.dtype)->size;
    const double n = (double)(d->bytes / size);
    return 1e-9 * cost_of(fmin(values, n), size == 8) * n / d->team[0].workers;
}

static double device_time(const struct dataset *d)
{
    const struct team *team = &d->instead;
    const double fed = team->workers * team->rate;
    return team->start_up + team->end + SET_START +
           (double)d->bytes / (fed < team->most ? fed : team->most);
}

/* Whether the device has memory for a set, given the estimated number of its
 * values. */
static bool has_memory(const struct dataset *d, double values)
{
    const unsigned size = dtype_info(d->job.dtype)->size;
    const double n = (double)(d->bytes / size);
    /* An estimate of many values is rough. */
    return size < 8 || fmin(n, 4 * values) * VALUE_BYTES < SET_BYTES;
}

static void choose(struct dataset *d, double values, bool dense, char *reason)
{
    struct error e;
    const struct team *team = &d->instead;
    const double host = host_time(d, dense ? costs[0].values : values),
                 device = device_time(d);
    int at = snprintf(reason, TEAM_REASON,
                      "a sample has about %.2g different values: estimated "
                      "%.2f s on the CPU, %.2f s with %s",
                      values, host, device, team->backend->title);
    if (host < MARGIN * device)
        return;
    if (!has_memory(d, values))
        snprintf(reason + at, TEAM_REASON - (size_t)at,
                 ", which may have too little memory");
    else if (team->backend->probe && !team->backend->probe(team->device, &e))
        snprintf(reason + at, TEAM_REASON - (size_t)at, "; but %.90s", e.text);
    else {
        d->team[0] = *team;
        d->teams = 1;
    }
}

bool instead_choose(struct dataset *d, char reason[TEAM_REASON],
                    struct error *e)
{
    struct sample s;
    *reason = '\0';
    if (!d->instead.backend)
        return true;
    uint64_t *slot = calloc(SLOTS, sizeof *slot);
    bool ok = slot || error_memory(e);
    s = (struct sample){.groups = 0};
    ok = ok && sample_read(&s, d, d->team[0].workers, false, e);
    if (ok && s.blocks > 0) {
        const size_t all = s.of[0].end[s.blocks - 1];
        const size_t step = all / KEYS_MOST + 1, n = all / step;
        const size_t different = count_different(s.of[0].key, n, step, slot);
        choose(d, estimate_values((double)n, (double)different),
               is_dense(&s.of[0], all), reason);
    }
    sample_close(&s);
    free(slot);
    return ok;
}

bool instead_failed(const struct plan *plan, struct sink *sink,
                    const struct error *e)
{
    if (e->kind != ERROR_DEVICE || plan->backend)
        return false;
    sink_say(sink, e->text);
    sink_say(sink, "restarting on the CPU");
    return true;
}

bool instead_smaller(const struct plan *plan, struct dataset *d,
                     const struct error *e)
{
    bool any = false;
    if (!plan->backend || !e->lacks_memory)
        return false;
    for (size_t i = 0; i < d->count; i++) {
        if (!d->inputs[i].regular && !d->inputs[i].again)
            return false;
    }
    for (size_t t = 0; t < d->teams; t++) {
        struct team *team = &d->team[t];
        const bool halved = team_halve(team, &team->chunk_bytes);
        any |= halved || team->workers > 1;
        team->is_short |= halved;
        team->workers = (team->workers + 1) / 2;
    }
    return any;
}
