/* SPDX-License-Identifier: MIT */
#include "backend/cuda/ranks.h"

#include <string.h>

#include "kernels/rank/rank.h"
#include "reduce/cover.h"

_Static_assert((int)COVER_PARTS <= (int)GPU_RANGES,
               "a pass by a sample has parts that the kernels do not take");

/* A chunk may keep at most one key in KEPT_SHARE. Sorted data have a few chunks
 * that keep all their keys; the CPU reduces those. */
enum { KEPT_SHARE = 8 };

/* The sum of the counters of range i. It may have two: the size of a range of
 * all keys does not fit one bin. */
static uint64_t sum_of_range(const struct gpu_ranges *r, const uint64_t *count,
                             unsigned i)
{
    const unsigned end = i + 1 < r->n ? r->at[i + 1].first : r->bins;
    uint64_t sum = 0;
    for (unsigned b = r->at[i].first; b < end; b++)
        sum += count[b];
    return sum;
}

/* Adds the part's bins as a range. */
static bool add_bins(struct gpu_ranges *to, const struct rank_part *p)
{
    if (to->n == GPU_RANGES || to->bins + p->bins > GPU_RANGE_BINS)
        return false;
    to->at[to->n++] = (struct gpu_range){p->low, p->span, p->shift, to->bins};
    to->bins += p->bins;
    return true;
}

/* Adds the edges of a histogram: a range of keys from each edge to the next,
 * one before the first edge, and one from the last edge on. */
static bool add_edges(struct cuda_ranks *r, const struct rank_parts *asked)
{
    const uint64_t last = UINT64_MAX >> (64 - 8 * r->key);
    uint64_t low = 0;
    bool ok = true;
    for (size_t i = 0; ok && i <= asked->edges; i++) {
        const uint64_t end = i < asked->edges ? asked->edge[i] : last + 1;
        /* For keys of 64 bits, `last` + 1 is 0. */
        if (i < asked->edges ? end > low : low <= last)
            ok = gpu_ranges_add(&r->counted, low, end - low - 1, 1);
        low = end;
    }
    return ok;
}

static bool add_parts(struct cuda_ranks *r, const struct rank_parts *asked)
{
    bool ok = true;
    for (size_t i = 0; ok && i < asked->parts; i++) {
        const struct rank_part *p = &asked->part[i];
        if (asked->covers)
            ok = gpu_ranges_add(&r->counted, p->low, p->span, 1);
        else if (!asked->keeps)
            ok = add_bins(&r->counted, p);
        if (asked->keeps && p->bins == 0)
            ok = ok && gpu_ranges_add(&r->kept, p->low, p->span, 0);
    }
    return ok;
}

/* Whether the pass keeps all values. */
static bool keeps_all(const struct rank_parts *asked)
{
    return asked->keeps && !asked->covers && asked->takes_wides;
}

void cuda_ranks_init(struct cuda_ranks *r, const struct job *job)
{
    const struct rank_parts *asked = job->ranks ? job->ranks->parts : NULL;
    *r = (struct cuda_ranks){.dtype = dtype_info(job->dtype)->computed};
    r->key = dtype_info(r->dtype)->size;
    if (!(job->monoids & MONOID_BIT(ranks)) || job->text || job->formulas ||
        !asked || keeps_all(asked) ||
        !(asked->edge ? add_edges(r, asked) : add_parts(r, asked)))
        return;
    r->asked = asked;
    if (r->kept.n > 0)
        r->room = job->chunk_bytes / dtype_info(job->dtype)->size / KEPT_SHARE;
}

bool cuda_ranks_suit(const struct job *job)
{
    struct cuda_ranks r;
    cuda_ranks_init(&r, job);
    return r.asked;
}

static size_t count_bytes(const struct cuda_ranks *r)
{
    return (r->counted.bins + 1) * sizeof(uint64_t);
}

size_t cuda_ranks_bytes(const struct cuda_ranks *r)
{
    return r->asked ? count_bytes(r) + r->room * r->key + 2 * 256 : 0;
}

void cuda_ranks_cut(const struct cuda_ranks *r, struct cuda_ranks_slot *s,
                    char **host, char **device)
{
    if (!r->asked)
        return;
    s->host_count = cuda_cut(host, count_bytes(r));
    s->host_keys = cuda_cut(host, r->room * r->key);
    s->count = cuda_cut(device, count_bytes(r));
    s->keys = cuda_cut(device, r->room * r->key);
}

bool cuda_ranks_start(const struct cuda_ranks *r,
                      const struct cuda_ranks_slot *s, const void *data,
                      size_t n, cudaStream_t stream, struct error *e)
{
    if (!r->asked)
        return true;
    uint64_t *used = s->count + r->counted.bins;
    return cuda_check(cudaMemsetAsync(s->count, 0, count_bytes(r), stream),
                      "clearing results", e) &&
           (r->counted.n == 0 ||
            cuda_check(gpu_rank_count(r->dtype, data, n, &r->counted, s->count,
                                      stream),
                       "starting kernels", e)) &&
           (r->kept.n == 0 ||
            (cuda_check(gpu_rank_gather(r->dtype, data, n, &r->kept, s->keys,
                                        r->room, used, stream),
                        "starting kernels", e) &&
             cuda_to_host(s->host_keys, s->keys, r->room * r->key, stream,
                          e))) &&
           cuda_to_host(s->host_count, s->count, count_bytes(r), stream, e);
}

unsigned cuda_ranks_left(const struct cuda_ranks *r,
                         const struct cuda_ranks_slot *s)
{
    return r->asked && s->host_count[r->counted.bins] > r->room
               ? MONOID_BIT(ranks)
               : 0;
}

static void keep(const struct cuda_ranks *r, const struct cuda_ranks_slot *s,
                 struct ranks *into)
{
    const char *from = s->host_keys;
    size_t left = (size_t)s->host_count[r->counted.bins];
    while (left > 0) {
        const size_t n = left < RANK_ROOM ? left : RANK_ROOM;
        void *to = ranks_room(into, n, r->key);
        if (!to)
            return;
        memcpy(to, from, n * r->key);
        into->kept->n += n;
        from += n * r->key;
        left -= n;
    }
}

/* For parts that together cover all numbers: adds to each part's counter how
 * many numbers there are up to the end of the part. */
static void add_covered(const struct cuda_ranks *r, const uint64_t *count,
                        struct ranks *into)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < r->counted.n; i++) {
        sum += sum_of_range(&r->counted, count, i);
        into->count[i] += sum;
    }
}

/* Each range has the keys from an edge to the next edge that differs. `bin`
 * becomes the number of edges up to the range's start. */
static void add_edged(const struct cuda_ranks *r, const uint64_t *count,
                      struct ranks *into)
{
    const struct rank_parts *asked = r->asked;
    for (unsigned i = 0, bin = 0; i < r->counted.n; i++) {
        while (bin < asked->edges && asked->edge[bin] <= r->counted.at[i].low)
            bin++;
        into->count[bin] += sum_of_range(&r->counted, count, i);
    }
}

/* The device does not find the least and the greatest key of a part, so `reach`
 * is the whole part. */
static void add_binned(const struct cuda_ranks *r, const uint64_t *count,
                       struct ranks *into)
{
    for (size_t i = 0; i < r->asked->parts; i++) {
        const struct rank_part *p = &r->asked->part[i];
        const struct gpu_range *range = &r->counted.at[i];
        for (uint32_t bin = 0; bin < p->bins; bin++)
            into->count[p->first + bin] += count[range->first + bin];
        into->reach[i] = (struct rank_reach){0, p->span};
    }
}

void cuda_ranks_take(const struct cuda_ranks *r,
                     const struct cuda_ranks_slot *s, struct states *into)
{
    if (!r->asked || cuda_ranks_left(r, s))
        return;
    struct ranks *to = &states_at(into, 0, MONOID_ranks)->ranks;
    if (r->counted.n > 0 && !ranks_can_count(to))
        return;
    if (r->asked->edge)
        add_edged(r, s->host_count, to);
    else if (r->asked->covers)
        add_covered(r, s->host_count, to);
    else if (!r->asked->keeps)
        add_binned(r, s->host_count, to);
    keep(r, s, to);
}
