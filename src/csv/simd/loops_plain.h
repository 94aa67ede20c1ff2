/* SPDX-License-Identifier: MIT */
/* Loops that copy text and simplify it before its numbers are parsed: decimal
 * marks swapped, runs of blanks reduced to one. */
#pragma once

#include <string.h>

#include "csv/simd/loops.h"
#include "csv/simd/loops_structure.h"

static void swap(const char *text, size_t bytes, char a, char b, char *to)
{
    for (size_t i = 0; i < bytes; i++) {
        char c = text[i];
        to[i] = c == a ? b : c == b ? a : c;
    }
}

/* Whether the byte after the 64 at p is `end`, as a bit. `left` bytes of text
 * start at p. */
ALWAYS_INLINE uint64_t next_bits(const char *p, size_t left, char end)
{
    return left > 64 && p[64] == end;
}

/* Whether a blank at the end of the 64 bytes at p is to be dropped: another
 * blank or the line end follows, or the text ends. */
ALWAYS_INLINE uint64_t closes_after(const char *p, size_t left, char end)
{
    if (left <= 64)
        return 1;
    return p[64] == ' ' || p[64] == '\t' || p[64] == end ||
           (p[64] == '\r' && left > 65 && p[65] == end);
}

/* Writes the bytes of the 64 at p whose bit is set in `keep`, one run of bits
 * after the other, with tabs as blanks. Returns how many. Overwrites up to 16
 * bytes after them. */
ALWAYS_INLINE size_t keep_spans(char *to, const char *p, uint64_t keep,
                                uint64_t blank)
{
    char text[80];
    size_t n = 0;
    if (keep == ~0ull && blank == 0) {
        memcpy(to, p, 64);
        return 64;
    }
    for (int i = 0; i < 64; i++)
        text[i] = p[i] == '\t' ? ' ' : p[i];
    while (keep) {
        unsigned from = (unsigned)__builtin_ctzll(keep);
        uint64_t rest = ~(keep >> from);
        unsigned length = rest ? (unsigned)__builtin_ctzll(rest) : 64;
        for (unsigned i = 0; i < length; i += 16)
            memcpy(to + n + i, text + from + i, 16);
        n += length;
        keep =
            from + length < 64 ? keep >> (from + length) << (from + length) : 0;
    }
    return n;
}

#define SQUEEZE squeeze
#define KEEP keep_spans
#define TARGET
#include "csv/simd/loops_copy.h"

#if defined(LOOPS_VBMI2)
#define TARGET __attribute__((target("avx512vbmi2")))

static inline TARGET size_t keep_compressed(char *to, const char *p,
                                            uint64_t keep, uint64_t blank)
{
    __m512i text = _mm512_loadu_si512(p);
    text = _mm512_mask_mov_epi8(text, blank, _mm512_set1_epi8(' '));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(keep, text));
    return (size_t)__builtin_popcountll(keep);
}

#define SQUEEZE squeeze_compressed
#define KEEP keep_compressed
#include "csv/simd/loops_copy.h"
#endif
