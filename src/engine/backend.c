/* SPDX-License-Identifier: MIT */
#include "engine/backend.h"

#include <string.h>

static bool is_name(const char *known, const char *name, size_t bytes)
{
    return known && strlen(known) == bytes && memcmp(known, name, bytes) == 0;
}

const struct backend *backend_find(const char *name, size_t bytes)
{
    for (size_t i = 0; backends[i]; i++) {
        if (is_name(backends[i]->name, name, bytes) ||
            is_name(backends[i]->alias, name, bytes))
            return backends[i];
    }
    return NULL;
}

unsigned backend_count(const struct backend *backend)
{
    return backend->count ? backend->count() : 1;
}
