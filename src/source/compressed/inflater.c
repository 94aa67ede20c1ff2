/* SPDX-License-Identifier: MIT */
#include "source/compressed/inflater.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "source/compressed/crc.h"
#include "source/compressed/judge.h"
#include "source/compressed/source.h"

struct inflater *inflater_new(const struct source *source)
{
    struct inflater *f = calloc(1, sizeof *f);
    if (f) {
        f->name = source->name;
        f->fd = source->is_file ? source->fd : -1;
        f->end = source->left == UINT64_MAX ? UINT64_MAX
                                            : source->offset + source->left;
        f->codec = codec_deflate();
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

static const char *noun(const struct inflater *f)
{
    return f->form.kind == UNPACK_GZIP ? "gzip" : "zip";
}

static bool start_body(struct inflater *f, struct error *e)
{
    void *stream = f->codec->start(f->stream);
    if (!stream)
        return error_memory(e);
    f->stream = stream;
    f->at = INFLATER_BODY;
    f->crc = 0;
    f->bytes = 0;
    return true;
}

static bool start_member(struct inflater *f, struct error *e)
{
    f->member = f->offset;
    f->header = (struct gzip_header){.part = 0};
    f->trailer_bytes = 0;
    f->at = INFLATER_HEADER;
    return f->form.kind == UNPACK_GZIP || start_body(f, e);
}

static bool read_header(struct inflater *f, struct inflater_in *in,
                        struct error *e)
{
    const unsigned char *from = in->at;
    bool done;
    const char *wrong = gzip_header_read(&f->header, &in->at, in->end, &done);
    f->offset += (uint64_t)(in->at - from);
    if (wrong)
        return error_named(e, ERROR_DATA, f->name,
                           "corrupt gzip data: the member that starts at byte "
                           "%" PRIu64 ": %s",
                           f->member, wrong);
    return !done || start_body(f, e);
}

/* Adds the bytes from `made` on to the CRC and the length, while they are in
 * cache. Output beyond a zip member's length is an error and is cut off: how
 * much of it one call makes depends on the caller's buffer, which must not
 * show. */
static bool count(struct inflater *f, unsigned char *made,
                  struct inflater_out *out, struct error *e)
{
    size_t bytes = (size_t)(out->at - made);
    bool fits =
        f->form.kind == UNPACK_GZIP || bytes <= f->form.bytes - f->bytes;
    if (!fits)
        out->at = made + (size_t)(f->form.bytes - f->bytes);
    f->crc = crc_update(f->crc, made, bytes);
    f->bytes += bytes;
    if (fits)
        return true;
    return error_named(e, ERROR_DATA, f->name,
                       "corrupt zip archive: its member at byte %" PRIu64
                       " has more than the %" PRIu64 " bytes that it should",
                       f->member, f->form.bytes);
}

bool inflater_check(const char *name, const struct unpack_form *form,
                    uint32_t crc, uint64_t bytes, struct error *e)
{
    if (bytes != form->bytes)
        return error_named(e, ERROR_DATA, name,
                           "corrupt zip archive: its member at byte %" PRIu64
                           " has %" PRIu64 " bytes, not %" PRIu64,
                           form->offset, bytes, form->bytes);
    return crc == form->crc ||
           error_named(
               e, ERROR_DATA, name,
               "corrupt zip archive: the checksum (CRC) of its member at "
               "byte %" PRIu64 " is wrong",
               form->offset);
}

static bool junk(const struct inflater *f, uint64_t offset, struct error *e)
{
    return error_named(e, ERROR_DATA, f->name,
                       "corrupt %s data: it ends at byte %" PRIu64
                       ", but bytes other than zero follow",
                       noun(f), offset);
}

/* Gives back the bytes that the codec took after the end of the stream. Those
 * of earlier calls, which are gone, start the trailer: it is longer. */
static unsigned give_back(struct inflater *f, struct inflater_in *in,
                          const unsigned char *from)
{
    unsigned char bytes[CODEC_HELD];
    unsigned n = f->codec->held(f->stream, bytes) / 8;
    unsigned back = n < (size_t)(in->at - from) ? n : (unsigned)(in->at - from);
    in->at -= back;
    f->offset -= back;
    memcpy(f->trailer, bytes, n - back);
    return n - back;
}

static bool end_body(struct inflater *f, struct inflater_in *in,
                     const unsigned char *from, struct error *e)
{
    unsigned gone = give_back(f, in, from);
    if (f->form.kind == UNPACK_GZIP) {
        f->at = INFLATER_TRAILER;
        f->trailer_bytes = gone;
        return true;
    }
    f->at = INFLATER_DONE;
    return inflater_check(f->name, &f->form, f->crc, f->bytes, e) &&
           (gone == 0 || junk(f, f->offset - gone, e));
}

/* The file offset that the codec has reached. It may hold bits of bytes that
 * it has taken; how many depends on how its input was cut, so they do not
 * count. */
static uint64_t fault_offset(const struct inflater *f)
{
    unsigned char bytes[CODEC_HELD];
    return f->offset - (f->codec->held(f->stream, bytes) + 7) / 8;
}

static bool read_body(struct inflater *f, struct inflater_in *in,
                      struct inflater_out *out, struct error *e)
{
    unsigned char *made = out->at;
    const unsigned char *from = in->at;
    enum codec_status status = f->codec->step(f->stream, in, out);
    f->offset += (uint64_t)(in->at - from);
    f->is_full = status == CODEC_MORE && out->at == out->end;
    if (!count(f, made, out, e))
        return false;
    if (status == CODEC_END)
        return end_body(f, in, from, e);
    if (status == CODEC_MORE)
        return true;
    if (status == CODEC_MEMORY)
        return error_memory(e);
    return error_named(e, ERROR_DATA, f->name,
                       "corrupt %s data at byte %" PRIu64
                       " (%s), in the member that starts at byte %" PRIu64,
                       noun(f), fault_offset(f), f->codec->fault(f->stream),
                       f->member);
}

static uint32_t word(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

static bool check_trailer(struct inflater *f, struct error *e)
{
    bool crc_ok = word(f->trailer) == f->crc;
    bool size_ok = word(f->trailer + 4) == (uint32_t)f->bytes;
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

/* After a member: starts the next, or passes over zeros up to the end. */
static bool read_between(struct inflater *f, struct inflater_in *in,
                         struct error *e)
{
    if (f->at == INFLATER_BETWEEN && *in->at == 0x1f)
        return start_member(f, e);
    if (f->at == INFLATER_BETWEEN)
        f->member = f->offset;
    f->at = INFLATER_ZEROS;
    for (; in->at < in->end; in->at++, f->offset++) {
        if (*in->at != 0)
            return junk(f, f->member, e);
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
        case INFLATER_BODY:
            ok = read_body(f, in, out, e);
            break;
        case INFLATER_TRAILER:
            ok = read_trailer(f, in, e);
            if (f->at == INFLATER_BETWEEN)
                return ok;
            break;
        case INFLATER_BETWEEN:
        case INFLATER_ZEROS:
            ok = read_between(f, in, e);
            break;
        case INFLATER_DONE:
            return junk(f, f->offset, e);
        }
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
                noun(f), f->offset, f->member);
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
