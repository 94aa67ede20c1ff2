/* SPDX-License-Identifier: MIT */
#include "output/npy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "reduce/float_format.h"

static const char elements[] = "min max first last mode";
static const char magnitudes[] = "absmin absmax linf";
static const char truths[] = "any alltrue";
static const char integers[] = "sum prod l1 sumsq range";
static const char counts[] =
    "rows count n_missing n_bad n_nan n_inf argmin argmax nunique "
    "approx_nunique mode_count mode_ties histogram";

struct npy_dtype npy_dtype_of(const char *op, enum dtype dtype, bool is_bool)
{
    const struct dtype_info *info = dtype_info(dtype);
    const bool is_magnitude = text_has_word(magnitudes, op);
    if (text_has_word(truths, op))
        return (struct npy_dtype){NPY_BOOL, 1};
    if (text_has_word(counts, op))
        return (struct npy_dtype){NPY_SIGNED, 8};
    if (!dtype_is_float(dtype) && text_has_word(integers, op))
        return (struct npy_dtype){NPY_SIGNED, 8};
    if (!is_magnitude && !text_has_word(elements, op))
        return (struct npy_dtype){NPY_FLOAT, 8};
    if (is_bool)
        return (struct npy_dtype){NPY_BOOL, 1};
    /* NumPy has no bfloat16 and no float of 8 bits; f32 has all values of these
     * types. */
    if (dtype_is_float(dtype))
        return (struct npy_dtype){
            NPY_FLOAT, info->kind == '-' || info->size == 1 ? 4 : info->size};
    return (struct npy_dtype){
        dtype_is_signed(dtype) && !is_magnitude ? NPY_SIGNED : NPY_UNSIGNED,
        info->size};
}

void npy_header(struct writer *w, struct npy_dtype dtype, const uint64_t *size,
                unsigned rank)
{
    enum { PREFIX = 10, ALIGNMENT = 64 };
    static const char kinds[] = {'b', 'i', 'u', 'f'};
    char text[512], head[PREFIX + 1];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "{'descr': '%c%c%u', 'fortran_order': False, "
                                "'shape': (",
                                dtype.size == 1 ? '|' : '<', kinds[dtype.type],
                                dtype.size);
    for (unsigned d = 0; d < rank; d++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%" PRIu64,
                              d > 0 ? ", " : "", size[d]);
    n += (size_t)snprintf(text + n, sizeof text - n, "%s), }",
                          rank == 1 ? "," : "");
    while ((PREFIX + n + 1) % ALIGNMENT)
        text[n++] = ' ';
    text[n++] = '\n';
    memcpy(head, "\x93NUMPY\1\0", 8);
    head[8] = (char)(n & 0xff);
    head[9] = (char)(n >> 8);
    writer_put(w, head, PREFIX);
    writer_put(w, text, n);
}

bool npy_fits(struct npy_dtype dtype, const struct value *value)
{
    const double rounded = (double)value->word[0];
    if (value->kind == VALUE_NONE)
        return dtype.type == NPY_FLOAT;
    if (value->kind != VALUE_INTEGER)
        return value->kind == VALUE_REAL && dtype.type == NPY_FLOAT;
    if (value->word[1] | value->word[2] | value->word[3])
        return false;
    if (dtype.type == NPY_FLOAT)
        return rounded < 0x1p64 && (uint64_t)rounded == value->word[0];
    return dtype.type != NPY_SIGNED ||
           value->word[0] <= (uint64_t)INT64_MAX + value->negative;
}

void npy_element(struct writer *w, struct npy_dtype dtype,
                 const struct value *value)
{
    uint64_t bits = value->negative ? 0 - value->word[0] : value->word[0];
    if (dtype.type == NPY_FLOAT) {
        const double real = value->kind == VALUE_REAL   ? value->real
                            : value->kind == VALUE_NONE ? NAN
                            : value->negative ? -(double)value->word[0]
                                              : (double)value->word[0];
        bits = dtype.size == 8   ? bits_of_double(real)
               : dtype.size == 4 ? bits_of_float((float)real)
                                 : dtype_from_double(DTYPE_f16, real);
    }
    writer_put(w, (const char *)&bits, dtype.size);
}

void npy_words(struct writer *w, struct npy_dtype dtype, const uint64_t *x,
               size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double real = double_of_bits(x[i]);
        const uint64_t bits = dtype.type != NPY_FLOAT ? x[i]
                              : dtype.size == 4
                                  ? bits_of_float((float)real)
                                  : dtype_from_double(DTYPE_f16, real);
        writer_put(w, (const char *)&bits, dtype.size);
    }
}
