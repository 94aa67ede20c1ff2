/* SPDX-License-Identifier: MIT */
/* Columns of several dtypes, with and without missing values, are added to the
 * states of their groups, by workers that own states and by workers that share
 * them. */
#include "engine/columns.h"

#include "check.h"
#include "csv/cell/cell.h"
#include "format/input.h"

enum { GROUPS = 6, OWNERS = 3, CHUNKS = 40, ROWS = 300 };

static const enum dtype dtypes[GROUPS] = {DTYPE_f32, DTYPE_i16, DTYPE_f64,
                                          DTYPE_u8,  DTYPE_f16, DTYPE_i64};
static const struct csv_spec spec = {.dtype = DTYPE_f64};

/* The expected results of a group, by plain counting. */
struct plain {
    uint64_t n, missing;
    long sum, least, greatest;
    uint64_t least_at, greatest_at;
};

static void count(struct plain *p, long value, uint64_t row)
{
    if (p->n == 0 || value < p->least) {
        p->least = value;
        p->least_at = row;
    }
    if (p->n == 0 || value > p->greatest) {
        p->greatest = value;
        p->greatest_at = row;
    }
    p->n++;
    p->sum += value;
}

/* Writes a small integer, which every dtype can hold. */
static void store(void *values, size_t i, enum dtype dtype, long value)
{
    switch (dtype) {
    case DTYPE_f16: {
        /* For 0 to 15: the exponent, and three bits of the fraction. */
        unsigned e = 0;
        while (value >> (e + 1))
            e++;
        ((uint16_t *)values)[i] =
            value ? (uint16_t)((e + 15) << 10 |
                               ((unsigned)value << (10 - e) & 0x3ff))
                  : 0;
        break;
    }
    case DTYPE_f32:
        ((float *)values)[i] = (float)value;
        break;
    case DTYPE_f64:
        ((double *)values)[i] = (double)value;
        break;
    case DTYPE_u8:
        ((uint8_t *)values)[i] = (uint8_t)value;
        break;
    case DTYPE_i16:
        ((int16_t *)values)[i] = (int16_t)value;
        break;
    default:
        ((int64_t *)values)[i] = value;
        break;
    }
}

/* Adds one group's column of a chunk. The chunk has `rows` rows, and row
 * `first` of the dataset is its first one. */
static void add(struct columns *c, const struct job *job, struct owner *owner,
                const struct chunk *chunk, size_t group, size_t rows,
                uint64_t first, struct plain *plain)
{
    static uint64_t values[ROWS];
    static uint32_t place[ROWS];
    struct column column = {.dtype = dtypes[group], .values = values};
    bool gaps = check_below(2);
    for (uint32_t row = 0; row < rows; row++) {
        long value = (long)check_below(16);
        if (gaps && check_below(4) == 0) {
            column.missing++;
            continue;
        }
        place[column.n] = row;
        store(values, column.n++, dtypes[group], value);
        count(plain, value, first + row);
    }
    plain->missing += column.missing;
    column.rows = column.n < rows ? place : NULL;
    struct error e;
    CHECK(columns_add(c, job->monoids, &column, chunk, owner, group, &e));
}

static void check_group(const struct states *s, size_t g, const struct plain *p)
{
    const struct extrema *x = &states_at(s, g, MONOID_extrema)->extrema;
    const struct count *n = &states_at(s, g, MONOID_count)->count;
    struct exact sum, want;
    CHECK_U64(s->tally[g].n, p->n);
    CHECK_U64(s->tally[g].missing, p->missing);
    CHECK_U64(n->nan, 0);
    CHECK_U64(x->min.index, p->least_at);
    CHECK_U64(x->max.index, p->greatest_at);
    exact_init(&want, dtypes[g], EXACT_VALUE);
    exact_add_shifted(&want, p->sum,
                      (unsigned)-exact_layout(dtypes[g], EXACT_VALUE).lsb);
    exact_copy(&sum, &states_at(s, g, MONOID_sum)->exact);
    CHECK(memcmp(sum.word, want.word, want.words * sizeof want.word[0]) == 0,
          "group %zu", g);
}

/* The workers take turns; the chunks come in the order of the data. */
static void check_owners(unsigned owning)
{
    const struct job job = {.dtype = DTYPE_f64,
                            .dtypes = dtypes,
                            .monoids = MONOID_BIT(sum) | MONOID_BIT(count) |
                                       MONOID_BIT(extrema),
                            .text = &spec,
                            .reading = &reading_records,
                            .columns = GROUPS};
    struct plain plain[GROUPS] = {{0}};
    struct owner owner[OWNERS];
    struct total total;
    struct error e;
    uint64_t first = 0;
    struct input input = {0};
    struct columns *c = columns_open(&job, &e);
    CHECK(c && total_open(&total, &job, &e));
    for (unsigned i = 0; i < OWNERS; i++) {
        total.bytes = i < owning ? 0 : STATES_BYTES;
        CHECK(owner_open(&owner[i], &total, &job, &e));
        CHECK((owner[i].own.groups > 0) == (i < owning));
    }
    for (uint64_t i = 0; i < CHUNKS; i++) {
        const struct chunk chunk = {.sequence = i, .input = &input};
        struct owner *o = &owner[check_below(OWNERS)];
        size_t rows = check_below(ROWS + 1);
        for (size_t g = 0; g < GROUPS; g++)
            add(c, &job, o, &chunk, g, rows, first, &plain[g]);
        o->rows = rows;
        CHECK(owner_note(o, &chunk, &e));
        first += rows;
    }
    for (unsigned i = 0; i < OWNERS; i++)
        owner_close(&owner[i]);
    CHECK(total_finish(&total, &e));
    CHECK_U64(input.records, first);
    for (size_t g = 0; g < GROUPS; g++)
        check_group(&total.states, g, &plain[g]);
    total_close(&total);
    columns_close(c);
}

int main(void)
{
    for (unsigned i = 0; i < 20; i++)
        check_owners(i % (OWNERS + 1));
    return check_end();
}
