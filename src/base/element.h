/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/* Element i, of type T, of an array at any address p. */
#define ELEMENT_AT(T, p, i)                                       \
    (((const struct { T v; }                                      \
       __attribute__((packed, may_alias)) *)(const void *)(p))[i] \
         .v)

/* A little-endian number of up to 8 bytes. */
static inline uint64_t little_endian(const unsigned char *p, unsigned bytes)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < bytes; i++)
        n |= (uint64_t)p[i] << 8 * i;
    return n;
}
