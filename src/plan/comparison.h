/* SPDX-License-Identifier: MIT */
/* --compare: what goes with it, which inputs can be compared, and how. */
#pragma once

#include "cli/options.h"
#include "compare/compare.h"
#include "plan/plan.h"

/* What a comparison prints: the names and when they are shown. None of them is
 * an operation that can be asked for. */
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

/* False, with ERROR_USAGE, where options exclude --compare, or with its
 * absence. */
bool comparison_check(const struct options *o, struct error *e);

/* Makes the plan one of a comparison: its ops, each at its number, and its
 * device. */
void comparison_ops(struct plan *plan, const struct options *o);

/* Says which of them are elements of which others, for JSON. */
void comparison_elements(struct plan *plan);

/* False where the inputs cannot be compared: text with binary data, different
 * shapes. Notes which columns are not compared. */
bool comparison_check_inputs(const struct plan *plan, struct error *e);

/* Once the first input is planned as the only one of a dataset. */
struct compare_job comparison_job(const struct plan *plan);
