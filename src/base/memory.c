/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static _Atomic size_t taken, limit;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t machine_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX;
}

/* A container sees its own control group at the root of the hierarchy. Without
 * a limit the first file holds the word "max", which is not a number. */
static size_t control_group_limit(void)
{
    static const char *const files[] = {
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    size_t bytes = SIZE_MAX;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        FILE *f = fopen(files[i], "r");
        uint64_t value;
        if (f && fscanf(f, "%" SCNu64, &value) == 1)
            bytes = least(bytes, value);
        if (f)
            fclose(f);
    }
    return bytes;
}

static size_t process_limit(int resource)
{
    struct rlimit r;
    return getrlimit(resource, &r) == 0 && r.rlim_cur != RLIM_INFINITY
               ? r.rlim_cur
               : SIZE_MAX;
}

size_t memory_limit(void)
{
    size_t bytes = atomic_load(&limit);
    if (bytes > 0)
        return bytes;
    bytes = least(machine_memory(), control_group_limit());
    bytes = least(bytes,
                  least(process_limit(RLIMIT_AS), process_limit(RLIMIT_DATA)));
    atomic_store(&limit, bytes / 2);
    return bytes / 2;
}

void memory_set_limit(size_t bytes)
{
    atomic_store(&limit, bytes);
}

bool memory_take(size_t bytes)
{
    if (atomic_fetch_add(&taken, bytes) + bytes <= memory_limit())
        return true;
    memory_give(bytes);
    return false;
}

void memory_give(size_t bytes)
{
    atomic_fetch_sub(&taken, bytes);
}

bool memory_refuse(struct error *e, const char *what)
{
    const double mib = (double)memory_limit() / (1 << 20);
    const bool is_small = mib < 1024;
    return error_set(e, ERROR_DATA,
                     "%s would take more than %.1f %s, half of the memory "
                     "that there is",
                     what, is_small ? mib : mib / 1024,
                     is_small ? "MiB" : "GiB");
}
