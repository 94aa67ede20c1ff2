/* SPDX-License-Identifier: MIT */
/* What check_text puts its chunks through. */
#pragma once

#include "compare.h"
#include "engine/backend.h"
#include "text.h"

struct text_tally {
    struct score states;
    uint64_t chunks, bytes, values, trips[2], failures;
    uint64_t strays;             /* chunks with quotes that are data */
    uint64_t used, missing, bad; /* cells */
    uint64_t wrong[WRONGS_END];  /* chunks */
    uint64_t spans, parsed;      /* of the loops by themselves */
};

enum {
    TEXT_SLOTS_MAX = 8,
    /* A chunk must be left alone until so many more were fed. */
    TEXT_CHUNKS = TEXT_SLOTS_MAX + 1,
};

/* Text between pages that cannot be touched: it begins behind one, or ends,
 * with what may be read of padding, before one. */
struct text_guard {
    void *at;
    size_t bytes;
};
char *text_guard_place(struct text_guard *g, const struct text_chunk *c,
                       struct random *r);
void text_guard_free(struct text_guard *g);
/* Bytes that mean nothing. */
void text_pad(char *to, size_t n, struct random *r);

/* A context of a backend and the chunks under way in it. */
struct text_context {
    const struct backend *backend;
    const char *how;
    struct job job;
    struct context *context;
    struct random random; /* where chunks are put */
    unsigned slot;
    const struct text_chunk *busy[TEXT_SLOTS_MAX];
    struct text_guard guard[TEXT_SLOTS_MAX]; /* of chunks not in the slot */
};

bool text_context_open(struct text_context *l, const struct backend *backend,
                       const char *how, const struct text_case *text_case,
                       const struct job *job, uint64_t seed);
/* Feeds a chunk, and compares what comes of the one that was in its slot. */
void text_context_feed(struct text_context *l, struct text_tally *t,
                       const struct text_chunk *c);
/* Compares what is still under way. */
void text_context_finish(struct text_context *l, struct text_tally *t);
void text_context_close(struct text_context *l);

/* Each set of loops over text by itself. */
void text_loops_check(struct text_tally *t, const struct text_chunk *c,
                      struct random *r);

/* From now on the loops of the CPU's decoders are these; NULL: the best. */
void text_sets_use(const struct csv_loops *loops);

/* Prints what is wrong, and the text from `at` on. */
void text_fail(struct text_tally *t, const struct text_chunk *c,
               const char *how, size_t at, const char *what);

/* So many round trips of f64 and of f32, in threads. */
bool text_trips(struct text_tally *t, const struct backend *backend,
                uint64_t trips, uint64_t seed, unsigned threads);
