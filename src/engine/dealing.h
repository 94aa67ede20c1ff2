/* SPDX-License-Identifier: MIT */
/* The kinds of dealers, as the workers see them: a table of functions. */
#pragma once

#include <stdbool.h>

#include "engine/dealer.h"
#include "engine/job.h"
#include "engine/records.h"

struct dealing {
    const struct dealing_kind *kind;
    union {
        struct dealer elements;
        struct records text;
    } of;
};

/* Sets job->map where indexes are not places. */
bool dealing_open(struct dealing *d, struct job *job, struct input *inputs,
                  size_t count, bool may_map, struct error *e);
void dealing_close(struct dealing *d);

/* As dealer_next, dealer_done and records_stop. */
enum dealt dealing_next(struct dealing *d, const struct want *want,
                        struct chunk *chunk, struct error *e);
bool dealing_done(struct dealing *d, const struct chunk *chunk,
                  struct error *e);
void dealing_stop(struct dealing *d, uint64_t sequence);
