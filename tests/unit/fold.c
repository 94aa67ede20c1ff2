/* SPDX-License-Identifier: MIT */
/* The fold: whichever order partials come in, they merge in that of the data,
 * and the failure that is first in the data is the one that is kept. */
#include "engine/fold.h"

#include <sched.h>
#include <unistd.h>

#include "check.h"
#include "csv/cell.h"

enum { PARTIALS = 1500, THREADS = 4 };

static const struct job job = {.dtype = DTYPE_f64,
                               .monoids = MONOID_BIT(count) | MONOID_BIT(sum) |
                                          MONOID_BIT(prod) |
                                          MONOID_BIT(extrema)};

static struct partial partials[PARTIALS];
static struct partial want; /* merged one after the other */

/* Each is of one leaf of the product, whose merge depends on the order. */
static void make_partials(void)
{
    partial_init(&want, &job);
    for (size_t i = 0; i < PARTIALS; i++) {
        struct partial *p = &partials[i];
        double m = 1 + (double)(check_random() >> 12) * 0x1p-52;
        partial_init(p, &job);
        p->n = i + 1;
        p->state[MONOID_count].of.count.nonzero = i;
        p->state[MONOID_sum].of.exact.word[0] = check_random();
        prod_push(&p->state[MONOID_prod].of.prod, i, (struct prod_node){m, 0},
                  0);
        struct extrema *x = &p->state[MONOID_extrema].of.extrema;
        x->min = (struct extremum){check_random() % 50 + 1, i, i};
        x->max = x->min;
        partial_merge(&want, p, &job);
    }
}

static bool same(const struct partial *a, const struct partial *b)
{
    const struct prod *p = &a->state[MONOID_prod].of.prod;
    const struct prod *q = &b->state[MONOID_prod].of.prod;
    const struct exact *x = &a->state[MONOID_sum].of.exact;
    const struct exact *y = &b->state[MONOID_sum].of.exact;
    struct prod_node u = prod_value(p), v = prod_value(q);
    return a->n == b->n && p->begin == q->begin && p->end == q->end &&
           p->nodes == q->nodes &&
           memcmp(&u.mantissa, &v.mantissa, sizeof u.mantissa) == 0 &&
           u.exponent == v.exponent &&
           memcmp(x->word, y->word, x->words * sizeof x->word[0]) == 0 &&
           memcmp(&a->state[MONOID_extrema].of.extrema,
                  &b->state[MONOID_extrema].of.extrema,
                  sizeof(struct extrema)) == 0 &&
           memcmp(&a->state[MONOID_count].of.count,
                  &b->state[MONOID_count].of.count, sizeof(struct count)) == 0;
}

/* The oracle itself: n is a triangular number, the product's tree has one node
 * a bit of the count, in its place. */
static void test_want(void)
{
    const struct prod *p = &want.state[MONOID_prod].of.prod;
    CHECK_U64(want.n, PARTIALS * (PARTIALS + 1) / 2);
    CHECK_U64(p->nodes, (uint64_t)__builtin_popcount(PARTIALS));
    CHECK_U64(p->begin, 0);
    CHECK_U64(p->end, PARTIALS);
}

static struct fold *new_fold(void)
{
    struct error e;
    struct fold *f = fold_new(&job, FOLD_WINDOW, &e);
    CHECK(f != NULL);
    return f;
}

/* One thread: any that may be pushed without waiting is the next. */
static void test_order(void)
{
    for (int round = 0; round < 20; round++) {
        static bool pushed[PARTIALS];
        struct fold *f = new_fold();
        size_t next = 0;
        memset(pushed, 0, sizeof pushed);
        while (next < PARTIALS) {
            size_t reach =
                PARTIALS - next < FOLD_WINDOW ? PARTIALS - next : FOLD_WINDOW;
            size_t i = next + check_below(round == 0 ? 1 : reach);
            if (pushed[i])
                continue;
            /* The last one first of all, now and then. */
            fold_push(f, i, &partials[i]);
            pushed[i] = true;
            while (next < PARTIALS && pushed[next])
                next++;
            CHECK_U64(f->next, next);
        }
        CHECK(!f->failed && same(f->total, &want), "round %d", round);
        fold_free(f);
    }
}

/* The whole window backwards: nothing merges until the first comes. */
static void test_backwards(void)
{
    struct fold *f = new_fold();
    for (size_t i = FOLD_WINDOW; i-- > 0;) {
        CHECK_U64(f->total->n, 0);
        fold_push(f, i, &partials[i]);
    }
    CHECK_U64(f->total->n, FOLD_WINDOW * (FOLD_WINDOW + 1) / 2);
    CHECK_U64(f->next, FOLD_WINDOW);
    fold_free(f);
}

struct shared {
    struct fold *fold;
    _Atomic size_t dealt;
    size_t fail_at; /* or none */
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
        size_t i = w->shared->dealt++;
        if (i >= PARTIALS)
            return NULL;
        for (unsigned j = 0; j < w->slow * (i % 7); j++)
            sched_yield();
        if (i == w->shared->fail_at || i == w->shared->fail_at + 5) {
            struct error e = {.kind = ERROR_DATA};
            snprintf(e.text, sizeof e.text, "%zu", i);
            fold_fail(w->shared->fold, i, &e);
        } else {
            fold_push(w->shared->fold, i, &partials[i]);
        }
    }
}

/* Threads that are dealt partials in order and push them when they can; one
 * is so slow that the others must wait for it. */
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
        struct shared shared = {.fold = new_fold(), .fail_at = SIZE_MAX / 2};
        run_threads(&shared);
        CHECK(!shared.fold->failed && same(shared.fold->total, &want));
        fold_free(shared.fold);
    }
}

/* Two fail: nobody hangs, and of those that failed the first is kept. */
static void test_threads_fail(void)
{
    for (size_t at = 0; at < PARTIALS; at += 97) {
        struct shared shared = {.fold = new_fold(), .fail_at = at};
        char text[16];
        snprintf(text, sizeof text, "%zu", at);
        run_threads(&shared);
        CHECK(shared.fold->failed);
        CHECK_TEXT(shared.fold->error.text, text);
        fold_free(shared.fold);
    }
}

static void test_fail_order(void)
{
    static const uint64_t at[] = {9, 5, 7, 3, 4, 3};
    struct fold *f = new_fold();
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        struct error e = {.kind = ERROR_DATA};
        snprintf(e.text, sizeof e.text, "%zu", i);
        fold_fail(f, at[i], &e);
    }
    CHECK(f->failed);
    CHECK_U64(f->failed_at, 3);
    CHECK_TEXT(f->error.text, "3");
    /* What comes then neither waits nor merges. */
    fold_push(f, 0, &partials[0]);
    fold_push(f, 1000, &partials[1000]);
    CHECK_U64(f->total->n, 0);
    fold_free(f);
}

static void *push_ahead(void *arg)
{
    fold_push(arg, FOLD_WINDOW, &partials[FOLD_WINDOW]);
    return NULL;
}

/* Who is a window ahead waits, until the first is merged or the run fails. */
static void test_waiting(bool fails)
{
    struct fold *f = new_fold();
    struct error e = {.kind = ERROR_DATA, .text = "why"};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, push_ahead, f) == 0);
    usleep(20000);
    pthread_mutex_lock(&f->lock);
    CHECK(!f->present[0] && f->next == 0); /* its place is still the first's */
    pthread_mutex_unlock(&f->lock);
    if (fails)
        fold_fail(f, 0, &e);
    else
        fold_push(f, 0, &partials[0]);
    pthread_join(thread, NULL);
    CHECK(f->present[0] == !fails);
    CHECK_U64(f->next, !fails);
    fold_free(f);
}

/* A chunk of text of which the values are kept. */
static struct partial *with_values(const struct job *text, size_t n)
{
    struct partial *p = malloc(sizeof *p);
    partial_init(p, text);
    p->n = n;
    p->values = calloc(n, sizeof(double));
    CHECK(p->values != NULL);
    return p;
}

struct push {
    struct fold *fold;
    struct partial *p;
};

static void *push_second(void *arg)
{
    struct push *push = arg;
    fold_push(push->fold, 2, push->p);
    return NULL;
}

/* Chunks of many values: few wait, however many chunks may. */
static void test_values(bool fails)
{
    static const struct csv_spec spec;
    const struct job text = {.dtype = DTYPE_f64,
                             .monoids = MONOID_BIT(prod),
                             .text = &spec,
                             .columns = 1};
    struct error e = {.kind = ERROR_DATA, .text = "why"};
    struct fold *f = fold_new(&text, FOLD_WINDOW_MAX, &e);
    struct partial *p[3] = {
        with_values(&text, 5),
        with_values(&text, FOLD_VALUES / sizeof(double)),
        with_values(&text, 7)};
    struct push push = {f, p[2]};
    pthread_t thread;
    CHECK(f != NULL);
    fold_push(f, 1, p[1]); /* alone, it may */
    CHECK(pthread_create(&thread, NULL, push_second, &push) == 0);
    usleep(20000);
    pthread_mutex_lock(&f->lock);
    CHECK(f->present[1] && !f->present[2]);
    pthread_mutex_unlock(&f->lock);
    if (fails)
        fold_fail(f, 0, &e);
    else
        fold_push(f, 0, p[0]);
    pthread_join(thread, NULL);
    CHECK_U64(f->total->n, fails ? 0 : 5 + FOLD_VALUES / sizeof(double) + 7);
    CHECK(fails || f->values == 0);
    fold_free(f);
    if (fails)
        free(p[0]->values);
    for (int i = 0; i < 3; i++)
        free(p[i]);
}

int main(void)
{
    alarm(60); /* a hang is a failure */
    make_partials();
    test_want();
    test_order();
    test_backwards();
    test_threads();
    test_threads_fail();
    test_fail_order();
    test_waiting(false);
    test_waiting(true);
    test_values(false);
    test_values(true);
    return check_end();
}
