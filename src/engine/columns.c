/* SPDX-License-Identifier: MIT */
#include "engine/columns.h"

#include <stdlib.h>

#include "base/meter.h"
#include "chunk/chunker.h"
#include "chunk/decoder.h"
#include "engine/identities.h"
#include "engine/keyed.h"
#include "reduce/cpu/pairs.h"
#include "reduce/cpu/step.h"

struct columns {
    const struct job *job;
    const struct decoder_kind *kind;
    struct decoder *decoder;
    struct stepper *stepper[DTYPES_END]; /* NULL: no group has this dtype */
    struct pairs *pairs;      /* NULL: the groups are not pairs of columns */
    struct keyed *keyed;      /* opened with the first chunk of a job by keys */
    struct fold_steps *folds; /* the user's reduction; NULL: none */
    unsigned stepped;         /* monoids whose loops run over each column */
    bool has_ordered;         /* a monoid depends on the order of the data */
    bool may_be_lost;         /* a monoid's states grow with the data */
    struct identities identities;
};

/* The monoids to step over each column. Wide integers are not among the values:
 * the decoder lists them separately. A product that depends on order is stepped
 * here only if each chunk has whole leaves of its tree; otherwise products.h
 * computes it from the values. */
static unsigned stepped_of(const struct job *job)
{
    unsigned apart = job->reading->chunker->is_indexed ? 0 : job_ordered(job);
    return job->monoids & ~apart & ~MONOID_BIT(wide);
}

static bool open_steppers(struct columns *c, struct error *e)
{
    const struct job *job = c->job;
    const struct schema schema = job_schema(job);
    const struct stepper_options options = {job->fast, job->portable,
                                            job->index.index, job->index.map};
    for (size_t g = 0; g < schema.groups; g++) {
        struct stepper **s = &c->stepper[schema_dtype(&schema, g)];
        if (!*s)
            *s = stepper_open(job->monoids, schema_dtype(&schema, g), &options,
                              e);
        if (!*s)
            return false;
    }
    return true;
}

static bool open_pairs(struct columns *c, struct error *e)
{
    const struct pairs_options options = {c->job->monoids, c->job->columns,
                                          c->job->portable};
    c->pairs = pairs_open(&options, e);
    return c->pairs;
}

struct columns *columns_open(const struct job *job, struct error *e)
{
    const struct decoder_options decoding = {
        job->dtype, job->text, job->portable, job->formulas, job->index};
    struct columns *c = calloc(1, sizeof *c);
    if (!c)
        return error_memory(e);
    c->job = job;
    c->kind = job->reading->decoder;
    c->stepped = stepped_of(job);
    c->has_ordered = job_ordered(job) != 0;
    for (int m = 0; m < MONOIDS_END; m++)
        c->may_be_lost |= job->monoids >> m & 1 && monoids[m].compact &&
                          monoids[m].compact->refuse;
    if (job->pairing.kind ? open_pairs(c, e) : open_steppers(c, e))
        c->decoder = c->kind->open(&decoding, e);
    if (c->decoder && job->folds)
        c->folds = fold_steps_open(job, e);
    if (c->decoder && (!job->folds || c->folds))
        return c;
    columns_close(c);
    return NULL;
}

void columns_close(struct columns *c)
{
    if (!c)
        return;
    c->kind->close(c->decoder);
    for (int i = 0; i < DTYPES_END; i++)
        stepper_close(c->stepper[i]);
    pairs_close(c->pairs);
    free(c->identities.values);
    keyed_close(c->keyed);
    fold_steps_close(c->folds);
    free(c);
}

bool columns_add(struct columns *c, unsigned set, const struct column *column,
                 const struct chunk *chunk, struct owner *owner, size_t group,
                 struct error *e)
{
    /* A worker gets its chunks in the order of the data. */
    const struct rows_place place = {job_position(c->job, chunk),
                                     owner->own.groups > 0};
    struct states *states = owner_take(owner, group);
    struct stepper *stepper = c->stepper[dtype_info(column->dtype)->computed];
    stepper_add(stepper, set, column, place, states, group);
    const bool ok = !c->may_be_lost || states_check(states, group, e);
    owner_give(owner, group);
    return ok;
}

/* Makes the owner's part for products that depend on order, if the job has any.
 */
static bool open_product_part(struct columns *c, struct owner *owner,
                              struct error *e)
{
    if (!c->has_ordered && !c->folds)
        return true;
    owner->part = product_part_new(c->job);
    if (!owner->part)
        return error_memory(e);
    const struct schema schema = job_schema(c->job);
    if (c->has_ordered && c->job->reading->chunker->is_indexed)
        c->stepper[schema_dtype(&schema, 0)]->ordered =
            (union state *)&owner->part->prod;
    return true;
}

/* Adds a group's column if a monoid depends on the order of the data. A record
 * without a value in the column keeps its place in that order. Only the product
 * rounds integers to f64. */
static bool add_ordered(struct columns *c, const struct column *column,
                        const struct chunk *chunk, struct owner *owner,
                        size_t group, struct error *e)
{
    const bool is_indexed = c->job->reading->chunker->is_indexed;
    const struct mask *mask = c->kind->mask ? c->kind->mask(c->decoder) : NULL;
    const unsigned ordered = job_ordered(c->job);
    struct column whole = *column, others = *column;
    if (!mask && !(is_indexed && column->rows) && column->wides == 0)
        return columns_add(c, c->stepped, column, chunk, owner, group, e) &&
               (product_part_add(owner->part, group, column) ||
                error_memory(e));
    others.rounded += wide_inexact(column->wide, column->wides);
    if (!columns_add(c, c->stepped & ~ordered, &others, chunk, owner, group, e))
        return false;
    /* The product counts the places of records even if the mask selects none.
     */
    const bool has_places = column->values || (mask && mask->count == 0);
    if (has_places && !identities_fill(&c->identities, column, mask,
                                       owner->rows, is_indexed, &whole))
        return error_memory(e);
    if (is_indexed)
        stepper_add_ordered(
            c->stepper[dtype_info(column->dtype)->computed],
            c->stepped & ordered, &whole,
            (struct rows_place){job_position(c->job, chunk), true});
    return product_part_add(owner->part, group, &whole) || error_memory(e);
}

static bool add_columns(struct columns *c, const struct chunk *chunk,
                        struct owner *owner, struct error *e)
{
    const struct job *job = c->job;
    const bool detail = meter_wants_detail(job->meter);
    const size_t groups = job_groups(job);
    uint64_t at = meter_now();
    for (size_t i = 0; i < groups; i++) {
        size_t group = (owner->start + i) % groups;
        struct column column;
        c->kind->column(c->decoder, group, &column);
        if (detail)
            at = meter_add(job->meter, c->kind->stage, at, 0);
        if (!(c->has_ordered ? add_ordered(c, &column, chunk, owner, group, e)
                             : columns_add(c, c->stepped, &column, chunk, owner,
                                           group, e)) ||
            (c->folds && !fold_steps_add(c->folds, &column, chunk, owner->rows,
                                         group, owner->part->fold, e)))
            return false;
        if (detail)
            at = meter_add(job->meter, STAGE_REDUCE, at, 0);
    }
    meter_add(job->meter, detail ? STAGE_REDUCE : c->kind->stage, at, 0);
    return true;
}

/* Counts the rounded values of a column in one of the column's pairs. */
static void count_rounded(const struct job *job, size_t column,
                          const struct column *from, struct owner *owner)
{
    const size_t group = pairing_of_column(&job->pairing, column);
    struct states *states = owner_take(owner, group);
    if (states->bank[MONOID_wide])
        states_at(states, group, MONOID_wide)->wide.rounded += from->rounded;
    owner_give(owner, group);
}

/* Decodes all columns, then adds every pair of them. */
static bool add_pairs(struct columns *c, const struct chunk *chunk,
                      struct owner *owner, struct error *e)
{
    const struct job *job = c->job;
    const size_t groups = job_groups(job);
    uint64_t at = meter_now();
    if (!pairs_begin(c->pairs, owner->rows, e))
        return false;
    for (size_t i = 0; i < job->columns; i++) {
        struct column column;
        c->kind->column(c->decoder, i, &column);
        if (!pairs_keep(c->pairs, i, &column, e))
            return false;
        count_rounded(job, i, &column, owner);
    }
    at = meter_add(job->meter, c->kind->stage, at, 0);
    struct column_pair pair = pairing_at(&job->pairing, owner->start);
    for (size_t i = 0; i < groups; i++) {
        const size_t group = (owner->start + i) % groups;
        pairs_add(c->pairs, pair, job_position(job, chunk),
                  owner_take(owner, group), group);
        owner_give(owner, group);
        pair = pairing_next(&job->pairing, pair);
    }
    meter_add(job->meter, STAGE_REDUCE, at, 0);
    return true;
}

static bool add_keyed(struct columns *c, const struct chunk *chunk,
                      struct owner *owner, struct error *e)
{
    const struct keyed_chunk source = {c->kind, c->decoder, chunk};
    if (!c->keyed)
        c->keyed = keyed_open(c->job, owner->total->groups, e);
    return c->keyed && keyed_add(c->keyed, &source, owner, e);
}

bool columns_collect(struct columns *c, struct error *e)
{
    return !c->keyed || keyed_end(c->keyed, e);
}

bool columns_run(struct columns *c, const struct chunk *chunk,
                 struct owner *owner, struct error *e)
{
    struct meter *meter = c->job->meter;
    uint64_t start = meter_now();
    bool ok =
        c->kind->begin(c->decoder, chunk, &owner->rows, &owner->skipped, e);
    meter_add(meter, c->kind->stage, start, chunk->bytes);
    if (c->kind->stage != STAGE_REDUCE)
        meter_put(meter, STAGE_REDUCE, 0, chunk->bytes);
    return ok && open_product_part(c, owner, e) &&
           (c->job->by.spec.keys ? add_keyed
            : c->pairs           ? add_pairs
                                 : add_columns)(c, chunk, owner, e) &&
           c->kind->end(c->decoder, e);
}
