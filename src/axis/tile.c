/* SPDX-License-Identifier: MIT */
#include "axis/tile.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Elements stepped at a time: fewer than the limit of a loop between begin
     * and end. */
    RUN_ELEMENTS = 1 << 26,
};

static size_t element_of(const struct axis_job *job)
{
    return dtype_info(job->dtype)->size;
}

static uint64_t index_of(const void *geometry, uint64_t place)
{
    return geometry_index(geometry, place);
}

bool tile_open(struct tile *t, const struct axis_job *job,
               struct axis_sink *sink, struct error *e)
{
    const bool is_mapped = geometry_is_mapped(&job->geometry);
    const struct stepper_options options = {
        job->fast, job->portable, is_mapped ? index_of : NULL, &job->geometry};
    const bool has_ranks = axis_gathers(job);
    *t = (struct tile){.job = job,
                       .sink = sink,
                       .stepped =
                           job->monoids & ~(has_ranks ? MONOID_BIT(ranks) : 0),
                       .ordered = tile_ordered(job)};
    t->stepper =
        stepper_open(t->stepped, tile_schema(job, 1).dtype, &options, e);
    t->quantiles = has_ranks ? quantiles_open(job, e) : NULL;
    t->gathered = malloc(PROD_LEAF * element_of(job));
    t->lanes = lanes_open(job, e);
    if (job->histogram) {
        t->bins = *job->histogram;
        t->bins.count = calloc(t->bins.bins, sizeof *t->bins.count);
    }
    if (t->stepper && t->gathered && t->lanes && (t->quantiles || !has_ranks) &&
        (t->bins.count || !job->histogram))
        return true;
    tile_close(t);
    return error_memory(e);
}

static void clear(struct tile *t)
{
    if (!t->borrows) {
        states_close(&t->states);
        free(t->leaf);
        free(t->waiting);
    }
    t->borrows = false;
    t->states = (struct states){.groups = 0};
    t->leaf = NULL;
    t->waiting = NULL;
}

void tile_close(struct tile *t)
{
    clear(t);
    stepper_close(t->stepper);
    lanes_close(t->lanes);
    quantiles_close(t->quantiles);
    free(t->bins.count);
    free(t->gathered);
}

bool tile_begin(struct tile *t, uint64_t output, size_t outputs,
                struct error *e)
{
    const struct schema schema = tile_schema(t->job, outputs);
    t->output = output;
    if (t->states.tally && t->states.groups == outputs) {
        states_clear(&t->states);
    } else {
        clear(t);
        if (!states_open(&t->states, &schema, t->stepped, e))
            return false;
    }
    for (size_t i = 0; t->job->histogram && i < outputs; i++)
        states_at(&t->states, i, MONOID_ranks)->ranks.asked = t->job->parts;
    if (!t->ordered)
        return true;
    if (!t->leaf) {
        t->leaf = malloc((outputs + 1) * sizeof *t->leaf);
        t->waiting = malloc((outputs + 1) * PROD_LEAF * element_of(t->job));
    }
    if (!t->leaf || !t->waiting)
        return error_memory(e);
    memset(t->leaf, 0, outputs * sizeof *t->leaf);
    return true;
}

void tile_borrow(struct tile *t, const struct tile *from)
{
    clear(t);
    t->borrows = true;
    t->output = from->output;
    t->states = from->states;
    t->leaf = from->leaf;
    t->waiting = from->waiting;
}

/* Steps the product by the waiting elements of an output. */
static void flush(struct tile *t, size_t output)
{
    struct leaf *leaf = &t->leaf[output];
    const struct column column = {
        .dtype = t->job->dtype,
        .n = leaf->n,
        .values = t->waiting + output * PROD_LEAF * element_of(t->job)};
    const struct rows_place place = {leaf->first, true};
    if (leaf->n == 0)
        return;
    t->stepper->ordered = states_at(&t->states, output, MONOID_prod);
    stepper_add(t->stepper, t->ordered, &column, place, &t->states, output);
    /* The other monoids have counted them already. */
    t->states.tally[output].n -= leaf->n;
    leaf->first += leaf->n;
    leaf->n = 0;
}

/* Keeps elements of an output until a leaf of the product's tree is whole. */
static void hold(struct tile *t, size_t output, const char *data, size_t n)
{
    const size_t size = element_of(t->job);
    char *waiting = t->waiting + output * PROD_LEAF * size;
    struct leaf *leaf = &t->leaf[output];
    while (n > 0) {
        const size_t room = PROD_LEAF - leaf->n, take = n < room ? n : room;
        memcpy(waiting + leaf->n * size, data, take * size);
        leaf->n += take;
        data += take * size;
        n -= take;
        if (leaf->n == PROD_LEAF)
            flush(t, output);
    }
}

/* Adds elements that lie side by side to the states of a set of monoids. */
static void step(struct tile *t, unsigned set, size_t output, const char *data,
                 size_t n, uint64_t first)
{
    const size_t size = element_of(t->job);
    if (t->ordered)
        hold(t, output, data, n);
    for (size_t i = 0; i < n; i += RUN_ELEMENTS) {
        const size_t left = n - i;
        const struct column column = {.dtype = t->job->dtype,
                                      .n = left < RUN_ELEMENTS ? left
                                                               : RUN_ELEMENTS,
                                      .values = data + i * size};
        const struct rows_place place = {first + i, true};
        stepper_add(t->stepper, set & ~t->ordered, &column, place, &t->states,
                    output);
    }
}

#define GATHER(type)                                                        \
    static void gather_##type(char *to, const char *from, size_t stride,    \
                              size_t n)                                     \
    {                                                                       \
        for (size_t i = 0; i < n; i++)                                      \
            memcpy(to + i * sizeof(type), from + i * stride, sizeof(type)); \
    }
GATHER(uint8_t)
GATHER(uint16_t)
GATHER(uint32_t)
GATHER(uint64_t)

/* Copies n elements that are `stride` bytes apart, side by side. */
static void gather(char *to, const char *from, size_t stride, size_t n,
                   size_t size)
{
    if (size == 1)
        gather_uint8_t(to, from, stride, n);
    else if (size == 2)
        gather_uint16_t(to, from, stride, n);
    else if (size == 4)
        gather_uint32_t(to, from, stride, n);
    else
        gather_uint64_t(to, from, stride, n);
}

/* The monoids that a lane's elements must still step. */
static unsigned set_of(const struct tile *t, size_t lane)
{
    const unsigned set = t->stepped;
    return t->lanes->clean[lane] ? set & ~t->lanes->fast : set;
}

/* Adds some steps of a box, few enough to be gathered. */
static void add_steps(struct tile *t, const struct box *b, size_t from,
                      size_t steps)
{
    const size_t size = element_of(t->job);
    for (size_t i = 0; i < b->lanes; i++) {
        const unsigned set = set_of(t, i);
        if (!set)
            continue;
        gather(t->gathered, b->data + from * b->step + i * b->lane, b->step,
               steps, size);
        step(t, set, b->output + i, t->gathered, steps, b->first + from);
    }
}

void tile_add_slowly(struct tile *t, const struct box *b)
{
    const size_t most = PROD_LEAF;
    if (b->step == element_of(t->job)) {
        for (size_t i = 0; i < b->lanes; i++) {
            const unsigned set = set_of(t, i);
            if (set)
                step(t, set, b->output + i, b->data + i * b->lane, b->steps,
                     b->first);
        }
        return;
    }
    for (size_t from = 0; from < b->steps; from += most) {
        const size_t left = b->steps - from;
        add_steps(t, b, from, left < most ? left : most);
    }
}

struct box tile_lanes(const struct tile *t, const struct box *b, size_t from)
{
    enum { TURNED_BYTES = 32 << 10 };
    struct box some = *b;
    const size_t left = b->lanes - from;
    size_t most = LANES_MAX;
    if (b->step == element_of(t->job) && b->steps < ROW_MIN)
        most = least(most, TURNED_BYTES / (b->steps * b->step));
    some.data += from * b->lane;
    some.output += from;
    some.lanes = least(left, most);
    return some;
}

/* The context is a struct tile. */
static void add_box(void *context, const struct box *b)
{
    struct tile *t = context;
    struct lanes *l = t->lanes;
    for (size_t from = 0; from < b->lanes;) {
        const struct box some = tile_lanes(t, b, from);
        lanes_run(l, &some, false);
        tile_add_slowly(t, &some);
        for (size_t i = 0; i < some.lanes; i++) {
            if (l->clean[i])
                lanes_add(l, i, &t->states, some.output + i, set_of(t, i) == 0);
        }
        from += some.lanes;
    }
}

void tile_add(struct tile *t, const struct part *p, const char *data,
              size_t pitch)
{
    const struct geometry *g = &t->job->geometry;
    part_boxes(g, p, part_output(g, p) - t->output, data, element_of(t->job),
               pitch, add_box, t);
}

void tile_end(struct tile *t)
{
    for (size_t i = 0; t->ordered && i < t->states.groups; i++)
        flush(t, i);
}
