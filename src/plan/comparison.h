/* SPDX-License-Identifier: MIT */
/* --compare: the options it takes, the inputs it can compare, and its job. */
#pragma once

#include "cli/options.h"
#include "compare/compare.h"
#include "plan/plan.h"

/* The results of a comparison: their names, and when each is shown. -o cannot
 * ask for them. */
#define COMPARISON_OPS(X)                                                 \
    X(count, SHOWN_ALWAYS, "pairs of values")                             \
    X(mismatches, SHOWN_ALWAYS, "pairs that differ by more than allowed") \
    X(first_mismatch, SHOWN_ALWAYS, "index of the first of them")         \
    X(max_abs, SHOWN_ALWAYS, "greatest |a - b|")                          \
    X(argmax_abs, SHOWN_ALWAYS, "index of its first pair")                \
    X(max_rel, SHOWN_ALWAYS, "greatest |a - b| / |b|")                    \
    X(argmax_rel, SHOWN_ALWAYS, "index of its first pair")                \
    X(rms, SHOWN_ALWAYS, "root mean square of a - b")                     \
    X(max_ulp, SHOWN_ALWAYS, "most floats from a to b")                   \
    X(line, SHOWN_FOR_TEXT, "of argmax_abs, else of first_mismatch")      \
    X(nan_mismatches, SHOWN_IF_ANY, "mismatches of which one is NaN")     \
    X(missing_mismatches, SHOWN_IF_ANY, "mismatches of which one is missing")

enum comparison_op {
#define COMPARISON_ENUM(name, shown, about) COMPARISON_##name,
    COMPARISON_OPS(COMPARISON_ENUM)
#undef COMPARISON_ENUM
        COMPARISON_OPS_END
};

/* False with ERROR_USAGE if an option excludes --compare, or needs it and it is
 * absent. */
bool comparison_check(const struct options *o, struct error *e);

/* Sets the plan's ops to those of a comparison, each at its number, and the
 * device to the CPU. */
void comparison_ops(struct plan *plan, const struct options *o);

/* Sets for JSON which op is the element at which index. */
void comparison_elements(struct plan *plan);

/* False if the inputs cannot be compared, as text with binary data or arrays of
 * different shapes. Notes which columns are not compared. */
bool comparison_check_inputs(const struct plan *plan, struct error *e);

/* The job of a comparison. Call it after the first input was planned as the
 * only input of a dataset. */
struct compare_job comparison_job(const struct plan *plan);
