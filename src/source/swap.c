/* SPDX-License-Identifier: MIT */
#include "source/swap.h"

#include <stdint.h>

#define SWAP(T, swap)                                  \
    do {                                               \
        T *x = p;                                      \
        for (size_t i = 0; i < bytes / sizeof *x; i++) \
            x[i] = swap(x[i]);                         \
    } while (0)

void swap_elements(void *p, size_t bytes, size_t size)
{
    if (size == 2)
        SWAP(uint16_t, __builtin_bswap16);
    else if (size == 4)
        SWAP(uint32_t, __builtin_bswap32);
    else if (size == 8)
        SWAP(uint64_t, __builtin_bswap64);
}
