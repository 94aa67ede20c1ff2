/* SPDX-License-Identifier: MIT */
#include "source/compressed/zstd.h"

#include <string.h>

#include "base/element.h"

static const unsigned char magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
static const unsigned char skippable[4] = {0x50, 0x2a, 0x4d, 0x18};

enum { DESCRIPTOR = 4, SKIPPABLE_BYTES = 8 };
enum { SINGLE_SEGMENT = 0x20, RESERVED = 0x08, DICTIONARY = 0x03 };

/* Whether the byte may be at this place in the magic of a frame. */
static bool is_frame_byte(unsigned place, unsigned char byte)
{
    return byte == magic[place];
}

static bool is_skippable_byte(unsigned place, unsigned char byte)
{
    return (place == 0 ? byte & 0xf0 : byte) == skippable[place];
}

static bool is_skippable(const struct zstd_header *h)
{
    return is_skippable_byte(0, h->bytes[0]);
}

bool zstd_is_magic(const unsigned char *p)
{
    bool is_frame = true, is_skipped = true;
    for (unsigned i = 0; i < 4; i++) {
        is_frame &= is_frame_byte(i, p[i]);
        is_skipped &= is_skippable_byte(i, p[i]);
    }
    return is_frame || is_skipped;
}

static unsigned window_bytes(unsigned descriptor)
{
    return descriptor & SINGLE_SEGMENT ? 0 : 1;
}

static unsigned dictionary_bytes(unsigned descriptor)
{
    static const unsigned char bytes[4] = {0, 1, 2, 4};
    return bytes[descriptor & DICTIONARY];
}

/* The bytes of the field that has the length of the contents. */
static unsigned length_bytes(unsigned descriptor)
{
    static const unsigned char bytes[4] = {0, 2, 4, 8};
    unsigned n = bytes[descriptor >> 6];
    return n == 0 && descriptor & SINGLE_SEGMENT ? 1 : n;
}

/* The header's length, as far as it is known from the bytes read. */
static unsigned needed(const struct zstd_header *h)
{
    if (h->have > 0 && is_skippable(h))
        return SKIPPABLE_BYTES;
    if (h->have <= DESCRIPTOR)
        return DESCRIPTOR + 1;
    unsigned d = h->bytes[DESCRIPTOR];
    return DESCRIPTOR + 1 + window_bytes(d) + dictionary_bytes(d) +
           length_bytes(d);
}

static const char *check_byte(const struct zstd_header *h, unsigned char byte)
{
    bool is_skipped = h->have > 0 && is_skippable(h);
    if (h->have < DESCRIPTOR) {
        bool ok =
            (!is_skipped && is_frame_byte(h->have, byte)) ||
            ((is_skipped || h->have == 0) && is_skippable_byte(h->have, byte));
        return ok ? NULL : "no zstd header";
    }
    if (h->have == DESCRIPTOR && !is_skipped && byte & RESERVED)
        return "a reserved bit is set";
    return NULL;
}

/* The window of a single-segment frame is all of its contents. */
static void read_fields(struct zstd_header *h)
{
    unsigned d = h->bytes[DESCRIPTOR];
    const unsigned char *p = h->bytes + DESCRIPTOR + 1;
    unsigned exponent = 10 + (p[0] >> 3), eighths = p[0] & 7;
    const unsigned char *dictionary = p + window_bytes(d);
    const unsigned char *length = dictionary + dictionary_bytes(d);
    h->has_dictionary = little_endian(dictionary, dictionary_bytes(d)) != 0;
    h->has_length = length_bytes(d) > 0;
    h->length = little_endian(length, length_bytes(d));
    h->length += length_bytes(d) == 2 ? 256 : 0;
    h->window = d & SINGLE_SEGMENT ? h->length
                                   : (8 + (uint64_t)eighths) << (exponent - 3);
}

const char *zstd_header_read(struct zstd_header *h, const unsigned char **at,
                             const unsigned char *end, bool *done)
{
    const char *wrong = NULL;
    while (!wrong && h->have < needed(h) && *at < end) {
        wrong = check_byte(h, **at);
        h->bytes[h->have++] = *(*at)++;
    }
    *done = !wrong && h->have == needed(h);
    if (*done && !is_skippable(h))
        read_fields(h);
    return wrong;
}

bool zstd_may_start(const unsigned char *p, size_t bytes)
{
    for (size_t i = 0; i < bytes && i < DESCRIPTOR; i++) {
        if (p[i] != magic[i])
            return false;
    }
    return bytes <= DESCRIPTOR || !(p[DESCRIPTOR] & RESERVED);
}

size_t zstd_find(const unsigned char *data, size_t from, size_t bytes)
{
    const unsigned char *p = data + from, *end = data + bytes;
    while (p < end && (p = memchr(p, magic[0], (size_t)(end - p)))) {
        if (zstd_may_start(p, ZSTD_PREFIX))
            return (size_t)(p - data);
        p++;
    }
    return bytes;
}
