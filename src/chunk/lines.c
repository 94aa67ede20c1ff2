/* SPDX-License-Identifier: MIT */
#include "chunk/lines.h"

#include <stdlib.h>
#include <string.h>

#include "chunk/file.h"
#include "csv/structure/record.h"

/* The input that is read again, and the read position in it. */
struct reader {
    struct input *input; /* or NULL: none is open */
    struct open_file *file;
    uint64_t at; /* of a stream: offset of the next byte */
    bool failed;
};

/* The records whose lines the caller asks for and that are not found yet. */
struct asked {
    const uint64_t *index; /* of the next record */
    uint64_t *line;        /* where its line goes */
    size_t left;           /* records */
};

struct chunk_note chunk_note_of(const struct chunk *chunk, uint64_t records)
{
    return (struct chunk_note){chunk->input,
                               chunk->start,
                               chunk->line,
                               (uint32_t)chunk_data_bytes(chunk),
                               (uint32_t)(chunk->line_end - chunk->line),
                               (uint32_t)records};
}

bool chunk_notes_grow(struct chunk_notes *notes, size_t n)
{
    struct chunk_note *grown = realloc(notes->note, n * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + notes->n, 0, (n - notes->n) * sizeof *grown);
    *notes = (struct chunk_notes){grown, n};
    return true;
}

static void reader_close(struct reader *r)
{
    if (r->file)
        file_release(r->file);
    if (r->input) {
        input_finish(r->input);
        input_forget_head(r->input, UINT64_MAX);
    }
    *r = (struct reader){.input = NULL};
}

static void reader_open(struct reader *r, struct input *input)
{
    struct error e;
    reader_close(r);
    *r = (struct reader){.input = input, .at = input->offset};
    if (!input_start(input, &e))
        r->failed = true;
    else if (input->regular)
        r->failed = !(r->file = file_take(input, false, &e));
}

/* Skips bytes of a stream. */
static bool skip_bytes(struct reader *r, uint64_t bytes)
{
    enum { STEP = 64 << 10 };
    char *scratch = malloc(STEP);
    bool ok = scratch;
    struct error e;
    while (ok && bytes > 0) {
        size_t step = bytes < STEP ? (size_t)bytes : STEP, got;
        ok = input_read_on(r->input, r->at, scratch, step, &got, &e) &&
             got == step;
        r->at += step;
        bytes -= step;
    }
    free(scratch);
    return ok;
}

/* Reads the text of a chunk, for the caller to free. NULL on failure. */
static char *read_chunk(struct reader *r, const struct chunk_note *note)
{
    struct error e;
    size_t got = 0;
    if (r->input != note->input)
        reader_open(r, note->input);
    char *text = r->failed ? NULL : malloc(note->bytes);
    if (!text)
        return NULL;
    bool ok = r->file ? file_read(r->file, r->input, text, note->bytes,
                                  note->start, &got, &e)
                      : skip_bytes(r, note->start - r->at) &&
                            input_read_on(r->input, r->at, text, note->bytes,
                                          &got, &e);
    r->at += got;
    r->failed = !ok || got != note->bytes;
    if (!r->failed)
        return text;
    free(text);
    return NULL;
}

/* Finds the next record: sets *start to where it starts and moves *at past it.
 * Returns false at the end. A record without quotes is a line. Unless its
 * fields must be counted, memchr finds its end, ten times as fast as a loop
 * over its bytes. */
static bool next_record(struct csv_span text, size_t *at, size_t *start,
                        struct csv_dialect dialect, bool is_counted,
                        struct csv_fields *record)
{
    *start = csv_skip_lines(text, *at, dialect);
    const char *p = text.at + *start;
    const size_t left = text.bytes - *start;
    const char *end = is_counted ? NULL : memchr(p, dialect.end, left);
    if (end &&
        !(dialect.quotes && memchr(p, dialect.quote, (size_t)(end - p)))) {
        *at = (size_t)(end - text.at) + 1;
        return true;
    }
    return csv_record_next(text, at, dialect, true, record) == CSV_RECORD_OK;
}

/* Sets the lines of the records asked for that are in the chunk's text. `first`
 * is the index of its first record. Counts records as the decoder does. */
static void walk(const struct chunk_note *note, struct csv_span text,
                 uint64_t first, struct asked *asked)
{
    const struct csv_table *table = note->input->table;
    const bool skips =
        note->input->settings->csv->spec.ragged == CSV_RAGGED_SKIP;
    struct csv_fields record = {.most = 1};
    const char *from = text.at;
    uint64_t line = note->line;
    size_t at = 0, start;
    while (asked->left > 0 &&
           next_record(text, &at, &start, table->dialect, skips, &record)) {
        if (skips && record.n != table->fields)
            continue;
        for (; asked->left > 0 && *asked->index == first; asked->left--) {
            line += csv_lines(from, text.at + start, table->dialect);
            from = text.at + start;
            *asked->line++ = line;
            asked->index++;
        }
        first++;
    }
    csv_fields_free(&record);
}

/* Sets the lines of the records asked for that are in this chunk; 0 if a line
 * cannot be known. */
static void find(struct reader *r, const struct chunk_note *note,
                 uint64_t first, struct asked *asked)
{
    const struct input *input = note->input;
    const bool is_plain = note->lines == note->records;
    const bool is_there = input->regular || input->again;
    char *text = NULL;
    if (!is_plain && is_there && (text = read_chunk(r, note)))
        walk(note, (struct csv_span){text, note->bytes}, first, asked);
    free(text);
    /* The result for a pipe must not depend on where its chunks end. So its
     * lines are known only if all of its records are lines. */
    bool is_known = is_plain && (is_there || input->lines == input->records);
    for (; asked->left > 0 && *asked->index < first + note->records;
         asked->left--) {
        *asked->line++ = is_known ? note->line + (*asked->index - first) : 0;
        asked->index++;
    }
}

void lines_find(const struct chunk_notes *notes, const uint64_t *index,
                uint64_t *line, size_t n)
{
    struct reader r = {.input = NULL};
    struct asked asked = {index, line, n};
    uint64_t first = 0;
    memset(line, 0, n * sizeof *line);
    for (size_t i = 0; asked.left > 0 && i < notes->n; i++) {
        const struct chunk_note *note = &notes->note[i];
        if (*asked.index < first + note->records)
            find(&r, note, first, &asked);
        first += note->records;
    }
    reader_close(&r);
}
