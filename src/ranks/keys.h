/* SPDX-License-Identifier: MIT */
/* Exchanges the keys of --by, so that no rank holds those of all. */
#pragma once

#include "ranks/tree.h"

/* In all ranks: gives the plan of the whole run the states of all and a share
 * of the keys, which run_plan then finishes and prints with those of the
 * others. *p has the keys that this rank has reduced; in the first rank also
 * all other states. */
void keys_share(const struct link *l, struct plan *plan, struct part *p);
