/* SPDX-License-Identifier: MIT */
/* Sums of single exponents that outgrow their bins: many equal elements at two
 * scales that no window holds together, added in one step and in parts that are
 * merged. */
#include <stdlib.h>

#include "check.h"
#include "reduce/cpu/accumulator.h"

/* 2^22 elements of each scale. A bin of mantissas is full after 2^10 of them, a
 * bin of their squares after 2^21. */
enum { ELEMENTS = 1 << 15, PARTS = 1 << 8 };

static double data[ELEMENTS];

static void fill(unsigned small, unsigned large, bool negative)
{
    const uint64_t fraction = (1ull << 52) - 1;
    for (int i = 0; i < ELEMENTS; i++) {
        uint64_t exponent = i % 2 ? small : large;
        data[i] = double_of_bits((uint64_t)negative << 63 | exponent << 52 |
                                 fraction);
    }
}

static void check_monoid(const struct cpu_loops *loops, enum monoid monoid)
{
    struct accumulator *w = malloc(sizeof *w);
    union state once, all, want, again;
    if (!w)
        abort();
    accumulator_init(w, monoid, DTYPE_f64);
    monoids[monoid].init(&once, DTYPE_f64);
    all = want = again = once;
    accumulator_begin(w, &once);
    loops->run[monoid][DTYPE_f64](w, data, ELEMENTS, 0);
    accumulator_end(w);
    accumulator_begin(w, &all);
    for (int i = 0; i < PARTS; i++)
        loops->run[monoid][DTYPE_f64](w, data, ELEMENTS, 0);
    accumulator_end(w);
    for (int i = 0; i < PARTS; i++)
        monoids[monoid].merge(&want, &once);
    CHECK(memcmp(all.exact.word, want.exact.word,
                 want.exact.words * sizeof want.exact.word[0]) == 0,
          "%s %s", loops->name, monoids[monoid].name);
    /* The bins have been emptied. */
    accumulator_begin(w, &again);
    loops->run[monoid][DTYPE_f64](w, data, ELEMENTS, 0);
    accumulator_end(w);
    CHECK(memcmp(again.exact.word, once.exact.word,
                 once.exact.words * sizeof once.exact.word[0]) == 0,
          "%s %s", loops->name, monoids[monoid].name);
    exact_trim(&once.exact, &all.exact);
    CHECK(once.exact.room > 0, "%s", loops->name);
    free(w);
}

static void check_scales(unsigned small, unsigned large)
{
    const struct cpu_loops *loops;
    for (int negative = 0; negative < 2; negative++) {
        fill(small, large, negative);
        for (size_t i = 0; (loops = cpu_loops(i)); i++) {
            check_monoid(loops, MONOID_sum);
            check_monoid(loops, MONOID_sumabs);
            check_monoid(loops, MONOID_sumsq);
        }
    }
}

int main(void)
{
    check_scales(0, 2046); /* with subnormals */
    check_scales(1, 2046);
    check_scales(700, 1400);
    return check_end();
}
