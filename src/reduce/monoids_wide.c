/* SPDX-License-Identifier: MIT */
/* Adds integers that f64 cannot hold to the states of each monoid. */
#include "reduce/monoids_parts.h"

/* Adds value * 2^shift to a sum. */
static void exact_step(union state *s, __int128 value, unsigned shift)
{
    struct exact *x = &s->exact;
    exact_add_shifted(x, value, (unsigned)-x->lsb + shift);
    x->not_negative_zero = true;
}

void sum_step_wide(union state *s, struct wide_integer x)
{
    __int128 value = x.magnitude;
    exact_step(s, x.negative ? -value : value, 0);
}

void sumabs_step_wide(union state *s, struct wide_integer x)
{
    exact_step(s, x.magnitude, 0);
}

/* Adds the power of an integer: computes its words, at most 4, and adds each.
 */
static void step_power(union state *s, struct wide_integer x, unsigned power)
{
    uint64_t word[4] = {1};
    for (; power > 0; power--) {
        unsigned __int128 carry = 0;
        for (int i = 0; i < 4; i++) {
            carry += (unsigned __int128)word[i] * x.magnitude;
            word[i] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    for (unsigned i = 0; i < 4; i++)
        exact_step(s, x.negative ? -(__int128)word[i] : word[i], 64 * i);
}

void sumsq_step_wide(union state *s, struct wide_integer x)
{
    x.negative = false;
    step_power(s, x, 2);
}

void sumcube_step_wide(union state *s, struct wide_integer x)
{
    step_power(s, x, 3);
}

void sumfourth_step_wide(union state *s, struct wide_integer x)
{
    x.negative = false;
    step_power(s, x, 4);
}

void count_step_wide(union state *s, struct wide_integer x)
{
    (void)x;
    s->count.nonzero++;
}

void wide_step_wide(union state *s, struct wide_integer x)
{
    wide_keep(&s->wide, x);
}
