// SPDX-License-Identifier: MIT
//
// Elements as keys.
#pragma once

#include "kernels/common/tiles.cuh"
#include "kernels/common/widths.cuh"
#include "kernels/rank/rank.h"

// An unsigned integer of the width, and whether the elements are floats.
template <class U, bool FLOAT> DEVICE U key_of_element(U x, U flip)
{
    if constexpr (!FLOAT)
        return (U)(x ^ flip);
    else if constexpr (sizeof(U) == 2)
        return key_float_16(x);
    else if constexpr (sizeof(U) == 4)
        return key_float_32(x);
    else
        return key_float_64(x);
}

// Whether the key is in the range, whose start is then *d away.
template <class U> DEVICE bool in_range(U key, U low, U span, U *d)
{
    *d = (U)(key - low);
    return *d <= span;
}
