// SPDX-License-Identifier: MIT
//
// The ladder: every rung has a file of its own, included here in reading order.
// All are compiled together because each compilation costs a second for every
// GPU architecture.
#include <cstddef>
#include <cstdint>

#include "rungs.h"

#include "rung_01_interleaved.cuh"
#include "rung_02_convergent.cuh"
#include "rung_03_shared.cuh"
#include "rung_04_atomics.cuh"
#include "rung_05_coarsened.cuh"
#include "rung_06_shuffle.cuh"
#include "rung_07_wide.cuh"
#include "rung_08_batched.cuh"
#include "rung_10_rows.cuh"
#include "rung_12_columns.cuh"
#include "rung_14_production.cuh"

#include "ceiling.cuh"

const struct rung rungs[] = {
    {"interleaved pairs", "", SHAPE_FLAT, true, false, launch_interleaved},
    {"convergent threads", "warps of which few threads work", SHAPE_FLAT, true,
     false, launch_convergent},
    {"shared memory", "rounds that go to global memory", SHAPE_FLAT, false,
     false, launch_shared},
    {"atomics", "launches that wait for each other", SHAPE_FLAT, false, false,
     launch_atomics},
    {"coarsened", "threads that load two numbers and idle", SHAPE_FLAT, false,
     false, launch_coarsened},
    {"warp shuffle", "barriers within a warp", SHAPE_FLAT, false, false,
     launch_shuffle},
    {"wide loads", "too few bytes in flight", SHAPE_FLAT, false, false,
     launch_wide},
    {"batched tree", "a launch a row", SHAPE_LONG_ROWS, false, false,
     launch_batched_tree},
    {"batched shuffle", "barriers within a warp", SHAPE_LONG_ROWS, false, false,
     launch_batched_shuffle},
    {"rows uncoalesced", "a tree for a short row", SHAPE_SHORT_ROWS, false,
     false, launch_rows_uncoalesced},
    {"rows through tiles", "loads that are a row apart", SHAPE_SHORT_ROWS,
     false, false, launch_rows_tiles},
    {"columns uncoalesced", "a launch a column", SHAPE_COLUMNS, false, false,
     launch_columns_uncoalesced},
    {"columns through tiles", "loads that are a row apart", SHAPE_COLUMNS,
     false, false, launch_columns_tiles},
    {"production", "rounding, and answers that change", SHAPE_FLAT, false, true,
     launch_production},
    {nullptr, nullptr, SHAPES_END, false, false, nullptr},
};
