/* SPDX-License-Identifier: MIT */
/* Prints the results of all ranks by key in one order. The first rank merges
 * the lines of the others, which it receives block by block. */
#pragma once

#include "ranks/link.h"
#include "run/joint.h"

/* Returns what a plan takes as `joint`. The link must outlive it. */
struct joint *gather_open(const struct link *l);
void gather_close(void);
