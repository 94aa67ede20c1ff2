// SPDX-License-Identifier: MIT
// Counts and extremes along an axis.
#include "kernels/axis/looks.cuh"
#include "kernels/axis/start.cuh"

// Integers of a size are counted alike.
template <enum dtype D> constexpr enum dtype counted()
{
    return float_layout<D>::is_float    ? D
           : sizeof(storage_of<D>) == 1 ? DTYPE_u8
           : sizeof(storage_of<D>) == 2 ? DTYPE_u16
           : sizeof(storage_of<D>) == 4 ? DTYPE_u32
                                        : DTYPE_u64;
}

#define COUNTS(name, ...) starter_of<element_count<counted<DTYPE_##name>()>>(),
const struct axis_starter axis_counts[DTYPES_END] = {DTYPES(COUNTS)};

template <enum dtype D> constexpr bool has_sign()
{
    return float_layout<D>::is_float || std::is_signed<storage_of<D>>::value;
}

#define VALUES(name, ...) starter_of<element_extremes<DTYPE_##name, false>>(),
#define MAGNITUDES(name, ...) \
    starter_of<element_extremes<DTYPE_##name, has_sign<DTYPE_##name>()>>(),
const struct axis_starter axis_extremes[2][DTYPES_END] = {{DTYPES(VALUES)},
                                                          {DTYPES(MAGNITUDES)}};
