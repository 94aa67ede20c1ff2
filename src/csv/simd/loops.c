/* SPDX-License-Identifier: MIT */
/* The loops over text for one instruction set. LOOPS is the name of the set. */
#include "csv/simd/loops_groups.h"
#include "csv/simd/loops_parse.h"
#include "csv/simd/loops_plain.h"
#include "csv/simd/loops_structure.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

#if defined(__AVX2__) || defined(LOOPS_NEON)
#include "csv/simd/loops_batch.h"
#define PARSER(dtype) batches_##dtype
#else
#define PARSER(dtype) parse_##dtype
#endif

static csv_parse_fn *const parse[DTYPES_END] = {
#define ROW(dtype, long_name, class, storage) [DTYPE_##dtype] = PARSER(dtype),
    PARSED(ROW)
#undef ROW
};

const struct csv_loops JOIN(csv_loops_, LOOPS) = {
    .name = TEXT(LOOPS),
    .scan = scan,
    .ends = ends,
    .squeeze = squeeze,
    .swap = swap,
    .plain = plain,
    .parse = parse,
};

#if defined(LOOPS_VBMI2)
const struct csv_loops csv_loops_avx512vbmi2 = {
    .name = "avx512vbmi2",
    .scan = scan,
    .ends = ends_compressed,
    .squeeze = squeeze_compressed,
    .swap = swap,
    .plain = plain,
    .parse = parse,
};
#endif
