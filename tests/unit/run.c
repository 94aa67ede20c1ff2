/* SPDX-License-Identifier: MIT */
/* Decisions of a run, without a run: a device instead of the CPU for distinct
 * values and along axes, the goal of the bar, the ranks of quantiles, and where
 * an element is. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis/axis.h"
#include "base/error.h"
#include "check.h"
#include "run/covers.h"
#include "run/instead.h"
#include "run/places.h"
#include "run/report.h"
#include "run/row.h"
#include "run/trial.h"
#include "source/io.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- a device for distinct values ---- */

/* The file that the threads of the next samples read. It has `different`
 * values, or only different ones if that is 0, which lie `apart` from each
 * other. `cached` of 8 reads find their bytes in memory; the others fail, as if
 * a disk had them. */
static struct {
    enum dtype dtype;
    uint64_t different, apart;
    unsigned cached, reads;
} file;

bool __wrap_io_pread_cached(int fd, void *to, size_t bytes, uint64_t offset,
                            size_t *got);

bool __wrap_io_pread_cached(int fd, void *to, size_t bytes, uint64_t offset,
                            size_t *got)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const size_t size = dtype_info(file.dtype)->size;
    pthread_mutex_lock(&lock);
    CHECK(fd == 0 && offset % size == 0);
    for (size_t i = 0; i < bytes / size; i++) {
        uint64_t x = check_random();
        if (file.different)
            x = x % file.different * file.apart;
        if (file.dtype == DTYPE_f64)
            x = dtype_from_double(DTYPE_f64, (double)(x >> 1));
        memcpy((char *)to + i * size, &x, size);
    }
    *got = bytes;
    const bool is_cached = file.reads++ % 8 < file.cached;
    pthread_mutex_unlock(&lock);
    return is_cached;
}

static bool is_absent;

static bool probe(int device, struct error *e)
{
    CHECK_INT(device, 3);
    return !is_absent || error_set(e, ERROR_DEVICE, "it is absent");
}

static double speed(int device)
{
    CHECK_INT(device, 3);
    return 5e9;
}

static const struct backend fake = {
    .name = "fake", .title = "a device", .probe = probe, .speed = speed};

/* Expected: by the table of costs in instead.c, 8 to 160 ns for an element of
 * 64 bits on one thread; 0.3 s and the transfer for the device. */
static void test_instead(void)
{
    const uint64_t gb = 1000000000;
    static const struct {
        enum dtype dtype;
        double gb;
        uint64_t different, apart;
        unsigned workers;
        double most; /* GB/s of the device */
        unsigned cached;
        bool is_absent, chosen;
        const char *reason;
    } cases[] = {
        {DTYPE_f64, 5, 0, 1, 16, 50, 8, false, true,
         "a sample has about 1e+12 different values: estimated 5.85 s on the "
         "CPU, 0.40 s with a device"},
        {DTYPE_f64, 8, 0, 1, 16, 50, 8, false, false,
         "a sample has about 1e+12 different values: estimated 10.00 s on the "
         "CPU, 0.46 s with a device, which may have too little memory"},
        {DTYPE_f64, 5, 0, 1, 16, 50, 8, true, false,
         "a sample has about 1e+12 different values: estimated 5.85 s on the "
         "CPU, 0.40 s with a device; but it is absent"},
        /* Beyond the table the time does not grow. */
        {DTYPE_f64, 16, 0, 1, 16, 50, 8, false, false,
         "a sample has about 1e+12 different values: estimated 20.00 s on the "
         "CPU, 0.62 s with a device, which may have too little memory"},
        /* Four bytes each always have room. */
        {DTYPE_f32, 8, 1 << 30, 1, 16, 50, 8, false, true, NULL},
        /* Room for four times the estimate: 5 * 10^7 fit, 10^9 may not. */
        {DTYPE_f64, 8, 100000000, 1, 16, 50, 8, false, true, NULL},
        {DTYPE_f64, 8, 2000000000, 1, 16, 50, 8, false, false, NULL},
        /* 8 ns for each of 10^9 elements. */
        {DTYPE_i64, 8, 100, 1ull << 40, 16, 50, 8, false, false,
         "a sample has about 1e+02 different values: estimated 0.50 s on the "
         "CPU, 0.46 s with a device"},
        {DTYPE_i64, 8, 100, 1ull << 40, 8, 50, 8, false, true,
         "a sample has about 1e+02 different values: estimated 1.00 s on the "
         "CPU, 0.46 s with a device"},
        {DTYPE_i64, 8, 100, 1ull << 40, 8, 8, 8, false, false,
         "a sample has about 1e+02 different values: estimated 1.00 s on the "
         "CPU, 1.30 s with a device"},
        /* A million: 25 ns each, but 8 ns if they are dense. */
        {DTYPE_i64, 8, 1000000, 1, 16, 50, 8, false, false, NULL},
        {DTYPE_i64, 8, 1000000, 7, 16, 50, 8, false, true, NULL},
        /* Floats are never dense: 23 ns each of 2 * 10^9, not 5. */
        {DTYPE_f32, 8, 1 << 20, 1, 32, 50, 8, false, true, NULL},
        /* One block of 8 may be on a disk, but no more. */
        {DTYPE_f64, 5, 0, 1, 16, 50, 7, false, true, NULL},
        {DTYPE_f64, 5, 0, 1, 16, 50, 6, false, false, ""},
        {DTYPE_f64, 0.008, 0, 1, 16, 50, 8, false, false, ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char reason[TEAM_REASON];
        struct error e = {.kind = ERROR_NONE};
        const uint64_t bytes = (uint64_t)(cases[i].gb * (double)gb) / 8 * 8;
        struct input input = {.regular = true, .bytes = bytes, .fd = 0};
        struct dataset d = {
            .inputs = &input,
            .count = 1,
            .bytes = bytes,
            .job = {.dtype = cases[i].dtype, .reading = &reading_elements},
            .team = {{.workers = cases[i].workers}},
            .teams = 2,
            .instead = {.backend = &fake,
                        .device = 3,
                        .workers = 8,
                        .start_up = 0.2,
                        .end = 0.07,
                        .rate = 40e9,
                        .most = 1e9 * cases[i].most}};
        input.dtype = d.job.dtype;
        file.dtype = d.job.dtype;
        file.different = cases[i].different;
        file.apart = cases[i].apart;
        file.cached = cases[i].cached;
        is_absent = cases[i].is_absent;
        CHECK(instead_choose(&d, reason, &e), "%zu: %s", i, e.text);
        CHECK((d.team[0].backend == &fake) == cases[i].chosen, "%zu: %s", i,
              reason);
        CHECK_U64(d.teams, cases[i].chosen ? 1 : 2);
        if (cases[i].reason)
            CHECK_TEXT(reason, cases[i].reason);
        d.instead.backend = NULL;
        CHECK(instead_choose(&d, reason, &e) && *reason == '\0', "%zu", i);
    }
}

/* Only a device that the user did not ask for may fail, and not in silence. */
static void test_failed(void)
{
    static const struct {
        bool asked;
        enum error_kind kind;
        const char *says;
    } cases[] = {{true, ERROR_DEVICE, ""},
                 {false, ERROR_DATA, ""},
                 {false, ERROR_DEVICE,
                  "gpureduce: GPU: lost\ngpureduce: restarting on the CPU\n"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct plan plan = {.backend = cases[i].asked ? &fake : NULL};
        const struct error e = {.kind = cases[i].kind, .text = "GPU: lost"};
        char *said;
        size_t bytes;
        struct sink sink = {.to = open_memstream(&said, &bytes)};
        CHECK(instead_failed(&plan, &sink, &e) == (*cases[i].says != '\0'),
              "%zu", i);
        fclose(sink.to);
        CHECK(strcmp(said, cases[i].says) == 0, "%zu: %s", i, said);
        free(said);
    }
}

/* Chunks are halved, and workers. Not below the least size, nor if the user
 * chose it; not if an input is a pipe or the device was not asked for. */
static void test_smaller(void)
{
    static const struct {
        bool asked, lacks, regular, again, smaller;
        unsigned workers, then;
        size_t least, chunk, halved;
    } cases[] = {
        {true, true, true, false, true, 5, 3, 256, 1536, 768},
        {true, true, true, false, true, 1, 1, 256, 768, 256},
        {true, true, true, false, false, 1, 1, 256, 511, 511},
        {true, true, true, false, true, 2, 1, 256, 256, 256},
        {true, true, false, true, true, 4, 2, 0, 4096, 4096},
        {true, true, true, false, false, 1, 1, 0, 4096, 4096},
        {true, true, false, false, false, 4, 4, 256, 4096, 4096},
        {true, false, true, false, false, 4, 4, 256, 4096, 4096},
        {false, true, true, false, false, 4, 4, 256, 4096, 4096},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct plan plan = {.backend = cases[i].asked ? &fake : NULL};
        const struct error e = {.kind = ERROR_DEVICE,
                                .lacks_memory = cases[i].lacks};
        const struct team team = {.workers = cases[i].workers,
                                  .chunk_bytes = cases[i].chunk,
                                  .chunk_least = cases[i].least};
        struct input inputs[2] = {{.regular = true}, {.again = cases[i].again}};
        inputs[1].regular = cases[i].regular;
        struct dataset d = {.inputs = inputs, .count = 2, .teams = 2};
        d.team[0] = d.team[1] = team;
        CHECK(instead_smaller(&plan, &d, &e) == cases[i].smaller, "%zu", i);
        for (size_t t = 0; t < 2; t++) {
            CHECK_U64(d.team[t].workers, cases[i].then);
            CHECK_U64(d.team[t].chunk_bytes, cases[i].halved);
            CHECK(d.team[t].is_short == (cases[i].halved < cases[i].chunk),
                  "%zu", i);
        }
    }
}

/* ---- a device along axes ---- */

/* A meter on which the CPU takes 10^7 bytes in each millisecond at most. */
static void test_trial(void)
{
    static const struct {
        double most, bus; /* bytes/s; the device's own bus has 5e9 */
        uint64_t outputs;
        bool has_device, is_absent, over, ends;
        const char *reason;
    } cases[] = {
        {100e9, 5e9, 1, true, false, true, true, " with a device"},
        {100e9, 10e9, 1, true, false, true, true, " with a device"},
        {100e9, 5e9, 1, false, false, false, false, ""},
        {1, 5e9, 1, true, false, false, false, " with a device"},
        {100e9, 5e9, 1ull << 50, true, false, false, false, " with a device"},
        {100e9, 5e9, 1, true, true, true, false, "; but it is absent"},
        /* Its bus has a millionth of the speed that `most` needs. */
        {100e9, 5e15, 1, true, false, true, false, " with a device"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct meter meter = {.cut = 0};
        struct dataset d = {
            .bytes = 1ull << 40,
            .job = {.meter = &meter},
            .team = {{.workers = 1}},
            .geometry = {.slabs = cases[i].outputs,
                         .items = 1,
                         .inner_outputs = 1},
            .instead = {.backend = cases[i].has_device ? &fake : NULL,
                        .device = 3,
                        .workers = 8,
                        .rate = 100e9,
                        .most = cases[i].most,
                        .bus = cases[i].bus}};
        struct trial t;
        struct axis_job job = {.watch = NULL};
        is_absent = cases[i].is_absent;
        trial_begin(&t, &d, &job);
        CHECK((job.watch != NULL) == cases[i].has_device, "%zu", i);
        bool ended = false;
        const uint64_t start = meter_now();
        uint64_t last = start;
        while (job.watch && !t.is_over && !ended &&
               meter_now() - start < 100000000) {
            const uint64_t now = meter_now();
            meter.cut += (now - last) * 10;
            last = now;
            ended = !job.watch->goes_on(job.watch->context);
        }
        CHECK(t.is_over == cases[i].over, "%zu: %s", i, t.reason);
        CHECK(ended == cases[i].ends, "%zu: %s", i, t.reason);
        CHECK(strstr(t.reason, cases[i].reason), "%zu: %s", i, t.reason);
    }
}

/* ---- the bar's goal ---- */

static void test_goal(void)
{
    static const uint64_t none = INPUT_UNKNOWN;
    static const struct {
        struct input input[2];
        bool verify, again;
        uint64_t goal;
        bool packed;
    } cases[] = {
        {{{.bytes = 7}, {.bytes = 5}}, false, false, 12, false},
        {{{.bytes = 7}, {.bytes = 5}}, true, false, 24, false},
        {{{.bytes = 7}, {.bytes = 5}}, false, true, 24, false},
        {{{.bytes = 7}, {.bytes = 5}}, true, true, 48, false},
        {{{.bytes = 7}, {.bytes = none}}, false, false, none, true},
        {{{.bytes = 1ull << 63}, {.bytes = 1ull << 63}},
         false,
         false,
         none,
         true},
        /* A stream that the first look read to its end. */
        {{{.bytes = 7},
          {.bytes = none, .ended = true, .head_bytes = 9, .offset = 2}},
         false,
         false,
         14,
         false},
        {{{.bytes = 7},
          {.bytes = none, .ended = true, .head_bytes = 9, .offset = 10}},
         false,
         false,
         7,
         false},
        /* Compressed files, and one that is a pipe. */
        {{{.bytes = none, .again = true, .file_bytes = 3},
          {.bytes = none, .again = true, .file_bytes = 4}},
         false,
         false,
         7,
         true},
        {{{.bytes = none, .again = true, .file_bytes = 3},
          {.bytes = none, .file_bytes = 4}},
         false,
         false,
         none,
         true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct input input[2] = {cases[i].input[0], cases[i].input[1]};
        const struct plan plan = {.inputs = input,
                                  .input_count = 2,
                                  .verify = cases[i].verify,
                                  .reads_again = cases[i].again};
        const struct progress_goal goal = run_goal(&plan);
        CHECK_U64(goal.bytes, cases[i].goal);
        CHECK(goal.packed == cases[i].packed, "%zu", i);
    }
}

/* ---- ranks ---- */

static void test_ranks(void)
{
    static const struct {
        const char *op, *asserted;
        uint64_t n;
        const char *ranks;
    } cases[] = {
        {"sum", "max", 9, ""},         {"median", "sum", 5, "2"},
        {"median", "sum", 4, "12"},    {"sum", "median", 4, "12"},
        {"median", "sum", 0, ""},      {"median", "median", 5, "22"},
        {"median", "median", 1, "00"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct asserted name = {.op = op_find(cases[i].asserted)};
        struct assertion assertion = {.name = &name, .names = 1};
        const struct plan plan = {.op = {op_find(cases[i].op)},
                                  .ops = 1,
                                  .interpolation = INTERPOLATION_linear,
                                  .assertion = &assertion,
                                  .assertions = 1};
        uint64_t rank[8];
        char got[9] = "";
        CHECK_U64(covers_ranks_most(&plan), COUNT(rank));
        const size_t n = covers_ranks(&plan, cases[i].n, rank);
        for (size_t k = 0; k < n; k++) {
            const char digit[2] = {(char)('0' + rank[k]), '\0'};
            strcat(got, digit);
        }
        CHECK_TEXT(got, cases[i].ranks);
    }
}

/* ---- places and rows ---- */

/* Two arrays of four-byte elements, after headers of 100 and 200 bytes, with an
 * empty one between. The last byte of the first is no whole element. */
static void test_place(void)
{
    const struct input input[] = {
        {.dtype = DTYPE_f32, .taken = 13, .offset = 100},
        {.dtype = DTYPE_f32, .taken = 0, .offset = 7},
        {.dtype = DTYPE_f32, .taken = 8, .offset = 200}};
    static const struct {
        size_t inputs;
        uint64_t index;
        int input;
        uint64_t offset;
    } cases[] = {{3, 0, 0, 100},
                 {3, 2, 0, 108},
                 {3, 3, 2, 200},
                 {3, 4, 2, 204},
                 {1, 5, 0, 120}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct answers_part part = {.input = input,
                                          .inputs = cases[i].inputs};
        const struct place place = place_of(&part, cases[i].index);
        CHECK_TEXT(place.kind, "offset");
        CHECK_INT(place.input - input, cases[i].input);
        CHECK_U64(place.at.word[0], cases[i].offset);
    }
}

static void test_rows(void)
{
    static const struct {
        uint64_t n, bad, bits, index;
        bool is_bool, good;
        const char *text;
    } cases[] = {
        {0, 0, 0, INDEX_NONE, false, true, ""},
        {1, 3, 0, 0, false, true, ""},
        {0, 1, 0, INDEX_NONE, false, false, "each of its 1 cells is bad"},
        {3, 0, 1, 2, true, true, ""},
        {3, 0, 2, 2, true, false, "element 2 is 2, but a bool is 0 or 1"},
        {3, 0, 2, 2, false, true, ""},
        {0, 0, 2, INDEX_NONE, true, true, ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct error e = {.kind = ERROR_NONE};
        struct csv_table table = {.columns = 1};
        struct input input = {.name = "x"};
        const struct dataset d = {
            .inputs = &input, .count = 1, .table = &table};
        const union state state = {
            .extrema.max = {0, cases[i].bits, cases[i].index}};
        struct totals t = {
            .n = cases[i].n, .bad = cases[i].bad, .is_bool = cases[i].is_bool};
        t.state[MONOID_extrema] = &state;
        CHECK(row_check(&d, 0, &t, &e) == cases[i].good, "%zu", i);
        CHECK(strncmp(e.text, cases[i].text, strlen(cases[i].text)) == 0,
              "%zu: %s", i, e.text);
    }
}

int main(void)
{
    test_instead();
    test_failed();
    test_smaller();
    test_trial();
    test_goal();
    test_ranks();
    test_place();
    test_rows();
    return check_end();
}
