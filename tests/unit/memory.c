/* SPDX-License-Identifier: MIT */
/* The limit for memory that grows with the data. */
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

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
    return 0;
}
