/* SPDX-License-Identifier: MIT */
/* Random texts, by classes. */
#pragma once

#include <stddef.h>

#include "../backends/random.h"

enum { TEXT_MAX = 4096 };

struct text_class {
    const char *name;
    /* Fills text, without a NUL, and returns the length, 1 to TEXT_MAX. */
    size_t (*make)(char *text, struct random *r);
    /* Of 64 texts so many are of this class. */
    unsigned share;
};

/* Ends with a NULL name. */
extern const struct text_class text_classes[];

/* Of texts_hard.c. */
size_t make_midpoint(char *text, struct random *r);
size_t make_tie(char *text, struct random *r);
size_t make_near(char *text, struct random *r);

/* Pieces: both write at text and return how many bytes. */
size_t put_sign(char *text, struct random *r);
size_t put_exponent(char *text, struct random *r, int64_t e);
