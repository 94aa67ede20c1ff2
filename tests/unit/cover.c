/* SPDX-License-Identifier: MIT */
/* Passes that were chosen from a sample of the data, or from a sample of other
 * data, compared with sorted data. */
#include "reduce/cover.h"
#include "ranks_fixture.h"

enum { BLOCKS = 64 };

/* Draws a sample of keys of the data, or of random keys, since a sample may
 * mislead. */
static size_t draw_sample(const struct sample *s, uint64_t *key, size_t *end)
{
    const bool is_right = check_below(3) > 0;
    const uint64_t all = UINT64_MAX >> (64 - 8 * s->size);
    size_t n = 0;
    for (size_t b = 0; b < BLOCKS; b++) {
        for (size_t i = 0; i < COVER_SAMPLES / BLOCKS + 1 && s->n > 0; i++) {
            const size_t at = (b * s->n + check_below(s->n)) / BLOCKS;
            key[n] = rank_key(
                s->dtype,
                is_right ? dtype_load(s->dtype, s->data + at * s->size) & all
                         : check_random() & all);
            n += key[n] >= rank_least_key(s->dtype) &&
                 key[n] <= rank_greatest_key(s->dtype);
        }
        end[b] = n;
    }
    return n;
}

/* Checks that the parts are ascending and contain all numbers without gaps. */
static void check_parts(enum dtype dtype, const struct rank_part *part,
                        size_t n)
{
    CHECK_U64(part[0].low, rank_least_key(dtype));
    CHECK_U64(part[n - 1].low + part[n - 1].span, rank_greatest_key(dtype));
    for (size_t i = 1; i < n; i++) {
        CHECK_U64(part[i].low, part[i - 1].low + part[i - 1].span + 1);
        CHECK(part[i].low > part[i - 1].low &&
                  part[i].span <= UINT64_MAX - part[i].low,
              "a part begins after the greatest number");
    }
}

/* Searches with a pass that a sample chose. Sometimes there is no room for the
 * keys that it keeps. */
static void check_cover(const struct sample *s, const struct cpu_loops *loops)
{
    static uint64_t key[COVER_SAMPLES + 2 * BLOCKS];
    struct rank_part part[COVER_PARTS];
    size_t end[BLOCKS], n;
    uint64_t rank[RANKS];
    double share[COVER_SHARES], kept;
    struct error e;
    const size_t shares = 1 + check_below(COVER_SHARES);
    struct rank_sample sample = {s->dtype, key, end, BLOCKS};
    const size_t keys = draw_sample(s, key, end);
    draw_ranks(s, rank);
    for (size_t i = 0; i < shares; i++)
        share[i] = s->numbers < 2
                       ? 0
                       : (double)rank[i < 1 ? 0 : i] / (double)(s->numbers - 1);
    for (size_t i = 1; i < shares; i++)
        share[i] = share[i] < share[i - 1] ? share[i - 1] : share[i];
    CHECK(cover_make(&sample, share, shares, part, &n, &kept, &e));
    CHECK_INT(n > 0, keys >= COVER_SAMPLES);
    if (n == 0)
        return;
    check_parts(s->dtype, part, n);
    const struct rank_parts asked = {.parts = n,
                                     .bins = n,
                                     .keeps = true,
                                     .covers = true,
                                     .room = check_below(4) ? 1 << 20 : 0,
                                     .takes_wides = true,
                                     .part = part};
    search_on(s, loops, &asked, rank);
}

static void test_search(void)
{
    static struct sample s;
    const struct cpu_loops *loops;
    for (int round = 0; round < 20; round++) {
        for (int d = 0; d < DTYPES_END; d++) {
            make(&s, (enum dtype)d);
            for (size_t i = 0; (loops = cpu_loops(i)); i++)
                check_cover(&s, loops);
        }
    }
}

/* The keys of a sample: random, sorted, or of nine values. */
static uint64_t draw_key(int kind, size_t i, size_t block, size_t each)
{
    return kind == 0   ? check_random() >> 32
           : kind == 1 ? i / block * each * block + i % block
                       : (4 + check_below(9)) << 28;
}

/* For the median, a pass keeps only a small share of the numbers: one part
 * between two that are counted. Of few values, the median is a part of its own,
 * and nothing is kept. */
static void test_share_kept(void)
{
    enum { BLOCK = 128, EACH = 40 };
    static uint64_t key[BLOCKS * BLOCK];
    struct rank_part part[COVER_PARTS];
    size_t end[BLOCKS], n;
    const double share = 0.5;
    double kept;
    struct error e;
    for (int kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < BLOCKS * BLOCK; i++)
            key[i] = draw_key(kind, i, BLOCK, EACH);
        for (size_t b = 0; b < BLOCKS; b++)
            end[b] = (b + 1) * BLOCK;
        const struct rank_sample sample = {DTYPE_u32, key, end, BLOCKS};
        CHECK(cover_make(&sample, &share, 1, part, &n, &kept, &e));
        CHECK_INT(n, 3);
        CHECK_INT(part[1].bins == 0, kind < 2);
        CHECK_INT(part[1].span > 0, kind < 2);
        CHECK(kind < 2 ? kept > 0.001 && kept < 0.2 : kept == 0, "%g", kept);
        const uint64_t median =
            kind == 1 ? (uint64_t)BLOCKS * BLOCK * EACH / 2 : 1ull << 31;
        CHECK(part[1].low <= median && median <= part[1].low + part[1].span);
    }
}

/* The least or the greatest key may be most of a sample; no number follows the
 * greatest of 64 bits. */
static void test_ends(void)
{
    enum { BLOCK = 128 };
    static uint64_t key[BLOCKS * BLOCK];
    struct rank_part part[COVER_PARTS];
    size_t end[BLOCKS], n;
    double kept;
    struct error e;
    for (int d = 0; d < DTYPES_END; d++) {
        const struct rank_sample sample = {(enum dtype)d, key, end, BLOCKS};
        const uint64_t ends[] = {rank_least_key(sample.dtype),
                                 rank_greatest_key(sample.dtype)};
        for (unsigned kind = 0; kind < 6; kind++) {
            const double share[] = {0.25, kind < 3 ? 0.5 : 1};
            for (size_t i = 0; i < BLOCKS * BLOCK; i++)
                key[i] = ends[i % 5 < kind % 3 * 2];
            for (size_t b = 0; b < BLOCKS; b++)
                end[b] = (b + 1) * BLOCK;
            CHECK(cover_make(&sample, share, 2, part, &n, &kept, &e));
            check_parts(sample.dtype, part, n);
        }
    }
}

int main(void)
{
    test_search();
    test_ends();
    test_share_kept();
    return check_end();
}
