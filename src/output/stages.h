/* SPDX-License-Identifier: MIT */
/* -v: the table of where the time went. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/meter.h"

/* Prints a row for each stage that took time: the busy seconds of all threads
 * and devices, how many of them were busy on average, and the GB/s of one while
 * busy. `wall` is in seconds, `bytes` is data. The bottleneck is the stage
 * whose threads are always busy. */
void stages_print(FILE *to, const struct meter *meter, double wall,
                  uint64_t bytes);

/* Clears the times of all stages for the next run. */
void stages_clear(struct meter *meter);
