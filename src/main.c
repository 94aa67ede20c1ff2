/* SPDX-License-Identifier: MIT */
/*
 * gpureduce: calls the stages in order, and is the only place that prints an
 * error and chooses the exit status.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "cli/options.h"
#include "engine/engine.h"
#include "output/number.h"
#include "output/results.h"
#include "plan/plan.h"

#define VERSION_TEXT                                                           \
    "gpureduce " VERSION "\n"                                                  \
    "Copyright (C) 2026 the gpureduce authors. MIT license.\n"

/* Whether all that was printed to standard output went there. */
static bool flush_output(struct error *e)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return error_set(e, ERROR_DATA, "write error: %s", strerror(errno));
}

static bool print_text(void (*print)(FILE *to), struct error *e)
{
    print(stdout);
    return flush_output(e);
}

static void print_version(FILE *to)
{
    fputs(VERSION_TEXT, to);
}

/* -v: where the time went, on stderr. */
static void print_times(const struct dataset *d, uint64_t n,
                        const struct engine_times *t)
{
    double bytes = (double)n * dtype_info(d->job.dtype)->size;
    double workers = t->workers;
    const struct {
        const char *stage;
        double seconds;
    } rows[] = {{"start-up", t->open / workers},
                {"read", t->read / workers},
                {"reduce", t->reduce / workers},
                {"wall", t->wall}};
    fprintf(stderr, "device %s, %u thread%s, %.0f bytes\n", d->backend->name,
            t->workers, t->workers == 1 ? "" : "s", bytes);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (i > 0 && rows[i].seconds > 0)
            fprintf(stderr, "%-8s %9.4f s %9.2f GB/s\n", rows[i].stage,
                    rows[i].seconds, 1e-9 * bytes / rows[i].seconds);
        else
            fprintf(stderr, "%-8s %9.4f s\n", rows[i].stage, rows[i].seconds);
    }
}

static bool finish_dataset(const struct options *o, const struct dataset *d,
                           const struct partial *partial, struct value *values,
                           struct error *e)
{
    struct totals totals = {.dtype = d->job.dtype,
                            .nan = o->nan,
                            .empty = o->empty,
                            .n = partial->n};
    for (int m = 0; m < MONOIDS_END; m++)
        totals.state[m] = d->job.monoids >> m & 1 ? &partial->state[m] : NULL;
    for (size_t i = 0; i < o->ops; i++) {
        struct error why;
        char name[QUOTE_MAX];
        if (op_finish(o->op[i], &totals, &values[i], &why))
            continue;
        /* The trouble is with the data: say with which, where that is one. */
        if (d->count > 1)
            return error_set(e, why.kind, "%s", why.text);
        return error_set(e, why.kind, "%s: %.3000s",
                         quote(name, d->inputs[0].name), why.text);
    }
    return true;
}

/* Runs the dataset as planned and reads the ops' values from the outcome. */
static bool run_dataset(const struct options *o, const struct dataset *d,
                        struct value *values, struct error *e)
{
    struct engine_times times;
    struct partial *partial = malloc(sizeof *partial);
    if (!partial)
        return error_set(e, ERROR_DATA, "out of memory");
    bool ok = engine_run(&d->job, d->backend, d->threads, d->inputs, d->count,
                         partial, &times, e) &&
              finish_dataset(o, d, partial, values, e);
    if (ok && o->verbose)
        print_times(d, partial->n, &times);
    free(partial);
    return ok;
}

/* --verify: the values once more, in another way. */
static bool verify_dataset(const struct plan *plan, const struct dataset *d,
                           const struct value *values, struct error *e)
{
    const struct options *o = plan->options;
    struct dataset other;
    struct value again[OPS_MAX];
    char name[QUOTE_MAX], first[NUMBER_MAX], second[NUMBER_MAX];
    plan_verification(plan, d, &other);
    if (!run_dataset(o, &other, again, e))
        return false;
    for (size_t i = 0; i < o->ops; i++) {
        if (value_same(&values[i], &again[i]))
            continue;
        return error_set(e, ERROR_DATA,
                         "%s: --verify: %s is %s on the %s, but %s on the %s "
                         "in other chunks\nThe data changed, or this is a "
                         "fault of the machine or of gpureduce.",
                         quote(name, d->inputs[0].name), o->op[i]->name,
                         number_text(first, &values[i]), d->backend->name,
                         number_text(second, &again[i]), other.backend->name);
    }
    return true;
}

static bool reduce_dataset(const struct plan *plan, struct dataset *d,
                           struct value *values, struct error *e)
{
    const struct options *o = plan->options;
    return plan_dataset(plan, d, e) && run_dataset(o, d, values, e) &&
           (!o->verify || verify_dataset(plan, d, values, e));
}

static bool reduce_all(const struct plan *plan, struct error *e)
{
    const struct options *o = plan->options;
    size_t count = plan->dataset_count;
    struct value *values = calloc(count * o->ops, sizeof *values);
    const char **names = calloc(count, sizeof *names);
    bool ok = values && names;
    if (!ok)
        error_set(e, ERROR_DATA, "out of memory");
    for (size_t i = 0; ok && i < count; i++) {
        names[i] = plan->datasets[i].inputs[0].name;
        ok = reduce_dataset(plan, &plan->datasets[i], &values[i * o->ops], e);
    }
    struct results results = {o->op, o->ops, names, count, values};
    ok = ok && results_text(&results, STDOUT_FILENO, e);
    free(values);
    free(names);
    return ok;
}

static bool reduce(const struct options *o, struct error *e)
{
    struct plan plan;
    if (!plan_make(&plan, o, e))
        return false;
    bool ok = true;
    if (o->explain) {
        plan_explain(&plan, stdout);
        ok = flush_output(e);
    } else {
        ok = reduce_all(&plan, e);
    }
    plan_free(&plan);
    return ok;
}

static bool run(int argc, char **argv, struct error *e)
{
    struct options options;
    if (!options_parse(&options, argc, argv, e))
        return false;
    switch (options.action) {
    case ACTION_HELP:
        return print_text(options_help, e);
    case ACTION_VERSION:
        return print_text(print_version, e);
    case ACTION_LIST:
        return print_text(options_list, e);
    default:
        return reduce(&options, e);
    }
}

/* A closed descriptor 0, 1 or 2 would be taken by the next file opened. Each
 * is given one that fails as a closed one does. */
static void occupy_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    }
}

int main(int argc, char **argv)
{
    struct error e = {.kind = ERROR_NONE};
    occupy_standard_descriptors();
    if (run(argc, argv, &e))
        return EXIT_SUCCESS;
    fprintf(stderr, "gpureduce: %s\n", e.text);
    if (e.kind == ERROR_USAGE)
        fputs("Try 'gpureduce --help' for more information.\n", stderr);
    return (int)e.kind;
}
