/* SPDX-License-Identifier: MIT */
/*
 * Quantiles along axes. The keys of an output's elements are copied side by
 * side into memory, where the values of its ranks are selected. So a part must
 * have all elements of its outputs.
 */
#pragma once

#include "axis/axis.h"
#include "axis/box.h"

struct quantiles;

/* Used by one thread, for a job with ranks. NULL: out of memory. */
struct quantiles *quantiles_open(const struct axis_job *job, struct error *e);
void quantiles_close(struct quantiles *q);

/* Bytes of the values that are found for an output. */
size_t quantiles_bytes(const struct axis_job *job);

/* Finds the values for all outputs of a part. False if its keys would take too
 * much memory. */
bool quantiles_find(struct quantiles *q, const struct part *p, const char *data,
                    size_t pitch, struct error *e);

/* Returns the state of an output of the last part; an empty state if the part
 * does not have the output. It is valid until the next part. */
const union state *quantiles_state(struct quantiles *q, size_t output);
