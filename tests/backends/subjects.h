/* SPDX-License-Identifier: MIT */
/* The code that check_backends tests with each dataset: the CPU loops, and the
 * contexts of a backend as the engine uses them. */
#pragma once

#include "compare.h"
#include "engine/backend.h"

enum {
    /* Elements of the largest dataset. */
    DATASET_MAX = 5 << 20,
    CONTEXTS = 3,
};

/* Runs every set of loops on the data, whole and in pieces. */
void loops_check(struct score *t, const struct dataset *d,
                 const struct reference *want);

/* Contexts of one dtype with different chunk sizes. */
struct contexts {
    const struct backend *backend;
    struct random random;
    struct job job[CONTEXTS];
    struct context *context[CONTEXTS];
    unsigned slot[CONTEXTS]; /* the slot to use next */
};

/* Returns false and holds nothing if the device cannot be opened. */
bool contexts_open(struct contexts *l, const struct backend *backend,
                   enum dtype dtype, uint64_t seed, struct error *e);
void contexts_close(struct contexts *l);

void contexts_check(struct contexts *l, struct score *t,
                    const struct dataset *d, const struct reference *want);
