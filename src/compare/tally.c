/* SPDX-License-Identifier: MIT */
#include "compare/tally.h"

void compare_tally_merge(struct compare_tally *into,
                         const struct compare_tally *from)
{
    into->pairs += from->pairs;
    into->nans.either += from->nans.either;
    into->nans.one += from->nans.one;
    into->missing += from->missing;
    into->one_missing += from->one_missing;
    into->mismatches += from->mismatches;
    if (from->first_mismatch < into->first_mismatch)
        into->first_mismatch = from->first_mismatch;
    if (from->steps > into->steps)
        into->steps = from->steps;
    const struct compare_worst *worst[] = {&from->absolute, &from->relative,
                                           &from->beyond};
    struct compare_worst *ours[] = {&into->absolute, &into->relative,
                                    &into->beyond};
    for (int i = 0; i < 3; i++)
        compare_worst_offer(ours[i], worst[i]->bits, worst[i]->index);
}
