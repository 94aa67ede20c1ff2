/* SPDX-License-Identifier: MIT */
/* Numbers in dress: decimal commas, thousands, currency, percent. */
#pragma once

#include "csv/schema/hint.h"

/* The options that would read the cell, as csv_hint. */
const char *csv_hint_dress(char out[CSV_HINT_MAX], const char *cell,
                           const struct csv_hint_context *context);
