/* SPDX-License-Identifier: MIT */
#include "fake.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/registry.h"
#include "random.h"

enum { SLOTS_MAX = 4, STRAGGLE_US = 60000 };

struct slot {
    const struct context_kind *kind; /* of the CPU */
    struct context *inner;
    pthread_t thread;
    bool has_thread; /* else submit did the work */
    bool busy;
    unsigned delay_us;
    struct chunk chunk;
    struct owner owner; /* its states after the slot's chunk */
    bool ok;
    struct error error;
};

struct context {
    size_t bytes; /* of memory that it has taken */
    const struct job *job;
    const struct context_kind *kind; /* of the CPU */
    pthread_t owner;
    bool failed;
    struct random random;
    struct slot slot[SLOTS_MAX];
};

static struct fake_plan plan;
static atomic_uint opened, open_now;
static atomic_size_t used; /* bytes that open contexts have taken */
static const char *_Atomic complaint;

static void demand(bool ok, const char *what)
{
    if (!ok)
        complaint = what;
}

static void check_call(const struct context *context, unsigned slot)
{
    demand(pthread_equal(context->owner, pthread_self()),
           "a context was used by another thread than it was opened by");
    demand(slot < plan.slots, "there is no such slot");
}

static void close_inner(struct context *context)
{
    for (unsigned i = 0; i < SLOTS_MAX; i++) {
        if (context->slot[i].inner)
            context->kind->close(context->slot[i].inner);
        owner_close(&context->slot[i].owner);
    }
    fake_give(context->bytes);
    free(context);
}

bool fake_take(size_t bytes, struct error *e)
{
    size_t have = used;
    do {
        if (plan.memory > 0 && have + bytes > plan.memory) {
            error_set(e, ERROR_DEVICE, "injected: no memory");
            e->lacks_memory = true;
            return false;
        }
    } while (!atomic_compare_exchange_weak(&used, &have, have + bytes));
    return true;
}

void fake_give(size_t bytes)
{
    atomic_fetch_sub(&used, bytes);
}

/* Takes memory until the context has it for `times` as many slots. */
static bool take_memory(struct context *context, size_t times, struct error *e)
{
    const size_t need = times * plan.slots * job_slot_bytes(context->job);
    if (context->bytes >= need)
        return true;
    if (!fake_take(need - context->bytes, e))
        return false;
    context->bytes = need;
    return true;
}

static struct context *fake_open(const struct job *job, struct error *e)
{
    unsigned which = opened++;
    struct context *context = calloc(1, sizeof *context);
    bool ok = true;
    if (!context) {
        error_memory(e);
        return NULL;
    }
    context->job = job;
    context->kind = backend_cpu.contexts(job);
    context->owner = pthread_self();
    context->random.state = random_hash(plan.seed, which);
    usleep((useconds_t)random_below(&context->random, plan.delay_us + 1));
    for (unsigned i = 0; ok && i < plan.slots; i++) {
        struct slot *s = &context->slot[i];
        s->kind = context->kind;
        ok = owner_open(&s->owner, NULL, job, e) &&
             (s->inner = s->kind->open(job, e)) != NULL;
    }
    if (ok && which >= plan.fail_open)
        ok = error_set(e, ERROR_DEVICE, "injected: open");
    ok = ok && take_memory(context, 1, e);
    if (!ok) {
        close_inner(context);
        return NULL;
    }
    open_now++;
    return context;
}

static void *fake_slot(struct context *context, unsigned slot)
{
    check_call(context, slot);
    demand(!context->slot[slot].busy, "a busy slot was asked for");
    return context->kind->slot(context->slot[slot].inner, 0);
}

/* Sleeps before it reads the data, so that a caller that reuses the slot too
 * early is caught. */
static void *work(void *arg)
{
    struct slot *s = arg;
    usleep(s->delay_us);
    if (plan.before)
        plan.before();
    s->owner.rows = s->owner.skipped = 0;
    product_part_free(s->owner.part); /* left by a chunk that failed */
    s->owner.part = NULL;
    s->ok = s->kind->submit(s->inner, 0, &s->chunk, &s->error) &&
            s->kind->wait(s->inner, 0, &s->owner, &s->error);
    return NULL;
}

static bool fails(uint64_t from, uint64_t sequence)
{
    return sequence >= from &&
           (sequence == from ||
            (plan.every && (sequence - from) % plan.every == 0));
}

static bool fake_submit(struct context *context, unsigned slot,
                        const struct chunk *chunk, struct error *e)
{
    struct slot *s = &context->slot[slot];
    check_call(context, slot);
    demand(!s->busy, "a busy slot was submitted");
    demand(context->job->text || chunk->n > 0, "an empty chunk was submitted");
    demand(!context->failed, "a context was given more after it had failed");
    context->failed = fails(plan.fail_submit, chunk->sequence);
    if (context->failed)
        return error_set(e, ERROR_DEVICE, "injected: submit of chunk %" PRIu64,
                         chunk->sequence);
    context->failed = context->job->text && !take_memory(context, 2, e);
    if (context->failed)
        return false;
    s->chunk = *chunk;
    s->delay_us = (unsigned)random_below(&context->random, plan.delay_us + 1);
    if (chunk->sequence == plan.straggler)
        s->delay_us = STRAGGLE_US;
    s->has_thread = pthread_create(&s->thread, NULL, work, s) == 0;
    if (!s->has_thread)
        work(s);
    s->busy = true;
    return true;
}

/* Moves the states and the part of a chunk to the caller's owner. */
static void add(struct owner *from, struct owner *to)
{
    for (size_t g = 0; g < from->own.groups; g++) {
        states_merge(owner_take(to, g), &from->own, g, g + 1);
        owner_give(to, g);
    }
    to->rows = from->rows;
    to->skipped = from->skipped;
    to->part = from->part;
    from->part = NULL;
    states_clear(&from->own);
}

static bool fake_wait(struct context *context, unsigned slot,
                      struct owner *owner, struct error *e)
{
    struct slot *s = &context->slot[slot];
    check_call(context, slot);
    demand(s->busy, "an idle slot was waited for");
    if (!s->busy)
        return error_set(e, ERROR_DATA, "the slot is idle");
    if (s->has_thread)
        pthread_join(s->thread, NULL);
    s->busy = false;
    context->failed |= !s->ok;
    if (s->ok && fails(plan.fail_wait, s->chunk.sequence)) {
        context->failed = true;
        return error_set(e, ERROR_DEVICE, "injected: wait of chunk %" PRIu64,
                         s->chunk.sequence);
    }
    if (s->ok)
        add(&s->owner, owner);
    else
        *e = s->error;
    return s->ok;
}

static void fake_close(struct context *context)
{
    check_call(context, 0);
    for (unsigned i = 0; i < plan.slots; i++) {
        struct slot *s = &context->slot[i];
        demand(!s->busy, "a context was closed with a slot under way");
        if (s->busy && s->has_thread)
            pthread_join(s->thread, NULL);
    }
    close_inner(context);
    open_now--;
}

static struct context_kind kind = {
    0, fake_open, fake_slot, fake_submit, fake_wait, NULL, fake_close, false};

static const struct context_kind *fake_contexts(const struct job *job)
{
    (void)job;
    return &kind;
}

const struct backend *fake_backend(const struct fake_plan *wanted)
{
    static struct backend backend = {.name = "fake", .contexts = fake_contexts};
    plan = *wanted;
    kind.slots = plan.slots;
    backend.reads_anywhere = plan.reads_anywhere;
    opened = open_now = 0;
    used = 0;
    complaint = NULL;
    return &backend;
}

const char *fake_complaint(void)
{
    demand(open_now == 0, "a context was left open");
    return complaint;
}
