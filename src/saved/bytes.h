/* SPDX-License-Identifier: MIT */
/* A growing buffer of integers and texts, and a reader of such bytes that
 * trusts nothing. Integers are little-endian on every machine, and so are those
 * in memory (reduce/state.c checks this). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Starts as zero. The owner frees `at`. */
struct saved_bytes {
    uint8_t *at; /* [n] */
    size_t n, room;
    bool failed; /* memory ran out; nothing is appended any more */
};

/* Makes room for n more bytes and returns them; NULL: no memory. */
uint8_t *saved_grow(struct saved_bytes *b, size_t n);
void saved_put(struct saved_bytes *b, const void *from, size_t n);

/* Inline, as is saved_get_number: a state of 10^6 keys has 10^7 numbers. */
static inline void saved_put_number(struct saved_bytes *b, uint64_t x,
                                    unsigned bytes)
{
    uint8_t *to = saved_grow(b, bytes);
    if (to)
        memcpy(to, &x, bytes);
}

/* Bytes of a text; they may hold NUL. */
struct saved_text {
    const char *at;
    size_t n;
};

/* Appends the number of bytes in 4 bytes, then the bytes. */
void saved_put_text(struct saved_bytes *b, struct saved_text text);

struct saved_reader {
    const uint8_t *at, *end;
    bool failed; /* something was not there; all that follows reads as 0 */
    bool lost;   /* what was there found no memory */
};

static inline uint64_t saved_get_number(struct saved_reader *r, unsigned bytes)
{
    uint64_t x = 0;
    r->failed |= (size_t)(r->end - r->at) < bytes;
    if (!r->failed) {
        memcpy(&x, r->at, bytes);
        r->at += bytes;
    }
    return x;
}

/* A text in the reader's bytes, which must outlive it. */
struct saved_text saved_get_text(struct saved_reader *r);
/* As saved_get_text, with the number of bytes in so many bytes. */
struct saved_text saved_get_bytes(struct saved_reader *r, unsigned bytes);

/* A checksum of n bytes. Any change within 8 bytes in a row that start at a
 * multiple of 8 changes it. */
uint64_t saved_checksum(const uint8_t *at, size_t n);
