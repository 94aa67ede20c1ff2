/* SPDX-License-Identifier: MIT */
/* Layouts: how a dataset is spread over files. */
#include "sources.h"

static size_t at_most(size_t n, size_t left)
{
    return n < left ? n : left;
}

static void one_file(struct source *s, size_t left, struct random *random)
{
    (void)random;
    s->n = left;
}

/* When the file is mapped, its header puts the elements at odd addresses. */
static void one_array(struct source *s, size_t left, struct random *random)
{
    (void)random;
    s->kind = SOURCE_NPY;
    s->n = left;
}

static void one_swapped(struct source *s, size_t left, struct random *random)
{
    (void)random;
    s->kind = SOURCE_NPY_BIG_ENDIAN;
    s->n = left;
}

static void one_pipe(struct source *s, size_t left, struct random *random)
{
    (void)random;
    s->kind = SOURCE_FIFO;
    s->n = left;
}

/* Empty files, single elements, and sizes on both sides of the least that is
 * read without the lock. */
static void odd_files(struct source *s, size_t left, struct random *random)
{
    static const size_t most[] = {1, 2, 100, 9000, 40000, 100000};
    size_t n = (size_t)random_below(random, most[random_below(random, 6)]);
    s->n = at_most(random_below(random, 4) ? n : 1, left);
}

static void tiny_files(struct source *s, size_t left, struct random *random)
{
    s->n = at_most((size_t)random_below(random, 40), left);
}

/* Just long enough, for every dtype, to be read without the lock. */
static void pieces(struct source *s, size_t left, struct random *random)
{
    s->n = at_most(8192 + (size_t)random_below(random, 500), left);
}

static void all_kinds(struct source *s, size_t left, struct random *random)
{
    static const enum source_kind kinds[] = {SOURCE_RAW, SOURCE_FIFO,
                                             SOURCE_NPY, SOURCE_NPY_BIG_ENDIAN,
                                             SOURCE_NPY_BIG_ENDIAN};
    odd_files(s, left, random);
    s->kind = kinds[random_below(random, 5)];
}

/* Matrices and cubes in Fortran order, among files in C order. */
static void fortran(struct source *s, size_t left, struct random *random)
{
    size_t side = random_below(random, 2) ? 300 : 20;
    if (left == 0 || random_below(random, 3) == 0) {
        all_kinds(s, left, random);
        return;
    }
    s->kind = SOURCE_NPY_FORTRAN;
    s->rank = 2 + (unsigned)random_below(random, 2);
    s->n = 1;
    for (unsigned d = 0; d < s->rank; d++) {
        s->shape[d] =
            at_most(1 + (size_t)random_below(random, side), left / s->n);
        s->n *= s->shape[d];
        if (d == 1)
            side = 5;
    }
}

const struct layout layouts[] = {
    {"one file", one_file},
    {"one array", one_array},
    {"one swapped array", one_swapped},
    {"one pipe", one_pipe},
    {"odd files", odd_files},
    {"tiny files", tiny_files},
    {"pieces", pieces},
    {"all kinds", all_kinds},
    {"fortran", fortran},
    {0},
};
