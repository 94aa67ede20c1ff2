/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/options.h"

/* False, with ERROR_USAGE, where options contradict each other. */
bool plan_check(const struct options *o, struct error *e);
