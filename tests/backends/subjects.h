/* SPDX-License-Identifier: MIT */
/* What check_backends puts a dataset through: the CPU loops themselves, and
 * the contexts of a backend, as the engine would use them. */
#pragma once

#include "compare.h"
#include "engine/backend.h"

enum {
    /* Elements of a dataset. */
    DATASET_MAX = 5 << 20,
    CONTEXTS = 3,
};

/* Every set of loops on the data: whole, and in pieces. */
void loops_check(struct score *t, const struct dataset *d,
                 const struct reference *want);

/* Contexts of one dtype, with chunks of several sizes. */
struct contexts {
    const struct backend *backend;
    struct random random;
    struct job job[CONTEXTS];
    struct context *context[CONTEXTS];
    unsigned slot[CONTEXTS]; /* next to be used */
};

/* False, with nothing held, where the device cannot be opened. */
bool contexts_open(struct contexts *l, const struct backend *backend,
                   enum dtype dtype, uint64_t seed, struct error *e);
void contexts_close(struct contexts *l);

void contexts_check(struct contexts *l, struct score *t,
                    const struct dataset *d, const struct reference *want);
