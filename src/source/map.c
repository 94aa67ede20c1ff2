/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "source/map.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Linux 5.14. Older kernels return EINVAL, and page faults read the pages. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

enum { MAPS_MAX = 64 };

/* Bytes of a page of this machine. Set before any map is registered. */
static size_t page_bytes;

/* The maps that the handler searches, and how many threads are in the handler.
 * A map may be freed once it is not registered and `handling` was 0 after
 * that. */
static struct map *_Atomic registered[MAPS_MAX];
static atomic_uint handling;

/* Puts a page of zeros at the address. False if no registered map has it. */
static bool put_zeros(char *at)
{
    for (int i = 0; i < MAPS_MAX; i++) {
        struct map *m = atomic_load(&registered[i]);
        if (!m || at < m->base || at >= m->base + m->bytes)
            continue;
        char *page = m->base + (size_t)(at - m->base) / page_bytes * page_bytes;
        atomic_store(&m->torn, 1);
        if (mmap(page, page_bytes, PROT_READ,
                 MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
            return true;
    }
    return false;
}

static void on_sigbus(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    atomic_fetch_add(&handling, 1);
    bool is_ours = put_zeros(info->si_addr);
    atomic_fetch_sub(&handling, 1);
    /* Not in a map: the access is tried again and ends the process. */
    if (!is_ours)
        signal(signal_number, SIG_DFL);
}

static void prepare(void)
{
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    struct sigaction action = {.sa_sigaction = on_sigbus,
                               .sa_flags = SA_SIGINFO};
    sigaction(SIGBUS, &action, NULL);
}

static bool register_map(struct map *m)
{
    for (int i = 0; i < MAPS_MAX; i++) {
        struct map *none = NULL;
        if (atomic_compare_exchange_strong(&registered[i], &none, m))
            return true;
    }
    return false;
}

bool map_open(struct map *m, int fd, uint64_t offset, uint64_t bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (bytes > SIZE_MAX / 2)
        return false;
    pthread_once(&once, prepare);
    uint64_t start = offset / page_bytes * page_bytes;
    m->fd = fd;
    m->offset = start;
    m->bytes = (size_t)(bytes + (offset - start));
    atomic_init(&m->torn, 0);
    void *base = mmap(NULL, m->bytes, PROT_READ, MAP_SHARED, fd, (off_t)start);
    if (base == MAP_FAILED)
        return false;
    m->base = base;
    if (register_map(m))
        return true;
    munmap(m->base, m->bytes);
    return false;
}

/* After this, no handler in any thread looks at the map. A handler that starts
 * after the map was taken out does not find it. The loop waits for handlers
 * that started before; they take microseconds. */
static void unregister_map(struct map *m)
{
    for (int i = 0; i < MAPS_MAX; i++) {
        struct map *this = m;
        if (atomic_compare_exchange_strong(&registered[i], &this, NULL))
            break;
    }
    while (atomic_load(&handling) > 0)
        sched_yield();
}

void map_close(struct map *m)
{
    /* This must come before munmap: another map may then get these
     * addresses. */
    unregister_map(m);
    munmap(m->base, m->bytes);
}

/* Gives advice on the whole pages around a range. */
static void advise(const struct map *m, uint64_t offset, size_t bytes,
                   int advice)
{
    size_t from = (size_t)(offset - m->offset) / page_bytes * page_bytes;
    size_t to = (size_t)(offset - m->offset) + bytes;
    madvise(m->base + from, to - from, advice);
}

const void *map_range(struct map *m, uint64_t offset, size_t bytes)
{
    advise(m, offset, bytes, MADV_POPULATE_READ);
    return m->base + (offset - m->offset);
}

void map_drop(struct map *m, uint64_t offset, size_t bytes)
{
    advise(m, offset, bytes, MADV_DONTNEED);
}

bool map_check(struct map *m, uint64_t offset, size_t bytes)
{
    struct stat st;
    map_drop(m, offset, bytes);
    /* If the file now ends inside a page, the rest of that page reads as zeros
     * without a signal. So the file's size is compared, too. */
    return !atomic_load(&m->torn) && fstat(m->fd, &st) == 0 &&
           (uint64_t)st.st_size >= offset + bytes;
}
