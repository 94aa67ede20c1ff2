/* SPDX-License-Identifier: MIT */
/* Values of ranks, found in passes that count and keep, with every set of loops
 * and with data cut and merged in any way; compared with sorted data. */
#include "base/memory.h"
#include "ranks_fixture.h"
#include "reduce/histogram.h"

static void check_search(const struct sample *s, const struct cpu_loops *loops)
{
    const unsigned bits = (unsigned)check_below(4) * 5;
    uint64_t rank[RANKS];
    struct rank_parts asked;
    struct rank_part part;
    draw_ranks(s, rank);
    rank_ask_all(&asked, &part, s->dtype, bits);
    search_on(s, loops, &asked, rank);
}

static void test_search(void)
{
    static struct sample s;
    const struct cpu_loops *loops;
    for (int round = 0; round < 25; round++) {
        for (int d = 0; d < DTYPES_END; d++) {
            make(&s, (enum dtype)d);
            for (size_t i = 0; (loops = cpu_loops(i)); i++)
                check_search(&s, loops);
        }
    }
}

/* Keys have the order of the values, and convert back to their bits. */
static void test_keys(void)
{
    for (int d = 0; d < DTYPES_END; d++) {
        const enum dtype dtype = (enum dtype)d;
        const uint64_t all = UINT64_MAX >> (64 - 8 * dtype_info(dtype)->size);
        for (int i = 0; i < 500; i++) {
            const uint64_t a = check_random() & all, b = check_random() & all;
            const long double x = value_of(dtype, a), y = value_of(dtype, b);
            const uint64_t key = rank_key(dtype, a);
            CHECK_U64(rank_bits(dtype, key), a);
            CHECK(isnan(x) == (key < rank_least_key(dtype) ||
                               key > rank_greatest_key(dtype)));
            CHECK(!(x < y) || key < rank_key(dtype, b));
        }
    }
}

/* If there is no memory, the state is lost and gives back what it took. */
static void test_lost(void)
{
    static struct sample s;
    struct rank_parts asked;
    struct rank_part part;
    struct ranks left;
    s.dtype = DTYPE_f32;
    s.n = ELEMENTS;
    s.size = 4;
    rank_ask_all(&asked, &part, DTYPE_f32, 0);
    memory_set_limit(20000);
    run(&s, cpu_loops(0), &asked, &left);
    CHECK(left.lost && !left.kept);
    CHECK(memory_take(20000));
    memory_give(20000);
    ranks_close(&left);
    memory_set_limit(0);
}

/* If the parts cover all numbers, keys are kept until they take `room` bytes,
 * those of merged states included; then none is. */
static void test_room(void)
{
    const struct rank_parts asked = {.covers = true, .room = 6000};
    struct ranks r, more;
    size_t n = 0;
    ranks_init(&r);
    r.asked = &asked;
    for (; ranks_room(&r, 10, 8); n += 10)
        r.kept->n += 10;
    CHECK(n > 375 && n < 1500, "%zu", n); /* half of room to twice */
    CHECK(r.crowded && !r.kept && !r.lost);
    ranks_close(&r);
    for (unsigned merged = 0; merged < 5; merged++) {
        for (unsigned i = 0; i < merged; i++) {
            ranks_init(&more);
            more.asked = &asked;
            if (CHECK(ranks_room(&more, 200, 8)))
                more.kept->n += 200;
            ranks_merge(&r, &more);
            ranks_close(&more);
        }
        r.asked = &asked;
        CHECK((ranks_room(&r, 200, 8) == NULL) == (merged * 1600 > 6000));
        CHECK(r.crowded == (merged * 1600 > 6000) && !r.lost);
        ranks_close(&r);
    }
}

/* Searches for ranks in the integers 0 to 99. The first pass has 2^bits parts;
 * the caller asks for the second one. */
static void search_hundred(struct sample *s, struct rank_search *search,
                           enum dtype dtype, const uint64_t *rank, size_t n,
                           unsigned bits)
{
    struct rank_parts asked;
    struct rank_part part;
    struct ranks left;
    struct error e;
    s->dtype = dtype;
    s->n = 100;
    s->size = dtype_info(dtype)->size;
    for (size_t i = 0; i < s->n; i++)
        memcpy(s->data + i * s->size, &i, s->size);
    rank_ask_all(&asked, &part, dtype, bits);
    run(s, cpu_loops(0), &asked, &left);
    CHECK(search_open(search, dtype, s->n, rank, n, &e));
    CHECK(search_narrow(search, &left, &e));
    ranks_close(&left);
}

/* A second pass over data that have changed is an error. It keeps values, or
 * counts them. */
static void test_changed(bool keeps)
{
    static struct sample s;
    struct rank_search search;
    struct ranks left;
    struct error e;
    const uint64_t rank = 20;
    search_hundred(&s, &search, DTYPE_u32, &rank, 1, 8);
    search_ask(&search, keeps, 4);
    s.n--;
    run(&s, cpu_loops(0), &search.asked, &left);
    CHECK(!search_narrow(&search, &left, &e));
    CHECK(strstr(e.text, "changed between two passes"), "%s", e.text);
    ranks_close(&left);
    search_close(&search);
}

/* As many values were kept as counted, but not in the same ranges. */
static void test_moved(void)
{
    static struct sample s;
    struct rank_search search;
    struct ranks left;
    struct error e;
    const uint64_t rank[] = {20, 80};
    search_hundred(&s, &search, DTYPE_u8, rank, 2, 4);
    search_ask(&search, true, 0);
    memset(s.data + 80, 20, 16);
    run(&s, cpu_loops(0), &search.asked, &left);
    CHECK(search_narrow(&search, &left, &e));
    CHECK(!search_kept(&search, (struct kept_loops){cpu_loops(0), 1}, &e));
    CHECK(strstr(e.text, "changed between two passes"), "%s", e.text);
    ranks_close(&left);
    search_close(&search);
}

/* Histograms differ if any count does. */
static void test_same_histograms(void)
{
    const struct value low = value_unsigned(0), high = value_unsigned(9);
    struct histogram a, b, more;
    struct error e;
    CHECK(histogram_open(&a, DTYPE_f32, &low, &high, 3, &e));
    CHECK(histogram_open(&b, DTYPE_f32, &low, &high, 3, &e));
    CHECK(histogram_open(&more, DTYPE_f32, &low, &high, 4, &e));
    CHECK(!histogram_same(&a, &more) && !histogram_same(&more, &a));
    uint64_t *const counts[] = {&b.count[0], &b.count[1], &b.count[2],
                                &b.below,    &b.above,    &b.nans};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        CHECK(histogram_same(&a, &b));
        ++*counts[i];
        CHECK(!histogram_same(&a, &b), "count %zu", i);
        --*counts[i];
    }
    histogram_close(&a);
    histogram_close(&b);
    histogram_close(&more);
}

int main(void)
{
    test_keys();
    test_search();
    test_lost();
    test_room();
    test_changed(true);
    test_changed(false);
    test_moved();
    test_same_histograms();
    return check_end();
}
