/* SPDX-License-Identifier: MIT */
/* The product of floats by the definition in reduce/prod.h. Scaling a
 * product back to [1, 2) changes no bits, so it is done here after each
 * multiplication. */
#include <math.h>

#include "number.h"
#include "reference.h"

enum { LANES = 32, GROUP = 256, LEAF = 8192 };

struct factor {
    double mantissa; /* 1 <= |mantissa| < 2 */
    int64_t exponent;
};

static const struct factor one = {1.0, 0};

struct factors {
    enum dtype dtype;
    const void *data;
    size_t n;
};

static struct factor scaled(double mantissa, int64_t exponent)
{
    int e;
    double half = frexp(mantissa, &e);
    return (struct factor){2 * half, exponent + e - 1};
}

static struct factor times(struct factor a, struct factor b)
{
    return scaled(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

static struct factor element(const struct factors *f, size_t i)
{
    if (i >= f->n)
        return one;
    struct number x = number_of(f->dtype, number_load(f->dtype, f->data, i));
    double sign = x.negative ? -1.0 : 1.0;
    if (x.nan)
        return one;
    if (x.inf || x.mantissa == 0)
        return scaled(sign, 0);
    return scaled(sign * (double)x.mantissa, x.exponent);
}

static struct factor group(const struct factors *f, size_t first)
{
    struct factor context[LANES];
    for (size_t j = 0; j < LANES; j++) {
        context[j] = element(f, first + j);
        for (size_t i = j + LANES; i < GROUP; i += LANES)
            context[j] = times(context[j], element(f, first + i));
    }
    for (size_t apart = LANES / 2; apart > 0; apart /= 2) {
        for (size_t j = 0; j < apart; j++)
            context[j] = times(context[j], context[j + apart]);
    }
    return context[0];
}

/* Multiplies `width` elements from `first` on; width is a group times a power
 * of two. Leaves need no level of their own, since their tree is the same tree
 * of neighbours. */
static struct factor subtree(const struct factors *f, size_t first,
                             size_t width)
{
    if (first >= f->n)
        return one;
    if (width == GROUP)
        return group(f, first);
    struct factor left = subtree(f, first, width / 2);
    return times(left, subtree(f, first + width / 2, width / 2));
}

void reference_tree(enum dtype dtype, const void *data, size_t n,
                    double *mantissa, int64_t *exponent)
{
    struct factors f = {dtype, data, n};
    size_t width = LEAF;
    while (width < n)
        width *= 2;
    struct factor product = subtree(&f, 0, width);
    *mantissa = product.mantissa;
    *exponent = product.exponent;
}
