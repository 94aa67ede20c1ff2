/* SPDX-License-Identifier: MIT */
/* FILEs that hold several arrays: each array becomes an input and a dataset of
 * its own, in the place of its FILE. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct dataset;
struct input;
struct plan;

/* The inputs of such FILEs, which those of their arrays borrow. */
struct packs {
    struct input *whole; /* [count] */
    size_t count;
    bool by_file; /* there are several FILEs, and results name them */
};

/* Once all inputs are open: puts arrays in the place of their FILEs. False if
 * the options cannot be combined with that. */
bool packs_open(struct plan *plan, struct error *e);

/* --explain: lists the arrays of a FILE, of which d is the first dataset. Moves
 * *at from it to the last, and returns the largest, which shows best how they
 * are reduced. */
const struct dataset *packs_explain(const struct dataset *d, FILE *to,
                                    size_t *at);

/* After the plan's inputs were closed. */
void packs_close(struct packs *packs);
