/* SPDX-License-Identifier: MIT */
/*
 * Inflates compressed bytes in order, from a buffer of the caller into another.
 * This code defines what a compressed input contains and which errors it has:
 * it makes all checks. One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "source/compressed/codec.h"
#include "source/compressed/gzip.h"
#include "source/compressed/zstd.h"

struct source;

enum unpack_kind {
    UNPACK_GZIP, /* one member after another; zeros may follow */
    /* one frame after another; here a frame is called a member, too */
    UNPACK_ZSTD,
    UNPACK_DEFLATE, /* a zip member: one deflate stream */
    UNPACK_STORED,  /* a zip member without compression; never inflated */
};

/* What to unpack. For a zip member: where its data are, and the CRC and length
 * of the contents that the archive states. For others only the kind is used. */
struct unpack_form {
    enum unpack_kind kind;
    uint64_t offset; /* file offset of the data */
    uint32_t crc;
    uint64_t bytes;
};

struct inflater {
    const char *name; /* borrowed; the file, for messages */
    int fd;           /* borrowed; -1 unless the file can be read again */
    uint64_t end; /* file offset of the end; UINT64_MAX: the end of the file */
    struct unpack_form form;
    enum {
        INFLATER_START,
        INFLATER_HEADER,
        INFLATER_WIDE, /* before a frame that needs much memory */
        INFLATER_BODY,
        INFLATER_TRAILER,
        INFLATER_BETWEEN, /* after a member; another may follow */
        INFLATER_ZEROS,   /* after the last member */
        INFLATER_DONE,    /* after a zip member's data */
    } at;
    uint64_t offset; /* file offset of the next compressed byte */
    uint64_t member; /* file offset where the current member starts */
    uint32_t crc;    /* CRC of the member's contents so far, and their length */
    uint64_t bytes;
    union {
        struct gzip_header gzip;
        struct zstd_header zstd;
    } header;
    unsigned char trailer[8];
    unsigned trailer_bytes;
    const struct codec *codec;
    void *stream; /* owned; the codec's state, or NULL */
    /* A frame with a larger window must wait (INFLATER_WIDE). The owner may set
     * this, and swap `stream`, between calls. */
    uint64_t wide;
    /* The codec filled the output and may write more without input. */
    bool is_full;
};

/* Bytes. Decoding a zstd frame takes as much memory as its window. A frame with
 * a window above the first number must wait for its turn, above a smaller one
 * while the data may be a bomb. One above the second is refused, as the zstd
 * command does. */
static const uint64_t INFLATER_WIDE_MIN = 8 << 20,
                      INFLATER_WINDOW_MAX = 128 << 20;

/* NULL without memory. The source's name and descriptor are borrowed. */
struct inflater *inflater_new(const struct source *source,
                              const struct codec *codec);

/* The codec in this build for data of that kind, or NULL. */
const struct codec *inflater_codec(enum unpack_kind kind);
void inflater_free(struct inflater *f);

/* Starts at a file offset, or starts over at another. */
void inflater_start(struct inflater *f, const struct unpack_form *form,
                    uint64_t offset);

/* Inflates until the input is used up, the output is full, a gzip or zstd
 * member has ended (f->at is then INFLATER_BETWEEN), or a frame follows that
 * needs much memory (INFLATER_WIDE); the next call allocates it. The output
 * must have room. The input must have bytes, unless f->is_full. */
bool inflater_step(struct inflater *f, struct inflater_in *in,
                   struct inflater_out *out, struct error *e);

/* Call when there is no more input. Writes output that the codec still holds.
 * Sets *ended if that was all of it and the data may end here. If *ended is
 * false, call again. */
bool inflater_finish(struct inflater *f, struct inflater_out *out, bool *ended,
                     struct error *e);

/* Compares the CRC and the length of a zip member with what the archive states.
 * False with the error if they differ. */
bool inflater_check(const char *name, const struct unpack_form *form,
                    uint32_t crc, uint64_t bytes, struct error *e);
