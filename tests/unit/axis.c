/* SPDX-License-Identifier: MIT */
/* Boxes of arrays contain each element once, with its right output and number.
 * The loops over lanes of every instruction set agree with plain loops. */
#include "axis/box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "reduce/cpu/accumulator.h"
#include "reduce/cpu/inexact.h"

enum { MOST = 4096, LANES = 70, STEPS = 40 };

/* For each place in memory: the output of its element and the element's number
 * among those of that output, as the boxes say; and how many boxes contained
 * it. */
struct seen {
    uint32_t output[MOST], number[MOST];
    size_t times[MOST];
    const char *data;
};

static void see(void *context, const struct box *b)
{
    struct seen *seen = context;
    for (size_t i = 0; i < b->steps; i++) {
        for (size_t l = 0; l < b->lanes; l++) {
            const char *at = b->data + i * b->step + l * b->lane;
            const size_t k = (size_t)(at - seen->data);
            seen->output[k] = (uint32_t)(b->output + l);
            seen->number[k] = (uint32_t)(b->first + i);
            seen->times[k]++;
        }
    }
}

/* Computes an element's expected output and number, both in C order, from its
 * indexes on all axes. */
static void want_of(const struct geometry *g, const uint64_t *index,
                    uint64_t *output, uint64_t *number)
{
    *output = *number = 0;
    for (unsigned d = 0; d < g->rank; d++) {
        uint64_t *to = g->reduced[d] ? number : output;
        *to = *to * g->size[d] + index[d];
    }
}

/* Returns an element's place in memory. */
static size_t place_of(const struct geometry *g, const uint64_t *index)
{
    size_t place = 0;
    for (unsigned i = 0; i < g->rank; i++) {
        const unsigned d = g->is_fortran ? g->rank - 1 - i : i;
        place = place * g->size[d] + index[d];
    }
    return place;
}

static void check_elements(const struct geometry *g, const struct seen *seen)
{
    uint64_t index[RANK_MAX] = {0}, output, number;
    for (;;) {
        const size_t k = place_of(g, index);
        want_of(g, index, &output, &number);
        CHECK(seen->times[k] == 1, "element %zu", k);
        CHECK(geometry_output(g, seen->output[k]) == output &&
                  geometry_index(g, seen->number[k]) == number,
              "element %zu", k);
        unsigned d = g->rank;
        while (d > 0 && ++index[d - 1] == g->size[d - 1])
            index[--d] = 0;
        if (d == 0)
            return;
    }
}

static void check_shape(bool is_fortran)
{
    static struct seen seen;
    static char data[MOST];
    struct error e;
    struct geometry g = {.rank = 1 + (unsigned)check_below(RANK_MAX),
                         .is_fortran = is_fortran};
    for (unsigned d = 0, all = 1; d < g.rank; d++) {
        g.size[d] = 1 + check_below(4);
        if (all * g.size[d] > MOST)
            g.size[d] = 1;
        all *= (unsigned)g.size[d];
        g.reduced[d] = check_below(2);
    }
    CHECK(geometry_make(&g, &e), "rank %u", g.rank);
    memset(&seen, 0, sizeof seen);
    seen.data = data;
    /* Cuts the array in two, between slabs or between rows. */
    const uint64_t n = g.slabs > 1 ? g.slabs : g.rows, cut = check_below(n + 1);
    for (int half = 0; half < 2; half++) {
        const uint64_t from = half ? cut : 0, some = half ? n - cut : cut;
        const struct part slabs = {from, some, 0, g.rows, 0, g.items},
                          rows = {0, 1, from, some, 0, g.items};
        const struct part p = g.slabs > 1 ? slabs : rows;
        const size_t row = geometry_row(&g);
        part_boxes(&g, &p, part_output(&g, &p),
                   data + from * row * (g.slabs > 1 ? g.rows : 1), 1, row, see,
                   &seen);
    }
    check_elements(&g, &seen);
}

static double number_at(enum dtype dtype, const char *data, size_t i)
{
    return dtype_to_double(
        dtype, dtype_load(dtype, data + i * dtype_info(dtype)->size));
}

static double mapped(enum lane_map map, double v)
{
    return map == LANE_VALUE ? v : map == LANE_MAGNITUDE ? fabs(v) : v * v;
}

/* Checks the sums of columns and of rows, and the sums that keep rounding
 * errors (add_all). */
static void check_sums(const struct lane_loops *loops, enum dtype dtype,
                       enum lane_map map, const struct lane_block *columns,
                       const struct lane_block *rows)
{
    double sum[3][LANES], rest[3][LANES], bound[3][LANES];
    struct lane_sums s[3];
    const size_t steps = columns->steps, lanes = columns->lanes;
    for (int i = 0; i < 3; i++) {
        s[i] = (struct lane_sums){sum[i], rest[i], bound[i]};
        for (size_t l = 0; l < lanes; l++) {
            sum[i][l] = -0.0;
            rest[i][l] = bound[i][l] = 0;
        }
    }
    if (!loops->add[map])
        return;
    CHECK(loops->add[map](&s[0], columns) && loops->add_rows[map](&s[1], rows),
          "%s rounds", dtype_info(dtype)->name);
    if (loops->add_all[map])
        loops->add_all[map](&s[2], columns);
    for (size_t l = 0; l < lanes; l++) {
        double down = 0, along = 0;
        for (size_t i = 0; i < steps; i++) {
            down += mapped(map, number_at(dtype, columns->data, i * lanes + l));
            along += mapped(map, number_at(dtype, rows->data, l * steps + i));
        }
        CHECK(sum[0][l] + rest[0][l] == down && sum[1][l] + rest[1][l] == along,
              "%s: lane %zu, map %d", dtype_info(dtype)->name, l, map);
        CHECK(!loops->add_all[map] ||
                  (sum[2][l] + rest[2][l] == down && bound[2][l] == 0),
              "%s: lane %zu, map %d", dtype_info(dtype)->name, l, map);
    }
}

/* Compares all loops of a type with plain ones, on small integers. */
static void check_lanes(const struct lane_loops *loops, enum dtype dtype,
                        size_t steps, size_t lanes)
{
    static uint64_t room[LANES * STEPS], turned[LANES * STEPS];
    const size_t size = dtype_info(dtype)->size;
    uint64_t key[LANES], at[LANES];
    char *data = (char *)room;
    for (size_t i = 0; i < steps * lanes; i++) {
        const bool is_float = dtype_is_float(dtype);
        const uint64_t x = check_below(is_float ? 32 : 100);
        const uint64_t bits =
            is_float ? dtype_from_double(dtype, (double)x - 16) : x;
        memcpy(data + i * size, &bits, size);
    }
    const struct lane_block columns = {data, steps, lanes, lanes * size},
                            block = {data, steps, lanes, steps * size};
    const struct lane_extrema x = {key, at};
    for (int map = 0; map < LANE_MAPS; map++)
        check_sums(loops, dtype, (enum lane_map)map, &columns, &block);
    loops->turn(turned, &block);
    loops->extrema[LANE_GREATEST](&x, &columns);
    for (size_t l = 0; l < lanes; l++) {
        double most = -1e9;
        size_t first = 0;
        for (size_t i = 0; i < steps; i++) {
            const double v = number_at(dtype, data, i * lanes + l);
            first = v > most ? i : first;
            most = v > most ? v : most;
            CHECK(number_at(dtype, (char *)turned, i * lanes + l) ==
                      number_at(dtype, data, l * steps + i),
                  "%s: turn", dtype_info(dtype)->name);
        }
        const uint64_t step = size == 8 ? at[l] : ((uint32_t *)at)[l];
        CHECK(step == first, "%s: lane %zu", dtype_info(dtype)->name, l);
    }
}

/* add returns false if an addition rounds; add_all keeps the rounding error. */
static void check_rounding(const struct lane_loops *loops)
{
    const double data[] = {1, 1e-30, -1};
    double sum = -0.0, rest = 0, bound = 0;
    const struct lane_sums s = {&sum, &rest, &bound};
    const struct lane_block b = {(const char *)data, 3, 1, sizeof *data};
    CHECK(!loops[DTYPE_f64].add[LANE_VALUE](&s, &b), "%s", "it rounds");
    /* Where rounding cannot be seen, what is exact counts as rounded, too. */
    const struct lane_block exact = {(const char *)data, 1, 1, sizeof *data};
    for (int hidden = 0; hidden < 2; hidden++) {
        const bool was_hidden = inexact_is_hidden;
        inexact_is_hidden |= hidden;
        sum = -0.0;
        CHECK(loops[DTYPE_f64].add[LANE_VALUE](&s, &exact) != inexact_is_hidden,
              "%d", hidden);
        inexact_is_hidden = was_hidden;
    }
    sum = -0.0;
    loops[DTYPE_f64].add_all[LANE_VALUE](&s, &b);
    CHECK(sum + rest == 1e-30 && bound == 0, "%g", sum + rest);
    const double root = 1 + 0x1p-52;
    const struct lane_block one = {(const char *)&root, 1, 1, sizeof root};
    sum = -0.0;
    rest = bound = 0;
    CHECK(!loops[DTYPE_f64].add[LANE_SQUARE](&s, &one), "%s", "it rounds");
    sum = -0.0;
    loops[DTYPE_f64].add_all[LANE_SQUARE](&s, &one);
    CHECK(sum == 1 + 0x1p-51 && rest == 0x1p-104 && bound == 0, "%a %a", sum,
          rest);
}

int main(void)
{
    const struct cpu_loops *loops;
    for (int i = 0; i < 2000; i++)
        check_shape(i % 2);
    for (size_t k = 0; (loops = cpu_loops(k)); k++) {
        check_rounding(loops->lanes);
        for (int i = 0; i < 40 * DTYPES_END; i++)
            check_lanes(&loops->lanes[i % DTYPES_END],
                        (enum dtype)(i % DTYPES_END), 1 + check_below(STEPS),
                        1 + check_below(LANES));
    }
    return check_end();
}
