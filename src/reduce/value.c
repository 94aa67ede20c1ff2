/* SPDX-License-Identifier: MIT */
#include "reduce/value.h"

#include <string.h>

#include "reduce/float_format.h"

bool value_same(const struct value *a, const struct value *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == VALUE_NONE)
        return true;
    if (a->kind == VALUE_INTEGER)
        return a->negative == b->negative &&
               memcmp(a->word, b->word, sizeof a->word) == 0;
    if (a->kind == VALUE_TEXT)
        return a->bytes == b->bytes && memcmp(a->text, b->text, a->bytes) == 0;
    return bits_of_double(a->real) == bits_of_double(b->real) ||
           (a->real != a->real && b->real != b->real);
}

struct value value_none(void)
{
    return (struct value){.kind = VALUE_NONE};
}

struct value value_text(const char *text, size_t bytes)
{
    return (struct value){.kind = VALUE_TEXT, .text = text, .bytes = bytes};
}

struct value value_real(double x, enum dtype dtype)
{
    return (struct value){.kind = VALUE_REAL, .dtype = dtype, .real = x};
}

struct value value_unsigned(uint64_t x)
{
    return value_integer(false, x, 0);
}

struct value value_integer(bool negative, uint64_t low, uint64_t high)
{
    return (struct value){
        .kind = VALUE_INTEGER, .negative = negative, .word = {low, high}};
}
