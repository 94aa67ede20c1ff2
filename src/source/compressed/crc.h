/* SPDX-License-Identifier: MIT */
/* The CRC-32 of gzip and zip. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The CRC of what `crc` is the CRC of and `bytes` more; 0 is that of nothing.
 * The same values as zlib's crc32, of any length. */
uint32_t crc_update(uint32_t crc, const void *data, size_t bytes);
