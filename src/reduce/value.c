/* SPDX-License-Identifier: MIT */
#include "reduce/value.h"

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
