/* SPDX-License-Identifier: MIT */
#include "axis/tile.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    /* Elements that are stepped at a time: fewer than the most that a loop may
     * take between begin and end. */
    RUN_ELEMENTS = 1 << 26,
    /* Bytes of a tile's states. */
    STATES_MAX = 16 << 20,
};

static size_t element_of(const struct axis_job *job)
{
    return dtype_info(job->dtype)->size;
}

struct schema tile_schema(const struct axis_job *job, size_t outputs)
{
    return (struct schema){.groups = outputs,
                           .dtype = dtype_info(job->dtype)->computed};
}

static unsigned ordered_of(const struct axis_job *job)
{
    const struct schema schema = tile_schema(job, 1);
    return schema_needing(&schema, job->monoids, NEED_ORDER);
}

size_t tile_bytes(const struct axis_job *job)
{
    const struct schema schema = tile_schema(job, 1);
    const size_t leaf = sizeof(struct leaf) + PROD_LEAF * element_of(job);
    return states_bytes(&schema, job->monoids) + (ordered_of(job) ? leaf : 0) +
           (axis_gathers(job) ? quantiles_bytes(job) : 0) +
           (job->histogram ? job->asked->bins * sizeof(uint64_t) : 0);
}

size_t tile_outputs(const struct axis_job *job)
{
    return STATES_MAX / tile_bytes(job);
}

bool tile_extend(struct axis_sink *sink, const struct axis_job *job,
                 uint64_t outputs, struct error *e)
{
    const uint64_t each = axis_values(job);
    const uint64_t most = memory_limit() / VALUE_REST_BYTES / each;
    const uint64_t had = sink->values->n / each;
    if (outputs > most || had > most - outputs)
        return memory_refuse(e, "the results of so many outputs");
    return values_extend(sink->values, (size_t)(outputs * each), e);
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
                       .ordered = ordered_of(job)};
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
    states_close(&t->states);
    free(t->leaf);
    free(t->waiting);
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
    if (t->states.groups == outputs) {
        states_clear(&t->states);
    } else {
        clear(t);
        if (!states_open(&t->states, &schema, t->stepped, e))
            return false;
    }
    for (size_t i = 0; t->job->histogram && i < outputs; i++)
        states_at(&t->states, i, MONOID_ranks)->ranks.asked = t->job->asked;
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

/* Copies n elements that are `stride` bytes apart. */
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
