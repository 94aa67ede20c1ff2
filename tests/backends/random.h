/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same on every machine for a seed: splitmix64. */
#pragma once

#include <stdint.h>

struct random {
    uint64_t state;
};

static inline uint64_t random_next(struct random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Returns 0 to n - 1. The bias of the remainder does not matter here. */
static inline uint64_t random_below(struct random *r, uint64_t n)
{
    return random_next(r) % n;
}

/* Returns a number in [0, 1). */
static inline double random_unit(struct random *r)
{
    return (double)(random_next(r) >> 11) * 0x1p-53;
}

/* Returns random-looking bits that depend on a and b alone. */
static inline uint64_t random_hash(uint64_t a, uint64_t b)
{
    struct random r = {a ^ b * 0xd1342543de82ef95};
    random_next(&r);
    return random_next(&r);
}
