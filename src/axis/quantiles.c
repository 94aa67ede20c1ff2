/* SPDX-License-Identifier: MIT */
#include "axis/quantiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/prod.h"
#include "reduce/select.h"

enum {
    /* Elements that are copied from a lane at a time, if they do not lie side
     * by side. There are so many lanes that each cache line is read once. */
    STEPS = 64,
    LINE_BYTES = 64,
    /* Most bytes of the keys of lanes that are kept together. */
    LANES_BYTES = 64 << 20,
    FOUND_MAX = OPS_MAX * OP_RANKS_MAX,
};

struct quantiles {
    const struct axis_job *job;
    enum dtype dtype; /* of the keys: the one that is computed with */
    size_t size;      /* bytes of an element */
    size_t each;      /* elements of an output */
    /* The ranks among `n` numbers, ascending and different. */
    struct rank_found target[FOUND_MAX];
    size_t targets; /* how many there are */
    size_t most;    /* the most that any number of elements needs */
    uint64_t n;
    /* For the outputs of the part: [outputs][most], [outputs], [outputs]. */
    struct rank_found *found;
    size_t *founds;
    uint64_t *nans;
    size_t room;    /* outputs for which these have room */
    size_t outputs; /* of the part */
    /* [outputs][each], the keys of some outputs, and room for one more output
     * as scratch. */
    char *keys;
    size_t key;        /* bytes of a key */
    size_t taken;      /* bytes counted in base/memory.h */
    size_t first;      /* number of the first of these outputs */
    union state state; /* what quantiles_state returns */
    bool failed;       /* the current part failed, with this error: */
    struct error *error;
};

static size_t most_of(const struct axis_job *job)
{
    size_t ops = 0;
    for (size_t i = 0; i < job->ops; i++)
        ops += op_of_ranks(job->op[i]);
    return ops * OP_RANKS_MAX;
}

size_t quantiles_bytes(const struct axis_job *job)
{
    return most_of(job) * sizeof(struct rank_found) + sizeof(size_t) +
           sizeof(uint64_t);
}

struct quantiles *quantiles_open(const struct axis_job *job, struct error *e)
{
    struct quantiles *q = calloc(1, sizeof *q);
    if (!q)
        return error_memory(e);
    q->job = job;
    q->size = dtype_info(job->dtype)->size;
    q->dtype = dtype_info(job->dtype)->computed;
    q->key = select_size(q->dtype);
    q->most = most_of(job);
    ranks_init(&q->state.ranks);
    return q;
}

static void free_found(struct quantiles *q)
{
    free(q->found);
    free(q->founds);
    free(q->nans);
}

void quantiles_close(struct quantiles *q)
{
    if (!q)
        return;
    free_found(q);
    memory_give(q->taken);
    free(q->keys);
    free(q);
}

/* Makes room for the values of so many outputs. */
static bool make_found(struct quantiles *q, size_t outputs, struct error *e)
{
    if (outputs <= q->room)
        return true;
    free_found(q);
    q->found = malloc(outputs * q->most * sizeof *q->found);
    q->founds = malloc(outputs * sizeof *q->founds);
    q->nans = malloc(outputs * sizeof *q->nans);
    q->room = q->found && q->founds && q->nans ? outputs : 0;
    return q->room > 0 || error_memory(e);
}

/* Makes room for the keys of so many outputs and one more. */
static bool make_keys(struct quantiles *q, size_t outputs, struct error *e)
{
    const size_t bytes = (outputs + 1) * q->each * q->key;
    if (bytes <= q->taken)
        return true;
    free(q->keys);
    q->keys = NULL;
    memory_give(q->taken);
    q->taken = 0;
    if (!memory_take(bytes))
        return memory_refuse(e, RANKS_LOST);
    q->taken = bytes;
    q->keys = malloc(bytes);
    return q->keys || error_memory(e);
}

/* Makes keys of elements that lie side by side. */
static void put_keys(const struct quantiles *q, char *to, const char *from,
                     size_t n)
{
    const struct dtype_info *info = dtype_info(q->job->dtype);
    double wide[STEPS];
    if (!info->widen) {
        select_keys(q->dtype, to, from, n);
        return;
    }
    for (size_t i = 0; i < n; i += STEPS) {
        const size_t some = n - i < STEPS ? n - i : STEPS;
        info->widen(wide, from + i * q->size, some);
        select_keys(q->dtype, to + i * q->key, wide, some);
    }
}

/* Makes keys of some steps of some lanes of a box. */
static void put_square(const struct quantiles *q, const struct box *b,
                       size_t lane, size_t lanes, size_t step, size_t steps)
{
    char gathered[STEPS * sizeof(uint64_t)];
    for (size_t i = lane; i < lane + lanes; i++) {
        const size_t at = (b->output + i - q->first) * q->each;
        const char *from = b->data + i * b->lane + step * b->step;
        for (size_t k = 0; k < steps; k++)
            memcpy(gathered + k * q->size, from + k * b->step, q->size);
        put_keys(q, q->keys + (at + b->first + step) * q->key, gathered, steps);
    }
}

/* Appends the keys of a box to those of its outputs. The context is a struct
 * quantiles. */
static void put_box(void *context, const struct box *b)
{
    const struct quantiles *q = context;
    const size_t wide = LINE_BYTES / q->size;
    if (b->step == q->size) {
        for (size_t i = 0; i < b->lanes; i++)
            put_keys(q,
                     q->keys +
                         ((b->output + i - q->first) * q->each + b->first) *
                             q->key,
                     b->data + i * b->lane, b->steps);
        return;
    }
    for (size_t lane = 0; lane < b->lanes; lane += wide) {
        const size_t lanes = b->lanes - lane < wide ? b->lanes - lane : wide;
        for (size_t step = 0; step < b->steps; step += STEPS)
            put_square(q, b, lane, lanes, step,
                       b->steps - step < STEPS ? b->steps - step : STEPS);
    }
}

/* Selects the values of an output from its keys. */
static void find(struct quantiles *q, size_t output, size_t outputs)
{
    char *keys = q->keys + (output - q->first) * q->each * q->key;
    char *scratch = q->keys + outputs * q->each * q->key;
    struct rank_found *found = q->found + output * q->most;
    uint64_t n = select_numbers(q->dtype, keys, q->each);
    q->nans[output] = q->each - n;
    if (n < q->each && q->job->nan != NAN_SKIP)
        n = 0;
    if (n != q->n)
        q->targets = ranks_asked(q->target, q->job->op, q->job->ops,
                                 q->job->interpolation, n);
    q->n = n;
    memcpy(found, q->target, q->targets * sizeof *found);
    q->founds[output] = q->targets;
    select_ranks(q->dtype, keys, n, scratch, found, q->targets);
}

/* Finds the values of a box of whole outputs, some outputs at a time. The
 * context is a struct quantiles. */
static void find_box(void *context, const struct box *b)
{
    struct quantiles *q = context;
    const bool is_row = b->step == q->size;
    const size_t bytes = q->each * q->key, line = LINE_BYTES / q->size;
    size_t most = is_row ? 1 : LANES_BYTES / bytes;
    most = most > line ? line : most ? most : 1;
    for (size_t i = 0; !q->failed && i < b->lanes; i += most) {
        struct box some = *b;
        some.lanes = b->lanes - i < most ? b->lanes - i : most;
        some.data += i * b->lane;
        some.output += i;
        q->first = some.output;
        q->failed = !make_keys(q, most, q->error);
        if (q->failed)
            return;
        put_box(q, &some);
        for (size_t k = 0; k < some.lanes; k++)
            find(q, some.output + k, most);
    }
}

bool quantiles_find(struct quantiles *q, const struct part *p, const char *data,
                    size_t pitch, struct error *e)
{
    const struct geometry *g = &q->job->geometry;
    const size_t outputs = (size_t)part_outputs(g, p);
    q->each = (size_t)(p->rows * g->inner_each);
    q->first = 0;
    q->outputs = outputs;
    q->failed = false;
    q->error = e;
    if (outputs == 0)
        return true;
    if (!make_found(q, outputs, e))
        return false;
    memset(q->founds, 0, outputs * sizeof *q->founds);
    memset(q->nans, 0, outputs * sizeof *q->nans);
    if (g->inners == 0) {
        part_boxes(g, p, 0, data, q->size, pitch, find_box, q);
        return !q->failed;
    }
    if (!make_keys(q, outputs, e))
        return false;
    part_boxes(g, p, 0, data, q->size, pitch, put_box, q);
    for (size_t i = 0; q->each > 0 && i < outputs; i++)
        find(q, i, outputs);
    return true;
}

const union state *quantiles_state(struct quantiles *q, size_t output)
{
    struct ranks *r = &q->state.ranks;
    if (output >= q->outputs) {
        ranks_init(r);
        return &q->state;
    }
    r->found = q->found + output * q->most;
    r->founds = q->founds[output];
    r->nans = q->nans[output];
    return &q->state;
}
