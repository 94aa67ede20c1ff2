/* SPDX-License-Identifier: MIT */
/* The steps of one instruction set: LOOPS names the table. */
#include "expr/vectors_in.c"
#include "expr/vectors_numbers.c"
#include "expr/vectors_values.c"

#define TABLE_JOIN2(set) expr_steps_##set
#define TABLE_JOIN(set) TABLE_JOIN2(set)
#define PAIR(name) {step_##name, STEP(name)},

extern const struct step_pair TABLE_JOIN(LOOPS)[];
const struct step_pair TABLE_JOIN(LOOPS)[] = {STEPS(PAIR){NULL, NULL}};
