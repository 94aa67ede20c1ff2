/* SPDX-License-Identifier: MIT */
#include "csv_chunks.h"

#include "check.h"
#include "csv/simd/loops.h"

static void note_chunk(struct cut_chunks *d, const struct chunk *chunk)
{
    const char *text = chunk->data;
    volatile char sum = 0;
    char *copy = malloc(chunk->bytes + 1);
    if (chunk->bytes > 0)
        memcpy(copy, text, chunk->bytes);
    for (size_t i = 0; chunk->bytes > 0 && i < CSV_PADDING; i++)
        sum = (char)(sum ^ text[chunk->bytes + i]);
    (void)sum;
    pthread_mutex_lock(&d->lock);
    struct cut_chunk *to = &d->chunk[chunk->sequence % CUT_CHUNKS];
    d->twice += to->seen;
    d->mapped += chunk->mapped != NULL;
    d->owned += chunk->owned != NULL;
    *to =
        (struct cut_chunk){true, chunk->input, chunk->line, copy, chunk->bytes};
    /* Stops under the lock, so that each other thread gets at most one more
     * chunk. */
    if (++d->cut == d->stop_after)
        chunker_records.stop(d->chunker, chunk->sequence);
    pthread_mutex_unlock(&d->lock);
}

static void note_error(struct cut_chunks *d, uint64_t sequence,
                       const struct error *e)
{
    pthread_mutex_lock(&d->lock);
    if (d->errors++ == 0 || sequence < d->error_at) {
        d->error = *e;
        d->error_at = sequence;
    }
    pthread_mutex_unlock(&d->lock);
}

static void *take_all(void *arg)
{
    struct cut_chunks *d = arg;
    /* Exactly the size, so that a sanitizer sees a byte too much. */
    char *slot = malloc(d->window + chunker_records.slack);
    const struct want want = {slot, d->window, true};
    struct chunk chunk;
    struct error e;
    enum chunk_next next;
    while ((next = chunker_records.next(d->chunker, &want, &chunk, &e)) ==
           CHUNK_READY) {
        note_chunk(d, &chunk);
        if (!chunker_records.done(d->chunker, &chunk, &e)) {
            d->undone++;
            chunker_records.stop(d->chunker, chunk.sequence);
            note_error(d, chunk.sequence, &e);
        }
    }
    if (next == CHUNK_ERROR)
        note_error(d, chunk.sequence, &e);
    free(slot);
    return NULL;
}

void cut_chunks_run(struct cut_chunks *d, struct text_inputs *inputs,
                    unsigned threads)
{
    pthread_t thread[CUT_THREADS];
    struct error e;
    CHECK(pthread_mutex_init(&d->lock, NULL) == 0);
    d->chunk = calloc(CUT_CHUNKS, sizeof *d->chunk);
    const struct chunker_options options = {d->may_map, d->portable};
    struct index_map index;
    d->chunker = chunker_records.open(inputs->input, inputs->count, &options,
                                      &index, &e);
    CHECK(d->chunker);
    for (unsigned i = 0; i < threads; i++)
        CHECK(pthread_create(&thread[i], NULL, take_all, d) == 0);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}

void cut_chunks_free(struct cut_chunks *d)
{
    char *slot = malloc(d->window + chunker_records.slack);
    const struct want want = {slot, d->window, true};
    struct chunk chunk;
    struct error e;
    /* After the end or an error there are no further chunks. */
    CHECK(chunker_records.next(d->chunker, &want, &chunk, &e) == CHUNK_END);
    chunker_records.close(d->chunker);
    for (uint64_t i = 0; i < CUT_CHUNKS; i++)
        free(d->chunk[i].text);
    free(d->chunk);
    free(slot);
    pthread_mutex_destroy(&d->lock);
}
