/* SPDX-License-Identifier: MIT */
/* Decides which arrays a device reduces, and how they are cut for it. */
#include "axis/offload.h"

enum {
    /* Wide rows are cut into panels. Reading a row costs 1.5 us more than its
     * bytes: 8 threads took 1.27 times as long for 2 GiB in rows of 32 KiB as
     * in one piece. Shorter rows stay whole. PANEL_OUTPUTS limits the
     * partial results of a panel, too. */
    PANEL_BYTES = 128 << 10,
    ROW_BYTES = 64 << 10,
    PANEL_OUTPUTS = 32 << 10,
    /* If there are few panels, workers share each. Then there are SHARES tasks
     * for each worker, of at least so many chunks. */
    SHARES = 4,
    SHARE_CHUNKS = 4,
};

static bool has_big_endian(const struct input *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].big_endian)
            return true;
    }
    return false;
}

const char *offload_left(const struct axis_job *job,
                         const struct axis_device *device,
                         const struct input *inputs, size_t count)
{
    const struct geometry *g = &job->geometry;
    const unsigned extremes = 1u << MEASURE_EXTREMA | 1u << MEASURE_ABSEXTREMA;
    const unsigned measures = offload_measures(job);
    if (!device)
        return "axes are reduced on the CPU";
    if (!files_suit(job, inputs, count) || has_big_endian(inputs, count))
        return "a GPU takes only files that are not empty, compressed or "
               "big-endian";
    if (g->inners > 0)
        return "the axes that are reduced are not neighbours";
    if (count > 1 && g->slabs <= 1)
        return "the FILEs are joined along an axis that is reduced";
    if (measures == 0 || job->has_digits || job->is_bool)
        return "a GPU has no kernels for these operations along an axis";
    if (geometry_is_mapped(g) && measures & extremes)
        return "in Fortran order, ties of extremes along several axes are "
               "broken "
               "by C order";
    for (int m = 0; m < MEASURES_END; m++) {
        if (measures >> m & 1 && !device->has((enum measure)m, job->dtype))
            return "a GPU has no kernels for these operations and this type";
    }
    return g->rows >= UINT32_MAX || g->rows == 0 || g->items == 0
               ? "an axis is empty, or longer than 4294967294"
               : NULL;
}

static uint64_t slab_elements(const struct geometry *g)
{
    return g->rows * geometry_row(g);
}

/* Elements and outputs of a chunk, at most. */
static uint64_t elements_max(const struct axis_job *job)
{
    return job->device_bytes / dtype_info(job->dtype)->size;
}

static uint64_t outputs_max(const struct axis_job *job)
{
    const uint64_t most = job->device_bytes / offload_answer_bytes(job);
    return most ? most : 1;
}

/* Items of a panel: few enough for all its rows to fit a slot, or else enough
 * for rows to be read one by one. */
static uint64_t panel_of(const struct axis_job *job)
{
    const struct geometry *g = &job->geometry;
    const size_t size = dtype_info(job->dtype)->size;
    const uint64_t most = elements_max(job), fit = most / g->rows;
    uint64_t items = least(PANEL_BYTES / size, PANEL_OUTPUTS);
    if (g->items * size <= ROW_BYTES && g->items <= PANEL_OUTPUTS)
        items = g->items;
    items = fit > items ? fit : items;
    items = least(least(items, most), least(outputs_max(job), g->items));
    return items ? items : 1;
}

/* The number of tasks that share each panel. */
static uint64_t parts_of(const struct axis_job *job, uint64_t items)
{
    const struct geometry *g = &job->geometry;
    const uint64_t wanted = SHARES * job->threads;
    const uint64_t panels = g->slabs * ceiling(g->items, items);
    const uint64_t chunks = g->rows * items / elements_max(job);
    if (chunks == 0 || panels >= wanted)
        return 1;
    return least(g->rows,
                 least(ceiling(wanted, panels), ceiling(chunks, SHARE_CHUNKS)));
}

struct cut offload_cut(const struct axis_job *job)
{
    const struct geometry *g = &job->geometry;
    const uint64_t slab = slab_elements(g), items = panel_of(job);
    if (slab > elements_max(job) || g->items > outputs_max(job))
        return (struct cut){0, items, parts_of(job, items)};
    const uint64_t slabs =
        least(elements_max(job) / slab, outputs_max(job) / g->items);
    return (struct cut){least(slabs, ceiling(g->slabs, job->threads)), items,
                        1};
}

struct axis_setup offload_setup(const struct axis_job *job)
{
    const struct geometry *g = &job->geometry;
    const struct cut cut = offload_cut(job);
    return (struct axis_setup){
        .device = job->device_number,
        .dtype = job->dtype,
        .measures = offload_measures(job),
        .skip_nan = job->nan == NAN_SKIP,
        .has_parts = slab_elements(g) > elements_max(job),
        .bytes = job->device_bytes,
        .outputs = cut.slabs ? cut.slabs * g->items : cut.items,
        .length = g->rows,
        .meter = job->meter};
}
