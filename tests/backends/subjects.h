/* SPDX-License-Identifier: MIT */
/* What check_backends puts a dataset through: the CPU loops themselves, and
 * the lanes of a backend, as the engine would use them. */
#pragma once

#include "compare.h"
#include "engine/backend.h"

enum {
    /* Elements of a dataset. */
    DATASET_MAX = 5 << 20,
    LANES = 3,
};

/* Every set of loops on the data: whole, and in pieces. */
void loops_check(struct score *t, const struct dataset *d,
                 const struct reference *want);

/* Lanes of one dtype, with chunks of several sizes. */
struct lanes {
    const struct backend *backend;
    struct random random;
    struct job job[LANES];
    struct lane *lane[LANES];
    unsigned slot[LANES]; /* next to be used */
};

/* False, with nothing held, where the device cannot be opened. */
bool lanes_open(struct lanes *l, const struct backend *backend,
                enum dtype dtype, uint64_t seed, struct error *e);
void lanes_close(struct lanes *l);

void lanes_check(struct lanes *l, struct score *t, const struct dataset *d,
                 const struct reference *want);
