/* SPDX-License-Identifier: MIT */
/*
 * The CUDA backend. A lane is a stream and, for each slot, a pinned host
 * buffer, its copy on the device and the device's result: while one slot is
 * copied and reduced, the worker fills the other. Nothing here touches the
 * driver until a plan asks for the GPU.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#include "engine/backend.h"
#include "launch.h"
#include "reduce/cpu/work.h"

enum { SLOTS = 2 };

struct slot {
    void *host, *device; /* chunk_bytes each */
    struct gpu_result *host_result, *result;
    struct prod_node *host_node, *node;
    void *scratch;
    cudaEvent_t done;
    struct chunk chunk;
};

struct lane {
    const struct job *job;
    cudaStream_t stream;
    /* One block each of pinned and of device memory, cut into the slots. */
    void *host, *device;
    bool registered; /* host is ours, on huge pages */
    struct slot slot[SLOTS];
    size_t nodes; /* leaves of a chunk */
    struct work *mapped; /* [MONOIDS_END], where indexes are mapped */
};

static bool check(cudaError_t code, const char *doing, struct error *e)
{
    if (code == cudaSuccess)
        return true;
    return error_set(e, ERROR_DEVICE, "GPU: %s: %s%s", doing,
                     cudaGetErrorString(code),
                     code == cudaErrorMemoryAllocation
                         ? "\nTry fewer --threads, a smaller --chunk-size, or "
                           "--device cpu."
                         : "");
}

static bool check_driver(struct error *e)
{
    int driver = 0, runtime = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return error_set(e, ERROR_DEVICE,
                         "no GPU can be used: no NVIDIA driver is installed");
    cudaRuntimeGetVersion(&runtime);
    /* Any driver of the same major version serves. */
    if (driver / 1000 < runtime / 1000)
        return error_set(e, ERROR_DEVICE,
                         "no GPU can be used: the NVIDIA driver is too old "
                         "(it supports CUDA %d.%d, this needs %d.0)",
                         driver / 1000, driver % 1000 / 10, runtime / 1000);
    return true;
}

static bool check_device(int gpu, struct error *e)
{
    int count = 0, major = 0, minor = 0;
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaErrorNoDevice || (code == cudaSuccess && count == 0))
        return error_set(e, ERROR_DEVICE,
                         "no GPU can be used: the driver shows none (is "
                         "CUDA_VISIBLE_DEVICES set?)");
    if (!check(code, "cannot be used", e))
        return false;
    if (gpu >= count)
        return error_set(e, ERROR_DEVICE,
                         "there is no GPU %d: the driver shows %d, numbered "
                         "from 0",
                         gpu, count);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, gpu);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, gpu);
    if (10 * major + minor < 75)
        return error_set(e, ERROR_DEVICE,
                         "GPU %d is too old: compute capability %d.%d, 7.5 is "
                         "needed",
                         gpu, major, minor);
    return true;
}

static bool cuda_probe(int gpu, struct error *e)
{
    return check_driver(e) && check_device(gpu, e) &&
           check(cudaSetDevice(gpu), "cannot be used", e) &&
           check(gpu_check_image(), "this build has no code for it", e);
}

/*
 * Pinned memory. Pinning is by the page and under the driver's lock, 2 ms for 4
 * MiB and one lane after the other; of huge pages, brought in by this thread
 * beforehand, there are 512 times fewer. Where that fails, the driver's own.
 */
static bool pin(struct lane *lane, size_t bytes, struct error *e)
{
    const size_t huge = 2 << 20;
    bytes = (bytes + huge - 1) / huge * huge;
    lane->host = aligned_alloc(huge, bytes);
    if (lane->host) {
        madvise(lane->host, bytes, MADV_HUGEPAGE);
        for (size_t i = 0; i < bytes; i += 4096)
            ((volatile char *)lane->host)[i] = 0;
        lane->registered = cudaHostRegister(lane->host, bytes, 0) ==
                           cudaSuccess;
        if (lane->registered)
            return true;
        free(lane->host);
        lane->host = NULL;
    }
    return check(cudaHostAlloc(&lane->host, bytes, cudaHostAllocDefault),
                 "no pinned memory", e);
}

static void unpin(struct lane *lane)
{
    if (lane->registered) {
        cudaHostUnregister(lane->host);
        free(lane->host);
    } else {
        cudaFreeHost(lane->host);
    }
}

static void cuda_close(struct lane *lane)
{
    /* A failed submit may have left work on the stream. */
    if (lane->stream)
        cudaStreamSynchronize(lane->stream);
    for (int i = 0; i < SLOTS; i++) {
        if (lane->slot[i].done)
            cudaEventDestroy(lane->slot[i].done);
    }
    unpin(lane);
    cudaFree(lane->device);
    if (lane->stream)
        cudaStreamDestroy(lane->stream);
    free(lane->mapped);
    free(lane);
}

/* The next part of a block that is being cut. */
static void *cut(char **block, size_t bytes)
{
    void *part = *block;
    *block += (bytes + 255) / 256 * 256;
    return part;
}

static bool open_slots(struct lane *lane, struct error *e)
{
    size_t chunk = lane->job->chunk_bytes;
    size_t nodes = lane->nodes * sizeof *lane->slot[0].node;
    size_t all = chunk + nodes + sizeof *lane->slot[0].result + 3 * 256;
    if (!pin(lane, SLOTS * all, e) ||
        !check(cudaMalloc(&lane->device, SLOTS * (all + GPU_SCRATCH_BYTES)),
               "no memory on the device", e))
        return false;
    char *host = lane->host, *device = lane->device;
    for (int i = 0; i < SLOTS; i++) {
        struct slot *s = &lane->slot[i];
        s->host = cut(&host, chunk);
        s->host_result = cut(&host, sizeof *s->host_result);
        s->host_node = cut(&host, nodes);
        s->device = cut(&device, chunk);
        s->result = cut(&device, sizeof *s->result);
        s->node = cut(&device, nodes);
        s->scratch = cut(&device, GPU_SCRATCH_BYTES);
        if (!check(cudaEventCreateWithFlags(&s->done, cudaEventDisableTiming),
                   "no event", e))
            return false;
    }
    return true;
}

/* Where indexes are mapped, the CPU's loops find the extremes, which must
 * compare indexes as they go; the chunk is in the slot, anyhow. */
static bool open_mapped(struct lane *lane, struct error *e)
{
    if (!lane->job->map)
        return true;
    lane->mapped = calloc(MONOIDS_END, sizeof *lane->mapped);
    if (!lane->mapped)
        return error_set(e, ERROR_DATA, "out of memory");
    for (int m = 0; m < MONOIDS_END; m++) {
        work_init(&lane->mapped[m], (enum monoid)m, lane->job->dtype);
        lane->mapped[m].index = dealer_index;
        lane->mapped[m].map = lane->job->map;
    }
    return true;
}

static struct lane *cuda_open(const struct job *job, struct error *e)
{
    struct lane *lane = calloc(1, sizeof *lane);
    if (!lane) {
        error_set(e, ERROR_DATA, "out of memory");
        return NULL;
    }
    size_t size = dtype_info(job->dtype)->size;
    lane->job = job;
    lane->nodes = (job->chunk_bytes / size + PROD_LEAF - 1) / PROD_LEAF;
    bool ok = check(cudaSetDevice(job->gpu), "cannot be used", e) &&
              check(cudaStreamCreateWithFlags(&lane->stream,
                                              cudaStreamNonBlocking),
                    "no stream", e) &&
              open_mapped(lane, e) && open_slots(lane, e);
    if (ok)
        return lane;
    cuda_close(lane);
    return NULL;
}

static void *cuda_slot(struct lane *lane, unsigned slot)
{
    return lane->slot[slot].host;
}

/* The monoids of which an index is read, where those are mapped. */
static const unsigned ON_CPU = MONOID_BIT(extrema) | MONOID_BIT(count);

static bool cuda_submit(struct lane *lane, unsigned slot,
                        const struct chunk *chunk, struct error *e)
{
    struct slot *s = &lane->slot[slot];
    const struct job *job = lane->job;
    size_t bytes = chunk->n * dtype_info(job->dtype)->size;
    cudaStream_t stream = lane->stream;
    s->chunk = *chunk;
    bool ok = check(cudaMemcpyAsync(s->device, s->host, bytes,
                                    cudaMemcpyHostToDevice, stream),
                    "copying to it", e) &&
              check(cudaMemsetAsync(s->result, 0, sizeof *s->result, stream),
                    "clearing results", e);
    unsigned monoids = job->monoids;
    if (lane->mapped)
        monoids &= ~ON_CPU;
    struct gpu_chunk work = {s->device, chunk->n, s->result, s->scratch,
                             s->node};
    ok = ok && check(gpu_launch(monoids, job->dtype, &work, stream),
                     "starting kernels", e);
    ok = ok && check(cudaMemcpyAsync(s->host_result, s->result,
                                     sizeof *s->result, cudaMemcpyDeviceToHost,
                                     stream),
                     "copying results", e);
    if (ok && job->monoids & MONOID_BIT(prod) && dtype_is_float(job->dtype))
        ok = check(cudaMemcpyAsync(s->host_node, s->node,
                                   (chunk->n + PROD_LEAF - 1) / PROD_LEAF *
                                       sizeof *s->node,
                                   cudaMemcpyDeviceToHost, stream),
                   "copying results", e);
    return ok && check(cudaEventRecord(s->done, stream), "recording", e);
}

static void take_count(struct count *c, const struct gpu_count *from,
                       uint64_t first)
{
    c->nan = from->nan;
    c->inf = from->inf;
    c->nonzero = from->nonzero;
    if (from->nan)
        c->first_nan = first + ~from->first_nan;
}

static void take_sum(struct exact *x, const struct gpu_sum *from, uint64_t n,
                     bool is_float)
{
    x->nan = from->nan;
    x->plus_inf = from->plus_inf;
    x->minus_inf = from->minus_inf;
    x->not_negative_zero = is_float ? from->not_negative_zero != 0 : n > 0;
    exact_add_limbs(x, from->limb, 2 * (size_t)x->words);
}

static void take_extrema(struct extrema *x, const struct extrema *from,
                         uint64_t first)
{
    *x = *from;
    if (x->first_nan != INDEX_NONE)
        x->first_nan += first;
    if (x->min.index != INDEX_NONE) {
        x->min.index += first;
        x->max.index += first;
    }
}

static void take_prod(struct prod *p, const struct slot *s, bool is_float)
{
    const struct gpu_prod *from = &s->host_result->prod;
    p->zeros = from->zeros;
    p->infs = from->infs;
    p->nans = from->nans;
    if (!is_float) {
        p->integer = from->integer;
        return;
    }
    for (size_t i = 0; i * PROD_LEAF < s->chunk.n; i++)
        prod_push(p, s->chunk.first / PROD_LEAF + i, s->host_node[i], 0);
}

static void take_state(struct state *state, const struct slot *s)
{
    const struct gpu_result *r = s->host_result;
    bool is_float = dtype_is_float(state->dtype);
    state->n = s->chunk.n;
    switch (state->monoid) {
    case MONOID_count:
        take_count(&state->of.count, &r->count, s->chunk.first);
        break;
    case MONOID_prod:
        take_prod(&state->of.prod, s, is_float);
        break;
    case MONOID_extrema:
        take_extrema(&state->of.extrema, &r->extrema[0], s->chunk.first);
        break;
    case MONOID_absextrema:
        take_extrema(&state->of.extrema, &r->extrema[1], s->chunk.first);
        break;
    default:
        take_sum(&state->of.exact, &r->sum[monoid_map(state->monoid)],
                 state->n, is_float);
        break;
    }
}

static bool cuda_wait(struct lane *lane, unsigned slot, struct partial *out,
                      struct error *e)
{
    struct slot *s = &lane->slot[slot];
    const struct job *job = lane->job;
    if (!check(cudaEventSynchronize(s->done), "reducing", e))
        return false;
    partial_init(out, job);
    out->n = s->chunk.n;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!(job->monoids >> m & 1))
            continue;
        if (!lane->mapped || !(ON_CPU >> m & 1)) {
            take_state(&out->state[m], s);
            continue;
        }
        struct work *w = &lane->mapped[m];
        cpu_loops(0)->run[m][job->dtype](w, s->host, s->chunk.n,
                                         s->chunk.first);
        work_take(w, &out->state[m]);
    }
    return true;
}

const struct backend backend_cuda = {
    .name = "gpu",
    .slots = SLOTS,
    .probe = cuda_probe,
    .open = cuda_open,
    .slot = cuda_slot,
    .submit = cuda_submit,
    .wait = cuda_wait,
    .close = cuda_close,
};
