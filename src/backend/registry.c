/* SPDX-License-Identifier: MIT */
/* The backends. To add one, add its folder and a row here. The tests have a
 * list of their own. */
#include "backend/registry.h"

const struct backend *const backends[] = {&backend_cpu, &backend_cuda, NULL};
