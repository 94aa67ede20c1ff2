/* SPDX-License-Identifier: MIT */
#include "run/goal.h"

/* The input's data bytes, or INPUT_UNKNOWN. */
static uint64_t bytes_of(const struct input *input)
{
    const uint64_t head = input->head_bytes;
    if (input->bytes == INPUT_UNKNOWN && input->ended)
        return input->offset < head ? head - input->offset : 0;
    return input->bytes;
}

/* The bytes of the input's file if it is compressed, else INPUT_UNKNOWN. */
static uint64_t packed_bytes_of(const struct input *input)
{
    return input->again ? input->file_bytes : INPUT_UNKNOWN;
}

/* The sum over all inputs, or PROGRESS_UNKNOWN. Counts each input twice if
 * --verify or quantiles read it twice, and four times if both do. */
static uint64_t sum_of(const struct plan *plan,
                       uint64_t (*of)(const struct input *input))
{
    uint64_t sum = 0;
    for (size_t i = 0; i < plan->input_count; i++) {
        uint64_t bytes = of(&plan->inputs[i]);
        const int runs = plan->verify ? 2 : 1;
        for (int times = plan->reads_again ? 2 * runs : runs; times > 0;
             times--) {
            if (bytes == INPUT_UNKNOWN ||
                __builtin_add_overflow(sum, bytes, &sum))
                return PROGRESS_UNKNOWN;
        }
    }
    return sum;
}

/* The bytes of the data or, if they are not known, of the compressed files. */
struct progress_goal run_goal(const struct plan *plan)
{
    struct progress_goal goal = {.bytes = sum_of(plan, bytes_of)};
    goal.packed = goal.bytes == PROGRESS_UNKNOWN;
    if (goal.packed)
        goal.bytes = sum_of(plan, packed_bytes_of);
    return goal;
}
