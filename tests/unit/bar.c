/* SPDX-License-Identifier: MIT */
/* bar_text: the text of the progress bar at each width. Which samples rates are
 * computed from. What is said beside it. */
#define _GNU_SOURCE
#include "output/bar.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "check.h"
#include "output/progress.h"
#include "output/sink.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct bar half = {.bytes = 1500000000,
                                .rate = 250e6,
                                .done = 1500000000,
                                .goal = 3000000000,
                                .left = 6};

static const char *text(const struct bar *b, unsigned width)
{
    static char out[BAR_MAX];
    return bar_text(out, b, width);
}

static void test_widths(void)
{
    static const struct {
        unsigned width;
        const char *text;
    } lines[] = {
        {79, "1.50 GB  50% [======================>                     ]"
             "  250 MB/s 0:06 left"},
        {46, "1.50 GB  50% [=====>     ]  250 MB/s 0:06 left"},
        {45, "1.50 GB  50% [=====>    ]  250 MB/s 0:06 left"},
        {44, "1.50 GB  50%  250 MB/s 0:06 left"},
        {32, "1.50 GB  50%  250 MB/s 0:06 left"},
        {31, " 50%  250 MB/s 0:06 left"},
        {24, " 50%  250 MB/s 0:06 left"},
        {23, " 50% 0:06 left"},
        {14, " 50% 0:06 left"},
        {13, " 50%"},
        {4, " 50%"},
        {3, ""},
        {0, ""},
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        CHECK_TEXT(text(&half, lines[i].width), lines[i].text);
}

static void test_unknown(void)
{
    struct bar b = half;
    b.goal = BAR_UNKNOWN;
    b.left = -1;
    CHECK_TEXT(text(&b, 79), "1.50 GB  250 MB/s");
    CHECK_TEXT(text(&b, 17), "1.50 GB  250 MB/s");
    CHECK_TEXT(text(&b, 16), "1.50 GB");
    CHECK_TEXT(text(&b, 7), "1.50 GB");
    CHECK_TEXT(text(&b, 6), "");
    /* The file grew beyond its size, so the percentage is unknown. */
    b.goal = b.done - 1;
    CHECK_TEXT(text(&b, 79), "1.50 GB  250 MB/s");
}

/* In a compressed file the percentage counts file bytes, the amount unpacked
 * bytes. */
static void test_packed(void)
{
    struct bar b = {.bytes = 9000, .rate = 3000, .done = 25, .goal = 100};
    CHECK_TEXT(text(&b, 32), "9.00 kB  25% 3.00 kB/s 0:00 left");
}

static void check_amount(uint64_t bytes, const char *want)
{
    struct bar b = {.bytes = bytes, .goal = BAR_UNKNOWN};
    char line[64];
    snprintf(line, sizeof line, "%7s     0 B/s", want);
    CHECK_TEXT(text(&b, 79), line);
}

/* Three digits. The amount is rounded before the unit is chosen. */
static void test_amounts(void)
{
    check_amount(0, "0 B");
    check_amount(1, "1 B");
    check_amount(999, "999 B");
    check_amount(1000, "1.00 kB");
    check_amount(1004, "1.00 kB");
    check_amount(1006, "1.01 kB");
    check_amount(9994, "9.99 kB");
    check_amount(9996, "10.0 kB");
    check_amount(99940, "99.9 kB");
    check_amount(99960, "100 kB");
    check_amount(999499, "999 kB");
    check_amount(999500, "1.00 MB");
    check_amount(123456789, "123 MB");
    check_amount(999500000, "1.00 GB");
    check_amount(6442450944, "6.44 GB");
    check_amount(5000000000000, "5.00 TB");
    check_amount(7000000000000000, "7.00 PB");
    check_amount(UINT64_MAX, "18.4 EB");
}

static void check_percent(uint64_t done, uint64_t goal, const char *want)
{
    struct bar b = {.done = done, .goal = goal};
    CHECK_TEXT(text(&b, 4), want);
}

static void test_percent(void)
{
    check_percent(0, 1, "  0%");
    check_percent(0, UINT64_MAX - 1, "  0%");
    check_percent(999, 100000, "  0%");
    check_percent(1000, 100000, "  1%");
    check_percent(99, 100, " 99%");
    check_percent(100, 100, "100%");
    check_percent(0, 0, "100%");
    /* 99% until the last byte is done. */
    check_percent(UINT64_MAX - 2, UINT64_MAX - 1, " 99%");
    check_percent(UINT64_MAX - 1, UINT64_MAX - 1, "100%");
}

static void check_left(double seconds, const char *want)
{
    struct bar b = {.done = 1, .goal = 2, .left = seconds};
    char line[64];
    snprintf(line, sizeof line, " 50%% %s left", want);
    CHECK_TEXT(text(&b, 20), line);
}

static void test_left(void)
{
    check_left(0, "0:00");
    check_left(.01, "0:01");
    check_left(1, "0:01");
    check_left(59, "0:59");
    check_left(59.5, "1:00");
    check_left(83, "1:23");
    check_left(3599, "59:59");
    check_left(3599.5, "1:00:00");
    check_left(7384, "2:03:04");
    check_left(3599999, "999:59:59");
    check_left(3600000, "-:--");
    check_left(1e300, "-:--");
    check_left(-1, "-:--");
    check_left((double)INFINITY, "-:--");
    check_left((double)NAN, "-:--");
}

static void test_ends_of_the_graph(void)
{
    struct bar b = half;
    b.done = 0;
    CHECK(strstr(text(&b, 45), " [>         ] "));
    b.done = 1;
    CHECK(strstr(text(&b, 45), " [>         ] "));
    b.done = b.goal - 1;
    CHECK(strstr(text(&b, 45), " [=========>] "));
    b.done = b.goal;
    CHECK(strstr(text(&b, 45), " [==========] "));
}

/* For any numbers the text is ASCII and no wider than asked for. If there is
 * room for a graph, the text uses the whole width. */
static void test_any(void)
{
    for (int i = 0; i < 100000; i++) {
        struct bar b = {.bytes = check_random_length(),
                        .rate = (double)check_random_length() / 7,
                        .done = check_random_length(),
                        .goal = check_random_length(),
                        .left = (double)check_random_length() / 3 - 1};
        unsigned width = (unsigned)check_below(300);
        const char *line = text(&b, width);
        size_t n = strlen(line), most = width < BAR_MAX ? width : BAR_MAX - 1;
        CHECK(n <= most, "%zu of %u: %s", n, width, line);
        CHECK(strspn(line, " []=>%-:.0123456789kMGTPEBseft/l") == n, "%s",
              line);
        if (strchr(line, '['))
            CHECK(n == most, "%zu of %u: %s", n, width, line);
    }
    CHECK(strlen(text(&half, UINT32_MAX)) == BAR_MAX - 1);
}

/* Starts and stops a bar that has samples, the last `age` ms ago. Takes three
 * more: at the start, for the first text, and at the end. */
static void test_samples(void)
{
    static const struct {
        size_t samples;
        uint64_t step, age;   /* ms */
        uint64_t bytes, done; /* counted before; now they are 100 */
        bool packed;
        size_t left;
    } cases[] = {
        {0, 1, 1, 0, 0, false, 3},
        {48, 1, 1, 100, 100, false, 51},
        {49, 1, 1, 100, 100, false, 51},
        {51, 1, 1, 100, 100, false, 51},
        {10, 800, 800, 0, 0, false, 9}, /* 4800 ms ago, but not 5600 */
        {9, 1, 2500, 0, 0, false, 12},
        {9, 1, 3500, 0, 0, false, 3}, /* the process was stopped */
        {9, 1, 1, 101, 0, false, 3},  /* a dataset is started again */
        {9, 1, 1, 0, 101, false, 3},
        {9, 1, 1, 100, 7, true, 12},
        {9, 1, 1, 100, 8, true, 3}, /* 7 packed bytes now */
    };
    const int kept = dup(STDERR_FILENO), none = open("/dev/null", O_WRONLY);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct meter meter = {.cut = 100, .packed = 7};
        struct progress p = {.first = 5, .samples = cases[i].samples};
        const uint64_t last = meter_now() - cases[i].age * 1000000;
        for (size_t k = 0; k < p.samples; k++)
            p.sample[(p.first + k) % PROGRESS_SAMPLES] =
                (struct progress_sample){last - (p.samples - 1 - k) *
                                                    cases[i].step * 1000000,
                                         cases[i].bytes, cases[i].done};
        /* From its time the thread knows when to take one more; not now. */
        if (cases[i].samples < 46)
            p.sample[0].ns = last + 1000 * 1000000000ull;
        dup2(none, STDERR_FILENO);
        progress_start(&p, &meter,
                       (struct progress_goal){1000, cases[i].packed}, true);
        progress_stop(&p);
        dup2(kept, STDERR_FILENO);
        const struct progress_sample *now =
            &p.sample[(p.first + p.samples - 1) % PROGRESS_SAMPLES];
        CHECK(p.samples == cases[i].left, "row %zu: %zu", i, p.samples);
        CHECK_U64(now->bytes, 100);
        CHECK_U64(now->done, cases[i].packed ? 7 : 100);
        CHECK(now->ns > last);
    }
    close(none);
    close(kept);
}

static void test_quiet(void)
{
    for (int quiet = 0; quiet < 2; quiet++) {
        char *text = NULL;
        size_t bytes = 0;
        FILE *to = open_memstream(&text, &bytes);
        struct sink sink = {.to = to, .quiet = quiet};
        sink_say(&sink, "restarting");
        fclose(to);
        CHECK_TEXT(text, quiet ? "" : "gpureduce: restarting\n");
        free(text);
    }
}

int main(void)
{
    test_quiet();
    test_samples();
    test_widths();
    test_unknown();
    test_packed();
    test_amounts();
    test_percent();
    test_left();
    test_ends_of_the_graph();
    test_any();
    return check_end();
}
