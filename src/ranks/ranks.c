/* SPDX-License-Identifier: MIT */
/*
 * The first rank plans the whole run. Then each rank plans and reduces its part
 * as --part and --save-state do. States go up a tree: in round k, rank r, if it
 * is an odd multiple of k, sends what it has merged to rank r - k. So ranks
 * always merge parts that follow their own, in the order of the data.
 */
#include "ranks/ranks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "backend/registry.h"
#include "cli/options.h"
#include "plan/part.h"
#include "ranks/link.h"
#include "run/dataset.h"
#include "run/saving.h"
#include "saved/saved.h"

enum word { END = 1, REDUCE };

/* What a rank has merged so far. */
struct part {
    struct error error;       /* of kind ERROR_NONE: there is none */
    struct saved_bytes state; /* as saved_write makes it */
    struct saved_bytes
        chunks; /* an array of struct place, one for each chunk */
};

/* A chunk_note, of an input by its number. */
struct place {
    uint64_t input, start, line;
    uint32_t bytes, lines, records, unused;
};

static struct link link;
static bool is_told; /* what to do, by the first rank */
static struct chunk_notes notes;

bool rank_open(void)
{
    link = link_open();
    return link.rank == 0;
}

void rank_close(void)
{
    if (link.rank == 0 && !is_told)
        link_tell(END);
    free(notes.note);
    link_close();
}

static void part_free(struct part *p)
{
    free(p->state.at);
    free(p->chunks.at);
}

/* The options of this rank's part. Of several ranks of a machine, each takes
 * one GPU if GPUs are asked for, else only the first takes any. */
static struct options own_options(const struct options *o)
{
    struct options mine = *o;
    mine.save = "";
    mine.of_rank = true;
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
        if (!n->input)
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

static void send(const struct part *p, int to)
{
    struct saved_bytes head = {NULL, 0, 0, false};
    saved_put(&head, &p->error, sizeof p->error);
    if (head.failed)
        abort();
    link_send(&head, to);
    link_send(&p->chunks, to);
    link_send(&p->state, to);
    free(head.at);
}

static struct part receive(int from)
{
    struct part p = {.error = {.kind = ERROR_NONE}};
    struct saved_bytes head = link_receive(from);
    p.chunks = link_receive(from);
    p.state = link_receive(from);
    if (head.n == sizeof p.error)
        memcpy(&p.error, head.at, sizeof p.error);
    if (head.failed || p.chunks.failed || p.state.failed)
        error_memory(&p.error);
    free(head.at);
    return p;
}

/* Reads the states of a part, which then has none. */
static bool open_states(struct saved *s, struct part *p, int rank)
{
    char name[32];
    snprintf(name, sizeof name, "rank %d", rank);
    uint8_t *file = p->state.at;
    const size_t bytes = p->state.n;
    p->state = (struct saved_bytes){NULL, 0, 0, false};
    return saved_read(s, file, bytes, name, &p->error);
}

/* Merges the part of a later rank. Without an error, or with the first one. */
static void merge(struct saved *s, struct part *mine, int rank)
{
    struct part other = receive(rank);
    struct saved next = {.inputs = 0};
    if (mine->error.kind == ERROR_NONE) {
        if (other.error.kind == ERROR_NONE &&
            open_states(&next, &other, rank) &&
            saved_merge(s, "an earlier rank", &next, "a later rank",
                        &other.error))
            saved_put(&mine->chunks, other.chunks.at, other.chunks.n);
        mine->error = other.error;
        if (mine->chunks.failed)
            error_memory(&mine->error);
    }
    saved_free(&next);
    part_free(&other);
}

/* Merges what later ranks send. In the first rank *s then has the states of all
 * data; another rank sends them on. */
static void collect(struct saved *s, struct part *mine)
{
    const bool merges =
        link.rank == 0 || (link.rank % 2 == 0 && link.rank + 1 < link.ranks);
    int k = 1;
    *s = (struct saved){.inputs = 0};
    if (merges && mine->error.kind == ERROR_NONE)
        open_states(s, mine, link.rank);
    for (; k < link.ranks && !(link.rank & k); k *= 2) {
        if (link.rank + k < link.ranks)
            merge(s, mine, link.rank + k);
    }
    if (link.rank == 0)
        return;
    if (merges && mine->error.kind == ERROR_NONE)
        saved_write(s, &mine->state, &mine->error);
    send(mine, link.rank - k);
    saved_free(s);
}

void rank_follow(int argc, char **argv)
{
    struct options o;
    struct plan plan;
    struct meter meter = {.detail = false};
    struct saved s;
    struct part p = {.error = {.kind = ERROR_NONE}};
    if (link_tell(0) == END)
        return;
    if (options_parse(&o, argc, argv, &p.error)) {
        const struct options mine = own_options(&o);
        if (plan_make(&plan, &mine, NULL, &meter, &p.error))
            reduce_part(&plan, &p);
        plan_free(&plan);
    }
    collect(&s, &p);
    part_free(&p);
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

/* Reduces in all ranks. `own` is the plan of this rank's part. */
static bool reduce_all(struct plan *plan, const struct plan *own,
                       struct error *e)
{
    struct saved s;
    struct part p = {.error = {.kind = ERROR_NONE}};
    is_told = true;
    link_tell(REDUCE);
    reduce_part(own, &p);
    collect(&s, &p);
    const bool ok = p.error.kind == ERROR_NONE && take(plan, &s, &p, &p.error);
    /* An expression's error has the index of an element of the part. */
    const bool again = !ok && plan->datasets->job.formulas &&
                       !plan->datasets->table && p.error.kind == ERROR_DATA;
    if (!ok)
        *e = p.error;
    saved_free(&s);
    part_free(&p);
    return ok || again;
}

bool rank_reduce(struct plan *plan, const struct options *o, struct sink *sink,
                 struct error *e)
{
    struct error why;
    struct plan own;
    struct meter meter = {.detail = false};
    const struct options mine = own_options(o);
    if (link.ranks == 1)
        return true;
    if (!may_share(plan, o, &why))
        return stay_alone(sink, &why);
    bool ok = plan_make(&own, &mine, NULL, &meter, &why);
    const bool is_refused = !ok && why.kind == ERROR_USAGE;
    if (ok)
        ok = reduce_all(plan, &own, e);
    else if (!is_refused)
        *e = why;
    plan_free(&own);
    return is_refused ? stay_alone(sink, &why) : ok;
}
