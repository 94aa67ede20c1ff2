/* SPDX-License-Identifier: MIT */
/* Compact sums against big.h's integers: windows that move and grow but are
 * written as if they never had, hostile elements, and growth without memory. */
#include <float.h>
#include <math.h>

#include "big.h"
#include "check.h"
#include "engine/owner.h"
#include "reduce/cpu/accumulator.h"

static bool no_memory;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return no_memory ? NULL : __real_malloc(bytes);
}

static const struct {
    enum dtype dtype;
    enum monoid monoid;
    int lsb;
    unsigned words, bytes; /* of the layout; of a compact state, at most */
} layouts[] = {
    {DTYPE_f64, MONOID_sum, -1074, 35, 72},
    {DTYPE_f64, MONOID_sumabs, -1074, 35, 72},
    {DTYPE_f64, MONOID_sumsq, -2148, 68, 80},
    {DTYPE_f64, MONOID_sumcube, -3222, 100, 104},
    {DTYPE_f64, MONOID_sumfourth, -4296, 133, 120},
    {DTYPE_f32, MONOID_sum, -149, 7, 64},
    {DTYPE_bf16, MONOID_sumsq, -298, 11, 72},
    {DTYPE_i64, MONOID_sum, 0, 4, 56},
    {DTYPE_u64, MONOID_sumsq, 0, 4, 64},
    {DTYPE_f32, MONOID_sumfourth, -596, 19, 104},
    {DTYPE_i64, MONOID_sumcube, 0, 5, 72},
};

/* The first F64_LAYOUTS are those of f64. */
enum { LAYOUTS = sizeof layouts / sizeof layouts[0], F64_LAYOUTS = 5 };

/* A compact state, in memory of exactly its size, and its expected contents. */
struct pair {
    size_t layout;
    union state *state;
    struct big sum;
    uint64_t nan, inf[2]; /* inf is indexed by sign */
    bool not_negative_zero;
};

static void pair_init(struct pair *p, size_t layout)
{
    const struct compact *compact = monoids[layouts[layout].monoid].compact;
    size_t bytes = compact->size(layouts[layout].dtype);
    *p = (struct pair){.layout = layout, .state = malloc(bytes)};
    CHECK(bytes <= layouts[layout].bytes, "layout %zu", layout);
    compact->init(p->state, layouts[layout].dtype);
    big_set(&p->sum, 0);
}

static void pair_free(struct pair *p)
{
    monoids[layouts[p->layout].monoid].compact->close(p->state);
    free(p->state);
}

static size_t put(uint8_t *to, uint64_t x, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(x >> 8 * i);
    return bytes;
}

/* Writes the expected serialised bytes of the pair's state. Returns their
 * number. */
static size_t bytes_of(const struct pair *p, uint8_t *to)
{
    uint64_t word[EXACT_WORDS];
    unsigned words = layouts[p->layout].words, first = 0, end = words;
    uint64_t sign = p->sum.negative ? UINT64_MAX : 0;
    size_t n = 0;
    CHECK(big_to_words(&p->sum, word, words));
    while (first < words && word[first] == 0)
        first++;
    while (end > first + 1 && word[end - 1] == sign &&
           word[end - 2] >> 63 == (sign & 1))
        end--;
    first = first == words ? 0 : first;
    end = p->sum.n == 0 ? 0 : end;
    n += put(to + n, p->nan, 8);
    n += put(to + n, p->inf[0], 8);
    n += put(to + n, p->inf[1], 8);
    n += put(to + n, p->not_negative_zero, 1);
    n += put(to + n, (uint64_t)layouts[p->layout].lsb, 4);
    n += put(to + n, words, 4);
    n += put(to + n, first, 1);
    n += put(to + n, end - first, 4);
    for (unsigned i = first; i < end; i++)
        n += put(to + n, word[i], 8);
    return n;
}

/* Checks the words of |x|, which exact_magnitude makes from the window. */
static void check_magnitude(const struct pair *p, const char *what)
{
    const struct exact *x = &p->state->exact;
    uint64_t got[EXACT_WORDS] = {0}, want[EXACT_WORDS];
    struct big magnitude = p->sum;
    magnitude.negative = false;
    CHECK(big_to_words(&magnitude, want, x->words));
    exact_magnitude(x, got + x->first);
    CHECK(memcmp(got, want, x->words * sizeof got[0]) == 0, "layout %zu, %s",
          p->layout, what);
}

static void check_pair(const struct pair *p, const char *what)
{
    uint8_t got[sizeof(union state)], want[sizeof got];
    const struct exact *x = &p->state->exact;
    enum monoid monoid = layouts[p->layout].monoid;
    struct exact dense;
    struct big sum;
    union state back;
    exact_copy(&dense, x);
    big_of_words(&sum, dense.word, dense.words);
    CHECK(big_compare(&sum, &p->sum) == 0, "layout %zu, %s", p->layout, what);
    CHECK(exact_is_negative(x) == p->sum.negative);
    check_magnitude(p, what);
    size_t n = bytes_of(p, want);
    CHECK_U64(state_write(monoid, p->state, got), n);
    CHECK(memcmp(got, want, n) == 0, "layout %zu, %s", p->layout, what);
    CHECK(state_read(monoid, layouts[p->layout].dtype, UINT64_MAX, &back, got,
                     n));
    CHECK_U64(state_write(monoid, &back, got), n);
    CHECK(memcmp(got, want, n) == 0, "layout %zu, %s", p->layout, what);
}

static void add(struct pair *p, __int128 value, unsigned position)
{
    struct big addend;
    big_set_signed(&addend, value);
    big_shift(&addend, position);
    big_add(&p->sum, &addend);
    p->not_negative_zero = p->state->exact.not_negative_zero = true;
    exact_add_shifted(&p->state->exact, value, position);
}

static void merge(struct pair *into, const struct pair *from)
{
    struct big sum = from->sum;
    monoids[layouts[into->layout].monoid].merge(into->state, from->state);
    big_add(&into->sum, &sum);
    into->nan += from->nan;
    into->inf[0] += from->inf[0];
    into->inf[1] += from->inf[1];
    into->not_negative_zero |= from->not_negative_zero;
}

/* Merges the negative of the pair's sum, which leaves 0. */
static void cancel(struct pair *p)
{
    union state rest;
    big_negate(&p->sum);
    monoids[layouts[p->layout].monoid].init(&rest, layouts[p->layout].dtype);
    CHECK(big_to_words(&p->sum, rest.exact.word, rest.exact.words));
    monoids[layouts[p->layout].monoid].merge(p->state, &rest);
    big_set(&p->sum, 0);
}

static bool is_large(const struct pair *p)
{
    struct big limit, magnitude = p->sum;
    big_set(&limit, 1);
    big_shift(&limit, 64 * layouts[p->layout].words - 10);
    magnitude.negative = false;
    return big_compare(&magnitude, &limit) > 0;
}

static __int128 random_value(void)
{
    unsigned __int128 u = (unsigned __int128)check_random_length() << 63;
    u = check_below(2) ? u | check_random_length() : u >> check_below(127);
    return (__int128)(check_below(2) ? -u : u);
}

/* Adds a value near `middle`, as in one column of a table, or sometimes
 * anywhere. */
static void random_add(struct pair *p, unsigned middle)
{
    unsigned most = 64 * layouts[p->layout].words - 140;
    unsigned position = check_below(8) ? middle + (unsigned)check_below(90)
                                       : (unsigned)check_below(most);
    add(p, random_value(), position < most ? position : most - 1);
}

static void random_step(struct pair *p, unsigned middle)
{
    struct pair other;
    unsigned which = (unsigned)check_below(32);
    if (which == 0 || is_large(p)) {
        cancel(p);
    } else if (which == 1) {
        merge(p, p);
    } else if (which < 6) {
        pair_init(&other, p->layout);
        for (uint64_t i = check_below(3); i > 0; i--)
            random_add(&other, middle);
        other.nan = other.state->exact.nan = check_below(3);
        merge(p, &other);
        check_pair(&other, "merged");
        pair_free(&other);
    } else {
        random_add(p, middle);
    }
}

static void test_random(void)
{
    for (size_t i = 0; i < 40 * LAYOUTS; i++) {
        struct pair p;
        pair_init(&p, i % LAYOUTS);
        check_pair(&p, "empty");
        unsigned middle =
            (unsigned)check_below(64 * layouts[p.layout].words - 140);
        for (int step = 0; step < 60; step++) {
            random_step(&p, middle);
            check_pair(&p, "stepped");
        }
        pair_free(&p);
    }
}

/* A carry and a borrow run through every word, from both ends. */
static void test_ripples(void)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        for (unsigned top = 1; top < 64 * layouts[i].words - 66; top += 31) {
            struct pair p;
            pair_init(&p, i);
            for (int sign = -1; sign <= 1; sign += 2) {
                add(&p, sign, 0);
                check_pair(&p, "one");
                add(&p, -sign, top); /* ...fff or ...001 */
                check_pair(&p, "far from it");
                add(&p, -sign, 0);
                check_pair(&p, "one word");
                add(&p, sign, top);
                check_pair(&p, "nothing");
            }
            pair_free(&p);
        }
    }
}

/* Adds or merges the same addend until it has filled the words above it. */
static void check_growth(size_t layout, __int128 value, unsigned position)
{
    struct pair p, one;
    uint64_t merges = check_random();
    pair_init(&p, layout);
    pair_init(&one, layout);
    add(&one, value, position);
    for (int i = 0; i < 40; i++) {
        if (merges >> i & 1)
            merge(&p, &one);
        else
            add(&p, value, position);
        check_pair(&p, "growing");
    }
    pair_free(&one);
    pair_free(&p);
}

static void test_growth(void)
{
    const __int128 most = ~(unsigned __int128)0 >> 1;
    for (size_t i = 0; i < LAYOUTS; i++) {
        for (int round = 0; round < 200; round++) {
            unsigned at = (unsigned)check_below(64 * layouts[i].words - 204);
            /* From the last bit of a word, 127 bits fill most of two more
             * words. */
            at |= round % 2 ? 63 : 0;
            check_growth(i, most, at);
            check_growth(i, -most - 1, at);
            check_growth(i, most >> 64, at);
            check_growth(i, -(most >> 65), at);
            check_growth(i, most >> 2, at);
        }
    }
}

/* At the layout's end compact sums wrap around like the full ones. */
static void test_end(void)
{
    for (size_t i = 0; i < 200 * LAYOUTS; i++) {
        enum monoid m = layouts[i % LAYOUTS].monoid;
        uint8_t got[sizeof(union state)], want[sizeof got];
        struct pair p;
        union state all;
        pair_init(&p, i % LAYOUTS);
        monoids[m].init(&all, layouts[i % LAYOUTS].dtype);
        for (int k = 0; k < 12; k++) {
            unsigned end = 64 * layouts[i % LAYOUTS].words;
            unsigned position = end + 64 - (unsigned)check_below(320);
            __int128 value = random_value();
            exact_add_shifted(&p.state->exact, value, position);
            exact_add_shifted(&all.exact, value, position);
            size_t n = state_write(m, &all, want);
            CHECK_U64(state_write(m, p.state, got), n);
            CHECK(memcmp(got, want, n) == 0, "position %u", position);
        }
        pair_free(&p);
    }
}

/* Random bytes that claim to be a sum are either refused, or written again as
 * the same bytes that were read. */
static void test_hostile(void)
{
    unsigned read = 0;
    for (size_t i = 0; i < 20000; i++) {
        enum { FLAG = 24, FIRST = 33, ROOM = 34, WORDS = 38 };
        enum monoid m = layouts[i % LAYOUTS].monoid;
        uint8_t bytes[WORDS + 8 * 80], again[sizeof(union state)];
        struct pair p;
        union state back;
        pair_init(&p, i % LAYOUTS);
        random_add(&p, 70);
        size_t n = bytes_of(&p, bytes);
        for (size_t k = n; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)check_random();
        if (check_below(2))
            bytes[FIRST] = (uint8_t)check_below(72);
        for (uint64_t k = check_below(3); k > 0; k--)
            bytes[check_below(n)] = (uint8_t)check_below(2) * 0xff;
        if (check_below(2)) {
            uint64_t room = check_below(check_below(2) ? 6 : 75);
            n = WORDS + 8 * room;
            put(bytes + ROOM, check_below(9) ? room : check_random(), 4);
        }
        if (state_read(m, layouts[i % LAYOUTS].dtype, UINT64_MAX, &back, bytes,
                       n)) {
            read++;
            CHECK_U64(state_write(m, &back, again), n);
            CHECK(memcmp(again, bytes, n) == 0, "layout %zu", i % LAYOUTS);
            monoids[m].merge(p.state, &back);
        }
        pair_free(&p);
    }
    CHECK(read > 1000 && read < 19000, "%u", read);
}

static unsigned power_of(enum monoid m)
{
    return m == MONOID_sumsq       ? 2
           : m == MONOID_sumcube   ? 3
           : m == MONOID_sumfourth ? 4
                                   : 1;
}

/* Whether the addends of m have the elements' signs. */
static bool is_signed(enum monoid m)
{
    return m == MONOID_sum || m == MONOID_sumcube;
}

/* x = x^power. */
static void to_power(struct big *x, unsigned power)
{
    const struct big factor = *x;
    while (power-- > 1)
        big_multiply(x, &factor);
}

/* Adds the element's power to the expected sum, in units of 2^lsb. */
static void add_element(struct pair *p, double x)
{
    enum monoid m = layouts[p->layout].monoid;
    struct big addend;
    int exponent;
    p->not_negative_zero |= !(x == 0 && signbit(x)) && !isnan(x);
    p->not_negative_zero |= m != MONOID_sum && !isnan(x);
    p->nan += isnan(x) != 0;
    p->inf[is_signed(m) && x < 0] += isinf(x) != 0;
    if (!isfinite(x))
        return;
    big_of_double(&addend, &exponent, x);
    if (m == MONOID_sumabs)
        addend.negative = false;
    to_power(&addend, power_of(m));
    exponent *= (int)power_of(m);
    big_shift(&addend, (unsigned)(exponent - layouts[p->layout].lsb));
    big_add(&p->sum, &addend);
}

static double random_element(unsigned kind)
{
    uint64_t bits = check_random();
    double x = (double)(int64_t)bits * 0x1p-63;
    static const double edges[] = {1e308,     -1e308,   DBL_MAX,  -DBL_MAX,
                                   0x1p-1074, -0.0,     0x1p1023, -0x1p-1022,
                                   NAN,       INFINITY, 1,        -INFINITY};
    switch (kind) {
    case 0: /* values of one column */
        return x * 1000;
    case 1: /* subnormals */
        return double_of_bits(bits >> 63 << 63 | bits << 12 >> 12);
    case 2: /* any exponent */
        return double_of_bits(bits);
    case 3:
        return edges[check_below(8)];
    default:
        return edges[check_below(12)];
    }
}

/* Makes elements of one kind. In half of the cases the second half cancels the
 * first. */
static size_t make(double *x, size_t most)
{
    unsigned kind = (unsigned)check_below(6);
    size_t n = 1 + check_below(most / 2);
    for (size_t i = 0; i < n; i++)
        x[i] = random_element(kind < 5 ? kind : (unsigned)check_below(5));
    if (check_below(2))
        return n;
    for (size_t i = 0; i < n; i++)
        x[n + i] = -x[n - 1 - i];
    return 2 * n;
}

/* A thread steps several groups in turn, as it does with columns. */
static void check_groups(const struct cpu_loops *loops, size_t layout)
{
    enum { GROUPS = 4, MOST = 600 };
    struct accumulator *w = malloc(sizeof *w);
    struct pair p[GROUPS];
    enum monoid m = layouts[layout].monoid;
    accumulator_init(w, m, DTYPE_f64);
    for (int g = 0; g < GROUPS; g++)
        pair_init(&p[g], layout);
    for (int i = 0; i < 10 * GROUPS; i++) {
        double x[MOST];
        size_t n = make(x, MOST);
        struct pair *to = &p[i % GROUPS];
        accumulator_begin(w, to->state);
        loops->run[m][DTYPE_f64](w, x, n, 0);
        accumulator_end(w);
        for (size_t k = 0; k < n; k++)
            add_element(to, x[k]);
        check_pair(to, loops->name);
    }
    for (int g = 0; g < GROUPS; g++) {
        merge(&p[0], &p[g]);
        check_pair(&p[0], "all");
    }
    for (int g = 0; g < GROUPS; g++)
        pair_free(&p[g]);
    free(w);
}

static void test_elements(void)
{
    const struct cpu_loops *loops;
    for (size_t i = 0; (loops = cpu_loops(i)); i++) {
        for (size_t layout = 0; layout < F64_LAYOUTS; layout++) {
            for (int round = 0; round < 6; round++)
                check_groups(loops, layout);
        }
    }
}

/* 2^62 elements, made by merging a state with itself. */
static void test_many(void)
{
    static const double elements[] = {1, -DBL_MAX, 0x1p-1074, -0.1, 1e-300};
    struct accumulator *w = malloc(sizeof *w);
    for (size_t i = 0; i < F64_LAYOUTS * 5; i++) {
        struct pair p;
        enum monoid m = layouts[i % F64_LAYOUTS].monoid;
        pair_init(&p, i % F64_LAYOUTS);
        accumulator_init(w, m, DTYPE_f64);
        accumulator_begin(w, p.state);
        cpu_loops(0)->run[m][DTYPE_f64](w, &elements[i / F64_LAYOUTS], 1, 0);
        accumulator_end(w);
        add_element(&p, elements[i / F64_LAYOUTS]);
        p.nan = p.state->exact.nan = 1;
        for (int bit = 0; bit < 62; bit++) {
            merge(&p, &p);
            check_pair(&p, "many");
        }
        pair_free(&p);
    }
    free(w);
}

/* Integers that f64 cannot hold are added exactly. */
static void test_wide(void)
{
    for (size_t i = 0; i < 300; i++) {
        struct pair p;
        enum monoid m = layouts[i % F64_LAYOUTS].monoid;
        pair_init(&p, i % F64_LAYOUTS);
        for (int k = 0; k < 9; k++) {
            const struct wide_integer x = {check_random() | 1ull << 53, 0,
                                           check_below(2)};
            struct big addend;
            big_set(&addend, x.magnitude);
            to_power(&addend, power_of(m));
            addend.negative = is_signed(m) && x.negative;
            big_shift(&addend, (unsigned)-layouts[i % F64_LAYOUTS].lsb);
            big_add(&p.sum, &addend);
            p.not_negative_zero = true;
            monoids[m].step_wide(p.state, x);
            check_pair(&p, "wide");
        }
        pair_free(&p);
    }
}

/* Adds two distant bits, so that the state must grow. */
static void spread(union state *s)
{
    exact_add_shifted(&s->exact, 1, 0);
    exact_add_shifted(&s->exact, 1, 64 * 30);
}

/* A state that cannot get memory is lost, and so is every state that it is
 * merged into. No other state is. */
static void test_lost(void)
{
    const struct schema schema = {.groups = 4, .dtype = DTYPE_f64};
    struct states a, b;
    struct error e;
    unsigned set = MONOID_BIT(sum) | MONOID_BIT(wide);
    const struct wide_integer integer = {1ull << 60, 7, false};
    CHECK(states_open(&a, &schema, set, &e) &&
          states_open(&b, &schema, set, &e));
    spread(states_at(&b, 1, MONOID_sum)); /* its state gets memory of its own */
    states_step_wide(&b, 3, integer);
    no_memory = true;
    spread(states_at(&a, 1, MONOID_sum));
    spread(states_at(&a, 1, MONOID_sum));
    exact_add_shifted(&states_at(&a, 2, MONOID_sum)->exact, -5, 1000);
    CHECK(states_lost(&a) && !states_lost(&b));
    states_merge(&b, &a, 2, 4);
    CHECK(!states_lost(&b));
    states_merge(&b, &a, 0, 2);
    CHECK(states_lost(&b));
    states_merge(&a, &b, 0, 1);
    states_clear(&a);
    CHECK(!states_lost(&a));
    states_step_wide(&a, 0, integer);
    CHECK(states_lost(&a));
    CHECK(wide_whole(&states_at(&a, 0, MONOID_wide)->wide)->max.magnitude == 0);
    states_step_wide(&a, 0, integer);
    CHECK(wide_whole(&states_at(&a, 0, MONOID_wide)->wide)->max.magnitude == 0);
    no_memory = false;
    states_clear(&b);
    states_step_wide(&b, 3, integer);
    CHECK(!states_lost(&b));
    states_merge(&b, &a, 3, 4);
    CHECK(!states_lost(&b));
    states_merge(&b, &a, 0, 1);
    CHECK(states_lost(&b));
    states_close(&a);
    states_close(&b);
}

/* The run reports that it is out of memory. */
static void test_run_lost(void)
{
    const struct job job = {.dtype = DTYPE_f64,
                            .monoids = MONOID_BIT(sum),
                            .reading = &reading_elements};
    struct total total;
    struct owner owner;
    struct error e;
    for (int lost = 0; lost < 2; lost++) {
        CHECK(total_open(&total, &job, &e));
        CHECK(owner_open(&owner, &total, &job, &e));
        no_memory = lost;
        spread(states_at(owner_take(&owner, 0), 0, MONOID_sum));
        no_memory = false;
        owner_give(&owner, 0);
        owner_close(&owner);
        CHECK(total_finish(&total, &e) == !lost);
        if (lost)
            CHECK_TEXT(e.text, "out of memory");
        total_close(&total);
    }
}

int main(void)
{
    test_random();
    test_ripples();
    test_growth();
    test_end();
    test_hostile();
    test_elements();
    test_many();
    test_wide();
    test_lost();
    test_run_lost();
    return check_end();
}
