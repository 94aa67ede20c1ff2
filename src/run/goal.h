/* SPDX-License-Identifier: MIT */
/* How much a plan has to read, for the bar. */
#pragma once

#include "output/progress.h"
#include "plan/plan.h"

struct progress_goal run_goal(const struct plan *plan);
