/* SPDX-License-Identifier: MIT */
/* Round trips: random bits are printed with as many digits as they need and
 * read back through contexts. Each thread makes its own text. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text_subjects.h"

enum {
    TEXT_BYTES = 3 << 20,
    LONGEST = FLOAT_TEXT + 1, /* with the line end or delimiter */
    THREADS_MAX = 64,
};

struct task {
    const struct backend *backend;
    struct text_case text_case;
    struct text_context context;
    struct text_chunk chunk[TEXT_CHUNKS];
    struct text_tally tally;
    struct random random;
    uint64_t trips;
    bool ok;
};

static void make_record(struct task *task, struct text_chunk *c)
{
    struct random *r = &task->random;
    size_t columns = task->text_case.columns;
    uint64_t style = random_next(r);
    enum dtype dtype = task->text_case.dtype;
    for (size_t i = 0; i < columns; i++) {
        uint64_t kind = random_below(r, 16);
        uint64_t bits = float_bits(dtype,
                                   kind == 0  ? FLOAT_EXTREME
                                   : kind < 9 ? FLOAT_EVERYDAY
                                              : FLOAT_ANY,
                                   r);
        uint32_t place[] = {(uint32_t)c->records, (uint32_t)c->text.n};
        char *to = bytes_more(&c->text, LONGEST);
        struct text_column *column = &c->column[c->shape->column_of[i]];
        int n = float_print(to, dtype, bits, (style >> i) % 16 == 0);
        to[n] =
            i + 1 < columns ? (char)c->shape->table.dialect.delimiter : '\n';
        c->text.n -= LONGEST - (size_t)n - 1;
        bytes_add(&column->values, &bits, dtype_info(dtype)->size);
        bytes_add(&column->rows, &place[0], sizeof place[0]);
        bytes_add(&column->at, &place[1], sizeof place[1]);
        column->n++;
    }
    c->records++;
    task->trips -= task->trips < columns ? task->trips : columns;
}

static void make_chunk(struct task *task, uint64_t number)
{
    struct text_chunk *c = &task->chunk[number % TEXT_CHUNKS];
    c->text_case = &task->text_case;
    c->shape = &task->text_case.shape[0];
    c->number = number;
    c->line = 1;
    c->text.n = c->records = 0;
    for (size_t i = 0; i < task->text_case.columns; i++) {
        struct text_column *column = &c->column[i];
        column->n = column->values.n = column->rows.n = column->at.n = 0;
    }
    while (task->trips > 0 &&
           c->text.n + LONGEST * task->text_case.columns < TEXT_BYTES)
        make_record(task, c);
}

static void *run(void *p)
{
    struct task *task = p;
    struct job job = {.monoids = MONOID_BIT(prod), .chunk_bytes = TEXT_BYTES};
    uint64_t seed = random_next(&task->random);
    task->ok = text_context_open(&task->context, task->backend, "round trips",
                                 &task->text_case, &job, seed);
    for (uint64_t i = 0; task->ok && task->trips > 0; i++) {
        make_chunk(task, i);
        text_context_feed(&task->context, &task->tally,
                          &task->chunk[i % TEXT_CHUNKS]);
        task->ok = task->tally.failures == 0;
    }
    if (task->context.context)
        text_context_finish(&task->context, &task->tally);
    task->ok = task->ok && task->tally.failures == 0;
    text_context_close(&task->context);
    return NULL;
}

/* The case of a task: all fields are plain and all are read. */
static void make_text_case(struct task *task, enum dtype dtype)
{
    struct text_case *text_case = &task->text_case;
    do {
        text_case_free(text_case);
        text_case_make(text_case, dtype, &task->random);
    } while (text_case->shape[0].table.fields != text_case->columns ||
             !strchr(",;\t|", text_case->shape[0].table.dialect.delimiter) ||
             text_case->words_first);
}

static bool run_threads(struct text_tally *t, const struct backend *backend,
                        enum dtype dtype, uint64_t trips, unsigned threads,
                        uint64_t seed)
{
    static struct task task[THREADS_MAX];
    pthread_t thread[THREADS_MAX];
    bool ok = true;
    for (unsigned i = 0; i < threads; i++) {
        task[i] = (struct task){.backend = backend,
                                .random = {random_hash(seed, i)},
                                .trips = trips / threads};
        if (i < trips % threads)
            task[i].trips++;
        task[i].tally.states.seed = t->states.seed;
        make_text_case(&task[i], dtype);
        if (pthread_create(&thread[i], NULL, run, &task[i]) != 0)
            exit(2);
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        ok = ok && task[i].ok;
        t->failures += task[i].tally.failures;
        t->trips[dtype == DTYPE_f32] += task[i].tally.values;
        for (int k = 0; k < TEXT_CHUNKS; k++)
            text_chunk_free(&task[i].chunk[k]);
        text_case_free(&task[i].text_case);
    }
    return ok;
}

bool text_trips(struct text_tally *t, const struct backend *backend,
                uint64_t trips, uint64_t seed, unsigned threads)
{
    if (threads > THREADS_MAX)
        threads = THREADS_MAX;
    return run_threads(t, backend, DTYPE_f64, trips, threads, seed) &&
           run_threads(t, backend, DTYPE_f32, trips, threads, ~seed);
}
