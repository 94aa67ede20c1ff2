/* SPDX-License-Identifier: MIT */
/* What the tests of the engine share: data in files, and a run over it. */
#pragma once

#include "compare.h"
#include "engine_rig.h"
#include "sources.h"

struct fixture {
    uint64_t seed;
    struct random random;
    struct score tally;
    uint64_t joined; /* runs in which a team joined that had waited */
    uint64_t done;   /* bytes that the last run says its teams did */
    struct dataset data;
    struct sources sources;
    /* Of the data, and of it in the order of the files, which is the order of
     * the product. */
    struct reference want, want_stored;
};

/* How to run the engine. */
struct setting {
    const struct backend *backend;
    unsigned threads;
    size_t leaves; /* a chunk */
    unsigned monoids;
    bool may_defer;
    /* A team beside the first, of other chunks, where it has workers. */
    struct team beside;
};

/* Data of n elements of a class, NULL: any, in files of this layout, and what
 * is right. */
void fixture_make(struct fixture *b, enum dtype dtype,
                  const struct data_class *kind, const struct layout *layout,
                  size_t n);
void fixture_remove(struct fixture *b);

/* A random setting; the backend is left to the caller. */
struct setting fixture_setting(struct fixture *b);

/* Sets a team beside the first, of the CPU, that joins as soon as it may or is
 * there from the start. */
void fixture_set_beside(struct fixture *b, struct setting *s);

/* Opens the inputs; fixture_run closes them. */
bool fixture_open(struct fixture *b, const struct setting *s, struct error *e);

/* rig_run on the inputs, whose states fixture_compare closes. */
bool fixture_run(struct fixture *b, const struct setting *s,
                 struct reduced *out, struct error *e);

/* Compares all states and closes them; how: what was run. */
void fixture_compare(struct fixture *b, const struct setting *s,
                     const char *how, struct reduced *got);

void fixture_fail(struct fixture *b, const struct setting *s, const char *how,
                  const char *what);

/* engine_failures.c: with errors in the backend and in the files. */
void check_failures(struct fixture *b);

/* engine_failures.c: with one file, of which the last bytes go. */
void check_cut(struct fixture *b);

/* engine_failures.c: for data of over 100 leaves: all the others run ahead of
 * a chunk that takes long, as far as the products let them; and it fails. */
void check_stuck(struct fixture *b);
