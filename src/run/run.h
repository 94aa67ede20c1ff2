/* SPDX-License-Identifier: MIT */
/* A plan carried out: its datasets reduced one after the other, the operations
 * read from what they left, and the results printed. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "output/sink.h"
#include "plan/plan.h"

/* Writes the results to fd, all or nothing but for arrays of many results in
 * -O npy, and what there is to note to the sink. A plan can be run once. */
bool run_plan(const struct plan *plan, struct sink *sink, int fd,
              struct error *e);
