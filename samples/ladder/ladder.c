/* SPDX-License-Identifier: MIT */
/*
 * ladder [MIB] [--tsv FILE] [--runs N]
 *
 * Runs every rung on MIB of f32 (default 2048) in GPU memory. Checks the
 * answers, times each rung beside reading alone, and runs each rung that has
 * one answer 200 times to count its different answers. Prints tables for a
 * README; --tsv writes the first table for a chart. --runs sets how many runs
 * are timed (default 9); 0 only checks, which is enough for a profiler. The
 * exit status is 1 if a rung is wrong and 77 if there is no GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

enum { RUNGS_MOST = 32, REPEATS = 200, NO_GPU = 77 };

struct arguments {
    size_t mib;
    int runs;
    const char *tsv;
};

struct result {
    bool right;
    double error, rate; /* GB/s */
    struct spread spread;
};

static bool read_number(const char *text, long most, long *to)
{
    char *end;
    *to = strtol(text, &end, 10);
    return end != text && !*end && *to >= 0 && *to <= most;
}

static bool read_arguments(struct arguments *a, int argc, char **argv)
{
    long number;
    *a = (struct arguments){2048, 9, NULL};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--tsv") && i + 1 < argc) {
            a->tsv = argv[++i];
        } else if (!strcmp(argv[i], "--runs") && i + 1 < argc) {
            if (!read_number(argv[++i], 10000, &number))
                return false;
            a->runs = (int)number;
        } else if (read_number(argv[i], 16383, &number) && number >= 1) {
            a->mib = (size_t)number;
        } else {
            return false;
        }
    }
    return true;
}

/* Checks every rung with both kinds of data. The readings stay loaded. */
static bool judge(struct fixture *fixture, struct result *result)
{
    static const char *const name[] = {"whole numbers", "readings"};
    bool right = true;
    for (enum data_kind kind = DATA_WHOLE; kind <= DATA_READINGS; kind++) {
        fixture_load(fixture, kind);
        for (int i = 0; rungs[i].name; i++) {
            const struct verdict v = fixture_judge(fixture, &rungs[i]);
            result[i].right = v.right && (kind == 0 || result[i].right);
            result[i].error = v.error;
            right = right && v.right;
            if (!v.right)
                fprintf(stderr, "ladder: %s: WRONG on %s, by %.3g\n",
                        rungs[i].name, name[kind], v.error);
        }
    }
    return right;
}

static void measure(struct fixture *fixture, struct result *result, int runs)
{
    const double bytes = (double)(fixture->work.n * sizeof *fixture->work.in);
    for (int i = 0; rungs[i].name; i++) {
        result[i].rate = 1e-9 * bytes / fixture_time(fixture, &rungs[i], runs);
        if (rungs[i].shape == SHAPE_FLAT)
            result[i].spread = fixture_spread(fixture, &rungs[i], REPEATS);
    }
}

static void print_rates(const struct result *result, double ceiling)
{
    printf("| rung | it fixes | GB/s | share | error | right |\n"
           "| --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; rungs[i].name; i++)
        printf("| %s | %s | %.0f | %.2f | %.1g | %s |\n", rungs[i].name,
               rungs[i].fixes, result[i].rate, result[i].rate / ceiling,
               result[i].error, result[i].right ? "yes" : "NO");
}

static void print_spreads(const struct result *result, double exact_sum)
{
    printf("\n| rung | different answers in %d runs | least | greatest |\n"
           "| --- | --- | --- | --- |\n",
           REPEATS);
    for (int i = 0; rungs[i].name; i++) {
        const struct spread *s = &result[i].spread;
        if (rungs[i].shape == SHAPE_FLAT)
            printf("| %s | %zu | %.17g | %.17g |\n", rungs[i].name,
                   s->different, s->least, s->greatest);
    }
    printf("\nThe true sum, rounded once: %.17g\n", exact_sum);
}

static bool write_tsv(const char *path, const struct result *result,
                      double ceiling)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "rung\tGB/s\tshare\terror\n");
    for (int i = 0; rungs[i].name; i++)
        fprintf(file, "%s\t%.0f\t%.3f\t%.3g\n", rungs[i].name, result[i].rate,
                result[i].rate / ceiling, result[i].error);
    const bool written = !ferror(file);
    return fclose(file) == 0 && written;
}

static void describe(const struct fixture *fixture, size_t mib, double ceiling)
{
    struct cudaDeviceProp properties;
    must(cudaGetDeviceProperties(&properties, 0));
    printf("%s, %zu MiB of f32: %zu numbers, as %d x %zu or %zu x %d.\n"
           "Reading alone: %.0f GB/s.\n\n",
           properties.name, mib, fixture->work.n, LONG_ROWS,
           fixture->work.n / LONG_ROWS, fixture->work.n / SHORT_COLUMNS,
           SHORT_COLUMNS, ceiling);
}

int main(int argc, char **argv)
{
    struct arguments a;
    struct result result[RUNGS_MOST] = {0};
    struct fixture fixture;
    int devices = 0;
    if (!read_arguments(&a, argc, argv)) {
        fprintf(stderr, "usage: ladder [MIB] [--tsv FILE] [--runs N]\n");
        return 2;
    }
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        fprintf(stderr, "ladder: there is no GPU here\n");
        return NO_GPU;
    }
    fixture_open(&fixture, a.mib << 18);
    bool right = judge(&fixture, result);
    if (a.runs > 0) {
        const double ceiling =
            1e-9 * (double)(a.mib << 20) / fixture_ceiling(&fixture, a.runs);
        measure(&fixture, result, a.runs);
        describe(&fixture, a.mib, ceiling);
        print_rates(result, ceiling);
        print_spreads(result, fixture_exact_sum(&fixture));
        if (a.tsv && !write_tsv(a.tsv, result, ceiling)) {
            perror(a.tsv);
            right = false;
        }
    }
    fixture_close(&fixture);
    printf("\n%s\n", right ? "All rungs are right." : "NOT all are right.");
    return right ? 0 : 1;
}
