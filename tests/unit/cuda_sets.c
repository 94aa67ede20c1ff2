/* SPDX-License-Identifier: MIT */
/* How the contexts of a run share its sets, without a GPU. */
#include "backend/cuda/sets.h"

#include <math.h>
#include <pthread.h>

#include "cuda_fake.h"

enum { WORKERS = 4, CHUNKS = 6, CHUNK = 50 };

/* A worker thread with a context of the run. */
struct worker {
    const struct job *job;
    pthread_barrier_t *joined;
    struct owner owner;
    char data[CHUNKS][CHUNK * 8];
    pthread_t thread;
};

static void *work(void *arg)
{
    struct worker *w = arg;
    struct error e;
    struct cuda_sets *s = cuda_sets_join(w->job, NULL, &e);
    CHECK(s);
    pthread_barrier_wait(w->joined);
    for (int i = 0; i < CHUNKS; i++)
        CHECK(cuda_sets_add(s, w->data[i], CHUNK, NULL, &e));
    CHECK(cuda_sets_collect(s, &w->owner, &e));
    cuda_sets_leave(s, true);
    return NULL;
}

static struct job job_of(enum dtype dtype, unsigned asked)
{
    static int run;
    return (struct job){.dtype = dtype,
                        .monoids = asked,
                        .reading = &reading_elements,
                        .run = &run};
}

/* Draws a worker's elements, and notes them in want[VALUES]. */
static void draw(struct worker *w, bool *want)
{
    const size_t size = dtype_size(w->job->dtype);
    for (int i = 0; i < CHUNKS * CHUNK; i++) {
        const uint64_t x = check_below(VALUES);
        memcpy(w->data[i / CHUNK] + (size_t)(i % CHUNK) * size, &x, size);
        want[x] = true;
    }
}

static size_t distinct_of(const struct owner *owner, enum dtype dtype)
{
    return distinct_n(&states_at(&owner->own, 0, MONOID_distinct)->distinct,
                      dtype, false);
}

static uint64_t estimate(const struct owner *owner)
{
    return sketch_estimate(&states_at(&owner->own, 0, MONOID_sketch)->sketch);
}

/* Merges the workers' states and compares them with the values drawn. */
static void compare(struct worker *w, const bool *want)
{
    struct states *sum = &w[0].owner.own;
    struct sketch sketch;
    size_t n = 0;
    sketch_init(&sketch);
    for (int i = 1; i < WORKERS; i++)
        states_merge(sum, &w[i].owner.own, 0, 1);
    for (uint64_t x = 0; x < VALUES; x++) {
        n += want[x];
        if (want[x])
            sketch_put(&sketch, hash_value(x));
    }
    if (w->job->monoids & MONOID_BIT(distinct))
        CHECK_U64(distinct_of(&w->owner, w->job->dtype), n);
    if (w->job->monoids & MONOID_BIT(sketch))
        CHECK_U64(estimate(&w->owner), sketch_estimate(&sketch));
    sketch_close(&sketch);
}

static void test_workers(enum dtype dtype, unsigned asked)
{
    static struct worker w[WORKERS];
    const struct job job = job_of(dtype, asked);
    bool want[VALUES] = {false};
    pthread_barrier_t joined;
    struct error e;
    pthread_barrier_init(&joined, NULL, WORKERS);
    CHECK_U64(cuda_sets_monoids(&job), asked);
    for (int i = 0; i < WORKERS; i++) {
        w[i].job = &job;
        w[i].joined = &joined;
        draw(&w[i], want);
        CHECK(owner_open(&w[i].owner, NULL, &job, &e));
    }
    for (int i = 0; i < WORKERS; i++)
        CHECK(pthread_create(&w[i].thread, NULL, work, &w[i]) == 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(w[i].thread, NULL);
    compare(w, want);
    for (int i = 0; i < WORKERS; i++)
        owner_close(&w[i].owner);
    pthread_barrier_destroy(&joined);
    CHECK(opened == 0);
}

/* A context that opens after the last chunk counts nothing a second time. */
static void test_late(void)
{
    static const uint64_t data[3] = {1, 2, 2};
    const struct job job = job_of(DTYPE_u64, MONOID_BIT(distinct));
    struct owner owner;
    struct error e;
    CHECK(owner_open(&owner, NULL, &job, &e));
    struct cuda_sets *first = cuda_sets_join(&job, NULL, &e);
    CHECK(cuda_sets_add(first, data, 3, NULL, &e));
    CHECK(cuda_sets_collect(first, &owner, &e));
    struct cuda_sets *late = cuda_sets_join(&job, NULL, &e);
    CHECK(cuda_sets_collect(late, &owner, &e));
    cuda_sets_leave(late, true);
    cuda_sets_leave(first, true);
    CHECK_U64(distinct_of(&owner, DTYPE_u64), 2);
    owner_close(&owner);
    CHECK(opened == 0);
}

/* Two runs on a device, and a run on two devices, share no sets. */
static void test_apart(void)
{
    static const int32_t data[3] = {1, 2, 3};
    struct job job[3];
    struct owner owner[3];
    struct cuda_sets *s[3];
    struct error e;
    for (int i = 0; i < 3; i++) {
        job[i] = job_of(DTYPE_i32, MONOID_BIT(sketch));
        CHECK(owner_open(&owner[i], NULL, &job[i], &e));
    }
    job[1].run = &job;
    job[2].device = 1;
    for (int i = 0; i < 3; i++) {
        s[i] = cuda_sets_join(&job[i], NULL, &e);
        CHECK(cuda_sets_add(s[i], data, (size_t)i + 1, NULL, &e));
    }
    for (int i = 0; i < 3; i++) {
        CHECK(cuda_sets_collect(s[i], &owner[i], &e));
        cuda_sets_leave(s[i], true);
        CHECK_U64(estimate(&owner[i]), (uint64_t)i + 1);
        CHECK(!states_at(&owner[i].own, 0, MONOID_sketch)->sketch.has_nan);
        owner_close(&owner[i]);
    }
}

static void test_nan(void)
{
    const struct job job = job_of(DTYPE_f32, MONOID_BIT(sketch));
    const float data[3] = {0, NAN, NAN};
    struct owner owner;
    struct error e;
    CHECK(owner_open(&owner, NULL, &job, &e));
    struct cuda_sets *s = cuda_sets_join(&job, NULL, &e);
    CHECK(cuda_sets_add(s, data, 3, NULL, &e));
    CHECK(cuda_sets_collect(s, &owner, &e));
    cuda_sets_leave(s, true);
    CHECK_U64(estimate(&owner), 1);
    CHECK(states_at(&owner.own, 0, MONOID_sketch)->sketch.has_nan);
    owner_close(&owner);
}

/* A context that leaves without its results, as after an error, keeps no other
 * from giving all that was added. */
static void test_left(void)
{
    static const uint64_t data[3] = {1, 2, 2};
    const struct job job = job_of(DTYPE_u64, MONOID_BIT(distinct));
    struct owner owner;
    struct error e;
    CHECK(owner_open(&owner, NULL, &job, &e));
    struct cuda_sets *first = cuda_sets_join(&job, NULL, &e);
    struct cuda_sets *other = cuda_sets_join(&job, NULL, &e);
    CHECK(first == other && cuda_sets_add(first, data, 3, NULL, &e));
    cuda_sets_leave(other, false);
    CHECK(cuda_sets_collect(first, &owner, &e));
    cuda_sets_leave(first, true);
    CHECK_U64(distinct_of(&owner, DTYPE_u64), 2);
    owner_close(&owner);
    CHECK(opened == 0);
}

/* If the device's memory is full, adding fails with a message that says what to
 * do. */
static void test_full(void)
{
    static const uint64_t data[3] = {1, 2, 3};
    const struct job job = job_of(DTYPE_u64, MONOID_BIT(distinct));
    struct error e;
    most = 4;
    struct cuda_sets *s = cuda_sets_join(&job, NULL, &e);
    CHECK(s && cuda_sets_add(s, data, 3, NULL, &e));
    CHECK(!cuda_sets_add(s, data, 3, NULL, &e));
    CHECK(e.kind == ERROR_DATA && strstr(e.text, "more than 3 distinct") &&
          strstr(e.text, "--device cpu") && strstr(e.text, "approx_nunique"));
    cuda_sets_leave(s, false);
    CHECK(opened == 0);
    most = SIZE_MAX;
}

int main(void)
{
    const unsigned set = MONOID_BIT(distinct), sketch = MONOID_BIT(sketch);
    struct job shared = job_of(DTYPE_u8, set | sketch);
    shared.is_shared = true;
    CHECK_U64(cuda_sets_monoids(&shared), sketch);
    shared.run = NULL;
    CHECK_U64(cuda_sets_monoids(&shared), 0);
    for (int i = 0; i < 10; i++) {
        test_workers(DTYPE_u64, set | sketch);
        test_workers(DTYPE_i32, sketch);
        test_workers(DTYPE_u16, set);
        test_workers(DTYPE_u8, set | sketch);
    }
    test_late();
    test_apart();
    test_nan();
    test_left();
    test_full();
    return check_end();
}
