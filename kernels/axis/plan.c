/* SPDX-License-Identifier: MIT */
/* How an axis is read: which form, and its numbers. */
#include "kernels/axis/axis.h"

#include <string.h>

enum { WARP = 32, BANKS = 32, LINE = 128 };
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
                                .rows_bytes = 3072,
                                .warp_bytes = 16 << 10,
                                .piece_bytes = 128 << 10,
                                .column_rows = 256,
                                .lanes_log = -1,
                                .pad = -1};
}

/* Lanes of a warp in the tile, `step` loads after the first: how often the
 * busiest bank is read for them. Lanes of 8 bytes go in two halves. */
static unsigned conflicts(const struct axis_plan *p, const struct axis_shape *s,
                          unsigned size, unsigned step)
{
    unsigned words[WARP], most = 0;
    const unsigned lanes = 1u << p->lanes_log, words_of_lane = size / 4;
    const unsigned half = words_of_lane == 2 ? WARP / 2 : WARP;
    for (unsigned lane = 0; lane < half; lane++) {
        const uint64_t output = (lane / lanes) % at_least_one(p->tile_outputs);
        const uint64_t row = lane % lanes + (uint64_t)step * lanes;
        const uint64_t e = output / s->inner * p->slab + output % s->inner +
                           (row < s->length ? row : 0) * s->inner;
        words[lane] = (unsigned)((e + (e >> p->pad_shift) * p->pad) * size / 4);
        unsigned same = 1;
        for (unsigned other = 0; other < lane; other++) {
            same += words[other] != words[lane] &&
                    words[other] % BANKS == words[lane] % BANKS;
            if (words[other] == words[lane])
                break; /* read together */
        }
        most = same > most ? same : most;
    }
    return most * (WARP / half);
}

/* Cycles of a tile on a multiprocessor, roughly: instructions to issue, on four
 * schedulers, or latencies in a row, of the blocks that are resident. */
static uint64_t tile_cost(const struct axis_plan *p, const struct axis_shape *s,
                          unsigned size, unsigned resident)
{
    enum { STEP = 15, MERGE = 25, FINISH = 60, WAIT = 50, MERGE_WAIT = 160 };
    const uint64_t warps =
        parts_of((uint64_t)p->tile_outputs << p->lanes_log, WARP);
    const uint64_t steps = parts_of(s->length, 1ull << p->lanes_log);
    const uint64_t passes = parts_of(warps, AXIS_THREADS / WARP);
    const unsigned busy = (conflicts(p, s, size, 0) +
                           conflicts(p, s, size, (unsigned)steps / 2)) /
                          2;
    /* Shared memory serves one load at a time. */
    const uint64_t shared = warps * steps * busy;
    const uint64_t issue =
        warps * (steps * STEP + p->lanes_log * MERGE + FINISH) / 4;
    const uint64_t wait =
        passes * (steps * WAIT + p->lanes_log * MERGE_WAIT + 200) / resident;
    const uint64_t cost = issue > wait ? issue : wait;
    return (cost > shared ? cost : shared) + cost / 8 + shared / 8;
}

/* Lanes of a result and padding: the cheapest of all. */
static void choose_lanes(struct axis_plan *p, const struct axis_shape *s,
                         unsigned size, const struct axis_tuning *t)
{
    struct axis_plan best = *p;
    uint64_t cost = UINT64_MAX;
    for (unsigned i = 0; i < 12; i++) {
        p->lanes_log = i / 2;
        p->pad = i % 2 ? (size < 4 ? 4 / size : 1) : 0;
        p->pad_shift = (uint32_t)__builtin_ctz(LINE / size);
        if (t->lanes_log >= 0 && (int)p->lanes_log != t->lanes_log)
            continue;
        if (t->pad >= 0 && (int)(i % 2) != t->pad)
            continue;
        const uint64_t c = tile_cost(p, s, size, t->resident);
        if (c < cost) {
            cost = c;
            best = *p;
        }
    }
    *p = best;
}

/* A tile begins where a vector does, up to a vector before its first slab. */
static uint64_t tile_capacity(unsigned size)
{
    return (AXIS_TILE_BYTES - 16) / size + 1;
}

static void plan_tiles(struct axis_plan *p, const struct axis_shape *s,
                       unsigned size, const struct axis_tuning *t)
{
    const uint64_t slabs = least(tile_capacity(size) / p->slab, s->outer);
    p->tile_outputs = (uint32_t)(slabs * s->inner);
    p->tiles = parts_of(s->outer, slabs);
    p->magic =
        s->inner > 1 ? (uint32_t)(((1ull << 32) + s->inner - 1) / s->inner) : 0;
    choose_lanes(p, s, size, t);
    p->blocks =
        (uint32_t)least(p->tiles, (uint64_t)t->multiprocessors * t->resident);
}

static void plan_rows(struct axis_plan *p, const struct axis_shape *s,
                      unsigned size, const struct axis_tuning *t)
{
    const uint64_t bytes = s->length * size, vector = 16 / size;
    const uint64_t grid = (uint64_t)t->multiprocessors * t->resident * t->waves;
    const bool warps = bytes < t->warp_bytes;
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
    while (words * size * step % LINE != 0)
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

static bool is_possible(int form, const struct axis_plan *p,
                        const struct axis_shape *s, unsigned size)
{
    return form == AXIS_TILES  ? p->slab <= tile_capacity(size)
           : form == AXIS_ROWS ? s->inner == 1
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
    return p->slab * size <= AXIS_TILE_BYTES / 2 ? AXIS_TILES : AXIS_COLUMNS;
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
    plan->form = form_of(plan, s, size, t);
    if (plan->form == AXIS_COLUMNS)
        return plan_columns(plan, s, size, t);
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
