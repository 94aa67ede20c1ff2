/* SPDX-License-Identifier: MIT */
/* Classes of random texts. */
#pragma once

#include <stddef.h>

#include "../backends/random.h"

enum { TEXT_MAX = 4096 };

struct text_class {
    const char *name;
    /* Writes a text without NUL and returns its length, 1 to TEXT_MAX. */
    size_t (*make)(char *text, struct random *r);
    /* how many of 64 texts are of this class */
    unsigned share;
};

/* Ends with a NULL name. */
extern const struct text_class text_classes[];

/* In texts_hard.c. */
size_t make_midpoint(char *text, struct random *r);
size_t make_tie(char *text, struct random *r);
size_t make_near(char *text, struct random *r);

/* Parts of texts: both write at `text` and return the number of bytes. */
size_t put_sign(char *text, struct random *r);
size_t put_exponent(char *text, struct random *r, int64_t e);
