/* SPDX-License-Identifier: MIT */
/* Raw deflate by zlib. */
#include <stdlib.h>
#include <zlib.h>

#include "source/compressed/codec.h"

static const char *version(void)
{
    return zlibVersion();
}

static void *start(void *state)
{
    z_stream *z = state;
    if (z)
        return inflateReset(z) == Z_OK ? z : NULL;
    z = calloc(1, sizeof *z);
    if (z && inflateInit2(z, -MAX_WBITS) == Z_OK)
        return z;
    free(z);
    return NULL;
}

static void end(void *state)
{
    inflateEnd(state);
    free(state);
}

static enum codec_status step(void *state, struct inflater_in *in,
                              struct inflater_out *out)
{
    z_stream *z = state;
    z->next_in = (unsigned char *)in->at; /* const depends on ZLIB_CONST */
    z->avail_in = at_most_1g((size_t)(in->end - in->at));
    z->next_out = out->at;
    z->avail_out = at_most_1g((size_t)(out->end - out->at));
    /* With Z_FINISH, zlib does not copy its window if the stream ends in this
     * call. If the stream does not end, zlib returns Z_BUF_ERROR and continues
     * in the next call. */
    int status = inflate(z, Z_FINISH);
    in->at = z->next_in;
    out->at = z->next_out;
    if (status == Z_STREAM_END)
        return CODEC_END;
    if (status == Z_OK || status == Z_BUF_ERROR)
        return CODEC_MORE;
    return status == Z_MEM_ERROR ? CODEC_MEMORY : CODEC_BAD;
}

static const char *fault(const void *state)
{
    const z_stream *z = state;
    return z->msg ? z->msg : "no deflate stream";
}

/* zlib gives whole bytes back when the stream ends. */
static unsigned held(const void *state, unsigned char bytes[CODEC_HELD])
{
    (void)bytes;
    return (unsigned)((const z_stream *)state)->data_type & 63;
}

static uint32_t crc(uint32_t crc, const void *data, size_t bytes)
{
    return (uint32_t)crc32_z(crc, data, bytes);
}

const struct codec codec_zlib = {"zlib", version, start, end,
                                 step,   fault,   held,  crc};
