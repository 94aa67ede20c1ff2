/* SPDX-License-Identifier: MIT */
/* Distinct values in a list, and the states of the monoids `distinct` and
 * `tallies` as bytes. */
#pragma once

#include "reduce/distinct.h"

/* Lists the state's values in no particular order, when no thread adds any
 * more. The caller frees *list, whose texts are the state's. False: no memory,
 * or a device has the values. */
bool distinct_items(const struct distinct *d, struct distinct_item **list,
                    size_t *n);

/* Sorts by key and `wide`, or by text. */
void distinct_items_sort(struct distinct_item *list, size_t n);

/* As state_write and state_read: flags, the number of values, then the values,
 * ascending, each with its count if the state has counts. */
size_t distinct_write(const struct distinct *d, uint8_t *to);
bool distinct_read(struct distinct *d, enum dtype dtype, const uint8_t *from,
                   size_t bytes);
