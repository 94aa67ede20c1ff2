/* SPDX-License-Identifier: MIT */
/* Sends chunks of text through a context, as the engine does. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "text_subjects.h"

void text_fail(struct text_tally *t, const struct text_chunk *c,
               const char *how, size_t at, const char *what)
{
    const struct text_case *text_case = c->text_case;
    const struct csv_table *table = &c->shape->table;
    char text[QUOTE_MAX], words[QUOTE_MAX];
    size_t from = at > 40 ? at - 40 : 0;
    size_t n = c->text.n - from < 160 ? c->text.n - from : 160;
    t->failures++;
    printf("FAILED: %s, chunk %" PRIu64 " (--seed 0x%" PRIx64
           "): %s, %zu bytes, line %" PRIu64 ", %zu records of %zu fields, "
           "delimiter 0x%02x, words %s%s%s\n    %s\n",
           how, c->number, t->states.seed, dtype_info(text_case->dtype)->name,
           c->text.n, c->line, c->records, table->fields,
           table->dialect.delimiter, quote(words, text_case->words),
           text_case->spec.skip_bad ? ", skip bad" : "",
           text_case->spec.missing_is_error ? ", missing is an error" : "",
           what);
    printf("    text at %zu, from %zu: %s\n", at, from,
           quote_bytes(text, n > 0 ? c->text.at + from : "", n));
}

static const struct context_kind *contexts_of(const struct text_context *l)
{
    return l->backend->contexts(&l->job);
}

bool text_context_open(struct text_context *l, const struct backend *backend,
                       const char *how, const struct text_case *text_case,
                       const struct job *job, uint64_t seed)
{
    struct error e;
    *l = (struct text_context){.backend = backend, .how = how, .job = *job};
    l->job.dtype = text_case->dtype;
    l->job.text = &text_case->spec;
    l->job.reading = &reading_records;
    l->job.columns = text_case->columns;
    l->random.state = seed;
    l->context = contexts_of(l)->open(&l->job, &e);
    if (!l->context)
        printf("FAILED: a context cannot be opened: %s\n", e.text);
    return l->context;
}

void text_context_close(struct text_context *l)
{
    if (l->context)
        contexts_of(l)->close(l->context);
    for (int i = 0; i < TEXT_SLOTS_MAX; i++)
        text_guard_free(&l->guard[i]);
}

static void check_error(struct text_context *l, struct text_tally *t,
                        const struct text_chunk *c, const char *got)
{
    char what[2 * sizeof c->error + 5000];
    t->wrong[c->wrong]++;
    /* Further lines are hints, which are not compared. */
    size_t n = strcspn(got, "\n");
    if (n == strlen(c->error) && memcmp(got, c->error, n) == 0)
        return;
    snprintf(what, sizeof what, "it says  %s\n    must say %s",
             *got ? got : "(nothing)", c->error[0] ? c->error : "(nothing)");
    text_fail(t, c, l->how, 0, what);
}

static uint32_t load(const struct bytes *b, size_t i)
{
    uint32_t x;
    memcpy(&x, b->at + i * sizeof x, sizeof x);
    return x;
}

/* Reports the first value that differs. */
static void check_values(struct text_context *l, struct text_tally *t,
                         const struct text_chunk *c, size_t column,
                         const void *values)
{
    const struct text_column *want = &c->column[column];
    enum dtype dtype = c->text_case->dtype;
    char what[160];
    size_t i = 0;
    t->values += want->n;
    if (want->values.n == 0 ||
        memcmp(values, want->values.at, want->values.n) == 0)
        return;
    while (number_load(dtype, values, i) ==
           number_load(dtype, want->values.at, i))
        i++;
    snprintf(what, sizeof what,
             "column %zu, value %zu, row %" PRIu32 ": 0x%016" PRIx64
             ", must be 0x%016" PRIx64,
             column, i, load(&want->rows, i), number_load(dtype, values, i),
             number_load(dtype, want->values.at, i));
    text_fail(t, c, l->how, load(&want->at, i), what);
}

static void check_column(struct text_context *l, struct text_tally *t,
                         const struct text_chunk *c, size_t column,
                         const struct owner *owner)
{
    static const struct data_class kind = {"text", NULL};
    const struct text_column *want = &c->column[column];
    const struct dataset d = {
        c->text_case->dtype, &kind, want->n, c->seed, 0, NULL};
    const struct subject subject = {l->backend->name, l->how, &d};
    const struct tally *got = &owner->own.tally[column];
    unsigned ordered = job_ordered(&l->job);
    uint64_t failures = t->states.failures;
    char what[240];
    t->used += want->n;
    t->missing += want->missing;
    t->bad += want->bad;
    if (got->n != want->n || owner->rows != c->records ||
        got->missing != want->missing || got->bad != want->bad) {
        snprintf(what, sizeof what,
                 "column %zu: n %" PRIu64 ", records %" PRIu64
                 ", missing %" PRIu64 ", bad %" PRIu64
                 "; must be %zu, %zu, %" PRIu64 ", %" PRIu64,
                 column, got->n, owner->rows, got->missing, got->bad, want->n,
                 c->records, want->missing, want->bad);
        text_fail(t, c, l->how, 0, what);
        return;
    }
    if (!owner->part != !ordered)
        text_fail(t, c, l->how, 0, "values are there, or are not");
    else if (ordered)
        check_values(l, t, c, column, owner->part->column[column].values);
    for (int m = 0; m < MONOIDS_END; m++) {
        if ((l->job.monoids & ~ordered) >> m & 1)
            compare_state(&t->states, &subject, &want->want, (enum monoid)m,
                          states_at(&owner->own, column, m));
    }
    if (t->states.failures > failures) {
        snprintf(what, sizeof what, "column %zu: the states above", column);
        text_fail(t, c, l->how, want->n > 0 ? load(&want->at, 0) : 0, what);
    }
}

/* Converts a position to the row in the chunk. */
static uint64_t row_of(const void *chunk, uint64_t position)
{
    const struct text_chunk *c = chunk;
    return position - (c->number << ROW_BITS);
}

static void collect(struct text_context *l, struct text_tally *t, unsigned slot)
{
    struct owner owner;
    const struct text_chunk *c = l->busy[slot];
    struct error e = {.text = ""};
    if (!c)
        return;
    l->busy[slot] = NULL;
    bool ok = owner_open(&owner, NULL, &l->job, &e) &&
              contexts_of(l)->wait(l->context, slot, &owner, &e) &&
              (!contexts_of(l)->collect ||
               contexts_of(l)->collect(l->context, slot, &owner, &e));
    check_error(l, t, c, ok ? "" : e.text);
    states_map(&owner.own, row_of, c);
    for (size_t i = 0; ok && i < c->text_case->columns; i++) {
        if (!c->wrong)
            check_column(l, t, c, i, &owner);
    }
    owner_close(&owner);
    text_guard_free(&l->guard[slot]);
}

/* Places the text in the slot, or between guard pages: always when it is too
 * long for the slot, and sometimes otherwise. */
static const char *place(struct text_context *l, unsigned slot,
                         const struct text_chunk *c)
{
    bool is_long = c->text.n + CSV_PADDING > job_slot_bytes(&l->job);
    bool elsewhere =
        random_below(&l->random, 16) == 0 ||
        (contexts_of(l)->slots == 1 && random_below(&l->random, 2));
    if (is_long || elsewhere)
        return text_guard_place(&l->guard[slot], c, &l->random);
    char *to = contexts_of(l)->slot(l->context, slot);
    if (c->text.n > 0)
        memcpy(to, c->text.at, c->text.n);
    text_pad(to + c->text.n, CSV_PADDING, &l->random);
    return to;
}

void text_context_feed(struct text_context *l, struct text_tally *t,
                       const struct text_chunk *c)
{
    unsigned slot = l->slot;
    struct error e = {.text = ""};
    l->slot = (slot + 1) % contexts_of(l)->slots;
    collect(l, t, slot);
    const struct chunk chunk = {.sequence = c->number,
                                .data = place(l, slot, c),
                                .bytes = c->text.n,
                                .line = c->line,
                                .input = (struct input *)&c->shape->input};
    t->chunks++;
    t->bytes += c->text.n;
    t->strays += c->stray;
    if (contexts_of(l)->submit(l->context, slot, &chunk, &e))
        l->busy[slot] = c;
    else
        check_error(l, t, c, e.text);
}

void text_context_finish(struct text_context *l, struct text_tally *t)
{
    for (unsigned i = 0; i < contexts_of(l)->slots; i++) {
        collect(l, t, l->slot);
        l->slot = (l->slot + 1) % contexts_of(l)->slots;
    }
}
