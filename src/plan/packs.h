/* SPDX-License-Identifier: MIT */
/* FILEs with several arrays. Each array becomes an input and a dataset, which
 * replace those of the FILE. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct dataset;
struct input;
struct plan;

/* The inputs of such FILEs; the inputs of their arrays borrow from them. */
struct packs {
    struct input *whole; /* [count] */
    size_t count;
    bool by_file; /* there are several FILEs, and results name them */
};

/* Replaces FILEs by their arrays. Call it when all inputs are open. False if an
 * option excludes such FILEs. */
bool packs_open(struct plan *plan, struct error *e);

/* For --explain: lists the arrays of a FILE, of which d is the first dataset.
 * Moves *at to the last one. Returns the largest, the best example of how they
 * are reduced. */
const struct dataset *packs_explain(const struct dataset *d, FILE *to,
                                    size_t *at);

/* After the plan's inputs were closed. */
void packs_close(struct packs *packs);
