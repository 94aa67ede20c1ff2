/* SPDX-License-Identifier: MIT */
/* The table of -v that shows where the time went. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/meter.h"

/* Prints a row for each stage that took time: the busy seconds of all threads
 * and devices, how many of these were busy on average, and the GB/s of one
 * while it was busy. `wall` is the seconds of the run, `bytes` its bytes of
 * data. The bottleneck is the stage whose threads are always busy. */
void stages_print(FILE *to, const struct meter *meter, double wall,
                  uint64_t bytes);

/* Clears the times of all stages for the next run. */
void stages_clear(struct meter *meter);
