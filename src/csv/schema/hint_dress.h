/* SPDX-License-Identifier: MIT */
/* Hints for numbers in another notation: decimal commas, thousands separators,
 * currency and percent signs. */
#pragma once

#include "csv/schema/hint.h"

/* Returns the options that would read the cell, or NULL, as csv_hint does. The
 * cell ends with NUL. */
const char *csv_hint_dress(char out[CSV_HINT_MAX], const char *cell,
                           const struct csv_hint_context *context);
