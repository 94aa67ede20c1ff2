/* SPDX-License-Identifier: MIT */
#include "source/compressed/unpack.h"

#include <stdlib.h>
#include <string.h>

#include "source/compressed/pipeline.h"

enum { IN_BYTES = 64 << 10 };

struct unpack {
    struct source source; /* the pipeline has its own copy once there is one */
    struct inflater *inflater; /* owned; NULL once the pipeline has it */
    /* Owned; NULL before unpack_start, or if the reading thread inflates. */
    struct pipeline *pipeline;
    struct meter *meter; /* borrowed, or NULL */
    /* the end was reached: of the compressed bytes; of the contents */
    bool input_ended, ended;
    struct inflater_in in; /* the part of buffer not inflated yet */
    unsigned char buffer[IN_BYTES];
};

struct unpack *unpack_open(const struct source *source,
                           const struct unpack_form *form,
                           const unsigned char *first, size_t first_bytes,
                           struct error *e)
{
    struct unpack *u = malloc(sizeof *u);
    struct inflater *inflater =
        inflater_new(source, inflater_codec(form->kind));
    if (!u || !inflater) {
        inflater_free(inflater);
        free(u);
        return error_memory(e);
    }
    u->source = *source;
    u->inflater = inflater;
    u->pipeline = NULL;
    u->meter = NULL;
    u->input_ended = u->ended = false;
    if (first_bytes > 0)
        memcpy(u->buffer, first, first_bytes);
    u->in = (struct inflater_in){u->buffer, u->buffer + first_bytes};
    inflater_start(inflater, form, source->offset - first_bytes);
    return u;
}

void unpack_start(struct unpack *u, unsigned threads, struct meter *meter)
{
    u->meter = meter;
    if (threads <= 1 || u->pipeline || u->input_ended)
        return;
    u->pipeline =
        pipeline_new(&u->source, u->inflater, u->in.at,
                     (size_t)(u->in.end - u->in.at), threads, u->meter);
    if (u->pipeline)
        u->inflater = NULL;
}

static bool refill(struct unpack *u, struct error *e)
{
    size_t got;
    if (!source_read(&u->source, u->buffer, IN_BYTES, -1, &got, e))
        return false;
    u->in = (struct inflater_in){u->buffer, u->buffer + got};
    u->input_ended = got == 0;
    return true;
}

static bool inflate_more(struct unpack *u, struct inflater_out *out,
                         struct error *e)
{
    if (u->in.at == u->in.end && u->input_ended)
        return inflater_finish(u->inflater, out, &u->ended, e);
    const unsigned char *from = out->at, *packed = u->in.at;
    uint64_t since = u->meter ? meter_now() : 0;
    bool ok = inflater_step(u->inflater, &u->in, out, e);
    if (u->meter) {
        meter_add(u->meter, STAGE_INFLATE, since, (uint64_t)(out->at - from));
        atomic_fetch_add_explicit(&u->meter->packed,
                                  (uint64_t)(u->in.at - packed),
                                  memory_order_relaxed);
    }
    return ok;
}

bool unpack_read(struct unpack *u, void *to, size_t want, size_t *got,
                 struct error *e)
{
    struct inflater_out out = {to, (unsigned char *)to + want};
    bool ok = true;
    *got = 0;
    if (u->ended)
        return true;
    if (u->pipeline) {
        ok = pipeline_read(u->pipeline, to, want, got, e);
        u->ended = *got < want;
        return ok;
    }
    while (ok && !u->ended && out.at < out.end) {
        if (u->in.at == u->in.end && !u->input_ended && !u->inflater->is_full)
            ok = refill(u, e);
        ok = ok && inflate_more(u, &out, e);
    }
    *got = (size_t)(out.at - (unsigned char *)to);
    return ok;
}

void unpack_close(struct unpack *u)
{
    if (!u)
        return;
    if (u->pipeline)
        pipeline_free(u->pipeline);
    inflater_free(u->inflater);
    free(u);
}
