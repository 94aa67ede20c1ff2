/* SPDX-License-Identifier: MIT */
/* The parts of the rows of monoids that are not in monoids.c. */
#pragma once

#include "reduce/state.h"

/* The functions step_wide of struct monoid_row. */
void sum_step_wide(union state *s, struct wide_integer x);
void sumabs_step_wide(union state *s, struct wide_integer x);
void sumsq_step_wide(union state *s, struct wide_integer x);
void sumcube_step_wide(union state *s, struct wide_integer x);
void sumfourth_step_wide(union state *s, struct wide_integer x);
void count_step_wide(union state *s, struct wide_integer x);
void wide_step_wide(union state *s, struct wide_integer x);

/* The functions of the monoids of distinct values; see struct monoid_row. */
size_t distinct_size(enum dtype dtype);
void distinct_begin(union state *s, enum dtype dtype);
void tallies_begin(union state *s, enum dtype dtype);
void distinct_append(union state *into, const union state *from);
void distinct_step(union state *s, const struct column *column);
void distinct_step_wide(union state *s, struct wide_integer x);
size_t distinct_to(const union state *s, uint8_t *to);
bool distinct_from(union state *s, enum dtype dtype, const uint8_t *from,
                   size_t bytes);
extern const struct compact distinct_compact, tallies_compact;

size_t sketch_size(enum dtype dtype);
void sketch_begin(union state *s, enum dtype dtype);
void sketch_append(union state *into, const union state *from);
void sketch_step(union state *s, const struct column *column);
void sketch_step_wide(union state *s, struct wide_integer x);
size_t sketch_to(const union state *s, uint8_t *to);
bool sketch_from(union state *s, enum dtype dtype, const uint8_t *from,
                 size_t bytes);
extern const struct compact sketch_compact;

/* The functions of the monoid `ranks`. */
size_t ranks_size(enum dtype dtype);
void ranks_begin(union state *s, enum dtype dtype);
void ranks_append(union state *into, const union state *from);
void ranks_step_wide(union state *s, struct wide_integer x);
uint64_t ranks_nans(const union state *s);
extern const struct compact ranks_compact;
