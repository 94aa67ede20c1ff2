/* SPDX-License-Identifier: MIT */
/* Plans of axes: every element is read once, and no block, grid or tile gets
 * more than it has room for. */
#include "kernels/axis/axis.h"

#include "check.h"

enum { SMALL = 20000, SHARED_BYTES = 48 << 10 };

static unsigned char seen[SMALL];

/* Visits the elements of all tiles as the GPU does in tile_form.cuh. */
static void walk_tiles(const struct axis_plan *p, const struct axis_shape *s)
{
    const uint64_t lanes = 1ull << p->lanes_log;
    for (uint64_t t = 0; t < p->tiles; t++) {
        for (uint64_t task = 0; task < p->tile_outputs * lanes; task++) {
            const uint32_t in_tile = (uint32_t)(task / lanes);
            const uint32_t o =
                p->magic ? (uint32_t)((uint64_t)in_tile * p->magic >> 32)
                         : in_tile;
            const uint64_t i = in_tile - o * s->inner;
            if (t * p->tile_outputs + in_tile >= p->outputs)
                continue;
            for (uint64_t row = task % lanes; row < s->length; row += lanes)
                seen[t * p->tile_outputs * s->length + o * p->slab + i +
                     row * s->inner]++;
        }
    }
}

static void walk_rows(const struct axis_plan *p, const struct axis_shape *s)
{
    for (uint64_t number = 0; number < s->outer * p->partials; number++) {
        const uint64_t first = number % p->partials * p->piece;
        CHECK(first < s->length, "an empty piece");
        for (uint64_t l = first; l < first + p->piece && l < s->length; l++)
            seen[number / p->partials * s->length + l]++;
    }
}

static void walk_columns(const struct axis_plan *p, const struct axis_shape *s)
{
    for (uint64_t b = 0; b < p->blocks; b++) {
        for (unsigned t = 0; t < AXIS_THREADS; t++) {
            const uint64_t lane = b % p->slab_blocks * AXIS_THREADS + t;
            const uint64_t at = b / p->slab_blocks * p->slab + lane * p->pack;
            const uint64_t step = p->lanes / p->words;
            uint64_t n = 0;
            for (uint64_t row = lane / p->words;
                 lane < p->lanes && row < s->length; row += step, n++) {
                for (unsigned c = 0; c < p->pack; c++)
                    seen[at + n * p->lanes * p->pack + c]++;
            }
        }
    }
}

static void walk_shallow(const struct axis_plan *p, const struct axis_shape *s)
{
    for (uint64_t b = 0; b < p->blocks; b++) {
        for (unsigned i = 0; i < p->pack * AXIS_THREADS; i++) {
            const uint64_t column =
                b % p->slab_blocks * p->pack * AXIS_THREADS + i;
            for (uint64_t row = 0; column < s->inner && row < p->rows; row++) {
                if (row < s->length)
                    seen[b / p->slab_blocks * p->slab + row * s->inner +
                         column]++;
            }
        }
    }
}

static void check_coverage(const struct axis_plan *p,
                           const struct axis_shape *s)
{
    uint64_t wrong = 0;
    memset(seen, 0, sizeof seen);
    if (p->form == AXIS_TILES)
        walk_tiles(p, s);
    else if (p->form == AXIS_ROWS)
        walk_rows(p, s);
    else if (p->form == AXIS_SHALLOW)
        walk_shallow(p, s);
    else
        walk_columns(p, s);
    for (uint64_t i = 0; i < p->elements; i++)
        wrong += seen[i] != 1;
    CHECK(wrong == 0,
          "form %d of (%" PRIu64 ", %" PRIu64 ", %" PRIu64 "): %" PRIu64
          " elements",
          (int)p->form, s->outer, s->length, s->inner, wrong);
}

static void check_tiles(const struct axis_plan *p, const struct axis_shape *s,
                        unsigned size)
{
    const uint64_t slabs = p->tile_outputs / s->inner;
    const uint64_t bytes =
        p->slab_vectors
            ? slabs * (p->slab_vectors + p->pad) * 16 + AXIS_LINE - 16
            : slabs * p->slab * size + AXIS_LINE - size;
    CHECK(p->tile_outputs > 0 && p->tile_outputs % s->inner == 0, "slabs");
    CHECK(bytes <= AXIS_TILE_VECTORS * 16, "%" PRIu64 " bytes", bytes);
    CHECK(2 * AXIS_TILE_VECTORS * 16 <= SHARED_BYTES, "shared");
    CHECK_U64(p->slab_step * size, p->slab_vectors
                                       ? (p->slab_vectors + p->pad) * 16
                                       : p->slab * size);
    /* slab_magic must divide exactly for the first and the last vector of a
     * slab. */
    for (uint64_t o = 0; p->pad && o < slabs; o++) {
        const uint64_t x = o * p->slab_vectors;
        CHECK((x * p->slab_magic) >> 32 == o &&
                  ((x + p->slab_vectors - 1) * p->slab_magic) >> 32 == o,
              "slab %" PRIu64 " of %u", o, p->slab_vectors);
    }
    CHECK(p->lanes_log <= 5, "lanes %u", p->lanes_log);
    CHECK(p->tiles * p->tile_outputs >= p->outputs &&
              (p->tiles - 1) * p->tile_outputs < p->outputs,
          "tiles");
    for (uint32_t x = 0; p->magic && x < p->tile_outputs; x++) {
        if ((uint64_t)x * p->magic >> 32 != x / s->inner) {
            CHECK(false, "%u / %" PRIu64, x, s->inner);
            return;
        }
    }
}

static void check_rows(const struct axis_plan *p, const struct axis_shape *s,
                       unsigned size)
{
    CHECK(s->inner == 1, "rows");
    CHECK(p->team == 32 || p->team == AXIS_THREADS, "team %u", p->team);
    CHECK(p->piece * size % 16 == 0, "a piece of %" PRIu64, p->piece);
    CHECK(p->piece * p->partials >= s->length &&
              p->piece * (p->partials - 1) < s->length,
          "pieces");
}

static void check_columns(const struct axis_plan *p, const struct axis_shape *s)
{
    const uint64_t blocks = (p->lanes + AXIS_THREADS - 1) / AXIS_THREADS;
    CHECK(p->words * p->pack == s->inner, "words");
    CHECK(p->lanes > 0 && p->lanes % p->words == 0, "lanes");
    CHECK(p->lanes / p->words <= s->length, "lanes without a row");
    CHECK_U64(p->slab_blocks, blocks);
    CHECK_U64(p->blocks, blocks * s->outer);
    CHECK_U64(p->partials,
              p->words < AXIS_THREADS ? blocks : p->lanes / p->words);
}

/* The results of a part are partial, so they stay in scratch memory. */
static void check_part(const struct axis_shape *s, unsigned size,
                       const struct axis_tuning *t)
{
    struct axis_plan p;
    if (!CHECK(axis_plan_part(&p, s, size, t), "a part"))
        return;
    CHECK(p.form == (s->inner == 1 ? AXIS_ROWS : AXIS_COLUMNS), "form %d",
          (int)p.form);
    CHECK_U64(axis_scratch_bytes(&p),
              p.outputs * p.partials * AXIS_PARTIAL_BYTES);
}

static void check_plan(const struct axis_shape *s, unsigned size,
                       const struct axis_tuning *t)
{
    struct axis_plan p;
    if (!CHECK(axis_plan(&p, s, size, t),
               "(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", s->outer, s->length,
               s->inner))
        return;
    CHECK(p.blocks > 0 && p.blocks <= 0x7fffffff, "blocks %u", p.blocks);
    CHECK_U64(p.outputs, s->outer * s->inner);
    /* Partial results take little memory, however large the data are. */
    CHECK(axis_scratch_bytes(&p) <= (uint64_t)256 << 20, "scratch %zu",
          axis_scratch_bytes(&p));
    if (p.form == AXIS_TILES)
        check_tiles(&p, s, size);
    else if (p.form == AXIS_ROWS)
        check_rows(&p, s, size);
    else if (p.form == AXIS_SHALLOW)
        CHECK(s->length <= p.rows && p.rows <= AXIS_SHALLOW_ROWS, "rows");
    else
        check_columns(&p, s);
    if (p.elements <= SMALL)
        check_coverage(&p, s);
    check_part(s, size, t);
}

static void check_tunings(const struct axis_shape *s, unsigned size)
{
    for (int form = -1; form < AXIS_FORMS_END; form++) {
        struct axis_tuning t = axis_tuning_default(132);
        t.form = form;
        check_plan(s, size, &t);
        t.multiprocessors = 1 + (unsigned)check_below(3);
        t.waves = 1 + (unsigned)check_below(3);
        t.column_waves = 1 + (unsigned)check_below(3);
        t.warp_bytes = check_below(2) ? 16 : 1 << 20;
        t.piece_bytes = 16u << check_below(10);
        t.column_rows = 1 + (unsigned)check_below(50);
        t.lanes_log = (int)check_below(7) - 1;
        check_plan(s, size, &t);
    }
}

static const uint64_t extents[] = {
    1,   2,   3,   7,   8,    31,   32,   33,    85,      100,      128,
    255, 256, 257, 300, 1000, 4095, 4097, 10000, 1000000, 100000000};

static void test_extents(void)
{
    const size_t n = sizeof extents / sizeof extents[0];
    for (size_t i = 0; i < n * n * n; i++) {
        const struct axis_shape s = {extents[i % n], extents[i / n % n],
                                     extents[i / n / n]};
        if (s.outer * s.length * s.inner > 1ull << 34)
            continue;
        check_tunings(&s, 1u << i % 4);
    }
}

static void test_random(void)
{
    for (int i = 0; i < 400; i++) {
        struct axis_shape s = {1, 1, 1};
        s.length = 1 + check_below(check_below(2) ? 100 : SMALL);
        s.inner = 1 + check_below(SMALL / s.length);
        s.outer = 1 + check_below(SMALL / (s.length * s.inner));
        if (i % 3 == 0) {
            s.outer *= s.inner;
            s.inner = 1;
        }
        check_tunings(&s, 1u << check_below(4));
    }
}

static void test_refusals(void)
{
    static const struct axis_shape shapes[] = {
        {0, 1, 1},
        {1, 0, 1},
        {1, 1, 0},
        {1, UINT32_MAX, 1},
        {1ull << 40, 1ull << 10, 1ull << 10},
        {UINT64_MAX, UINT32_MAX - 1, UINT64_MAX},
        {1ull << 32, 5000, 3}};
    const struct axis_tuning t = axis_tuning_default(132);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct axis_plan p;
        CHECK(!axis_plan(&p, &shapes[i], 4, &t), "shape %zu", i);
    }
}

/* Returns the most words of one bank that are read together when the first f32
 * of a tile are loaded: by a warp, or as vectors by eight lanes. */
static unsigned bank_conflicts(const struct axis_plan *p,
                               const struct axis_shape *s)
{
    unsigned of_bank[32] = {0}, most = 0;
    const uint64_t width = p->by_vectors ? 4 : 1;
    for (uint64_t lane = 0; lane < 32 / width; lane++) {
        const uint64_t output = lane >> p->lanes_log;
        const uint64_t row = lane & ((1u << p->lanes_log) - 1);
        const uint64_t e = output / s->inner * p->slab_step +
                           output % s->inner + row * s->inner * width;
        for (uint64_t i = e; i < e + width; i++)
            if (output < p->tile_outputs && row * width < s->length)
                of_bank[i % 32]++;
    }
    for (unsigned bank = 0; bank < 32; bank++)
        most = of_bank[bank] > most ? of_bank[bank] : most;
    return most;
}

static void test_conflicts(void)
{
    static const uint64_t lengths[] = {1, 2, 3, 7, 8, 16, 31, 32, 64, 100, 128};
    const struct axis_tuning t = axis_tuning_default(132);
    for (size_t i = 0; i < 2 * sizeof lengths / sizeof lengths[0]; i++) {
        struct axis_plan p;
        const struct axis_shape s = {100000, lengths[i / 2], i % 2 ? 3 : 1};
        CHECK(axis_plan(&p, &s, 4, &t) && p.form == AXIS_TILES, "tiles");
        const unsigned most = bank_conflicts(&p, &s);
        CHECK(most <= (p.by_vectors ? 4 : 3),
              "length %" PRIu64 ", inner %" PRIu64 ": %u", s.length, s.inner,
              most);
        printf("length %" PRIu64 ", inner %" PRIu64
               ": lanes %u, pad %u, conflicts %u\n",
               s.length, s.inner, 1u << p.lanes_log, p.pad, most);
    }
}

int main(void)
{
    test_extents();
    test_random();
    test_refusals();
    test_conflicts();
    return check_end();
}
