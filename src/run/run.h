/* SPDX-License-Identifier: MIT */
/* Carries out a plan: reduces its datasets one after another or in batches,
 * computes the operations from their states, and prints the results. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "output/sink.h"
#include "plan/plan.h"

/* Writes the results to fd once all datasets are reduced, and the notes to the
 * sink. Only -O npy may write a large array earlier. If conditions are false or
 * compared data differ, returns false after writing. A plan can be run once. */
bool run_plan(const struct plan *plan, struct sink *sink, int fd,
              struct error *e);
