/* SPDX-License-Identifier: MIT */
/* The loops over text for one instruction set. LOOPS is the name of the set. */
#include "csv/simd/loops_groups.h"
#include "csv/simd/loops_plain.h"
#include "csv/simd/loops_structure.h"

#if defined(__AVX512VBMI2__)
/* It parses numbers as AVX-512 does. */
#define PARSE_TABLE csv_parse_avx512
extern csv_parse_fn *const PARSE_TABLE[DTYPES_END];
#else
#include "csv/simd/loops_parse.h"

#if defined(__AVX2__) || defined(LOOPS_NEON)
#include "csv/simd/loops_batch.h"
#define PARSER(dtype) batches_##dtype
#else
#define PARSER(dtype) parse_##dtype
#endif

#define PARSE_TABLE JOIN(csv_parse_, LOOPS)
csv_parse_fn *const PARSE_TABLE[DTYPES_END] = {
#define ROW(dtype, long_name, class, storage) [DTYPE_##dtype] = PARSER(dtype),
    PARSED(ROW)
#undef ROW
};
#endif

const struct csv_loops JOIN(csv_loops_, LOOPS) = {
    .name = TEXT(LOOPS),
    .scan = scan,
    .ends = ends,
    .squeeze = squeeze,
    .swap = swap,
    .plain = plain,
    .parse = PARSE_TABLE,
};
