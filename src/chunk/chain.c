/* SPDX-License-Identifier: MIT */
#include "chunk/chain.h"

#include <stdlib.h>

#include "csv/schema/table.h"

bool chain_init(struct chain *c, size_t inputs, struct error *e)
{
    c->end = calloc(inputs, sizeof *c->end);
    c->count = inputs;
    atomic_init(&c->stop_at, UINT64_MAX);
    if (c->end && pthread_mutex_init(&c->lock, NULL) == 0)
        return true;
    free(c->end);
    return error_set(e, ERROR_DATA, "out of memory");
}

void chain_free(struct chain *c)
{
    pthread_mutex_destroy(&c->lock);
    free(c->end);
}

static void work_out(struct chain_end *end, struct link *link)
{
    const struct stretch *s = link->stretch;
    const struct csv_table *table = s->input->table;
    link->start = link->window ? end->state : CSV_RECORD;
    link->line = link->window ? end->line : table->line;
    link->end =
        csv_advance(link->start, s->at, s->window, table->dialect, &s->scan);
    link->known = true;
    end->state = link->end;
    end->line = link->line + s->scan.lines;
    end->windows++;
}

/* Takes out a posted window; NULL: it was not posted yet. */
static struct link *take_out(struct chain_end *end, uint64_t window)
{
    struct link **at = &end->posted;
    while (*at && (*at)->window != window)
        at = &(*at)->next;
    struct link *link = *at;
    if (link)
        *at = link->next;
    return link;
}

bool chain_pass(struct chain *c, size_t input, const struct stretch *stretch,
                uint64_t window, uint64_t sequence, struct link *link)
{
    struct chain_end *end = &c->end[input];
    struct link *ready;
    *link = (struct link){
        .stretch = stretch, .window = window, .sequence = sequence};
    pthread_cond_init(&link->is_known, NULL);
    pthread_mutex_lock(&c->lock);
    link->next = end->posted;
    end->posted = link;
    while ((ready = take_out(end, end->windows))) {
        work_out(end, ready);
        if (ready != link)
            pthread_cond_signal(&ready->is_known);
    }
    while (!link->known && !chain_is_stopped(c, sequence))
        pthread_cond_wait(&link->is_known, &c->lock);
    if (!link->known)
        take_out(end, window);
    pthread_mutex_unlock(&c->lock);
    pthread_cond_destroy(&link->is_known);
    return link->known;
}

void chain_stop(struct chain *c, uint64_t sequence)
{
    pthread_mutex_lock(&c->lock);
    if (sequence < atomic_load(&c->stop_at))
        atomic_store(&c->stop_at, sequence);
    for (size_t i = 0; i < c->count; i++) {
        for (struct link *l = c->end[i].posted; l; l = l->next)
            pthread_cond_signal(&l->is_known);
    }
    pthread_mutex_unlock(&c->lock);
}
