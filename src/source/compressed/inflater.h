/* SPDX-License-Identifier: MIT */
/*
 * Inflates compressed bytes in order, between buffers of the caller. This is
 * the definition of what a compressed input contains and of every error in it:
 * all checks are made here. One thread at a time.
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
    UNPACK_GZIP,    /* members one after another, zeros may follow */
    UNPACK_ZSTD,    /* frames, likewise; these are members here, too */
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
    int fd;           /* borrowed; of a file that can be read again, or -1 */
    uint64_t end;     /* file offset of the end; UINT64_MAX: the file's */
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
    /* The codec filled the output and may have more of it, without input. */
    bool is_full;
};

/* Bytes. Decoding a zstd frame takes as much memory as its window. A frame with
 * more than the first number must wait for its turn, one with more than the
 * second is refused, as by the zstd command. */
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
 * member has ended (f->at is then INFLATER_BETWEEN), or before a frame that
 * needs much memory (INFLATER_WIDE); the next call takes that memory. The
 * output may not be empty at the call, nor the input, unless f->is_full. */
bool inflater_step(struct inflater *f, struct inflater_in *in,
                   struct inflater_out *out, struct error *e);

/* Call when there is no more input: writes output that the codec still holds.
 * *ended says that this was all of it and that the data may end here; if it is
 * false, call again. */
bool inflater_finish(struct inflater *f, struct inflater_out *out, bool *ended,
                     struct error *e);

/* Compares the CRC and the length of a zip member with what the archive states.
 * False with the error if they differ. */
bool inflater_check(const char *name, const struct unpack_form *form,
                    uint32_t crc, uint64_t bytes, struct error *e);
