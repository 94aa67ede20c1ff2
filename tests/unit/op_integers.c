/* SPDX-License-Identifier: MIT */
/* Operations on integer states made by hand. */
#include "op_fixture.h"

/* The states of 3 -4 5 -4 as i16. */
static void test_integers(void)
{
    struct fixture f;
    fixture_init(&f, DTYPE_i16, 4);
    f.state[MONOID_count].count.nonzero = 4;
    set_exact(&f, MONOID_sum, 0);
    set_exact(&f, MONOID_sumabs, 16);
    set_exact(&f, MONOID_sumsq, 66);
    set_extrema(&f, MONOID_extrema, 0xfffc, 1, 5, 2);
    set_extrema(&f, MONOID_absextrema, 3, 0, 5, 2);
    f.state[MONOID_prod].prod.integer.low = 240;
    static const struct {
        const char *name;
        int64_t want;
    } integers[] = {{"count", 4},  {"sum", 0},    {"prod", 240}, {"min", -4},
                    {"max", 5},    {"argmin", 1}, {"argmax", 2}, {"l1", 16},
                    {"linf", 5},   {"sumsq", 66}, {"range", 9},  {"absmin", 3},
                    {"absmax", 5}, {"any", 1},    {"alltrue", 1}};
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++)
        check_integer(&f, integers[i].name, integers[i].want);
    check_real(&f, "mean", 0.0);
    check_real(&f, "l2", sqrt(66));
    check_real(&f, "rms", sqrt(16.5));
    check_real(&f, "var", 22.0);
    check_real(&f, "std", sqrt(22));
    check_real(&f, "var_pop", 16.5);
    check_real(&f, "std_pop", sqrt(16.5));
    f.state[MONOID_count].count.nonzero = 3;
    check_integer(&f, "any", 1);
    check_integer(&f, "alltrue", 0);
    f.state[MONOID_count].count.nonzero = 0;
    check_integer(&f, "any", 0);
    set_exact(&f, MONOID_sum, -7);
    check_integer(&f, "sum", -7);
    check_real(&f, "mean", -1.75);
}

static void test_integer_edges(void)
{
    struct fixture f;
    struct value value;
    struct error e;
    fixture_init(&f, DTYPE_i64, 2);
    set_extrema(&f, MONOID_extrema, 1ull << 63, 0, INT64_MAX, 1);
    set_extrema(&f, MONOID_absextrema, INT64_MAX, 1, 1ull << 63, 0);
    check_integer(&f, "min", INT64_MIN);
    check_integer(&f, "max", INT64_MAX);
    CHECK(finish(&f, "range", &value, &e) && value.word[0] == UINT64_MAX);
    CHECK(finish(&f, "linf", &value, &e) && value.word[0] == 1ull << 63 &&
          !value.negative);
    /* A sum of squares of 192 bits. */
    struct exact *squares = &f.state[MONOID_sumsq].exact;
    squares->word[0] = 1, squares->word[1] = 2, squares->word[2] = 3;
    CHECK(finish(&f, "sumsq", &value, &e));
    CHECK(value.word[0] == 1 && value.word[1] == 2 && value.word[2] == 3);
    /* A sum of -2^64. */
    struct exact *sum = &f.state[MONOID_sum].exact;
    for (uint32_t i = 1; i < sum->words; i++)
        sum->word[i] = UINT64_MAX;
    CHECK(finish(&f, "sum", &value, &e));
    CHECK(value.negative && value.word[0] == 0 && value.word[1] == 1 &&
          value.word[2] == 0);
    check_real(&f, "mean", -0x1p63);
    /* Products: the largest that fits, one too large, and zero with the same
     * flag. */
    struct prod_integer *p = &f.state[MONOID_prod].prod.integer;
    p->low = p->high = UINT64_MAX;
    p->negative = true;
    CHECK(finish(&f, "prod", &value, &e) && value.negative);
    CHECK(value.word[0] == UINT64_MAX && value.word[1] == UINT64_MAX);
    p->too_large = true;
    CHECK(!finish(&f, "prod", &value, &e) && e.kind == ERROR_DATA);
    CHECK(strstr(e.text, "128 bits") != NULL, "%s", e.text);
    p->zero = true;
    CHECK(finish(&f, "prod", &value, &e) && value.word[0] == 0 &&
          !value.negative);
}

int main(void)
{
    test_integers();
    test_integer_edges();
    return check_end();
}
