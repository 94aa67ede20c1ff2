/* SPDX-License-Identifier: MIT */
/* NumPy's .npy, version 1: its header and its elements. */
#pragma once

#include "base/error.h"
#include "output/writer.h"

/* The types that results are written as. */
enum npy_type {
    NPY_BOOL,
    NPY_SIGNED, /* the numbers have `size` bytes each */
    NPY_UNSIGNED,
    NPY_FLOAT,
};

struct npy_dtype {
    enum npy_type type;
    unsigned size;
};

/* The type of an op's results: integers of 64 bits, unless the results are
 * real. Results that are elements of the data keep their type if NumPy has
 * it. */
struct npy_dtype npy_dtype_of(const char *op, enum dtype dtype, bool is_bool);

void npy_header(struct writer *w, struct npy_dtype dtype, const uint64_t *size,
                unsigned rank);

/* Whether an array of this type can hold the value. */
bool npy_fits(struct npy_dtype dtype, const struct value *value);
/* Writes n elements of less than 8 bytes each: real numbers, given as the bits
 * of f64, for a float type, else integers, given as i64. */
void npy_words(struct writer *w, struct npy_dtype dtype, const uint64_t *x,
               size_t n);
void npy_element(struct writer *w, struct npy_dtype dtype,
                 const struct value *value);
