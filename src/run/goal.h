/* SPDX-License-Identifier: MIT */
/* The number of bytes that a plan reads, for the progress bar. */
#pragma once

#include "output/progress.h"
#include "plan/plan.h"

struct progress_goal run_goal(const struct plan *plan);
