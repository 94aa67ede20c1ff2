/* SPDX-License-Identifier: MIT */
#include "source/compressed/codec.h"

const struct codec *const codecs[] = {&codec_zlib, NULL};

const struct codec *codec_deflate(void)
{
    return codecs[0];
}
