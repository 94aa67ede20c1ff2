/* SPDX-License-Identifier: MIT */
/* Values of ranks selected among keys of all widths, for many shapes of data,
 * compared with sorting. */
#include "check.h"
#include "reduce/select.h"

enum { MOST = 20000, RANKS = 9 };

static int order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Draws a bit pattern: random, one of a few, ascending, descending, or always
 * the same. */
static uint64_t drawn(int shape, size_t i)
{
    switch (shape) {
    case 0:
        return check_random();
    case 1:
        return check_random() % 7;
    case 2:
        return i;
    case 3:
        return ~(uint64_t)i;
    case 4: /* two values far apart, and one that occurs once */
        return i == 3 ? 77 : i % 2 ? 1ull << 62 : 5;
    default:
        return 42;
    }
}

/* Copies the low `size` bytes of each number. */
static void narrow(char *to, const uint64_t *from, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++)
        memcpy(to + i * size, &from[i], size);
}

static void test_select(enum dtype dtype, int shape, size_t n)
{
    static uint64_t bits[MOST], want[MOST];
    static char raw[8 * MOST], key[8 * MOST], scratch[8 * MOST];
    const size_t size = dtype_info(dtype)->size, width = select_size(dtype);
    const uint64_t mask = ~0ull >> (64 - 8 * size);
    struct rank_found target[RANKS];
    size_t numbers = 0, targets = 0;
    for (size_t i = 0; i < n; i++) {
        bits[i] = drawn(shape, i) & mask;
        const uint64_t k = rank_key(dtype, bits[i]);
        if (k >= rank_least_key(dtype) && k <= rank_greatest_key(dtype))
            want[numbers++] = k;
    }
    qsort(want, numbers, sizeof *want, order);
    narrow(raw, bits, n, size);
    select_keys(dtype, key, raw, n);
    CHECK_U64(select_numbers(dtype, key, n), numbers);
    for (size_t i = 0; i < RANKS && numbers > 0; i++) {
        const uint64_t rank = i * (numbers - 1) / (RANKS - 1);
        if (targets == 0 || target[targets - 1].rank < rank)
            target[targets++] = (struct rank_found){.rank = rank};
    }
    if (check_random() % 2 && targets > 0) { /* only one rank */
        target[0] = target[check_random() % targets];
        targets = 1;
    }
    CHECK(width == 8 || size <= 4);
    select_ranks(dtype, key, numbers, scratch, target, targets);
    for (size_t i = 0; i < targets; i++)
        CHECK(target[i].key == want[target[i].rank],
              "dtype %d, shape %d, %zu of them, rank %" PRIu64, dtype, shape, n,
              target[i].rank);
}

int main(void)
{
    static const size_t sizes[] = {1, 2, 3, 24, 25, 100, 4095, 5000, MOST};
    check_seed();
    for (int dtype = 0; dtype < DTYPES_END; dtype++) {
        for (int shape = 0; shape < 6; shape++) {
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
                test_select((enum dtype)dtype, shape, sizes[i]);
        }
    }
    return check_end();
}
