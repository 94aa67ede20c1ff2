/* SPDX-License-Identifier: MIT */
/* Distinct values, compared with a count of the sorted values, also when
 * several threads add to one set; the limit of memory; and sketches. */
#include "reduce/distinct.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "check.h"
#include "reduce/distinct_seen.h"
#include "reduce/distinct_set.h"
#include "reduce/hash.h"
#include "reduce/keys.h"
#include "reduce/state.h"

static const struct monoid_row *row(enum monoid m)
{
    return &monoids[m];
}

/* hash_undo reverses the hashes, 0 does not hash to 0, and known hashes keep
 * their values. */
static void test_hash(void)
{
    for (int i = 0; i < 100000; i++) {
        const uint64_t x = check_random() >> check_below(64);
        CHECK_U64(hash_undo(hash_value(x)), x);
        CHECK_U64(hash_undo_32(hash_value_32((uint32_t)x)), (uint32_t)x);
    }
    CHECK(hash_value(0) != 0 && hash_value_32(0) != 0);
    /* The results of sketches depend on the hashes, so these must never change.
     * They were computed in Python. */
    CHECK_U64(hash_value(0), 0xfb133a9c2847f4cc);
    CHECK_U64(hash_value(1), 0xda4ddbf519386855);
    CHECK_U64(hash_text("", 0), 0x90a1638a1c372b1d);
    CHECK_U64(hash_text("gpureduce", 9), 0xb9be826a5c444921);
    CHECK_U64(hash_value_32(1), 0xa4f7896c);
}

/* Checks that n hashes are spread over 4096 parts as evenly as random numbers,
 * within six deviations. The part is given by the 12 bits after the upper
 * `skip` bits. */
static void check_spread(const char *what, const uint64_t *hash, size_t n,
                         unsigned skip)
{
    enum { PARTS = 4096 };
    static uint32_t count[PARTS];
    memset(count, 0, sizeof count);
    for (size_t i = 0; i < n; i++)
        count[hash[i] << skip >> 52]++;
    double chi = 0, mean = (double)n / PARTS;
    for (int i = 0; i < PARTS; i++)
        chi += ((double)count[i] - mean) * ((double)count[i] - mean) / mean;
    /* chi square of 4095 degrees: mean 4095, deviation 90.5 */
    CHECK(chi < 4095 + 6 * 90.5, "%s, after %u bits: %.0f", what, skip, chi);
}

static void test_spread(void)
{
    enum { N = 1 << 16 };
    static uint64_t wide[N], narrow[N];
    for (unsigned shift = 0; shift < 48; shift += 3) {
        for (int kind = 0; kind < 3; kind++) {
            char what[60];
            for (uint64_t i = 0; i < N; i++) {
                const double real = ldexp((double)i, (int)shift - 20);
                const float small = (float)real;
                uint64_t x = i << shift;
                uint32_t y = (uint32_t)(i << shift % 17);
                if (kind == 1) {
                    memcpy(&x, &real, sizeof x);
                    memcpy(&y, &small, sizeof y);
                } else if (kind == 2) {
                    x = i * 1000003 << shift;
                    y = (uint32_t)(i * 65537);
                }
                wide[i] = hash_value(x);
                narrow[i] = (uint64_t)hash_value_32(y) << 32;
            }
            snprintf(what, sizeof what, "kind %d, shift %u", kind, shift);
            check_spread(what, wide, N, 0);
            check_spread(what, wide, N, 8);
            check_spread(what, wide, N, 14);
            check_spread(what, narrow, N, 0);
            check_spread(what, narrow, N, 8);
        }
    }
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The expected results, found by sorting. */
struct answer {
    uint64_t n, count;
    int64_t mode;
};

static struct answer sort_and_count(int64_t *x, size_t n)
{
    struct answer a = {0, 0, 0};
    qsort(x, n, sizeof *x, by_value);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && x[end] == x[i]; end++)
            ;
        a.n++;
        if (end - i > a.count) {
            a.count = end - i;
            a.mode = x[i];
        }
    }
    return a;
}

/* Draws n values of `distinct` different ones, which are 2^shift apart, and of
 * one whose hash is 0. */
static void draw(int64_t *x, size_t n, uint64_t distinct, unsigned shift,
                 bool has_zero)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (int64_t)((check_below(distinct) - distinct / 2) << shift);
        if (has_zero && check_below(9) == 0)
            x[i] = (int64_t)hash_undo(0);
    }
}

enum { WORKERS = 4, EACH = 40000, PIECE = 9000 };

struct worker {
    pthread_t thread;
    union state state;
    enum monoid monoid;
    enum dtype dtype;
    const int64_t *x;
};

/* Writes integers as elements; f64 are half of them. */
static void convert(enum dtype dtype, const int64_t *x, size_t n, char *to)
{
    for (size_t i = 0; i < n; i++) {
        const int64_t wide = x[i];
        const int32_t narrow = (int32_t)wide;
        const double half = 0.5 * (double)wide;
        const float real = (float)wide;
        const void *from = dtype == DTYPE_f64   ? (const void *)&half
                           : dtype == DTYPE_f32 ? (const void *)&real
                           : dtype == DTYPE_i32 ? (const void *)&narrow
                                                : (const void *)&wide;
        memcpy(to + i * dtype_size(dtype), from, dtype_size(dtype));
    }
}

static void *work(void *worker)
{
    struct worker *w = worker;
    char piece[PIECE * 8];
    for (size_t i = 0, n; i < EACH; i += n) {
        n = 1 + (i * 7 + EACH) % PIECE;
        n = n < EACH - i ? n : EACH - i;
        convert(w->dtype, w->x + i, n, piece);
        const struct column c = {.dtype = w->dtype, .n = n, .values = piece};
        row(w->monoid)->add(&w->state, &c);
    }
    return NULL;
}

struct workers {
    enum monoid monoid;
    enum dtype dtype;
    uint64_t distinct; /* values, ... */
    unsigned shift;    /* ... which are 2^shift apart */
    size_t groups;
    bool joins, has_zero;
};

/* Several workers' states, joined to the run's state or only merged with it. */
static void check_workers(struct workers of)
{
    static int64_t x[WORKERS * EACH];
    struct worker w[WORKERS];
    union state all;
    const enum monoid m = of.monoid;
    draw(x, WORKERS * EACH, of.distinct, of.shift, of.has_zero);
    row(m)->init(&all, of.dtype);
    for (int i = 0; i < WORKERS; i++) {
        w[i].monoid = m;
        w[i].dtype = of.dtype;
        w[i].x = x + i * EACH;
        row(m)->init(&w[i].state, of.dtype);
        if (of.joins)
            row(m)->compact->join(&w[i].state, &all, of.groups);
        CHECK_INT(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(w[i].thread, NULL);
    for (int i = 0; i < WORKERS; i++) {
        if (of.joins && i % 2)
            row(m)->compact->join(&w[i].state, NULL, of.groups);
        row(m)->merge(&all, &w[i].state);
        row(m)->compact->close(&w[i].state);
    }
    const struct answer want = sort_and_count(x, WORKERS * EACH);
    CHECK(!row(m)->compact->is_lost(&all));
    CHECK_U64(distinct_n(&all.distinct, of.dtype, true), want.n);
    if (m == MONOID_tallies) {
        const struct distinct_mode mode =
            distinct_most(&all.distinct, DTYPE_i64, false);
        CHECK_U64(mode.count, want.count);
        CHECK_U64(mode.bits, (uint64_t)want.mode);
    }
    row(m)->compact->close(&all);
}

static void test_workers(void)
{
    for (unsigned i = 0; i < 12; i++) {
        const uint64_t distinct[] = {3, 9000, 1 << 20};
        check_workers((struct workers){i % 2 ? MONOID_tallies : MONOID_distinct,
                                       DTYPE_i64, distinct[i / 2 % 3], 4 * i,
                                       i % 3 == 1 ? 5000 : 1, i < 6, false});
    }
    /* Tables of 64 slots, which are emptied many times. */
    check_workers(
        (struct workers){MONOID_tallies, DTYPE_i64, 16, 0, 5000, true, true});
    /* Integers of a window, some of them, and few of them. */
    const enum dtype dtype[] = {DTYPE_i64, DTYPE_i32, DTYPE_f32, DTYPE_f64};
    for (unsigned i = 0; i < 24; i++)
        check_workers((struct workers){MONOID_distinct, dtype[i % 4],
                                       1u << (15 + i / 8), i / 4 % 2,
                                       1 + i / 12 * 4, true, false});
}

/* Texts with equal hashes are told apart. */
static void test_equal_hashes(void)
{
    const struct distinct_kind kind = {.has_texts = true, .has_counts = true};
    struct distinct_set *set = distinct_set_new(kind);
    const struct text_cell cell[] = {{"ab", 2, 0},
                                     {"a", 1, 1},
                                     {"ab", 2, 2},
                                     {"", 0, 3},
                                     {"b", 1, 4},
                                     {"a", 1, 5},
                                     {"8 bytes, 9", 10, 6},
                                     {"9 bytes, 9", 10, 7},
                                     {"8 bytes, 8", 10, 8},
                                     {"8 bytes,", 8, 9},
                                     {"8 bytes, 9", 10, 10},
                                     {"1234x6789", 9, 11},
                                     {"1234y6789", 9, 12}};
    const uint64_t hash[] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    const struct distinct_keys keys = {.hash = hash, .cell = cell};
    CHECK_INT(distinct_set_add(set, &keys, NULL, 13), DISTINCT_KEPT);
    CHECK_U64(distinct_set_n(set), 10);
    distinct_set_free(set);
}

/* A block of keys comes from all over the table. In the order of its slots, the
 * keys of one table take time that is quadratic to add to another that grows.
 */
static void test_order_of_reading(void)
{
    enum { KEYS = 8000, RANGES = 16 };
    struct distinct_set *set = distinct_set_new((struct distinct_kind){0});
    uint64_t hash[KEYS];
    size_t n[RANGES] = {0};
    for (size_t i = 0; i < KEYS; i++)
        hash[i] = hash_value(i + 1);
    const struct distinct_keys keys = {.hash = hash};
    CHECK_INT(distinct_set_add(set, &keys, NULL, KEYS), DISTINCT_KEPT);
    struct distinct_block block = {.from = 0};
    const size_t got = distinct_table_read(distinct_set_table(set, 0), &block);
    CHECK_U64(got, DISTINCT_BLOCK);
    for (size_t i = 0; i < got; i++)
        n[block.keys.hash[i] >> 60]++;
    for (size_t i = 0; i < RANGES; i++)
        CHECK(n[i] > DISTINCT_BLOCK / RANGES / 2, "%zu", n[i]);
    distinct_set_free(set);
}

/* A set that grows out of its single table in the middle of a call. */
static void test_add_many(void)
{
    enum { MOST = 3 * DISTINCT_MOST + 1 };
    static uint64_t hash[MOST], room[MOST];
    const size_t n[] = {0, 1, DISTINCT_MOST, DISTINCT_MOST + 1, MOST};
    for (size_t i = 0; i < MOST; i++)
        hash[i] = hash_value(i);
    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++) {
        struct distinct_set *set =
            distinct_set_new((struct distinct_kind){.has_counts = true});
        CHECK_INT(distinct_set_add_many(set, hash, room, n[i]), DISTINCT_KEPT);
        CHECK_U64(distinct_set_n(set), n[i]);
        distinct_set_free(set);
    }
}

/* The values of a state that is written, read back and merged twice. */
static void check_read_back(const union state *s, enum dtype dtype, uint64_t n,
                            uint64_t bits, uint64_t count)
{
    const size_t bytes = state_write(MONOID_tallies, s, NULL);
    uint8_t *at = malloc(bytes);
    union state back, twice;
    CHECK_U64(state_write(MONOID_tallies, s, at), bytes);
    CHECK(state_read(MONOID_tallies, dtype, UINT64_MAX, &back, at, bytes));
    row(MONOID_tallies)->init(&twice, dtype);
    row(MONOID_tallies)->merge(&twice, &back);
    row(MONOID_tallies)->merge(&twice, &back);
    CHECK_U64(distinct_n(&twice.distinct, dtype, false), n);
    CHECK_U64(distinct_most(&twice.distinct, dtype, false).bits, bits);
    CHECK_U64(distinct_most(&twice.distinct, dtype, false).count, 2 * count);
    row(MONOID_tallies)->compact->close(&twice);
    row(MONOID_tallies)->compact->close(&back);
    free(at);
}

/* The value whose hash is 0 is counted, although 0 marks a free slot. Floats:
 * -0 equals 0, and all NaN are one value. */
static void test_hash_of_zero(void)
{
    const double special[] = {0, -0.0, NAN, -NAN, 5};
    union state s;
    uint64_t x[20000];
    row(MONOID_tallies)->init(&s, DTYPE_u64);
    for (size_t i = 0; i < 20000; i++)
        x[i] = i % 2 ? hash_undo(0) : i;
    const struct column c = {.dtype = DTYPE_u64, .n = 20000, .values = x};
    row(MONOID_tallies)->add(&s, &c);
    CHECK_U64(distinct_n(&s.distinct, DTYPE_u64, false), 10001);
    CHECK_U64(distinct_most(&s.distinct, DTYPE_u64, false).bits, hash_undo(0));
    CHECK_U64(distinct_most(&s.distinct, DTYPE_u64, false).count, 10000);
    check_read_back(&s, DTYPE_u64, 10001, hash_undo(0), 10000);
    row(MONOID_tallies)->compact->close(&s);
    row(MONOID_tallies)->init(&s, DTYPE_f64);
    const struct column reals = {.dtype = DTYPE_f64, .n = 5, .values = special};
    row(MONOID_tallies)->add(&s, &reals);
    CHECK_U64(distinct_n(&s.distinct, DTYPE_f64, false), 3);
    CHECK_U64(distinct_n(&s.distinct, DTYPE_f64, true), 2);
    CHECK_U64(distinct_most(&s.distinct, DTYPE_f64, false).bits, 0);
    row(MONOID_tallies)->compact->close(&s);
}

/* Long lists of numbers are sorted by radix; those of texts and of integers
 * that f64 cannot hold, by comparison. */
static void test_long_lists(void)
{
    enum { N = 300 };
    char text[N][8];
    struct text_cell cell[N];
    union state s;
    for (unsigned i = 0; i < N; i++)
        cell[i] = (struct text_cell){
            text[i], (uint32_t)sprintf(text[i], "%u", i * 37 % N), i};
    const struct column c = {.dtype = DTYPE_f64, .n = N, .texts = cell};
    row(MONOID_tallies)->init(&s, DTYPE_f64);
    row(MONOID_tallies)->add(&s, &c);
    check_read_back(&s, DTYPE_f64, N, 0, 1);
    row(MONOID_tallies)->compact->close(&s);
    row(MONOID_tallies)->init(&s, DTYPE_f64);
    for (unsigned i = 0; i < N; i++)
        distinct_add_wide(
            &s.distinct,
            (struct wide_integer){(1ull << 60) + i * 37 % N, i, i % 2});
    check_read_back(&s, DTYPE_f64, N, 0, 1);
    row(MONOID_tallies)->compact->close(&s);
}

/* Keys of small integers. */
static void make_keys(enum dtype dtype, const int *x, size_t n, uint64_t *key)
{
    for (size_t i = 0; i < n; i++) {
        const double wide = x[i];
        const float narrow = (float)x[i];
        key[i] = dtype_is_float(dtype) ? 0 : (uint64_t)x[i];
        if (dtype == DTYPE_f64)
            memcpy(&key[i], &wide, sizeof wide);
        if (dtype == DTYPE_f32)
            memcpy(&key[i], &narrow, sizeof narrow);
    }
}

/* A window of 4096 integers, which begins 1024 below the least of the first
 * keys. Of those in it, only new ones are left; of others, all. */
static void test_window(enum dtype dtype)
{
    static const struct {
        int key[5], left[5];
        size_t n;
    } rows[] = {
        {{10000, 13071, 13072, 10001, 10002},
         {10000, 13071, 13072, 10001, 10002},
         5},
        {{10000, 13071, 13072, 10001, 10002}, {13072}, 1},
        {{8976, 8975, 10000, 10003, 10001}, {8976, 8975, 10003}, 3},
        {{8976, 8975, 10000, 13070, 10001}, {8975, 13070}, 2},
    };
    struct distinct_unseen unseen = {.rest = 0};
    struct distinct_seen *shared = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t key[5], left[5], room[KEYS_BLOCK];
        const uint64_t *at = key;
        make_keys(dtype, rows[i].key, 5, key);
        make_keys(dtype, rows[i].left, rows[i].n, left);
        CHECK_U64(distinct_seen_leave_out(&unseen, &shared, 4096, dtype, &at, 5,
                                          room),
                  rows[i].n);
        CHECK(memcmp(at, left, rows[i].n * sizeof *at) == 0, "%s, row %zu",
              dtype_info(dtype)->name, i);
    }
    distinct_seen_free(shared);
}

/* Only crafted states have texts and numbers for one column. */
static void test_mixed(void)
{
    const struct text_cell cell = {"1", 1, 0};
    const double one = 1;
    const struct column column[] = {
        {.dtype = DTYPE_f64, .n = 1, .texts = &cell},
        {.dtype = DTYPE_f64, .n = 1, .values = &one}};
    for (int i = 0; i < 2; i++) {
        union state s, other;
        row(MONOID_distinct)->init(&s, DTYPE_f64);
        row(MONOID_distinct)->init(&other, DTYPE_f64);
        row(MONOID_distinct)->add(&s, &column[i]);
        row(MONOID_distinct)->add(&other, &column[!i]);
        row(MONOID_distinct)->merge(&s, &other);
        CHECK(row(MONOID_distinct)->compact->is_lost(&s));
        row(MONOID_distinct)->compact->close(&other);
        row(MONOID_distinct)->compact->close(&s);
    }
}

/* Closed states have given back all memory that they took, which are lost and
 * which are not. */
static void check_given_back(enum monoid m, const struct column *c, bool joins)
{
    union state s, total;
    row(m)->init(&total, c->dtype);
    row(m)->init(&s, c->dtype);
    if (joins && row(m)->compact->join)
        row(m)->compact->join(&s, &total, 1);
    row(m)->add(&s, c);
    row(m)->merge(&total, &s);
    CHECK(!row(m)->compact->is_lost(&s) || row(m)->compact->is_lost(&total));
    row(m)->compact->close(&s);
    row(m)->compact->close(&total);
    CHECK(memory_take(2 << 20), "%s of %zu", row(m)->name, c->n);
    memory_give(2 << 20);
}

static void test_memory(void)
{
    enum { N = 40000 };
    static const enum monoid m[] = {MONOID_distinct, MONOID_tallies,
                                    MONOID_sketch};
    static char text[N][8];
    static struct text_cell cell[N];
    static uint64_t x[N];
    memory_set_limit(2 << 20);
    for (unsigned i = 0; i < N; i++) {
        x[i] = i;
        cell[i] =
            (struct text_cell){text[i], (uint32_t)sprintf(text[i], "%u", i), i};
    }
    for (size_t n = 50; n <= N; n *= n < 5000 ? 10 : 8) {
        const struct column numbers = {.dtype = DTYPE_u64, .n = n, .values = x},
                            texts = {.dtype = DTYPE_f64, .n = n, .texts = cell};
        for (int i = 0; i < 6; i++) {
            check_given_back(m[i / 2], &numbers, i % 2);
            check_given_back(m[i / 2], &texts, i % 2);
        }
    }
    memory_set_limit(0);
}

/* A run that would exceed the limit fails with an error that names it, and
 * gives back all memory that it took. */
static void test_limit(void)
{
    enum { N = 1 << 17 };
    static uint64_t x[N];
    union state s, total;
    struct error e;
    for (uint64_t i = 0; i < N; i++)
        x[i] = i;
    const struct column c = {.dtype = DTYPE_u64, .n = N, .values = x};
    const struct column few = {.dtype = DTYPE_u64, .n = 99, .values = x};
    memory_set_limit(1 << 20);
    for (int joins = 0; joins < 2; joins++) {
        row(MONOID_distinct)->init(&total, DTYPE_u64);
        row(MONOID_distinct)->init(&s, DTYPE_u64);
        if (joins)
            row(MONOID_distinct)->compact->join(&s, &total, 1);
        row(MONOID_distinct)->add(&s, &c);
        CHECK(row(MONOID_distinct)->compact->is_lost(&s));
        CHECK(!row(MONOID_distinct)->compact->refuse(&s, &e));
        CHECK(strstr(e.text, "distinct values would take more than 1.0 MiB") &&
                  strstr(e.text, "-o approx_nunique"),
              "%s", e.text);
        row(MONOID_distinct)->add(&s, &c);
        memory_set_limit(0); /* what a state has lost, no memory brings back */
        row(MONOID_distinct)->merge(&total, &s);
        memory_set_limit(1 << 20);
        CHECK(row(MONOID_distinct)->compact->is_lost(&total));
        row(MONOID_distinct)->compact->close(&s);
        row(MONOID_distinct)->compact->close(&total);
        /* All of the memory is free again. */
        CHECK(memory_take(1 << 20));
        row(MONOID_sketch)->init(&s, DTYPE_u64);
        row(MONOID_sketch)->add(&s, &few);
        CHECK(row(MONOID_sketch)->compact->is_lost(&s));
        row(MONOID_sketch)->init(&total, DTYPE_u64);
        row(MONOID_sketch)->merge(&total, &s);
        CHECK(row(MONOID_sketch)->compact->is_lost(&total));
        row(MONOID_sketch)->compact->close(&s);
        memory_give(1 << 20);
    }
    for (int negative = 0; negative < 2; negative++) {
        row(MONOID_distinct)->init(&s, DTYPE_f64);
        for (uint64_t i = 0; i < N; i++)
            distinct_add_wide(&s.distinct, (struct wide_integer){
                                               (1ull << 60) + i, i, negative});
        CHECK(row(MONOID_distinct)->compact->is_lost(&s));
        row(MONOID_distinct)->init(&total, DTYPE_f64);
        row(MONOID_distinct)->merge(&total, &s);
        row(MONOID_distinct)->compact->close(&s);
        /* A state that has all its values does not find those of others. */
        row(MONOID_distinct)->init(&s, DTYPE_f64);
        row(MONOID_distinct)->merge(&total, &s);
        CHECK(row(MONOID_distinct)->compact->is_lost(&total));
        row(MONOID_distinct)->compact->close(&total);
        row(MONOID_distinct)->compact->close(&s);
    }
    CHECK(memory_take(1 << 20));
    memory_give(1 << 20);
    memory_set_limit(0);
}

/* Adds n values from `first` on. */
static void sketch_range(struct sketch *s, uint64_t first, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        sketch_put(s, hash_value(first + i));
}

/* The estimate does not depend on how values are divided between sketches. Its
 * error is that of the method. */
static void test_sketch(void)
{
    static const uint64_t sizes[] = {0,    1,     2,     100,    700,
                                     1500, 20000, 41000, 120000, 500000};
    double squares = 0;
    unsigned n = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (uint64_t seed = 1; seed < 12; seed++) {
            struct sketch whole, part[3];
            const uint64_t size = sizes[i], first = seed << 40;
            sketch_init(&whole);
            sketch_range(&whole, first, size);
            for (int k = 0; k < 3; k++) {
                sketch_init(&part[k]);
                sketch_range(&part[k], first, size * (uint64_t)k / 2);
            }
            sketch_merge(&part[0], &part[2]);
            sketch_merge(&part[0], &part[1]);
            const uint64_t got = sketch_estimate(&whole);
            CHECK_U64(sketch_estimate(&part[0]), got);
            CHECK((whole.all == NULL) == (size < 1000) || size < 1100);
            const double error =
                size ? ((double)got - (double)size) / (double)size : 0;
            CHECK(size > 2 ? fabs(error) < 0.035 : got == size, "%.0f of %.0f",
                  (double)got, (double)size);
            if (size >= 20000) {
                squares += error * error;
                n++;
            }
            for (int k = 0; k < 3; k++)
                sketch_close(&part[k]);
            sketch_close(&whole);
        }
    }
    /* 44 draws with a standard deviation of 0.81 %. */
    const double deviation = sqrt(squares / n);
    CHECK(deviation > 0.0055 && deviation < 0.0107, "%g", deviation);
}

/* With most registers at their greatest value. The estimates were computed in
 * Python with 60 digits. */
static void test_full_sketch(void)
{
    static const struct {
        uint32_t n; /* registers of the value 51; the others have: */
        uint32_t rest;
        double want;
    } rows[] = {{4096, 48, 4320463469485400588.9},
                {12288, 46, 3168243996427853716.0},
                {16000, 45, 14491977623828033607.4}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sketch s;
        sketch_init(&s);
        for (uint32_t k = 0; k < SKETCH_REGISTERS; k++)
            sketch_raise(&s, k, k < rows[i].n ? 51 : rows[i].rest);
        const double got = (double)sketch_estimate(&s);
        CHECK(fabs(got - rows[i].want) < 1e-12 * rows[i].want, "%.0f", got);
        sketch_close(&s);
    }
}

/* Estimates must never change. The estimates of maximum likelihood, computed in
 * Python, are 10.003, 1004.7, 9939 and 1017446. */
static void test_pinned(void)
{
    static const uint64_t want[][2] = {
        {10, 10}, {1000, 1005}, {10000, 9925}, {1000000, 1017136}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct sketch s;
        sketch_init(&s);
        sketch_range(&s, 0, want[i][0]);
        CHECK_U64(sketch_estimate(&s), want[i][1]);
        sketch_close(&s);
    }
}

int main(void)
{
    test_hash();
    test_spread();
    test_workers();
    test_equal_hashes();
    test_order_of_reading();
    test_add_many();
    test_hash_of_zero();
    test_long_lists();
    test_mixed();
    test_window(DTYPE_u64);
    test_window(DTYPE_i32);
    test_window(DTYPE_f64);
    test_window(DTYPE_f32);
    test_memory();
    test_limit();
    test_sketch();
    test_full_sketch();
    test_pinned();
    return check_end();
}
