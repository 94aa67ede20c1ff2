/* SPDX-License-Identifier: MIT */
#include "run/sample.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/share.h"
#include "engine/columns.h"
#include "reduce/hash.h"
#include "run/sample_blocks.h"

enum {
    /* Smaller data are not sampled: reading them twice takes less than a
     * millisecond. */
    SAMPLED_MIN = 8 << 20,
    /* The data have a block for each EACH bytes, within these limits. A fine
     * sample has more blocks. */
    EACH = 1 << 20,
    EACH_FINE = 64 << 10,
    BLOCKS_MIN = 256,
    BLOCKS_MAX = 8192,
    FINE_BLOCKS_MAX = 64 << 10,
    TEXT_BLOCKS_MAX = 1024,
    /* The elements of a block are so many that all blocks together have KEYS,
     * within these limits. One thread takes 15 ns a key to find brackets. */
    KEYS = 256 << 10,
    FINE_ELEMENTS_MIN = 4,
    ELEMENTS_MIN = 64,
    ELEMENTS_MAX = 128,
    BLOCK_TEXT = 8 << 10,
    /* A thread reads at least so many blocks: it starts in the time that they
     * take. */
    THREAD_BLOCKS = 64,
    GROUPS_MAX = 256,
    /* At most one block in MISSED_SHARE may be missing from the page cache. */
    MISSED_SHARE = 8,
};

/* A thread that reads some blocks of a sample. */
struct reader {
    const struct dataset *d;
    struct sample *to;
    const struct rank_pass *pass;
    size_t first, last;    /* its blocks; `last` is the next reader's first */
    atomic_size_t *missed; /* blocks of all readers that are not in memory */
    bool is_open, is_done; /* is_done: the sample can be used */
    struct error error;    /* if it is not open */
    struct job job;
    struct columns *columns;
    struct owner owner;
    struct sample_blocks blocks;
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

static size_t blocks_of(const struct dataset *d, bool is_fine)
{
    const uint64_t most = d->job.text ? TEXT_BLOCKS_MAX
                          : is_fine   ? FINE_BLOCKS_MAX
                                      : BLOCKS_MAX,
                   n = d->bytes / (is_fine ? EACH_FINE : EACH);
    return (size_t)(n < BLOCKS_MIN ? BLOCKS_MIN : n > most ? most : n);
}

/* The bytes of an element in the files; expressions may widen it. */
static size_t element_bytes(const struct dataset *d)
{
    return dtype_info(d->inputs[0].dtype)->size;
}

static size_t block_bytes(const struct dataset *d, size_t blocks, bool is_fine)
{
    const size_t least = is_fine ? FINE_ELEMENTS_MIN : ELEMENTS_MIN;
    size_t n = KEYS / blocks;
    n = n < least ? least : n > ELEMENTS_MAX ? ELEMENTS_MAX : n;
    return d->job.text ? BLOCK_TEXT : n * element_bytes(d);
}

/* Reads a block, at a random place in its share of the data. */
static struct chunk read_block(struct reader *r, size_t block)
{
    const uint64_t share = r->d->bytes / r->to->blocks,
                   at = block * share +
                        hash_value(block) % (share - r->blocks.bytes);
    return sample_block_read(&r->blocks, at);
}

static size_t keys_of(const struct ranks *r)
{
    return (size_t)ranks_numbers(r) - r->wides.n;
}

/* Notes how many keys the reader has of each group, up to the block. */
static void note_block(const struct reader *r, size_t block)
{
    struct sample *s = r->to;
    for (size_t g = 0; g < s->groups; g++)
        s->end[g * s->blocks + block] =
            keys_of(&states_at(&r->owner.own, g, MONOID_ranks)->ranks);
}

/* False if a block has an error, or too many are not in memory. */
static bool read_blocks(struct reader *r)
{
    struct error e;
    const size_t most = r->to->blocks / MISSED_SHARE;
    bool ok = true;
    for (size_t b = r->first; ok && b < r->last; b++) {
        struct chunk chunk = read_block(r, b);
        if (chunk.data)
            ok = columns_run(r->columns, &chunk, &r->owner, &e);
        else
            ok = atomic_fetch_add(r->missed, 1) < most;
        note_block(r, b);
    }
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

/* Takes the keys of a group from all readers. Returns their number. */
static size_t take_group(struct sample *s, size_t g,
                         const struct reader *reader, size_t readers,
                         uint64_t *to)
{
    size_t *end = s->end + g * s->blocks, n = 0;
    for (size_t i = 0; i < readers; i++) {
        const struct states *states = &reader[i].owner.own;
        const struct ranks *r = &states_at(states, g, MONOID_ranks)->ranks;
        const enum dtype dtype = schema_dtype(&states->schema, g);
        copy_keys(r, dtype_info(dtype)->size, to + n);
        for (size_t b = reader[i].first; b < reader[i].last; b++)
            end[b] += n;
        n += keys_of(r);
        s->of[g] = (struct rank_sample){dtype, to, end, s->blocks};
    }
    return n;
}

static bool take_keys(struct sample *s, const struct reader *reader,
                      size_t readers, struct error *e)
{
    size_t keys = 0;
    for (size_t g = 0; g < s->groups; g++) {
        for (size_t i = 0; i < readers; i++)
            keys += s->end[g * s->blocks + reader[i].last - 1];
    }
    s->key = malloc((keys + 1) * sizeof *s->key);
    if (!s->key)
        return error_memory(e);
    keys = 0;
    for (size_t g = 0; g < s->groups; g++)
        keys += take_group(s, g, reader, readers, s->key + keys);
    return true;
}

static bool open_reader(struct reader *r)
{
    struct error *e = &r->error;
    r->job = r->d->job;
    r->job.monoids = MONOID_BIT(ranks);
    r->job.ranks = r->pass;
    r->job.notes = false;
    r->job.meter = NULL;
    r->job.chunk_bytes = r->to->bytes / r->to->blocks;
    r->columns = columns_open(&r->job, e);
    return sample_blocks_open(&r->blocks, r->d, &r->job, e) && r->columns &&
           owner_open(&r->owner, NULL, &r->job, e);
}

static void close_reader(struct reader *r)
{
    owner_close(&r->owner);
    columns_close(r->columns);
    sample_blocks_close(&r->blocks);
}

static void run_readers(void *readers, size_t first, size_t end)
{
    struct reader *r = readers;
    for (size_t i = first; i < end; i++) {
        r[i].is_open = open_reader(&r[i]);
        r[i].is_done = r[i].is_open && read_blocks(&r[i]);
    }
}

/* Whether all readers were open. If the sample cannot be used, it then has no
 * blocks. */
static bool check_readers(struct sample *s, const struct reader *reader,
                          size_t readers, struct error *e)
{
    for (size_t i = 0; i < readers; i++) {
        if (!reader[i].is_open) {
            *e = reader[i].error;
            return false;
        }
        s->blocks = reader[i].is_done ? s->blocks : 0;
    }
    return true;
}

/* Reads the sample by several threads, as a pass that asks for all keys of each
 * group. */
static bool read_all(struct sample *s, const struct dataset *d,
                     const struct rank_pass *pass, unsigned threads,
                     struct error *e)
{
    const size_t most = s->blocks / THREAD_BLOCKS + 1,
                 n = threads < most ? threads : most;
    atomic_size_t missed = 0;
    struct reader *reader = calloc(n, sizeof *reader);
    if (!reader)
        return error_memory(e);
    for (size_t i = 0; i < n; i++)
        reader[i] = (struct reader){.d = d,
                                    .to = s,
                                    .pass = pass,
                                    .first = s->blocks * i / n,
                                    .last = s->blocks * (i + 1) / n,
                                    .missed = &missed};
    share_out((unsigned)n, n, run_readers, reader);
    const bool ok = check_readers(s, reader, n, e) &&
                    (s->blocks == 0 || take_keys(s, reader, n, e));
    for (size_t i = 0; i < n; i++)
        close_reader(&reader[i]);
    free(reader);
    return ok;
}

bool sample_read(struct sample *s, const struct dataset *d, unsigned threads,
                 bool is_fine, struct error *e)
{
    const struct schema schema = job_schema(&d->job);
    struct rank_part part[DTYPES_END];
    *s = (struct sample){.groups = schema.groups};
    if (!may_sample(d))
        return true;
    struct rank_parts *parts = malloc((s->groups + 1) * sizeof *parts);
    const struct rank_pass pass = {parts, 0};
    s->blocks = blocks_of(d, is_fine);
    s->bytes = s->blocks * block_bytes(d, s->blocks, is_fine);
    s->of = malloc((s->groups + 1) * sizeof *s->of);
    s->end = malloc((s->groups * s->blocks + 1) * sizeof *s->end);
    bool ok = (parts && s->of && s->end) || error_memory(e);
    for (size_t g = 0; ok && g < s->groups; g++) {
        const enum dtype dtype = schema_dtype(&schema, g);
        rank_ask_all(&parts[g], &part[dtype], dtype, 0);
    }
    ok = ok && read_all(s, d, &pass, threads, e);
    free(parts);
    return ok;
}

void sample_close(struct sample *s)
{
    free(s->of);
    free(s->key);
    free(s->end);
    *s = (struct sample){.groups = 0};
}
