/* SPDX-License-Identifier: MIT */
/* Carries out --compare. */
#pragma once

#include "output/sink.h"
#include "run/answers.h"

/* Compares the plan's inputs and fills in the answers. Sets *different. */
bool comparison_run(const struct plan *plan, struct sink *sink,
                    struct answers *answers, bool *different, struct error *e);
