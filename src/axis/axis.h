/* SPDX-License-Identifier: MIT */
/* Reduces arrays along axes, on the CPU or on a device. */
#pragma once

#include "axis/geometry.h"
#include "base/error.h"
#include "reduce/op.h"
#include "reduce/states.h"
#include "reduce/values.h"

struct axis_device;
struct input;
struct meter;

/* Receives complete values: [outputs][ops], outputs in C order. Any thread may
 * call it, but only one at a time. If it returns false with an error, the run
 * ends. */
struct axis_emit {
    bool (*emit)(void *context, const struct values *values, struct error *e);
    void *context;
};

/* Says whether the run continues. The thread that began the run calls it
 * between blocks of mapped files. Once it returns false, the run ends as soon
 * as possible. */
struct axis_watch {
    bool (*goes_on)(void *context);
    void *context;
};

/* Describes a reduction along axes. Constant during the run. */
struct axis_job {
    struct geometry geometry;
    enum dtype dtype;           /* of the data */
    bool is_bool;               /* the elements are truth values, 0 or 1 */
    unsigned monoids;           /* set of MONOID_BIT */
    const struct op *const *op; /* [ops], the operations */
    size_t ops;
    size_t asked; /* ops from here on are those of --assert */
    /* --shape is given, for inputs without a shape of their own, and its size
     * of axis 0, or SIZE_OPEN. */
    bool has_shape;
    uint64_t places;
    enum nan_mode nan;
    enum empty_mode empty;
    enum interpolation interpolation; /* of quantiles */
    /* The histogram that the first operation is (its counts are not used), and
     * what it asks of a pass; else NULL. */
    const struct histogram *histogram;
    const struct rank_parts *parts;
    bool has_digits; /* results have `digits` significant digits */
    unsigned digits;
    bool fast, portable; /* as in struct job */
    unsigned threads;
    uint64_t chunk_bytes; /* what the user asked for; 0: the best size */
    struct meter *meter;  /* or NULL */
    /* The device that reduces the array, if offload_left returns NULL for it;
     * NULL: the CPU. */
    const struct axis_device *device;
    int device_number;
    size_t device_bytes; /* bytes of a chunk on the device */
    /* Receives the values if there are many outputs; NULL: the run keeps them.
     */
    const struct axis_emit *emit;
    /* Receives the states of all outputs, in C order, instead of values; `ops`
     * is then 0. NULL: no one asks for states. */
    struct states *keep;
    const struct axis_watch *watch; /* of runs that do not emit; or NULL */
    const char *name; /* of the only input, for errors of outputs; or NULL */
};

/* Statistics of a run that has ended. */
struct axis_report {
    uint64_t outputs, elements;
    uint64_t outside, nans; /* of histograms: elements in no bin */
    uint64_t bytes;         /* of the data */
    double wall;            /* seconds */
    unsigned workers;       /* threads that ran */
    bool is_cut_short;      /* by job->watch; the values mean nothing */
};

/* Whether all elements of an output must be in memory together. */
static inline bool axis_gathers(const struct axis_job *job)
{
    return job->monoids & MONOID_BIT(ranks) && !job->histogram;
}

/* How many values an output has. */
static inline uint64_t axis_values(const struct axis_job *job)
{
    const uint64_t bins = job->geometry.bins;
    return job->ops * (bins ? bins : 1);
}

/* Sets the error that an array in Fortran order is one of several. Returns
 * false. */
bool axis_refuse_order(const struct input *input, struct error *e);

/* Reduces the inputs as one array, joined along the first axis. Appends the
 * values, [outputs][ops] or, for a histogram, [outputs][bins][ops], with
 * outputs in C order; or gives all of them to job->emit, which may have
 * received some if the run fails. An error in the data of an output names the
 * output. The values do not depend on threads or chunks. */
bool axis_run(const struct axis_job *job, struct input *inputs, size_t count,
              struct values *values, struct axis_report *report,
              struct error *e);
