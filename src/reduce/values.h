/* SPDX-License-Identifier: MIT */
/* Many values in 9 bytes each, plus texts. They are kept until all are known,
 * then printed. */
#pragma once

#include <pthread.h>
#include <stddef.h>

#include "base/error.h"
#include "reduce/value.h"

struct values {
    size_t n;
    uint64_t *word;     /* [n], owned; the tag says what a word means */
    uint8_t *tag;       /* [n], owned: enum tag of values.c */
    struct value *wide; /* [wides], owned: integers of over 64 bits, rare */
    size_t wides;
    char *text; /* owned: decimals, each ended by NUL, and texts */
    size_t texts, texts_room; /* bytes */
    /* All n values are real numbers. Only values_note_reals sets it, so call
     * that again after values changed. */
    bool are_reals;
};

/* Appends a value. Start with all members 0. False if memory ran out; the
 * earlier values stay. */
bool values_add(struct values *v, const struct value *value, struct error *e);

enum { VALUE_REST_BYTES = 9 }; /* bytes of each value, without texts */

/* Appends n values that are not set yet. False if memory ran out; the earlier
 * values stay. */
bool values_extend(struct values *v, size_t n, struct error *e);

/* Sets value i. One thread at a time. */
bool values_set(struct values *v, size_t i, const struct value *value,
                struct error *e);

/* Does the same for threads that set different values in parallel. The lock
 * guards values that are kept apart, which need more memory. */
bool values_set_locked(struct values *v, pthread_mutex_t *lock, size_t i,
                       const struct value *value, struct error *e);

/* Sets n real numbers of a dtype, `stride` values apart. */
void values_set_reals(struct values *v, size_t i, size_t stride,
                      const double *x, size_t n, enum dtype dtype);

/* Sets n integers of less than 2^63 in magnitude, `stride` values apart. */
void values_set_integers(struct values *v, size_t i, size_t stride,
                         const double *x, size_t n);

/* Sets n integers that are not negative, `stride` values apart. */
void values_set_wholes(struct values *v, size_t i, size_t stride,
                       const uint64_t *x, size_t n);

/* Whether n values from i on, `stride` apart, are all real numbers; or integers
 * of less than 2^63 in magnitude. */
bool values_are_reals(const struct values *v, size_t i, size_t stride,
                      size_t n);
bool values_are_integers(const struct values *v, size_t i, size_t stride,
                         size_t n);

/* Sets v->are_reals, so that values_are_reals need not look at the tags. */
void values_note_reals(struct values *v);

/* Returns the bits of such reals as f64, or such integers as i64: where they
 * are if they are reals side by side, else copied to `to`. */
const uint64_t *values_words(const struct values *v, size_t i, size_t stride,
                             size_t n, uint64_t *to);

/* Whether a value is VALUE_NONE. */
bool values_have_none(const struct values *v);

/* Value i. Its text is valid until the next value is added. */
struct value values_at(const struct values *v, size_t i);

void values_free(struct values *v);
