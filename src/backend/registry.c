/* SPDX-License-Identifier: MIT */
/* The registry: to add a backend, a row. The tests have another. */
#include "engine/backend.h"

const struct backend *const backends[] = {&backend_cpu, &backend_cuda, NULL};
