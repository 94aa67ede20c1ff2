/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include <math.h>
#include <string.h>

#include "number.h"

int reference_lsb(enum dtype dtype, enum exact_map map)
{
    int least = dtype == DTYPE_f64 ? -1074 : -149;
    if (!dtype_is_float(dtype))
        return 0;
    static const int power[] = {1, 1, 2, 3, 4}; /* [enum exact_map] */
    return power[map] * least;
}

/* Sums over the finite elements: values and cubes by sign, even powers. */
struct addends {
    struct big value[2], square, cube[2], fourth;
};

/* to += a * b * 2^shift. b may have 128 bits and is added as two words. */
static void add_product(struct big *to, uint64_t a, unsigned __int128 b,
                        unsigned shift)
{
    big_add_shifted(to, (unsigned __int128)a * (uint64_t)b, shift);
    big_add_shifted(to, (unsigned __int128)a * (uint64_t)(b >> 64), shift + 64);
}

static void add_number(struct addends *a, enum dtype dtype,
                       const struct number *x)
{
    int value = x->exponent - reference_lsb(dtype, EXACT_VALUE);
    int square = 2 * x->exponent - reference_lsb(dtype, EXACT_SQUARE);
    big_add_shifted(&a->value[x->negative], x->mantissa, (unsigned)value);
    const unsigned __int128 m2 = (unsigned __int128)x->mantissa * x->mantissa;
    big_add_shifted(&a->square, m2, (unsigned)square);
    int cube = 3 * x->exponent - reference_lsb(dtype, EXACT_CUBE);
    int fourth = 4 * x->exponent - reference_lsb(dtype, EXACT_FOURTH);
    add_product(&a->cube[x->negative], x->mantissa, m2, (unsigned)cube);
    add_product(&a->fourth, (uint64_t)m2, m2, (unsigned)fourth);
    add_product(&a->fourth, (uint64_t)(m2 >> 64), m2, (unsigned)fourth + 64);
}

/* Makes an extremum of the magnitude of an element. A double holds each float
 * exactly. */
static struct reference_extremum magnitude_of(enum dtype dtype,
                                              const struct number *x)
{
    struct reference_extremum e = {.any = true};
    if (x->inf)
        e.real = HUGE_VAL;
    else if (dtype_is_float(dtype))
        e.real = ldexp((double)x->mantissa, x->exponent);
    else
        e.whole = x->mantissa;
    return e;
}

/* Returns the key by which backends order elements. Signed integers are shifted
 * so that 0 is in the middle; magnitudes are not. Floats are ordered by their
 * bits as ones' complement integers, except that -0 equals +0. */
static uint64_t key_of(enum dtype dtype, uint64_t bits, __int128 whole,
                       bool magnitude)
{
    uint64_t sign = 1ull << (8 * dtype_info(dtype)->size - 1);
    uint64_t middle = 1ull << 63;
    if (!dtype_is_float(dtype))
        return (uint64_t)whole +
               (dtype_is_signed(dtype) && !magnitude ? middle : 0);
    if (bits > sign)
        return middle - 1 - (bits - sign);
    return bits == sign ? middle : middle + bits;
}

static uint64_t bits_of_magnitude(enum dtype dtype, uint64_t bits,
                                  const struct number *x)
{
    if (dtype_is_float(dtype))
        return bits & ~(1ull << (8 * dtype_info(dtype)->size - 1));
    return x->mantissa;
}

static bool less(const struct reference_extremum *a,
                 const struct reference_extremum *b)
{
    return a->whole < b->whole || a->real < b->real;
}

static void extremum_step(struct reference *r, uint64_t bits,
                          const struct number *x, uint64_t index)
{
    const struct reference_extremum magnitude = magnitude_of(r->dtype, x);
    for (int i = 0; i < 4; i += 2) {
        struct reference_extremum e = magnitude;
        if (i == 0 && x->negative) {
            e.real = -e.real;
            e.whole = -e.whole;
        }
        struct reference_extremum *low = &r->extremum[i], *high = low + 1;
        bool lower = !low->any || less(&e, low),
             higher = !high->any || less(high, &e);
        if (!lower && !higher)
            continue;
        e.bits = i == 0 ? bits : bits_of_magnitude(r->dtype, bits, x);
        e.key = key_of(r->dtype, e.bits, e.whole, i > 0);
        e.index = index;
        *low = lower ? e : *low;
        *high = higher ? e : *high;
    }
}

static void product_step(struct reference *r, const struct number *x)
{
    r->negative ^= x->negative;
    if (x->mantissa != 0 && !r->too_large)
        r->too_large = __builtin_mul_overflow(
            r->magnitude, (unsigned __int128)x->mantissa, &r->magnitude);
}

/* Updates the first and last element. `index` grows from call to call. */
static void end_step(struct reference *r, uint64_t bits, bool nan,
                     uint64_t index)
{
    for (int i = nan ? 2 : 4; i-- > 0;) {
        if (i % 2 || r->end[i].index == INDEX_NONE)
            r->end[i] = (struct end_element){bits, index};
    }
}

static void step(struct reference *r, struct addends *a, uint64_t bits,
                 uint64_t index)
{
    struct number x = number_of(r->dtype, bits);
    end_step(r, bits, x.nan, index);
    if (x.nan) {
        if (r->nan++ == 0)
            r->first_nan = index;
        return;
    }
    if (x.inf)
        r->inf[x.negative]++;
    else
        add_number(a, r->dtype, &x);
    bool zero = x.mantissa == 0 && !x.inf;
    r->zero += zero;
    r->not_negative_zero |= !(zero && x.negative);
    extremum_step(r, bits, &x, index);
    if (!dtype_is_float(r->dtype))
        product_step(r, &x);
}

void reference_run(struct reference *r, enum dtype dtype, const void *data,
                   size_t n, uint64_t first)
{
    struct addends a;
    memset(&a, 0, sizeof a);
    memset(r, 0, sizeof *r);
    r->dtype = dtype;
    r->n = n;
    r->first_nan = INDEX_NONE;
    for (int i = 0; i < 4; i++)
        r->end[i].index = INDEX_NONE;
    r->magnitude = 1;
    for (size_t i = 0; i < n; i++)
        step(r, &a, number_load(dtype, data, i), first + i);
    r->sum[0] = r->sum[1] = a.value[0];
    big_subtract(&r->sum[0], &a.value[1]);
    big_add(&r->sum[1], &a.value[1]);
    r->sum[2] = a.square;
    r->sum[3] = a.cube[0];
    big_subtract(&r->sum[3], &a.cube[1]);
    r->sum[4] = a.fourth;
    if (dtype_is_float(dtype))
        reference_tree(dtype, data, n, &r->mantissa, &r->exponent);
}
