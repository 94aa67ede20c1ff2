/* SPDX-License-Identifier: MIT */
/* Operations whose value is an element, its index, or a difference of two. */
#include <math.h>

#include "reduce/finish.h"
#include "reduce/op_rows.h"

/* The value of an element's raw bits. With of_magnitude the bits are those of
 * an |x|, which is unsigned if it is an integer. */
static struct value element_value(const struct totals *t, uint64_t bits,
                                  bool of_magnitude)
{
    if (dtype_is_float(t->dtype))
        return value_real(dtype_to_double(t->dtype, bits), t->dtype);
    if (of_magnitude || !dtype_is_signed(t->dtype))
        return value_unsigned(bits);
    unsigned shift = 64 - 8 * dtype_info(t->dtype)->size;
    int64_t x = (int64_t)(bits << shift) >> shift;
    return value_integer(x < 0, x < 0 ? 0 - (uint64_t)x : (uint64_t)x, 0);
}

struct value op_element_value(const struct totals *t, uint64_t bits)
{
    return element_value(t, bits, false);
}

/* The state of integers that f64 cannot hold; NULL: there are none. */
static const struct wide *wide_of(const struct totals *t)
{
    return t->state[MONOID_wide] ? wide_whole(&t->state[MONOID_wide]->wide)
                                 : NULL;
}

/* The wide integer if it, and not the f64 x, is the extremum; else NULL. If
 * both are equal, the first in the data counts. */
static const struct wide_integer *wide_extremum(const struct totals *t,
                                                enum monoid monoid,
                                                bool greatest,
                                                const struct extremum *x)
{
    const struct wide *wide = wide_of(t);
    if (!wide)
        return NULL;
    const struct wide_integer *w =
        monoid == MONOID_extrema ? (greatest ? &wide->max : &wide->min)
                                 : (greatest ? &wide->absmax : &wide->absmin);
    if (w->magnitude == 0)
        return NULL;
    if (x->index == INDEX_NONE)
        return w;
    int order = wide_compare(w, dtype_to_double(t->dtype, x->bits));
    bool is_it = order == 0 ? w->index < x->index : greatest == (order > 0);
    return is_it ? w : NULL;
}

/* The least or greatest element and its index. */
static struct value extremum(const struct totals *t, enum monoid monoid,
                             bool greatest, uint64_t *index)
{
    const struct extrema *found = &t->state[monoid]->extrema;
    const struct extremum *x = greatest ? &found->max : &found->min;
    const struct wide_integer *w = wide_extremum(t, monoid, greatest, x);
    *index = found->first_nan;
    if (op_is_nan(t, monoid))
        return value_real(NAN, t->dtype);
    *index = w ? w->index : x->index;
    if (w)
        return value_integer(w->negative, w->magnitude, 0);
    return element_value(t, x->bits, monoid == MONOID_absextrema);
}

static struct value extremum_value(const struct totals *t, enum monoid monoid,
                                   bool greatest)
{
    uint64_t index;
    return extremum(t, monoid, greatest, &index);
}

static struct value extremum_index(const struct totals *t, bool greatest)
{
    uint64_t index;
    extremum(t, MONOID_extrema, greatest, &index);
    return value_unsigned(index);
}

static struct value text_end(const struct totals *t, bool last)
{
    const struct text_end *x = last ? &t->text->last : &t->text->first;
    return value_text(x->text, x->bytes);
}

static struct value end(const struct totals *t, bool last)
{
    if (t->is_text)
        return text_end(t, last);
    const struct ends *x = &t->state[MONOID_ends]->ends;
    const struct end_element *number =
        last ? &x->last_number : &x->first_number;
    const struct end_element *any = last ? &x->last : &x->first;
    const struct end_element *found = t->nan == NAN_SKIP ? number : any;
    const struct wide *wide = wide_of(t);
    const struct wide_integer *w = !wide  ? NULL
                                   : last ? &wide->last
                                          : &wide->first;
    /* INDEX_NONE is the greatest index, and the least after adding 1. */
    if (w && w->magnitude &&
        (last ? w->index + 1 > found->index + 1 : w->index < found->index))
        return value_integer(w->negative, w->magnitude, 0);
    return element_value(t, found->bits, false);
}

FINISH(reduce, t->folded ? *t->folded : value_none())
FINISH(first, end(t, false))
FINISH(last, end(t, true))
FINISH(min, extremum_value(t, MONOID_extrema, false))
FINISH(max, extremum_value(t, MONOID_extrema, true))
FINISH(argmin, extremum_index(t, false))
FINISH(argmax, extremum_index(t, true))
FINISH(absmin, extremum_value(t, MONOID_absextrema, false))
FINISH(absmax, extremum_value(t, MONOID_absextrema, true))

bool finish_linf(const struct totals *t, uint64_t n, struct value *out,
                 struct error *e)
{
    if (n > 0)
        return finish_absmax(t, n, out, e);
    *out =
        dtype_is_float(t->dtype) ? value_real(0, t->dtype) : value_unsigned(0);
    return true;
}

static const struct {
    bool (*finish)(const struct totals *t, uint64_t n, struct value *out,
                   struct error *e);
    enum monoid monoid;
    bool greatest;
} placed[] = {
    {finish_min, MONOID_extrema, false},
    {finish_max, MONOID_extrema, true},
    {finish_absmin, MONOID_absextrema, false},
    {finish_absmax, MONOID_absextrema, true},
    {finish_linf, MONOID_absextrema, true},
};

bool op_place(const struct op *op, const struct totals *t, uint64_t *index)
{
    *index = INDEX_NONE;
    for (size_t i = 0; i < sizeof placed / sizeof placed[0]; i++) {
        if (op->finish == placed[i].finish)
            extremum(t, placed[i].monoid, placed[i].greatest, index);
    }
    if (op->finish == finish_n_nan)
        *index = t->state[MONOID_count]->count.first_nan;
    return *index != INDEX_NONE;
}

/* x += the value, an integer or a finite f64. */
static void add_value(struct exact *x, const struct value *v, bool subtract)
{
    int exponent = 0;
    __int128 mantissa = v->word[0];
    bool negative = v->negative;
    if (v->kind == VALUE_REAL) {
        negative = v->real < 0;
        mantissa = (int64_t)ldexp(frexp(fabs(v->real), &exponent), 53);
        exponent -= 53;
        /* The last bits of a subnormal are zeros here. */
        for (; exponent < x->lsb && mantissa; exponent++)
            mantissa /= 2;
    }
    exact_add_shifted(x, negative != subtract ? -mantissa : mantissa,
                      (unsigned)(exponent - x->lsb));
}

/* high - low, rounded once. */
static double real_difference(const struct value *high, const struct value *low,
                              struct decimals *decimals)
{
    struct exact x;
    if (high->kind == VALUE_REAL && low->kind == VALUE_REAL &&
        (!decimals || !isfinite(high->real - low->real)))
        return high->real - low->real;
    if (high->kind == VALUE_REAL && isinf(high->real))
        return high->real;
    if (low->kind == VALUE_REAL && isinf(low->real))
        return -low->real;
    exact_init(&x, DTYPE_f64, EXACT_VALUE);
    add_value(&x, high, false);
    add_value(&x, low, true);
    return finish_quotient(&x, 1, false, decimals);
}

bool finish_range(const struct totals *t, uint64_t n, struct value *out,
                  struct error *e)
{
    struct value low = extremum_value(t, MONOID_extrema, false);
    struct value high = extremum_value(t, MONOID_extrema, true);
    (void)n, (void)e;
    if (dtype_is_float(t->dtype)) {
        *out = real(real_difference(&high, &low, t->decimals));
        return true;
    }
    __int128 a = low.word[0], b = high.word[0];
    __int128 range = (high.negative ? -b : b) - (low.negative ? -a : a);
    *out = value_integer(false, (uint64_t)range, (uint64_t)(range >> 64));
    return true;
}
