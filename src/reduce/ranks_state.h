/* SPDX-License-Identifier: MIT */
/* The functions of the monoid `ranks` in the table of monoids. */
#pragma once

#include "reduce/state.h"

extern const struct compact ranks_compact;

size_t ranks_size(enum dtype dtype);
void ranks_begin(union state *s, enum dtype dtype);
void ranks_append(union state *into, const union state *from);
uint64_t ranks_nans(const union state *s);
void ranks_step_wide(union state *s, struct wide_integer x);
