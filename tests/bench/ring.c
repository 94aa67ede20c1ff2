/* SPDX-License-Identifier: MIT */
#include "ring.h"

#include <cuda_runtime_api.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

static void check(cudaError_t code)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "ring: %s\n", cudaGetErrorString(code));
        exit(1);
    }
}

/* Runs in a child, so that this process has no context yet and start-up can
 * still be measured. */
bool ring_start(void)
{
    int status;
    /* The tool sets this too, and its start-up is compared with this one. */
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 0);
    pid_t pid = fork();
    if (pid == 0) {
        int count = 0;
        _exit(cudaGetDeviceCount(&count) == cudaSuccess && count > 0 ? 0 : 1);
    }
    return waitpid(pid, &status, 0) == pid && status == 0;
}

double ring_start_up_once(void)
{
    int status;
    fflush(NULL); /* else the child would print the buffered output again */
    double start = seconds();
    pid_t pid = fork();
    if (pid == 0) {
        check(cudaFree(0));
        exit(0);
    }
    if (waitpid(pid, &status, 0) != pid || status != 0)
        exit(1);
    return seconds() - start;
}

double ring_start_up(void)
{
    double t[5];
    ring_start_up_once();
    for (int i = 0; i < 5; i++)
        t[i] = ring_start_up_once();
    return median(t, 5);
}

enum { SLOT = 8 << 20, THREADS_MAX = 16 };

struct ring {
    int fd;
    size_t bytes;
    char *host, *device;
    _Atomic size_t next;
};

static void fill_and_copy(void *argument, int i)
{
    struct ring *r = argument;
    cudaStream_t stream;
    cudaEvent_t done[2];
    size_t at;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int k = 0; k < 2; k++)
        check(cudaEventCreateWithFlags(&done[k], cudaEventDisableTiming));
    for (int k = 0; (at = atomic_fetch_add(&r->next, SLOT)) < r->bytes;
         k ^= 1) {
        size_t slot = (size_t)(2 * i + k) * SLOT;
        size_t want = r->bytes - at < SLOT ? r->bytes - at : SLOT;
        check(cudaEventSynchronize(done[k]));
        if (pread(r->fd, r->host + slot, want, (off_t)at) != (ssize_t)want)
            exit(1);
        check(cudaMemcpyAsync(r->device + slot, r->host + slot, want,
                              cudaMemcpyHostToDevice, stream));
        check(cudaEventRecord(done[k], stream));
    }
    check(cudaStreamSynchronize(stream));
}

double ring_rate(int fd, size_t bytes, int threads)
{
    double best = 0;
    int status;
    int fds[2];
    if (pipe(fds) != 0)
        exit(1);
    if (fork() == 0) {
        struct ring r = {.fd = fd, .bytes = bytes};
        check(cudaHostAlloc((void **)&r.host, 2 * THREADS_MAX * SLOT, 0));
        check(cudaMalloc((void **)&r.device, 2 * THREADS_MAX * SLOT));
        for (int n = 4; n <= threads && n <= THREADS_MAX; n *= 2) {
            double t[3];
            for (int k = 0; k < 3; k++) {
                double start = seconds();
                r.next = 0;
                team(n, fill_and_copy, &r);
                t[k] = seconds() - start;
            }
            double rate = 1e-9 * (double)bytes / median(t, 3);
            fprintf(stderr, "ring: %d threads %.1f GB/s\n", n, rate);
            best = rate > best ? rate : best;
        }
        _exit(write(fds[1], &best, sizeof best) != sizeof best);
    }
    if (read(fds[0], &best, sizeof best) != sizeof best)
        exit(1);
    wait(&status);
    return best;
}
