/* SPDX-License-Identifier: MIT */
#include "source/compressed/codec.h"
#include "source/compressed/crc.h"

/* ISA-L takes half of zlib's time, and its CRC a quarter of zlib's. */
const struct codec *const codecs[] = {
#ifdef HAVE_ISAL
    &codec_isal,
#endif
    &codec_zlib,
#ifdef HAVE_ZSTD
    &codec_zstd,
#endif
    NULL,
};

const struct codec *codec_deflate(void)
{
    return codecs[0];
}

const struct codec *codec_frames(void)
{
    int i = 0;
    while (codecs[i] && codecs[i]->crc)
        i++;
    return codecs[i];
}

uint32_t crc_update(uint32_t crc, const void *data, size_t bytes)
{
    return codecs[0]->crc(crc, data, bytes);
}
