/* SPDX-License-Identifier: MIT */
/* A second look at a damaged member. Libraries report the same fault at
 * different places and with different reasons. So zlib words the error, if the
 * file can be read again. */
#include "source/compressed/judge.h"

#include <stdlib.h>

#include "source/compressed/source.h"

enum { JUDGE_BYTES = 64 << 10 };

/* Compressed bytes. A second look at more than this would take seconds. */
static const uint64_t JUDGE_MAX = 1 << 30;

struct judge {
    struct inflater *zlib; /* owned */
    struct source source;
    unsigned char in[JUDGE_BYTES], out[JUDGE_BYTES];
};

/* Inflates up to the end of the member. False with zlib's error. */
static bool inflate_again(struct judge *j, struct error *e)
{
    struct inflater_in in = {j->in, j->in};
    bool ok = true, ended = false;
    size_t got = 1;
    while (ok && !ended && j->zlib->at != INFLATER_BETWEEN) {
        struct inflater_out out = {j->out, j->out + JUDGE_BYTES};
        if (in.at == in.end && got > 0) {
            if (!source_read(&j->source, j->in, JUDGE_BYTES, -1, &got, e))
                return true;
            in = (struct inflater_in){j->in, j->in + got};
        }
        ok = got > 0 ? inflater_step(j->zlib, &in, &out, e)
                     : inflater_finish(j->zlib, &out, &ended, e);
    }
    return ok;
}

static bool is_judged(const struct inflater *f, const struct error *e)
{
    return f->fd >= 0 && f->codec != &codec_zlib &&
           f->form.kind != UNPACK_ZSTD && e->kind == ERROR_DATA &&
           f->offset - f->member <= JUDGE_MAX && f->at != INFLATER_HEADER &&
           f->at != INFLATER_ZEROS;
}

void judge_error(const struct inflater *f, struct error *e)
{
    struct error theirs;
    if (!is_judged(f, e))
        return;
    struct judge *j = malloc(sizeof *j);
    if (!j)
        return;
    j->source = (struct source){
        .name = f->name,
        .fd = f->fd,
        .is_file = true,
        .offset = f->member,
        .left = f->end == UINT64_MAX ? UINT64_MAX : f->end - f->member};
    j->zlib = inflater_new(&j->source, &codec_zlib);
    if (j->zlib) {
        inflater_start(j->zlib, &f->form, f->member);
        if (!inflate_again(j, &theirs))
            *e = theirs;
    }
    inflater_free(j->zlib);
    free(j);
}
