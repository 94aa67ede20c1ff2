/* SPDX-License-Identifier: MIT */
/*
 * Compressed bytes in order to the bytes they stand for, in the caller's
 * buffers: the definition of what a compressed input means, and of every error
 * in it. All checks are made here. One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <zlib.h>

#include "base/error.h"
#include "source/compressed/gzip.h"

enum unpack_kind {
    UNPACK_GZIP,    /* members one after the other, maybe zeros behind them */
    UNPACK_DEFLATE, /* a zip member: one deflate stream */
    UNPACK_STORED,  /* a zip member: as it is, which is not unpacked at all */
};

/* What is unpacked; of a zip member, what the archive says it must come to. */
struct unpack_form {
    enum unpack_kind kind;
    uint64_t offset; /* in the file, of a zip member's data */
    uint32_t crc;
    uint64_t bytes;
};

struct inflater {
    const char *name; /* borrowed; of the file, for messages */
    struct unpack_form form;
    enum {
        INFLATER_START,
        INFLATER_HEADER,
        INFLATER_BODY,
        INFLATER_TRAILER,
        INFLATER_BETWEEN, /* behind a member: there may be another */
        INFLATER_ZEROS,   /* behind the last one */
        INFLATER_DONE,    /* a deflate stream has ended */
    } at;
    uint64_t offset; /* in the file, of the next compressed byte */
    uint64_t member; /* in the file, of the start of the current member */
    uint32_t crc;    /* of the member so far, and its bytes */
    uint64_t bytes;
    struct gzip_header header;
    unsigned char trailer[8];
    unsigned trailer_bytes;
    z_stream stream;
    bool has_stream;
};

/* Bytes that may be read and such that may be written; calls move `at` on. */
struct inflater_in {
    const unsigned char *at, *end;
};
struct inflater_out {
    unsigned char *at, *end;
};

/* A new one; NULL where there is no memory. */
struct inflater *inflater_new(const char *name);
void inflater_free(struct inflater *f);

/* Starts, or starts again, at an offset of the file. */
void inflater_start(struct inflater *f, const struct unpack_form *form,
                    uint64_t offset);

/* Goes on until the input is used up, the output is full, or a member of gzip
 * has ended (then it is INFLATER_BETWEEN). There is some input, and room. */
bool inflater_step(struct inflater *f, struct inflater_in *in,
                   struct inflater_out *out, struct error *e);

/* There is no more input: gives out what is still to come of what there was.
 * *ended: that was all, and the data may end here; else it is to be called
 * again. */
bool inflater_finish(struct inflater *f, struct inflater_out *out, bool *ended,
                     struct error *e);

/* Holds the CRC and the length of a zip member against what the archive says.
 */
bool inflater_check(const char *name, const struct unpack_form *form,
                    uint32_t crc, uint64_t bytes, struct error *e);
