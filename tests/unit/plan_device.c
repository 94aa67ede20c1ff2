/* SPDX-License-Identifier: MIT */
/* Which teams a plan has beside a device that never runs: when it waits to
 * join, when it may replace the CPU, its chunks and workers, and the devices of
 * a list. */
#include <sys/stat.h>
#include <unistd.h>

#include "axis/device.h"
#include "backend/registry.h"
#include "engine/owner.h"
#include "options_line.h"
#include "plan/plan.h"
#include "temporary.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { KIB = 1 << 10, MIB = 1 << 20, GRAIN = 64 * KIB, LEAST = 128 * MIB };

static int most = 9; /* devices that a probe finds */
static unsigned had = 3, prepared;
static const char *left_by;

static bool probe(int device, struct error *e)
{
    return device < most || error_set(e, ERROR_DEVICE, "no such device");
}

static unsigned count(void)
{
    return had;
}

static void prepare(void)
{
    prepared++;
}

static const char *by_left(const struct job *job)
{
    (void)job;
    return left_by;
}

static const struct context_kind *contexts(const struct job *job)
{
    static const struct context_kind kind = {.slots = 2};
    (void)job;
    return &kind;
}

static bool has_measure(enum measure measure, enum dtype dtype)
{
    (void)dtype;
    return measure == MEASURE_SUM || measure == MEASURE_EXTREMA;
}

static const struct axis_device axes = {.has = has_measure};

static struct backend gpu = {
    .name = "fake",
    .alias = "gpu",
    .title = "a fake GPU",
    .is_numbered = true,
    .faster_on_host =
        MONOID_BIT(distinct) | MONOID_BIT(tallies) | MONOID_BIT(sketch),
    .kept = MONOID_BIT(sketch),
    .kept_alone = MONOID_BIT(distinct),
    .start_up = 0.25,
    .end = 0.125,
    .bus = 64e9,
    .elements = {.chunk = 8 * MIB, .workers = 6, .rate = 3e9, .most = 7e9},
    .records = {.chunk = 6 * MIB, .workers = 5, .rate = 2e9, .most = 5e9},
    .keyed = {.chunk = 5 * MIB, .workers = 4, .rate = 1e9, .most = 4e9},
    .prepare = prepare,
    .probe = probe,
    .count = count,
    .by_left = by_left,
    .contexts = contexts,
    .axes = &axes};

const struct backend *const backends[] = {&backend_cpu, &gpu, NULL};

/* Writes a file of `bytes`, most of them holes. Returns nothing; the file lies
 * in the working directory. */
static void write_file(const char *name, const void *head, size_t n,
                       off_t bytes)
{
    temporary_write(name, head, n);
    CHECK(truncate(name, bytes) == 0);
}

static void write_files(void)
{
    static char text[4 * MIB], wide[600 * 5000];
    char path[TEMPORARY_MAX], npy[129];
    temporary_path(path, "");
    CHECK(chdir(temporary_folder) == 0);
    write_file("at.f64", "", 0, LEAST);
    write_file("under.f64", "", 0, LEAST - 8);
    write_file("big.f64", "", 0, 1 << 30);
    write_file("small.f64", "", 0, 80000);
    write_file("small.u8", "", 0, 10000);
    CHECK(mkfifo("pipe", 0600) == 0);
    snprintf(npy, sizeof npy, "%-127s\n",
             "\x93NUMPY\1_v_{'descr': '<f8', 'fortran_order': "
             "True, 'shape': (2, 8388608), }");
    npy[7] = npy[9] = 0;
    npy[8] = 118;
    write_file("turned.npy", npy, 128, 128 + LEAST);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "1,2\n"[i % 4];
    memcpy(text, "a,b\n", 4);
    write_file("t.csv", text, sizeof text, LEAST + 4);
    for (size_t i = 0; i < sizeof wide; i++)
        wide[i] = i % 5000 == 4999 ? '\n' : "1,"[i % 2];
    write_file("wide.csv", wide, sizeof wide, sizeof wide);
}

static bool make(struct plan *plan, const char *line)
{
    static struct options o;
    struct error e;
    const bool ok = parse(line, &o, &e) && plan_make(plan, &o, NULL, NULL, &e);
    return CHECK(ok, "%s: %s", line, e.text);
}

enum fate { STAYS, JOINS, REPLACES };

/* At 128 MiB of data a device may join. It replaces the CPU only for distinct
 * values, if these have no narrow type; counts of each value are faster here.
 */
static void test_fates(void)
{
    static const struct {
        const char *line;
        enum fate want;
    } cases[] = {
        {"-o sum at.f64", JOINS},
        {"-o sum under.f64", STAYS},
        {"-o sum --device cpu at.f64", STAYS},
        {"-o sum --device fake at.f64", STAYS},
        {"-o sum under.f64 small.f64", JOINS},
        {"-o sum --per-file at.f64 small.f64", JOINS},
        {"-o sum --save-state x at.f64", JOINS},
        {"-o nunique --save-state x at.f64", STAYS},
        {"-o sum at.f64 pipe", STAYS},
        {"-o sum turned.npy", STAYS},
        {"-o sum --where x>0 at.f64", STAYS},
        {"-o sum --map x*2 at.f64", STAYS},
        {"-o reduce --reduce a+b --identity 0 at.f64", STAYS},
        {"-o sum --axis 0 --shape=-1,8 at.f64", REPLACES},
        {"-o sum,max --axis 1 --shape=-1,8 at.f64", REPLACES},
        {"-o sum --axis 0 --shape=-1,5 under.f64", STAYS},
        {"-o sum --axis 0 --shape=-1,8 --device cpu at.f64", STAYS},
        {"-o sum --axis 0 --shape=-1,8 -t >f8 at.f64", STAYS},
        {"-o sum --axis 0 --shape=-1,8 --digits 1 at.f64", STAYS},
        {"-o sum,var --axis 0 --shape=-1,8 at.f64", STAYS},
        {"-o l1 --axis 0 --shape=-1,8 at.f64", STAYS},
        {"-o sum --axis 0,2 --shape=2,4,-1 at.f64", STAYS},
        {"-o sum --axis 0 --shape=-1,8 at.f64 small.f64", STAYS},
        {"-o sum --axis 1 --shape=-1,8 at.f64 small.f64", REPLACES},
        {"-o sum --axis 0,1 turned.npy", REPLACES},
        {"-o max --axis 1 turned.npy", REPLACES},
        {"-o max --axis 0,1 turned.npy", STAYS},
        {"-o nunique at.f64", REPLACES},
        {"-o nunique under.f64", STAYS},
        {"-o nunique --device cpu at.f64", STAYS},
        {"-o nunique,sum -t f32 at.f64", REPLACES},
        {"-o nunique -t f16 at.f64", STAYS},
        {"-o mode at.f64", STAYS},
        {"-o approx_nunique at.f64", JOINS},
        {"-o approx_nunique,nunique at.f64", REPLACES},
        {"-o sum t.csv", JOINS},
        {"-o sum -t i64 t.csv", JOINS},
        {"-o first,nunique t.csv", STAYS},
        {"-o approx_nunique t.csv", STAYS},
        {"-o cov t.csv", STAYS},
        {"--weights a -o mean t.csv", STAYS},
        {"--by a -o sum t.csv", JOINS},
        {"--keys at.f64 -o sum at.f64", STAYS},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        if (make(&plan, cases[i].line)) {
            const struct dataset *d = &plan.datasets[0];
            const enum fate fate = d->teams == 2        ? JOINS
                                   : d->instead.backend ? REPLACES
                                                        : STAYS;
            CHECK(fate == cases[i].want, "%s: %d", cases[i].line, fate);
        }
        plan_free(&plan);
    }
}

/* A record of text has 2 columns here, and 3 bytes by the sample, whose last
 * line is not whole. */
static void test_rows(void)
{
    static const struct {
        const char *line;
        unsigned rows;
        const char *left;
        size_t teams;
    } cases[] = {
        {"-o sum t.csv", 2 * MIB, NULL, 2},
        {"-o sum t.csv", 2 * MIB + 1, NULL, 1},
        {"-o sum -c a t.csv", 4 * MIB, NULL, 2},
        {"-o sum -c a t.csv", 4 * MIB + 1, NULL, 1},
        {"-o sum at.f64", UINT32_MAX, NULL, 2},
        {"--by a -o sum t.csv", 0, "not by key", 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        gpu.records.rows = cases[i].rows;
        left_by = cases[i].left;
        if (make(&plan, cases[i].line))
            CHECK(plan.datasets[0].teams == cases[i].teams, "%s",
                  cases[i].line);
        plan_free(&plan);
    }
    gpu.records.rows = 0;
    left_by = NULL;
}

/* A team that waits has the costs of its kind of data. Its chunks are at most
 * the tuned ones. */
static void test_waiting(void)
{
    static const struct {
        const char *line;
        const struct backend_cost *cost;
        size_t chunk, chunk_least;
        unsigned workers;
        bool waits;
    } cases[] = {
        {"-j 4 -o sum at.f64", &gpu.elements, 8 * MIB, 256 * KIB, 4, true},
        {"-j 9 -o sum at.f64", &gpu.elements, 8 * MIB, 256 * KIB, 6, true},
        {"-j 9 -o sum --chunk-size 16M at.f64", &gpu.elements, 8 * MIB, 0, 6,
         true},
        {"-j 9 -o sum --chunk-size 1M at.f64", &gpu.elements, MIB, 0, 6, true},
        {"-j 2 -o nunique at.f64", &gpu.elements, 8 * MIB, 256 * KIB, 2, false},
        {"-j 9 -o sum t.csv", &gpu.records, 6 * MIB, 256 * KIB, 5, true},
        {"-j 9 --by a -o sum t.csv", &gpu.keyed, 5 * MIB, 256 * KIB, 4, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        if (make(&plan, cases[i].line)) {
            const struct dataset *d = &plan.datasets[0];
            const struct team *team =
                cases[i].waits ? &d->team[1] : &d->instead;
            CHECK(team->backend == &gpu && team->waits == cases[i].waits, "%s",
                  cases[i].line);
            CHECK_INT(team->device, 0);
            CHECK(!d->team[0].waits, "%s", cases[i].line);
            CHECK_U64(team->chunk_bytes, cases[i].chunk);
            CHECK_U64(team->chunk_least, cases[i].chunk_least);
            CHECK_U64(team->workers, cases[i].workers);
            CHECK_DOUBLE(team->rate, cases[i].cost->rate);
            CHECK_DOUBLE(team->most, cases[i].cost->most);
            CHECK(team->start_up == 0.25 && team->end == 0.125 &&
                  team->bus == 64e9 && team->busy == 0.6);
        }
        plan_free(&plan);
    }
}

/* A list shares out the threads. "all" has all devices, at most 16. */
static void test_lists(void)
{
    static const struct {
        const char *line;
        unsigned had;
        size_t teams;
        int last;
        unsigned workers;
    } cases[] = {
        {"--device fake -j 4 -o sum at.f64", 3, 1, 0, 4},
        {"--device gpu:2 -j 9 -o sum at.f64", 3, 1, 2, 6},
        {"--device fake:2,1 -j 7 -o sum at.f64", 3, 2, 1, 3},
        {"--device gpu:all -j 7 -o sum at.f64", 3, 3, 2, 2},
        {"--device gpu:all -j 1 -o sum at.f64", 3, 3, 2, 1},
        {"--device gpu:all -j 1 -o sum at.f64", 16, 16, 15, 1},
        {"--device gpu:all -j 1 -o sum at.f64", 17, 16, 15, 1},
        {"--device cpu -j 7 -o sum at.f64", 3, 1, 0, 7},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        had = cases[i].had;
        prepared = 0;
        if (make(&plan, cases[i].line)) {
            const struct dataset *d = &plan.datasets[0];
            CHECK_U64(d->teams, cases[i].teams);
            for (size_t t = 0; t < d->teams; t++) {
                CHECK(d->team[t].workers == cases[i].workers, "%s: %u",
                      cases[i].line, d->team[t].workers);
                CHECK(!d->team[t].waits, "%s", cases[i].line);
            }
            CHECK_INT(d->team[d->teams - 1].device, cases[i].last);
            CHECK(prepared == (d->team[0].backend == &gpu), "%s",
                  cases[i].line);
        }
        plan_free(&plan);
    }
    had = 3;
}

/* "all" needs the first device; --explain probes each one. */
static void test_probes(void)
{
    static const struct {
        const char *line;
        int most;
        bool ok;
    } cases[] = {
        {"--device gpu:all small.f64", 0, false},
        {"--device gpu:all small.f64", 1, true},
        {"--explain --device gpu:all small.f64", 2, false},
        {"--explain --device gpu:all small.f64", 3, true},
        {"--explain --device gpu:0,2 small.f64", 2, false},
        {"--device gpu:0,2 small.f64", 2, true},
        {"--explain --device cpu small.f64", 0, true},
        {"--explain small.f64", 0, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        struct options o;
        struct error e;
        most = cases[i].most;
        CHECK(parse(cases[i].line, &o, &e) &&
                  plan_make(&plan, &o, NULL, NULL, &e) == cases[i].ok,
              "%s", cases[i].line);
        plan_free(&plan);
    }
    most = 9;
}

/* --verify computes on the other device, if there is one and the user did not
 * ask for one. */
static void test_verification(void)
{
    static const struct {
        const char *line;
        int most;
        bool on_gpu;
        unsigned workers;
    } cases[] = {
        {"-j 9 big.f64", 9, true, 6},
        {"-j 5 big.f64", 1, true, 4},
        {"-j 9 big.f64", 0, false, 8},
        {"-j 9 --device cpu big.f64", 9, false, 8},
        {"-j 5 --device fake big.f64", 9, false, 4},
        {"-j 9 -o cov t.csv", 9, false, 8},
        {"-j 9 --axis 0 --shape=-1,8 big.f64", 9, false, 8},
        {"-j 9 --where x>0 big.f64", 9, false, 8},
        {"-j 9 -o reduce --reduce a+b --identity 0 big.f64", 9, false, 8},
        {"-j 9 --by a t.csv", 9, false, 8},
        {"-j 9 t.csv", 9, true, 5},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        most = cases[i].most;
        if (make(&plan, cases[i].line)) {
            const struct dataset other =
                dataset_verification(&plan, &plan.datasets[0]);
            CHECK((other.team[0].backend == &gpu) == cases[i].on_gpu, "%s",
                  cases[i].line);
            CHECK_U64(other.teams, 1);
            CHECK(other.team[0].workers == cases[i].workers, "%s: %u",
                  cases[i].line, other.team[0].workers);
        }
        plan_free(&plan);
    }
    most = 9;
}

/* The tuned chunks of the CPU: a quarter of a thread's share of a file that is
 * mapped, within limits; 128 records of text; less by key. */
static void test_tuned(void)
{
    static const struct {
        const char *line;
        size_t chunk, columns; /* of 2500; 0: the chunk is as long as said */
    } cases[] = {
        {"-j 4 -o sum big.f64", 4 * MIB, 0},
        {"-j 128 -o sum big.f64", 2 * MIB, 0},
        {"-j 250 -o sum big.f64", 17 * GRAIN, 0},
        {"-j 600 -o sum big.f64", 512 * KIB, 0},
        {"-j 4 -o sum -t >f8 big.f64", 512 * KIB, 0},
        {"-j 4 -o sum big.f64 pipe", 512 * KIB, 0},
        {"-j 1 wide.csv", 0, 2500},
        {"-j 1 -c 1-2400 wide.csv", 0, 2400},
        {"-j 2 wide.csv", 512 * KIB, 0},
        {"-j 1 -c 1 wide.csv", 512 * KIB, 0},
        {"--keys small.u8 --chunk-size 64M -o sum small.f64", MIB, 0},
        {"--keys small.u8 --chunk-size 64M --device gpu -o sum small.f64",
         4 * MIB, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        if (make(&plan, cases[i].line)) {
            const struct dataset *d = &plan.datasets[0];
            const size_t record = d->table ? d->table->record_bytes : 0;
            const size_t want = cases[i].columns
                                    ? 128 * record / 2500 * cases[i].columns
                                    : cases[i].chunk;
            CHECK(d->team[0].chunk_bytes == want, "%s: %zu", cases[i].line,
                  d->team[0].chunk_bytes);
        }
        plan_free(&plan);
    }
}

/* Why a device that was asked for is not used. */
static void test_left(void)
{
    static const struct {
        const char *line, *left;
    } cases[] = {
        {"--device gpu -o sum at.f64", NULL},
        {"--device gpu -o sum --save-state x at.f64", NULL},
        {"--device gpu -o nunique --save-state x at.f64",
         "distinct values are saved"},
        {"--device cpu -o nunique --save-state x at.f64", NULL},
        {"-o nunique --save-state x at.f64", NULL},
        {"--device gpu -o sum --axis 0 --shape=-1,8 --save-state x at.f64",
         "the states of outputs are saved"},
        {"--device gpu -o sum --where x>0 at.f64",
         "expressions run on the CPU"},
        {"--device gpu -o sum --bad skip --where a>0 t.csv",
         "the CPU counts the bad cells that expressions read"},
        {"--device gpu:0,1 -o sum --where x>0 at.f64",
         "expressions take one GPU"},
        {"--device gpu -o sum --where x>0 turned.npy",
         "the order of the elements is not known or not the file's"},
        {"--device gpu -o sum --where x>0 at.f64 pipe",
         "the order of the elements is not known or not the file's"},
        {"--device gpu -o sum --where index()>5 t.csv",
         "one thread of the CPU counts the records for index()"},
        {"--device cpu -o sum --where x>0 at.f64", NULL},
        {"--device gpu --by a -o sum t.csv", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct plan plan;
        if (make(&plan, cases[i].line)) {
            const struct dataset *d = &plan.datasets[0];
            CHECK_TEXT(d->left, cases[i].left);
            CHECK((d->team[0].backend == &gpu) ==
                      (!d->left && plan.backend == &gpu),
                  "%s", cases[i].line);
        }
        plan_free(&plan);
    }
}

/* Workers share a FILE of several arrays, 65 MiB together here. A chunk is at
 * most one of its arrays. */
static void test_packs(void)
{
    char file[256] = "";
    snprintf(file + 8, sizeof file - 8,
             "{\"a\":{\"dtype\":\"F64\",\"shape\":[%d],"
             "\"data_offsets\":[0,%d]},"
             "\"b\":{\"dtype\":\"F64\",\"shape\":[%d],"
             "\"data_offsets\":[%d,%d]}}",
             8 * MIB, 64 * MIB, MIB / 8, 64 * MIB, 65 * MIB);
    file[0] = (char)strlen(file + 8);
    const size_t head = 8 + strlen(file + 8);
    write_file("two.safetensors", file, head, (off_t)head + 65 * MIB);
    struct plan plan;
    if (make(&plan, "-j 8 -o sum two.safetensors")) {
        CHECK_U64(plan.datasets[0].team[0].chunk_bytes, 33 * GRAIN);
        CHECK_U64(plan.datasets[1].team[0].chunk_bytes, MIB);
    }
    plan_free(&plan);
}

int main(void)
{
    write_files();
    test_fates();
    test_rows();
    test_waiting();
    test_lists();
    test_probes();
    test_verification();
    test_tuned();
    test_left();
    test_packs();
    return check_end();
}
