/* SPDX-License-Identifier: MIT */
/* The product that depends on the order of the data: it is the same in whatever
 * order chunks arrive, and no thread waits for a chunk that never arrives. */
#include "engine/products.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "csv/cell/cell.h"

enum { CHUNKS = 1500, THREADS = 4 };

static const struct csv_spec spec;
static const struct job job = {.dtype = DTYPE_f64,
                               .monoids = MONOID_BIT(prod),
                               .reading = &reading_elements};
static const struct job text_job = {.dtype = DTYPE_f64,
                                    .monoids = MONOID_BIT(prod),
                                    .text = &spec,
                                    .reading = &reading_records,
                                    .columns = 1};

static struct prod_node leaf[CHUNKS];
static struct prod want; /* expected: the leaves, one after the other */

static void make_leaves(void)
{
    prod_init(&want);
    for (size_t i = 0; i < CHUNKS; i++) {
        double m = 1 + (double)(check_random() >> 12) * 0x1p-52;
        leaf[i] = (struct prod_node){m, 0};
        prod_push(&want, i, leaf[i], 0);
    }
}

/* Makes the part of a chunk of one leaf. */
static struct product_part *part_of(size_t i)
{
    struct product_part *p = product_part_new(&job);
    CHECK(p != NULL);
    prod_push(&p->prod, i, leaf[i], 0);
    return p;
}

static struct products *new_products(const struct job *of)
{
    struct error e;
    struct products *p = products_new(of, &e);
    CHECK(p != NULL);
    return p;
}

static struct prod finish(struct products *p, const struct job *of)
{
    struct states states;
    struct error e;
    const struct schema schema = {.groups = 1, .dtype = of->dtype};
    CHECK(states_open(&states, &schema, of->monoids, &e));
    CHECK(products_finish(p, &states, &e));
    struct prod prod = states_at(&states, 0, MONOID_prod)->prod;
    states_close(&states);
    products_free(p);
    return prod;
}

static bool is_wanted(const struct prod *p)
{
    struct prod_node u = prod_value(p), v = prod_value(&want);
    return p->begin == 0 && p->end == CHUNKS && p->nodes == want.nodes &&
           memcmp(&u.mantissa, &v.mantissa, sizeof u.mantissa) == 0 &&
           u.exponent == v.exponent;
}

/* Tests the oracle: its tree has one node for each bit of the count. */
static void test_want(void)
{
    CHECK_U64(want.nodes, (uint64_t)__builtin_popcount(CHUNKS));
    CHECK_U64(want.end, CHUNKS);
}

/* One thread pushes, in random order, any chunk that need not wait. */
static void test_order(void)
{
    for (int round = 0; round < 20; round++) {
        static bool pushed[CHUNKS];
        struct products *p = new_products(&job);
        size_t next = 0;
        memset(pushed, 0, sizeof pushed);
        while (next < CHUNKS) {
            size_t reach = CHUNKS - next < PRODUCTS_WINDOW ? CHUNKS - next
                                                           : PRODUCTS_WINDOW;
            size_t i = next + check_below(round == 0 ? 1 : reach);
            if (pushed[i])
                continue;
            products_push(p, i, part_of(i));
            pushed[i] = true;
            while (next < CHUNKS && pushed[next])
                next++;
        }
        struct prod got = finish(p, &job);
        CHECK(is_wanted(&got), "round %d", round);
    }
}

struct shared {
    struct products *products;
    _Atomic size_t cut;
    size_t stop_at;
};

struct pusher {
    struct shared *shared;
    unsigned slow; /* this thread yields this many times before each push */
    pthread_t thread;
};

static void *push_all(void *arg)
{
    struct pusher *w = arg;
    for (;;) {
        size_t i = w->shared->cut++;
        if (i >= CHUNKS)
            return NULL;
        for (unsigned j = 0; j < w->slow * (i % 7); j++)
            sched_yield();
        if (i == w->shared->stop_at)
            products_stop(w->shared->products, i);
        else
            products_push(w->shared->products, i, part_of(i));
    }
}

/* Threads take chunks in order and push them. One is so slow that the others
 * have to wait for it. */
static void run_threads(struct shared *shared)
{
    struct pusher pusher[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        pusher[i] = (struct pusher){.shared = shared, .slow = i == 0 ? 100 : i};
        CHECK(pthread_create(&pusher[i].thread, NULL, push_all, &pusher[i]) ==
              0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(pusher[i].thread, NULL);
}

static void test_threads(void)
{
    for (int round = 0; round < 5; round++) {
        struct shared shared = {.products = new_products(&job),
                                .stop_at = SIZE_MAX};
        run_threads(&shared);
        struct prod got = finish(shared.products, &job);
        CHECK(is_wanted(&got));
    }
}

/* A chunk fails and never arrives: no thread may hang. */
static void test_threads_stop(void)
{
    for (size_t at = 0; at < CHUNKS; at += 97) {
        struct shared shared = {.products = new_products(&job), .stop_at = at};
        run_threads(&shared);
        products_free(shared.products);
    }
}

/* A chunk fails: the parts of the chunks before it still count. */
static void test_stop_later(void)
{
    struct products *p = new_products(&job);
    products_stop(p, 2);
    products_stop(p, 3);
    products_push(p, 3, part_of(3));
    products_push(p, 1, part_of(1));
    products_push(p, 0, part_of(0));
    struct prod got = finish(p, &job);
    CHECK_U64(got.end, 2);
}

struct push {
    struct products *products;
    uint64_t sequence;
    struct product_part *part;
    _Atomic bool done;
};

static void *push_one(void *arg)
{
    struct push *push = arg;
    products_push(push->products, push->sequence, push->part);
    push->done = true;
    return NULL;
}

/* Pushes a chunk that must wait until the first one arrives or the run
 * stops. */
static void check_waits(struct push *push, struct product_part *first,
                        bool stops)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, push_one, push) == 0);
    usleep(20000);
    CHECK(!push->done);
    if (stops)
        products_stop(push->products, 0);
    else
        products_push(push->products, 0, first);
    pthread_join(thread, NULL);
    CHECK(push->done);
    if (stops)
        product_part_free(first);
}

/* A chunk that is a window ahead has to wait. */
static void test_window(bool stops)
{
    struct push push = {.products = new_products(&job),
                        .sequence = PRODUCTS_WINDOW,
                        .part = part_of(PRODUCTS_WINDOW)};
    check_waits(&push, part_of(0), stops);
    struct prod got = finish(push.products, &job);
    CHECK_U64(got.end, !stops);
}

/* Makes a chunk of text with n ones that claims this many bytes of values. */
static struct product_part *ones(size_t n, size_t bytes)
{
    struct product_part *p = product_part_new(&text_job);
    double *values = malloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = 1;
    const struct column column = {.dtype = DTYPE_f64, .n = n, .values = values};
    CHECK(p && product_part_add(p, 0, &column));
    p->bytes = bytes;
    free(values);
    return p;
}

/* The limit on bytes makes a chunk wait long before the limit on chunks
 * does. */
static void test_bytes(bool stops)
{
    struct push push = {.products = new_products(&text_job),
                        .sequence = 2,
                        .part = ones(7, 56)};
    /* Accepted despite its size, since nothing else waits. */
    products_push(push.products, 1, ones(9, PRODUCTS_BYTES));
    check_waits(&push, ones(5, 40), stops);
    struct prod got = finish(push.products, &text_job);
    CHECK_U64(got.end, !stops); /* all values are in one leaf */
}

enum { PARTS = 40 };

/* Makes a part of n records, which have the values from `first` on. */
static struct fold_part *fold_of_records(const struct job *of,
                                         struct fold_steps *steps, size_t n,
                                         int64_t first)
{
    int64_t values[3];
    struct error e;
    struct fold_part *p = fold_part_new(of);
    for (size_t i = 0; i < n; i++)
        values[i] = first + (int64_t)i;
    const struct column column = {.dtype = DTYPE_i64, .n = n, .values = values};
    const struct chunk chunk = {.line = 1};
    CHECK(p && fold_steps_add(steps, &column, &chunk, n, 0, p, &e));
    return p;
}

/* The parts of some records each, or none, are appended in any order. */
static void check_folds(const struct job *of, int64_t wanted)
{
    struct fold_part *part[PARTS];
    struct states states = {.groups = 1};
    struct error e;
    uint64_t sequence = PARTS;
    int64_t next = 1;
    struct fold_steps *steps = fold_steps_open(of, &e);
    struct fold_run *run = fold_run_open(of, &e);
    for (size_t i = 0; i < PARTS; next += (int64_t)(i++ % 4)) {
        part[i] = fold_of_records(of, steps, i % 4, next);
        fold_run_place(run, part[i], i);
        CHECK(fold_part_combine(part[i], fold_run_folders(run), &e));
    }
    for (size_t left = PARTS; left > 0; left--) {
        const size_t i = check_below(left);
        CHECK(fold_run_append(run, part[i], &sequence, &e));
        part[i] = part[left - 1];
    }
    CHECK_U64(sequence, PARTS - 1); /* the last to be appended */
    CHECK(fold_run_finish(run, &states, &e));
    CHECK_U64(states.folded[0].word[0], (uint64_t)wanted);
    free(states.folded);
    fold_run_close(run);
    fold_steps_close(steps);
}

/* The values are 1 to 60: their sum, the first and the last one. */
static void test_folds(void)
{
    static const struct {
        const char *expr;
        int64_t value;
    } cases[] = {{"a + b", 60 * 61 / 2}, {"a", 1}, {"b", 60}};
    for (size_t i = 0; i < 3 * 50; i++) {
        struct folds folds = {.kind_of = calloc(1, 1)};
        struct job of = text_job;
        struct error e;
        folds.kind_of[0] = EXPR_INTEGER;
        of.dtype = DTYPE_i64;
        of.monoids = 0;
        of.folds = &folds;
        if (CHECK(fold_parse(&folds, EXPR_INTEGER, cases[i % 3].expr, "0", &e)))
            check_folds(&of, cases[i % 3].value);
        folds_free(&folds);
    }
}

int main(void)
{
    alarm(500); /* ends a hang */
    make_leaves();
    test_want();
    test_order();
    test_folds();
    test_threads();
    test_threads_stop();
    test_stop_later();
    test_window(false);
    test_window(true);
    test_bytes(false);
    test_bytes(true);
    return check_end();
}
