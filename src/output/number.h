/* SPDX-License-Identifier: MIT */
/* Values as text, the same in every locale. */
#pragma once

#include <stddef.h>

#include "reduce/decimals.h"
#include "reduce/value.h"

enum { NUMBER_MAX = DECIMALS_MAX + 4 };

/* Writes integers exactly. Writes real numbers as value->text if it is set,
 * else as the shortest digits that read back to the same bits of value->dtype:
 * positional from 1e-5 to below 1e16, else with an exponent; nan, inf, -inf,
 * -0. Writes "" for VALUE_NONE. Returns the number of bytes before the NUL. */
size_t number_text(char out[NUMBER_MAX], const struct value *value);

/* The same for JSON. Real numbers have a point or an exponent. Integers beyond
 * 2^53, which a reader may round, and numbers that are not finite are strings.
 * VALUE_NONE is null. */
size_t number_json(char out[NUMBER_MAX], const struct value *value);
