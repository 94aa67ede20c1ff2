/* SPDX-License-Identifier: MIT */
/*
 * Compares every function that reads a number from text with libc and with
 * integers of any size: on random and hostile texts, on all short texts, and on
 * what printf makes of random bits.
 *
 *   check_numbers [--seed N] [--long] [--texts N] [--trips N]
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "texts.h"
#include "readers.h"

enum { THREADS = 2 };

struct options {
    uint64_t seed, texts, trips;
    int longest; /* every text of up to this many bytes is checked */
};

struct task {
    const struct options *options;
    int number; /* of the thread, from 0 */
    struct run run;
};

/* Checks every text of up to `longest` of these bytes. Each thread takes its
 * share. */
static void check_short(struct run *run, int number, int longest)
{
    static const char bytes[] = "09.e-+1";
    const uint64_t base = sizeof bytes - 1;
    uint64_t count = 1;
    for (int length = 1; length <= longest; length++) {
        count *= base;
        for (uint64_t i = (uint64_t)number; i < count; i += THREADS) {
            char text[16];
            uint64_t rest = i;
            for (int k = 0; k < length; k++, rest /= base)
                text[k] = bytes[rest % base];
            check_text(run, text, (size_t)length);
        }
    }
}

static const struct text_class *any_class(struct random *r)
{
    const struct text_class *kind = text_classes;
    uint64_t ticket = random_below(r, 64);
    for (; ticket >= kind->share; kind++)
        ticket -= kind->share;
    return kind;
}

static void check_trip_float(struct run *run, bool wide)
{
    char text[64];
    uint64_t bits = random_next(&run->random);
    double x;
    float y;
    if (!wide)
        bits >>= 32;
    else if (run->trips & 4) /* exponents of everyday numbers */
        bits = (bits & ~(0x7ffull << 52)) | (1023 - 20 + (bits >> 58)) << 52;
    memcpy(&x, &bits, sizeof x);
    memcpy(&y, &bits, sizeof y);
    if (wide ? x != x : y != y)
        return;
    int n = wide ? sprintf(text, "%.17g", x) : sprintf(text, "%.9g", (double)y);
    check_trip(run, wide ? DTYPE_f64 : DTYPE_f32, text, (size_t)n, bits);
}

static void check_trip_whole(struct run *run)
{
    char text[64];
    uint64_t bits = random_next(&run->random);
    bits >>= random_below(&run->random, 64);
    if (run->trips & 4) {
        int n = sprintf(text, "%" PRIu64, bits);
        check_trip(run, DTYPE_u64, text, (size_t)n, bits);
    } else {
        int32_t small = (int32_t)bits;
        int n = sprintf(text, "%" PRId32, small);
        check_trip(run, DTYPE_i32, text, (size_t)n, (uint32_t)small);
    }
}

static void *check_all(void *p)
{
    struct task *task = p;
    struct run *run = &task->run;
    const struct options *o = task->options;
    char text[TEXT_MAX];
    check_short(run, task->number, o->longest);
    for (uint64_t i = 0; i < o->texts / THREADS; i++) {
        size_t n = any_class(&run->random)->make(text, &run->random);
        check_text(run, text, n);
    }
    for (uint64_t i = 0; i < o->trips / THREADS; i++) {
        if (i % 3 == 2)
            check_trip_whole(run);
        else
            check_trip_float(run, i % 3);
    }
    run_end(run);
    oracle_free();
    return NULL;
}

static void add(struct run *to, const struct run *from)
{
    to->texts += from->texts;
    to->numbers += from->numbers;
    to->compared += from->compared;
    to->quick += from->quick;
    to->undecided += from->undecided;
    to->nearest += from->nearest;
    to->trips += from->trips;
    to->failures += from->failures;
}

static int report(const struct run *all)
{
    printf("%" PRIu64 " texts, for all dtypes %" PRIu64 " numbers; %" PRIu64
           " readings compared, %" PRIu64 " decided quickly\n"
           "%" PRIu64 " undecided by 19 digits, %" PRIu64
           " held to big integers, %" PRIu64 " round trips, %" PRIu64
           " wrong\n",
           all->texts, all->numbers, all->compared, all->quick, all->undecided,
           all->nearest, all->trips, all->failures);
    return all->failures > 0 || all->nearest == 0 || all->trips == 0;
}

static int run_threads(const struct options *o)
{
    static struct task task[THREADS];
    pthread_t thread[THREADS];
    printf("seed 0x%" PRIx64 ", quick readers:", o->seed);
    for (size_t i = 0; quick_sets(i); i++)
        printf(" %s", quick_sets(i)->name);
    printf("\n");
    for (int i = 0; i < THREADS; i++) {
        task[i].options = o;
        task[i].number = i;
        run_start(&task[i].run, random_hash(o->seed, (uint64_t)i));
        if (pthread_create(&thread[i], NULL, check_all, &task[i]) != 0)
            return 2;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        if (i > 0)
            add(&task[0].run, &task[i].run);
    }
    return report(&task[0].run);
}

int main(int argc, char **argv)
{
    struct options o = {0x6e756d62, 200000, 600000, 5};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "0";
        if (strcmp(argv[i], "--long") == 0) {
            o.longest = 7;
            o.texts = 20000000;
            o.trips = 150000000;
        } else if (strcmp(argv[i], "--seed") == 0) {
            o.seed = strtoull(value, NULL, 0);
            i++;
        } else if (strcmp(argv[i], "--texts") == 0) {
            o.texts = strtoull(value, NULL, 0);
            i++;
        } else if (strcmp(argv[i], "--trips") == 0) {
            o.trips = strtoull(value, NULL, 0);
            i++;
        } else {
            fprintf(stderr, "usage: check_numbers [--seed N] [--long] "
                            "[--texts N] [--trips N]\n");
            return 2;
        }
    }
    return run_threads(&o);
}
