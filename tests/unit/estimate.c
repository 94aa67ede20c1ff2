/* SPDX-License-Identifier: MIT */
/* When a GPU joins: the times that are expected, worked out by stepping through
 * them, and where it must not. */
#include "engine/estimate.h"

#include <math.h>

#include "check.h"

static const struct team gpu = {.workers = 8,
                                .start_up = 0.23,
                                .end = 0.07,
                                .busy = 0.6,
                                .rate = 6.6e9,
                                .most = 50e9};

static struct estimate estimate(double rate, double left, unsigned workers)
{
    return (struct estimate){
        .rate = rate, .busy = 1, .left = left, .workers = workers};
}

/* Seconds until the last byte is done, by steps of a tenth of a millisecond. */
static double stepped(const struct estimate *look, const struct team *team)
{
    const double step = 1e-4;
    double t = 0, left = look->left;
    /* One place is the start's, and of two workers neither goes on. */
    unsigned others = look->workers > 2 ? look->workers - 1 : 0;
    unsigned feeders =
        team->workers < look->workers ? team->workers : look->workers;
    for (; left > 0; t += step) {
        double fed = feeders * team->rate;
        if (t < team->start_up)
            left -= step * look->rate / look->workers * others;
        else
            left -=
                step * ((fed < team->most ? fed : team->most) +
                        look->rate / look->workers * (look->workers - feeders));
    }
    return t;
}

static void test_times(void)
{
    static const unsigned workers[] = {1, 2, 8, 9, 16, 64};
    for (double rate = 1e9; rate < 300e9; rate *= 1.7) {
        for (double left = 1e6; left < 1e12; left *= 3.1) {
            for (size_t i = 0; i < 6; i++) {
                struct estimate look = estimate(rate, left, workers[i]);
                bool pays = estimate_pays(&look, &gpu);
                double done = stepped(&look, &gpu), want = done + gpu.end;
                CHECK(look.alone == left / rate);
                /* Who is done before the GPU has started does not wait for it,
                 * but is not helped. */
                if (done > gpu.start_up)
                    CHECK(fabs(look.joined - want) < 5e-3 + 1e-3 * want,
                          "%g %g %u: %g, not %g", rate, left, workers[i],
                          look.joined, want);
                else
                    CHECK(!pays);
                CHECK(!pays || want < look.alone);
            }
        }
    }
}

/* The cases that PERFORMANCE is about. */
static void test_cases(void)
{
    const double gib = 1 << 30;
    /* A plain sum that 16 threads take as fast as memory gives it: never. */
    struct estimate look = estimate(150e9, 1024 * gib, 16);
    CHECK(!estimate_pays(&look, &gpu));
    /* All operations, which keep the threads busy: for large files. */
    look = estimate(41e9, 64 * gib, 16);
    CHECK(estimate_pays(&look, &gpu));
    CHECK(look.alone / look.joined > 1.15);
    /* A first look may be wrong by more. */
    look = estimate(41e9, 24 * gib, 16);
    CHECK(estimate_pays(&look, &gpu));
    CHECK(look.alone / look.joined < 1.25);
    look.rough = 0.25;
    CHECK(!estimate_pays(&look, &gpu));
    /* Cores that take all operations at 69 GB/s were seen to need 0.50 s, and
     * 0.52 with a GPU; such that take them at 54, 0.60 and 0.57. */
    look = estimate(69e9, 32 * gib, 16);
    CHECK(!estimate_pays(&look, &gpu));
    CHECK(fabs(look.alone - 0.50) < 0.01 && fabs(look.joined - 0.52) < 0.02);
    look = estimate(54e9, 32 * gib, 16);
    CHECK(estimate_pays(&look, &gpu));
    look = estimate(41e9, 4 * gib, 16);
    CHECK(!estimate_pays(&look, &gpu));
    /* Of two cores neither works beside the start: 0.23 s, then the 8 GiB at
     * 13.2 GB/s, and 0.07. */
    look = estimate(10e9, 8 * gib, 2);
    CHECK(!estimate_pays(&look, &gpu));
    CHECK(fabs(look.alone - 0.859) < 0.001 &&
          fabs(look.joined - 0.951) < 0.001);
    /* Threads that wait for a disk. */
    look = estimate(3e9, 64 * gib, 16);
    look.busy = 0.1;
    CHECK(!estimate_pays(&look, &gpu));
}

int main(void)
{
    test_times();
    test_cases();
    return check_end();
}
