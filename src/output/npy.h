/* SPDX-License-Identifier: MIT */
/* NumPy's .npy, version 1: its header and its elements. */
#pragma once

#include "base/error.h"
#include "output/writer.h"

/* The types that results are written as. */
enum npy_type {
    NPY_BOOL,
    NPY_SIGNED, /* of `size` bytes each */
    NPY_UNSIGNED,
    NPY_FLOAT,
};

struct npy_dtype {
    enum npy_type type;
    unsigned size;
};

/* The type of an op's results: integers of 64 bits, but for elements of the
 * data, which keep their type where NumPy has it, and results that are real. */
struct npy_dtype npy_dtype_of(const char *op, enum dtype dtype, bool is_bool);

void npy_header(struct writer *w, struct npy_dtype dtype, const uint64_t *size,
                unsigned rank);

/* Whether the array can have the value. */
bool npy_fits(struct npy_dtype dtype, const struct value *value);
/* n elements of a float dtype, which are less than 8 bytes, from the bits of
 * f64. */
void npy_reals(struct writer *w, struct npy_dtype dtype, const uint64_t *x,
               size_t n);
void npy_element(struct writer *w, struct npy_dtype dtype,
                 const struct value *value);
