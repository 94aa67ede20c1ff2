/* SPDX-License-Identifier: MIT */
/* Shared by the tests of the engine: a dataset in files, and a run over it. */
#pragma once

#include "compare.h"
#include "engine_rig.h"
#include "sources.h"

struct fixture {
    uint64_t seed;
    struct random random;
    struct score tally;
    uint64_t joined;          /* runs in which a waiting team joined */
    uint64_t done;            /* bytes that the teams of the last run report */
    char reason[TEAM_REASON]; /* that it gives for the second team */
    struct dataset data;
    struct sources sources;
    /* want: results in index order. want_stored: in the order of the files,
     * which the product follows. Both are computed for the first run that is
     * compared, since many runs must fail. */
    bool has_want;
    struct reference want, want_stored;
};

/* Parameters of one run of the engine. */
struct setting {
    const struct backend *backend;
    unsigned threads;
    size_t leaves; /* leaves of a chunk */
    size_t least;  /* the same if memory is short; 0: as `leaves` */
    unsigned monoids;
    bool may_defer;
    /* A second team with its own chunk size (in leaves); unused without
     * workers. */
    struct team beside;
};

/* Makes n elements of a class (NULL: any class) and writes them to files of
 * this layout. */
void fixture_make(struct fixture *b, enum dtype dtype,
                  const struct data_class *kind, const struct layout *layout,
                  size_t n);
void fixture_remove(struct fixture *b);

/* Draws a setting. The caller sets the backend. */
struct setting fixture_setting(struct fixture *b);

/* Adds a second team on the CPU, which joins as soon as it may or runs from the
 * start. Adds none where its results could differ from the first team's. */
void fixture_set_beside(struct fixture *b, struct setting *s);

/* Opens the inputs; fixture_run closes them. */
bool fixture_open(struct fixture *b, const struct setting *s, struct error *e);

/* Runs the engine on the open inputs. fixture_compare frees the states. */
bool fixture_run(struct fixture *b, const struct setting *s,
                 struct reduced *out, struct error *e);

/* Compares all states and frees them. how: names the run in failures. */
void fixture_compare(struct fixture *b, const struct setting *s,
                     const char *how, struct reduced *got);

void fixture_fail(struct fixture *b, const struct setting *s, const char *how,
                  const char *what);

/* engine_failures.c: errors in the backend and in the files. */
void check_failures(struct fixture *b);

/* engine_failures.c: one mapped file that loses its last bytes. */
void check_cut(struct fixture *b);

/* engine_failures.c: one slow chunk, which then also fails. Needs more than
 * 100 leaves. The other workers run ahead as far as the bounded products let
 * them. */
void check_stuck(struct fixture *b);
