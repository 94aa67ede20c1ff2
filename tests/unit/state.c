/* SPDX-License-Identifier: MIT */
/* States: extrema with their first index, counts, and the table of monoids. */
#include "reduce/state.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "guard.h"
#include "reduce/cpu/accumulator.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Returns an f64's key: its bits, ordered as integers; -0 and 0 are equal. */
static uint64_t key_of(double x)
{
    int64_t bits = (int64_t)bits_of(x);
    return key_of_signed(bits < 0 ? INT64_MIN - bits : bits);
}

/* Keys have the order of the numbers. */
static void test_keys(void)
{
    static const int64_t n[] = {INT64_MIN, -2, -1, 0, 1, INT64_MAX};
    for (int i = 0; i < 5; i++)
        CHECK(key_of_signed(n[i]) < key_of_signed(n[i + 1]), "%d", i);
}

/* Returns the state of one element. */
static struct extrema one(double x, uint64_t index)
{
    struct extrema e;
    extrema_init(&e);
    if (isnan(x)) {
        e.nans = 1;
        e.first_nan = index;
        return e;
    }
    e.min = (struct extremum){key_of(x), bits_of(x), index};
    e.max = e.min;
    return e;
}

static void check_extremum(const struct extremum *e, const double *x, int n,
                           bool greatest)
{
    int best = -1;
    for (int i = 0; i < n; i++) {
        if (!isnan(x[i]) &&
            (best < 0 || (greatest ? x[i] > x[best] : x[i] < x[best])))
            best = i;
    }
    CHECK_U64(e->index, best < 0 ? INDEX_NONE : (uint64_t)best);
    if (best >= 0)
        CHECK_U64(e->bits, bits_of(x[best]));
}

/* Merged in any order: the first of equal values wins, and the first NaN. */
static void test_extrema(void)
{
    static const double values[] = {0.0, -0.0, 1,        2,
                                    -1,  NAN,  INFINITY, -INFINITY};
    for (int round = 0; round < 5000; round++) {
        struct extrema part[12];
        double x[12];
        int n = (int)check_below(13), nans = 0, first_nan = -1;
        for (int i = 0; i < n; i++) {
            x[i] = values[check_below(round % 2 ? 8 : 5)];
            part[i] = one(x[i], (uint64_t)i);
            nans += isnan(x[i]) != 0;
            first_nan = isnan(x[i]) && first_nan < 0 ? i : first_nan;
        }
        struct extrema all;
        extrema_init(&all);
        for (int left = n; left > 0; left--) {
            size_t i = check_below((uint64_t)left);
            extrema_merge(&all, &part[i]);
            part[i] = part[left - 1];
        }
        check_extremum(&all.min, x, n, false);
        check_extremum(&all.max, x, n, true);
        CHECK_U64(all.nans, (uint64_t)nans);
        CHECK_U64(all.first_nan, nans ? (uint64_t)first_nan : INDEX_NONE);
    }
}

/* Cut anywhere, with NaN anywhere, and merged in any order. */
static void test_ends(void)
{
    for (int round = 0; round < 2000; round++) {
        float x[9];
        union state part[9], all;
        uint64_t n = check_below(10),
                 want[4] = {INDEX_NONE, INDEX_NONE, INDEX_NONE, INDEX_NONE};
        int parts = 0;
        for (uint64_t i = 0; i < n; i++) {
            x[i] = check_below(2) ? NAN : (float)i;
            for (int k = isnan(x[i]) ? 2 : 4; k-- > 0;)
                want[k] = k % 2 || want[k] == INDEX_NONE ? i : want[k];
        }
        for (uint64_t at = 0, step; at < n; at += step, parts++) {
            step = 1 + check_below(n - at);
            monoids[MONOID_ends].init(&part[parts], DTYPE_f32);
            state_add_ends(&part[parts], DTYPE_f32, x + at, step, at);
        }
        monoids[MONOID_ends].init(&all, DTYPE_f32);
        for (; parts > 0; parts--) {
            size_t i = check_below((uint64_t)parts);
            monoids[MONOID_ends].merge(&all, &part[i]);
            part[i] = part[parts - 1];
        }
        CHECK_U64(all.ends.first.index, want[0]);
        CHECK_U64(all.ends.last.index, want[1]);
        CHECK_U64(all.ends.first_number.index, want[2]);
        CHECK_U64(all.ends.last_number.index, want[3]);
        if (want[3] != INDEX_NONE)
            CHECK_U64(all.ends.last_number.bits,
                      dtype_from_double(DTYPE_f32, (double)want[3]));
    }
}

static void test_count(void)
{
    struct count a, b;
    count_init(&a);
    count_init(&b);
    CHECK_U64(a.first_nan, INDEX_NONE);
    b = (struct count){.nan = 1, .inf = 2, .nonzero = 30, .first_nan = 9};
    count_merge(&a, &b);
    b.first_nan = 4;
    count_merge(&a, &b);
    b.first_nan = 7;
    count_merge(&a, &b);
    CHECK(a.nan == 3 && a.inf == 6 && a.nonzero == 90 && a.first_nan == 4);
}

/* Every row of the table is complete, and new states are empty. */
static void test_table(void)
{
    static const char *const names[] = {
        "count",    "sum",        "sumabs", "sumsq",   "prod",
        "extrema",  "absextrema", "ends",   "sumcube", "sumfourth",
        "wide",     "sumb",       "sumsqb", "sumab",   "sumaab",
        "distinct", "tallies",    "sketch", "ranks"};
    const unsigned loop_monoids = (MONOID_BIT(wide) - 1) | MONOID_BIT(ranks);
    CHECK_INT(MONOIDS_END, sizeof names / sizeof names[0]);
    for (int m = 0; m < MONOIDS_END; m++) {
        const struct monoid_row *row = &monoids[m];
        CHECK_TEXT(row->name, names[m]);
        CHECK(row->size && row->init && row->merge && row->fields, "%s",
              row->name);
        for (int d = 0; d < DTYPES_END; d++) {
            union state s;
            row->init(&s, (enum dtype)d);
            CHECK(!row->nans || row->nans(&s) == 0, "%s", row->name);
            CHECK(row->size((enum dtype)d) <= sizeof s, "%s", row->name);
        }
        const struct cpu_loops *loops;
        for (size_t i = 0; (loops = cpu_loops(i)); i++) {
            for (int d = 0; d < DTYPES_END; d++)
                CHECK(!loops->run[m][d] == !(loop_monoids >> m & 1), "%s of %s",
                      row->name, loops->name);
        }
    }
    unsigned takes = MONOID_BIT(count) | MONOID_BIT(sum) | MONOID_BIT(sumabs) |
                     MONOID_BIT(sumsq) | MONOID_BIT(sumcube) |
                     MONOID_BIT(sumfourth) | MONOID_BIT(wide) |
                     MONOID_BIT(distinct) | MONOID_BIT(tallies) |
                     MONOID_BIT(sketch) | MONOID_BIT(ranks);
    for (int m = 0; m < MONOIDS_END; m++)
        CHECK(!monoids[m].step_wide == !(takes >> m & 1), "%s", names[m]);
    CHECK_INT(monoids[MONOID_sum].map, EXACT_VALUE);
    CHECK_INT(monoids[MONOID_sumabs].map, EXACT_MAGNITUDE);
    CHECK_INT(monoids[MONOID_sumsq].map, EXACT_SQUARE);
    CHECK_INT(monoids[MONOID_sumcube].map, EXACT_CUBE);
    CHECK_INT(monoids[MONOID_sumfourth].map, EXACT_FOURTH);
    CHECK_INT(monoids[MONOID_sumaab].map, EXACT_CUBE);
}

/* Integers that f64 cannot hold, in compact and dense states, merged in any
 * order. */
static void test_wide(void)
{
    const struct compact *compact = monoids[MONOID_wide].compact;
    for (int round = 0; round < 200; round++) {
        union state *all = malloc(compact->size(DTYPE_f64)), dense;
        uint8_t a[sizeof dense], b[sizeof a];
        int64_t least = 0, greatest = 0;
        compact->init(all, DTYPE_f64);
        monoids[MONOID_wide].init(&dense, DTYPE_f64);
        for (uint64_t i = check_below(5); i > 0; i--) {
            union state one;
            int64_t x = (int64_t)(check_random() >> 2 | 1ull << 60);
            x = check_below(2) ? -x : x;
            compact->init(&one, DTYPE_f64);
            one.wide.rounded = 3;
            monoids[MONOID_wide].step_wide(
                &one, (struct wide_integer){(uint64_t)llabs(x), i, x < 0});
            monoids[MONOID_wide].merge(all, &one);
            monoids[MONOID_wide].merge(&dense, &one);
            compact->close(&one);
            least = least == 0 || x < least ? x : least;
            greatest = greatest == 0 || x > greatest ? x : greatest;
            const struct wide *w = wide_whole(&all->wide);
            CHECK_U64(w->min.magnitude, (uint64_t)llabs(least));
            CHECK_U64(w->max.magnitude, (uint64_t)llabs(greatest));
            CHECK_U64(w->first.index, i);
            CHECK_U64(all->wide.rounded % 3, 0);
            CHECK(all->wide.rounded > 0);
        }
        CHECK((wide_whole(&all->wide) == NULL) == (least == 0));
        size_t n = state_write(MONOID_wide, all, a);
        CHECK_U64(state_write(MONOID_wide, &dense, b), n);
        CHECK(memcmp(a, b, n) == 0);
        compact->close(all);
        free(all);
    }
}

/* A merged state counts the NaN of both. */
static void test_nans(void)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        float x[] = {1, NAN, 2, NAN};
        union state s, t;
        if (!monoids[m].nans || m == MONOID_ranks ||
            !cpu_loops_base.run[m][DTYPE_f32])
            continue;
        struct accumulator *w = malloc(sizeof *w);
        accumulator_init(w, (enum monoid)m, DTYPE_f32);
        monoids[m].init(&s, DTYPE_f32);
        accumulator_begin(w, &s);
        cpu_loops_base.run[m][DTYPE_f32](w, x, 4, 0);
        accumulator_end(w);
        CHECK_U64(monoids[m].nans(&s), 2);
        t = s;
        monoids[m].merge(&s, &t);
        CHECK_U64(monoids[m].nans(&s), 4);
        free(w);
    }
}

/* Makes a state of random elements. */
static void make_state(struct accumulator *w, enum monoid m, enum dtype dtype,
                       union state *s)
{
    uint64_t x[600];
    for (size_t i = 0; i < 600; i++)
        x[i] = check_below(4) ? check_random() : 0;
    memset(s, 0x5a, sizeof *s); /* bytes after a state must not be read */
    monoids[m].init(s, dtype);
    accumulator_init(w, m, dtype);
    accumulator_begin(w, s);
    if (cpu_loops_base.run[m][dtype])
        cpu_loops_base.run[m][dtype](w, x, check_below(600), 0);
    accumulator_end(w);
    for (int i = 0; m == MONOID_wide && i < 9; i++)
        wide_keep(&s->wide,
                  (struct wide_integer){check_random() | 1ull << 60,
                                        check_below(99), check_below(2)});
}

/* A state that is serialised and read back is serialised to the same bytes, and
 * needs no more memory than in a bank. Bytes that are cut, or those of another
 * dtype, are refused. */
static void test_writing(void)
{
    struct accumulator *w = malloc(sizeof *w);
    const struct guard g = guard_open(sizeof(union state));
    for (int m = 0; m < MONOIDS_END; m++) {
        for (int d = 0; d < DTYPES_END; d++) {
            static uint8_t bytes[sizeof(union state)], again[sizeof bytes];
            enum dtype other = d == DTYPE_f64 ? DTYPE_u8 : DTYPE_f64;
            union state s, *back = malloc(monoids[m].size((enum dtype)d));
            make_state(w, (enum monoid)m, (enum dtype)d, &s);
            size_t n = state_write((enum monoid)m, &s, NULL);
            CHECK(n <= sizeof bytes, "%s", monoids[m].name);
            CHECK_U64(state_write((enum monoid)m, &s, bytes), n);
            CHECK(state_read((enum monoid)m, (enum dtype)d, UINT64_MAX, back,
                             bytes, n),
                  "%s", monoids[m].name);
            CHECK_U64(state_write((enum monoid)m, back, again), n);
            CHECK(memcmp(bytes, again, n) == 0, "%s", monoids[m].name);
            /* No byte after the last is read. */
            for (size_t cut = 0; cut < n; cut += 1 + check_below(9))
                CHECK(!state_read((enum monoid)m, (enum dtype)d, UINT64_MAX,
                                  back, memcpy(guard_last(&g, cut), bytes, cut),
                                  cut));
            CHECK(!state_read((enum monoid)m, (enum dtype)d, UINT64_MAX, back,
                              bytes, n + 1));
            bool is_sum = monoids[m].fields == monoids[MONOID_sum].fields;
            CHECK(state_read((enum monoid)m, other, UINT64_MAX, &s, bytes, n) ==
                      !is_sum,
                  "%s", monoids[m].name);
            free(back);
        }
    }
    free(w);
}

/* Random bytes that claim to be a product are either refused, or merge with an
 * earlier product without leaving the state's memory. */
static void test_hostile_prod(void)
{
    unsigned read = 0;
    for (int round = 0; round < 20000; round++) {
        uint8_t bytes[sizeof(struct prod)];
        union state *all = malloc(sizeof *all), *back = malloc(sizeof *back);
        struct prod p;
        prod_init(&p);
        p.begin = p.end = check_below(4);
        p.nodes = (unsigned)check_below(round % 2 ? 4 : PROD_NODES + 1);
        for (unsigned i = 0; i < p.nodes; i++) {
            p.level[i] = (uint8_t)(check_below(9) ? check_below(3) : 64);
            p.node[i] = (struct prod_node){
                1, check_below(9) ? 5 : (int64_t)check_random()};
            p.end += p.level[i] < 64 ? 1ull << p.level[i] : 0;
        }
        size_t n = state_write(MONOID_prod, &(union state){.prod = p}, bytes);
        monoids[MONOID_prod].init(all, DTYPE_f64);
        for (uint64_t i = 0; i < p.begin; i++)
            prod_push(&all->prod, i, (struct prod_node){1, 0}, 0);
        if (state_read(MONOID_prod, DTYPE_f64, UINT64_MAX, back, bytes, n)) {
            read++;
            monoids[MONOID_prod].merge(all, back);
            CHECK_U64(all->prod.end, p.end);
            CHECK_U64(all->prod.nodes, (unsigned)__builtin_popcountll(p.end));
            CHECK(llabs(prod_value(&all->prod).exponent) < 5 * 102);
        }
        free(all);
        free(back);
    }
    CHECK(read > 100, "%u", read);
}

/* Each row breaks at most one rule of a sound product. */
static void test_sound_prod(void)
{
    static const int64_t leaf = 1075 * PROD_LEAF;
    static const struct {
        uint64_t begin, end;
        unsigned nodes;
        uint8_t level[3];
        double mantissa;
        int64_t exponent;
        bool sound;
    } cases[] = {
        {0, 0, 0, {0}, 1, 0, true},
        {7, 7, 0, {0}, 1, 0, true},
        {0, 1, 0, {0}, 1, 0, false},
        {0, 1, 1, {0}, 1, 0, true},
        {0, 2, 1, {0}, 1, 0, false},
        {0, 0, 1, {0}, 1, 0, false},
        {0, 7, 3, {2, 1, 0}, 1.5, 9, true},
        {1, 8, 3, {0, 1, 2}, 1.5, -9, true},
        {0, 2, 2, {0, 0}, 1, 0, false}, /* two with one parent */
        {1, 3, 2, {0, 0}, 1, 0, true},  /* with two parents */
        {1, 3, 1, {1}, 1, 0, false},    /* not aligned */
        {2, 8, 2, {1, 2}, 1, 0, true},
        {0, 1ull << 39, 1, {39}, 1, 0, true},
        {0, 1ull << 40, 1, {40}, 1, 0, false},
        {1ull << 39, (1ull << 39) + 1, 1, {0}, 1, 0, false},
        {(1ull << 39) - 1, 1ull << 39, 1, {0}, 1, 0, true},
        {0, 1, 1, {0}, -1, 0, true},
        {0, 1, 1, {0}, 0x1.fffffffffffffp0, 0, true},
        {0, 1, 1, {0}, 2, 0, false},
        {0, 1, 1, {0}, 0x1.fffffffffffffp-1, 0, false},
        {0, 1, 1, {0}, 0, 0, false},
        {0, 1, 1, {0}, INFINITY, 0, false},
        {0, 1, 1, {0}, NAN, 0, false},
        {0, 1, 1, {0}, 1, leaf, true},
        {0, 1, 1, {0}, 1, -leaf, true},
        {0, 1, 1, {0}, 1, leaf + 1, false},
        {0, 1, 1, {0}, 1, -leaf - 1, false},
        {0, 2, 1, {1}, 1, 2 * leaf, true},
        {0, 2, 1, {1}, 1, 2 * leaf + 1, false},
        {0, 1, 1, {0}, 1, INT64_MIN, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct prod p;
        prod_init(&p);
        p.begin = cases[i].begin;
        p.end = cases[i].end;
        p.nodes = cases[i].nodes;
        for (unsigned k = 0; k < p.nodes; k++) {
            p.level[k] = cases[i].level[k];
            p.node[k] =
                (struct prod_node){cases[i].mantissa, cases[i].exponent};
        }
        CHECK(prod_is_sound(&p) == cases[i].sound, "row %zu", i);
    }
}

/* Integers that f64 cannot hold, beside the floats next to them. */
static void test_wide_order(void)
{
    static const struct {
        struct wide_integer w;
        double x;
        int order;
    } cases[] = {
        {{UINT64_MAX, 0, false}, 0x1p64, -1},
        {{UINT64_MAX, 0, false}, 0x1.fffffffffffffp63, 1},
        {{UINT64_MAX, 0, true}, -0x1p64, 1},
        {{UINT64_MAX, 0, true}, -0x1.fffffffffffffp63, -1},
        {{UINT64_MAX, 0, true}, 0x1p64, -1},
        {{(1ull << 53) + 1, 0, false}, 0x1p53, 1},
        {{(1ull << 53) + 1, 0, false}, 0x1p53 + 2, -1},
        {{(1ull << 53) + 1, 0, true}, -0x1p53, -1},
        {{(1ull << 53) + 1, 0, false}, -INFINITY, 1},
        {{(1ull << 53) + 1, 0, true}, -INFINITY, 1},
        {{1ull << 60, 0, false}, 0x1p60, 0},
        {{1ull << 60, 0, true}, -0x1p60, 0},
        {{1ull << 60, 0, true}, 0x1p60, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_INT(wide_compare(&cases[i].w, cases[i].x), cases[i].order);
}

int main(void)
{
    test_keys();
    test_extrema();
    test_ends();
    test_count();
    test_table();
    test_wide();
    test_wide_order();
    test_nans();
    test_writing();
    test_hostile_prod();
    test_sound_prod();
    return check_end();
}
