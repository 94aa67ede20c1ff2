/* SPDX-License-Identifier: MIT */
/* The header of a zstd frame (RFC 8878), and the search for one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ZSTD_HEADER_MAX = 18, ZSTD_PREFIX = 5 };

/* A header that is being read, in any number of calls. All zeros at first. */
struct zstd_header {
    unsigned char bytes[ZSTD_HEADER_MAX];
    unsigned have;
    /* Of a complete header: bytes of contents that the decoder must keep,
     * whether the frame needs a dictionary, and the length of the contents if
     * the header has it. */
    uint64_t window;
    bool has_dictionary, has_length;
    uint64_t length;
};

/* Continues to read the header at *at, up to `end` at most, and moves *at past
 * the bytes read. Sets *done if the header is complete. Returns NULL, or a
 * static string that says what is wrong with the header. */
const char *zstd_header_read(struct zstd_header *header,
                             const unsigned char **at, const unsigned char *end,
                             bool *done);

/* The first offset in [from, bytes) at which the ZSTD_PREFIX bytes could start
 * a frame with contents, or `bytes`. ZSTD_PREFIX - 1 bytes after `bytes` must
 * be readable. */
size_t zstd_find(const unsigned char *data, size_t from, size_t bytes);

/* Whether these bytes could start a frame with contents. Looks at the first
 * ZSTD_PREFIX of them; there may be fewer. */
bool zstd_may_start(const unsigned char *p, size_t bytes);

/* Whether these four bytes start a frame, which may be a skippable one. */
bool zstd_is_magic(const unsigned char *p);
