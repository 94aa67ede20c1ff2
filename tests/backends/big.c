/* SPDX-License-Identifier: MIT */
#include "big.h"

void big_add_shifted(struct big *x, unsigned __int128 value, unsigned shift)
{
    unsigned at = shift / 32;
    uint64_t carry = 0;
    /* Shift the low limb separately, so that no bit is shifted out at the
     * top. */
    uint64_t part = (uint64_t)(uint32_t)value << shift % 32;
    for (value >>= 32; at < BIG_LIMBS && (part || value || carry); at++) {
        carry += x->limb[at] + (part & 0xffffffff);
        x->limb[at] = (uint32_t)carry;
        carry >>= 32;
        part = (part >> 32) + ((uint64_t)(uint32_t)value << shift % 32);
        value >>= 32;
    }
}

void big_add(struct big *x, const struct big *y)
{
    uint64_t carry = 0;
    for (int i = 0; i < BIG_LIMBS; i++) {
        carry += (uint64_t)x->limb[i] + y->limb[i];
        x->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

void big_subtract(struct big *x, const struct big *y)
{
    uint64_t borrow = 0;
    for (int i = 0; i < BIG_LIMBS; i++) {
        uint64_t difference = (uint64_t)x->limb[i] - y->limb[i] - borrow;
        x->limb[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
}

uint64_t big_word(const struct big *x, unsigned word)
{
    return x->limb[2 * word] | (uint64_t)x->limb[2 * word + 1] << 32;
}
