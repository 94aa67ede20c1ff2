/* SPDX-License-Identifier: MIT */
/* Monoids over values that come in order, a chunk at a time, of any number:
 * cut anew into the leaves that the product is made of. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "engine/job.h"

struct ordered;

/* For job->columns columns. */
struct ordered *ordered_new(const struct job *job, struct error *e);
void ordered_free(struct ordered *o);

/* Appends n values to a column. */
void ordered_push(struct ordered *o, size_t column, const void *values,
                  size_t n);

/* After the last: sets the column's states. */
void ordered_finish(struct ordered *o, size_t column, struct partial *out);
