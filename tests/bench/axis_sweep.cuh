// SPDX-License-Identifier: MIT
//
// Times plans of axes that differ from the chosen one.
#pragma once

#include "axis_cell.cuh"

// Times plans of this form, one for each value of a tuning number.
static void sweep_form(struct bench *b, const struct cell *c, int form,
                       unsigned axis_tuning::*number,
                       std::initializer_list<unsigned> values)
{
    for (const unsigned value : values) {
        struct axis_tuning t = b->tuning;
        struct axis_plan plan;
        t.form = form;
        t.*number = value;
        if (axis_plan(&plan, &c->shape, dtype_size(c->dtype), &t) &&
            plan.form == (enum axis_form)form)
            print_cell(b, c, &t, false);
    }
}

static void sweep(struct bench *b, const struct cell *c)
{
    const size_t row = c->shape.length * dtype_size(c->dtype);
    struct axis_plan plan;
    print_cell(b, c, &b->tuning, false);
    if (!axis_plan(&plan, &c->shape, dtype_size(c->dtype), &b->tuning))
        return;
    for (int near = -1; near <= 1 && plan.form == AXIS_TILES; near += 2) {
        struct axis_tuning t = b->tuning;
        t.lanes_log = (int)plan.lanes_log + near;
        if (t.lanes_log >= 0)
            print_cell(b, c, &t, false);
    }
    if (plan.form == AXIS_ROWS && row < AXIS_TILE_VECTORS * 16)
        sweep_form(b, c, AXIS_TILES, &axis_tuning::rows_bytes, {1u << 30});
    if (row > 1024)
        sweep_form(b, c, AXIS_ROWS, &axis_tuning::many_warp_bytes,
                   {0, 1u << 30});
    if (row > 100000)
        sweep_form(b, c, AXIS_ROWS, &axis_tuning::waves, {2, 4});
    if (plan.form == AXIS_SHALLOW)
        sweep_form(b, c, AXIS_COLUMNS, &axis_tuning::column_waves, {2});
    if (c->shape.inner > 1 && c->shape.length > 64) {
        sweep_form(b, c, AXIS_COLUMNS, &axis_tuning::column_waves, {1, 4, 8});
        sweep_form(b, c, AXIS_COLUMNS, &axis_tuning::column_rows, {16, 64});
    }
}

// Shapes far from the ceilings come first, since a sweep may be cut off.
static void sweeps(struct bench *b)
{
    static const size_t rows[] = {1,    3,   7,     8,      100, 1000,
                                  31,   32,  10000, 5000,   2,   300,
                                  2048, 500, 3000,  1000000};
    static const size_t columns[] = {1000, 10000, 7, 100, 129, 1000000};
    const size_t n = b->bytes / 4;
    print_head("Plans for sums of f32");
    for (const size_t length : rows) {
        const struct cell c = {AXIS_SUM, DTYPE_f32, {n / length, length, 1}};
        sweep(b, &c);
    }
    const struct axis_shape shapes[] = {
        {1, 3, n / 3},         {n / 3000, 1000, 3},
        {n / 10000, 100, 100}, {n / 3000000, 3, 1000000},
        {1, 6, n / 6},         {n / 1000000, 1000, 1000},
        {1, 30, n / 30},       {n / 9, 3, 3},
        {n / 300, 100, 3}};
    for (const struct axis_shape &shape : shapes) {
        const struct cell c = {AXIS_SUM, DTYPE_f32, shape};
        sweep(b, &c);
    }
    for (const size_t inner : columns) {
        const struct cell c = {AXIS_SUM, DTYPE_f32, {1, n / inner, inner}};
        sweep(b, &c);
    }
}
