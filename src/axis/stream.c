/* SPDX-License-Identifier: MIT */
/*
 * The main thread reads the data chunk by chunk into a buffer, from which all
 * threads add units. A unit is a whole slab, whose outputs are finished
 * immediately. A large slab is added in smaller units: some rows, or some items
 * of a row. Then the tiles together have all outputs of the slab.
 */
#include "axis/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "axis/crew.h"
#include "base/memory.h"
#include "chunk/chunker.h"
#include "format/input.h"

enum {
    CHUNK = PROD_LEAF * 64, /* elements; a multiple of what chunkers want */
    CHUNKS_MOST = 16,       /* that are read at a time, one for each thread */
    /* Bytes of a unit: larger slabs are added in rows. */
    UNIT_MAX = 16 << 20,
    UNIT_MOST = 1 << 30, /* streams with larger items are refused */
};

enum level { BY_SLAB, BY_ROW, BY_ITEM };

struct stream {
    const struct axis_job *job;
    const struct geometry *g;
    struct chunker *chunker;
    struct crew *crew;
    struct axis_sink *sink;
    bool is_open; /* the crew has outputs that are not complete */
    size_t size;  /* bytes of an element */
    enum level level;
    size_t chunk;   /* elements that are read at a time */
    size_t unit;    /* elements */
    size_t most;    /* units that are added at a time */
    uint64_t units; /* added so far */
    char *buffer;
    size_t used, room; /* bytes */
    bool keeps;        /* whole slabs are kept, for quantiles */
    struct axis_report *report;
};

static uint64_t rows_of(const struct geometry *g)
{
    return g->rows == SIZE_OPEN ? UINT64_MAX / 2 : g->rows;
}

/* Elements of a slab. For an open slab, more than any data can have. */
static size_t slab_of(const struct stream *s)
{
    return s->g->rows == SIZE_OPEN ? SIZE_MAX / 2 / s->size
                                   : s->g->rows * geometry_row(s->g);
}

static bool choose_level(struct stream *s, struct error *e)
{
    const struct geometry *g = s->g;
    const uint64_t most = UNIT_MAX / s->size;
    const uint64_t row = geometry_row(g);
    const bool is_slab =
        s->keeps || (g->rows != SIZE_OPEN && g->rows * row <= most);
    s->level = is_slab ? BY_SLAB : row <= most ? BY_ROW : BY_ITEM;
    s->unit = is_slab ? slab_of(s) : s->level == BY_ROW ? row : g->inner_size;
    if (!s->keeps && s->unit * s->size > UNIT_MOST)
        return error_set(e, ERROR_DATA,
                         "a stream of this shape would be kept in pieces of "
                         "%" PRIu64 " bytes; reduce it from a file",
                         (uint64_t)s->unit * s->size);
    return true;
}

/* Whether the states of all outputs that are open together fit the memory. */
static bool check_memory(const struct stream *s, struct error *e)
{
    const uint64_t outputs = geometry_slab_outputs(s->g);
    if (s->level == BY_SLAB ||
        outputs <= memory_limit() / (tile_bytes(s->job) + 1))
        return true;
    return error_set(e, ERROR_DATA,
                     "%" PRIu64 " outputs of a stream stay open until its end "
                     "and would take more than %.1f GiB, half of the memory "
                     "that there is\nFrom an uncompressed file they are "
                     "reduced a part at a time.",
                     outputs, (double)memory_limit() / (1 << 30));
}

/* Makes room for all values if their number is known. The order of outputs in
 * memory may differ from that of the values, so room for some is not enough. */
static bool extend_known(struct stream *s, struct error *e)
{
    const uint64_t outputs = geometry_outputs(s->g);
    return outputs == SIZE_OPEN || tile_extend(s->sink, s->job, outputs, e);
}

static bool finish(struct stream *s, struct error *e)
{
    s->is_open = false;
    return crew_finish(s->crew, e);
}

static bool too_many(struct error *e)
{
    return error_set(e, ERROR_DATA,
                     "there are more elements than --shape says");
}

/* Makes room for the values of the next outputs. */
static bool expect(struct stream *s, uint64_t outputs, struct error *e)
{
    s->report->outputs += outputs;
    if (s->report->outputs > geometry_outputs(s->g))
        return too_many(e);
    return geometry_outputs(s->g) != SIZE_OPEN ||
           tile_extend(s->sink, s->job, outputs, e);
}

static bool begin(struct stream *s, uint64_t slab, uint64_t slabs,
                  struct error *e)
{
    const struct part p = {slab, slabs, 0, 1, 0, s->g->items};
    s->is_open = true;
    return expect(s, part_outputs(s->g, &p), e) &&
           crew_begin(s->crew, &p, s->level == BY_ROW, e);
}

/* Adds whole slabs. Each has outputs of its own. */
static bool add_slabs(struct stream *s, const char *data, size_t slabs,
                      struct error *e)
{
    const struct geometry *g = s->g;
    const struct part p = {s->units, slabs, 0, g->rows, 0, g->items};
    return expect(s, part_outputs(g, &p), e) &&
           crew_whole(s->crew, &p, data, geometry_row(g) * s->size, e);
}

/* The number of the next units that belong to the same parent, a slab or a row.
 * Sets *ends if the parent ends with them. */
static size_t in_parent(const struct stream *s, size_t units, bool *ends)
{
    const uint64_t n = s->level == BY_ROW ? rows_of(s->g) : s->g->items;
    const uint64_t left = n - s->units % n;
    *ends = left <= units;
    return *ends ? (size_t)left : units;
}

/* Adds at most *units rows of a slab or items of a row, and sets *units to the
 * number that it added. */
static bool add_rows(struct stream *s, const char *data, size_t *units,
                     struct error *e)
{
    const struct geometry *g = s->g;
    bool ends;
    const size_t n = in_parent(s, *units, &ends);
    const bool by_row = s->level == BY_ROW;
    const uint64_t row = by_row ? s->units : s->units / g->items;
    struct part p = {row / rows_of(g), 1, row % rows_of(g), 1, 0, g->items};
    if (by_row) {
        p.rows = n;
    } else {
        p.item = s->units % g->items;
        p.items = n;
        ends &= p.row + 1 == rows_of(g);
    }
    *units = n;
    if (!s->is_open && !begin(s, p.slab, 1, e))
        return false;
    crew_add(s->crew, &p, data, geometry_row(g) * s->size);
    return !ends || finish(s, e);
}

/* Adds the whole units of the buffer and keeps the rest. */
static bool add_units(struct stream *s, struct error *e)
{
    const size_t bytes = s->unit * s->size;
    size_t at = 0, units;
    if (bytes == 0 && s->used > 0)
        return too_many(e);
    while (bytes > 0 && (units = (s->used - at) / bytes) > 0) {
        const char *data = s->buffer + at;
        units = units < s->most ? units : s->most;
        if (!(s->level == BY_SLAB ? add_slabs(s, data, units, e)
                                  : add_rows(s, data, &units, e)))
            return false;
        s->units += units;
        at += units * bytes;
    }
    memmove(s->buffer, s->buffer + at, s->used - at);
    s->used -= at;
    return true;
}

/* Adds the open slab that was kept, which is complete at the end of the data.
 */
static bool end_open(struct stream *s, struct error *e)
{
    const size_t row = geometry_row(s->g) * s->size;
    const struct part p = {0, 1, 0, s->used / row, 0, s->g->items};
    s->unit = geometry_row(s->g);
    s->units = p.rows;
    s->used %= row;
    return s->used > 0 || (expect(s, part_outputs(s->g, &p), e) &&
                           crew_whole(s->crew, &p, s->buffer, row, e));
}

/* Called after the last chunk. If no slab began, the outputs have no elements.
 */
static bool end(struct stream *s, struct error *e)
{
    const struct geometry *g = s->g;
    const uint64_t outputs = geometry_outputs(g);
    if (s->keeps && g->rows == SIZE_OPEN && s->used > 0 && !end_open(s, e))
        return false;
    if (s->used > 0 && !s->is_open && s->report->outputs == outputs)
        return too_many(e);
    if (s->used > 0)
        return error_set(e, ERROR_DATA,
                         "the data end early: by --shape %" PRIu64
                         " elements belong together, and %zu are there",
                         (uint64_t)s->unit, s->used / s->size);
    if (s->is_open)
        return finish(s, e);
    if (s->units > 0 || outputs == SIZE_OPEN)
        return true;
    return begin(s, 0, s->g->slabs, e) && finish(s, e);
}

/* Makes room for a chunk after the bytes that were not added yet. */
static bool make_room(struct stream *s, size_t bytes, struct error *e)
{
    if (s->room - s->used >= bytes)
        return true;
    if (!memory_take(s->room))
        return memory_refuse(e, RANKS_LOST);
    s->room *= 2;
    char *grown = realloc(s->buffer, s->room);
    s->buffer = grown ? grown : s->buffer;
    return grown || error_memory(e);
}

/* Reads all chunks and adds their units. */
static bool read_all(struct stream *s, struct error *e)
{
    const size_t bytes = s->chunk * s->size;
    enum chunk_next next = CHUNK_READY;
    bool ok = extend_known(s, e);
    while (ok && (ok = make_room(s, bytes, e))) {
        const struct want want = {s->buffer + s->used, bytes, false};
        struct chunk chunk;
        next = chunker_elements.next(s->chunker, &want, &chunk, e);
        if (next != CHUNK_READY)
            break;
        s->used += chunk.bytes;
        s->report->bytes += chunk.bytes;
        s->report->elements += chunk.n;
        if (s->job->meter)
            atomic_fetch_add(&s->job->meter->cut, chunk.bytes);
        const uint64_t start = meter_now();
        ok = chunker_elements.done(s->chunker, &chunk, e) && add_units(s, e);
        meter_add(s->job->meter, STAGE_REDUCE, start, chunk.bytes);
    }
    return ok && next == CHUNK_END && end(s, e);
}

static bool open_stream(struct stream *s, struct input *inputs, size_t count,
                        struct error *e)
{
    const struct chunker_options options = {.portable = s->job->portable};
    struct index_map unused;
    s->size = dtype_info(s->job->dtype)->size;
    s->keeps = axis_gathers(s->job);
    if (!choose_level(s, e) || !check_memory(s, e))
        return false;
    size_t threads = s->job->threads;
    threads = threads < CHUNKS_MOST ? threads : CHUNKS_MOST;
    s->chunk = CHUNK * threads;
    const size_t slabs =
        tile_outputs(s->job) / (geometry_slab_outputs(s->g) + 1) + 1;
    s->most = s->level == BY_SLAB ? threads * slabs : SIZE_MAX;
    s->room = ((s->keeps ? s->chunk : s->unit) + s->chunk) * s->size;
    s->buffer = malloc(s->room);
    if (!s->buffer)
        return error_memory(e);
    s->chunker = chunker_elements.open(inputs, count, &options, &unused, e);
    return s->chunker && (s->crew = crew_open(s->job, s->sink, e));
}

bool stream_run(const struct axis_job *job, struct input *inputs, size_t count,
                struct axis_sink *sink, struct axis_report *report,
                struct error *e)
{
    struct stream s = {
        .job = job, .g = &job->geometry, .sink = sink, .report = report};
    const bool ok = open_stream(&s, inputs, count, e) && read_all(&s, e);
    report->workers = crew_close(s.crew);
    if (s.chunker)
        chunker_elements.close(s.chunker);
    if (s.keeps && s.room)
        memory_give(s.room - 2 * s.chunk * s.size);
    free(s.buffer);
    return ok;
}
