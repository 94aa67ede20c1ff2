/* SPDX-License-Identifier: MIT */
/* One reduction along an axis on the device, and its results on the host. */
#pragma once

#include "axis_reference.h"
#include "kernels/axis/launch.h"

/* Memory on host and device for arrays of up to `elements` elements. */
struct axis_device {
    size_t elements;
    void *data, *scratch, *results;
    size_t scratch_bytes;
    unsigned char *host; /* of the results */
    unsigned multiprocessors;
};

/* A reduction and its results. */
struct axis_run {
    enum axis_monoid monoid;
    enum dtype dtype;
    struct axis_shape shape;
    struct axis_plan plan;
    bool mean, skip;
    /* On the host, one element for each result. */
    const double *value;
    const uint64_t *integer;
    const uint32_t *nan, *inf, *nonzero, *least_at, *greatest_at, *first_nan;
    const unsigned char *least, *greatest;
    const uint64_t *doubtful;
    uint64_t doubtful_count;
};

/* False if there is no GPU. */
bool axis_device_open(struct axis_device *d, size_t elements);
void axis_device_close(struct axis_device *d);

/* Copies the elements to the device. */
void axis_device_load(struct axis_device *d, const void *data, size_t bytes);

/* Runs the reduction over the loaded elements. An error of the device ends the
 * program. False if a kernel wrote beyond the results. */
bool axis_device_run(struct axis_device *d, struct axis_run *run);
