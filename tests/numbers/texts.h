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
