/* SPDX-License-Identifier: MIT */
#include "plan/cut.h"

#include <stdlib.h>
#include <unistd.h>

#include "csv/schema/table.h"
#include "csv/simd/loops.h"
#include "csv/structure/record.h"
#include "source/io.h"

/* scan_to reads BLOCK bytes at once. A guess looks at LOOK_LEAST bytes, and at
 * more, up to LOOK_MOST, where no record starts in them. */
enum { BLOCK = 4 << 20, LOOK_LEAST = 64 << 10, LOOK_MOST = 256 << 20 };

/* A place in a text that is being scanned. */
struct scan {
    const struct input *input;
    int fd;
    char *block; /* [room + CSV_PADDING] */
    size_t room;
    uint64_t at;   /* data bytes that were scanned */
    uint64_t line; /* of the byte at `at` */
    enum csv_state state;
};

static bool read_block(struct scan *s, size_t want, struct error *e)
{
    size_t got;
    if (!io_pread(s->fd, s->block, want, s->input->offset + s->at, &got))
        return error_errno(e, s->input->name, "cannot be read");
    return got == want || error_named(e, ERROR_DATA, s->input->name,
                                      "it was cut short while it was read");
}

/* Scans up to the first start of a record at `target` data bytes or later. */
static bool scan_to(struct scan *s, uint64_t target, struct error *e)
{
    const struct csv_dialect dialect = s->input->table->dialect;
    const struct csv_loops *loops = csv_loops(0);
    while (s->at < target) {
        struct csv_scan found = {0};
        const uint64_t left = target - s->at;
        const size_t n = left < BLOCK ? (size_t)left : BLOCK;
        if (!read_block(s, n, e))
            return false;
        loops->scan(s->block, 0, n, dialect, &found);
        s->state = csv_advance(s->state, s->block, n, dialect, &found);
        s->line += found.lines;
        s->at += n;
    }
    while (s->state != CSV_RECORD && s->at < s->input->bytes) {
        const uint64_t left = s->input->bytes - s->at;
        const size_t n = left < BLOCK ? (size_t)left : BLOCK;
        size_t i = 0;
        if (!read_block(s, n, e))
            return false;
        while (i < n && s->state != CSV_RECORD)
            s->state =
                csv_step(s->state, (unsigned char)s->block[i++], dialect);
        s->line += csv_lines(s->block, s->block + i, dialect);
        s->at += i;
    }
    return true;
}

/* How a text goes on after a byte, if this is the state before it. */
struct guess {
    enum csv_state state;
    uint64_t start;   /* where the first record starts; 0: none does yet */
    uint64_t fields;  /* of the record so far */
    uint64_t records; /* those that have as many fields as the table */
};

static void step(struct guess *g, unsigned char byte, uint64_t next,
                 const struct csv_table *table)
{
    g->state = csv_step(g->state, byte, table->dialect);
    g->fields += g->state == CSV_FIELD || g->state == CSV_RECORD;
    if (g->state != CSV_RECORD)
        return;
    g->records += g->start && g->fields == table->fields;
    g->start = g->start ? g->start : next;
    g->fields = 0;
}

/* A start of a record in the block's n bytes, or 0: the first at which all
 * states meet, or that of the state with most whole records. */
static uint64_t guess_start(const struct scan *s, size_t n)
{
    struct guess g[] = {
        {.state = CSV_PLAIN}, {.state = CSV_FIELD}, {.state = CSV_QUOTED}};
    size_t best = 0;
    for (size_t i = 0; i < n; i++) {
        int starts = 0;
        for (int k = 0; k < 3; k++) {
            step(&g[k], (unsigned char)s->block[i], s->at + i + 1,
                 s->input->table);
            starts += g[k].state == CSV_RECORD;
        }
        if (starts == 3)
            return s->at + i + 1;
    }
    for (size_t k = 1; k < 3; k++)
        best = g[k].records > g[best].records ? k : best;
    return g[best].start;
}

static bool ensure_room(struct scan *s, size_t room, struct error *e)
{
    if (room <= s->room)
        return true;
    free(s->block);
    s->room = room;
    s->block = calloc(1, room + CSV_PADDING);
    return s->block || error_memory(e);
}

/* Guesses where a record starts at `target` data bytes or later. */
static bool guess_to(struct scan *s, uint64_t target, struct error *e)
{
    const uint64_t bytes = s->input->bytes;
    if (target == 0 || target >= bytes) {
        s->at = target;
        return true;
    }
    s->at = target - 1;
    const uint64_t left = bytes - s->at;
    for (uint64_t n = LOOK_LEAST; n <= LOOK_MOST; n *= 16) {
        const size_t want = n < left ? n : left;
        if (!ensure_room(s, want, e) || !read_block(s, want, e))
            return false;
        const uint64_t start = guess_start(s, want);
        if (start || want == left) {
            s->at = start ? start : bytes;
            return true;
        }
    }
    return error_named(e, ERROR_DATA, s->input->name, "no record starts");
}

bool cut_text(struct input *input, uint64_t first, uint64_t end, bool guesses,
              struct error *e)
{
    bool (*const go)(struct scan *, uint64_t, struct error *) =
        guesses ? guess_to : scan_to;
    const bool is_open = input->fd >= 0; /* standard input has no name */
    struct scan s = {.input = input,
                     .fd = is_open ? input->fd : input_reopen(input, e),
                     .line = input->table->line,
                     .state = CSV_RECORD};
    uint64_t start = 0;
    const size_t room = input->bytes < BLOCK ? (size_t)input->bytes : BLOCK;
    bool ok = s.fd >= 0 && ensure_room(&s, room + 1, e) && go(&s, first, e);
    if (ok) {
        start = s.at;
        input->table->part_line = s.line;
        ok = go(&s, end, e);
    }
    if (!is_open && s.fd >= 0)
        close(s.fd);
    free(s.block);
    if (ok && s.at < start)
        ok = error_named(e, ERROR_DATA, input->name, "no record starts");
    input->offset += start;
    input->bytes = s.at - start;
    return ok;
}
