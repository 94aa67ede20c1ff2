/* SPDX-License-Identifier: MIT */
/* zstd frames, skippable ones among them, by libzstd. The stream starts with
 * the frame's header. */
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "source/compressed/codec.h"

struct stream {
    ZSTD_DCtx *context;
    size_t wanted; /* bytes of input that libzstd wants next; or its error */
    bool is_full;  /* the last call filled the output and may have more */
};

/* The largest window that libzstd must accept is 128 MiB. inflater.c has
 * already refused larger ones. */
enum { WINDOW_LOG_MAX = 27 };

static void end(void *stream)
{
    struct stream *s = stream;
    ZSTD_freeDCtx(s->context);
    free(s);
}

static void *make(void)
{
    struct stream *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    s->context = ZSTD_createDCtx();
    if (s->context && !ZSTD_isError(ZSTD_DCtx_setParameter(
                          s->context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX)))
        return s;
    end(s);
    return NULL;
}

static void *start(void *stream)
{
    struct stream *s = stream ? stream : make();
    if (s) {
        ZSTD_DCtx_reset(s->context, ZSTD_reset_session_only);
        s->wanted = ZSTD_DStreamInSize();
        s->is_full = false;
    }
    return s;
}

enum { BLOCK_HEADER = 3 };

/* The bytes to pass in one call. libzstd wants a block and the header after it,
 * or the last block. If a call fails, libzstd returns none of its output. So a
 * call must not decode one block and then find an error in another: the output
 * before an error would depend on how the input was cut. For the same reason, a
 * call of its own returns output that did not fit before. */
static size_t share(const struct stream *s, size_t left)
{
    size_t most =
        s->wanted > BLOCK_HEADER ? s->wanted - BLOCK_HEADER : s->wanted;
    return left < most ? left : most;
}

static enum codec_status step(void *stream, struct inflater_in *in,
                              struct inflater_out *out)
{
    struct stream *s = stream;
    do {
        ZSTD_inBuffer from = {in->at, share(s, (size_t)(in->end - in->at)), 0};
        ZSTD_outBuffer to = {out->at, (size_t)(out->end - out->at), 0};
        if (s->is_full)
            from.size = 0;
        s->wanted = ZSTD_decompressStream(s->context, &to, &from);
        in->at += from.pos;
        out->at += to.pos;
        s->is_full = to.pos > 0 && to.pos == to.size;
        if (s->wanted == 0)
            return CODEC_END;
        if (ZSTD_isError(s->wanted))
            return ZSTD_getErrorCode(s->wanted) == ZSTD_error_memory_allocation
                       ? CODEC_MEMORY
                       : CODEC_BAD;
    } while (in->at < in->end && out->at < out->end);
    return CODEC_MORE;
}

static const char *fault(const void *stream)
{
    return ZSTD_getErrorName(((const struct stream *)stream)->wanted);
}

static unsigned held(const void *stream, unsigned char bytes[CODEC_HELD])
{
    (void)stream;
    (void)bytes;
    return 0;
}

const struct codec codec_zstd = {
    "libzstd", ZSTD_versionString, start, end, step, fault, held, NULL};
