// SPDX-License-Identifier: MIT
//
// Kernels that depend only on the width and class of elements: all integers of
// a width have the same kernels, and so have all floats of a width.
#pragma once

#include "kernels/common/tuning.h"
#include "reduce/dtype.h"

// LAUNCH<U, FLOAT>::run of a dtype's width and class.
template <template <class, bool> class LAUNCH, class... ARGS>
static cudaError_t by_dtype(enum dtype dtype, ARGS... args)
{
    if (dtype >= DTYPES_END)
        return cudaErrorNotSupported;
    const bool is_float = dtype_is_float(dtype);
    switch (dtype_size(dtype)) {
    case 1:
        return LAUNCH<uint8_t, false>::run(args...);
    case 2:
        return is_float ? LAUNCH<uint16_t, true>::run(args...)
                        : LAUNCH<uint16_t, false>::run(args...);
    case 4:
        return is_float ? LAUNCH<uint32_t, true>::run(args...)
                        : LAUNCH<uint32_t, false>::run(args...);
    default:
        return is_float ? LAUNCH<uint64_t, true>::run(args...)
                        : LAUNCH<uint64_t, false>::run(args...);
    }
}

inline int multiprocessors()
{
    int device = 0, n = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device);
    return n;
}

// Blocks of a kernel that takes `shared` bytes for itself: as many as are
// resident, but each has `least` tiles where there are so many.
template <class KERNEL>
inline int resident_blocks(KERNEL *kernel, int threads, size_t shared,
                           size_t tiles, size_t least)
{
    int resident = 1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads,
                                                  shared);
    const size_t most = (size_t)multiprocessors() * (resident ? resident : 1);
    const size_t enough = tiles / least + (tiles % least != 0);
    return (int)(enough < 1 ? 1 : enough < most ? enough : most);
}
