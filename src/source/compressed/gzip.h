/* SPDX-License-Identifier: MIT */
/* The header of a gzip member (RFC 1952), and the search for one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A header that is being read, in any number of calls. All zeros at first. */
struct gzip_header {
    unsigned part;  /* the field being read, an enum part */
    unsigned bytes; /* bytes read of that field */
    unsigned flags, extra;
    unsigned check; /* the header's own checksum field */
    uint32_t crc;   /* of the header's bytes read so far */
};

/* Continues to read the header at *at, up to `end` at most, and moves *at past
 * the bytes read. Sets *done if the header is complete. Returns NULL, or a
 * static string that says what is wrong with the header. */
const char *gzip_header_read(struct gzip_header *header,
                             const unsigned char **at, const unsigned char *end,
                             bool *done);

/* The first offset in [from, bytes) at which the GZIP_PREFIX bytes could start
 * a member, or `bytes`. GZIP_PREFIX - 1 bytes after `bytes` must be readable.
 * In random data one offset in 2^37 looks like a member. */
enum { GZIP_PREFIX = 10 };
size_t gzip_find(const unsigned char *data, size_t from, size_t bytes);

/* Whether these bytes could start a member. Looks at the first GZIP_PREFIX of
 * them; there may be fewer, but at least one. */
bool gzip_may_start(const unsigned char *p, size_t bytes);
