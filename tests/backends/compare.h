/* SPDX-License-Identifier: MIT */
/* Compares states with the reference, counts the comparisons and prints
 * failures. */
#pragma once

#include "data.h"
#include "reference.h"

/* Counts of a test program. A case is one state compared. */
struct score {
    uint64_t cases, failures;
    uint64_t seed; /* of the whole run; printed with each failure */
    unsigned printed[DTYPES_END][MONOIDS_END];
};

/* How a state was made; printed with each failure. Borrows its pointers. */
struct subject {
    const char *backend;
    const char *how; /* "whole", "in pieces", ... */
    const struct dataset *data;
};

/* Compares every meaningful field of a state with the reference. Counts one
 * case. Returns whether all are equal. */
bool compare_state(struct score *t, const struct subject *subject,
                   const struct reference *want, enum monoid monoid,
                   const union state *got);

/* Prints a failure that is not about a state, and counts one case. */
void compare_fail(struct score *t, const struct subject *subject,
                  const char *what);
