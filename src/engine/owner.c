/* SPDX-License-Identifier: MIT */
#include "engine/owner.h"

#include <stdlib.h>
#include <string.h>

#include "chunk/chunker.h"
#include "engine/keyed.h"
#include "format/input.h"

static bool open_locks(struct total *t, size_t groups)
{
    size_t n = groups / LOCK_GROUPS + 1;
    t->lock = malloc(n * sizeof *t->lock);
    while (t->lock && t->locks < n &&
           pthread_mutex_init(&t->lock[t->locks], NULL) == 0)
        t->locks++;
    return t->locks == n;
}

static void close_locks(struct total *t)
{
    while (t->locks > 0)
        pthread_mutex_destroy(&t->lock[--t->locks]);
    free(t->lock);
}

bool total_open(struct total *t, const struct job *job, struct error *e)
{
    const struct schema schema = job_schema(job);
    *t = (struct total){.bytes = states_bytes(&schema, job->monoids)};
    t->counts_rows =
        !job->reading->chunker->is_indexed && job_needing(job, NEED_POSITIONS);
    t->counts_rows |= keyed_has_positions(job) || (job->text && job->counts);
    t->has_notes = t->counts_rows && job->notes;
    if (!states_open(&t->states, &schema, job->monoids, e))
        return false;
    if (!keyed_groups(job, &t->groups, e)) {
        states_close(&t->states);
        return false;
    }
    if (open_locks(t, schema.groups) &&
        pthread_mutex_init(&t->rows_lock, NULL) == 0)
        return true;
    close_locks(t);
    groups_free(t->groups);
    states_close(&t->states);
    return error_memory(e);
}

void total_close(struct total *t)
{
    states_close(&t->states);
    close_locks(t);
    pthread_mutex_destroy(&t->rows_lock);
    free(t->rows);
    free(t->notes.note);
    groups_free(t->groups);
}

static uint64_t index_of(const void *base, uint64_t position)
{
    const uint64_t *first = base; /* [chunk]: its first record's index */
    return first[position >> ROW_BITS] + (position & ((1u << ROW_BITS) - 1));
}

bool total_finish(struct total *t, struct error *e)
{
    uint64_t records = 0;
    for (size_t g = 0; g < t->states.groups; g++) {
        if (!states_check(&t->states, g, e))
            return false;
    }
    if (states_lost(&t->states))
        return error_memory(e);
    if (!t->counts_rows)
        return !t->groups || groups_finish(t->groups, NULL, NULL, e);
    uint64_t *first = malloc((t->rows_room + 1) * sizeof *first);
    if (!first)
        return error_memory(e);
    for (size_t i = 0; i < t->rows_room; i++) {
        first[i] = records;
        records += t->rows[i];
    }
    states_map(&t->states, index_of, first);
    const bool ok = !t->groups || groups_finish(t->groups, index_of, first, e);
    free(first);
    return ok;
}

/* Whether one more worker may have states of its own. */
static bool may_own(struct total *t, size_t bytes)
{
    if (atomic_fetch_add(&t->bytes, bytes) + bytes <= STATES_BYTES)
        return true;
    atomic_fetch_sub(&t->bytes, bytes);
    return false;
}

bool owner_open(struct owner *o, struct total *total, const struct job *job,
                struct error *e)
{
    enum { STRIDE = 7 * LOCK_GROUPS };
    const struct schema schema = job_schema(job);
    const unsigned set = job->monoids & ~job_ordered(job);
    *o = (struct owner){.total = total};
    if (total && schema.groups > 0)
        o->start = atomic_fetch_add(&total->owners, 1) * STRIDE % schema.groups;
    if (total && !may_own(total, states_bytes(&schema, set)))
        return true;
    if (!states_open(&o->own, &schema, set, e))
        return false;
    if (total)
        states_join(&o->own, &total->states);
    return true;
}

void owner_close(struct owner *o)
{
    struct total *t = o->total;
    size_t groups = o->own.groups;
    if (t)
        states_join(&o->own, NULL);
    for (size_t i = 0; t && groups > 0 && i < t->locks; i++) {
        size_t at = (i + o->start / LOCK_GROUPS) % t->locks;
        size_t first = at * LOCK_GROUPS, end = first + LOCK_GROUPS;
        pthread_mutex_lock(&t->lock[at]);
        states_merge(&t->states, &o->own, first < groups ? first : groups,
                     end < groups ? end : groups);
        pthread_mutex_unlock(&t->lock[at]);
    }
    states_close(&o->own);
    product_part_free(o->part);
    o->part = NULL;
}

struct states *owner_take(struct owner *o, size_t group)
{
    if (o->own.groups > 0)
        return &o->own;
    pthread_mutex_lock(&o->total->lock[group / LOCK_GROUPS]);
    return &o->total->states;
}

void owner_give(struct owner *o, size_t group)
{
    if (o->own.groups == 0)
        pthread_mutex_unlock(&o->total->lock[group / LOCK_GROUPS]);
}

/* Makes room for the rows of a chunk. Chunks that are never noted have none. */
static bool have_rows(struct total *t, uint64_t sequence)
{
    const size_t n = t->rows_room;
    if (sequence < n)
        return true;
    size_t room = 2 * (size_t)sequence + 64;
    uint32_t *rows = realloc(t->rows, room * sizeof *rows);
    if (!rows)
        return false;
    t->rows = rows;
    memset(rows + n, 0, (room - n) * sizeof *rows);
    if (t->has_notes && !chunk_notes_grow(&t->notes, room))
        return false;
    t->rows_room = room;
    return true;
}

static void note_chunk(struct total *t, const struct chunk *chunk,
                       uint64_t rows)
{
    const struct chunk_note note = chunk_note_of(chunk, rows);
    t->rows[chunk->sequence] = note.records;
    chunk->input->records += rows;
    chunk->input->lines += note.lines;
    if (t->has_notes)
        t->notes.note[chunk->sequence] = note;
}

bool owner_note(struct owner *o, const struct chunk *chunk, struct error *e)
{
    struct total *t = o->total;
    bool ok = true;
    if (!t->counts_rows && o->skipped == 0)
        return true;
    pthread_mutex_lock(&t->rows_lock);
    if (t->counts_rows)
        ok = have_rows(t, chunk->sequence);
    if (ok && t->counts_rows)
        note_chunk(t, chunk, o->rows);
    t->skipped += o->skipped;
    pthread_mutex_unlock(&t->rows_lock);
    return ok || error_memory(e);
}
