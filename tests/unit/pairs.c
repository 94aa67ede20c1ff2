/* SPDX-License-Identifier: MIT */
/* Pairs of columns: their numbering, and their sums, which are compared with
 * the product of each row, added one by one. */
#include "reduce/cpu/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "reduce/cpu/accumulator.h"

enum { ROWS = 1400, COLUMNS = 3 };

/* Counting gives the expected order of a matrix. */
static void test_numbers(void)
{
    for (size_t columns = 1; columns < 40; columns++) {
        const struct pairing p = {PAIRING_MATRIX, columns, 0};
        struct column_pair next = {0, 0};
        size_t group = 0;
        for (size_t i = 0; i < columns; i++) {
            for (size_t j = i; j < columns; j++, group++) {
                const struct column_pair at = pairing_at(&p, group);
                CHECK(at.first == i && at.second == j, "%zu", group);
                CHECK(next.first == i && next.second == j, "%zu", group);
                CHECK_U64(pairing_group(&p, at), group);
                next = pairing_next(&p, next);
            }
            CHECK_U64(pairing_of_column(&p, i), group - (columns - i));
        }
        CHECK(next.first == 0 && next.second == 0);
        CHECK_U64(pairing_groups(&p), group);
    }
    const struct pairing large = {PAIRING_MATRIX, 4096, 0};
    for (size_t i = 0; i < 4096; i += 5) {
        const struct column_pair last = {i, 4095}, first = {i, i};
        const size_t g = pairing_group(&large, last);
        CHECK(pairing_at(&large, g).first == i, "%zu", i);
        CHECK(pairing_at(&large, pairing_group(&large, first)).second == i);
    }
    const struct pairing w = {PAIRING_WEIGHTS, 3, 5};
    CHECK(pairing_at(&w, 2).first == 2 && pairing_at(&w, 2).second == 5);
    CHECK(pairing_next(&w, (struct column_pair){2, 5}).first == 0);
    CHECK(pairing_of_column(&w, 1) == 1 && pairing_of_column(&w, 5) == 0);
}

/* kind 0: products are exact in two parts; 1: few bits, products are exact in
 * one; 2: any exponent. */
static double draw(int kind)
{
    const double x = (double)(int64_t)check_random();
    if (kind == 1)
        return (double)check_below(2000) - 1000;
    return kind == 0 ? x * 0x1p-60 : ldexp(x, (int)check_below(2100) - 1130);
}

/* Whether p + e is exactly a * b, by adding all in one state. */
static bool is_product(double a, double b, double p, double e)
{
    struct exact x, left;
    exact_init(&x, DTYPE_f64, EXACT_SQUARE);
    exact_add_product(&x, (const double[]){-a, b}, 2);
    exact_add_product(&x, (const double[]){p, 1}, 2);
    exact_add_product(&x, (const double[]){e, 1}, 2);
    exact_trim(&left, &x);
    return left.room == 0 && !x.nan && !x.plus_inf && !x.minus_inf;
}

static void test_products(void)
{
    double a[64 + PRODUCTS_ROOM] = {0}, b[64 + PRODUCTS_ROOM] = {0};
    double p[64 + PRODUCTS_ROOM], e[64 + PRODUCTS_ROOM];
    const struct cpu_loops *loops;
    for (size_t set = 0; (loops = cpu_loops(set)); set++) {
        unsigned inexact = 0;
        for (int round = 0; round < 600; round++) {
            const int kind = round % 3;
            const size_t n = kind == 2 ? check_below(4) : check_below(65);
            bool has_errors = false;
            for (size_t i = 0; i < n; i++) {
                a[i] = draw(kind);
                b[i] = draw(kind);
            }
            for (size_t i = n; i < 64; i++)
                a[i] = b[i] = 0;
            const unsigned made = loops->products(a, b, n, p, e);
            inexact += made & PRODUCTS_INEXACT;
            for (size_t i = 0; !(made & PRODUCTS_INEXACT) && i < n; i++) {
                CHECK(is_product(a[i], b[i], p[i], e[i]), "%s: %a * %a",
                      loops->name, a[i], b[i]);
                has_errors |= e[i] != 0;
            }
            CHECK(made & PRODUCTS_INEXACT ||
                      has_errors == (made == PRODUCTS_ROUND),
                  "%s", loops->name);
            CHECK(kind == 2 || !(made & PRODUCTS_INEXACT), "%s", loops->name);
        }
        CHECK(inexact > 20 && inexact < 200, "%s: %u", loops->name, inexact);
    }
}

/* A column of a chunk, with the kind of cell in each row. */
struct made {
    struct column column;
    double values[ROWS];
    uint32_t rows[ROWS], bad_rows[ROWS];
    struct wide_integer wide[ROWS];
    enum { NUMBER, MISSING, BAD, WIDE } what[ROWS];
    double part[ROWS][2]; /* the value is the sum of both */
};

static void make_column(struct made *m, size_t rows, int kind, bool has_gaps)
{
    struct column *c = &m->column;
    *c = (struct column){.dtype = DTYPE_f64,
                         .values = m->values,
                         .bad_rows = m->bad_rows,
                         .wide = m->wide};
    for (size_t r = 0; r < rows; r++) {
        const uint64_t odd = has_gaps ? check_below(40) : 9;
        const uint64_t magnitude = check_random() | 1ull << 60 | 1;
        m->what[r] = odd < 4 ? (int)odd : NUMBER;
        m->part[r][0] = odd == 4 ? NAN : odd == 5 ? -INFINITY : draw(kind);
        m->part[r][1] = 0;
        if (m->what[r] == WIDE) {
            m->part[r][0] = -(double)(magnitude >> 11 << 11);
            m->part[r][1] = -(double)(magnitude & 2047);
            m->wide[c->wides++] = (struct wide_integer){magnitude, r, true};
        } else if (m->what[r] == BAD) {
            m->bad_rows[c->bad++] = (uint32_t)r;
        } else if (m->what[r] == NUMBER) {
            m->rows[c->n] = (uint32_t)r;
            m->values[c->n++] = m->part[r][0];
        }
        c->missing += m->what[r] == MISSING;
    }
    c->rows = c->n < rows ? m->rows : NULL;
}

/* Adds all products of one part of each factor. */
static void add_row(struct exact *x, const struct made *const *factor,
                    unsigned n, size_t row)
{
    double f[3];
    for (unsigned choice = 0; choice < 1u << n; choice++) {
        for (unsigned i = 0; i < n; i++)
            f[i] = factor[i]->part[row][choice >> i & 1];
        exact_add_product(x, f, n);
    }
}

/* The expected results of a pair. */
struct want {
    struct exact sum[6];
    struct tally tally;
    uint64_t nans, first_nan;
    uint64_t plus_inf, minus_inf; /* by sign; 0 * Inf counts as both */
};

static void add_want(struct want *w, const struct made *a, const struct made *b,
                     size_t rows, uint64_t first)
{
    const struct made *const factor[6][3] = {{a},    {b},    {a, a},
                                             {b, b}, {a, b}, {a, a, b}};
    static const unsigned factors[6] = {1, 1, 2, 2, 2, 3};
    for (size_t r = 0; r < rows; r++) {
        const double x = a->part[r][0], y = b->part[r][0];
        const bool is_bad = a->what[r] == BAD || b->what[r] == BAD;
        if (is_bad || a->what[r] == MISSING || b->what[r] == MISSING) {
            w->tally.bad += is_bad;
            w->tally.missing += !is_bad;
            continue;
        }
        w->tally.n++;
        if (isnan(x) || isnan(y)) {
            if (w->nans++ == 0)
                w->first_nan = first + r;
        } else if (isinf(x) || isinf(y)) {
            w->plus_inf += (x >= 0 && y >= 0) || (x <= 0 && y <= 0);
            w->minus_inf += (x >= 0 && y <= 0) || (x <= 0 && y >= 0);
        } else {
            for (int i = 0; i < 6; i++)
                add_row(&w->sum[i], factor[i], factors[i], r);
        }
    }
}

static const enum monoid sums[6] = {MONOID_sum,    MONOID_sumb,  MONOID_sumsq,
                                    MONOID_sumsqb, MONOID_sumab, MONOID_sumaab};

static void check_pair(const struct want *w, const struct states *s)
{
    const struct count *count = &states_at(s, 1, MONOID_count)->count;
    CHECK(memcmp(&s->tally[1], &w->tally, sizeof w->tally) == 0);
    CHECK(count->nan == w->nans && count->first_nan == w->first_nan);
    for (int i = 0; i < 6; i++) {
        const struct exact *got = &states_at(s, 1, sums[i])->exact;
        struct exact want, trimmed;
        exact_trim(&want, &w->sum[i]);
        exact_trim(&trimmed, got);
        CHECK(got->nan == w->nans, "%s", monoids[sums[i]].name);
        CHECK_U64(got->plus_inf, w->plus_inf);
        CHECK_U64(got->minus_inf, w->minus_inf);
        CHECK(want.first == trimmed.first && want.room == trimmed.room &&
                  memcmp(want.word, trimmed.word,
                         want.room * sizeof want.word[0]) == 0,
              "%s", monoids[sums[i]].name);
    }
}

/* Two chunks of three columns, and one of their pairs. */
static void test_sums(void)
{
    const unsigned set = MONOID_BIT(count) | MONOID_BIT(sum) |
                         MONOID_BIT(sumb) | MONOID_BIT(sumsq) |
                         MONOID_BIT(sumsqb) | MONOID_BIT(sumab) |
                         MONOID_BIT(sumaab);
    const struct schema schema = {.groups = 2, .dtype = DTYPE_f64};
    struct made *made = malloc(COLUMNS * sizeof *made);
    for (int round = 0; round < 24; round++) {
        const struct pairs_options options = {set, COLUMNS, round % 2};
        struct want want = {.first_nan = INDEX_NONE};
        struct states states;
        struct error e;
        struct pairs *p = pairs_open(&options, &e);
        CHECK(states_open(&states, &schema, set, &e));
        for (int i = 0; i < 6; i++)
            exact_init(&want.sum[i], DTYPE_f64, monoids[sums[i]].map);
        for (int chunk = 0; chunk < 2; chunk++) {
            const size_t rows = check_below(ROWS + 1);
            CHECK(pairs_begin(p, rows, &e));
            for (size_t c = 0; c < COLUMNS; c++) {
                make_column(&made[c], rows, round / 2 % 3, round / 6 % 2);
                CHECK(pairs_keep(p, c, &made[c].column, &e));
            }
            const uint64_t first = (uint64_t)chunk << 28;
            /* Both pairs use the same sums of a column. */
            pairs_add(p, (struct column_pair){2, 1}, first, &states, 0);
            pairs_add(p, (struct column_pair){2, 0}, first, &states, 1);
            add_want(&want, &made[2], &made[0], rows, first);
        }
        check_pair(&want, &states);
        states_close(&states);
        pairs_close(p);
    }
    free(made);
}

int main(void)
{
    test_numbers();
    test_products();
    test_sums();
    return check_end();
}
