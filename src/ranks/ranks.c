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

#include "backend/registry.h"
#include "cli/options.h"
#include "plan/part.h"
#include "run/dataset.h"
#include "run/saving.h"
#include "ranks/tree.h"

enum word { END, GUESS, SCAN }; /* how parts of texts find their starts */

static struct link link;
static struct chunk_notes notes;

bool rank_open(void)
{
    link = link_open();
    return link.rank == 0;
}

void rank_close(void)
{
    if (link.rank == 0)
        link_tell(END);
    free(notes.note);
    link_close();
}

/* The options of this rank's part. Of several ranks of a machine, each takes
 * one GPU if GPUs are asked for, else only the first takes any. */
static struct options own_options(const struct options *o, int how)
{
    struct options mine = *o;
    mine.save = "";
    mine.of_rank = true;
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
static bool reduce_part(const struct plan *plan, struct part *p)
{
    struct dataset d;
    struct outcome outcome;
    struct values none = {0};
    struct sink sink = {.to = stderr, .quiet = true};
    if (!dataset_open(plan, plan->datasets, &d, &p->error) ||
        !dataset_run(plan, &d, &sink, &outcome, &none, NULL, &p->error))
        return false;
    put_chunks(&d, &outcome.reduced.notes, &p->chunks);
    bool ok = inputs_are_unchanged(d.inputs, d.count, &p->error) &&
              saving_bytes(plan, &d, &outcome, &p->state, &p->error);
    reduced_close(&outcome.reduced);
    notes_free(&sink.notes);
    return ok && (!p->chunks.failed || error_memory(&p->error));
}

/* Reduces the part of a later rank, if it could read its command line: the
 * first rank waits for the part or for the error, as later ranks may. */
static void follow(const struct options *o, int how, const struct error *e)
{
    struct plan plan;
    struct meter meter = {.detail = false};
    struct saved s;
    struct part p = {.error = *e};
    if (e->kind == ERROR_NONE) {
        const struct options mine = own_options(o, how);
        if (plan_make(&plan, &mine, NULL, &meter, &p.error))
            reduce_part(&plan, &p);
        plan_free(&plan);
    }
    tree_collect(&link, &s, &p);
    part_free(&p);
}

void rank_follow(int argc, char **argv)
{
    struct options o;
    struct error e = {.kind = ERROR_NONE};
    int how;
    if (options_parse(&o, argc, argv, &e))
        own_options(&o, END); /* wakes a GPU while the first rank plans */
    while ((how = link_tell(END)) != END)
        follow(&o, how, &e);
}

/* Whether every rank can read the same inputs once more. */
static bool may_share(const struct plan *plan, const struct options *o,
                      struct error *e)
{
    static const char *const alone[] = {"merge", "compare", "part", "explain"};
    struct stat list;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        if (options_given(o, alone[i]))
            return error_set(e, ERROR_USAGE, "--%s has no parts", alone[i]);
    }
    if (o->files0_from &&
        (stat(o->files0_from, &list) != 0 || !S_ISREG(list.st_mode)))
        return error_set(e, ERROR_USAGE, "only one can read --files0-from");
    return part_check_inputs(plan, e);
}

/* Gives the plan all states, as if they were merged by --merge. */
static bool take(struct plan *plan, struct saved *s, const struct part *p,
                 struct error *e)
{
    struct dataset *d = plan->datasets;
    const struct place *place = (const struct place *)p->chunks.at;
    const size_t n = p->chunks.n / sizeof *place;
    const uint64_t size = dtype_info(d->job.dtype)->size;
    if (n > 0 && !chunk_notes_grow(&notes, n))
        return error_memory(e);
    for (size_t i = 0; i < n; i++) {
        struct input *input = &d->inputs[place[i].input];
        notes.note[i] = (struct chunk_note){input,          place[i].start,
                                            place[i].line,  place[i].bytes,
                                            place[i].lines, place[i].records};
    }
    for (size_t i = 0; i < s->inputs; i++) {
        struct input *input = &d->inputs[i % d->count];
        input->records += s->input[i].elements;
        input->taken += s->input[i].elements * size;
    }
    d->job.monoids = s->whole;
    if (s->groups) {
        s->groups->layout.spec.is_first = plan->by_first;
        d->job.by.spec = s->groups->layout.spec;
        d->job.by.monoids = s->monoids;
    }
    if (!(plan->merged = malloc(sizeof *plan->merged)))
        return error_memory(e);
    *plan->merged = *s;
    *s = (struct saved){.inputs = 0};
    plan->merged_notes = &notes;
    plan->has_bar = false;
    return true;
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
static bool reduce_all(struct plan *plan, const struct plan *own, int how,
                       bool *again, struct error *e)
{
    struct saved s;
    struct part p = {.error = {.kind = ERROR_NONE}};
    link_tell(how);
    reduce_part(own, &p);
    tree_collect(&link, &s, &p);
    /* An expression's error has the index of an element of the part. */
    *again = p.error.kind == ERROR_DATA &&
             (how == GUESS ||
              (!plan->datasets->table && plan->datasets->job.formulas));
    const bool ok = p.error.kind == ERROR_NONE && take(plan, &s, &p, &p.error);
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
        ok = is_planned && reduce_all(plan, &own, how, &again, e);
        plan_free(&own);
        if (!is_planned && e->kind == ERROR_USAGE)
            return stay_alone(sink, e);
    }
    return ok || again;
}
