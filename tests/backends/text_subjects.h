/* SPDX-License-Identifier: MIT */
/* The code that check_text tests with each chunk. */
#pragma once

#include "compare.h"
#include "engine/backend.h"
#include "text.h"

struct text_tally {
    struct score states;
    uint64_t chunks, bytes, values, trips[2], failures;
    uint64_t strays;             /* chunks that have quotes as data */
    uint64_t used, missing, bad; /* cells by kind */
    uint64_t wrong[WRONGS_END];  /* chunks by error */
    uint64_t spans, parsed;      /* of the tests of single loops */
};

enum {
    TEXT_SLOTS_MAX = 8,
    /* A chunk's text must not change until this many more were fed. */
    TEXT_CHUNKS = TEXT_SLOTS_MAX + 1,
};

/* Text that starts right after an inaccessible page, or that ends, with the
 * readable padding, right before one. */
struct text_guard {
    void *at;
    size_t bytes;
};
char *text_guard_place(struct text_guard *g, const struct text_chunk *c,
                       struct random *r);
void text_guard_free(struct text_guard *g);
/* Fills the padding with random bytes. */
void text_pad(char *to, size_t n, struct random *r);

/* A context of a backend and its chunks in flight. */
struct text_context {
    const struct backend *backend;
    const char *how;
    struct job job;
    struct context *context;
    struct random random; /* decides where chunks are placed */
    unsigned slot;
    const struct text_chunk *busy[TEXT_SLOTS_MAX];
    struct text_guard guard[TEXT_SLOTS_MAX]; /* of chunks outside slots */
};

bool text_context_open(struct text_context *l, const struct backend *backend,
                       const char *how, const struct text_case *text_case,
                       const struct job *job, uint64_t seed);
/* Submits a chunk to the next slot, after comparing the result of the chunk
 * that was there. */
void text_context_feed(struct text_context *l, struct text_tally *t,
                       const struct text_chunk *c);
/* Compares the results of all chunks in flight. */
void text_context_finish(struct text_context *l, struct text_tally *t);
void text_context_close(struct text_context *l);

/* Tests each set of loops by itself on a chunk. */
void text_loops_check(struct text_tally *t, const struct text_chunk *c,
                      struct random *r);

/* Makes the CPU's decoders use these loops; NULL: the best ones. */
void text_sets_use(const struct csv_loops *loops);

/* Prints a failure and the text from `at` on. */
void text_fail(struct text_tally *t, const struct text_chunk *c,
               const char *how, size_t at, const char *what);

/* Tests `trips` round trips of f64 and of f32, in threads. */
bool text_trips(struct text_tally *t, const struct backend *backend,
                uint64_t trips, uint64_t seed, unsigned threads);
