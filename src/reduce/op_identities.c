/* SPDX-License-Identifier: MIT */
/* The identities of operations, which --empty identity prints. */
#include <math.h>

#include "reduce/op_rows.h"

struct value no_number(enum dtype dtype)
{
    (void)dtype;
    return real(NAN);
}

static uint64_t greatest_unsigned(enum dtype dtype)
{
    return UINT64_MAX >> (64 - 8 * dtype_info(dtype)->size);
}

struct value identity_min(enum dtype dtype)
{
    if (dtype_is_float(dtype))
        return value_real(INFINITY, dtype);
    return value_unsigned(greatest_unsigned(dtype) >> dtype_is_signed(dtype));
}

struct value identity_max(enum dtype dtype)
{
    if (dtype_is_float(dtype))
        return value_real(-INFINITY, dtype);
    if (!dtype_is_signed(dtype))
        return value_unsigned(0);
    return value_integer(true, greatest_unsigned(dtype) / 2 + 1, 0);
}

struct value identity_absmin(enum dtype dtype)
{
    if (dtype_is_float(dtype) || !dtype_is_signed(dtype))
        return identity_min(dtype);
    return value_unsigned(greatest_unsigned(dtype) / 2 + 1);
}

struct value identity_absmax(enum dtype dtype)
{
    return dtype_is_float(dtype) ? value_real(0, dtype) : value_unsigned(0);
}
