/* SPDX-License-Identifier: MIT */
/* Tests what src/plan/ makes of command lines: datasets, rows, teams and
 * chunks, passes of quantiles, parts, and the second run of --verify. No test
 * reduces data. */
#include "plan/plan.h"

#include <unistd.h>

#include "engine/owner.h"
#include "options_line.h"
#include "plan/quantiles.h"
#include "temporary.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { KIB = 1 << 10, MIB = 1 << 20, GRAIN = 64 * KIB };

/* Writes a file of n bytes that begins with `head`; the rest is holes. */
static void write_holes(const char *name, const char *head, off_t n)
{
    char path[TEMPORARY_MAX];
    temporary_write(temporary_path(path, name), head, strlen(head));
    CHECK(truncate(path, n) == 0);
}

/* Writes 1 GiB of holes; 10,000 zeros of f64; and 1000 records of 4 bytes below
 * a header of as many; and a table of one column. */
static void write_files(void)
{
    static double zeros[10000];
    static char long_text[MIB];
    char path[TEMPORARY_MAX], text[4004 + 1] = "";
    write_holes("big.f64", "", 1 << 30);
    write_holes("256k.f64", "", 256 * KIB);
    write_holes("257k.f64", "", 257 * KIB);
    for (size_t i = 0; i + 1 < sizeof long_text; i++)
        long_text[i] = "12\n"[i % 3];
    write_holes("16m.csv", long_text, 16 * MIB);
    write_holes("17m.csv", long_text, 16 * MIB + 1);
    temporary_write(temporary_path(path, "small.f64"), zeros, sizeof zeros);
    temporary_write(temporary_path(path, "one.csv"), "a\n1\n2\n", 6);
    for (size_t i = 0; i < 1001; i++)
        memcpy(text + 4 * i, i ? "1,2\n" : "a,b\n", 4);
    temporary_write(temporary_path(path, "t.csv"), text, 4004);
    CHECK(chdir(temporary_folder) == 0);
}

static bool make(struct plan *plan, const char *line)
{
    static struct options o;
    struct error e;
    const bool ok = parse(line, &o, &e) && plan_make(plan, &o, NULL, NULL, &e);
    return CHECK(ok, "%s: %s", line, e.text);
}

/* The units of chunks are 64 KiB of f64. The other run has one unit less, or
 * two instead of one; and one thread less, or two instead of one. */
static void test_teams(void)
{
    static const struct {
        const char *line;
        size_t chunk;
        unsigned workers;
        size_t other_chunk;
        unsigned other_workers;
    } cases[] = {
        {"-j 4 --chunk-size 1M big.f64", MIB, 4, MIB - GRAIN, 3},
        {"-j 4 --chunk-size 1 big.f64", GRAIN, 4, 2 * GRAIN, 3},
        {"-j 2 --chunk-size 1G big.f64", 256 * MIB, 2, 256 * MIB - GRAIN, 1},
        {"-j 9 --chunk-size 256M big.f64", 256 * MIB, 5, 256 * MIB - GRAIN, 4},
        {"-j 4 --chunk-size 65537 small.f64", 2 * GRAIN, 1, GRAIN, 2},
        {"-j 4 --chunk-size 64K small.f64", GRAIN, 2, 2 * GRAIN, 1},
        {"-j 4 --chunk-size 64K -t u8 small.f64", GRAIN, 2, GRAIN - 8 * KIB, 1},
        {"-j 4 --chunk-size 1000 t.csv", 1000, 4, 999, 3},
        {"-j 9 --chunk-size 1000 t.csv", 1000, 5, 999, 4},
        {"-j 9 --chunk-size 1G t.csv", 32 * MIB, 1, 32 * MIB - 1, 2},
        {"-j 9 --chunk-size 1000 -o argmax -v t.csv", 1000, 5, 999, 4},
        {"-j 9 --chunk-size 1000 --where index()>5 t.csv", 1000, 1, 999, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        if (make(&plan, cases[i].line)) {
            const struct dataset *d = &plan.datasets[0];
            const struct dataset other = dataset_verification(&plan, d);
            CHECK_U64(d->team[0].chunk_bytes, cases[i].chunk);
            CHECK_U64(d->team[0].workers, cases[i].workers);
            CHECK_U64(other.team[0].chunk_bytes, cases[i].other_chunk);
            CHECK_U64(other.team[0].workers, cases[i].other_workers);
            CHECK(other.teams == 1 && other.job.portable && !other.job.notes);
        }
        plan_free(&plan);
    }
}

/* A table with one column, chosen or not, has no names in results. */
static void test_datasets(void)
{
    static const struct {
        const char *line;
        size_t datasets, rows;
        bool by_column;
        enum empty_mode empty;
    } cases[] = {
        {"small.f64", 1, 1, false, EMPTY_BLANK},
        {"-o sum small.f64", 1, 1, false, EMPTY_ERROR},
        {"-o sum small.f64 big.f64", 1, 1, false, EMPTY_ERROR},
        {"-o sum --per-file small.f64 t.csv", 2, 1, false, EMPTY_BLANK},
        {"--per-file t.csv small.f64", 2, 2, true, EMPTY_BLANK},
        {"t.csv", 1, 2, true, EMPTY_BLANK},
        {"-o sum one.csv", 1, 1, false, EMPTY_ERROR},
        {"t.csv t.csv", 1, 2, true, EMPTY_BLANK},
        {"--empty identity t.csv", 1, 2, true, EMPTY_IDENTITY},
        {"-o sum -c a t.csv", 1, 1, false, EMPTY_ERROR},
        {"-c b,a t.csv", 1, 2, true, EMPTY_BLANK},
        {"-x a t.csv", 1, 1, true, EMPTY_BLANK},
        {"-o rows t.csv", 1, 1, false, EMPTY_ERROR},
        {"-o cov t.csv", 1, 1, false, EMPTY_ERROR},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        if (make(&plan, cases[i].line)) {
            const struct dataset *d = &plan.datasets[0];
            CHECK_U64(plan.dataset_count, cases[i].datasets);
            CHECK(d->rows == cases[i].rows, "%s", cases[i].line);
            CHECK(d->by_column == cases[i].by_column, "%s", cases[i].line);
            CHECK(d->empty == cases[i].empty, "%s", cases[i].line);
        }
        plan_free(&plan);
    }
}

/* Few data are kept; types of few bits are counted whole; else bins choose what
 * a second pass reads. */
static void test_passes(void)
{
    static const struct {
        const char *line;
        unsigned bits;
        bool again;
    } cases[] = {
        {"-o sum big.f64", 0, false},
        {"-o median big.f64", 16, true},
        {"-o median small.f64", 0, false},
        {"-o median -t u8 big.f64", 8, false},
        {"-o median -t i16 big.f64", 16, false},
        {"-o median -t f32 big.f64", 16, true},
        {"-o median t.csv", 0, false},
        {"-o median 256k.f64", 0, false},
        {"-o median 257k.f64", 16, true},
        {"-o median --header no 16m.csv", 0, false},
        {"-o median --header no 17m.csv", 16, true},
        {"-o median --by a t.csv", 0, false},
        {"-o median -t u8 t.csv", 8, false},
        {"-o median -t u8 -c a,d -e d=a*2 t.csv", 0, false},
        {"-o histogram --by a t.csv", 0, true},
        {"-o histogram --range 0,1 --by a t.csv", 0, false},
        {"-o median --axis 0 --shape=-1,4 big.f64", 0, false},
        {"-o histogram big.f64", 0, true},
        {"-o histogram --range 0,1 big.f64", 0, false},
        {"-o histogram small.f64", 0, false},
        {"-o median --per-file big.f64 small.f64", 16, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        if (make(&plan, cases[i].line)) {
            const struct dataset *d = &plan.datasets[0];
            CHECK(d->rank_bits == cases[i].bits, "%s", cases[i].line);
            CHECK(d->reads_again == cases[i].again, "%s", cases[i].line);
            CHECK(plan.reads_again == cases[i].again, "%s", cases[i].line);
        }
        plan_free(&plan);
    }
}

/* The most bits with which the counters fit the memory of states: copies for
 * each worker and the result, if these have 12 bits; else one for all. */
static void test_bits(void)
{
    static const struct backend cpu = {.name = "cpu"};
    for (unsigned workers = 1; workers <= 256; workers *= 4) {
        const struct dataset d = {
            .team = {{.backend = &cpu, .workers = workers}}, .teams = 1};
        for (size_t ranges = 1; ranges < STATES_BYTES / 8; ranges *= 3) {
            unsigned own = 0, one = 0;
            while (ranges * (workers + 1) << own <= STATES_BYTES / 16)
                own++;
            while (ranges << one <= STATES_BYTES / 16)
                one++;
            const unsigned want = own >= 12 ? own : one < 4 ? 4 : one;
            CHECK_INT(quantiles_bits(&d, ranges), want < 16 ? want : 16);
        }
    }
    /* A device has 2^12 counters: so many for one range, and for up to 256
     * ranges at least 2^4 each; of more it counts none. */
    static const struct backend gpu = {.rank_counters = 1 << 12};
    static const struct {
        size_t ranges;
        unsigned bits;
    } cases[] = {{1, 12}, {2, 11}, {3, 10}, {256, 4}, {257, 13}};
    struct dataset d = {.team = {{.backend = &gpu, .workers = 1}}, .teams = 1};
    for (size_t i = 0; i < COUNT(cases); i++)
        CHECK_INT(quantiles_bits(&d, cases[i].ranges), cases[i].bits);
    d.job.text = &(struct csv_spec){0};
    CHECK_INT(quantiles_bits(&d, 1), 16);
}

/* Elements [first * n / parts, ...); records whose first byte is there. */
static void test_parts(void)
{
    static const struct {
        const char *line;
        uint64_t offset, bytes;
        bool exact;
    } cases[] = {
        {"--part 1/1 small.f64", 0, 80000, false},
        {"--part 1/3 small.f64", 0, 26664, true},
        {"--part 2/3 small.f64", 26664, 26664, true},
        {"--part 3/3 small.f64", 53328, 26672, false},
        {"--skip-bytes 4 --part 3/3 small.f64", 53332, 26668, false},
        {"--part 1/2 t.csv", 4, 2000, false},
        {"--part 2/2 t.csv", 2004, 2000, false},
        {"--part 1/3 t.csv", 4, 1336, false},
        {"--part 2/3 t.csv", 1340, 1332, false},
        {"--part 3/3 t.csv", 2672, 1332, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        if (make(&plan, cases[i].line)) {
            const struct input *input = &plan.inputs[0];
            CHECK(input->offset == cases[i].offset, "%s: %" PRIu64,
                  cases[i].line, input->offset);
            CHECK(input->bytes == cases[i].bytes, "%s: %" PRIu64, cases[i].line,
                  input->bytes);
            CHECK(input->exact == cases[i].exact, "%s", cases[i].line);
        }
        plan_free(&plan);
    }
}

int main(void)
{
    write_files();
    test_teams();
    test_datasets();
    test_passes();
    test_bits();
    test_parts();
    return check_end();
}
