/* SPDX-License-Identifier: MIT */
/* The CRC-32 of gzip and zip. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Extends `crc`, the CRC of earlier data (0 if there is none), by `bytes` of
 * data. Equals zlib's crc32, for any length. */
uint32_t crc_update(uint32_t crc, const void *data, size_t bytes);
