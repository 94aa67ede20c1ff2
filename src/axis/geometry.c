/* SPDX-License-Identifier: MIT */
#include "axis/geometry.h"

#include <inttypes.h>
#include <stdio.h>

static bool check_size(const struct geometry *g, struct error *e)
{
    uint64_t elements = 1;
    for (unsigned d = 0; d < g->rank; d++) {
        const uint64_t size = g->size[d] == SIZE_OPEN ? 1 : g->size[d];
        if (size && (__builtin_mul_overflow(elements, size, &elements) ||
                     elements > INT64_MAX))
            return error_set(e, ERROR_USAGE, "the shape is too large");
    }
    return true;
}

/* Lists the dimensions from the slowest to the fastest, and merges neighbours
 * of the same kind. A dimension that is merged with an open one becomes part of
 * it.
 */
static unsigned merge(const struct geometry *g, struct dimension *to)
{
    unsigned n = 0;
    for (unsigned i = 0; i < g->rank; i++) {
        const unsigned axis = g->is_fortran ? g->rank - 1 - i : i;
        const uint64_t size = g->size[axis];
        const bool kept = !g->reduced[axis];
        if (size == 1)
            continue;
        if (n > 0 && to[n - 1].kept == kept && to[n - 1].size != SIZE_OPEN)
            to[n - 1].size *= size;
        else if (n == 0 || to[n - 1].kept != kept)
            to[n++] = (struct dimension){size, kept};
    }
    return n;
}

static void set_inner(struct geometry *g)
{
    g->inner_size = g->inner_outputs = g->inner_each = 1;
    for (unsigned i = 0; i < g->inners; i++) {
        const uint64_t size = g->inner[i].size;
        g->inner_size *= size;
        if (g->inner[i].kept)
            g->inner_outputs *= size;
        else
            g->inner_each *= size;
    }
}

bool geometry_make(struct geometry *g, struct error *e)
{
    struct dimension all[RANK_MAX];
    if (!check_size(g, e))
        return false;
    unsigned at = 0, n = merge(g, all);
    /* If no axis is reduced, outputs lie side by side as items do. */
    const bool is_row = n == 1 && all[0].kept && all[0].size != SIZE_OPEN;
    g->slabs = !is_row && n > at && all[at].kept ? all[at++].size : 1;
    g->rows = !is_row && n > at ? all[at++].size : 1;
    g->items = n > at ? all[at++].size : 1;
    for (g->inners = 0; at < n; at++)
        g->inner[g->inners++] = all[at];
    set_inner(g);
    return true;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return a == SIZE_OPEN || b == SIZE_OPEN ? SIZE_OPEN : a * b;
}

uint64_t geometry_outputs(const struct geometry *g)
{
    return times(g->slabs, geometry_slab_outputs(g));
}

uint64_t geometry_each(const struct geometry *g)
{
    return times(g->rows, g->inner_each);
}

void geometry_result(const struct geometry *g, unsigned *rank,
                     uint64_t size[RESULT_RANK_MAX])
{
    *rank = 0;
    for (unsigned d = 0; d < g->rank; d++) {
        if (!g->reduced[d])
            size[(*rank)++] = g->size[d];
        else if (g->keeps)
            size[(*rank)++] = 1;
    }
    if (g->bins)
        size[(*rank)++] = g->bins;
}

uint64_t geometry_results(const struct geometry *g)
{
    return geometry_outputs(g) * (g->bins ? g->bins : 1);
}

/* The first axis varies fastest in memory, the last in C order. */
static uint64_t turn(const struct geometry *g, uint64_t place, bool reduced)
{
    uint64_t index = 0;
    if (!g->is_fortran)
        return place;
    for (unsigned d = 0; d < g->rank; d++) {
        if (g->reduced[d] != reduced)
            continue;
        index = index * g->size[d] + place % g->size[d];
        place /= g->size[d];
    }
    return index;
}

uint64_t geometry_output(const struct geometry *g, uint64_t output)
{
    return turn(g, output, false);
}

uint64_t geometry_index(const struct geometry *g, uint64_t element)
{
    return turn(g, element, true);
}

bool geometry_is_mapped(const struct geometry *g)
{
    unsigned axes = 0;
    for (unsigned d = 0; d < g->rank; d++)
        axes += g->reduced[d] && g->size[d] > 1;
    return g->is_fortran && axes > 1;
}

const char *sizes_text(char out[SHAPE_TEXT], const uint64_t *size,
                       unsigned rank)
{
    size_t used = (size_t)snprintf(out, SHAPE_TEXT, "(");
    for (unsigned d = 0; d < rank; d++)
        used += (size_t)snprintf(out + used, SHAPE_TEXT - used, "%s%" PRIu64,
                                 d > 0 ? ", " : "", size[d]);
    snprintf(out + used, SHAPE_TEXT - used, rank == 1 ? ",)" : ")");
    return out;
}

const char *output_text(char out[SHAPE_TEXT], const struct geometry *g,
                        uint64_t row)
{
    uint64_t size[RESULT_RANK_MAX], index[RANK_MAX];
    unsigned rank;
    size_t used = 0;
    geometry_result(g, &rank, size);
    rank -= g->bins > 0;
    for (unsigned d = rank; d-- > 0;) {
        index[d] = size[d] == SIZE_OPEN ? row : row % size[d];
        row = size[d] == SIZE_OPEN ? 0 : row / size[d];
    }
    out[0] = '\0';
    for (unsigned d = 0; d < rank; d++)
        used += (size_t)snprintf(out + used, SHAPE_TEXT - used, "%s%" PRIu64,
                                 d > 0 ? ", " : "[", index[d]);
    if (rank > 0)
        snprintf(out + used, SHAPE_TEXT - used, "]");
    return out;
}
