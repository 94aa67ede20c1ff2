/* SPDX-License-Identifier: MIT */
/*
 * gpureduce: calls the stages in order. Only this file prints the error that
 * ends a run, and chooses the exit status.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu.h"
#include "cli/options.h"
#include "output/sink.h"
#include "plan/complete.h"
#include "plan/plan.h"
#include "ranks/ranks.h"
#include "run/run.h"
#include "source/compressed/codec.h"

#define VERSION_TEXT          \
    "gpureduce " VERSION "\n" \
    "Copyright (C) 2026 the gpureduce authors. MIT license.\n"

/* Flushes standard output. False with the error if any of it was not
 * written. */
static bool flush_output(struct error *e)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return error_set(e, ERROR_DATA, "write error: %s", strerror(errno));
}

static void print_version(bool verbose)
{
    fputs(VERSION_TEXT, stdout);
    if (!verbose)
        return;
    printf("C compiler: %s\n", COMPILER);
    for (int i = 0; codecs[i]; i++)
        printf("%s: %s\n", codecs[i]->name, codecs[i]->version());
    printf("GPU code: %s\n", GPU_CODE);
}

static bool reduce(const struct options *o, struct error *e)
{
    struct plan plan;
    struct meter meter = {.detail = o->verbose};
    struct sink sink = {.to = stderr, .quiet = o->quiet};
    if (!cpu_limit(getenv("GPUREDUCE_CPU"), e))
        return false;
    bool ok = plan_make(&plan, o, &sink.notes, &meter, e);
    if (ok && o->explain) {
        plan_explain(&plan, stdout);
        ok = flush_output(e);
    } else if (ok) {
        ok = rank_reduce(&plan, o, &sink, e) &&
             run_plan(&plan, &sink, STDOUT_FILENO, e);
    }
    plan_free(&plan);
    notes_free(&sink.notes);
    return ok;
}

static bool run(int argc, char **argv, bool *compares, struct error *e)
{
    struct options options;
    if (!options_parse(&options, argc, argv, e))
        return false;
    *compares = options.compare;
    switch (options.action) {
    case ACTION_HELP:
        options_help(stdout, options.help);
        return flush_output(e);
    case ACTION_VERSION:
        print_version(options.verbose);
        return flush_output(e);
    case ACTION_COMPLETE:
        complete_print(&options, stdout);
        fflush(stdout);
        return true;
    case ACTION_LIST:
        options_list(stdout);
        return flush_output(e);
    default:
        return reduce(&options, e);
    }
}

/* The next file opened would take a closed descriptor 0, 1 or 2. Gives each of
 * these a descriptor that fails as a closed one does. */
static void occupy_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    }
}

/* With --compare, the statuses of cmp and diff: 1 if the files differ, 2 on
 * trouble. ERROR_DIFFERENT does not occur without --compare. */
static int exit_status(const struct error *e, bool compares)
{
    if (compares)
        return e->kind == ERROR_DIFFERENT ? 1 : 2;
    return (int)e->kind;
}

int main(int argc, char **argv)
{
    struct error e = {.kind = ERROR_NONE};
    occupy_standard_descriptors();
    signal(SIGXFSZ, SIG_IGN); /* the write reports it, and cleans up */
    bool compares = false, ok = true;
    if (rank_open())
        ok = run(argc, argv, &compares, &e);
    else
        rank_follow(argc, argv);
    if (!ok && e.kind != ERROR_DIFFERENT)
        sink_error(stderr, &e);
    rank_close();
    return ok ? EXIT_SUCCESS : exit_status(&e, compares);
}
