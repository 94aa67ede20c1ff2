/* SPDX-License-Identifier: MIT */
/*
 * Measures how long a cell takes, by its contents and by the function that
 * reads it: the best of many passes over 16384 cells. Their text stays in the
 * second-level cache, and no branch predictor can learn their lengths. A cycle
 * is a third of the time of a dependent 64-bit multiplication.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../backends/random.h"
#include "../bench/clock.h"
#include "csv/number/number.h"
#include "subjects.h"

enum { CELLS = 16384, PASSES = 200, BEFORE = 64 };

static char room[BEFORE + CELLS * COLUMN_STRIDE + BEFORE];
static uint8_t length[CELLS];
static uint64_t bits[CELLS];
static const struct column_of_texts column = {room + BEFORE, length, CELLS,
                                              bits};

static double normal(struct random *r)
{
    double radius = sqrt(-2 * log(1 - random_unit(r)));
    return radius * cos(6.283185307179586 * random_unit(r));
}

static double price(struct random *r)
{
    return exp(3 + normal(r));
}

static double small(struct random *r)
{
    return (double)(1 + random_below(r, 99));
}

static double any_whole(struct random *r)
{
    return (double)random_below(r, 1ull << random_below(r, 31));
}

static const struct {
    const char *name, *format;
    double (*draw)(struct random *r);
    bool whole;
} kinds[] = {
    {"1 to 99", "%.0f", small, true},
    {"1 to 10 digits", "%.0f", any_whole, true},
    {"prices, %.2f", "%.2f", price, false},
    {"normal, %.9g", "%.9g", normal, false},
    {"uniform, %.17g", "%.17g", random_unit, false},
    {"normal, %.17g", "%.17g", normal, false},
    {"normal, %.6e", "%.6e", normal, false},
    {"normal, %.18e", "%.18e", normal, false},
};

static size_t read_plainly(enum dtype dtype, const struct column_of_texts *c,
                           const struct powers *t)
{
    size_t undecided = 0;
    for (size_t i = 0; i < c->n; i++) {
        const char *p = c->text + i * COLUMN_STRIDE, *end = p + c->length[i];
        enum number_kind kind =
            dtype_is_float(dtype) ? number_float(dtype, p, end, t, &c->bits[i])
                                  : number_integer(dtype, p, end, &c->bits[i]);
        undecided += kind != NUMBER_OK;
    }
    return undecided;
}

/* Returns cycles a second. */
static double clock_rate(void)
{
    volatile uint64_t seed = 3;
    double best = 1;
    for (int pass = 0; pass < 400; pass++) {
        double start = seconds();
        uint64_t x = seed;
        for (int i = 0; i < 100000; i++)
            x *= x;
        seed = x | 3;
        double time = seconds() - start;
        best = time < best ? time : best;
    }
    return 300000 / best;
}

static void measure(const char *reader, enum dtype dtype, double rate,
                    size_t (*read)(enum dtype dtype,
                                   const struct column_of_texts *c,
                                   const struct powers *t))
{
    double best = 1;
    size_t undecided = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        double start = seconds();
        undecided = read(dtype, &column, number_powers());
        double time = seconds() - start;
        best = time < best ? time : best;
    }
    printf("  %-9s %s %6.1f ns %6.1f cycles", reader, dtype_info(dtype)->name,
           best / CELLS * 1e9, best / CELLS * rate);
    printf(undecided ? "  %zu not decided\n" : "\n", undecided);
}

static void measure_kind(size_t kind, double rate)
{
    static const enum dtype dtypes[] = {DTYPE_f64, DTYPE_f32, DTYPE_i64};
    struct random r = {1};
    for (size_t i = 0; i < CELLS; i++)
        length[i] = (uint8_t)sprintf(room + BEFORE + i * COLUMN_STRIDE,
                                     kinds[kind].format, kinds[kind].draw(&r));
    printf("%s\n", kinds[kind].name);
    for (size_t k = 0; k < (kinds[kind].whole ? 3 : 2); k++) {
        for (size_t i = 0; quick_sets(i); i++)
            measure(quick_sets(i)->name, dtypes[k], rate,
                    quick_sets(i)->column);
        measure("number.h", dtypes[k], rate, read_plainly);
    }
}

int main(void)
{
    double rate = clock_rate();
    printf("%.2f GHz\n", rate * 1e-9);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        measure_kind(i, rate);
    return 0;
}
