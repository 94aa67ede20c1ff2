// SPDX-License-Identifier: MIT
// Sums of floats along an axis: of values, magnitudes and squares.
#include "kernels/axis/start.cuh"
#include "kernels/axis/sums.cuh"

template <enum dtype D, int MAP> static constexpr struct axis_starter starter()
{
    if constexpr (float_layout<D>::is_float)
        return starter_of<float_sum<D, MAP>>();
    return AXIS_NOT_SUPPORTED;
}

#define VALUES(name, ...) starter<DTYPE_##name, EXACT_VALUE>(),
#define MAGNITUDES(name, ...) starter<DTYPE_##name, EXACT_MAGNITUDE>(),
#define SQUARES(name, ...) starter<DTYPE_##name, EXACT_SQUARE>(),
const struct axis_starter axis_float_sums[3][DTYPES_END] = {
    {DTYPES(VALUES)}, {DTYPES(MAGNITUDES)}, {DTYPES(SQUARES)}};
