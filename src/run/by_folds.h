/* SPDX-License-Identifier: MIT */
/* --reduce by key: combines the values of a key in a tree, whose shape depends
 * only on their indexes among the key's rows. */
#pragma once

#include "by/order.h"
#include "plan/plan.h"

/* Combines values, on one thread. NULL, with the error, if memory ran out. */
struct by_folder;
struct by_folder *by_folder_open(const struct dataset *d, struct error *e);
void by_folder_close(struct by_folder *f); /* may be NULL */

/* Sets *out to the result of a column of a key. The groups must have kept the
 * values in order. */
bool by_fold(struct by_folder *f, const struct groups *g, struct by_place place,
             size_t column, struct value *out, struct error *e);
