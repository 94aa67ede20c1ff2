/* SPDX-License-Identifier: MIT */
/*
 * The CUDA backend's way with text. The bytes are copied to the device as they
 * are and decoded there; when that is done, the host looks at what was left for
 * it, cell by cell, and has the columns reduced. A chunk that counting quotes
 * does not take apart, or with an error in it, is given to the CPU as a whole.
 */
#pragma once

#include "engine/backend.h"

extern const struct context_kind cuda_text_contexts;
