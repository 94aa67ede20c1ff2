/* SPDX-License-Identifier: MIT */
/* Checks texts as cells of a column, since the loops over text may read several
 * cells together. */
#include <string.h>

#include "csv/number/number.h"
#include "readers.h"

enum { BEFORE = 64 };

static void compare(struct run *run, const struct cells *c, enum dtype dtype,
                    const struct csv_loops *loops)
{
    const struct csv_cells cells = {c->text,         c->ends, c->rows, 2,   0,
                                    number_powers(), NULL,    true,    NULL};
    size_t size = dtype_info(dtype)->size, n = 0;
    uint64_t values[CELLS_MAX];
    uint32_t rows[CELLS_MAX];
    for (size_t row = 0; row < c->rows; row++)
        row = loops->parse[dtype](&cells, row, values, rows, &n);
    run->compared += c->rows;
    run->quick += n;
    for (size_t i = 0; i < n; i++) {
        const struct oracle *oracle = &c->oracle[rows[i]];
        uint64_t bits = 0;
        memcpy(&bits, (const char *)values + i * size, size);
        if (!oracle->is_number || oracle->bits != bits)
            run_fail(run, dtype, loops->name, c->text + c->start[rows[i]], bits,
                     oracle->bits);
    }
}

void columns_check(struct run *run, enum dtype dtype)
{
    struct cells *c = &run->cells[dtype];
    for (size_t i = 0; run->loops[i] && c->rows > 0; i++)
        compare(run, c, dtype, run->loops[i]);
    c->rows = 0;
    c->quoted = (unsigned)random_below(&run->random, 3) * 8;
}

/* Adds a text as a cell. NUL follows it, so that failures can print it, and
 * then another field. Some cells are quoted, in some columns all of them. Texts
 * that contain quotes are skipped: as cells they would mean something else. */
void columns_take(struct run *run, enum dtype dtype, const char *p,
                  size_t length, const struct oracle *oracle)
{
    struct cells *c = &run->cells[dtype];
    if (memchr(p, '"', length))
        return;
    size_t r = c->rows, at = r > 0 ? c->ends[2 * r - 1] + 1 : BEFORE;
    size_t other = random_below(&run->random, 4);
    bool quoted = random_below(&run->random, 16) < c->quoted;
    c->start[r] = (uint32_t)at;
    c->text[at] = '"';
    memcpy(c->text + at + quoted, p, length);
    c->text[at + quoted + length] = '"';
    c->ends[2 * r] = (uint32_t)(at += length + 2 * quoted);
    c->text[at++] = '\0';
    memset(c->text + at, '7', other);
    c->ends[2 * r + 1] = (uint32_t)(at + other);
    c->oracle[r] = *oracle;
    if (++c->rows == CELLS_MAX || at + 2 * TEXT_MAX > sizeof c->text)
        columns_check(run, dtype);
}
