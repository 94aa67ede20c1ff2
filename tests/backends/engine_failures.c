/* SPDX-License-Identifier: MIT */
/*
 * The engine with errors injected into the backend and into the files, at
 * random places. It must always return, and report the error that comes first
 * in the data, whatever the threads do.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine_fixture.h"

/* The chunk that must fail and the text of its error. FAKE_NEVER: no chunk
 * fails. */
struct expected {
    uint64_t sequence;
    char says[64];
};

/* Runs the engine on open inputs and compares the result or the error. */
static void check_run(struct fixture *b, const struct fake_plan *plan,
                      struct setting *s, const char *how,
                      const struct expected *want)
{
    struct reduced got;
    struct error e = {.text = ""};
    char text[sizeof e.text + 100];
    bool must_fail = want->sequence != FAKE_NEVER;
    s->backend = fake_backend(plan);
    bool ok = fixture_run(b, s, &got, &e);
    b->tally.cases++;
    if (fake_complaint())
        fixture_fail(b, s, how, fake_complaint());
    if (ok && !must_fail) {
        fixture_compare(b, s, how, &got);
    } else if (ok || !must_fail || !strstr(e.text, want->says)) {
        snprintf(text, sizeof text, "it gave '%s', must be '%s'",
                 ok ? "success" : e.text, must_fail ? want->says : "success");
        fixture_fail(b, s, how, text);
    }
}

static bool open_inputs(struct fixture *b, const struct setting *s)
{
    struct error e;
    bool ok = fixture_open(b, s, &e);
    if (!ok)
        fixture_fail(b, s, "opening", e.text);
    return ok;
}

/* Returns the first error that a plan causes in `chunks` chunks. */
static struct expected expected_of(const struct fake_plan *plan,
                                   uint64_t chunks)
{
    struct expected x = {FAKE_NEVER, ""};
    bool submit = plan->fail_submit <= plan->fail_wait;
    uint64_t first = submit ? plan->fail_submit : plan->fail_wait;
    if (first >= chunks)
        return x;
    x.sequence = first;
    snprintf(x.says, sizeof x.says, "injected: %s of chunk %" PRIu64,
             submit ? "submit" : "wait", first);
    return x;
}

static struct fake_plan failing_plan(struct fixture *b, uint64_t chunks)
{
    struct random *r = &b->random;
    struct fake_plan plan = rig_fake(&b->random);
    plan.every = random_below(r, 5);
    if (random_below(r, 3) > 0)
        plan.fail_submit = random_below(r, chunks + 1);
    if (random_below(r, 3) > 0)
        plan.fail_wait = random_below(r, chunks + 1);
    if (random_below(r, 4) == 0)
        plan.straggler = random_below(r, chunks + 1);
    return plan;
}

static size_t chunk_of(const struct setting *s)
{
    return s->leaves * CHUNK_ELEMENTS;
}

static uint64_t chunks_of(const struct fixture *b, const struct setting *s)
{
    return (b->data.n + chunk_of(s) - 1) / chunk_of(s);
}

/* Returns a random setting without deferred pipes: when a run fails early their
 * writers would wait for ever. */
static struct setting setting_of(struct fixture *b)
{
    struct setting s = fixture_setting(b);
    s.may_defer = false;
    return s;
}

static void check_backend_errors(struct fixture *b)
{
    struct setting s = setting_of(b);
    struct fake_plan plan = failing_plan(b, chunks_of(b, &s));
    struct expected want = expected_of(&plan, chunks_of(b, &s));
    if (open_inputs(b, &s))
        check_run(b, &plan, &s, "failing backend", &want);
}

/* The run must fail if any of its contexts cannot be opened. */
static void check_open_errors(struct fixture *b)
{
    struct setting s = setting_of(b);
    struct fake_plan plan = rig_fake(&b->random);
    struct expected want = {FAKE_NEVER, "injected: open"};
    plan.fail_open = random_below(&b->random, s.threads + 1);
    if (plan.fail_open < s.threads)
        want.sequence = 0;
    if (open_inputs(b, &s))
        check_run(b, &plan, &s, "failing open", &want);
}

/* The memory holds some of the contexts. The run must fail if it holds none
 * with chunks of the least size. */
static void check_little_memory(struct fixture *b)
{
    struct setting s = setting_of(b);
    struct fake_plan plan = rig_fake(&b->random);
    struct expected want = {FAKE_NEVER, "injected: no memory"};
    const size_t leaf = CHUNK_ELEMENTS * dtype_info(b->data.dtype)->size;
    size_t least = s.leaves;
    s.least = random_below(&b->random, 3);
    while (s.least > 0 && least / 2 >= s.least)
        least = least / 2 / s.least * s.least;
    plan.memory =
        1 + (size_t)random_below(&b->random, plan.slots * leaf * s.leaves * 4);
    if (plan.memory < plan.slots * leaf * least)
        want.sequence = 0;
    if (open_inputs(b, &s))
        check_run(b, &plan, &s, "little memory", &want);
}

/* TORN happens before the inputs are opened, the others afterwards. */
enum damage { REMOVED, SHORTENED, TORN_LATER, TORN, DAMAGES };

/* Damages a file. Returns how many elements of the dataset come before the
 * place where the engine must notice it, or SIZE_MAX if the file was not
 * damaged. */
static size_t damage(const struct source *source, enum damage damage,
                     size_t size, struct random *r)
{
    struct stat st;
    bool is_torn = damage == TORN || damage == TORN_LATER;
    if (source->kind == SOURCE_FIFO || source->n == 0 ||
        (is_torn && (size == 1 || source->kind != SOURCE_RAW)) ||
        stat(source->name, &st) != 0)
        return SIZE_MAX;
    /* Cut anywhere, or within the last page. */
    size_t page = source->n < 200 ? source->n : 200;
    size_t off =
        1 + (size_t)random_below(r, random_below(r, 2) ? source->n : page);
    off_t end = is_torn ? st.st_size + 1 : st.st_size - (off_t)(off * size);
    if (damage == REMOVED ? unlink(source->name) != 0
                          : truncate(source->name, end) != 0)
        return SIZE_MAX;
    return damage == REMOVED ? source->from
           : is_torn         ? source->from + source->n
                             : source->from + source->n - off;
}

static void check_file_errors(struct fixture *b)
{
    static const char *const says[] = {"'%s': cannot be opened",
                                       "'%s': ", "'%s': its ", "'%s': its "};
    struct random *r = &b->random;
    struct setting s = setting_of(b);
    struct fake_plan plan = failing_plan(b, chunks_of(b, &s));
    const struct source *source =
        &b->sources.source[random_below(r, b->sources.count)];
    enum damage kind = (enum damage)random_below(r, DAMAGES);
    size_t before = SIZE_MAX, size = dtype_info(b->data.dtype)->size;
    /* A mapped file that is cut fails as a whole, possibly before an injected
     * error, so none is injected. */
    if (kind == SHORTENED && plan.reads_anywhere)
        plan.fail_submit = plan.fail_wait = FAKE_NEVER;
    struct expected want = expected_of(&plan, chunks_of(b, &s));
    if (kind == TORN)
        before = damage(source, kind, size, r);
    if (!open_inputs(b, &s))
        return;
    if (kind != TORN)
        before = damage(source, kind, size, r);
    if (before != SIZE_MAX && before / chunk_of(&s) <= want.sequence) {
        want.sequence = before / chunk_of(&s);
        snprintf(want.says, sizeof want.says, says[kind], source->name);
    }
    check_run(b, &plan, &s, "damaged file", &want);
}

/* Cuts a file within its last page. The page stays mapped, so only the check of
 * the file's size can find it. */
void check_cut(struct fixture *b)
{
    struct setting s = setting_of(b);
    struct fake_plan plan = rig_fake(&b->random);
    const struct source *source = &b->sources.source[0];
    struct expected want = {0, "'1': "};
    struct stat st;
    plan.reads_anywhere = true;
    /* One chunk for the whole file: a short last chunk would be read, not
     * mapped. */
    s.leaves = b->data.n / CHUNK_ELEMENTS + 1;
    if (open_inputs(b, &s) && stat(source->name, &st) == 0 &&
        truncate(source->name, st.st_size - 8) == 0)
        check_run(b, &plan, &s, "cut page", &want);
}

void check_stuck(struct fixture *b)
{
    struct setting s = {.threads = 8,
                        .leaves = 1,
                        .monoids = MONOID_BIT(sum) | MONOID_BIT(prod)};
    struct fake_plan plan = rig_fake(&b->random);
    struct expected want = {FAKE_NEVER, "injected: wait of chunk 1"};
    plan.straggler = 1;
    plan.delay_us = 0;
    plan.slots = 3;
    if (open_inputs(b, &s))
        check_run(b, &plan, &s, "straggler", &want);
    plan.fail_wait = want.sequence = 1;
    if (open_inputs(b, &s))
        check_run(b, &plan, &s, "failing straggler", &want);
}

void check_failures(struct fixture *b)
{
    for (int i = 0; i < 2; i++)
        check_backend_errors(b);
    check_open_errors(b);
    check_little_memory(b);
    check_file_errors(b);
}
