/* SPDX-License-Identifier: MIT */
/*
 * The element types. DTYPES lists the types in which results are computed: the
 * CPU loops, the kernels and the tests all expand from it. The types of
 * STORED_DTYPES occur only in data. When read, their values are widened to a
 * type of DTYPES that has all of them.
 *
 *   X(short name, long name, class, storage type of the raw bits)
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/hd.h"

#define DTYPES(X)                      \
    X(f16, "float16", 'f', uint16_t)   \
    X(bf16, "bfloat16", '-', uint16_t) \
    X(f32, "float32", 'f', uint32_t)   \
    X(f64, "float64", 'f', uint64_t)   \
    X(i8, "int8", 'i', int8_t)         \
    X(i16, "int16", 'i', int16_t)      \
    X(i32, "int32", 'i', int32_t)      \
    X(i64, "int64", 'i', int64_t)      \
    X(u8, "uint8", 'u', uint8_t)       \
    X(u16, "uint16", 'u', uint16_t)    \
    X(u32, "uint32", 'u', uint32_t)    \
    X(u64, "uint64", 'u', uint64_t)

#define STORED_DTYPES(X)                     \
    X(f8e4m3, "float8_e4m3fn", '-', uint8_t) \
    X(f8e5m2, "float8_e5m2", 'f', uint8_t)

enum dtype {
#define DTYPE_ENUM(name, long_name, class, storage) DTYPE_##name,
    DTYPES(DTYPE_ENUM) DTYPES_END,
    DTYPE_BEFORE_STORED = DTYPES_END - 1,
    STORED_DTYPES(DTYPE_ENUM) DTYPES_ALL_END,
#undef DTYPE_ENUM
};

/* Properties of a dtype, for macros, loops and kernels. They are constants if
 * the dtype is one. */
HD_CONSTANT unsigned dtype_size(enum dtype dtype)
{
    switch (dtype) {
#define DTYPE_SIZE(name, long_name, class, storage) \
    case DTYPE_##name:                              \
        return sizeof(storage);
        DTYPES(DTYPE_SIZE)
        STORED_DTYPES(DTYPE_SIZE)
#undef DTYPE_SIZE
    default:
        return 0;
    }
}

HD_CONSTANT char dtype_class(enum dtype dtype)
{
    switch (dtype) {
#define DTYPE_CLASS(name, long_name, class, storage) \
    case DTYPE_##name:                               \
        return class;
        DTYPES(DTYPE_CLASS)
        STORED_DTYPES(DTYPE_CLASS)
#undef DTYPE_CLASS
    default:
        return 0;
    }
}

HD_CONSTANT bool dtype_is_float(enum dtype dtype)
{
    return dtype_class(dtype) == 'f' || dtype_class(dtype) == '-';
}

struct dtype_info {
    const char *name;
    const char *long_name;
    /* NumPy's kind letter: 'f', 'i' or 'u'; '-' of floats that have none. */
    char kind;
    uint8_t size; /* bytes */
    /* The dtype in which values are computed: the same one, unless this one is
     * stored. */
    enum dtype computed;
    /* Of a stored dtype: widens n elements, at any alignment, to `computed`. */
    void (*widen)(void *to, const void *from, size_t n);
};

EXTERN_C const struct dtype_info *dtype_info(enum dtype dtype);

EXTERN_C bool dtype_is_signed(enum dtype dtype); /* of the integers */

/* Finds a dtype by its short or long name, by C's float and double, or by
 * NumPy's code with its prefix ("<f4", ">i2", "|u1", "=f8"). A prefix that
 * names the byte order sets *big_endian; otherwise it stays as it is. False: no
 * such dtype. */
EXTERN_C bool dtype_find(const char *name, enum dtype *dtype, bool *big_endian);

/* Whether the name ("bool", "|b1") means truth values: u8 elements, each 0
 * or 1. dtype_find gives u8 for such a name. */
bool dtype_is_bool(const char *name);

/* The value of an element given by its raw bits. Exact for every float type;
 * integers of over 53 bits are rounded. */
double dtype_to_double(enum dtype dtype, uint64_t bits);

/* The raw bits of value rounded to a float dtype, ties to even. */
uint64_t dtype_from_double(enum dtype dtype, double value);

/* The element at p, as raw bits in the low bytes of the result. */
uint64_t dtype_load(enum dtype dtype, const void *p);
