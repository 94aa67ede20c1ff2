/* SPDX-License-Identifier: MIT */
/* Values as text, the same in every locale. */
#pragma once

#include <stddef.h>

#include "reduce/decimals.h"
#include "reduce/value.h"

enum { NUMBER_MAX = DECIMALS_MAX + 4 };

/* Integers exactly; real numbers as their decimals, or as the shortest digits
 * that read back to the same bits of value->dtype, positional from 1e-5 to
 * below 1e16, nan, inf, -inf, -0. No value is empty text. Returns how many
 * bytes come before the NUL. */
size_t number_text(char out[NUMBER_MAX], const struct value *value);

/* The same in JSON: real numbers have a point or an exponent; integers beyond
 * 2^53, which a reader may round, and what is not finite are strings; no value
 * is null. */
size_t number_json(char out[NUMBER_MAX], const struct value *value);
