/* SPDX-License-Identifier: MIT */
/* Devices: how many there are, whether one is usable, its start, and the speed
 * of its bus. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/meter.h"
#include "backend/cuda/memory.h"
#include "backend/cuda/pool.h"
#include "kernels/common/launch.h"

/* Bytes of the copy that measures the bus. A context of elements needs less
 * (8.4 MB pinned and 12.1 MB on the device), so it takes these blocks from the
 * pool. A context of text needs more. */
enum { SPEED_BYTES = 12 << 20 };

/*
 * Asks for one queue of work to the device; the driver's default is eight. A
 * queue takes 15 to 20 ms at the start and 5 ms at the end. With one queue, a
 * process that uses a GPU takes 0.20 s instead of 0.32 s (H200). One is enough,
 * because copies have engines of their own, and kernels here are short or fill
 * the device: CSV reached 48.9 GB/s and a raw sum 51.3 GB/s with one queue,
 * 45.9 and 50.0 with eight. A value that the user has set stays.
 */
void cuda_prepare(void)
{
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 0);
}

static bool check_driver(struct error *e)
{
    int driver = 0, runtime = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return error_set(e, ERROR_DEVICE,
                         "no GPU can be used: no NVIDIA driver is installed");
    cudaRuntimeGetVersion(&runtime);
    /* Any driver of the same major version works. */
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
    if (!cuda_check(code, "cannot be used", e))
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

bool cuda_probe(int gpu, struct error *e)
{
    return check_driver(e) && check_device(gpu, e) &&
           cuda_check(cudaSetDevice(gpu), "cannot be used", e) &&
           cuda_check(gpu_check_image(), "this build has no code for it", e);
}

unsigned cuda_count(void)
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? (unsigned)count : 0;
}

bool cuda_ready(int gpu, struct error *e)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t ready; /* bit i: device i was found usable; under `lock` */
    uint64_t bit = gpu < 64 ? (uint64_t)1 << gpu : 0;
    pthread_mutex_lock(&lock);
    bool ok = ready & bit || cuda_probe(gpu, e);
    if (ok)
        ready |= bit;
    else
        e->lacks_memory = false; /* the driver lacks it: no chunk would fit */
    pthread_mutex_unlock(&lock);
    return ok && cuda_check(cudaSetDevice(gpu), "cannot be used", e);
}

bool cuda_is_coherent(int gpu)
{
    int shares = 0;
    return cudaDeviceGetAttribute(
               &shares, cudaDevAttrPageableMemoryAccessUsesHostPageTables,
               gpu) == cudaSuccess &&
           shares != 0;
}

/* Nanoseconds of the copy, or 0 if it fails. */
static uint64_t time_copy(const struct cuda_block *to,
                          const struct cuda_block *from, cudaStream_t stream)
{
    uint64_t start = meter_now();
    bool ok = cudaMemcpyAsync(to->at, from->at, SPEED_BYTES,
                              cudaMemcpyHostToDevice, stream) == cudaSuccess &&
              cudaStreamSynchronize(stream) == cudaSuccess;
    return ok ? meter_now() - start : 0;
}

double cuda_speed(int gpu)
{
    struct cuda_block host, device = {0};
    cudaStream_t stream = NULL;
    struct error e;
    uint64_t took = 0;
    cuda_prepare_pinned(&host, gpu, SPEED_BYTES);
    if (cuda_pin(&host, &e) && cuda_acquire_stream(&stream, gpu, &e) &&
        cuda_acquire_device(&device, gpu, SPEED_BYTES, &e) &&
        time_copy(&device, &host, stream) > 0)
        took = time_copy(&device, &host, stream); /* the first one warms up */
    cuda_release_stream(stream, gpu);
    cuda_release_device(&device);
    cuda_release_pinned(&host);
    cudaGetLastError(); /* clears the error: a later use reports its own */
    return took > 0 ? 1e9 * SPEED_BYTES / (double)took : 0;
}
