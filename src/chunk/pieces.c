/* SPDX-License-Identifier: MIT */
#include "chunk/pieces.h"

#include "source/swap.h"

/* Bytes read and swapped at a time, so that the swap finds them in cache. */
enum { SWAP_BYTES = 256 << 10 };

void piece_swap(const struct input *input, void *p, size_t bytes)
{
    if (input->big_endian)
        swap_elements(p, bytes, dtype_info(input->dtype)->size);
}

bool piece_read(const struct piece *p, struct error *e)
{
    size_t step = p->input->big_endian ? SWAP_BYTES : p->bytes;
    for (size_t at = 0; at < p->bytes; at += step) {
        size_t got, want = p->bytes - at < step ? p->bytes - at : step;
        if (!file_read(p->file, p->input, p->to + at, want, p->offset + at,
                       &got, e))
            return false;
        if (got < want)
            return file_shrank(p->input, p->bytes - at - got, e);
        piece_swap(p->input, p->to + at, want);
    }
    return true;
}
