/* SPDX-License-Identifier: MIT */
#include "saved/bytes.h"

#include <stdlib.h>
#include <string.h>

uint8_t *saved_grow(struct saved_bytes *b, size_t n)
{
    if (b->failed)
        return NULL;
    if (n > b->room - b->n) {
        const size_t room = 2 * b->room + n + 256;
        uint8_t *grown = room > n ? realloc(b->at, room) : NULL;
        b->failed = !grown;
        if (!grown)
            return NULL;
        b->at = grown;
        b->room = room;
    }
    b->n += n;
    return n > 0 ? b->at + b->n - n : b->at;
}

void saved_put(struct saved_bytes *b, const void *from, size_t n)
{
    uint8_t *to = saved_grow(b, n);
    if (to && n > 0)
        memcpy(to, from, n);
}

void saved_put_text(struct saved_bytes *b, struct saved_text text)
{
    b->failed |= text.n > UINT32_MAX;
    saved_put_number(b, text.n, 4);
    saved_put(b, text.at, text.n);
}

struct saved_text saved_get_text(struct saved_reader *r)
{
    return saved_get_bytes(r, 4);
}

struct saved_text saved_get_bytes(struct saved_reader *r, unsigned bytes)
{
    const size_t n = (size_t)saved_get_number(r, bytes);
    r->failed |= (size_t)(r->end - r->at) < n;
    if (r->failed)
        return (struct saved_text){"", 0};
    r->at += n;
    return (struct saved_text){(const char *)r->at - n, n};
}

uint64_t saved_checksum(const uint8_t *at, size_t n)
{
    uint64_t sum = n;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = 0;
        memcpy(&word, at + i, n - i < 8 ? n - i : 8);
        /* Each step is a bijection of the sum and one of the word. */
        sum = (sum ^ word) * 0x9e3779b97f4a7c15;
        sum ^= sum >> 32;
    }
    return sum;
}
