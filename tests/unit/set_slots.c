/* SPDX-License-Identifier: MIT */
/* Keys of distinct values and their slots in the device's sets, and the keys of
 * bitmaps, without a device. */
#include <math.h>

#include "check.h"
#include "kernels/distinct/narrow.h"
#include "reduce/sketch.h"

static uint64_t mask_of(enum dtype dtype)
{
    return ~0ull >> (64 - 8 * dtype_size(dtype));
}

/* The expected key: 0 for -0, and one pattern for every NaN. */
static uint64_t plain_key(enum dtype dtype, uint64_t bits)
{
    if (!dtype_is_float(dtype))
        return bits;
    const double x = dtype_to_double(dtype, bits);
    return x == 0     ? 0
           : isnan(x) ? dtype_from_double(dtype, (double)NAN) & mask_of(dtype)
                      : bits;
}

static void test_keys(enum dtype dtype)
{
    const uint64_t mask = mask_of(dtype), sign = mask - (mask >> 1);
    const uint64_t inf = inf_bits(dtype);
    const uint64_t special[] = {0, sign, inf, inf | sign, inf + 1, mask};
    for (int i = 0; i < 6; i++)
        CHECK_U64(canonical(dtype, special[i] & mask),
                  plain_key(dtype, special[i] & mask));
    for (int i = 0; i < 20000; i++) {
        const uint64_t x = check_random() & mask;
        CHECK_U64(canonical(dtype, x), plain_key(dtype, x));
    }
    for (uint64_t x = 0; dtype_size(dtype) <= 2 && x <= mask; x++)
        CHECK_U64(canonical(dtype, x), plain_key(dtype, x));
}

static void test_hashes(void)
{
    for (int i = 0; i < 20000; i++) {
        const uint64_t x = check_random_length();
        CHECK_U64(hash_undo(hash_value(x)), x);
        CHECK_U64(hash_undo_32(hash_value_32((uint32_t)x)), (uint32_t)x);
    }
    /* Sets recognise NaN by its hash, and a slot with 0 is free, so NaN's hash
     * must not be 0. */
    CHECK(hash_value(canonical(DTYPE_f64, ~0ull)) != 0);
}

/* A search visits every slot once, and all slots of a group before the next
 * group. Hashes of one group have different next groups, except by chance. */
static void test_slots(void)
{
    static bool seen[SET_SLOTS];
    const uint64_t hash = check_random();
    memset(seen, 0, sizeof seen);
    for (uint32_t tries = 0; tries < SET_SLOTS; tries++) {
        const uint32_t slot = set_slot(hash, tries);
        CHECK(slot < SET_SLOTS && !seen[slot]);
        CHECK_U64(slot / SET_GROUP,
                  set_slot(hash, tries / SET_GROUP * SET_GROUP) / SET_GROUP);
        seen[slot] = true;
    }
    CHECK_U64(set_slot(hash, 0) / SET_GROUP, set_group(hash) / SET_GROUP);
    CHECK(set_slot(hash, SET_GROUP) !=
          set_slot(hash ^ (uint64_t)8 << 18, SET_GROUP));
}

/* Parts have the order of the hashes. Doubling their number splits each part in
 * two. */
static void test_parts(void)
{
    const uint32_t parts = 1 + (uint32_t)check_below(1 << 17);
    const uint64_t a = check_random(), b = check_random();
    CHECK(set_part(a, parts) < parts);
    CHECK(a > b || set_part(a, parts) <= set_part(b, parts));
    CHECK_U64(set_part(a, 2 * parts) / 2, set_part(a, parts));
    CHECK_U64(set_part(~0ull, parts), parts - 1);
    CHECK_U64(set_part(0, parts), 0);
    const uint64_t keys = check_random() % ((uint64_t)1 << 34);
    CHECK(set_room(set_parts_for(keys)) >= keys);
    CHECK(set_room(set_parts_for(keys) - 1) <= keys);
}

/* Bits of 32-bit keys differ where keys do, and neighbours share a sector.
 * Buckets are few enough at the first level, and have room for all keys. */
static void test_buckets(void)
{
    const uint32_t a = (uint32_t)check_random(), b = (uint32_t)check_random();
    const uint32_t parts = 1 + (uint32_t)check_below(SET_PARTS_MOST);
    const size_t n = check_below((uint64_t)1 << 31);
    const struct set_buckets at = set_buckets_for(n, parts);
    CHECK((set_bit(a) == set_bit(b)) == (a == b));
    CHECK(set_bit(a) != set_bit(a ^ 1u << check_below(32)));
    CHECK_U64(set_bit(a) / 256, set_bit(a ^ 255) / 256);
    CHECK((parts - 1) >> at.shift < SET_FAN && at.shift <= 7);
    CHECK(((uint64_t)at.room[0] * (((parts - 1) >> at.shift) + 1)) >= n);
    CHECK((uint64_t)at.room[1] * parts >= n);
    CHECK(set_buckets_counts(parts) >= SET_FAN + parts);
}

/* A part that is half-way between its mean limit and full: every key finds a
 * slot and is found again. */
static void test_full_part(void)
{
    static uint64_t slot[SET_SLOTS], key[SET_SLOTS];
    const size_t n = SET_SLOTS / 20 * 17;
    memset(slot, 0, sizeof slot);
    for (size_t i = 0; i < n; i++) {
        uint32_t tries = 0;
        key[i] = hash_value(i + check_seed() * SET_SLOTS);
        while (slot[set_slot(key[i], tries)] != 0)
            tries++;
        slot[set_slot(key[i], tries)] = key[i];
        CHECK(tries < SET_SLOTS / 4, "tries %u", tries);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t tries = 0;
        while (slot[set_slot(key[i], tries)] != key[i] && tries < SET_SLOTS)
            tries++;
        CHECK(tries < SET_SLOTS);
    }
}

static void test_estimates(void)
{
    for (int i = 0; i < 20000; i++) {
        const uint64_t hash =
            i == 0 ? 0 : check_random() << check_below(64) >> check_below(64);
        uint32_t value = 1;
        for (int bit = 49; bit >= 0 && !(hash >> bit & 1); bit--)
            value++;
        CHECK_U64(sketch_value(hash), value);
        CHECK_U64(sketch_register(hash), hash >> 50);
    }
}

static void keep(uint32_t *bits, uint32_t x)
{
    bits[x / 32] |= 1u << x % 32;
}

static void test_narrow(enum dtype dtype)
{
    static uint64_t key[NARROW_KEYS];
    static bool want[NARROW_KEYS];
    uint32_t bits[NARROW_WORDS] = {0};
    size_t n = 0;
    memset(want, 0, sizeof want);
    for (uint64_t i = check_below(3000); i > 0; i--) {
        const uint32_t x = (uint32_t)(check_random_length() & 0xffff);
        keep(bits, x);
        want[plain_key(dtype, x & mask_of(dtype))] = true;
        if (dtype_size(dtype) == 1)
            want[x >> 8] = true;
    }
    for (uint32_t x = 0; x < NARROW_KEYS; x++)
        n += want[x];
    bool has_nan, want_nan = false;
    for (uint32_t x = 0; dtype_is_float(dtype) && x < NARROW_KEYS; x++)
        want_nan |= want[x] && isnan(dtype_to_double(dtype, x));
    CHECK_U64(narrow_count(dtype, bits, &has_nan), n);
    CHECK(has_nan == want_nan);
    CHECK_U64(narrow_list(dtype, bits, key), n);
    for (size_t i = 0; i < n; i++)
        CHECK(want[key[i]] && (i == 0 || key[i] > key[i - 1]));
}

int main(void)
{
    for (int d = 0; d < DTYPES_END; d++) {
        test_keys((enum dtype)d);
        for (int i = 0; i < 5 && dtype_size((enum dtype)d) <= 2; i++)
            test_narrow((enum dtype)d);
    }
    for (int i = 0; i < 2000; i++) {
        test_parts();
        test_buckets();
    }
    test_buckets();
    for (int i = 0; i < 3; i++)
        test_slots();
    test_hashes();
    test_full_part();
    test_estimates();
    return check_end();
}
