/* SPDX-License-Identifier: MIT */
/* The product of floats and the covariance and correlation of pairs of columns,
 * by key. They are computed at the end, from the values of a key, which are
 * kept in the order of the data. */
#pragma once

#include "by/order.h"
#include "plan/plan.h"

/* Reads kept values, on one thread. NULL, with the error, if memory ran out. */
struct by_kept;
struct by_kept *by_kept_open(const struct plan *plan, const struct dataset *d,
                             struct error *e);
void by_kept_close(struct by_kept *k); /* may be NULL */

/* Sets the state of the product in *totals or, if rows of results are of pairs,
 * the counts and all states. `row` is the number of a column or pair. The
 * states are valid until the next call. False, with the error, if memory ran
 * out. */
bool by_kept_read(struct by_kept *k, const struct groups *g,
                  struct by_place place, size_t row, struct totals *totals,
                  struct error *e);
