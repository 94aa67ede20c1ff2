/* SPDX-License-Identifier: MIT */
/*
 * Skewness and excess kurtosis of a sample, from the exact sums S1 to S4 of the
 * values and their powers, as quotients of two integers.
 *
 * The k-th central moment is m_k = sum (x - S1 / n)^k / n. Expanded, n^k m_k is
 *
 *   N2 = n S2 - S1^2
 *   N3 = n^2 S3 - 3 n S1 S2 + 2 S1^3
 *   N4 = n^3 S4 - 4 n^2 S1 S3 + 6 n S1^2 S2 - 3 S1^4
 *
 * The skewness, corrected for the size of the sample, is
 *
 *   G1 = sqrt(n (n - 1)) / (n - 2) * m_3 / m_2^(3/2)
 *      = sign(N3) sqrt(n (n - 1) N3^2 / ((n - 2)^2 N2^3))
 *
 * since n^3 cancels, and the excess kurtosis
 *
 *   G2 = (n - 1) / ((n - 2) (n - 3)) * ((n + 1) m_4 / m_2^2 - 3 (n - 1))
 *      = (n - 1) ((n + 1) N4 - 3 (n - 1) N2^2) / ((n - 2) (n - 3) N2^2)
 *
 * since n^4 cancels. The unit of the values, 2^lsb, cancels likewise.
 */
#include "reduce/finish.h"

/* to += factor * a * b. */
static void add_product(struct bigint *to, uint64_t factor, bool negative,
                        const struct bigint *a, const struct bigint *b)
{
    struct bigint product;
    bigint_multiply(&product, a, b);
    bigint_times(&product, factor);
    if (negative)
        bigint_subtract(to, &product);
    else
        bigint_add(to, &product);
}

/* N3 = n (n S3 - 3 S1 S2) + 2 S1^3 */
static void third_moment(struct bigint *to, const struct sums *s)
{
    struct bigint sum, squares, square;
    finish_number(&sum, s->sum);
    finish_number(&squares, s->squares);
    bigint_multiply(&square, &sum, &sum);
    finish_number(to, s->cubes);
    bigint_times(to, s->n);
    add_product(to, 3, true, &sum, &squares);
    bigint_times(to, s->n);
    add_product(to, 2, false, &square, &sum);
}

/* N4 = n (n (n S4 - 4 S1 S3) + 6 S1^2 S2) - 3 S1^4 */
static void fourth_moment(struct bigint *to, const struct sums *s)
{
    struct bigint sum, higher, square;
    finish_number(&sum, s->sum);
    bigint_multiply(&square, &sum, &sum);
    finish_number(to, s->fourths);
    bigint_times(to, s->n);
    finish_number(&higher, s->cubes);
    add_product(to, 4, true, &sum, &higher);
    bigint_times(to, s->n);
    finish_number(&higher, s->squares);
    add_product(to, 6, false, &square, &higher);
    bigint_times(to, s->n);
    add_product(to, 3, true, &square, &square);
}

double finish_third(const struct sums *s, struct decimals *decimals)
{
    struct bigint third, spread, above, below, square;
    finish_spread(&spread, s->sum, s->squares, s->n);
    if (spread.words == 0)
        return 0.0;
    third_moment(&third, s);
    bigint_multiply(&above, &third, &third);
    bigint_times(&above, s->n);
    bigint_times(&above, s->n - 1);
    bigint_multiply(&square, &spread, &spread);
    bigint_multiply(&below, &square, &spread);
    bigint_times(&below, s->n - 2);
    bigint_times(&below, s->n - 2);
    above.negative = third.negative;
    return finish_ratio(&above, &below, 0, true, decimals);
}

double finish_fourth(const struct sums *s, struct decimals *decimals)
{
    struct bigint spread, above, below, normal;
    finish_spread(&spread, s->sum, s->squares, s->n);
    if (spread.words == 0)
        return 0.0;
    bigint_multiply(&below, &spread, &spread);
    bigint_copy(&normal, &below);
    bigint_times(&normal, 3);
    bigint_times(&normal, s->n - 1);
    fourth_moment(&above, s);
    bigint_times(&above, s->n + 1);
    bigint_subtract(&above, &normal);
    bigint_times(&above, s->n - 1);
    bigint_times(&below, s->n - 2);
    bigint_times(&below, s->n - 3);
    return finish_ratio(&above, &below, 0, false, decimals);
}
