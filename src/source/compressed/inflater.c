/* SPDX-License-Identifier: MIT */
#include "source/compressed/inflater.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/element.h"
#include "source/compressed/inflater_parts.h"
#include "source/compressed/judge.h"
#include "source/compressed/source.h"

const struct codec *inflater_codec(enum unpack_kind kind)
{
    return kind == UNPACK_ZSTD ? codec_frames() : codec_deflate();
}

struct inflater *inflater_new(const struct source *source,
                              const struct codec *codec)
{
    struct inflater *f = calloc(1, sizeof *f);
    if (f) {
        f->name = source->name;
        f->fd = source->is_file ? source->fd : -1;
        f->end = source->left == UINT64_MAX ? UINT64_MAX
                                            : source->offset + source->left;
        f->codec = codec;
        f->wide = INFLATER_WIDE_MIN;
    }
    return f;
}

void inflater_free(struct inflater *f)
{
    if (f && f->stream)
        f->codec->end(f->stream);
    free(f);
}

void inflater_start(struct inflater *f, const struct unpack_form *form,
                    uint64_t offset)
{
    f->form = *form;
    f->at = INFLATER_START;
    f->offset = f->member = offset;
    f->is_full = false;
    f->crc = 0;
    f->bytes = 0;
}

static bool start_member(struct inflater *f, struct error *e)
{
    f->member = f->offset;
    memset(&f->header, 0, sizeof f->header);
    f->trailer_bytes = 0;
    f->at = INFLATER_HEADER;
    return f->form.kind != UNPACK_DEFLATE || body_start(f, e);
}

/* Starts the frame whose header was read. The codec gets the header, too. */
static bool start_frame(struct inflater *f, struct error *e)
{
    static unsigned char none;
    const struct zstd_header *h = &f->header.zstd;
    struct inflater_in in = {h->bytes, h->bytes + h->have};
    struct inflater_out out = {&none, &none};
    if (!body_start(f, e))
        return false;
    f->offset -= h->have; /* body_read counts these bytes again */
    return body_read(f, &in, &out, e);
}

static bool check_frame(struct inflater *f, struct error *e)
{
    const struct zstd_header *h = &f->header.zstd;
    if (h->has_dictionary)
        return error_named(e, ERROR_DATA, f->name,
                           "zstd data that need a dictionary, in the member "
                           "that starts at byte %" PRIu64 "\n"
                           "Try zstd -dc -D DICTIONARY FILE | gpureduce",
                           f->member);
    if (h->window > INFLATER_WINDOW_MAX)
        return error_named(e, ERROR_DATA, f->name,
                           "zstd data that need a window of %" PRIu64
                           " MiB, in the member that starts at byte %" PRIu64
                           "; at most 128 are supported\n"
                           "Try zstd -dc --long=31 FILE | gpureduce",
                           h->window >> 20, f->member);
    f->at = INFLATER_WIDE;
    return h->window > f->wide || start_frame(f, e);
}

static bool read_header(struct inflater *f, struct inflater_in *in,
                        struct error *e)
{
    const unsigned char *from = in->at;
    bool done;
    const char *wrong =
        f->form.kind == UNPACK_ZSTD
            ? zstd_header_read(&f->header.zstd, &in->at, in->end, &done)
            : gzip_header_read(&f->header.gzip, &in->at, in->end, &done);
    f->offset += (uint64_t)(in->at - from);
    if (wrong)
        return error_named(e, ERROR_DATA, f->name,
                           "corrupt %s data: the member that starts at byte "
                           "%" PRIu64 ": %s",
                           member_noun(f), f->member, wrong);
    if (done && f->form.kind == UNPACK_ZSTD)
        return check_frame(f, e);
    return !done || body_start(f, e);
}

static bool check_trailer(struct inflater *f, struct error *e)
{
    bool crc_ok = little_endian(f->trailer, 4) == f->crc;
    bool size_ok = little_endian(f->trailer + 4, 4) == (uint32_t)f->bytes;
    f->at = INFLATER_BETWEEN;
    return (crc_ok && size_ok) ||
           error_named(e, ERROR_DATA, f->name,
                       "corrupt gzip data: the %s of the member that starts at "
                       "byte %" PRIu64 " and ends at %" PRIu64 " is wrong",
                       crc_ok ? "length" : "checksum (CRC)", f->member,
                       f->offset);
}

static bool read_trailer(struct inflater *f, struct inflater_in *in,
                         struct error *e)
{
    while (f->trailer_bytes < sizeof f->trailer && in->at < in->end) {
        f->trailer[f->trailer_bytes++] = *in->at++;
        f->offset++;
    }
    return f->trailer_bytes < sizeof f->trailer || check_trailer(f, e);
}

static bool may_be_member(const struct inflater *f, unsigned char byte)
{
    return f->form.kind == UNPACK_ZSTD ? byte == 0x28 || byte >> 4 == 5
                                       : byte == 0x1f;
}

/* After a member: starts the next one, or skips zeros up to the end. */
static bool read_between(struct inflater *f, struct inflater_in *in,
                         struct error *e)
{
    if (f->at == INFLATER_BETWEEN && may_be_member(f, *in->at))
        return start_member(f, e);
    if (f->at == INFLATER_BETWEEN)
        f->member = f->offset;
    f->at = INFLATER_ZEROS;
    for (; in->at < in->end; in->at++, f->offset++) {
        if (*in->at != 0)
            return member_junk(f, f->member, e);
    }
    return true;
}

static bool advance(struct inflater *f, struct inflater_in *in,
                    struct inflater_out *out, struct error *e)
{
    bool ok = true;
    do {
        switch (f->at) {
        case INFLATER_START:
            ok = start_member(f, e);
            break;
        case INFLATER_HEADER:
            ok = read_header(f, in, e);
            break;
        case INFLATER_WIDE:
            ok = start_frame(f, e);
            break;
        case INFLATER_BODY:
            ok = body_read(f, in, out, e);
            break;
        case INFLATER_TRAILER:
            ok = read_trailer(f, in, e);
            break;
        case INFLATER_BETWEEN:
        case INFLATER_ZEROS:
            ok = read_between(f, in, e);
            break;
        case INFLATER_DONE:
            return member_junk(f, f->offset, e);
        }
        if (f->at == INFLATER_BETWEEN || f->at == INFLATER_WIDE)
            return ok;
    } while (ok && in->at < in->end &&
             !(f->at == INFLATER_BODY && out->at == out->end));
    return ok;
}

bool inflater_step(struct inflater *f, struct inflater_in *in,
                   struct inflater_out *out, struct error *e)
{
    bool ok = advance(f, in, out, e);
    if (!ok)
        judge_error(f, e);
    return ok;
}

/* Sets the error of data that end inside a member. */
static bool truncated(const struct inflater *f, struct error *e)
{
    error_named(e, ERROR_DATA, f->name,
                "truncated %s data: it ends at byte %" PRIu64
                ", inside the member that starts at byte %" PRIu64,
                member_noun(f), f->offset, f->member);
    judge_error(f, e);
    return false;
}

bool inflater_finish(struct inflater *f, struct inflater_out *out, bool *ended,
                     struct error *e)
{
    static const unsigned char nothing;
    struct inflater_in in = {&nothing, &nothing};
    const unsigned char *from = out->at;
    if (f->at == INFLATER_BODY && !inflater_step(f, &in, out, e))
        return false;
    *ended = out->at == from;
    return !*ended || f->at == INFLATER_BETWEEN || f->at == INFLATER_ZEROS ||
           f->at == INFLATER_DONE || truncated(f, e);
}
