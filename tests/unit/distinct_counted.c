/* SPDX-License-Identifier: MIT */
/* Distinct values that a device counted. The device reports only their number,
 * or registers of a sketch; these are merged as the engine merges a worker's
 * states. */
#include "check.h"
#include "reduce/hash.h"
#include "reduce/state.h"

/* One of several workers has the device's count; no worker has values. */
static void test_count(uint64_t n, bool has_nan)
{
    struct distinct total, worker[3];
    distinct_init(&total, false);
    for (int i = 0; i < 3; i++) {
        distinct_init(&worker[i], false);
        distinct_join(&worker[i], &total, 1);
    }
    distinct_count(&worker[1], n, has_nan);
    for (int i = 0; i < 3; i++) {
        distinct_merge(&total, &worker[i]);
        distinct_close(&worker[i]);
    }
    CHECK_U64(distinct_n(&total, DTYPE_f64, false), n);
    CHECK_U64(distinct_n(&total, DTYPE_f64, true), n - has_nan);
    CHECK(!distinct_is_lost(&total));
    distinct_close(&total);
}

/* Raises the registers of n keys in two sketches that share the work. Merged,
 * they give the same estimate as a sketch of the keys. */
static void test_registers(size_t n)
{
    static uint8_t want[SKETCH_REGISTERS];
    struct sketch plain, raised, other;
    memset(want, 0, sizeof want);
    sketch_init(&plain);
    sketch_init(&raised);
    sketch_init(&other);
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = hash_value(check_random());
        uint8_t value = 1;
        while (value < 51 && !(hash >> (50 - value) & 1))
            value++;
        if (want[hash >> 50] < value)
            want[hash >> 50] = value;
        sketch_put(&plain, hash);
    }
    for (uint32_t i = 0; i < SKETCH_REGISTERS; i++) {
        if (want[i] > 0)
            sketch_raise(i % 2 ? &raised : &other, i, want[i]);
        if (want[i] > 1)
            sketch_raise(&raised, i, want[i] - 1u);
    }
    sketch_merge(&raised, &other);
    CHECK_U64(sketch_estimate(&raised), sketch_estimate(&plain));
    CHECK(!raised.has_nan && !raised.lost);
    sketch_close(&plain);
    sketch_close(&raised);
    sketch_close(&other);
}

int main(void)
{
    test_count(0, false);
    test_count(1, true);
    test_count((uint64_t)1 << 33, true);
    test_registers(0);
    test_registers(100);
    test_registers(100000);
    return check_end();
}
