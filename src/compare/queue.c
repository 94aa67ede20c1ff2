/* SPDX-License-Identifier: MIT */
#include "compare/queue.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/quote.h"

bool compare_queue_open(struct compare_queue *q, struct input inputs[2],
                        unsigned limit, const char *rows_are, struct error *e)
{
    *q = (struct compare_queue){.limit = limit, .rows_are = rows_are};
    for (int i = 0; i < 2; i++) {
        q->side[i].input = &inputs[i];
        q->side[i].ring = calloc(limit, sizeof *q->side[i].ring);
    }
    if (!q->side[0].ring || !q->side[1].ring ||
        pthread_mutex_init(&q->lock, NULL) != 0)
        goto free_rings;
    if (pthread_cond_init(&q->changed, NULL) == 0)
        return true;
    pthread_mutex_destroy(&q->lock);
free_rings:
    free(q->side[0].ring);
    free(q->side[1].ring);
    return error_memory(e);
}

void compare_queue_close(struct compare_queue *q)
{
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q->side[0].ring);
    free(q->side[1].ring);
}

/* Callers of the static functions hold the lock. */

/* Ends the run; with the error e, unless that is NULL. Keeps the first of
 * several errors. */
static void finish(struct compare_queue *q, const struct error *e)
{
    if (e && !q->failed) {
        q->failed = true;
        q->error = *e;
    }
    q->finished = true;
    pthread_cond_broadcast(&q->changed);
}

void compare_queue_fail(struct compare_queue *q, const struct error *e)
{
    pthread_mutex_lock(&q->lock);
    finish(q, e);
    pthread_mutex_unlock(&q->lock);
}

static struct compare_block **head_of(const struct compare_queue *q,
                                      const struct compare_side *s)
{
    return &s->ring[s->head % q->limit];
}

/* Puts a block that no thread needs any more into the list of used blocks. */
static void use_up(struct compare_queue *q, struct compare_block *block)
{
    block->next = q->used;
    q->used = block;
    pthread_cond_broadcast(&q->changed);
}

/* Moves past the block at the head. All of its rows were given out, or are not
 * needed. */
static void pass_head(struct compare_queue *q, struct compare_side *s)
{
    struct compare_block *block = *head_of(q, s);
    *head_of(q, s) = NULL;
    s->first += block->rows;
    s->head++;
    block->is_passed = true;
    if (block->uses == 0)
        use_up(q, block);
}

/* What comes next in an input: rows of the block at its head, an error after
 * them, or the end. It is unknown while the next block is being read. */
enum next { NEXT_ROWS, NEXT_ERROR, NEXT_END, NEXT_UNKNOWN };

static enum next peek(struct compare_queue *q, struct compare_side *s)
{
    struct compare_block *block;
    while ((block = *head_of(q, s)) && block->rows_given == block->rows &&
           !block->failed)
        pass_head(q, s);
    if (block)
        return block->rows_given < block->rows ? NEXT_ROWS : NEXT_ERROR;
    return s->ended && s->reading == 0 ? NEXT_END : NEXT_UNKNOWN;
}

/* Ends the run because the inputs differ in the number of rows. If `longer` is
 * -1, both inputs have ended, after rows[0] and rows[1]. Otherwise input
 * `longer` is a pipe with more than rows[longer]. It might never end, so it is
 * not read further. */
static void end_unequal(struct compare_queue *q, const uint64_t rows[2],
                        int longer)
{
    char a[QUOTE_MAX], b[QUOTE_MAX];
    struct error e;
    error_set(&e, ERROR_DATA,
              "%s has %s%" PRIu64 " %s, but %s has %s%" PRIu64
              "\nData of different shape cannot be compared.",
              quote(a, q->side[0].input->name), longer == 0 ? "more than " : "",
              rows[0], q->rows_are, quote(b, q->side[1].input->name),
              longer == 1 ? "more than " : "", rows[1]);
    finish(q, &e);
}

/* Call when the other input has ended before `longer`. If `longer` is a file,
 * its remaining rows are only counted. If it is a pipe, the run ends. */
static void pass_longer(struct compare_queue *q, int longer)
{
    struct compare_side *s = &q->side[longer];
    const uint64_t shorter = q->side[!longer].first;
    if (s->input->is_file)
        pass_head(q, s);
    else
        end_unequal(q, (const uint64_t[]){shorter, shorter}, longer);
}

/* Gives out the rows that the blocks at both heads have in common. */
static void give_overlap(struct compare_queue *q, struct compare_overlap *o)
{
    uint64_t n = UINT64_MAX;
    for (int i = 0; i < 2; i++) {
        struct compare_block *block = *head_of(q, &q->side[i]);
        const uint64_t left = block->rows - block->rows_given;
        o->block[i] = block;
        o->at[i] = block->rows_given;
        n = left < n ? left : n;
    }
    o->index = q->side[0].first + o->at[0];
    o->n = (size_t)n;
    for (int i = 0; i < 2; i++) {
        o->block[i]->rows_given += n;
        o->block[i]->uses++;
    }
}

/* Returns true with an overlap, if there is one. All rows before an error are
 * given out first; of two errors at one index, the first input's is
 * reported. */
static bool find_overlap(struct compare_queue *q, struct compare_overlap *o)
{
    while (!q->finished) {
        struct compare_side *const s = q->side;
        const enum next a = peek(q, &s[0]), b = peek(q, &s[1]);
        if (a == NEXT_UNKNOWN || b == NEXT_UNKNOWN)
            return false;
        if (a == NEXT_ERROR || b == NEXT_ERROR) {
            finish(q, &(*head_of(q, &s[a != NEXT_ERROR]))->error);
        } else if (a == NEXT_ROWS && b == NEXT_ROWS) {
            give_overlap(q, o);
            return true;
        } else if (a != b) {
            pass_longer(q, b == NEXT_ROWS);
        } else if (s[0].first != s[1].first) {
            end_unequal(q, (const uint64_t[]){s[0].first, s[1].first}, -1);
        } else {
            finish(q, NULL);
        }
    }
    return false;
}

/* Returns the input of which to read a block: the one with fewer blocks, or 2
 * if neither may be read now. Only one thread at a time cuts a stream, since
 * others would wait for it. */
static unsigned find_read(const struct compare_queue *q)
{
    unsigned found = 2;
    for (unsigned i = 0; i < 2; i++) {
        const struct compare_side *s = &q->side[i];
        const bool is_free = s->input->regular || s->cutting == 0;
        if (!s->ended && is_free && s->blocks < q->limit &&
            (found == 2 || s->blocks < q->side[found].blocks))
            found = i;
    }
    return found;
}

static enum compare_task find_task(struct compare_queue *q, unsigned *side,
                                   struct compare_overlap *overlap,
                                   struct compare_block **used)
{
    for (;;) {
        const bool is_pair = find_overlap(q, overlap);
        if (is_pair)
            return COMPARE_PAIR;
        if ((*used = q->used)) {
            q->used = (*used)->next;
            q->side[(*used)->side].blocks--;
            pthread_cond_broadcast(&q->changed);
            return COMPARE_FREE;
        }
        if (q->finished)
            return COMPARE_STOP;
        *side = find_read(q);
        if (*side < 2) {
            q->side[*side].blocks++;
            q->side[*side].reading++;
            q->side[*side].cutting++;
            return COMPARE_READ;
        }
        pthread_cond_wait(&q->changed, &q->lock);
    }
}

enum compare_task compare_queue_take(struct compare_queue *q, unsigned *side,
                                     struct compare_overlap *overlap,
                                     struct compare_block **used)
{
    pthread_mutex_lock(&q->lock);
    const enum compare_task task = find_task(q, side, overlap, used);
    pthread_mutex_unlock(&q->lock);
    return task;
}

void compare_queue_cut(struct compare_queue *q, unsigned side)
{
    pthread_mutex_lock(&q->lock);
    q->side[side].cutting--;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

/* Notes where a block of the first input starts. Without memory for that, the
 * lines of later blocks stay unknown. */
static void note_block(struct compare_queue *q,
                       const struct compare_block *block)
{
    struct chunk_notes *notes = &q->notes;
    const size_t at = (size_t)block->chunk.sequence;
    if (at < notes->n || chunk_notes_grow(notes, 2 * at + 64))
        notes->note[at] = chunk_note_of(&block->chunk, block->rows);
}

void compare_queue_put(struct compare_queue *q, unsigned side,
                       struct compare_block *block)
{
    struct compare_side *s = &q->side[side];
    pthread_mutex_lock(&q->lock);
    s->reading--;
    if (block) {
        block->side = side;
        s->ring[block->chunk.sequence % q->limit] = block;
        s->input->lines += block->chunk.line_end - block->chunk.line;
        s->input->records += block->rows;
        if (side == 0 && block->column)
            note_block(q, block);
    } else {
        s->blocks--;
        s->ended = true;
    }
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

void compare_queue_release(struct compare_queue *q,
                           const struct compare_overlap *overlap)
{
    pthread_mutex_lock(&q->lock);
    for (int i = 0; i < 2; i++) {
        struct compare_block *block = overlap->block[i];
        if (--block->uses == 0 && block->is_passed)
            use_up(q, block);
    }
    pthread_mutex_unlock(&q->lock);
}

struct compare_block *compare_queue_left(struct compare_queue *q)
{
    struct compare_block *block = q->used;
    if (block) {
        q->used = block->next;
        return block;
    }
    for (int i = 0; i < 2; i++) {
        for (unsigned k = 0; k < q->limit; k++) {
            block = q->side[i].ring[k];
            q->side[i].ring[k] = NULL;
            if (block)
                return block;
        }
    }
    return NULL;
}
