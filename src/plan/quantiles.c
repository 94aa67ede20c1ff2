/* SPDX-License-Identifier: MIT */
#include "plan/quantiles.h"

#include "engine/owner.h"

enum {
    BITS_MOST = 16,
    /* If copies for each worker had fewer bits, the workers share the bins. */
    BITS_OWNED = 12,
    BITS_LEAST = 4,
    /* The most bytes of text and of other data of which all values are kept,
     * although the data could be read again. In text, 2 bytes may become a
     * value of 8. Other data are read faster than bins of 512 KiB are cleared
     * and searched. */
    KEPT_TEXT = 16 << 20,
    KEPT_RAW = 256 << 10,
};

/* The logarithm to base 2, rounded down; 0 for 0. */
static unsigned log2_of(uint64_t x)
{
    return x ? 63 - (unsigned)__builtin_clzll(x) : 0;
}

static unsigned at_most(unsigned bits, unsigned most)
{
    return bits < most ? bits : most;
}

/* The most bits for which the first team's backend has counters; BITS_MOST if
 * it does not count. */
static unsigned bits_of_backend(const struct dataset *d, size_t ranges)
{
    const uint64_t counters = d->team[0].backend->rank_counters;
    const bool counts = counters > 0 && !d->job.text &&
                        dataset_is_readable_twice(d) &&
                        ranges <= counters >> BITS_LEAST;
    return counts ? log2_of(counters / ranges) : BITS_MOST;
}

unsigned quantiles_bits(const struct dataset *d, size_t ranges)
{
    const uint64_t counters = STATES_BYTES / sizeof(uint64_t);
    const unsigned most = bits_of_backend(d, ranges);
    uint64_t copies = 1;
    for (size_t i = 0; i < d->teams; i++)
        copies += d->team[i].workers;
    const unsigned owned = log2_of(counters / (ranges * copies)),
                   shared = log2_of(counters / ranges);
    if (owned >= BITS_OWNED)
        return at_most(owned, most);
    return shared < BITS_LEAST ? BITS_LEAST : at_most(shared, most);
}

/* The bits of the widest type of a row. Computed columns are f64, whatever the
 * others are. */
static unsigned width_of(const struct dataset *d)
{
    unsigned width = 0;
    for (size_t row = 0; row < job_groups(&d->job); row++) {
        const enum dtype dtype = dtype_info(dataset_dtype(d, row))->computed;
        const unsigned bits = 8 * dtype_info(dtype)->size;
        width = bits > width ? bits : width;
    }
    return width;
}

void quantiles_plan(const struct plan *plan, struct dataset *d)
{
    const unsigned set = d->job.monoids | d->job.by.monoids;
    if (!(set & MONOID_BIT(ranks)) || d->has_axes)
        return;
    if (plan_is_by(d)) {
        d->reads_again = plan->bins && !plan->has_range;
        return;
    }
    const unsigned width = width_of(d),
                   bits = quantiles_bits(d, job_groups(&d->job));
    const bool is_whole = bits >= width,
               is_twice = dataset_is_readable_twice(d);
    const bool is_small = d->bytes <= (d->job.text ? KEPT_TEXT : KEPT_RAW);
    if (plan->bins) {
        d->reads_again = is_twice && !plan->has_range && !is_small;
        return;
    }
    d->rank_bits = is_whole ? width : !is_twice || is_small ? 0 : bits;
    d->reads_again = !is_whole && d->rank_bits > 0;
}
