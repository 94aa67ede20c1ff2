/* SPDX-License-Identifier: MIT */
/* The CPU loops, on data at any address between two inaccessible pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reduce/cpu/accumulator.h"
#include "subjects.h"

enum { SETS_MAX = 4, ROOM = DATASET_MAX * 8 };

static unsigned char *room(void)
{
    static unsigned char *start;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (start)
        return start;
    start = mmap(NULL, ROOM + 2 * page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start, page, PROT_NONE) != 0 ||
        mprotect(start + page + ROOM, page, PROT_NONE) != 0) {
        perror("check_backends: mmap");
        exit(2);
    }
    start += page;
    return start;
}

/* Copies the data to the end of the accessible memory, its start or in
 * between. */
static const unsigned char *place(const struct dataset *d, struct random *r)
{
    size_t bytes = dataset_size(d), left = ROOM - bytes;
    uint64_t where = random_below(r, 3);
    size_t offset = where == 0   ? left
                    : where == 1 ? 0
                                 : random_below(r, left < 256 ? left + 1 : 256);
    return memcpy(room() + offset, d->bytes, bytes);
}

struct trial {
    const struct cpu_loops *loops;
    enum monoid monoid;
    struct accumulator *work;
    const struct dataset *data;
    const unsigned char *at;
    struct random *random;
};

static void run(const struct trial *x, size_t from, size_t to)
{
    const struct dataset *d = x->data;
    const unsigned char *p = x->at + from * dtype_info(d->dtype)->size;
    x->loops->run[x->monoid][d->dtype](x->work, p, to - from, d->first + from);
}

/* Returns the end of a piece that starts at `from`. Some pieces are empty. */
static size_t cut(const struct trial *x, size_t from)
{
    static const size_t most[] = {2, 40, 600, 2000, 9000, 100000};
    size_t n = x->data->n;
    size_t step = random_below(x->random, most[random_below(x->random, 6)]);
    size_t leaves = 1 + random_below(x->random, 5);
    if (x->monoid == MONOID_prod && dtype_is_float(x->data->dtype))
        step = leaves * PROD_LEAF;
    else if (step < n / 100)
        step = n / 100;
    return n - from < step ? n : from + step;
}

/* Adds several pieces to one state. */
static void run_stretches(const struct trial *x, union state *out)
{
    size_t to = 0;
    accumulator_begin(x->work, out);
    do {
        size_t from = to;
        to = cut(x, from);
        run(x, from, to);
    } while (to < x->data->n);
    accumulator_end(x->work);
}

/* Computes the state of one piece and merges it into `out`. */
static void append(const struct trial *x, size_t from, size_t to,
                   union state *out)
{
    union state piece;
    monoids[x->monoid].init(&piece, x->data->dtype);
    accumulator_begin(x->work, &piece);
    run(x, from, to);
    accumulator_end(x->work);
    monoids[x->monoid].merge(out, &piece);
}

/* Computes a state for each piece and merges them in order. */
static void run_pieces(const struct trial *x, union state *out)
{
    size_t to = 0;
    do {
        size_t from = to;
        to = cut(x, from);
        append(x, from, to, out);
    } while (to < x->data->n);
}

/* Merges the last piece first. Only the product of floats depends on the
 * order. */
static void run_backwards(const struct trial *x, union state *out)
{
    size_t end = x->data->n;
    do {
        size_t from = random_below(x->random, end + 1);
        if (end < 20 || from < x->data->n / 50)
            from = 0;
        append(x, from, end, out);
        end = from;
    } while (end > 0);
}

static void run_whole(const struct trial *x, union state *out)
{
    accumulator_begin(x->work, out);
    run(x, 0, x->data->n);
    accumulator_end(x->work);
}

static void check_loop(struct score *t, const struct trial *x,
                       const struct reference *want)
{
    static const struct {
        const char *how;
        void (*run)(const struct trial *x, union state *out);
    } orders[] = {{"in one run", run_whole},
                  {"in stretches", run_stretches},
                  {"in pieces", run_pieces},
                  {"in pieces, last first", run_backwards}};
    bool ordered = x->monoid == MONOID_prod && dtype_is_float(x->data->dtype);
    char name[64];
    snprintf(name, sizeof name, "loops %s", x->loops->name);
    for (size_t i = 0; i < (ordered ? 3 : 4); i++) {
        struct subject s = {name, orders[i].how, x->data};
        union state got;
        monoids[x->monoid].init(&got, x->data->dtype);
        orders[i].run(x, &got);
        compare_state(t, &s, want, x->monoid, &got);
    }
}

void loops_check(struct score *t, const struct dataset *d,
                 const struct reference *want)
{
    /* Reused for all datasets, as a worker reuses them. */
    static struct accumulator works[SETS_MAX][MONOIDS_END];
    static enum dtype of = DTYPES_END;
    struct random random = {d->seed};
    struct trial x = {.data = d, .random = &random};
    x.at = place(d, &random);
    for (size_t i = 0; i < SETS_MAX && (x.loops = cpu_loops(i)); i++) {
        for (int m = 0; m < MONOIDS_END; m++) {
            if (!x.loops->run[m][d->dtype])
                continue;
            x.monoid = (enum monoid)m;
            x.work = &works[i][m];
            if (of != d->dtype || random_below(&random, 8) == 0)
                accumulator_init(x.work, x.monoid, d->dtype);
            check_loop(t, &x, want);
        }
    }
    of = d->dtype;
}
