/* SPDX-License-Identifier: MIT */
#include "engine/dealer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "engine/file.h"
#include "input/io.h"
#include "input/swap.h"

enum {
    /* Pieces of at least this size are worth reading outside the lock. */
    PIECE_MIN = 64 << 10,
    PIECES_MAX = 64,
    /* Read and swapped at a time, so that the swap finds it in cache. */
    SWAP_BYTES = 256 << 10,
};

/* A part of a chunk that is read after the lock was given back. */
struct piece {
    struct open_file *file;
    const struct input *input;
    uint64_t offset;
    char *to;
    size_t bytes;
};

/* A chunk being put together. */
struct hand {
    char *to;
    size_t bytes, room;
    unsigned pieces;
    struct piece piece[PIECES_MAX];
};

bool dealer_init(struct dealer *d, struct input *inputs, size_t count,
                 bool may_map, struct error *e)
{
    *d = (struct dealer){.inputs = inputs,
                         .count = count,
                         .element = dtype_info(inputs[0].dtype)->size,
                         .may_map = may_map};
    d->base = malloc(count * sizeof *d->base);
    for (size_t i = 0; d->base && i < count; i++)
        d->base[i] = UINT64_MAX;
    if (!d->base || pthread_mutex_init(&d->lock, NULL) != 0) {
        free(d->base);
        return error_set(e, ERROR_DATA, "out of memory");
    }
    return true;
}

void dealer_free(struct dealer *d)
{
    if (d->file)
        file_release(d->file);
    if (d->current < d->count)
        input_finish(&d->inputs[d->current]);
    free(d->base);
    pthread_mutex_destroy(&d->lock);
}

void dealer_stop(struct dealer *d)
{
    pthread_mutex_lock(&d->lock);
    d->stopped = true;
    pthread_mutex_unlock(&d->lock);
}

/* Opens the current input, if it must be. */
static bool start_input(struct dealer *d, struct input *input, struct error *e)
{
    if (!file_start(input, &d->inputs[0], e))
        return false;
    if (d->file || !input->regular)
        return true;
    d->file = file_take(input, d->may_map && !input->big_endian, e);
    return d->file;
}

/* Reads on in the current input, in order, under the lock. */
static bool read_on(struct dealer *d, const struct input *input, char *to,
                    size_t want, size_t *got, struct error *e)
{
    uint64_t at = input->offset + d->taken;
    if (!input->regular)
        return input_read_on(input, at, to, want, got, e);
    return file_read(d->file, input, to, want, at, got, e);
}

/* Passes over what --skip-bytes or a header takes of a stream, beyond the
 * bytes read when it was looked at. */
static bool skip_stream(struct dealer *d, const struct input *input,
                        char *scratch, size_t room, struct error *e)
{
    if (input->regular || d->taken > 0 || input->offset <= input->head_bytes)
        return true;
    char name[QUOTE_MAX];
    uint64_t left = input->offset - input->head_bytes;
    while (left > 0) {
        size_t got = 0;
        size_t want = left < room ? (size_t)left : room;
        if (!input_read_on(input, input->head_bytes, scratch, want, &got, e))
            return false;
        left -= got;
        if (got < want)
            return error_set(e, ERROR_DATA,
                             "%s: --skip-bytes %" PRIu64 " is more than its "
                             "%" PRIu64 " bytes",
                             quote(name, input->name), input->offset,
                             input->offset - left);
    }
    return true;
}

/* The current input is at its end: checks it and moves to the next. */
static bool end_input(struct dealer *d, const struct input *input,
                      struct error *e)
{
    char name[QUOTE_MAX];
    uint64_t rest = d->taken % d->element;
    if (rest)
        return error_set(
            e, ERROR_DATA,
            "%s: its %" PRIu64 " bytes are not a whole number of %s elements: "
            "%" PRIu64 " trailing byte%s\n"
            "Try another --dtype, or --skip-bytes if it has a header.",
            quote(name, input->name), d->taken, dtype_info(input->dtype)->name,
            rest, rest == 1 ? "" : "s");
    if (d->file)
        file_release(d->file);
    d->file = NULL;
    /* The next reader of a shared standard input finds its end, as after cat.
     */
    if (input->regular && input->fd >= 0)
        lseek(input->fd, (off_t)(input->offset + d->taken), SEEK_SET);
    input_finish(&d->inputs[d->current]);
    d->taken = 0;
    d->current++;
    return true;
}

/* After the last byte that a header told of: there must be no more. */
static bool end_exact(struct dealer *d, const struct input *input,
                      struct error *e)
{
    char name[QUOTE_MAX], more;
    size_t got = 0;
    bool ok = input->regular || read_on(d, input, &more, 1, &got, e);
    /* Also where something is wrong behind it: whether that is seen in the same
     * call depends on who inflates. */
    if (got)
        return error_set(e, ERROR_DATA, "%s: bytes follow the array",
                         quote(name, input->name));
    return ok && end_input(d, input, e);
}

static void defer_piece(struct dealer *d, struct hand *hand,
                        const struct input *input, size_t bytes)
{
    hand->piece[hand->pieces++] =
        (struct piece){d->file, input, input->offset + d->taken,
                       hand->to + hand->bytes, bytes};
    d->file->uses++;
    hand->bytes += bytes;
    d->taken += bytes;
}

static void swap_if(const struct input *input, void *p, size_t bytes)
{
    if (input->big_endian)
        swap_elements(p, bytes, dtype_info(input->dtype)->size);
}

/* Takes as much of the current input as the chunk has room for. */
static bool take_input(struct dealer *d, struct hand *hand, struct error *e)
{
    struct input *input = &d->inputs[d->current];
    size_t room = hand->room - hand->bytes;
    if (!start_input(d, input, e) ||
        !skip_stream(d, input, hand->to + hand->bytes, room, e))
        return false;
    if (d->taken == 0)
        d->base[d->current] = d->elements + hand->bytes / d->element;
    uint64_t known = input->bytes == INPUT_UNKNOWN || d->taken > input->bytes
                         ? 0
                         : input->bytes - d->taken;
    bool defer = input->regular && known >= PIECE_MIN && room >= PIECE_MIN;
    if (defer && hand->pieces < PIECES_MAX) {
        /* Whole elements: a torn last one is read and found at the end. */
        uint64_t take = known < room ? known - known % d->element : room;
        defer_piece(d, hand, input, (size_t)take);
        return true;
    }
    if (input->exact && known == 0)
        return end_exact(d, input, e);
    size_t got, want = input->exact && known < room ? (size_t)known : room;
    char *to = hand->to + hand->bytes;
    if (!read_on(d, input, to, want, &got, e))
        return false;
    d->taken += got;
    if (got < want && (input->exact || got < known))
        return file_shrank(input, known - got, e);
    swap_if(input, to, got);
    hand->bytes += got;
    return got == want || end_input(d, input, e);
}

static bool read_piece(const struct piece *p, struct error *e)
{
    size_t step = p->input->big_endian ? SWAP_BYTES : p->bytes;
    for (size_t at = 0; at < p->bytes; at += step) {
        size_t got, want = p->bytes - at < step ? p->bytes - at : step;
        if (!file_read(p->file, p->input, p->to + at, want, p->offset + at,
                       &got, e))
            return false;
        if (got < want)
            return file_shrank(p->input, p->bytes - at - got, e);
        swap_if(p->input, p->to + at, want);
    }
    return true;
}

static bool fill(struct dealer *d, struct hand *hand, struct error *e)
{
    while (hand->bytes < hand->room && d->current < d->count) {
        if (!take_input(d, hand, e))
            return false;
    }
    return true;
}

static bool read_pieces(struct dealer *d, struct hand *hand, struct error *e)
{
    bool ok = true;
    for (unsigned i = 0; i < hand->pieces; i++)
        ok = ok && read_piece(&hand->piece[i], e);
    pthread_mutex_lock(&d->lock);
    for (unsigned i = 0; i < hand->pieces; i++)
        file_release(hand->piece[i].file);
    d->stopped |= !ok;
    pthread_mutex_unlock(&d->lock);
    return ok;
}

/* Whether all of the hand's bytes are one piece of a mapped file. */
static bool is_in_one_map(const struct hand *hand)
{
    return hand->pieces == 1 && hand->piece[0].bytes == hand->bytes &&
           hand->piece[0].file->is_mapped;
}

/* The piece's use of the file goes over to the chunk. */
static void leave_mapped(struct chunk *chunk, const struct piece *p)
{
    chunk->data = file_window(p->file, p->input, p->offset, p->bytes);
    chunk->mapped = p->file;
    chunk->offset = p->offset;
    chunk->mapped_bytes = p->bytes;
    chunk->input = p->input;
}

enum dealt dealer_next(struct dealer *d, const struct want *want,
                       struct chunk *chunk, struct error *e)
{
    struct hand hand;
    hand.to = want->to;
    hand.bytes = 0;
    hand.room = want->bytes;
    hand.pieces = 0;
    pthread_mutex_lock(&d->lock);
    bool stopped = d->stopped;
    bool ok = !stopped && fill(d, &hand, e);
    chunk->sequence = d->sequence++;
    chunk->first = d->elements;
    chunk->n = hand.bytes / d->element;
    d->elements += chunk->n;
    d->stopped |= !ok;
    pthread_mutex_unlock(&d->lock);
    if (stopped)
        return DEALT_END;
    chunk->data = want->to;
    chunk->bytes = hand.bytes;
    chunk->mapped = NULL;
    chunk->trouble = NULL;
    chunk->ends_bare = false;
    if (ok && want->anywhere && is_in_one_map(&hand)) {
        leave_mapped(chunk, &hand.piece[0]);
        return DEALT_CHUNK;
    }
    /* Even after an error: pieces hold their files, and come first. */
    ok = (hand.pieces == 0 || read_pieces(d, &hand, e)) && ok;
    if (!ok)
        return DEALT_ERROR;
    return chunk->n > 0 ? DEALT_CHUNK : DEALT_END;
}

bool dealer_done(struct dealer *d, const struct chunk *chunk, struct error *e)
{
    return file_done(chunk, &d->lock, e);
}

bool dealer_has_map(const struct dealer *d)
{
    for (size_t i = 0; i < d->count; i++) {
        /* What a deferred input is, is not known yet. */
        if (d->inputs[i].rank > 0 || d->inputs[i].deferred)
            return true;
    }
    return false;
}

uint64_t dealer_index(const void *dealer, uint64_t place)
{
    const struct dealer *d = dealer;
    /* The last dealt input that starts at or before the place. */
    size_t low = 0, high = d->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (d->base[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    const struct input *input = &d->inputs[low];
    if (input->rank == 0)
        return place;
    return d->base[low] + input_flat_index(input, place - d->base[low]);
}
