/* SPDX-License-Identifier: MIT */
/* Test data. A class is a function that returns the raw bits of the next
 * element. There is a table of classes for floats and one for integers. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "number.h"
#include "random.h"

/* State of a generator. */
struct maker {
    struct random random;
    enum dtype dtype;
    uint64_t seed;
    size_t i, n; /* the index of the element to make; the number of elements */
    uint64_t keep; /* memory of the class; random before element 0 */

    uint64_t sign; /* the sign bit */
    /* Only of floats. fraction: bits of the fraction. top: the exponent field
     * of Inf and NaN. bias: the exponent field of numbers in [1, 2). */
    unsigned fraction;
    uint64_t top, bias;
};

struct data_class {
    const char *name;
    uint64_t (*next)(struct maker *m);
};

/* The classes for a dtype. The row after the last has no name. */
const struct data_class *data_classes(enum dtype dtype);

extern const struct data_class data_float_classes[];
extern const struct data_class data_integer_classes[];

struct dataset {
    enum dtype dtype;
    const struct data_class *kind;
    size_t n;
    uint64_t seed;
    uint64_t first;       /* index of the first element */
    unsigned char *bytes; /* n elements, owned by the caller */
};

void dataset_make(const struct dataset *d);

size_t dataset_size(const struct dataset *d); /* bytes */
