/* SPDX-License-Identifier: MIT */
/* Reads the first bytes of an input, which are kept, and the bytes of a stream
 * after them. */
#include <stdlib.h>
#include <string.h>

#include "format/compression.h"
#include "source/compressed/unpack.h"
#include "source/io.h"

/* Reads contents from offset `at` on. If compressed data cannot be decoded from
 * the start, they may be something else. */
static bool read_contents(const struct input *input, uint64_t at, void *to,
                          size_t want, size_t *got, struct error *e)
{
    return unpack_read(input->unpack, to, want, got, e) ||
           (at == 0 && compression_doubt(input, input->compression, e));
}

/* Appends more bytes to the head. */
static bool read_head(struct input *input, unsigned char *to, size_t want,
                      size_t *got, struct error *e)
{
    if (input->unpack)
        return read_contents(input, input->head_bytes, to, want, got, e);
    /* A member must not be read beyond its end, because the file continues
     * after it. */
    if (input->form.kind == UNPACK_STORED &&
        want > input->bytes - input->head_bytes)
        want = (size_t)(input->bytes - input->head_bytes);
    bool ok = input->regular ? io_pread(input->fd, to, want,
                                        input->offset + input->head_bytes, got)
                             : io_read(input->fd, to, want, got);
    return ok || error_errno(e, input->name, "cannot be read");
}

bool input_head(struct input *input, size_t need, const unsigned char **bytes,
                size_t *have, struct error *e)
{
    if (need > input->head_bytes && !input->ended) {
        unsigned char *grown = realloc(input->head, need);
        if (!grown)
            return error_memory(e);
        input->head = grown;
        size_t got, at = input->head_bytes;
        if (!read_head(input, grown + at, need - at, &got, e))
            return false;
        input->ended = got < need - at;
        input->head_bytes += got;
    }
    *bytes = input->head;
    *have = input->head_bytes < need ? input->head_bytes : need;
    return true;
}

bool input_read_on(const struct input *input, uint64_t at, void *to,
                   size_t want, size_t *got, struct error *e)
{
    size_t more = 0;
    *got = 0;
    if (at < input->head_bytes) {
        size_t left = (size_t)(input->head_bytes - at);
        *got = left < want ? left : want;
        memcpy(to, input->head + at, *got);
    }
    if (*got == want || input->ended)
        return true;
    to = (char *)to + *got;
    want -= *got;
    /* If unpack has threads, they count on the meter themselves. */
    if (input->unpack) {
        bool ok = read_contents(input, at, to, want, &more, e);
        *got += more;
        return ok;
    }
    uint64_t start = meter_now();
    bool ok = io_read(input->fd, to, want, &more);
    meter_add(input->meter, STAGE_READ, start, more);
    *got += more;
    return ok || error_errno(e, input->name, "cannot be read");
}

void input_forget_head(struct input *input, uint64_t at)
{
    if (at < input->head_bytes)
        return;
    free(input->head);
    input->head = NULL;
}
