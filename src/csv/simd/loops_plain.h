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

/* Whether a blank at the end of the 64 bytes at p is to be dropped: another
 * blank or the line end follows, or the text ends. `left` bytes of text start
 * at p. */
ALWAYS_INLINE uint64_t closes_after(const char *p, size_t left, char end)
{
    if (left <= 64)
        return 1;
    return p[64] == ' ' || p[64] == '\t' || p[64] == end ||
           (p[64] == '\r' && left > 65 && p[65] == end);
}

/* Writes the bytes of the 64 at p whose bit is set in `keep`, one run of bits
 * after the other, with tabs as blanks. Returns how many. Overwrites up to 64
 * bytes after them. */
ALWAYS_INLINE size_t keep_spans(char *to, const char *p, uint64_t keep,
                                uint64_t blank)
{
#if defined(__AVX512VBMI2__)
    __m512i text = _mm512_loadu_si512(p);
    text = _mm512_mask_mov_epi8(text, blank, _mm512_set1_epi8(' '));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(keep, text));
    return (size_t)__builtin_popcountll(keep);
#else
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
#endif
}

/* Keeps the last byte of each run of blanks between two fields, as a blank, and
 * drops all other blanks. csv_squeeze is the definition. */
static size_t squeeze(const char *text, size_t bytes, char end, char *to)
{
    /* The next byte begins a line or continues its leading blanks. */
    uint64_t leading = 1;
    char *out = to;
    for (size_t at = 0; at < bytes; at += 64) {
        const char *p = text + at;
        size_t left = bytes - at;
        uint64_t valid = left >= 64 ? ~0ull : (1ull << left) - 1;
        uint64_t blank = (equal64(p, ' ') | equal64(p, '\t')) & valid;
        uint64_t lf = equal64(p, end) & valid;
        uint64_t keep = valid;
        if (blank) {
            uint64_t after = left > 64 && p[64] == end;
            uint64_t line_end =
                lf | (equal64(p, '\r') & valid & (lf >> 1 | after << 63));
            uint64_t begins = blank & (lf << 1 | leading);
            uint64_t led = blank & ~(blank + begins);
            uint64_t last = blank & ~led & ~(blank >> 1) & ~(line_end >> 1);
            if (last >> 63)
                last &= ~(closes_after(p, left, end) << 63);
            keep = valid & (~blank | last);
            leading = (led | lf) >> 63;
        } else {
            leading = lf >> 63;
        }
        out += keep_spans(out, p, keep, blank);
    }
    return (size_t)(out - to);
}
