/* SPDX-License-Identifier: MIT */
#include "big.h"

#include <stdbool.h>

void big_add(struct big *x, const struct big *y)
{
    unsigned __int128 carry = 0;
    for (int i = 0; i < BIG_LIMBS; i++) {
        carry += x->limb[i];
        carry += y->limb[i];
        x->limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

void big_subtract(struct big *x, const struct big *y)
{
    bool borrow = false;
    for (int i = 0; i < BIG_LIMBS; i++) {
        uint64_t less = x->limb[i] - y->limb[i];
        bool below = x->limb[i] < y->limb[i] || (less == 0 && borrow);
        x->limb[i] = less - borrow;
        borrow = below;
    }
}
