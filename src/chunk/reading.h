/* SPDX-License-Identifier: MIT */
/* How each kind of data is read: its chunker and its decoder. */
#pragma once

#include "chunk/chunker.h"
#include "chunk/decoder.h"

struct reading {
    const struct chunker_kind *chunker;
    const struct decoder_kind *decoder;
};

/* Elements of one type, one after the other. */
static const struct reading reading_elements = {&chunker_elements,
                                                &decoder_elements};
/* Text of records. */
static const struct reading reading_records = {&chunker_records,
                                               &decoder_records};
