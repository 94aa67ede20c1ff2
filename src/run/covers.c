/* SPDX-License-Identifier: MIT */
#include "run/covers.h"

#include <stdlib.h>
#include <string.h>

#include "reduce/distinct_items.h"
#include "reduce/keys.h"
#include "run/sample.h"

/* COVER_BYTES: the most bytes of keys that a first pass may be expected to
 * keep, over all groups. Since a sample can be wrong, a worker may keep twice
 * the bytes expected of its group, and COVER_SLACK more. */
enum { COVER_BYTES = 256 << 20, COVER_SLACK = 4 << 20 };

/* Data of at least FINE_BYTES get a second, fine sample if the first expects
 * more than 1 in FINE_SHARE of their bytes to be kept. Keeping 1 % of 4 GiB
 * took 29 ms of CPU time, the fine sample 80 ms. */
enum { FINE_BYTES = 512 << 20, FINE_SHARE = 32 };

size_t covers_ranks(const struct plan *plan, uint64_t n, uint64_t *rank)
{
    size_t ranks = 0;
    for (size_t i = 0; n > 0 && i < plan->ops; i++)
        ranks += op_ranks(plan->op[i], plan->interpolation, n, rank + ranks);
    for (size_t i = 0; n > 0 && i < plan->assertions; i++) {
        const struct assertion *a = &plan->assertion[i];
        for (size_t k = 0; k < a->names; k++)
            ranks +=
                op_ranks(a->name[k].op, plan->interpolation, n, rank + ranks);
    }
    return ranks;
}

size_t covers_ranks_most(const struct plan *plan)
{
    size_t ops = plan->ops;
    for (size_t i = 0; i < plan->assertions; i++)
        ops += plan->assertion[i].names;
    return ops * OP_RANKS_MAX;
}

/* Finds the shares of the numbers at which the ranks lie; neighbouring ranks
 * have one share. Returns how many shares there are, 0 if they are too many. */
static size_t find_shares(const struct plan *plan, uint64_t *rank,
                          double share[COVER_SHARES])
{
    const uint64_t many = 1ull << 40, near = 1 << 10;
    const size_t ranks = covers_ranks(plan, many, rank);
    size_t n = 0;
    qsort(rank, ranks, sizeof *rank, rank_compare);
    for (size_t i = 0; i < ranks; i++) {
        if (i > 0 && rank[i] - rank[i - 1] < near)
            continue;
        if (n == COVER_SHARES)
            return 0;
        share[n++] = (double)rank[i] / (double)(many - 1);
    }
    return n;
}

/* The most of narrow types that is kept, since counting each value takes one
 * pass, too. At 3 % of f16, keeping takes as long with AVX-512, longer without.
 */
static const double NARROW_KEPT = 0.02;

/* Bytes of keys, over all groups. */
struct budget {
    double room;     /* that may still be asked for */
    double expected; /* that covering all groups would keep */
};

/* Sets what the pass asks of a group and takes the bytes off the room. Does
 * nothing if it would keep more bytes. */
static bool ask_group(const struct sample *s, const struct dataset *d, size_t g,
                      const double *share, size_t shares,
                      struct rank_part *part, struct rank_parts *to,
                      struct budget *budget, struct error *e)
{
    const struct rank_sample *of = &s->of[g];
    struct rank_part made[COVER_PARTS];
    double kept;
    size_t n;
    if (!cover_make(of, share, shares, made, &n, &kept, e))
        return false;
    const double numbers = (double)of->end[of->blocks - 1] * (double)d->bytes /
                           (double)s->bytes,
                 bytes = kept * numbers * dtype_info(of->dtype)->size;
    budget->expected += bytes;
    if (n == 0 || bytes > budget->room ||
        (!d->reads_again && kept > NARROW_KEPT))
        return true;
    budget->room -= bytes;
    memcpy(part, made, n * sizeof *part);
    *to = (struct rank_parts){.parts = n,
                              .bins = n,
                              .keeps = true,
                              .covers = true,
                              .room = 2 * (size_t)bytes + COVER_SLACK,
                              .takes_wides = true,
                              .part = part};
    return true;
}

static bool ask_groups(const struct plan *plan, const struct dataset *d,
                       const struct sample *s, struct rank_parts *parts,
                       struct rank_part *part, struct budget *budget,
                       struct error *e)
{
    double share[COVER_SHARES];
    uint64_t *rank = malloc((covers_ranks_most(plan) + 1) * sizeof *rank);
    if (!rank)
        return error_memory(e);
    const size_t shares = find_shares(plan, rank, share);
    free(rank);
    bool ok = true;
    for (size_t g = 0; ok && g < s->groups; g++)
        ok = ask_group(s, d, g, share, shares, part + g * COVER_PARTS,
                       &parts[g], budget, e);
    return ok;
}

/* Samples the data once. Sets *expected to the bytes that would be kept. */
static bool ask_by_sample(const struct plan *plan, const struct dataset *d,
                          bool is_fine, struct rank_parts *parts,
                          struct rank_part **part, double *expected,
                          struct error *e)
{
    struct budget budget = {.room = COVER_BYTES};
    struct sample s;
    bool ok = sample_read(&s, d, plan->settings.threads, is_fine, e);
    if (ok && s.blocks > 0) {
        if (!*part)
            *part = malloc(s.groups * COVER_PARTS * sizeof **part);
        ok = (*part || error_memory(e)) &&
             ask_groups(plan, d, &s, parts, *part, &budget, e);
    }
    *expected = budget.expected;
    sample_close(&s);
    return ok;
}

bool covers_ask(const struct plan *plan, const struct dataset *d,
                struct rank_parts *parts, struct rank_part **part,
                struct error *e)
{
    double expected;
    *part = NULL;
    return ask_by_sample(plan, d, false, parts, part, &expected, e) &&
           (d->job.text || d->bytes < FINE_BYTES ||
            expected * FINE_SHARE < (double)d->bytes ||
            ask_by_sample(plan, d, true, parts, part, &expected, e));
}

bool covers_find(const struct plan *plan, enum dtype dtype,
                 const struct distinct *from, struct ranks *to)
{
    struct distinct_item *list;
    uint64_t *rank = malloc((covers_ranks_most(plan) + 1) * sizeof *rank);
    size_t n, ranks = 0;
    uint64_t all = 0, below = 0;
    const bool ok = rank && distinct_items(from, &list, &n);
    for (size_t i = 0; ok && i < n; i++) {
        if (dtype_is_float(dtype) && list[i].key == keys_nan(dtype)) {
            to->nans = list[i].count;
            list[i--] = list[--n];
        } else {
            list[i].key = rank_key(dtype, list[i].key);
            all += list[i].count;
        }
    }
    if (ok) {
        distinct_items_sort(list, n);
        ranks = covers_ranks(plan, all, rank);
        qsort(rank, ranks, sizeof *rank, rank_compare);
        to->found = calloc(ranks + 1, sizeof *to->found);
    }
    for (size_t i = 0; to->found && i < n; i++) {
        const bool is_negative = !(list[i].key >> 63);
        below += list[i].count;
        for (; to->founds < ranks && rank[to->founds] < below; to->founds++)
            to->found[to->founds] = (struct rank_found){
                rank[to->founds],
                list[i].key,
                {is_negative ? -list[i].wide : list[i].wide, 0, is_negative}};
    }
    free(rank);
    if (ok)
        free(list);
    return to->found;
}
