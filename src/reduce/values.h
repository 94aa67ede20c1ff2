/* SPDX-License-Identifier: MIT */
/* Many values at rest, 9 bytes each and texts, until all of them
 * are known and they are printed. */
#pragma once

#include <stddef.h>

#include "base/error.h"
#include "reduce/value.h"

struct values {
    size_t n;
    uint64_t *word;     /* of each; values.c says what it is by ... */
    uint8_t *tag;       /* ... one of its tags */
    struct value *wide; /* integers of over 64 bits, which are rare */
    size_t wides;
    char *text;               /* of decimals, each ended by NUL, and texts */
    size_t texts, texts_room; /* bytes */
};

/* Appends a value; of no values all members are 0. False where there is no
 * memory: what was there is kept. */
bool values_add(struct values *v, const struct value *value, struct error *e);

enum { VALUE_REST_BYTES = 9 }; /* of each value, without texts */

/* Appends n values, which are anything until they are set. False where there is
 * no memory: what was there is kept. */
bool values_extend(struct values *v, size_t n, struct error *e);

/* Sets value i. Threads may set different ones in parallel, but for those that
 * are kept apart, which take memory: of those one thread at a time. */
bool values_set(struct values *v, size_t i, const struct value *value,
                struct error *e);
bool values_are_apart(const struct value *value);

/* The same of n real numbers of a dtype, `stride` values apart. */
void values_set_reals(struct values *v, size_t i, size_t stride,
                      const double *x, size_t n, enum dtype dtype);

/* The same of n integers that are not negative. */
void values_set_wholes(struct values *v, size_t i, size_t stride,
                       const uint64_t *x, size_t n);

/* Whether n values from i on, `stride` apart, are all real numbers; or integers
 * from 0 to 2^63 - 1. */
bool values_are_reals(const struct values *v, size_t i, size_t stride,
                      size_t n);
bool values_are_wholes(const struct values *v, size_t i, size_t stride,
                       size_t n);

/* The bits of such values as f64, or those integers: at `to`, or where they are
 * if they lie side by side. */
const uint64_t *values_words(const struct values *v, size_t i, size_t stride,
                             size_t n, uint64_t *to);

/* Whether some value is none at all. */
bool values_have_none(const struct values *v);

/* Its text is valid until a value is added. */
struct value values_at(const struct values *v, size_t i);

void values_free(struct values *v);
