/* SPDX-License-Identifier: MIT */
/*
 * Quantiles along axes: the keys of an output's elements are put side by side
 * in memory, and the values of its ranks selected. Whole outputs alone.
 */
#pragma once

#include "axis/axis.h"
#include "axis/box.h"

struct quantiles;

/* Of one thread, for a job with ranks. NULL where there is no memory. */
struct quantiles *quantiles_open(const struct axis_job *job, struct error *e);
void quantiles_close(struct quantiles *q);

/* Bytes that each output takes for the values that are found. */
size_t quantiles_bytes(const struct axis_job *job);

/* Finds the values of a part that has all elements of its outputs. False where
 * its keys would take too much memory. */
bool quantiles_find(struct quantiles *q, const struct part *p, const char *data,
                    size_t pitch, struct error *e);

/* What was found of an output of the part, until the next part; nothing where
 * the part does not have it. */
const union state *quantiles_state(struct quantiles *q, size_t output);
