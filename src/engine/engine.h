/* SPDX-License-Identifier: MIT */
/* Runs a job over a dataset: deals chunks to workers, folds their partials. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "engine/backend.h"
#include "engine/job.h"

/* Seconds that the workers spent in each stage, all threads added up. */
struct engine_times {
    double open, read, reduce;
    double wall;
    uint64_t bytes; /* of the data */
    unsigned workers;
};

/* Reduces the inputs, which share a dtype, as one dataset with `threads`
 * workers of the backend: out[job_columns]. On failure it holds nothing, and
 * the error is the one that comes first in the data. job->map is set by the
 * engine. */
bool engine_run(const struct job *job, const struct backend *backend,
                unsigned threads, struct input *inputs, size_t count,
                struct partial *out, struct engine_times *times,
                struct error *e);
