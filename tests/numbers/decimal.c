/* SPDX-License-Identifier: MIT */
#include "decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t base = 1000000000;

/* d *= factor; factor < 2^32. */
static void times(struct decimal *d, uint64_t factor)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < d->parts; i++) {
        carry += factor * d->part[i];
        d->part[i] = (uint32_t)(carry % base);
        carry /= base;
    }
    for (; carry > 0; carry /= base) {
        if (d->parts == DECIMAL_PARTS)
            abort();
        d->part[d->parts++] = (uint32_t)(carry % base);
    }
}

void decimal_set(struct decimal *d, uint64_t n, int k)
{
    const int steps = 13; /* 5^13 < 2^32 */
    uint64_t factor = k < 0 ? 5 : 2, many = k < 0 ? 1220703125 : 1 << 13;
    int left = abs(k);
    d->parts = 0;
    d->exponent = k < 0 ? k : 0;
    for (; n > 0; n /= base)
        d->part[d->parts++] = (uint32_t)(n % base);
    for (; left >= steps; left -= steps)
        times(d, many);
    for (; left > 0; left--)
        times(d, factor);
}

unsigned decimal_digits(char *text, const struct decimal *d)
{
    char nine[16];
    unsigned i = d->parts - 1;
    unsigned n = (unsigned)snprintf(nine, sizeof nine, "%u", d->part[i]);
    memcpy(text, nine, n);
    for (; i > 0; i--, n += 9) {
        snprintf(nine, sizeof nine, "%09u", d->part[i - 1]);
        memcpy(text + n, nine, 9);
    }
    return n;
}
