/* SPDX-License-Identifier: MIT */
#include "backend/cuda/sets.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/memory.h"
#include "kernels/distinct/distinct.h"

enum {
    /* A table first gets room for this many keys, half a GiB, if the device has
     * the memory. Each time as many elements were added, the host waits for the
     * device and counts the keys: at 50 GB/s, 130 times a second. */
    FIRST_KEYS = 46 << 20,
};

/* All fields are under `lock`. */
struct cuda_sets {
    struct cuda_sets *next;
    const void *run; /* the run that adds to the sets */
    int device;      /* the device that has the sets */
    unsigned monoids;
    enum dtype dtype; /* of the elements, after widening */
    unsigned users;   /* contexts that have joined */
    unsigned adders;  /* of `users`: contexts that have not collected yet */
    bool has_set;
    struct gpu_set set;
    uint32_t *registers; /* device, or NULL: for the estimate */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cuda_sets *all;

unsigned cuda_sets_monoids(const struct job *job)
{
    const unsigned alone = job->is_shared ? 0 : MONOID_BIT(distinct);
    return job->run ? job->monoids & (MONOID_BIT(sketch) | alone) : 0;
}

static bool is_narrow(const struct cuda_sets *s)
{
    return dtype_size(s->dtype) < 4;
}

static bool clear_registers(struct cuda_sets *s, cudaStream_t stream,
                            struct error *e)
{
    const size_t bytes = ESTIMATE_WORDS * sizeof *s->registers;
    return !s->registers ||
           (cuda_check(cudaMemsetAsync(s->registers, 0, bytes, stream),
                       "clearing an estimate", e) &&
            cuda_check(cudaStreamSynchronize(stream), "clearing an estimate",
                       e));
}

/* Narrow values need no registers: their set gives the estimate. */
static bool open_sets(struct cuda_sets *s, cudaStream_t stream, struct error *e)
{
    const char *what = "no memory for distinct values";
    s->has_set = s->monoids & MONOID_BIT(distinct) || is_narrow(s);
    if (s->has_set &&
        !cuda_check(gpu_set_open(&s->set, s->dtype, stream), what, e))
        return false;
    if (s->has_set && dtype_size(s->dtype) == 8 &&
        gpu_set_reserve(&s->set, FIRST_KEYS) != cudaSuccess)
        cudaGetLastError(); /* clears the error: fewer keys may fit */
    if (is_narrow(s) || !(s->monoids & MONOID_BIT(sketch)))
        return true;
    return cuda_check(cudaMalloc((void **)&s->registers,
                                 ESTIMATE_WORDS * sizeof *s->registers),
                      what, e) &&
           clear_registers(s, stream, e);
}

/* Takes the sets out of the list and frees them. */
static void free_sets(struct cuda_sets *s)
{
    struct cuda_sets **at = &all;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    if (s->has_set)
        gpu_set_close(&s->set);
    cudaFree(s->registers);
    free(s);
}

/* Finds or makes the run's sets on the job's device. New ones have no user
 * yet. */
static struct cuda_sets *find(const struct job *job, cudaStream_t stream,
                              struct error *e)
{
    struct cuda_sets *s = all;
    while (s && (s->run != job->run || s->device != job->device))
        s = s->next;
    if (s)
        return s;
    s = malloc(sizeof *s);
    if (!s)
        return error_memory(e);
    *s = (struct cuda_sets){.next = all,
                            .run = job->run,
                            .device = job->device,
                            .monoids = cuda_sets_monoids(job),
                            .dtype = dtype_info(job->dtype)->computed};
    all = s;
    if (open_sets(s, stream, e))
        return s;
    free_sets(s);
    return NULL;
}

struct cuda_sets *cuda_sets_join(const struct job *job, cudaStream_t stream,
                                 struct error *e)
{
    pthread_mutex_lock(&lock);
    struct cuda_sets *s = find(job, stream, e);
    if (s) {
        s->users++;
        s->adders++;
    }
    pthread_mutex_unlock(&lock);
    return s;
}

/* Sets the error of a set that cannot grow beyond s->set.most keys. Returns
 * false. */
static bool refuse(const struct cuda_sets *s, struct error *e)
{
    cudaGetLastError(); /* clears the error: the run ends here */
    return error_set(e, ERROR_DATA,
                     "keeping more than %" PRIu64
                     " distinct values would take more than the memory of the "
                     "GPU\n--device cpu keeps them in the machine's memory. To "
                     "estimate how many there are, say -o approx_nunique.",
                     s->set.most);
}

static bool add(struct cuda_sets *s, const void *data, size_t n,
                cudaStream_t stream, struct error *e)
{
    if (s->has_set) {
        const cudaError_t code = gpu_set_reserve(&s->set, n);
        if (code == cudaErrorMemoryAllocation)
            return refuse(s, e);
        if (!cuda_check(code, "growing a set", e) ||
            !cuda_check(gpu_set_add(&s->set, data, n, stream),
                        "starting kernels", e))
            return false;
    }
    return !s->registers ||
           cuda_check(gpu_estimate_add(s->dtype, data, n, s->registers, stream),
                      "starting kernels", e);
}

bool cuda_sets_add(struct cuda_sets *s, const void *data, size_t n,
                   cudaStream_t stream, struct error *e)
{
    pthread_mutex_lock(&lock);
    const bool ok = add(s, data, n, stream, e);
    pthread_mutex_unlock(&lock);
    return ok;
}

/* Adds the narrow keys, which are few, as a column of elements. */
static bool take_narrow(struct cuda_sets *s, struct states *states,
                        struct error *e)
{
    const size_t size = dtype_size(s->dtype);
    uint64_t *key = malloc(NARROW_KEYS * sizeof *key);
    size_t n = 0;
    if (!key)
        return error_memory(e);
    const bool ok =
        cuda_check(gpu_set_list(&s->set, key, &n), "copying results", e);
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = key[i];
        memcpy((char *)key + i * size, &bits, size);
    }
    const struct column column = {.dtype = s->dtype, .n = n, .values = key};
    for (int m = 0; ok && m < MONOIDS_END; m++) {
        if (s->monoids >> m & 1)
            monoids[m].add(states_at(states, 0, m), &column);
    }
    free(key);
    return ok;
}

static bool take_count(struct cuda_sets *s, struct states *states,
                       struct error *e)
{
    uint64_t n;
    bool has_nan;
    if (!(s->monoids & MONOID_BIT(distinct)))
        return true;
    if (!cuda_check(gpu_set_count(&s->set, &n, &has_nan), "counting", e))
        return false;
    distinct_count(&states_at(states, 0, MONOID_distinct)->distinct, n,
                   has_nan);
    return true;
}

static bool take_registers(struct cuda_sets *s, struct states *states,
                           struct error *e)
{
    uint32_t value[ESTIMATE_WORDS];
    if (!s->registers)
        return true;
    struct sketch *sketch = &states_at(states, 0, MONOID_sketch)->sketch;
    if (!cuda_check(cudaDeviceSynchronize(), "estimating", e) ||
        !cuda_check(cudaMemcpy(value, s->registers, sizeof value,
                               cudaMemcpyDeviceToHost),
                    "copying results", e))
        return false;
    for (uint32_t i = 0; i < SKETCH_REGISTERS; i++) {
        if (value[i] > 0)
            sketch_raise(sketch, i, value[i]);
    }
    sketch->has_nan |= value[ESTIMATE_NAN] > 0;
    return true;
}

/* Adds the sets to the owner's states and empties them, because a context that
 * opens later adds to the same sets. */
static bool take(struct cuda_sets *s, struct owner *owner, struct error *e)
{
    struct states *states = owner_take(owner, 0);
    const bool ok = (is_narrow(s) ? take_narrow(s, states, e)
                                  : take_count(s, states, e) &&
                                        take_registers(s, states, e)) &&
                    states_check(states, 0, e);
    owner_give(owner, 0);
    return ok && clear_registers(s, NULL, e) &&
           (!s->has_set ||
            cuda_check(gpu_set_clear(&s->set, NULL), "clearing a set", e));
}

bool cuda_sets_collect(struct cuda_sets *s, struct owner *owner,
                       struct error *e)
{
    pthread_mutex_lock(&lock);
    const bool ok = --s->adders > 0 || take(s, owner, e);
    pthread_mutex_unlock(&lock);
    return ok;
}

void cuda_sets_leave(struct cuda_sets *s, bool has_collected)
{
    if (!s)
        return;
    pthread_mutex_lock(&lock);
    s->adders -= !has_collected;
    if (--s->users == 0)
        free_sets(s);
    pthread_mutex_unlock(&lock);
}
