/* SPDX-License-Identifier: MIT */
/*
 * Results by key of which each rank of gpureduce-mpi has some (ranks/gather.h).
 * All ranks finish and print theirs, and call `agree` and `lines` together; the
 * first rank writes the lines of all.
 */
#pragma once

#include "run/printer.h"

struct joint {
    /* Notes the row that failed first in this rank. */
    void (*failed)(const struct plan *plan, const struct by_rows *rows,
                   size_t row);
    /* Call it before anything is printed. False if some rank is not ok; the
     * first rank then has the error of the row that comes first. Sets `any`,
     * and in the first rank *empty for all ranks. */
    bool (*agree)(const struct answers *a, bool ok, struct answers_empty *empty,
                  struct error *e);
    /* As print_lines. Each key has as many lines. */
    void (*lines)(struct printer *p, const struct answers_part *part, size_t n,
                  print_lines_fn *print);
    uint64_t any[OPS_MAX]; /* not 0: some value of the op is not 0 */
};
