/* SPDX-License-Identifier: MIT */
/* The header of a member of a gzip file (RFC 1952), and what looks like one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A header that is being read. All zeros at first. */
struct gzip_header {
    unsigned part;  /* which of its fields is at hand */
    unsigned bytes; /* of that field so far */
    unsigned flags, extra;
    unsigned check; /* what it says its checksum is */
    uint32_t crc;   /* of all of it so far */
};

/* Takes bytes from *at up to `end` and moves *at on. *done: the header is
 * whole, and *at behind it. Returns what is wrong with it, or NULL. */
const char *gzip_header_read(struct gzip_header *header,
                             const unsigned char **at, const unsigned char *end,
                             bool *done);

/* The offset of the first place in [from, bytes) that might be the start of a
 * member: the GZIP_PREFIX bytes there, which must be readable, could be such a
 * header. Where there is none, `bytes`. Of random bytes one place in 2^37
 * does. */
enum { GZIP_PREFIX = 10 };
size_t gzip_find(const unsigned char *data, size_t from, size_t bytes);

/* Whether these bytes, up to GZIP_PREFIX of them, might be the first ones of
 * such a place. */
bool gzip_may_start(const unsigned char *p, size_t bytes);
