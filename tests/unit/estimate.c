/* SPDX-License-Identifier: MIT */
/* When a GPU joins a run: the expected times, computed by stepping through
 * them, cases in which it must not join, and the measurement of a run. */
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

/* Returns the seconds until the last byte is done, in steps of 0.1 ms. */
static double stepped(const struct estimate *e, const struct team *team)
{
    const double step = 1e-4;
    double t = 0, left = e->left;
    /* Starting the GPU occupies one worker. With two workers, the other one
     * also stops until then. */
    unsigned others = e->workers > 2 ? e->workers - 1 : 0;
    unsigned feeders = team->workers < e->workers ? team->workers : e->workers;
    for (; left > 0; t += step) {
        double fed = feeders * team->rate;
        if (t < team->start_up)
            left -= step * e->rate / e->workers * others;
        else
            left -= step * ((fed < team->most ? fed : team->most) +
                            e->rate / e->workers * (e->workers - feeders));
    }
    return t;
}

static void test_times(void)
{
    static const unsigned workers[] = {1, 2, 8, 9, 16, 64};
    for (double rate = 1e9; rate < 300e9; rate *= 1.7) {
        for (double left = 1e6; left < 1e12; left *= 3.1) {
            for (size_t i = 0; i < 6; i++) {
                struct estimate e = estimate(rate, left, workers[i]);
                bool pays = estimate_pays(&e, &gpu);
                double done = stepped(&e, &gpu), want = done + gpu.end;
                CHECK(e.alone == left / rate);
                /* If the workers finish before the GPU has started they do not
                 * wait for it, so it cannot pay. */
                if (done > gpu.start_up)
                    CHECK(fabs(e.joined - want) < 5e-3 + 1e-3 * want,
                          "%g %g %u: %g, not %g", rate, left, workers[i],
                          e.joined, want);
                else
                    CHECK(!pays);
                CHECK(!pays || want < e.alone);
            }
        }
    }
}

/* Typical cases, some of them measured. */
static void test_cases(void)
{
    const double gib = 1 << 30;
    /* A plain sum, which 16 threads read as fast as memory allows: never. */
    struct estimate e = estimate(150e9, 1024 * gib, 16);
    CHECK(!estimate_pays(&e, &gpu));
    /* All operations, which keep the threads busy: pays for large files. */
    e = estimate(41e9, 64 * gib, 16);
    CHECK(estimate_pays(&e, &gpu));
    CHECK(e.alone / e.joined > 1.15);
    /* An early estimate may be wrong by more, so more gain is needed. */
    e = estimate(41e9, 24 * gib, 16);
    CHECK(estimate_pays(&e, &gpu));
    CHECK(e.alone / e.joined < 1.25);
    e.rough = 0.25;
    CHECK(!estimate_pays(&e, &gpu));
    /* Measured: cores that reduce all operations at 69 GB/s need 0.50 s alone
     * and 0.52 s with a GPU; cores at 54 GB/s need 0.60 s and 0.57 s. */
    e = estimate(69e9, 32 * gib, 16);
    CHECK(!estimate_pays(&e, &gpu));
    CHECK(fabs(e.alone - 0.50) < 0.01 && fabs(e.joined - 0.52) < 0.02);
    e = estimate(54e9, 32 * gib, 16);
    CHECK(estimate_pays(&e, &gpu));
    e = estimate(41e9, 4 * gib, 16);
    CHECK(!estimate_pays(&e, &gpu));
    /* With two cores none works during the start-up of 0.23 s. Then the 8 GiB
     * take their time at 13.2 GB/s, and the end takes 0.07 s. */
    e = estimate(10e9, 8 * gib, 2);
    CHECK(!estimate_pays(&e, &gpu));
    CHECK(fabs(e.alone - 0.859) < 0.001 && fabs(e.joined - 0.951) < 0.001);
    /* Threads that wait for a disk: the GPU would wait, too. */
    e = estimate(3e9, 64 * gib, 16);
    e.busy = 0.1;
    CHECK(!estimate_pays(&e, &gpu));
}

/* Measures a meter that the test moves itself. Other processes may delay the
 * test, so the wall time between two marks is read from the watch. */
static void test_watch(void)
{
    const struct team first = {.workers = 2};
    struct meter meter = {.cut = 1000};
    struct watch w;
    watch_init(&w, &meter, &first, 500000);
    CHECK_DOUBLE(watch_left(&w), 500000);
    watch_mark(&w);
    static const double rough[] = {0.25, 0.10, 0, 0};
    for (int i = 0; i < 4; i++) {
        const uint64_t since = w.at, moved = 10000 + (uint64_t)i;
        const double worked = w.processor;
        meter.cut += moved;
        while (meter_now() < since + 20000000)
            ;
        const struct estimate e = watch_look(&w);
        const double seconds = 1e-9 * (double)(w.at - since);
        CHECK(fabs(e.rate * seconds / (double)moved - 1) < 1e-9, "%g", e.rate);
        CHECK(e.busy > 0 &&
              fabs(e.busy * seconds * 2 - (w.processor - worked)) < 1e-9);
        CHECK_DOUBLE(e.rough, rough[i]);
        CHECK_DOUBLE(e.left, 500000 + 1000 - (double)meter.cut);
        CHECK_U64(e.workers, 2);
    }
    meter.cut = 501001; /* more than was known of */
    CHECK_DOUBLE(watch_left(&w), 0);
}

/* A run that is cut short, after which the team does all of it alone. */
static void test_instead(void)
{
    struct estimate e = estimate(10e9, 40e9, 16);
    CHECK(estimate_pays_instead(&e, &gpu, 50e9, 0.2));
    /* 4 s alone; 0.23 + 0.07 + 0.2 s and 50 GB at 50 GB/s. */
    CHECK(fabs(e.alone - 4) < 1e-9 && fabs(e.joined - 1.5) < 1e-9);
    e.rough = 1.7; /* 1.5 s * 2.75 is over 4 s */
    CHECK(!estimate_pays_instead(&e, &gpu, 50e9, 0.2));
    e = estimate(10e9, 40e9, 16);
    CHECK(!estimate_pays_instead(&e, &gpu, 50e9, 2.6));
    e.busy = 0.5;
    CHECK(!estimate_pays_instead(&e, &gpu, 50e9, 0.2));
    /* Two feeders give less than the bus takes: 13.2 GB/s. */
    struct team slow = gpu;
    slow.workers = 2;
    e = estimate(1e9, 13.2e9, 16);
    CHECK(estimate_pays_instead(&e, &slow, 13.2e9, 0));
    CHECK(fabs(e.joined - 1.3) < 1e-9);
}

int main(void)
{
    test_watch();
    test_instead();
    test_times();
    test_cases();
    return check_end();
}
