/* SPDX-License-Identifier: MIT */
/* Test data: every class is a function that gives the raw bits of the next
 * element. The classes of floats and of integers are two tables. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "number.h"
#include "random.h"

/* Data in the making. */
struct maker {
    struct random random;
    enum dtype dtype;
    uint64_t seed;
    size_t i, n;   /* makes element i of n */
    uint64_t keep; /* what a class remembers; random before element 0 */

    uint64_t sign; /* the sign bit */
    /* Floats: the exponent field's weight and greatest value (of Inf and NaN),
     * and its value for numbers in [1, 2). */
    unsigned fraction;
    uint64_t top, bias;
};

struct data_class {
    const char *name;
    uint64_t (*next)(struct maker *m);
};

/* Those of a dtype; the name is NULL past the last. */
const struct data_class *data_classes(enum dtype dtype);

extern const struct data_class data_float_classes[];
extern const struct data_class data_integer_classes[];

struct dataset {
    enum dtype dtype;
    const struct data_class *kind;
    size_t n;
    uint64_t seed;
    uint64_t first;       /* index of the first element */
    unsigned char *bytes; /* the caller's, of room enough */
};

void dataset_make(const struct dataset *d);

size_t dataset_size(const struct dataset *d); /* bytes */
