/* SPDX-License-Identifier: MIT */
/* To add a backend: its folder, and a row here. The tests have another list. */
#include "backend/registry.h"

const struct backend *const backends[] = {&backend_cpu, &backend_cuda, NULL};
