// SPDX-License-Identifier: MIT
//
// Elements as keys.
#pragma once

#include <type_traits>

#include "kernels/common/tiles.cuh"
#include "kernels/common/widths.cuh"
#include "kernels/rank/rank.h"

// The key of an element's bits: rank_key (reduce/ranks.h). It inverts all bits
// of negative floats, the sign of other floats, and the bits `flip` of
// integers.
template <class U, bool FLOAT> DEVICE U key_of_element(U x, U flip)
{
    constexpr int top = 8 * sizeof(U) - 1;
    if constexpr (!FLOAT)
        return (U)(x ^ flip);
    const U negative = (U)((std::make_signed_t<U>)x >> top);
    return (U)(x ^ (negative | (U)((U)1 << top)));
}

// The sign of signed integers.
inline uint64_t flip_of(enum dtype dtype)
{
    return dtype_class(dtype) == 'i' ? 1ull << (8 * dtype_size(dtype) - 1) : 0;
}

// Whether the key is in the range. Sets *d to its distance from the start.
template <class U> DEVICE bool in_range(U key, U low, U span, U *d)
{
    *d = (U)(key - low);
    return *d <= span;
}
