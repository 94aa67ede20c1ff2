/* SPDX-License-Identifier: MIT */
/* Prints results of many lines. All threads format blocks of lines in memory
 * and write them in order. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "axis/emit.h"
#include "base/share.h"
#include "run/joint.h"

enum {
    /* Cells of a block, so that its text stays in a core's own cache. */
    BLOCK_CELLS = 16 << 10,
    /* With fewer blocks, starting threads would take longer than printing. */
    BLOCKS_LEAST = 8,
};

struct blocks {
    struct printer *to;         /* only its writer `to` is used */
    const struct printer *like; /* read only: each thread copies it */
    const struct answers_part *part;
    print_lines_fn *print;
    size_t lines, each, count; /* all lines; those of a block; blocks */
    _Atomic size_t next; /* the next block to print; any thread takes it */
    struct turns turns;  /* guards to->to: block i writes in turn i */
};

/* Waits for the text of the block before, then writes this block's. */
static void write_block(struct blocks *b, size_t block,
                        const struct writer *from)
{
    struct writer *to = &b->to->to;
    if (!turns_wait(&b->turns, block)) {
        turns_pass(&b->turns);
        return;
    }
    if (!to->failed)
        to->failed = from->failed;
    if (from->memory->bytes > 0)
        writer_put(to, from->memory->at, from->memory->bytes);
    const bool failed = to->failed;
    turns_pass(&b->turns);
    if (failed)
        turns_stop(&b->turns);
}

static void print_block(struct blocks *b, size_t block, struct printer *p)
{
    const size_t first = block * b->each, left = b->lines - first;
    struct error e;
    p->to.memory->bytes = 0;
    b->print(p, b->part, first, first + (left < b->each ? left : b->each));
    writer_end(&p->to, &e);
    write_block(b, block, &p->to);
}

/* Prints blocks until none is left. Without memory it prints none. */
static void work(void *context, size_t first, size_t end)
{
    struct blocks *b = context;
    struct writer_memory memory = {0};
    struct printer *p = malloc(sizeof *p);
    size_t block;
    (void)first, (void)end;
    if (!p)
        return;
    *p = *b->like;
    writer_start_memory(&p->to, &memory);
    while ((block = atomic_fetch_add(&b->next, 1)) < b->count)
        print_block(b, block, p);
    free(memory.at);
    free(p);
}

void print_lines(struct printer *p, const struct answers_part *part, size_t n,
                 size_t cells, print_lines_fn *print)
{
    struct blocks b = {.to = p, .part = part, .print = print, .lines = n};
    if (p->answers->plan->joint) {
        p->answers->plan->joint->lines(p, part, n, print);
        return;
    }
    if (n == 0)
        return; /* an array without elements may have no columns */
    b.each = cells < BLOCK_CELLS ? BLOCK_CELLS / (cells ? cells : 1) : 1;
    b.count = n / b.each + (n % b.each > 0);
    const unsigned threads = p->answers->plan->settings.threads;
    if (threads < 2 || b.count < BLOCKS_LEAST || !turns_open(&b.turns)) {
        print(p, part, 0, n);
        return;
    }
    const struct printer like = *p;
    b.like = &like;
    share_out(threads, threads, work, &b);
    if (atomic_load(&b.next) < b.count)
        p->to.failed = ENOMEM;
    turns_close(&b.turns);
}
