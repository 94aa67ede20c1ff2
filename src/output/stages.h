/* SPDX-License-Identifier: MIT */
/* -v: where the time went. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/meter.h"

/* Prints a row for each stage that there was: busy seconds of all threads and
 * devices, how many were busy at a time, and GB/s of one while it was. What
 * bounds a run is the stage of which as many are busy as there are. */
void stages_print(FILE *to, const struct meter *meter, double wall,
                  uint64_t bytes);

/* Before the next run: nothing was done yet. */
void stages_clear(struct meter *meter);
