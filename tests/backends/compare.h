/* SPDX-License-Identifier: MIT */
/* Holds states to the reference, counts what was compared and prints what was
 * wrong. */
#pragma once

#include "data.h"
#include "reference.h"

/* A case is one state compared. */
struct score {
    uint64_t cases, failures;
    uint64_t seed; /* of the whole run, to be printed */
    unsigned printed[DTYPES_END][MONOIDS_END];
};

/* What made a state: printed when it is wrong. */
struct subject {
    const char *backend;
    const char *how; /* whole, in pieces, ... */
    const struct dataset *data;
};

/* Whether all of the state that means anything is as the reference has it. */
bool compare_state(struct score *t, const struct subject *subject,
                   const struct reference *want, enum monoid monoid,
                   const union state *got);

/* Prints that something else than a state was wrong; counts one case. */
void compare_fail(struct score *t, const struct subject *subject,
                  const char *what);
