/* SPDX-License-Identifier: MIT */
/* The compressed part of a member, between its header and its trailer. */
#include <inttypes.h>
#include <string.h>

#include "source/compressed/crc.h"
#include "source/compressed/inflater_parts.h"

const char *member_noun(const struct inflater *f)
{
    static const char *const nouns[] = {[UNPACK_GZIP] = "gzip",
                                        [UNPACK_ZSTD] = "zstd",
                                        [UNPACK_DEFLATE] = "zip",
                                        [UNPACK_STORED] = "zip"};
    return nouns[f->form.kind];
}

bool body_start(struct inflater *f, struct error *e)
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

bool member_junk(const struct inflater *f, uint64_t offset, struct error *e)
{
    return error_named(e, ERROR_DATA, f->name,
                       "corrupt %s data: it ends at byte %" PRIu64
                       ", but bytes other than zero follow",
                       member_noun(f), offset);
}

/* Adds the bytes from `made` on to the CRC and the length, while they are in
 * cache. Output beyond a zip member's length is an error and is cut off.
 * Otherwise the caller's buffer size would decide how much of it is
 * returned. */
static bool count(struct inflater *f, unsigned char *made,
                  struct inflater_out *out, struct error *e)
{
    size_t bytes = (size_t)(out->at - made);
    bool fits =
        f->form.kind != UNPACK_DEFLATE || bytes <= f->form.bytes - f->bytes;
    if (!fits)
        out->at = made + (size_t)(f->form.bytes - f->bytes);
    if (f->form.kind != UNPACK_ZSTD)
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

/* Gives back the bytes that the codec took beyond the end of the stream. If it
 * took some in earlier calls, they cannot be given back. They become the start
 * of the trailer, which is longer than they are. */
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

/* libzstd overlooks a wrong length if the last block is empty. */
static bool end_frame(struct inflater *f, struct error *e)
{
    const struct zstd_header *h = &f->header.zstd;
    f->at = INFLATER_BETWEEN;
    return !h->has_length || h->length == f->bytes ||
           error_named(e, ERROR_DATA, f->name,
                       "corrupt zstd data: the length of the member that "
                       "starts at byte %" PRIu64 " and ends at %" PRIu64
                       " is wrong",
                       f->member, f->offset);
}

static bool end_body(struct inflater *f, struct inflater_in *in,
                     const unsigned char *from, struct error *e)
{
    unsigned gone = give_back(f, in, from);
    if (f->form.kind == UNPACK_ZSTD)
        return end_frame(f, e);
    if (f->form.kind == UNPACK_GZIP) {
        f->at = INFLATER_TRAILER;
        f->trailer_bytes = gone;
        return true;
    }
    f->at = INFLATER_DONE;
    return inflater_check(f->name, &f->form, f->crc, f->bytes, e) &&
           (gone == 0 || member_junk(f, f->offset - gone, e));
}

/* The file offset that the codec has reached. Bytes that it has taken but not
 * used do not count, because their number depends on how the input was cut. */
static uint64_t fault_offset(const struct inflater *f)
{
    unsigned char bytes[CODEC_HELD];
    return f->offset - (f->codec->held(f->stream, bytes) + 7) / 8;
}

bool body_read(struct inflater *f, struct inflater_in *in,
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
    /* libzstd does not report the place within a block. */
    if (f->form.kind == UNPACK_ZSTD)
        return error_named(e, ERROR_DATA, f->name,
                           "corrupt zstd data (%s), in the member that starts "
                           "at byte %" PRIu64,
                           f->codec->fault(f->stream), f->member);
    return error_named(e, ERROR_DATA, f->name,
                       "corrupt %s data at byte %" PRIu64
                       " (%s), in the member that starts at byte %" PRIu64,
                       member_noun(f), fault_offset(f),
                       f->codec->fault(f->stream), f->member);
}
