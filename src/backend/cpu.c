/* SPDX-License-Identifier: MIT */
/* The CPU backend: reduces chunks in the worker's own thread. */
#include <stdlib.h>

#include "backend/registry.h"
#include "engine/columns.h"

struct context {
    void *slot;
    struct chunk chunk; /* the chunk submitted, until cpu_wait reduces it */
    struct columns *columns;
};

static void cpu_close(struct context *context)
{
    columns_close(context->columns);
    free(context->slot);
    free(context);
}

static struct context *cpu_open(const struct job *job, struct error *e)
{
    struct context *context = calloc(1, sizeof *context);
    if (context)
        context->slot =
            aligned_alloc(4096, (job_slot_bytes(job) + 4095) / 4096 * 4096);
    if (!context || !context->slot) {
        free(context);
        return error_memory(e);
    }
    context->columns = columns_open(job, e);
    if (context->columns)
        return context;
    cpu_close(context);
    return NULL;
}

static void *cpu_slot(struct context *context, unsigned slot)
{
    (void)slot;
    return context->slot;
}

/* Only keeps the chunk. cpu_wait does the work, in the same thread. */
static bool cpu_submit(struct context *context, unsigned slot,
                       const struct chunk *chunk, struct error *e)
{
    (void)slot, (void)e;
    context->chunk = *chunk;
    return true;
}

static bool cpu_wait(struct context *context, unsigned slot,
                     struct owner *owner, struct error *e)
{
    (void)slot;
    return columns_run(context->columns, &context->chunk, owner, e);
}

static bool cpu_collect(struct context *context, unsigned slot,
                        struct owner *owner, struct error *e)
{
    (void)slot, (void)owner;
    return columns_collect(context->columns, e);
}

static const struct context_kind *cpu_contexts(const struct job *job)
{
    static const struct context_kind kind = {1,          cpu_open, cpu_slot,
                                             cpu_submit, cpu_wait, cpu_collect,
                                             cpu_close,  true};
    (void)job;
    return &kind;
}

const struct backend backend_cpu = {
    .name = "cpu",
    .title = "the CPU",
    .reads_anywhere = true,
    /* A chunk that is read into a buffer fits a core's L2, yet is large enough
     * to make the cost of cutting negligible. In a mapping, larger chunks are
     * faster: 16 threads reached 129 GB/s with 4 MiB, 78 with 1 MiB. */
    .elements = {.chunk = 512 << 10, .mapped = 4 << 20},
    /* A record window and its decoded values stay in L2. */
    .records = {.chunk = 512 << 10},
    .contexts = cpu_contexts,
};
