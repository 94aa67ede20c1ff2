/* SPDX-License-Identifier: MIT */
#include "engine/dealing.h"

struct dealing_kind {
    enum dealt (*next)(struct dealing *d, const struct want *want,
                       struct chunk *chunk, struct error *e);
    bool (*done)(struct dealing *d, const struct chunk *chunk, struct error *e);
    void (*stop)(struct dealing *d, uint64_t sequence);
    void (*free)(struct dealing *d);
};

static enum dealt next_elements(struct dealing *d, const struct want *want,
                                struct chunk *chunk, struct error *e)
{
    return dealer_next(&d->of.elements, want, chunk, e);
}

static bool done_elements(struct dealing *d, const struct chunk *chunk,
                          struct error *e)
{
    return dealer_done(&d->of.elements, chunk, e);
}

static void stop_elements(struct dealing *d, uint64_t sequence)
{
    (void)sequence;
    dealer_stop(&d->of.elements);
}

static void free_elements(struct dealing *d)
{
    dealer_free(&d->of.elements);
}

static enum dealt next_text(struct dealing *d, const struct want *want,
                            struct chunk *chunk, struct error *e)
{
    return records_next(&d->of.text, want, chunk, e);
}

static bool done_text(struct dealing *d, const struct chunk *chunk,
                      struct error *e)
{
    return records_done(&d->of.text, chunk, e);
}

static void stop_text(struct dealing *d, uint64_t sequence)
{
    records_stop(&d->of.text, sequence);
}

static void free_text(struct dealing *d)
{
    records_free(&d->of.text);
}

static const struct dealing_kind elements = {next_elements, done_elements,
                                             stop_elements, free_elements};
static const struct dealing_kind text = {next_text, done_text, stop_text,
                                         free_text};

bool dealing_open(struct dealing *d, struct job *job, struct input *inputs,
                  size_t count, bool may_map, struct error *e)
{
    d->kind = job->text ? &text : &elements;
    if (job->text)
        return records_init(&d->of.text, inputs, count, may_map, job->portable,
                            e);
    if (!dealer_init(&d->of.elements, inputs, count, may_map, e))
        return false;
    if (dealer_has_map(&d->of.elements))
        job->map = &d->of.elements;
    return true;
}

void dealing_close(struct dealing *d)
{
    d->kind->free(d);
}

enum dealt dealing_next(struct dealing *d, const struct want *want,
                        struct chunk *chunk, struct error *e)
{
    return d->kind->next(d, want, chunk, e);
}

bool dealing_done(struct dealing *d, const struct chunk *chunk, struct error *e)
{
    return d->kind->done(d, chunk, e);
}

void dealing_stop(struct dealing *d, uint64_t sequence)
{
    d->kind->stop(d, sequence);
}
