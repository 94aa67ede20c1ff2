/* SPDX-License-Identifier: MIT */
/* Arrays reduced along axes, on the CPU. */
#pragma once

#include "axis/geometry.h"
#include "base/error.h"
#include "reduce/op.h"
#include "reduce/values.h"

struct axis_device;
struct input;
struct meter;

/* Takes values that are complete, those of whole outputs in C order, one call
 * after the other: [outputs][ops]. False with the error, and the run ends. */
struct axis_emit {
    bool (*emit)(void *context, const struct values *values, struct error *e);
    void *context;
};

/* Const while it runs. */
struct axis_job {
    struct geometry geometry;
    enum dtype dtype; /* of the data */
    bool is_bool;
    unsigned monoids; /* set of MONOID_BIT */
    const struct op *const *op;
    size_t ops;
    enum nan_mode nan;
    enum empty_mode empty;
    enum interpolation interpolation; /* of quantiles */
    bool has_digits;
    unsigned digits;
    bool fast, portable; /* as those of struct job */
    unsigned threads;
    uint64_t chunk_bytes; /* asked for; 0: tuned */
    struct meter *meter;  /* or NULL */
    /* Where offload_left leaves it nothing to say: who reduces it, on the
     * device of this number, in chunks of so many bytes; NULL: the CPU. */
    const struct axis_device *device;
    int device_number;
    size_t device_bytes;
    /* Takes the values of many outputs, where it can; or NULL. */
    const struct axis_emit *emit;
    const char *name; /* of the only input, for errors of outputs; or NULL */
};

/* What became of a run. */
struct axis_report {
    uint64_t outputs, elements, nans;
    uint64_t bytes;   /* of the data */
    double wall;      /* seconds */
    unsigned workers; /* threads that there were */
};

/* Reduces the inputs, which are one array, joined along the first axis, and
 * appends [outputs][ops] values, outputs in C order, or gives all of them to
 * job->emit, which may have had some when an error ends the run. The error of
 * an output names it. The values do not depend on threads or chunks. */
bool axis_run(const struct axis_job *job, struct input *inputs, size_t count,
              struct values *values, struct axis_report *report,
              struct error *e);
