/* SPDX-License-Identifier: MIT */
/* Hints for numbers in another notation: decimal commas, thousands separators,
 * currency and percent signs. */
#pragma once

#include "csv/schema/hint.h"
#include "csv/structure/span.h"

/* Returns the options that would read the cell, or NULL, as csv_hint does. The
 * cell ends with NUL. */
const char *csv_hint_dress(char out[CSV_HINT_MAX], const char *cell,
                           const struct csv_hint_context *context);

/* Whether the cell ends with the letters of a currency, or starts with them and
 * a blank: 11.90 EUR, EUR 5, but not EUR5, which may be a code. */
bool csv_has_currency(struct csv_span cell);
