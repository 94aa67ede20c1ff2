/* SPDX-License-Identifier: MIT */
/* Keys and their records, compared with plain arrays that are indexed by the
 * key's number. Sums are compared with exact states to which one value after
 * the other is added. */
#include "by/groups.h"

#include <math.h>
#include <pthread.h>
#include <time.h>

#include "base/memory.h"
#include "by/order.h"
#include "by/sum.h"
#include "check.h"
#include "reduce/float_format.h"

enum { KEYS = 9000, ROWS = 1 << 14, TEXT = 48 };

/* Key i's text, of 0 to TEXT - 1 bytes, different from all others. Many texts
 * begin alike. */
static char texts[KEYS][TEXT + KEY_SHORT];
static uint32_t lengths[KEYS];

static void make_texts(void)
{
    for (unsigned i = 0; i < KEYS; i++) {
        char number[16];
        const int n = snprintf(number, sizeof number, "%x", i);
        lengths[i] = i == 0 ? 0 : 5 + i % (TEXT - 5);
        memset(texts[i], 'k', TEXT);
        if (i > 0)
            memcpy(texts[i] + lengths[i] - (unsigned)n, number, (size_t)n);
    }
    /* Texts of NUL differ by their lengths alone. */
    for (unsigned i = 1; i < 20; i++) {
        memset(texts[i], 0, TEXT);
        lengths[i] = i;
    }
}

static struct text_cell text(size_t key)
{
    return (struct text_cell){texts[key], lengths[key], 0};
}

static void test_columns_of_a_key(void)
{
    static char room[40000], part[3][20000];
    static const uint32_t sizes[] = {0, 1, 127, 128, 16383, 16384, 300};
    enum { N = sizeof sizes / sizeof sizes[0] };
    for (int i = 0; i < 3; i++)
        memset(part[i], 'a' + i, sizeof part[i]);
    for (unsigned i = 0; i < N * N; i++) {
        const struct text_cell cell[] = {{part[0], sizes[i % N], 0},
                                         {part[1], sizes[i / N], 0},
                                         {part[2], sizes[(i + 3) % N], 0}};
        char *to = room;
        for (int c = 0; c < 3; c++)
            to = key_append(to, cell[c], c == 2);
        const struct text_cell whole = {room, (uint32_t)(to - room), 0};
        for (size_t c = 0; c < 3; c++) {
            const struct text_cell got = key_column(whole, 3, c);
            CHECK_U64(got.bytes, cell[c].bytes);
            CHECK(memcmp(got.at, cell[c].at, got.bytes) == 0);
        }
    }
}

/* The rows of a chunk. struct expected: what the record of a key must hold. */
struct rows {
    struct text_cell key[ROWS];
    uint32_t number[ROWS]; /* number of the row's key */
    uint8_t selected[ROWS];
    double value[ROWS];
    uint32_t row_of[ROWS]; /* row of each value */
    size_t values;
};

struct expected {
    uint64_t rows, n, first;
    union state sum;
    struct extreme {
        double value;
        uint64_t at; /* the first of equal values */
    } least, greatest;
};

/* Draws a special value, one of everyday size, or a tiny one. */
static double draw_value(void)
{
    const double few[] = {0.0,    -0.0,   0.1,     1e300,
                          -1e300, 0x1p52, 0x1p-74, 5e-324};
    if (check_below(4) == 0)
        return few[check_below(8)];
    const double x = (double)(int64_t)check_random() * 0x1p-63;
    return check_below(8) ? x * 1000 : x * 0x1p-900;
}

static void draw_rows(struct rows *r, bool has_gaps)
{
    r->values = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        r->number[i] = (uint32_t)check_below(KEYS);
        r->key[i] = text(r->number[i]);
        r->selected[i] = check_below(8) != 0;
        if (!r->selected[i] || (has_gaps && check_below(4) == 0))
            continue;
        r->value[r->values] = draw_value();
        r->row_of[r->values++] = i;
    }
}

static void expect_extreme(struct extreme *x, double v, uint64_t at, int sign)
{
    if (sign * v > sign * x->value)
        *x = (struct extreme){v, at};
    if (v == x->value && at < x->at)
        x->at = at;
}

static void expect(struct expected *all, const struct rows *r, uint64_t first)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        struct expected *x = &all[r->number[i]];
        x->rows += r->selected[i];
        if (r->selected[i] && first + i < x->first)
            x->first = first + i;
    }
    for (size_t i = 0; i < r->values; i++) {
        struct expected *x = &all[r->number[r->row_of[i]]];
        const double v = r->value[i];
        const uint64_t at = first + r->row_of[i];
        if (x->n++ == 0)
            x->least = x->greatest = (struct extreme){v, at};
        expect_extreme(&x->least, v, at, -1);
        expect_extreme(&x->greatest, v, at, 1);
        if (v == 0)
            x->sum.exact.not_negative_zero |= !__builtin_signbit(v);
        else
            exact_add_product(&x->sum.exact, &v, 1);
    }
}

static void check_extreme(const struct extremum *got, const struct expected *x,
                          const struct extreme *want)
{
    if (x->n == 0)
        return;
    CHECK(double_of_bits(got->bits) == want->value, "%g", want->value);
    CHECK_U64(got->index, want->at);
}

/* Checks the record of the key at this place in the order. */
static void check_key(const struct groups *g, struct by_place place,
                      const struct expected *x)
{
    struct by_reading reading;
    struct totals t = {.n = 0};
    uint8_t got[sizeof(union state)], want[sizeof(union state)];
    const size_t n = state_write(MONOID_sum, &x->sum, want);
    by_read(g, place, 0, &reading, &t);
    CHECK_U64(t.rows, x->rows);
    CHECK_U64(t.n, x->n);
    CHECK_U64(t.missing, x->rows - x->n);
    CHECK_U64(state_write(MONOID_sum, t.state[MONOID_sum], got), n);
    CHECK(memcmp(got, want, n) == 0, "a sum");
    check_extreme(&t.state[MONOID_extrema]->extrema.min, x, &x->least);
    check_extreme(&t.state[MONOID_extrema]->extrema.max, x, &x->greatest);
}

static int number_of(struct text_cell key)
{
    for (int i = 0; i < KEYS; i++) {
        if (lengths[i] == key.bytes && memcmp(texts[i], key.at, key.bytes) == 0)
            return i;
    }
    return -1;
}

static enum key_class as_text(const void *context, size_t column,
                              struct text_cell key, struct key_number *number)
{
    (void)context, (void)column, (void)key, (void)number;
    return KEY_TEXT;
}

/* Checks all keys and their order: by text with the missing key last, or by
 * first row. */
static void check_all(struct groups *g, const struct expected *all,
                      unsigned threads)
{
    struct by_order o;
    struct error e;
    size_t wanted = 0;
    for (int i = 0; i < KEYS; i++)
        wanted += all[i].rows > 0;
    CHECK(groups_finish(g, NULL, NULL, &e));
    CHECK(order_make(&o, g, as_text, NULL, threads, &e));
    CHECK_U64(o.n, wanted);
    struct text_cell last = {"", 0, 0};
    uint64_t first = 0;
    for (size_t i = 0; i < o.n; i++) {
        const struct text_cell key = order_key(g, o.item[i].place, 0);
        const int number = number_of(key);
        CHECK(number >= 0);
        const uint32_t least = last.bytes < key.bytes ? last.bytes : key.bytes;
        const int order = memcmp(last.at, key.at, least);
        if (g->layout.spec.is_first)
            CHECK(i == 0 || all[number].first > first);
        else
            CHECK(i == 0 || order < 0 || (order == 0 && last.bytes == least) ||
                  (key.bytes == 0 && i + 1 == o.n));
        first = all[number].first;
        last = key;
        check_key(g, o.item[i].place, &all[number]);
    }
    order_free(&o);
}

/* A worker thread with rows of its own. */
struct work {
    struct groups *groups;
    struct rows *rows; /* [chunks] */
    size_t chunks;
    uint64_t first;
    bool has_gaps;
    pthread_t thread;
};

static void *work(void *of)
{
    struct work *w = of;
    struct error e;
    struct grouper *g = grouper_open(w->groups, false, &e);
    for (size_t i = 0; i < w->chunks; i++) {
        struct rows *r = &w->rows[i];
        const struct grouper_rows rows = {ROWS, w->first + i * ROWS, r->key,
                                          r->selected};
        const struct column column = {.dtype = DTYPE_f64,
                                      .n = r->values,
                                      .values = r->value,
                                      .rows = r->row_of};
        CHECK(grouper_begin(g, &rows, &e));
        CHECK(grouper_add(g, 0, &column, &e));
        CHECK(grouper_flush(g, &e));
    }
    CHECK(grouper_end(g, &e));
    grouper_close(g);
    return NULL;
}

/* Several workers add rows to the same groups. `set` has the monoids of a
 * record: with many, a record is so long that the workers share tables; sums of
 * magnitudes are stepped key by key. */
static void test_groups(bool is_first, unsigned set)
{
    enum { WORKERS = 3, CHUNKS = 3 };
    const struct by_spec spec = {.keys = 1, .is_first = is_first};
    struct error e;
    struct groups *g = groups_new(&spec, DTYPE_f64, 1, set, &e);
    struct rows *rows = calloc(WORKERS * CHUNKS, sizeof *rows);
    struct expected *all = calloc(KEYS, sizeof *all);
    struct work works[WORKERS];
    for (int i = 0; i < KEYS; i++) {
        all[i].first = UINT64_MAX;
        exact_init(&all[i].sum.exact, DTYPE_f64, EXACT_VALUE);
    }
    for (int i = 0; i < WORKERS; i++) {
        works[i] = (struct work){.groups = g,
                                 .rows = rows + (ptrdiff_t)i * CHUNKS,
                                 .chunks = CHUNKS,
                                 .first = (uint64_t)(WORKERS - i) << 28};
        for (size_t k = 0; k < CHUNKS; k++) {
            draw_rows(&works[i].rows[k], true);
            expect(all, &works[i].rows[k], works[i].first + k * ROWS);
        }
        pthread_create(&works[i].thread, NULL, work, &works[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(works[i].thread, NULL);
    check_all(g, all, is_first ? 1 : 3);
    groups_free(g);
    free(rows);
    free(all);
}

/* A worker whose rows wait for a table that another thread has locked. */
struct waiting {
    struct grouper *worker;
    struct error e;
};

static void *flush(void *of)
{
    struct waiting *w = of;
    CHECK(grouper_flush(w->worker, &w->e));
    return NULL;
}

/* Adds a chunk whose rows all have the value 1, while a table is locked. */
static void add_ones(struct waiting *w, const struct text_cell *key, size_t n,
                     pthread_mutex_t *locked)
{
    static double ones[2 * KEYS];
    const struct grouper_rows rows = {n, 0, key, NULL};
    const struct column column = {.dtype = DTYPE_f64, .n = n, .values = ones};
    pthread_t thread;
    for (size_t i = 0; i < n; i++)
        ones[i] = 1;
    CHECK(grouper_begin(w->worker, &rows, &w->e));
    CHECK(grouper_add(w->worker, 0, &column, &w->e));
    pthread_mutex_lock(locked);
    pthread_create(&thread, NULL, flush, w);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    pthread_mutex_unlock(locked);
    pthread_join(thread, NULL);
}

enum { NAMES = 2 * KEYS };

/* Makes keys that are the digits of 0 to NAMES - 1. */
static void make_names(struct text_cell *key)
{
    static char names[NAMES][KEY_SHORT];
    for (size_t i = 0; i < NAMES; i++) {
        const int n = snprintf(names[i], KEY_SHORT, "%zu", i);
        key[i] = (struct text_cell){names[i], (uint32_t)n, 0};
    }
}

/* The number of some key of a table. */
static size_t name_of(const struct text_cell *key, unsigned table)
{
    size_t i = 0;
    while (table_of(key_hash(key[i])) != table)
        i++;
    return i;
}

/* Checks that the keys' sums are 1, those of two keys not. */
static void check_ones(struct groups *g, size_t one, double sum_of_one,
                       size_t two)
{
    struct by_order o;
    struct error e;
    CHECK(order_make(&o, g, NULL, NULL, 1, &e));
    CHECK_U64(o.n, NAMES);
    for (size_t i = 0; i < o.n; i++) {
        double sum = 0;
        const struct by_place place = o.item[i].place;
        const size_t name = strtoul(order_key(g, place, 0).at, NULL, 10);
        CHECK(by_read_sum(g, place, 0, &sum));
        CHECK_DOUBLE(sum, name == one ? sum_of_one : name == two ? 2 : 1);
    }
    order_free(&o);
}

/* More rows of a key come than its table's queue has room for, and the table is
 * locked. The next table's queue, where a row waits, keeps it. */
static void test_queue_of_a_locked_table(void)
{
    enum { TABLE = 60, MORE = 1100 };
    static struct text_cell key[NAMES], again[MORE];
    const struct by_spec spec = {.keys = 1};
    pthread_mutex_t none = PTHREAD_MUTEX_INITIALIZER;
    struct waiting w;
    struct groups *g = groups_new(&spec, DTYPE_f64, 1, MONOID_BIT(sum), &w.e);
    w.worker = grouper_open(g, false, &w.e);
    make_names(key);
    const size_t of = name_of(key, TABLE), next = name_of(key, TABLE + 1);
    for (size_t i = 0; i < MORE; i++)
        again[i] = key[i == 0 ? next : of];
    add_ones(&w, key, NAMES, &none);
    add_ones(&w, again, MORE, &g->part[TABLE].lock);
    CHECK(grouper_end(w.worker, &w.e));
    check_ones(g, of, MORE, next);
    grouper_close(w.worker);
    groups_free(g);
}

/* The narrow sum adds exactly the values that it can hold, and no others. */
static void test_sum(void)
{
    const struct {
        double x;
        bool fits;
    } cases[] = {{0.0, true},        {-0.0, false},     {0x1p-22, true},
                 {0x1.fp-23, false}, {0x1.8p52, false}, {0x1.fffp51, true},
                 {1e-300, false},    {INFINITY, false}, {NAN, false},
                 {-0x1.8p41, true},  {0x1.5p42, true},  {-0x1.9p43, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        __int128 sum = 0;
        CHECK(by_sum_add((char *)&sum, bits_of_double(cases[i].x)) ==
                  cases[i].fits,
              "%g", cases[i].x);
        const long double want = cases[i].fits ? ldexpl(cases[i].x, 74) : 0;
        CHECK(sum == (__int128)want, "%g", cases[i].x);
    }
    __int128 sum = 0;
    int n = 0;
    while (n < 9 && by_sum_add((char *)&sum, bits_of_double(0x1.fffp51)))
        n++;
    CHECK_INT(n, 2); /* the third passes 2^53 */
}

/* An exact sum is narrowed if it is a multiple of 2^-74 (or 1, of integers)
 * from -2^127 to 2^127 - 1 times that, and to that multiple. */
static void test_narrow_sum(void)
{
    static const enum dtype dtypes[] = {DTYPE_f64, DTYPE_f32, DTYPE_i64};
    for (unsigned i = 0; i < 3 * 128 * 4; i++) {
        const enum dtype dtype = dtypes[i % 3];
        const bool is_float = dtype != DTYPE_i64;
        const unsigned bits = i / 3 % 128, kind = i / 384;
        __int128 want = (__int128)((unsigned __int128)check_random() << 64 |
                                   check_random()) >>
                        bits;
        if (kind == 1)
            want = -1;
        else if (kind == 2)
            want &= ~(__int128)UINT64_MAX;
        else if (kind == 3)
            want = (__int128)((unsigned __int128)1 << bits);
        __int128 got = 1;
        struct exact sum, trimmed;
        exact_init(&sum, dtype, EXACT_VALUE);
        by_sum_widen(&sum, (const char *)&want, is_float);
        sum.not_negative_zero = true;
        exact_trim(&trimmed, &sum);
        CHECK(by_sum_narrow((char *)&got, &trimmed, is_float) && got == want,
              "%u", i);
    }
}

static void test_narrow_limits(void)
{
    const struct {
        double x;
        bool fits;
    } cases[] = {{0x1p-74, true},   {-0x1p-74, true},    {0x1p-75, false},
                 {-0x1p-75, false}, {0x1.8p-74, false},  {0x1p52, true},
                 {0x1p53, false},   {-0x1p53, true},     {-0x1.8p53, false},
                 {0x1p100, false},  {-0x1p-1074, false}, {1e300, false},
                 {0x1p-1074, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        __int128 got = 1;
        struct exact sum, trimmed;
        exact_init(&sum, DTYPE_f64, EXACT_VALUE);
        by_sum_add_exact(&sum, cases[i].x);
        sum.not_negative_zero = true;
        exact_trim(&trimmed, &sum);
        const bool fits = by_sum_narrow((char *)&got, &trimmed, true);
        const long double want = fits ? ldexpl(cases[i].x, 74) : 1;
        CHECK(fits == cases[i].fits && got == (__int128)want, "%g", cases[i].x);
    }
}

static void test_memory(void)
{
    const struct by_spec spec = {.keys = 1};
    static struct text_cell key[KEYS];
    const struct grouper_rows rows = {KEYS, 0, key, NULL};
    struct error e;
    for (size_t i = 0; i < KEYS; i++)
        key[i] = text(i);
    struct groups *g = groups_new(&spec, DTYPE_f64, 0, 0, &e);
    struct grouper *worker = grouper_open(g, false, &e);
    memory_set_limit(64 << 10);
    CHECK(!grouper_begin(worker, &rows, &e));
    CHECK(strstr(e.text, "grouping by so many keys would take more than "
                         "0.1 MiB"),
          "%s", e.text);
    memory_set_limit(0);
    grouper_close(worker);
    groups_free(g);
    CHECK(memory_take(memory_limit()), "all memory was given back");
    memory_give(memory_limit());
}

/* No record is left whose text found no memory: the next key, an equal one,
 * would be compared with it. */
static void test_memory_of_texts(void)
{
    const struct by_spec spec = {.keys = 1};
    const struct text_cell text = {"more bytes than two words hold", 30, 0};
    const struct key_sought key[2] = {key_seek(text), key_seek(text)};
    struct by_layout layout;
    struct by_table table = {.layout = &layout};
    uint32_t id[2];
    CHECK(layout_make(&layout, &spec, DTYPE_f64, 0, 0));
    CHECK_INT(table_reserve(&table, 2), DISTINCT_KEPT);
    memory_set_limit(1);
    CHECK_INT(table_find(&table, key, 2, NULL, id), DISTINCT_LIMIT);
    CHECK_INT(table.n, 0);
    memory_set_limit(0);
    CHECK_INT(table_find(&table, key, 2, NULL, id), DISTINCT_KEPT);
    CHECK_INT(table.n, 1);
    table_close(&table);
    layout_free(&layout);
}

/* A pool takes little more memory than its pieces, of whatever size. */
static void test_pool(void)
{
    enum { PIECES = 100, ALL = 1 << 20 };
    struct by_pool pool;
    enum distinct_lost lost;
    for (size_t bytes = 64 << 10; bytes < 4 << 20; bytes += bytes / 7 & ~63u) {
        CHECK(by_pool_open(&pool));
        for (int i = 0; i < PIECES; i++)
            CHECK(by_pool_take(&pool, bytes, &lost));
        CHECK(pool.total <= PIECES * bytes / 4 * 5 + ALL, "%zu bytes: %zu",
              bytes, pool.total);
        by_pool_close(&pool);
    }
}

int main(void)
{
    make_texts();
    test_pool();
    test_columns_of_a_key();
    test_sum();
    test_narrow_sum();
    test_narrow_limits();
    const unsigned few = MONOID_BIT(sum) | MONOID_BIT(extrema);
    test_groups(false, few);
    test_groups(true, few);
    /* Records so long that each worker's own table is soon full. */
    test_groups(false, few | MONOID_BIT(sumabs) | MONOID_BIT(sumfourth) |
                           MONOID_BIT(sumcube) | MONOID_BIT(ends) |
                           MONOID_BIT(sumsq) | MONOID_BIT(absextrema));
    test_queue_of_a_locked_table();
    test_memory();
    test_memory_of_texts();
    return check_end();
}
