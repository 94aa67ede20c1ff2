/* SPDX-License-Identifier: MIT */
/* The product that depends on order: whichever order chunks come in, it is
 * that of the data, and nobody waits for a chunk that does not come. */
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
static struct prod want; /* of the leaves, one after the other */

static void make_leaves(void)
{
    prod_init(&want);
    for (size_t i = 0; i < CHUNKS; i++) {
        double m = 1 + (double)(check_random() >> 12) * 0x1p-52;
        leaf[i] = (struct prod_node){m, 0};
        prod_push(&want, i, leaf[i], 0);
    }
}

/* A chunk of one leaf. */
static struct parcel *parcel_of(size_t i)
{
    struct parcel *p = parcel_new(&job);
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

/* The oracle itself: the tree has one node for each bit of the count. */
static void test_want(void)
{
    CHECK_U64(want.nodes, (uint64_t)__builtin_popcount(CHUNKS));
    CHECK_U64(want.end, CHUNKS);
}

/* One thread: any that may be pushed without waiting is next. */
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
            products_push(p, i, parcel_of(i));
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
    unsigned slow; /* yields so often before a push */
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
            products_stop(w->shared->products);
        else
            products_push(w->shared->products, i, parcel_of(i));
    }
}

/* Threads that take chunks in order and push them when they can; one is so
 * slow that the others must wait for it. */
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

/* A chunk fails and does not come: nobody hangs. */
static void test_threads_stop(void)
{
    for (size_t at = 0; at < CHUNKS; at += 97) {
        struct shared shared = {.products = new_products(&job), .stop_at = at};
        run_threads(&shared);
        products_free(shared.products);
    }
}

struct push {
    struct products *products;
    uint64_t sequence;
    struct parcel *parcel;
    _Atomic bool done;
};

static void *push_one(void *arg)
{
    struct push *push = arg;
    products_push(push->products, push->sequence, push->parcel);
    push->done = true;
    return NULL;
}

/* Pushes a chunk that must wait until the first comes, or all is stopped. */
static void check_waits(struct push *push, struct parcel *first, bool stops)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, push_one, push) == 0);
    usleep(20000);
    CHECK(!push->done);
    if (stops)
        products_stop(push->products);
    else
        products_push(push->products, 0, first);
    pthread_join(thread, NULL);
    CHECK(push->done);
    if (stops)
        parcel_free(first);
}

/* Who is a window ahead waits. */
static void test_window(bool stops)
{
    struct push push = {.products = new_products(&job),
                        .sequence = PRODUCTS_WINDOW,
                        .parcel = parcel_of(PRODUCTS_WINDOW)};
    check_waits(&push, parcel_of(0), stops);
    struct prod got = finish(push.products, &job);
    CHECK_U64(got.end, !stops);
}

/* A chunk of text with n ones that says it has so many bytes of them. */
static struct parcel *ones(size_t n, size_t bytes)
{
    struct parcel *p = parcel_new(&text_job);
    double *values = malloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = 1;
    const struct column column = {.dtype = DTYPE_f64, .n = n, .values = values};
    CHECK(p && parcel_add(p, 0, &column));
    p->bytes = bytes;
    free(values);
    return p;
}

/* Chunks of many values: few wait, however many chunks may. */
static void test_bytes(bool stops)
{
    struct push push = {.products = new_products(&text_job),
                        .sequence = 2,
                        .parcel = ones(7, 56)};
    products_push(push.products, 1, ones(9, PRODUCTS_BYTES)); /* alone it may */
    check_waits(&push, ones(5, 40), stops);
    struct prod got = finish(push.products, &text_job);
    CHECK_U64(got.end, !stops); /* all in one leaf */
}

int main(void)
{
    alarm(60); /* a hang is a failure */
    make_leaves();
    test_want();
    test_order();
    test_threads();
    test_threads_stop();
    test_window(false);
    test_window(true);
    test_bytes(false);
    test_bytes(true);
    return check_end();
}
