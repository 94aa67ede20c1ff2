/* SPDX-License-Identifier: MIT */
/*
 * bench_files GPUREDUCE SCRATCH MIB [THREADS]
 *
 * Times whole runs of the tool on a warm file and compares them with two bounds
 * that are measured in the same run: a plain threaded sum of the same file
 * (read by pread into a buffer that stays in cache, and from a mapping of the
 * whole file, which includes mapping and unmapping), and, if there is a GPU, a
 * ring of pinned buffers that pread fills and that are copied to the GPU.
 * Prints ratios to the better bound.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdbool.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "ring.h"

enum { RUNS = 5, PIECE = 256 << 10, WINDOW = 8 << 20 };

struct file {
    const char *path;
    size_t bytes;
    int fd, threads;
    bool wide; /* f64 */
    const char *map;
    _Atomic size_t next;
    double sum[256];
};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

/* Fills part of the file with numbers uniform in [-1, 1), of 24 random bits. */
static void fill_part(void *argument, int i)
{
    struct file *f = argument;
    static _Thread_local char piece[1 << 20];
    uint64_t x = 88172645463325252ull * (uint64_t)(i + 1);
    size_t at;
    while ((at = atomic_fetch_add(&f->next, sizeof piece)) < f->bytes) {
        for (size_t k = 0; k < sizeof piece / (f->wide ? 8 : 4); k++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            double v = (double)(int32_t)(x >> 40) / (1 << 23) - 1;
            if (f->wide)
                ((double *)piece)[k] = v;
            else
                ((float *)piece)[k] = (float)v;
        }
        if (pwrite(f->fd, piece, sizeof piece, (off_t)at) !=
            (ssize_t)sizeof piece)
            die("pwrite");
    }
}

#define SUM(T)                                                     \
    do {                                                           \
        const T *x = p;                                            \
        T sum[32] = {0};                                           \
        for (size_t k = 0; k + 32 <= bytes / sizeof(T); k += 32) { \
            for (int j = 0; j < 32; j++)                           \
                sum[j] += x[k + j];                                \
        }                                                          \
        for (int j = 0; j < 32; j++)                               \
            total += (double)sum[j];                               \
    } while (0)

static double plain_sum(const void *p, size_t bytes, bool wide)
{
    double total = 0;
    if (wide)
        SUM(double);
    else
        SUM(float);
    return total;
}

static void sum_by_pread(void *argument, int i)
{
    struct file *f = argument;
    char *piece = aligned_alloc(4096, PIECE);
    size_t at;
    f->sum[i] = 0;
    while ((at = atomic_fetch_add(&f->next, PIECE)) < f->bytes) {
        if (pread(f->fd, piece, PIECE, (off_t)at) != PIECE)
            die("pread");
        f->sum[i] += plain_sum(piece, PIECE, f->wide);
    }
    free(piece);
}

static void sum_mapped(void *argument, int i)
{
    struct file *f = argument;
    size_t at;
    f->sum[i] = 0;
    while ((at = atomic_fetch_add(&f->next, WINDOW)) < f->bytes)
        f->sum[i] += plain_sum(f->map + at, WINDOW, f->wide);
}

static void with_map(struct file *f)
{
    void *p = mmap(NULL, f->bytes, PROT_READ, MAP_SHARED, f->fd, 0);
    if (p == MAP_FAILED)
        die("mmap");
    f->map = p;
    f->next = 0;
    team(f->threads, sum_mapped, f);
    munmap(p, f->bytes);
}

static void with_pread(struct file *f)
{
    f->next = 0;
    team(f->threads, sum_by_pread, f);
}

static double time_sum(struct file *f, void (*sum)(struct file *f))
{
    double t[RUNS];
    sum(f);
    for (int r = 0; r < RUNS; r++) {
        double start = seconds();
        sum(f);
        t[r] = seconds() - start;
    }
    return median(t, RUNS);
}

struct run {
    double wall, peak_mib;
};

/* Runs the tool once, with standard output to /dev/null. */
static struct run run_once(char *const argv[])
{
    struct rusage usage;
    int status = 0;
    double start = seconds();
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        execv(argv[0], argv);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
        die("wait4");
    if (status != 0) {
        fprintf(stderr, "%s failed with status %d\n", argv[0], status);
        exit(1);
    }
    return (struct run){seconds() - start, (double)usage.ru_maxrss / 1024};
}

static struct run run_tool(char *const argv[])
{
    double t[RUNS], peak = 0;
    run_once(argv);
    for (int r = 0; r < RUNS; r++) {
        struct run one = run_once(argv);
        t[r] = one.wall;
        peak = one.peak_mib > peak ? one.peak_mib : peak;
    }
    return (struct run){median(t, RUNS), peak};
}

static void print_row(const char *what, double wall, double bytes, double bound,
                      double peak)
{
    printf("| %-36s | %8.4f | %7.2f |", what, wall, 1e-9 * bytes / wall);
    if (bound > 0)
        printf(" %6.3f |", 1e-9 * bytes / wall / bound);
    else
        printf("        |");
    if (peak > 0)
        printf(" %4.0f |\n", peak);
    else
        printf("      |\n");
    fflush(stdout);
}

static void bench_ops(const char *tool, const struct file *f,
                      const char *device, double bound, double start_up)
{
    static const char *const ops[] = {"sum", "min",    "max", "sum,min,max",
                                      "std", "argmax", "all"};
    char threads[16];
    snprintf(threads, sizeof threads, "%d", f->threads);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        char *const argv[] = {(char *)tool,
                              "--device",
                              (char *)device,
                              "-j",
                              threads,
                              "-t",
                              f->wide ? "f64" : "f32",
                              "--op",
                              (char *)ops[i],
                              (char *)f->path,
                              NULL};
        char what[64];
        struct run r = run_tool(argv);
        snprintf(what, sizeof what, "%s %s %s", device, f->wide ? "f64" : "f32",
                 ops[i]);
        print_row(what, r.wall - start_up, (double)f->bytes, bound, r.peak_mib);
    }
}

/* Measures what the tool adds to a process that only makes a CUDA context. The
 * two take turns. */
static void bench_own_start(const char *tool, const char *path)
{
    char *const gpu[] = {(char *)tool, "--device",   "gpu", "--op",
                         "sum",        (char *)path, NULL};
    double own[RUNS], whole[RUNS];
    run_once(gpu);
    for (int r = 0; r < RUNS; r++) {
        double bare = ring_start_up_once();
        whole[r] = run_once(gpu).wall;
        own[r] = whole[r] - bare;
    }
    printf("| 1 KiB file, GPU | %.2f |\n", 1e3 * median(whole, RUNS));
    printf("| of it, not driver and context | %.2f |\n",
           1e3 * median(own, RUNS));
}

static void bench_small(const char *tool, const char *path)
{
    char *const version[] = {(char *)tool, "--version", NULL};
    char *const small[] = {(char *)tool, "--op", "sum", (char *)path, NULL};
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || ftruncate(fd, 1024) != 0)
        die(path);
    close(fd);
    printf("\n| start | ms |\n| --- | --- |\n");
    printf("| --version | %.2f |\n", 1e3 * run_tool(version).wall);
    printf("| 1 KiB file | %.2f |\n", 1e3 * run_tool(small).wall);
    if (ring_start())
        bench_own_start(tool, path);
}

static void bench_width(const char *tool, struct file *f)
{
    f->fd = open(f->path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (f->fd < 0)
        die(f->path);
    f->next = 0;
    team(f->threads, fill_part, f);
    double by_pread = time_sum(f, with_pread);
    double by_mmap = time_sum(f, with_map);
    double bound =
        1e-9 * (double)f->bytes / (by_pread < by_mmap ? by_pread : by_mmap);
    print_row("read-sum, pread in cache", by_pread, (double)f->bytes, 0, 0);
    print_row("read-sum, whole file mapped", by_mmap, (double)f->bytes, 0, 0);
    bench_ops(tool, f, "cpu", bound, 0);
    if (ring_start()) {
        double ring = ring_rate(f->fd, f->bytes, f->threads);
        double start_up = ring_start_up();
        print_row("pread ring into the GPU", 1e-9 * (double)f->bytes / ring,
                  (double)f->bytes, 0, 0);
        printf("| GPU start-up, left out below          | %8.4f |\n", start_up);
        bench_ops(tool, f, "gpu", ring, start_up);
    }
    close(f->fd);
    unlink(f->path);
}

int main(int argc, char **argv)
{
    cpu_set_t set;
    if (argc < 4) {
        fprintf(stderr, "usage: bench_files GPUREDUCE SCRATCH MIB [THREADS]\n");
        return 2;
    }
    struct file f = {.path = argv[2],
                     .bytes = (size_t)atoi(argv[3]) / 8 * 8 << 20};
    sched_getaffinity(0, sizeof set, &set);
    f.threads = argc > 4 ? atoi(argv[4]) : CPU_COUNT(&set);
    printf("%zu MiB, page cache warm, %d threads, medians of %d\n\n",
           f.bytes >> 20, f.threads, RUNS);
    printf("| run | s | GB/s | of the bound | peak MiB |\n"
           "| --- | --- | --- | --- | --- |\n");
    for (int wide = 0; wide < 2; wide++) {
        f.wide = wide;
        bench_width(argv[1], &f);
    }
    bench_small(argv[1], argv[2]);
    return 0;
}
