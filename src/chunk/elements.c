/* SPDX-License-Identifier: MIT */
/*
 * The chunker of elements. All chunks but the last are full; a chunk may span
 * inputs. So if all workers ask for multiples of some size, no unit of that
 * size, such as a leaf of the product's tree, is split between chunks.
 *
 * Threads read regular files by offset, in parallel, outside the lock. Streams,
 * and bytes by which a file grew, are read under the lock.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "chunk/chunker.h"
#include "chunk/pieces.h"
#include "format/input.h"

struct chunker {
    struct cursor at;
    size_t element; /* bytes of an element */

    /* Guarded by the lock. */
    bool stopped;
    uint64_t elements; /* elements cut so far */

    /* Index in the dataset of each input's first element: [at.count],
     * UINT64_MAX before its first chunk is cut. Written under the lock, read by
     * any thread. */
    _Atomic uint64_t *base;
};

static void close_elements(struct chunker *c)
{
    cursor_close(&c->at);
    free(c->base);
    free(c);
}

static void stop_elements(struct chunker *c, uint64_t sequence)
{
    (void)sequence;
    pthread_mutex_lock(&c->at.lock);
    c->stopped = true;
    pthread_mutex_unlock(&c->at.lock);
}

/* Reads the next bytes of the current input. The caller holds the lock. */
static bool read_on(struct chunker *c, const struct input *input, char *to,
                    size_t want, size_t *got, struct error *e)
{
    uint64_t at = input->offset + c->at.taken;
    if (!input->regular)
        return input_read_on(input, at, to, want, got, e);
    return file_read(c->at.file, input, to, want, at, got, e);
}

/* Skips the bytes of a stream before its data (--skip-bytes, a header) that the
 * first look did not read. `scratch` has `room` bytes. */
static bool skip_stream(struct chunker *c, const struct input *input,
                        char *scratch, size_t room, struct error *e)
{
    if (input->regular || c->at.taken > 0 || input->offset <= input->head_bytes)
        return true;
    uint64_t left = input->offset - input->head_bytes;
    while (left > 0) {
        size_t got = 0;
        size_t want = left < room ? (size_t)left : room;
        if (!input_read_on(input, input->head_bytes, scratch, want, &got, e))
            return false;
        left -= got;
        if (got < want)
            return error_named(e, ERROR_DATA, input->name,
                               "--skip-bytes %" PRIu64 " is more than its "
                               "%" PRIu64 " bytes",
                               input->offset, input->offset - left);
    }
    return true;
}

/* The current input has ended: checks that it was whole elements and moves to
 * the next. */
static bool end_input(struct chunker *c, const struct input *input,
                      struct error *e)
{
    uint64_t rest = c->at.taken % c->element;
    if (rest)
        return error_named(
            e, ERROR_DATA, input->name,
            "its %" PRIu64 " bytes are not a whole number of %s elements: "
            "%" PRIu64 " trailing byte%s\n"
            "Try another --dtype, or --skip-bytes if it has a header.",
            input->before + c->at.taken, dtype_info(input->dtype)->name, rest,
            rest == 1 ? "" : "s");
    cursor_next(&c->at);
    return true;
}

/* Checks that an input ends where its header says. */
static bool end_exact(struct chunker *c, const struct input *input,
                      struct error *e)
{
    char more;
    size_t got = 0;
    bool ok = input->regular || read_on(c, input, &more, 1, &got, e);
    /* Test `got` before `ok`: whether the same call also sees an error after
     * these bytes depends on which thread inflates. */
    if (got)
        return error_named(e, ERROR_DATA, input->name,
                           "bytes follow the array");
    return ok && end_input(c, input, e);
}

static void defer_piece(struct chunker *c, struct filling *filling,
                        struct input *input, size_t bytes)
{
    filling->piece[filling->pieces++] =
        (struct piece){c->at.file, input, input->offset + c->at.taken,
                       filling->to + filling->bytes, bytes};
    c->at.file->uses++;
    filling->bytes += bytes;
    c->at.taken += bytes;
}

/* Adds bytes of the current input to the chunk: all that are left, or as many
 * as the chunk has room for. A large part of a regular file becomes a piece,
 * which is read later, outside the lock. */
static bool take_input(struct chunker *c, struct filling *filling,
                       struct error *e)
{
    struct input *input = &c->at.inputs[c->at.current];
    size_t room = filling->room - filling->bytes;
    if (!cursor_start(&c->at, true, e) ||
        !skip_stream(c, input, filling->to + filling->bytes, room, e))
        return false;
    if (c->at.taken == 0)
        c->base[c->at.current] = c->elements + filling->bytes / c->element;
    uint64_t expected =
        input->bytes == INPUT_UNKNOWN || c->at.taken > input->bytes
            ? 0
            : input->bytes - c->at.taken;
    bool defer = input->regular && expected >= PIECE_MIN && room >= PIECE_MIN;
    if (defer && filling->pieces < PIECES_MAX) {
        /* A piece has whole elements only. An incomplete last element is read
         * and reported when the input ends. */
        uint64_t take =
            expected < room ? expected - expected % c->element : room;
        defer_piece(c, filling, input, (size_t)take);
        return true;
    }
    if (input->exact && expected == 0)
        return end_exact(c, input, e);
    size_t got;
    size_t want = input->exact && expected < room ? (size_t)expected : room;
    char *to = filling->to + filling->bytes;
    if (!read_on(c, input, to, want, &got, e))
        return false;
    c->at.taken += got;
    if (got < want && (input->exact || got < expected))
        return file_shrank(input, expected - got, e);
    piece_swap(input, to, got);
    filling->bytes += got;
    return got == want || end_input(c, input, e);
}

static bool fill(struct chunker *c, struct filling *filling, struct error *e)
{
    while (filling->bytes < filling->room && c->at.current < c->at.count) {
        const size_t current = c->at.current;
        filling->first = filling->bytes > 0 ? filling->first : current;
        filling->inputs = current - filling->first + 1;
        if (!take_input(c, filling, e))
            return false;
    }
    return true;
}

static bool read_pieces(struct chunker *c, struct filling *filling,
                        struct error *e)
{
    bool ok = true;
    for (unsigned i = 0; i < filling->pieces; i++)
        ok = ok && piece_read(&filling->piece[i], e);
    pthread_mutex_lock(&c->at.lock);
    for (unsigned i = 0; i < filling->pieces; i++)
        file_release(filling->piece[i].file);
    c->stopped |= !ok;
    pthread_mutex_unlock(&c->at.lock);
    return ok;
}

/* Whether the chunk is one piece of a mapped file. */
static bool is_in_one_map(const struct filling *filling)
{
    return filling->pieces == 1 && filling->piece[0].bytes == filling->bytes &&
           filling->piece[0].file->is_mapped;
}

/* Leaves the chunk's data in the mapping. The chunk takes over the piece's use
 * of the file. */
static void keep_mapped(struct chunk *chunk, const struct piece *p)
{
    chunk->data = file_range(p->file, p->input, p->offset, p->bytes);
    chunk->mapped = p->file;
    chunk->offset = p->offset;
    chunk->mapped_bytes = p->bytes;
}

static enum chunk_next next_elements(struct chunker *c, const struct want *want,
                                     struct chunk *chunk, struct error *e)
{
    struct filling filling;
    filling.to = want->to;
    filling.bytes = 0;
    filling.room = want->bytes;
    filling.pieces = 0;
    filling.first = filling.inputs = 0;
    pthread_mutex_lock(&c->at.lock);
    bool stopped = c->stopped;
    bool ok = !stopped && fill(c, &filling, e);
    chunk->sequence = c->at.sequence++;
    chunk->first = c->elements;
    chunk->n = filling.bytes / c->element;
    c->elements += chunk->n;
    c->stopped |= !ok;
    pthread_mutex_unlock(&c->at.lock);
    if (stopped)
        return CHUNK_END;
    chunk->data = want->to;
    chunk->bytes = filling.bytes;
    chunk->input = &c->at.inputs[filling.first];
    chunk->inputs = filling.inputs;
    chunk->base = &c->base[filling.first];
    chunk->mapped = NULL;
    chunk->error_after = NULL;
    chunk->ends_bare = false;
    if (ok && want->anywhere && is_in_one_map(&filling)) {
        keep_mapped(chunk, &filling.piece[0]);
        return CHUNK_READY;
    }
    /* Even after an error: pieces must release their files, and an error in
     * them comes first. */
    ok = (filling.pieces == 0 || read_pieces(c, &filling, e)) && ok;
    if (!ok)
        return CHUNK_ERROR;
    return chunk->n > 0 ? CHUNK_READY : CHUNK_END;
}

static bool done_elements(struct chunker *c, const struct chunk *chunk,
                          struct error *e)
{
    return file_done(chunk, &c->at.lock, e);
}

/* Whether an element's index may differ from its place in the data, as in
 * arrays in Fortran order. */
static bool has_map(const struct input *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        /* A deferred input may turn out to be such an array. */
        if (inputs[i].is_fortran || inputs[i].deferred)
            return true;
    }
    return false;
}

static uint64_t index_of(const void *chunker, uint64_t place)
{
    const struct chunker *c = chunker;
    /* Find the last input that starts at or before the place. */
    size_t low = 0, high = c->at.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (c->base[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return c->base[low] +
           input_flat_index(&c->at.inputs[low], place - c->base[low]);
}

static struct chunker *open_elements(struct input *inputs, size_t count,
                                     const struct chunker_options *options,
                                     struct index_map *index, struct error *e)
{
    struct chunker *c = calloc(1, sizeof *c);
    if (!c)
        return error_memory(e);
    c->base = malloc(count * sizeof *c->base);
    if (!c->base || !cursor_open(&c->at, inputs, count, options->may_map, e)) {
        free(c->base);
        free(c);
        return error_memory(e);
    }
    c->element = dtype_info(inputs[0].dtype)->size;
    for (size_t i = 0; i < count; i++)
        c->base[i] = UINT64_MAX;
    if (has_map(inputs, count))
        *index = (struct index_map){index_of, c};
    return c;
}

const struct chunker_kind chunker_elements = {.is_indexed = true,
                                              .open = open_elements,
                                              .close = close_elements,
                                              .next = next_elements,
                                              .done = done_elements,
                                              .stop = stop_elements};
