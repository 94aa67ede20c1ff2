/* SPDX-License-Identifier: MIT */
/* Raw deflate by ISA-L, twice as fast as zlib. */
#include <isa-l.h>
#include <stdlib.h>

#include "source/compressed/codec.h"

#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

static const char *version(void)
{
    return TEXT_OF(ISAL_MAJOR_VERSION) "." TEXT_OF(
        ISAL_MINOR_VERSION) "." TEXT_OF(ISAL_PATCH_VERSION);
}

struct stream {
    int status; /* of the last isal_inflate */
    struct inflate_state state;
};

static void *start(void *stream)
{
    struct stream *s = stream ? stream : malloc(sizeof *s);
    if (s)
        isal_inflate_init(&s->state); /* for raw deflate */
    return s;
}

static enum codec_status step(void *stream, struct inflater_in *in,
                              struct inflater_out *out)
{
    struct stream *s = stream;
    struct inflate_state *state = &s->state;
    state->next_in = (unsigned char *)in->at;
    state->avail_in = at_most_1g((size_t)(in->end - in->at));
    state->next_out = out->at;
    state->avail_out = at_most_1g((size_t)(out->end - out->at));
    s->status = isal_inflate(state);
    in->at = state->next_in;
    out->at = state->next_out;
    if (s->status < 0)
        return CODEC_BAD;
    return state->block_state == ISAL_BLOCK_FINISH ? CODEC_END : CODEC_MORE;
}

static const char *fault(const void *stream)
{
    const struct stream *s = stream;
    return s->status == ISAL_INVALID_BLOCK      ? "invalid block"
           : s->status == ISAL_INVALID_LOOKBACK ? "invalid distance"
                                                : "invalid code";
}

/* ISA-L reads ahead, also past the end of the stream. */
static unsigned held(const void *stream, unsigned char bytes[CODEC_HELD])
{
    const struct inflate_state *s = &((const struct stream *)stream)->state;
    unsigned bits = s->read_in_length > 0 ? (unsigned)s->read_in_length : 0;
    uint64_t whole = s->read_in >> bits % 8;
    for (unsigned i = 0; i < bits / 8; i++)
        bytes[i] = (unsigned char)(whole >> 8 * i);
    return bits;
}

static uint32_t crc(uint32_t crc, const void *data, size_t bytes)
{
    return crc32_gzip_refl(crc, data, bytes);
}

const struct codec codec_isal = {"ISA-L", version, start, free,
                                 step,    fault,   held,  crc};
