/* SPDX-License-Identifier: MIT */
#include "axis/axis.h"

#include <inttypes.h>

#include "axis/files.h"
#include "axis/stream.h"
#include "base/meter.h"
#include "format/input.h"

/* The number of elements for one index of the first axis. Every file has a
 * multiple of it. */
static uint64_t place_size(const struct geometry *g)
{
    uint64_t size = 1;
    for (unsigned d = 1; d < g->rank; d++)
        size *= g->size[d];
    return size;
}

bool axis_refuse_order(const struct input *input, struct error *e)
{
    return error_named(e, ERROR_USAGE, input->name,
                       "arrays in Fortran order cannot be joined along axis "
                       "0; say --per-file -O json, or give one FILE");
}

/* Checks that inputs that were opened during the run have the others' shape,
 * and are in C order. */
static bool check_shapes(const struct axis_job *job, const struct input *inputs,
                         size_t count, struct error *e)
{
    const struct geometry *g = &job->geometry;
    for (size_t i = 0; i < count; i++) {
        if (!inputs[i].shape && !job->has_shape)
            return error_named(e, ERROR_USAGE, inputs[i].name,
                               "raw data have no shape, and the FILEs before "
                               "it do not tell how many places of axis 0 it "
                               "has; say --shape, or give .npy files");
        if (!inputs[i].shape)
            continue;
        bool same = inputs[i].rank == g->rank;
        for (unsigned d = 1; same && d < g->rank; d++)
            same = inputs[i].shape[d] == g->size[d];
        if (!same)
            return error_named(e, ERROR_USAGE, inputs[i].name,
                               "its shape does not agree with that of the "
                               "FILEs before it, except on the first axis");
        if (count > 1 && inputs[i].is_fortran)
            return axis_refuse_order(&inputs[i], e);
    }
    return true;
}

/* Checks that the inputs that were read have the size of the planned array. */
static bool check_sizes(const struct axis_job *job, const struct input *inputs,
                        size_t count, struct error *e)
{
    const uint64_t place = place_size(&job->geometry);
    for (size_t i = 0; i < count; i++) {
        const uint64_t n = inputs[i].taken / dtype_info(job->dtype)->size;
        if (place ? n % place > 0 : n > 0)
            return error_named(e, ERROR_DATA, inputs[i].name,
                               "its %" PRIu64 " elements are not a whole "
                               "number of places of the first axis, which "
                               "have %" PRIu64 " each (--shape)",
                               n, place);
        if (!inputs[i].shape && job->places != SIZE_OPEN &&
            n != job->places * place)
            return error_named(e, ERROR_DATA, inputs[i].name,
                               "it has %" PRIu64 " elements, and --shape says "
                               "%" PRIu64,
                               n, job->places * place);
    }
    return true;
}

bool axis_run(const struct axis_job *job, struct input *inputs, size_t count,
              struct values *values, struct axis_report *report,
              struct error *e)
{
    struct axis_sink sink = {.values = values, .first = values->n};
    const uint64_t start = meter_now();
    *report = (struct axis_report){0};
    if (pthread_mutex_init(&sink.lock, NULL) != 0)
        return error_memory(e);
    bool apart = !files_suit(job, inputs, count);
    bool ok = !apart && files_run(job, inputs, count, &sink, report, &apart, e);
    if (apart) {
        ok = stream_run(job, inputs, count, &sink, report, e);
        /* The error of a run that another shape cut short would mislead. */
        ok = check_shapes(job, inputs, count, e) && ok &&
             check_sizes(job, inputs, count, e);
    }
    pthread_mutex_destroy(&sink.lock);
    report->outside = atomic_load(&sink.outside);
    report->nans = atomic_load(&sink.nans);
    report->wall = 1e-9 * (double)(meter_now() - start);
    return ok;
}
