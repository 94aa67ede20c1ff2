/* SPDX-License-Identifier: MIT */
/* How an axis is read: which form, and its numbers. */
#include "kernels/axis/axis.h"

#include <string.h>

enum { WARP = 32 };
/* Of slabs in a tile; one element or vector more may end its last line. */
enum { TILE_BYTES = AXIS_TILE_VECTORS * 16 - AXIS_LINE };
#define BLOCKS_MAX 0x7fffffffull

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t at_least_one(uint64_t x)
{
    return x ? x : 1;
}

static uint64_t parts_of(uint64_t x, uint64_t part)
{
    return x / part + (x % part != 0);
}

struct axis_tuning axis_tuning_default(unsigned multiprocessors)
{
    return (struct axis_tuning){.form = -1,
                                .multiprocessors = multiprocessors,
                                .resident = 4,
                                .waves = 8,
                                .column_waves = 1,
                                .rows_bytes = 5000,
                                .plain_rows_bytes = 9000,
                                .warp_bytes = 16 << 10,
                                .many_warp_bytes = 64 << 10,
                                .piece_bytes = 128 << 10,
                                .column_rows = 256,
                                .lanes_log = -1};
}

/* Vectors after a slab of whole vectors, so that what eight lanes read, one or
 * a few of a slab, is in different banks, or two of them in one. A pad of one
 * vector would do better for the banks, but copies are slow where they are not
 * aligned to 32 bytes; four vectors are too few for a pad. */
static uint32_t pad_of(const struct axis_plan *p, const struct axis_shape *s)
{
    const bool few = p->lanes_log < 3 || s->inner > 1;
    return few && p->slab_vectors > 4 && p->slab_vectors % 4 == 0 ? 2 : 0;
}

/* Slabs of a tile. A tile begins where a line does, up to a line before its
 * first slab. Where lanes are many, they fill all threads each time. */
static uint64_t slabs_of(const struct axis_plan *p, const struct axis_shape *s,
                         unsigned size)
{
    const uint64_t most =
        p->slab_vectors ? (TILE_BYTES / 16 + 1) / (p->slab_vectors + p->pad)
                        : (TILE_BYTES / size + 1) / p->slab;
    const uint64_t slabs = least(most, s->outer);
    const uint64_t tasks = slabs * s->inner << p->lanes_log;
    const uint64_t full =
        (tasks / AXIS_TILE_THREADS * AXIS_TILE_THREADS >> p->lanes_log) /
        s->inner;
    return full > 0 ? full : slabs;
}

/* Cycles of a tile on a multiprocessor, for a result, times 1024, roughly:
 * instructions to issue, or latencies in a row, of the blocks that are
 * resident. A scheduler has one warp of each block: where a tile leaves some
 * warps of its block without a result, the others do not use their schedulers.
 */
static uint64_t tile_cost(const struct axis_plan *p, const struct axis_shape *s,
                          unsigned size, unsigned resident)
{
    enum { STEP = 11, MERGE = 40, FINISH = 70 };
    enum { STEP_WAIT = 40, MERGE_WAIT = 250, FINISH_WAIT = 300, TILE = 500 };
    const uint64_t tasks = (uint64_t)p->tile_outputs << p->lanes_log;
    const uint64_t of_lane =
        p->by_vectors
            ? parts_of(p->slab_vectors, 1ull << p->lanes_log) * (16 / size)
            : parts_of(s->length, 1ull << p->lanes_log);
    const uint64_t rounds = parts_of(tasks, AXIS_TILE_THREADS);
    const uint64_t issue =
        rounds * (of_lane * STEP + p->lanes_log * MERGE + FINISH);
    const uint64_t wait = (rounds * (of_lane * STEP_WAIT +
                                     p->lanes_log * MERGE_WAIT + FINISH_WAIT) +
                           TILE) /
                          resident;
    return (issue > wait ? issue + wait / 4 : wait + issue / 4) * 1024 /
           p->tile_outputs;
}

/* Lanes of a result: the cheapest of all. */
static void choose_lanes(struct axis_plan *p, const struct axis_shape *s,
                         unsigned size, const struct axis_tuning *t)
{
    struct axis_plan best = *p;
    uint64_t cost = UINT64_MAX;
    for (p->lanes_log = 0; p->lanes_log < 6; p->lanes_log++) {
        if (t->lanes_log >= 0 && (int)p->lanes_log != t->lanes_log)
            continue;
        p->pad = pad_of(p, s);
        const uint64_t slabs = slabs_of(p, s, size);
        if (slabs == 0)
            continue;
        p->tile_outputs = (uint32_t)(slabs * s->inner);
        p->tiles = parts_of(s->outer, slabs);
        const uint64_t c = tile_cost(p, s, size, t->resident);
        if (c < cost) {
            cost = c;
            best = *p;
        }
    }
    *p = best;
}

/* x / d is the upper half of x times this, for x and d up to 2^16. */
static uint32_t magic_of(uint64_t d)
{
    return d > 1 ? (uint32_t)(((1ull << 32) + d - 1) / d) : 0;
}

static void plan_tiles(struct axis_plan *p, const struct axis_shape *s,
                       unsigned size, const struct axis_tuning *t)
{
    p->slab_vectors =
        p->slab * size % 16 == 0 ? (uint32_t)(p->slab * size / 16) : 0;
    p->by_vectors = s->inner == 1 && p->slab_vectors > 0;
    p->magic = magic_of(s->inner);
    p->threads = AXIS_TILE_THREADS;
    p->slab_magic = magic_of(p->slab_vectors);
    choose_lanes(p, s, size, t);
    p->slab_step = (uint32_t)p->slab + p->pad * (16 / size);
    p->short_rows = p->lanes_log == 0 && s->length <= 8;
    p->blocks =
        (uint32_t)least(p->tiles, (uint64_t)t->multiprocessors * t->resident);
}

static void plan_rows(struct axis_plan *p, const struct axis_shape *s,
                      unsigned size, const struct axis_tuning *t)
{
    const uint64_t bytes = s->length * size, vector = 16 / size;
    const uint64_t grid = (uint64_t)t->multiprocessors * t->resident * t->waves;
    const bool many =
        s->outer / 32 >= (uint64_t)t->multiprocessors * t->resident;
    const bool warps = bytes < (many ? t->many_warp_bytes : t->warp_bytes);
    uint64_t pieces = 1;
    p->team = warps ? WARP : AXIS_THREADS;
    if (!warps && s->outer < grid)
        pieces = at_least_one(
            least(bytes / at_least_one(t->piece_bytes), grid / s->outer));
    p->piece = parts_of(parts_of(s->length, pieces), vector) * vector;
    p->partials = parts_of(s->length, p->piece);
    const uint64_t teams = AXIS_THREADS / p->team;
    p->blocks =
        (uint32_t)least(parts_of(s->outer * p->partials, teams), BLOCKS_MAX);
}

/* Rows whose lanes begin and end with a line of memory, a few less than asked
 * for: else each load of a warp reads from a line more. */
static uint64_t whole_lines(uint64_t rows, uint64_t words, unsigned size)
{
    uint64_t step = 1;
    while (words * size * step % AXIS_LINE != 0)
        step *= 2;
    const uint64_t whole = rows / step * step;
    return whole >= rows - rows / 8 ? whole : rows;
}

/* As many lanes as fill the device, if each has rows enough. */
static bool plan_columns(struct axis_plan *p, const struct axis_shape *s,
                         unsigned size, const struct axis_tuning *t)
{
    const uint64_t grid =
        (uint64_t)t->multiprocessors * t->resident * t->column_waves;
    const uint64_t share = at_least_one(grid / s->outer); /* blocks of a slab */
    p->pack = size < 4 && s->inner * size % 4 == 0 ? 4 / size : 1;
    p->words = s->inner / p->pack;
    const unsigned word = size * p->pack;
    const uint64_t most =
        at_least_one(s->length / at_least_one(t->column_rows));
    if (p->words < AXIS_THREADS) {
        const uint64_t one = AXIS_THREADS / p->words; /* rows of a block */
        const uint64_t blocks = at_least_one(least(share, most / one));
        const uint64_t rows =
            whole_lines(blocks * AXIS_THREADS / p->words, p->words, word);
        p->lanes = least(rows, s->length) * p->words;
        p->partials = parts_of(p->lanes, AXIS_THREADS);
    } else {
        const uint64_t rows =
            at_least_one(least(share * AXIS_THREADS / p->words, most));
        p->partials = whole_lines(rows, p->words, word);
        p->lanes = p->partials * p->words;
    }
    const uint64_t blocks = parts_of(p->lanes, AXIS_THREADS);
    if (blocks > BLOCKS_MAX / s->outer)
        return false;
    p->slab_blocks = (uint32_t)blocks;
    p->blocks = (uint32_t)(blocks * s->outer);
    return true;
}

/* Lanes of a block take columns next to each other, and then the next. */
static bool plan_shallow(struct axis_plan *p, const struct axis_shape *s)
{
    p->rows = s->length > 4 ? 8 : s->length > 2 ? 4 : 2;
    p->pack = s->length > 4 ? 2 : 4;
    const uint64_t blocks =
        parts_of(s->inner, (uint64_t)p->pack * AXIS_THREADS);
    if (blocks > BLOCKS_MAX / s->outer)
        return false;
    p->slab_blocks = (uint32_t)blocks;
    p->blocks = (uint32_t)(blocks * s->outer);
    return true;
}

static bool is_possible(int form, const struct axis_plan *p,
                        const struct axis_shape *s, unsigned size)
{
    return form == AXIS_TILES     ? p->slab <= TILE_BYTES / size
           : form == AXIS_ROWS    ? s->inner == 1
           : form == AXIS_SHALLOW ? s->length <= AXIS_SHALLOW_ROWS
                                  : form == AXIS_COLUMNS;
}

static enum axis_form form_of(const struct axis_plan *p,
                              const struct axis_shape *s, unsigned size,
                              const struct axis_tuning *t)
{
    if (is_possible(t->form, p, s, size))
        return (enum axis_form)t->form;
    if (s->inner == 1)
        return s->length * size < t->rows_bytes ? AXIS_TILES : AXIS_ROWS;
    if (is_possible(AXIS_TILES, p, s, size))
        return AXIS_TILES;
    return s->length <= AXIS_SHALLOW_ROWS ? AXIS_SHALLOW : AXIS_COLUMNS;
}

bool axis_plan(struct axis_plan *plan, const struct axis_shape *s,
               unsigned size, const struct axis_tuning *t)
{
    const uint64_t elements_max = 1ull << 58;
    memset(plan, 0, sizeof *plan);
    if (s->outer == 0 || s->length == 0 || s->inner == 0 ||
        s->length >= UINT32_MAX || s->inner >= elements_max / s->length ||
        s->outer >= elements_max / (s->length * s->inner))
        return false;
    plan->slab = s->length * s->inner;
    plan->elements = s->outer * plan->slab;
    plan->outputs = s->outer * s->inner;
    plan->partials = 1;
    plan->threads = AXIS_THREADS;
    plan->form = form_of(plan, s, size, t);
    if (plan->form == AXIS_COLUMNS)
        return plan_columns(plan, s, size, t);
    if (plan->form == AXIS_SHALLOW)
        return plan_shallow(plan, s);
    if (plan->form == AXIS_TILES)
        plan_tiles(plan, s, size, t);
    else
        plan_rows(plan, s, size, t);
    return true;
}

bool axis_plan_part(struct axis_plan *plan, const struct axis_shape *s,
                    unsigned size, const struct axis_tuning *tuning)
{
    struct axis_tuning t = *tuning;
    t.form = s->inner == 1 ? AXIS_ROWS : AXIS_COLUMNS;
    if (!axis_plan(plan, s, size, &t))
        return false;
    plan->is_part = true;
    return true;
}

struct axis_plan axis_plan_merge(uint64_t outputs, uint64_t parts)
{
    return (struct axis_plan){.outputs = outputs, .partials = parts};
}

size_t axis_scratch_bytes(const struct axis_plan *plan)
{
    return plan->partials > 1 || plan->is_part
               ? plan->outputs * plan->partials * AXIS_PARTIAL_BYTES
               : 0;
}
