/* SPDX-License-Identifier: MIT */
/* Finds structure by counting quotes, 64 bytes at a time: where fields end, and
 * how a piece of text changes the state. */
#pragma once

#include "csv/simd/loops.h"
#include "csv/simd/loops_bytes.h"

/* Bit i: the number of bits set at or below i is odd. */
ALWAYS_INLINE uint64_t prefix_odd(uint64_t x)
{
#if defined(__PCLMUL__)
    const __m128i ones = _mm_set1_epi8(-1);
    __m128i bits = _mm_cvtsi64_si128((int64_t)x);
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(bits, ones, 0));
#else
    for (int s = 1; s < 64; s *= 2)
        x ^= x << s;
    return x;
#endif
}

struct structure {
    const char *text;
    size_t bytes;
    char delimiter, end, quote;
    uint64_t quotes; /* all ones if the dialect has quotes, else 0 */
    uint64_t inside; /* all ones after an odd number of quotes, else 0 */
    bool blank;      /* tabs also delimit */
};

ALWAYS_INLINE struct structure structure_of(const char *text, size_t bytes,
                                            struct csv_dialect d, bool inside)
{
    return (struct structure){.text = text,
                              .bytes = bytes,
                              .delimiter = (char)d.delimiter,
                              .end = (char)d.end,
                              .quote = (char)d.quote,
                              .quotes = 0 - (uint64_t)d.quotes,
                              .inside = 0 - (uint64_t)inside,
                              .blank = d.blank};
}

/* Bit i: byte i of the 64 from `at` on is a quote of the dialect. */
ALWAYS_INLINE uint64_t quotes64(const struct structure *s, size_t at)
{
    return equal64(s->text + at, s->quote) & s->quotes;
}

/* Bit 63: a quote may open a field at byte `at` of the text. */
ALWAYS_INLINE uint64_t openers_before(const struct structure *s, size_t at)
{
    char before = at ? s->text[at - 1] : s->end;
    return (uint64_t)(before == s->delimiter || before == s->end ||
                      before == s->quote || (s->blank && before == '\t'))
           << 63;
}

/* The quotes that may not open a field, judged by the byte before each: `ends`
 * are the delimiters and line ends. *openers are the bytes of the 64 before
 * after which a quote may stand, then those of these 64. */
ALWAYS_INLINE uint64_t out_of_place(const struct structure *s, size_t at,
                                    uint64_t quotes, uint64_t ends,
                                    uint64_t *openers)
{
    uint64_t before = *openers >> 63;
    *openers = ends | quotes;
    if (s->blank)
        *openers |= equal64(s->text + at, '\t');
    return quotes & ~(*openers << 1 | before);
}

enum {
    /* Bytes to prefetch ahead: the scan is the first to read the text, and the
     * hardware's prefetchers stop at the end of a page. On Zen 5, 6144 took a
     * fifth off the time that scan takes with 2048. */
    SCAN_AHEAD = 6144,
    SCAN_RUN = 1024, /* after a quote, expect more in this many bytes */
};

static void scan(const char *text, size_t from, size_t bytes,
                 struct csv_dialect dialect, struct csv_scan *found)
{
    struct structure s = structure_of(text, bytes, dialect, found->odd);
    uint64_t lines = found->lines;
    uint64_t stray[2] = {found->stray[0], found->stray[1]};
    for (size_t at = from, end; at < bytes; at = end) {
        __builtin_prefetch(text + at + SCAN_AHEAD);
        end = bytes - at < SCAN_RUN ? bytes : at + SCAN_RUN;
        if (bytes - at >= 64 && !any64(text + at, s.quote)) {
            lines += count64(text + at, s.end);
            end = at + 64;
            continue;
        }
        uint64_t openers = openers_before(&s, at);
        for (; at < end; at += 64) {
            __builtin_prefetch(text + at + SCAN_AHEAD);
            uint64_t valid = ~0ull >> (end - at < 64 ? 64 - (end - at) : 0);
            uint64_t quotes = quotes64(&s, at) & valid;
            uint64_t lf = equal64(text + at, s.end) & valid;
            uint64_t inside = prefix_odd(quotes) ^ s.inside;
            uint64_t fields = equal64(text + at, s.delimiter) | lf;
            uint64_t wrong = out_of_place(&s, at, quotes, fields, &openers);
            lines += count_bits(lf);
            stray[0] |= wrong & inside;
            stray[1] |= wrong & ~inside;
            s.inside = (uint64_t)((int64_t)inside >> 63);
        }
    }
    *found =
        (struct csv_scan){lines, s.inside != 0, {stray[0] != 0, stray[1] != 0}};
}

/* The place of the lowest bit set; any place if there is none. */
ALWAYS_INLINE uint32_t lowest_bit(uint64_t x)
{
#if defined(__x86_64__)
    /* tzcnt, or bsf on old processors */
    uint64_t place;
    __asm__("rep bsf %1, %0" : "=r"(place) : "r"(x));
    return (uint32_t)place;
#elif defined(__aarch64__)
    uint64_t place;
    __asm__("rbit %0, %1\n\tclz %0, %0" : "=r"(place) : "r"(x));
    return (uint32_t)place;
#else
    return (uint32_t)__builtin_ctzll(x | 1ull << 63);
#endif
}

#if defined(__AVX2__) && !defined(__AVX512F__)
#define ROWS1(v) v, v << 8, (v << 8 | 1), (v << 8 | 1) << 8
#define ROWS2(v) ROWS1(v), ROWS1((v << 8 | 2))
#define ROWS3(v) ROWS2(v), ROWS2((v << 8 | 3))
#define ROWS4(v) ROWS3(v), ROWS3((v << 8 | 4))
#define ROWS5(v) ROWS4(v), ROWS4((v << 8 | 5))
/* [b]: the places of the bits set in byte b, one a byte. */
static const uint64_t places[256] = {ROWS5(0ull), ROWS5(6ull), ROWS5(7ull),
                                     ROWS5(0x706ull)};

/* As put_places. Takes as long for any number of bits, and has no branch. */
ALWAYS_INLINE void put_many(uint32_t *to, uint64_t bits, uint32_t base)
{
    __m256i first = _mm256_set1_epi32((int)base);
    for (int i = 0; i < 8; i++, bits >>= 8) {
        __m128i row = _mm_loadl_epi64((const __m128i *)&places[bits & 255]);
        __m256i all = _mm256_add_epi32(_mm256_cvtepu8_epi32(row), first);
        _mm256_storeu_si256((__m256i *)to, all);
        first = _mm256_add_epi32(first, _mm256_set1_epi32(8));
        to += count_bits(bits & 255);
    }
}
#define MANY 64 /* the guess for which the table is used */
#else
#define MANY 4
#endif

/* Writes base plus the place of each bit set, and returns how many. Writes four
 * or more at a time: a few too many cost less than a branch for each. Volatile
 * keeps the compiler from gathering the places in a vector. */
ALWAYS_INLINE size_t put_places(uint32_t *to, uint64_t bits, uint32_t base,
                                __attribute__((unused)) int guess)
{
    size_t n = count_bits(bits);
#if defined(__AVX512VBMI2__)
    const __m512i first = _mm512_set1_epi32((int)base);
    const __m512i all = _mm512_setr_epi64(
        0x0706050403020100, 0x0f0e0d0c0b0a0908, 0x1716151413121110,
        0x1f1e1d1c1b1a1918, 0x2726252423222120, 0x2f2e2d2c2b2a2928,
        0x3736353433323130, 0x3f3e3d3c3b3a3938);
    __m512i places = _mm512_maskz_compress_epi8(bits, all);
    for (size_t i = 0; i < n; i += 16) {
        __m512i wide = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places));
        _mm512_storeu_si512(to + i, _mm512_add_epi32(wide, first));
        places = _mm512_shuffle_i64x2(places, places, 0x39);
    }
#elif defined(__AVX512F__)
    const __m512i sixteen = _mm512_set1_epi32(16);
    __m512i places =
        _mm512_add_epi32(_mm512_set1_epi32((int)base),
                         _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                           12, 13, 14, 15));
    for (int i = 0; i < 4; i++, bits >>= 16) {
        __mmask16 some = (__mmask16)bits;
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(some, places));
        places = _mm512_add_epi32(places, sixteen);
        to += __builtin_popcount(some);
    }
#else
#if defined(__AVX2__)
    if (guess == MANY) {
        put_many(to, bits, base);
        return n;
    }
#endif
    for (; guess > 0 || bits; guess -= 4, to += 4)
        for (int j = 0; j < 4; j++) {
            ((volatile uint32_t *)to)[j] = base + lowest_bit(bits);
            bits &= bits - 1;
        }
#endif
    return n;
}

/* What `ends` has found so far. */
struct ends_walk {
    struct structure s;
    uint64_t stray;
    uint64_t openers; /* as for out_of_place */
    uint32_t *to;     /* where the next end is written */
    size_t records;
    text_part lines; /* the records of a stretch, counted in each byte */
};

#if defined(__AVX2__) || defined(LOOPS_NEON)
#define QUOTED ALWAYS_INLINE
#else
#define QUOTED static __attribute__((noinline)) /* leaves registers free */
#endif

/* The ends of 64 bytes that have quotes or start inside, of which those in
 * `valid` count. `end` holds all delimiters and line ends. */
QUOTED uint64_t ends_quoted(struct ends_walk *w, size_t at, uint64_t valid,
                            uint64_t end)
{
    uint64_t quotes = quotes64(&w->s, at) & valid;
    uint64_t lf = equal64(w->s.text + at, w->s.end) & valid;
    uint64_t inside = prefix_odd(quotes) ^ w->s.inside;
    w->stray |= out_of_place(&w->s, at, quotes, end, &w->openers) & inside;
    w->s.inside = (uint64_t)((int64_t)inside >> 63);
    w->records += count_bits(lf & ~inside);
    return end & ~inside;
}

/* Finds the ends in the 64 bytes from `at` on, of which only those in `valid`
 * count. A constant `valid` is fastest. */
ALWAYS_INLINE void ends_block(struct ends_walk *w, size_t at, uint64_t valid,
                              int guess)
{
    const char *p = w->s.text + at;
    __builtin_prefetch(p + SCAN_AHEAD);
    uint64_t end = either64(p, w->s.delimiter, w->s.end) & valid;
    if (any64(p, w->s.quote) | w->s.inside) {
        end = ends_quoted(w, at, valid, end);
    } else {
        w->openers = end;
#if defined(MARKS_BYTES)
        if (valid == ~0ull)
            for (int i = 0; i < 64; i += PART)
                w->lines -= same(p + i, w->s.end, w->s.end);
        else
#endif
            w->records += count_bits(equal64(p, w->s.end) & valid);
    }
    w->to += put_places(w->to, end, (uint32_t)at, guess);
}

ALWAYS_INLINE void ends_blocks(struct ends_walk *w, size_t at, size_t stop,
                               int guess)
{
    for (; at < stop; at += 64)
        ends_block(w, at, ~0ull, guess);
}

static bool ends(const char *text, size_t from, size_t bytes,
                 struct csv_dialect dialect, struct csv_ends *out)
{
    struct ends_walk w = {.s = structure_of(text, bytes, dialect, out->inside),
                          .to = out->at};
    size_t at = from, whole = from + (bytes - from) / 64 * 64;
    w.openers = openers_before(&w.s, from);
#if defined(MARKS_BYTES)
    const size_t stretch = 63 * 64; /* a byte counts 4 lines in each block */
    for (size_t n = 0, stop; at < whole; at = stop) {
        const uint32_t *before = w.to;
        stop = whole - at < stretch ? whole : at + stretch;
        /* Expects as many ends as in the stretch before, since a right guess
         * saves mispredictions. */
        if (n > 535 && MANY > 4) /* 8.5 in a block */
            ends_blocks(&w, at, stop, MANY);
        else if (n > 226 && MANY > 4)
            ends_blocks(&w, at, stop, 8);
        else
            ends_blocks(&w, at, stop, 4);
        n = (size_t)(w.to - before);
        w.records += sum_part(w.lines);
        w.lines = (text_part){0};
    }
#else
    ends_blocks(&w, at, whole, 4);
#endif
    if (whole < bytes)
        ends_block(&w, whole, (1ull << (bytes - whole)) - 1, 4);
    out->n = (size_t)(w.to - out->at);
    out->records = w.records;
    out->inside = w.s.inside != 0;
    return w.stray == 0;
}
