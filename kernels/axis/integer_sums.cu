// SPDX-License-Identifier: MIT
// Sums of integers along an axis: of values, magnitudes and squares.
#include "kernels/axis/integer_sum.cuh"
#include "kernels/axis/start.cuh"

template <enum dtype D, enum axis_monoid M>
static constexpr struct axis_starter starter()
{
    constexpr bool same =
        M == AXIS_SUMABS && std::is_unsigned<storage_of<D>>::value;
    constexpr enum axis_monoid of = same ? AXIS_SUM : M;
    if constexpr (!float_layout<D>::is_float && axis_is_supported(M, D))
        return starter_of<integer_sum<D, of>>();
    return AXIS_NOT_SUPPORTED;
}

#define VALUES(name, ...) starter<DTYPE_##name, AXIS_SUM>(),
#define MAGNITUDES(name, ...) starter<DTYPE_##name, AXIS_SUMABS>(),
#define SQUARES(name, ...) starter<DTYPE_##name, AXIS_SUMSQ>(),
const struct axis_starter axis_integer_sums[3][DTYPES_END] = {
    {DTYPES(VALUES)}, {DTYPES(MAGNITUDES)}, {DTYPES(SQUARES)}};
