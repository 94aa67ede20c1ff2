/* SPDX-License-Identifier: MIT */
#include "engine/keyed.h"

#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "by/element.h"
#include "chunk/key_file.h"

struct keyed {
    const struct job *job;
    struct grouper *grouper;
    struct text_cell *cell; /* [keys][room] */
    size_t room;
    char *text; /* [text_room]: keys of several columns, or of elements */
    size_t text_room;
    char *element; /* [room]: keys as they are in their file; or NULL */
};

bool keyed_groups(const struct job *job, struct groups **groups,
                  struct error *e)
{
    const struct job_by *by = &job->by;
    const enum dtype dtype = job->dtypes ? job->dtypes[0] : job->dtype;
    struct by_spec spec = by->spec;
    *groups = NULL;
    spec.ranks = job->ranks ? job->ranks->parts : NULL;
    if (spec.keys > 0)
        *groups = groups_new(&spec, dtype_info(dtype)->computed, by->columns,
                             by->monoids, e);
    return *groups || by->spec.keys == 0;
}

bool keyed_has_positions(const struct job *job)
{
    const struct schema schema = {.groups = 1,
                                  .dtype = dtype_info(job->dtype)->computed};
    return !job->reading->chunker->is_indexed &&
           (job->by.spec.is_first ||
            schema_needing(&schema, job->by.monoids, NEED_POSITIONS));
}

struct keyed *keyed_open(const struct job *job, struct groups *groups,
                         struct error *e)
{
    struct keyed *k = calloc(1, sizeof *k);
    if (!k) {
        error_memory(e);
        return NULL;
    }
    k->job = job;
    k->grouper = grouper_open(groups, job->portable, e);
    if (k->grouper)
        return k;
    free(k);
    return NULL;
}

void keyed_close(struct keyed *k)
{
    if (!k)
        return;
    grouper_close(k->grouper);
    free(k->cell);
    free(k->text);
    free(k->element);
    free(k);
}

static bool have_cells(struct keyed *k, size_t rows)
{
    if (rows <= k->room)
        return true;
    free(k->cell);
    free(k->element);
    k->element = NULL;
    k->room = rows + rows / 4;
    k->cell = malloc(k->job->by.spec.keys * k->room * sizeof *k->cell);
    k->room = k->cell ? k->room : 0;
    return k->cell;
}

/* Makes room for so many bytes of keys, and for bytes that are read past the
 * end of a short key. */
static bool have_text(struct keyed *k, size_t bytes)
{
    bytes += KEY_SHORT;
    if (bytes > k->text_room) {
        free(k->text);
        k->text_room = bytes + bytes / 4;
        k->text = malloc(k->text_room);
        k->text_room = k->text ? k->text_room : 0;
    }
    return k->text;
}

/* Joins the keys of several columns, and replaces those of the first column by
 * the result. */
static bool join_keys(struct keyed *k, size_t rows)
{
    const size_t keys = k->job->by.spec.keys;
    size_t bytes = rows * keys * KEY_LENGTH_BYTES;
    for (size_t i = 0; i < keys; i++) {
        for (size_t row = 0; row < rows; row++)
            bytes += k->cell[i * k->room + row].bytes;
    }
    char *to = have_text(k, bytes) ? k->text : NULL;
    for (size_t row = 0; to && row < rows; row++) {
        char *const start = to;
        for (size_t i = 0; i < keys; i++)
            to = key_append(to, k->cell[i * k->room + row], i + 1 == keys);
        k->cell[row].at = start;
        k->cell[row].bytes = (uint32_t)(to - start);
    }
    return to;
}

/* Reads the keys of a chunk's elements from their file. */
static bool read_keys(struct keyed *k, const struct keyed_chunk *source,
                      size_t rows, struct error *e)
{
    const struct key_file *file = k->job->by.file;
    const enum dtype dtype = file->input.dtype;
    if (!have_text(k, rows * KEY_ELEMENT) ||
        (!k->element &&
         !(k->element = malloc((k->room + 1) * dtype_info(dtype)->size))))
        return error_memory(e);
    if (!key_file_read(file, source->chunk->first, rows, k->element, e))
        return false;
    element_keys((uint64_t *)k->text, dtype, k->element, rows);
    for (size_t i = 0; i < rows; i++)
        k->cell[i] = (struct text_cell){k->text + i * KEY_ELEMENT, KEY_ELEMENT,
                                        (uint32_t)i};
    return true;
}

static bool find_keys(struct keyed *k, const struct keyed_chunk *source,
                      size_t rows, struct error *e)
{
    const size_t keys = k->job->by.spec.keys;
    if (!have_cells(k, rows + 1))
        return error_memory(e);
    if (k->job->by.file && !read_keys(k, source, rows, e))
        return false;
    for (size_t i = 0; !k->job->by.file && i < keys; i++)
        source->kind->keys(source->decoder, i, k->cell + i * k->room);
    if (keys > 1 && !join_keys(k, rows))
        return error_memory(e);
    const struct mask *mask =
        source->kind->mask ? source->kind->mask(source->decoder) : NULL;
    const struct grouper_rows all = {.n = rows,
                                     .first =
                                         job_position(k->job, source->chunk),
                                     .key = k->cell,
                                     .selected = mask ? mask->selected : NULL};
    return grouper_begin(k->grouper, &all, e);
}

/* Counts a column of a chunk, for the notes of the run. */
static void count_column(const struct job *job, const struct column *column,
                         size_t number, struct owner *owner)
{
    const size_t rounded =
        job->by.spec.rounds ? wide_inexact(column->wide, column->wides) : 0;
    struct states *states = owner_take(owner, number);
    states->tally[number].n += column->n + column->wides;
    states->tally[number].missing += column->missing;
    states->tally[number].bad += column->bad;
    if (states->bank[MONOID_wide])
        states_at(states, number, MONOID_wide)->wide.rounded +=
            column->rounded + rounded;
    owner_give(owner, number);
}

bool keyed_add(struct keyed *k, const struct keyed_chunk *source,
               struct owner *owner, struct error *e)
{
    const struct job *job = k->job;
    uint64_t at = meter_now();
    struct column column;
    bool ok = find_keys(k, source, owner->rows, e);
    at = meter_add(job->meter, STAGE_REDUCE, at, 0);
    for (size_t c = 0; ok && c < job->columns; c++) {
        source->kind->column(source->decoder, c, &column);
        at = meter_add(job->meter, source->kind->stage, at, 0);
        count_column(job, &column, c, owner);
        ok = c >= job->by.columns || grouper_add(k->grouper, c, &column, e);
        at = meter_add(job->meter, STAGE_REDUCE, at, 0);
    }
    ok = ok && grouper_flush(k->grouper, e);
    meter_add(job->meter, STAGE_REDUCE, at, 0);
    return ok;
}

bool keyed_end(struct keyed *k, struct error *e)
{
    return grouper_end(k->grouper, e);
}
