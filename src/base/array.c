/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

bool array_grow(void *array, size_t *room, size_t n, size_t size)
{
    const size_t more = 2 * *room + 16;
    void *at, *grown;
    if (n < *room)
        return true;
    memcpy(&at, array, sizeof at);
    grown = realloc(at, more * size);
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *room = more;
    return true;
}
