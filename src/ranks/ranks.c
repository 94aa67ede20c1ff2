/* SPDX-License-Identifier: MIT */
/*
 * The first rank plans the whole run. Then each rank plans and reduces its part
 * as --part and --save-state do, where texts are cut at guesses. If a part of
 * texts then fails, a guess may be wrong, and messages need the numbers of
 * lines: all ranks reduce their parts once more, after a scan.
 */
#include "ranks/ranks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cpu.h"
#include "backend/registry.h"
#include "cli/options.h"
#include "plan/part.h"
#include "ranks/gather.h"
#include "ranks/keys.h"
#include "ranks/tree.h"
#include "run/dataset.h"
#include "run/report.h"
#include "run/run.h"
#include "run/saving.h"

/* What the other ranks are to do: two of these say how parts of texts find
 * their starts; HAS_BAR is added to them if the first rank shows a bar. */
enum word { END, GUESS, SCAN, KEYS, HAS_BAR };

static struct link link;

/* What another rank keeps between words. */
struct follower {
    struct options options;
    struct error error; /* of the options */
    struct meter meter;
    struct plan plan; /* of the whole run, if it is by key */
    struct part part;
};

bool rank_open(void)
{
    link = link_open();
    return link.rank == 0;
}

void rank_close(void)
{
    if (link.rank == 0)
        link_tell(END);
    tree_close();
    gather_close();
    link_close();
}

/* Whether keys stay with the ranks, which print them together. */
static bool keeps_keys(const struct options *o)
{
    return o->csv.by && !o->save;
}

/* The options of this rank's part. Of several ranks of a machine, each takes
 * one GPU if GPUs are asked for, else only the first takes any. */
static struct options own_options(const struct options *o, int how)
{
    struct options mine = *o;
    mine.save = "";
    mine.of_rank = true;
    mine.keeps_keys = keeps_keys(o);
    mine.guesses = how == GUESS;
    mine.part = (uint64_t)link.rank + 1;
    mine.parts = (uint64_t)link.ranks;
    mine.threads = o->threads ? o->threads : link.threads;
    mine.verbose = false;
    mine.progress = PROGRESS_NEVER;
    if (link.local > 0 && !o->backend)
        mine.backend = backends[0];
    else if (link.local > 0 && o->backend->contexts && !o->all_devices &&
             o->devices == 1 && o->device[0] == 0) {
        const unsigned count = backend_count(o->backend);
        mine.device[0] = count ? link.local % (int)count : 0;
    }
    return mine;
}

static void put_chunks(const struct dataset *d, const struct chunk_notes *from,
                       struct saved_bytes *to)
{
    for (size_t i = 0; i < from->n; i++) {
        const struct chunk_note *n = &from->note[i];
        if (n->bytes == 0)
            continue;
        const struct place place = {(uint64_t)(n->input - d->inputs),
                                    n->start,
                                    n->line,
                                    n->bytes,
                                    n->lines,
                                    n->records,
                                    0};
        saved_put(to, &place, sizeof place);
    }
}

/* Reduces the part that was planned. */
static bool reduce_part(const struct plan *plan, bool keeps, struct part *p)
{
    struct dataset d;
    struct outcome outcome;
    struct values none = {0};
    struct sink sink = {.to = stderr, .quiet = true};
    if (!dataset_open(plan, plan->datasets, &d, &p->error) ||
        !dataset_run(plan, &d, &sink, &outcome, &none, NULL, &p->error))
        return false;
    put_chunks(&d, &outcome.reduced.notes, &p->chunks);
    if (keeps) {
        p->groups = outcome.reduced.groups;
        outcome.reduced.groups = NULL;
    }
    bool ok = inputs_are_unchanged(d.inputs, d.count, &p->error) &&
              saving_bytes(plan, &d, &outcome, &p->state, &p->error);
    reduced_close(&outcome.reduced);
    notes_free(&sink.notes);
    return ok && (!p->chunks.failed || error_memory(&p->error));
}

/* Reduces the part of a later rank, if it could read its command line: the
 * first rank waits for the part or for the error, as later ranks may. */
static void follow(struct follower *f, int how, bool has_bar)
{
    struct plan plan = {.ops = 0};
    struct options mine;
    struct meter meter = {.detail = false};
    struct saved s;
    struct part *p = &f->part;
    part_free(p);
    plan_free(&f->plan);
    *p = (struct part){.error = f->error};
    f->plan = (struct plan){.ops = 0};
    bool ok = f->error.kind == ERROR_NONE;
    const bool keeps = ok && keeps_keys(&f->options);
    if (ok) {
        mine = own_options(&f->options, how);
        ok = plan_make(&plan, &mine, NULL, &meter, &p->error);
    }
    link_watch(has_bar ? &meter : NULL, NULL);
    ok = ok && reduce_part(&plan, keeps, p);
    link_watch_end();
    plan_free(&plan);
    if (ok && keeps) {
        mine.save = NULL;
        mine.of_rank = mine.guesses = false;
        mine.part = mine.parts = 0;
        plan_make(&f->plan, &mine, NULL, &f->meter, &p->error);
    }
    tree_collect(&link, &s, p);
}

/* Finishes and prints a share of the keys with the other ranks. */
static void answer(struct follower *f)
{
    struct error e;
    struct sink sink = {.to = stderr, .quiet = true};
    keys_share(&link, &f->plan, &f->part);
    /* The first rank alone writes, and reports what goes wrong. */
    run_plan(&f->plan, &sink, -1, &e);
    notes_free(&sink.notes);
}

void rank_follow(int argc, char **argv)
{
    struct follower f = {.error = {.kind = ERROR_NONE}};
    int how;
    if (cpu_limit(getenv("GPUREDUCE_CPU"), &f.error) &&
        options_parse(&f.options, argc, argv, &f.error))
        own_options(&f.options, END); /* wakes a GPU while rank 0 plans */
    while ((how = link_tell(END)) != END) {
        if (how == KEYS)
            answer(&f);
        else
            follow(&f, how % HAS_BAR, how > HAS_BAR);
    }
    part_free(&f.part);
    plan_free(&f.plan);
}

/* Whether every rank can read the same inputs once more. */
static bool may_share(const struct plan *plan, const struct options *o,
                      struct error *e)
{
    static const char *const alone[] = {"merge", "compare", "part"};
    struct stat list;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        if (options_given(o, alone[i]))
            return error_set(e, ERROR_USAGE, "--%s has no parts", alone[i]);
    }
    if (plan->csv.spec.skip_bad && plan->texts.count > 0)
        return error_set(e, ERROR_USAGE,
                         "one counts the bad cells that expressions read");
    if (o->files0_from &&
        (stat(o->files0_from, &list) != 0 || !S_ISREG(list.st_mode)))
        return error_set(e, ERROR_USAGE, "only one can read --files0-from");
    return part_check_inputs(plan, e);
}

/* Says why the first rank does all the work. */
static bool stay_alone(struct sink *sink, const struct error *why)
{
    char text[sizeof why->text + 80];
    snprintf(text, sizeof text, "rank 0 reduces all data alone: %.*s",
             (int)strcspn(why->text, "\n"), why->text);
    sink_say(sink, text);
    return true;
}

static bool has_text(const struct plan *plan)
{
    bool is_text = false;
    for (size_t i = 0; i < plan->input_count; i++)
        is_text |= input_is_text(&plan->inputs[i]);
    return is_text;
}

/* Reduces in all ranks. `own` is the plan of this rank's part. *again: nothing
 * is known; the caller must reduce in another way. */
static bool reduce_all(struct plan *plan, const struct plan *own, bool keeps,
                       int how, struct sink *sink, bool *again, struct error *e)
{
    struct saved s;
    struct part p = {.error = {.kind = ERROR_NONE}};
    struct meter sum = {.detail = false};
    sink->bar = (struct progress){.running = false};
    if (plan->has_bar)
        progress_start(&sink->bar, &sum, run_goal(plan), plan->has_bar_always);
    const bool has_bar = sink->bar.running;
    link_tell(how + has_bar * HAS_BAR);
    link_watch(has_bar ? own->settings.meter : NULL, &sum);
    reduce_part(own, keeps, &p);
    link_watch_end();
    progress_stop(&sink->bar);
    tree_collect(&link, &s, &p);
    /* An expression's error has the index of an element of the part. */
    *again = p.error.kind == ERROR_DATA &&
             (how == GUESS ||
              (!plan->datasets->table && plan->datasets->job.formulas));
    bool ok = p.error.kind == ERROR_NONE;
    if (ok && keeps && (ok = saved_write(&s, &p.state, &p.error))) {
        link_tell(KEYS);
        keys_share(&link, plan, &p);
    } else if (ok)
        ok = tree_take(plan, &s, &p, &p.error);
    if (!ok)
        *e = p.error;
    saved_free(&s);
    part_free(&p);
    return ok;
}

bool rank_reduce(struct plan *plan, const struct options *o, struct sink *sink,
                 struct error *e)
{
    struct error why;
    bool ok = false, again = true;
    if (link.ranks == 1)
        return true;
    if (!may_share(plan, o, &why))
        return stay_alone(sink, &why);
    int how = has_text(plan) ? GUESS : SCAN;
    for (; again && how <= SCAN; how++) {
        struct plan own;
        struct meter meter = {.detail = false};
        const struct options mine = own_options(o, how);
        const bool is_planned = plan_make(&own, &mine, NULL, &meter, e);
        again = false;
        ok = is_planned &&
             reduce_all(plan, &own, keeps_keys(o), how, sink, &again, e);
        plan_free(&own);
        if (!is_planned && e->kind == ERROR_USAGE)
            return stay_alone(sink, e);
    }
    return ok || again;
}
