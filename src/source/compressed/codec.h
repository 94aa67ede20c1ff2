/* SPDX-License-Identifier: MIT */
/*
 * The libraries that decode compressed streams, in one table. A row only
 * decodes: inflater.c reads headers, checks CRCs and lengths, and words every
 * error. One thread at a time may use a state.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes to read, and room to write. Calls move `at` forward. */
struct inflater_in {
    const unsigned char *at, *end;
};
struct inflater_out {
    unsigned char *at, *end;
};

/* The libraries count the bytes of a call in 32 bits. */
static inline uint32_t at_most_1g(size_t bytes)
{
    return (uint32_t)(bytes < 1u << 30 ? bytes : 1u << 30);
}

enum codec_status {
    CODEC_MORE, /* the input is used up, or the output is full */
    CODEC_END,  /* the stream has ended, and all of it is in the output */
    CODEC_BAD,
    CODEC_MEMORY,
};

enum { CODEC_HELD = 8 };

struct codec {
    const char *name;
    const char *(*version)(void);
    /* Starts a stream, in the state of an earlier stream unless `state` is
     * NULL. Returns the state, which `end` frees. Returns NULL without memory;
     * the old state then stays valid. */
    void *(*start)(void *state);
    void (*end)(void *state);
    /* Decodes until the input is used up or the output is full. With an empty
     * input, writes output that the codec still holds. */
    enum codec_status (*step)(void *state, struct inflater_in *in,
                              struct inflater_out *out);
    /* After CODEC_BAD: what is wrong, as a static string. */
    const char *(*fault)(const void *state);
    /* The number of bits that the codec took from the input and did not use.
     * Copies the whole bytes among them, the last ones, to `bytes`. */
    unsigned (*held)(const void *state, unsigned char bytes[CODEC_HELD]);
    /* Extends `crc`, the CRC-32 of earlier data (0 if there is none). NULL: the
     * codec decodes zstd frames, and checks them itself. */
    uint32_t (*crc)(uint32_t crc, const void *data, size_t bytes);
};

/* The reference decoder of deflate: users see its errors (judge.h). */
extern const struct codec codec_zlib;
extern const struct codec codec_isal; /* in builds that have it */

extern const struct codec codec_zstd; /* likewise */

/* The codec of deflate streams: the fastest one in this build. */
const struct codec *codec_deflate(void);

/* The codec of zstd frames; NULL in a build without one. */
const struct codec *codec_frames(void);

/* Every codec in this build, the fastest first, those of deflate before others;
 * NULL at the end. */
extern const struct codec *const codecs[];
