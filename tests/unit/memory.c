/* SPDX-License-Identifier: MIT */
/* The limit for memory that grows with the data. */
#include <assert.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"

/* Half of the least limit of the process. */
static void check_process_limits(void)
{
    static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
    for (int i = 0; i < 2; i++) {
        struct rlimit before, small;
        assert(getrlimit(kinds[i], &before) == 0);
        small = (struct rlimit){64 << 20, before.rlim_max};
        memory_set_limit(0); /* forgets what was found */
        assert(setrlimit(kinds[i], &small) == 0);
        assert(memory_limit() == 32 << 20);
        assert(setrlimit(kinds[i], &before) == 0);
    }
}

int main(void)
{
    struct error e;
    const size_t machine =
        (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    assert(memory_limit() > 0 && memory_limit() <= machine / 2);
    memory_set_limit(3 << 29);
    assert(memory_take(1 << 30) && memory_take(1 << 29));
    assert(!memory_take(1)); /* a refused request is not counted */
    memory_give(1);
    assert(memory_take(1) && !memory_take(1));
    assert(!memory_refuse(&e, "sorting cats") && e.kind == ERROR_DATA);
    assert(strstr(e.text, "sorting cats would take more than 1.5 GiB"));
    memory_set_limit(1 << 30);
    assert(!memory_refuse(&e, "dogs") && strstr(e.text, "more than 1.0 GiB"));
    memory_set_limit((1 << 30) - (1 << 20));
    assert(!memory_refuse(&e, "dogs") && strstr(e.text, "than 1023.0 MiB"));
    check_process_limits();
    return 0;
}
