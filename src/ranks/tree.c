/* SPDX-License-Identifier: MIT */
#include "ranks/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct chunk_notes notes;

void tree_close(void)
{
    free(notes.note);
}

void part_free(struct part *p)
{
    free(p->state.at);
    free(p->chunks.at);
    groups_free(p->groups);
}

static void send(const struct part *p, int to)
{
    struct saved_bytes head = {NULL, 0, 0, false};
    saved_put(&head, &p->error, sizeof p->error);
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
    free(head.at);
    return p;
}

bool tree_open(struct saved *s, struct part *p, int rank)
{
    char name[32];
    snprintf(name, sizeof name, "rank %d", rank);
    uint8_t *file = p->state.at;
    const size_t bytes = p->state.n;
    p->state = (struct saved_bytes){NULL, 0, 0, false};
    return saved_read(s, file, bytes, name, &p->error);
}

/* Appends the places of later chunks. Of an input that goes on, their lines
 * were counted from their part's start. */
static void put_places(struct saved_bytes *to, struct saved_bytes *later)
{
    struct place *place = (struct place *)later->at;
    const size_t n = later->n / sizeof *place;
    const struct place last =
        to->n ? ((const struct place *)to->at)[to->n / sizeof last - 1]
              : (struct place){.input = UINT64_MAX};
    const uint64_t first = n ? place->line : 0;
    for (size_t i = 0; i < n && place[i].input == last.input; i++)
        place[i].line += last.line + last.lines - first;
    saved_put(to, later->at, later->n);
}

/* Merges the part of a later rank. Without an error, or with the first one. */
static void merge(struct saved *s, struct part *mine, int rank)
{
    struct part other = receive(rank);
    struct saved next = {.inputs = 0};
    if (mine->error.kind == ERROR_NONE) {
        if (other.error.kind == ERROR_NONE && tree_open(&next, &other, rank) &&
            saved_merge(s, "an earlier rank", &next, "a later rank",
                        &other.error))
            put_places(&mine->chunks, &other.chunks);
        mine->error = other.error;
        if (mine->chunks.failed)
            error_memory(&mine->error);
    }
    saved_free(&next);
    part_free(&other);
}

void tree_collect(const struct link *l, struct saved *s, struct part *mine)
{
    const bool merges =
        l->rank == 0 || (l->rank % 2 == 0 && l->rank + 1 < l->ranks);
    int k = 1;
    *s = (struct saved){.inputs = 0};
    if (merges && mine->error.kind == ERROR_NONE)
        tree_open(s, mine, l->rank);
    for (; k < l->ranks && !(l->rank & k); k *= 2) {
        if (l->rank + k < l->ranks)
            merge(s, mine, l->rank + k);
    }
    if (l->rank == 0)
        return;
    if (merges && mine->error.kind == ERROR_NONE)
        saved_write(s, &mine->state, &mine->error);
    send(mine, l->rank - k);
    saved_free(s);
}

void tree_share(const struct link *l, struct part *mine)
{
    int k = 1;
    while (k < l->ranks && !(l->rank & k))
        k *= 2;
    if (l->rank > 0) {
        struct groups *const groups = mine->groups;
        mine->groups = NULL;
        part_free(mine);
        *mine = receive(l->rank - k);
        mine->groups = groups;
    }
    for (k /= 2; k > 0; k /= 2) {
        if (l->rank + k < l->ranks)
            send(mine, l->rank + k);
    }
}

bool tree_take(struct plan *plan, struct saved *s, const struct part *p,
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
