/* SPDX-License-Identifier: MIT */
/* The loops of one instruction set: LOOPS names the table. */
#include "compare/loops.h"

#include <math.h>
#include <string.h>

#include "reduce/cpu/vector.h"
#include "reduce/float_format.h"

_Static_assert(COMPARE_BLOCK % COMPARE_LANES == 0 &&
                   COMPARE_LANES % VECTOR_LANES == 0,
               "blocks are whole vectors");

/* The value of an element given by its bits. */
#define REAL_f16(bits) f16_to_float(bits)
#define REAL_bf16(bits) bf16_to_float(bits)
#define REAL_f32(bits) float_of_bits(bits)
#define REAL_f64(bits) double_of_bits(bits)
#define REAL_f8e4m3(bits) f8e4m3_to_float(bits)
#define REAL_f8e5m2(bits) f8e5m2_to_float(bits)
#define REAL_i8(x) x
#define REAL_i16(x) x
#define REAL_i32(x) x
#define REAL_i64(x) x
#define REAL_u8(x) x
#define REAL_u16(x) x
#define REAL_u32(x) x
#define REAL_u64(x) x

#define WIDEN(dtype, long_name, class, storage)                         \
    static void widen_##dtype(double *to, const void *from, size_t n)   \
    {                                                                   \
        for (size_t i = 0; i < n; i++)                                  \
            to[i] = (double)REAL_##dtype(ELEMENT_AT(storage, from, i)); \
    }
DTYPES(WIDEN)
STORED_DTYPES(WIDEN)

/* a where the mask is set, else b. */
ALWAYS_INLINE vdouble pick(vint mask, vdouble a, vdouble b)
{
    return (vdouble)(((vint)a & mask) | ((vint)b & ~mask));
}

ALWAYS_INLINE vdouble magnitude_of(vdouble x)
{
    return (vdouble)((vint)x & INT64_MAX);
}

ALWAYS_INLINE uint64_t count_of(vint masks)
{
    uint64_t sum = 0;
    for (int i = 0; i < VECTOR_LANES; i++)
        sum -= (uint64_t)masks[i];
    return sum;
}

ALWAYS_INLINE double greatest_of(vdouble x)
{
    double most = x[0];
    for (int i = 1; i < VECTOR_LANES; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

struct nan_masks {
    vint either, one;
};

ALWAYS_INLINE void differ_vector(vdouble a, vdouble b, double *difference,
                                 double *magnitude, struct nan_masks *nans)
{
    const vint first = a != a, second = b != b;
    const vint none = (a == b) | first | second;
    const vdouble m = magnitude_of(b);
    const vdouble d = (vdouble)((vint)magnitude_of(a - b) & ~none);
    memcpy(difference, &d, sizeof d);
    memcpy(magnitude, &m, sizeof m);
    nans->either += first | second;
    nans->one += first ^ second;
}

ALWAYS_INLINE void differ_all(const char *a, const char *b, size_t n,
                              bool is_f64, double *difference,
                              double *magnitude, struct compare_nans *nans)
{
    const size_t size = is_f64 ? 8 : 4;
    struct nan_masks masks = {{0}, {0}};
    double rest[2][VECTOR_LANES] = {{0}};
    size_t i = 0;
    for (; i + VECTOR_LANES <= n; i += VECTOR_LANES)
        differ_vector(load_lanes(a + i * size, is_f64),
                      load_lanes(b + i * size, is_f64), difference + i,
                      magnitude + i, &masks);
    memcpy(rest[0], a + i * size, (n - i) * size);
    memcpy(rest[1], b + i * size, (n - i) * size);
    for (; i % COMPARE_LANES != 0 || i < n; i += VECTOR_LANES) {
        differ_vector(load_lanes(rest[0], is_f64), load_lanes(rest[1], is_f64),
                      difference + i, magnitude + i, &masks);
        memset(rest, 0, sizeof rest);
    }
    nans->either += count_of(masks.either);
    nans->one += count_of(masks.one);
}

static void differ(const void *a, const void *b, size_t n, bool is_f64,
                   double *difference, double *magnitude,
                   struct compare_nans *nans)
{
    if (is_f64)
        differ_all(a, b, n, true, difference, magnitude, nans);
    else
        differ_all(a, b, n, false, difference, magnitude, nans);
}

static struct compare_judged judge(const double *difference,
                                   const double *magnitude, size_t n,
                                   const struct compare_tolerance *tolerance,
                                   double most)
{
    const vdouble zero = {0}, inf = zero + (double)INFINITY;
    /* The margin covers the roundings of quotient and product. */
    const vdouble absolute = zero + tolerance->absolute,
                  relative = zero + tolerance->relative, beat = zero + most,
                  margin = zero + (1 + 0x1p-50);
    vdouble greatest = zero;
    vint mismatches = {0}, candidates = {0};
    for (size_t i = 0; i < n; i += VECTOR_LANES) {
        const vdouble d = load_f64(difference + i), m = load_f64(magnitude + i);
        const vint differs = d > zero;
        /* False for the NaN that 0 * Inf gives. */
        const vint is_close = (d <= absolute + relative * m) & (d < inf);
        mismatches += differs & ~is_close;
        /* Not `>=`: where Inf * 0 is NaN, the quotients may be equal. */
        candidates |= differs & ~(d * margin < beat * m);
        greatest = pick(d > greatest, d, greatest);
    }
    return (struct compare_judged){count_of(mismatches), greatest_of(greatest),
                                   count_of(candidates) > 0};
}

static double divide(const double *difference, const double *magnitude,
                     size_t n, double *quotient)
{
    const vdouble zero = {0}, inf = zero + (double)INFINITY;
    vdouble greatest = zero;
    for (size_t i = 0; i < n; i += VECTOR_LANES) {
        const vdouble d = load_f64(difference + i), m = load_f64(magnitude + i);
        vdouble q = pick(m == inf, inf, d / m);
        q = (vdouble)((vint)q & (d > zero));
        memcpy(quotient + i, &q, sizeof q);
        greatest = pick(q > greatest, q, greatest);
    }
    return greatest_of(greatest);
}

#define DIFFER_INTEGERS(T)                                                 \
    for (size_t i = 0; i < n; i++) {                                       \
        const T x = ELEMENT_AT(T, a, i), y = ELEMENT_AT(T, b, i);          \
        const uint64_t d =                                                 \
            x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x; \
        difference[i] = d;                                                 \
        greatest = d > greatest ? d : greatest;                            \
    }

static uint64_t differ_integers(const void *a, const void *b, size_t n,
                                bool is_signed, uint64_t *difference)
{
    uint64_t greatest = 0;
    if (is_signed)
        DIFFER_INTEGERS(int64_t)
    else
        DIFFER_INTEGERS(uint64_t)
    return greatest;
}

/* Steps between floats by integers of their size, S signed and U unsigned. The
 * distance of two signed integers may need the sign's bit. Elements after the
 * last whole vector are copied into a vector of zeros. */
#define STEPS(S, U)                                                        \
    typedef S ints_##U __attribute__((vector_size(VECTOR_BYTES)));         \
    typedef U uints_##U __attribute__((vector_size(VECTOR_BYTES)));        \
    ALWAYS_INLINE uints_##U steps_vector_##U(const void *a, const void *b, \
                                             size_t bytes, uints_##U most) \
    {                                                                      \
        const U all = (U)((U) ~(U)0 >> 1);                                 \
        ints_##U x = {0}, y = {0};                                         \
        memcpy(&x, a, bytes);                                              \
        memcpy(&y, b, bytes);                                              \
        const uints_##U p = (uints_##U)x & all, q = (uints_##U)y & all;    \
        const uints_##U m = (uints_##U)(x < 0), n = (uints_##U)(y < 0);    \
        const uints_##U from = (p ^ m) - m, to = (q ^ n) - n;              \
        const uints_##U less = (uints_##U)((ints_##U)from < (ints_##U)to); \
        const uints_##U nan = (uints_##U)(((ints_##U)p > (ints_##U)most) | \
                                          ((ints_##U)q > (ints_##U)most)); \
        return (((from - to) ^ less) - less) & ~nan;                       \
    }                                                                      \
    static uint64_t steps_##U(const void *a, const void *b, size_t n,      \
                              uint64_t number_max)                         \
    {                                                                      \
        const uints_##U most = (uints_##U){0} + (U)number_max;             \
        const size_t bytes = n * sizeof(U);                                \
        uints_##U greatest = {0};                                          \
        U result = 0;                                                      \
        for (size_t i = 0; i < bytes; i += VECTOR_BYTES) {                 \
            const char *p = (const char *)a + i, *q = (const char *)b + i; \
            const uints_##U d =                                            \
                bytes - i >= VECTOR_BYTES                                  \
                    ? steps_vector_##U(p, q, VECTOR_BYTES, most)           \
                    : steps_vector_##U(p, q, bytes - i, most);             \
            const uints_##U above = (uints_##U)(d > greatest);             \
            greatest = (d & above) | (greatest & ~above);                  \
        }                                                                  \
        for (size_t i = 0; i < VECTOR_BYTES / sizeof(U); i++)              \
            result = greatest[i] > result ? greatest[i] : result;          \
        return result;                                                     \
    }                                                                      \
    static uint64_t count_nans_##U(const void *a, size_t n,                \
                                   uint64_t number_max)                    \
    {                                                                      \
        const U all = (U)((U) ~(U)0 >> 1);                                 \
        uint64_t sum = 0;                                                  \
        for (size_t i = 0; i < n; i++)                                     \
            sum += (U)(ELEMENT_AT(U, a, i) & all) > (U)number_max;         \
        return sum;                                                        \
    }
STEPS(int8_t, uint8_t)
STEPS(int16_t, uint16_t)
STEPS(int32_t, uint32_t)
STEPS(int64_t, uint64_t)

const struct compare_loops JOIN(compare_loops_, LOOPS) = {
#define ROW(dtype, long_name, class, storage) [DTYPE_##dtype] = widen_##dtype,
    .widen = {DTYPES(ROW) STORED_DTYPES(ROW)},
#undef ROW
    .differ = differ,
    .judge = judge,
    .divide = divide,
    .differ_integers = differ_integers,
    .steps = {steps_uint8_t, steps_uint16_t, steps_uint32_t, steps_uint64_t},
    .count_nans = {count_nans_uint8_t, count_nans_uint16_t, count_nans_uint32_t,
                   count_nans_uint64_t},
};
