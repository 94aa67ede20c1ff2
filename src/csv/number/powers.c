/* SPDX-License-Identifier: MIT */
#include "csv/number/powers.h"

/* Aligned so that a row of 16 bytes never straddles two cache lines. */
static const _Alignas(64) struct power rows[] = {
#include "powers_table.h"
};

_Static_assert(sizeof rows == sizeof(struct powers),
               "make_powers.py and powers.h disagree");

const struct powers *number_powers(void)
{
    return (const struct powers *)rows;
}
