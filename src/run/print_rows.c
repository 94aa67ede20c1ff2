/* SPDX-License-Identifier: MIT */
/* Prints results of many rows. All threads format blocks of rows in memory and
 * write them in the order of the rows. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "axis/emit.h"
#include "run/printer.h"

enum {
    /* Values of a block, so that its text stays in a core's own cache. */
    BLOCK_VALUES = 16 << 10,
    /* With fewer blocks, starting threads would take longer than printing. */
    BLOCKS_LEAST = 8,
};

struct blocks {
    struct printer *to;         /* only its writer `to` is used */
    const struct printer *like; /* read only: each thread copies it */
    const struct answers_part *part;
    print_rows_fn *print;
    size_t rows, count;  /* rows of a block; blocks */
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
    const size_t first = block * b->rows, left = b->part->rows - first;
    struct error e;
    p->to.memory->bytes = 0;
    b->print(p, b->part, first, first + (left < b->rows ? left : b->rows));
    writer_end(&p->to, &e);
    write_block(b, block, &p->to);
}

/* A thread: prints blocks until none is left. Without memory it prints none. */
static void *work(void *context)
{
    struct blocks *b = context;
    struct writer_memory memory = {0};
    struct printer *p = malloc(sizeof *p);
    size_t block;
    if (!p)
        return NULL;
    *p = *b->like;
    writer_start_memory(&p->to, &memory);
    while ((block = atomic_fetch_add(&b->next, 1)) < b->count)
        print_block(b, block, p);
    free(memory.at);
    free(p);
    return NULL;
}

/* Runs up to `threads` threads, of which the caller is one. */
static void run_threads(struct blocks *b, unsigned threads)
{
    pthread_t *thread = calloc(threads, sizeof *thread);
    unsigned started = 0;
    while (thread && started + 1 < threads &&
           pthread_create(&thread[started], NULL, work, b) == 0)
        started++;
    work(b);
    for (unsigned i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
}

void print_all_rows(struct printer *p, const struct answers_part *part,
                    print_rows_fn *print)
{
    const size_t ops = p->ops ? p->ops : 1;
    struct blocks b = {.to = p, .part = part, .print = print};
    b.rows = ops < BLOCK_VALUES ? BLOCK_VALUES / ops : 1;
    b.count = part->rows / b.rows + (part->rows % b.rows > 0);
    const unsigned threads = p->answers->plan->settings.threads;
    if (threads < 2 || b.count < BLOCKS_LEAST || !turns_open(&b.turns)) {
        print(p, part, 0, part->rows);
        return;
    }
    const struct printer like = *p;
    b.like = &like;
    run_threads(&b, threads);
    if (atomic_load(&b.next) < b.count)
        p->to.failed = ENOMEM;
    turns_close(&b.turns);
}
