/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "run/sample.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/columns.h"
#include "reduce/hash.h"
#include "source/io.h"

enum {
    /* Smaller data are not sampled: reading them twice takes less than a
     * millisecond. */
    SAMPLED_MIN = 8 << 20,
    /* The data have a block for each EACH bytes, within these limits. */
    EACH = 1 << 20,
    BLOCKS_MIN = 256,
    BLOCKS_MAX = 8192,
    TEXT_BLOCKS_MAX = 1024,
    BLOCK_ELEMENTS = 128,
    BLOCK_TEXT = 8 << 10,
    GROUPS_MAX = 256,
    /* At most one block in MISSED_SHARE may be missing from the page cache. */
    MISSED_SHARE = 8,
};

/* The reader of one sample. */
struct reader {
    const struct dataset *d;
    struct job job;
    struct columns *columns;
    struct owner owner;
    char *buffer;
    size_t current; /* index of the open input; the count: none is open */
    uint64_t start; /* data bytes of the inputs before it */
    int fd;         /* of the open input; -1: none is open */
};

static bool may_sample(const struct dataset *d)
{
    for (size_t i = 0; i < d->count; i++) {
        const struct input *input = &d->inputs[i];
        if (!input->regular || input->big_endian || input->deferred)
            return false;
    }
    return d->bytes != INPUT_UNKNOWN && d->bytes >= SAMPLED_MIN &&
           job_groups(&d->job) <= GROUPS_MAX && !d->job.pairing.kind &&
           !d->job.portable;
}

static size_t blocks_of(const struct dataset *d)
{
    const uint64_t most = d->job.text ? TEXT_BLOCKS_MAX : BLOCKS_MAX,
                   n = d->bytes / EACH;
    return (size_t)(n < BLOCKS_MIN ? BLOCKS_MIN : n > most ? most : n);
}

/* The bytes of an element in the files; expressions may widen it. */
static size_t element_bytes(const struct dataset *d)
{
    return dtype_info(d->inputs[0].dtype)->size;
}

static size_t block_bytes(const struct dataset *d)
{
    return d->job.text ? BLOCK_TEXT : BLOCK_ELEMENTS * element_bytes(d);
}

static void leave_input(struct reader *r)
{
    if (r->fd >= 0 && r->fd != r->d->inputs[r->current].fd)
        close(r->fd);
    r->fd = -1;
}

/* Opens the input that has the byte. */
static bool enter_input(struct reader *r, uint64_t at)
{
    struct error e;
    const struct input *inputs = r->d->inputs;
    while (at - r->start >= inputs[r->current].bytes) {
        leave_input(r);
        r->start += inputs[r->current++].bytes;
    }
    const struct input *input = &inputs[r->current];
    if (r->fd < 0)
        r->fd = input->fd >= 0 ? input->fd : input_reopen(input, &e);
    return r->fd >= 0;
}

/* Cuts a block of text to its whole records, assuming that each line is one. */
static void trim_text(struct chunk *chunk)
{
    const char *p = chunk->data, *end = p + chunk->bytes;
    const char *first = memchr(p, '\n', chunk->bytes),
               *last = memrchr(p, '\n', chunk->bytes);
    chunk->data = first ? first + 1 : end;
    chunk->bytes = first ? (size_t)(last - first) : 0;
}

/* Reads a block at a place in its share of the data. The block has 0 bytes if a
 * disk would have to be read. */
static struct chunk read_block(struct reader *r, size_t block, size_t blocks)
{
    const struct dataset *d = r->d;
    const size_t bytes = block_bytes(d), unit = element_bytes(d);
    const uint64_t share = d->bytes / blocks,
                   at = block * share + hash_value(block) % (share - bytes);
    struct chunk chunk = {.data = r->buffer, .lines = bytes};
    if (!enter_input(r, at))
        return chunk;
    chunk.input = &d->inputs[r->current];
    const uint64_t in = at - r->start,
                   place = d->job.text ? in : in / unit * unit,
                   left = chunk.input->bytes - place;
    if (!io_pread_cached(r->fd, r->buffer, left < bytes ? (size_t)left : bytes,
                         chunk.input->offset + place, &chunk.bytes))
        chunk.bytes = 0;
    chunk.n = d->job.text ? 0 : chunk.bytes / unit;
    return chunk;
}

static size_t keys_of(const struct ranks *r)
{
    return (size_t)ranks_numbers(r) - r->wides.n;
}

/* Notes where the block's keys end in each group. */
static void note_block(struct sample *s, const struct reader *r, size_t block)
{
    for (size_t g = 0; g < s->groups; g++)
        s->end[g * s->blocks + block] =
            keys_of(&states_at(&r->owner.own, g, MONOID_ranks)->ranks);
}

/* False if a block has an error, or too many are not in memory. */
static bool read_blocks(struct sample *s, struct reader *r)
{
    struct error e;
    size_t missed = 0;
    bool ok = true;
    for (size_t b = 0; ok && b < s->blocks; b++) {
        struct chunk chunk = read_block(r, b, s->blocks);
        missed += chunk.bytes == 0;
        if (chunk.bytes > 0 && r->d->job.text)
            trim_text(&chunk);
        ok = missed <= s->blocks / MISSED_SHARE &&
             (chunk.bytes == 0 ||
              columns_run(r->columns, &chunk, &r->owner, &e));
        note_block(s, r, b);
    }
    leave_input(r);
    return ok;
}

/* Copies the keys of a group in their order; the newest piece comes first. */
static void copy_keys(const struct ranks *r, size_t size, uint64_t *to)
{
    uint64_t *end = to + keys_of(r);
    for (const struct rank_piece *p = r->kept; p; p = p->next) {
        end -= p->n;
        for (size_t i = 0; i < p->n; i++)
            end[i] = rank_piece_key(p, i, size);
    }
}

static bool take_keys(struct sample *s, const struct states *states,
                      struct error *e)
{
    size_t keys = 0;
    for (size_t g = 0; g < s->groups; g++)
        keys += s->end[(g + 1) * s->blocks - 1];
    s->key = malloc((keys + 1) * sizeof *s->key);
    if (!s->key)
        return error_memory(e);
    keys = 0;
    for (size_t g = 0; g < s->groups; g++) {
        const struct ranks *r = &states_at(states, g, MONOID_ranks)->ranks;
        const enum dtype dtype = schema_dtype(&states->schema, g);
        copy_keys(r, dtype_info(dtype)->size, s->key + keys);
        s->of[g] = (struct rank_sample){dtype, s->key + keys,
                                        s->end + g * s->blocks, s->blocks};
        keys += keys_of(r);
    }
    return true;
}

static bool open_reader(struct reader *r, const struct dataset *d,
                        const struct rank_pass *pass, struct error *e)
{
    *r = (struct reader){.d = d, .job = d->job, .fd = -1};
    r->job.monoids = MONOID_BIT(ranks);
    r->job.ranks = pass;
    r->job.notes = false;
    r->job.meter = NULL;
    r->job.chunk_bytes = block_bytes(d);
    r->buffer = malloc(job_slot_bytes(&r->job));
    r->columns = columns_open(&r->job, e);
    return (r->buffer || error_memory(e)) && r->columns &&
           owner_open(&r->owner, NULL, &r->job, e);
}

static void close_reader(struct reader *r)
{
    owner_close(&r->owner);
    columns_close(r->columns);
    free(r->buffer);
}

/* Reads the sample, as a pass that asks for all keys of each group. */
static bool read_all(struct sample *s, const struct dataset *d,
                     struct rank_parts *parts, struct error *e)
{
    const struct schema schema = job_schema(&d->job);
    const struct rank_pass pass = {parts, 0};
    struct rank_part part[DTYPES_END];
    struct reader r;
    for (size_t g = 0; g < s->groups; g++) {
        const enum dtype dtype = schema_dtype(&schema, g);
        rank_ask_all(&parts[g], &part[dtype], dtype, 0);
    }
    bool ok = open_reader(&r, d, &pass, e);
    if (ok && !read_blocks(s, &r))
        s->blocks = 0;
    ok = ok && (s->blocks == 0 || take_keys(s, &r.owner.own, e));
    close_reader(&r);
    return ok;
}

bool sample_read(struct sample *s, const struct dataset *d, struct error *e)
{
    *s = (struct sample){.groups = job_groups(&d->job)};
    if (!may_sample(d))
        return true;
    struct rank_parts *parts = malloc((s->groups + 1) * sizeof *parts);
    s->blocks = blocks_of(d);
    s->bytes = s->blocks * block_bytes(d);
    s->of = malloc((s->groups + 1) * sizeof *s->of);
    s->end = malloc((s->groups * s->blocks + 1) * sizeof *s->end);
    const bool ok = (parts && s->of && s->end) || error_memory(e);
    const bool done = ok && read_all(s, d, parts, e);
    free(parts);
    return done;
}

void sample_close(struct sample *s)
{
    free(s->of);
    free(s->key);
    free(s->end);
    *s = (struct sample){.groups = 0};
}
