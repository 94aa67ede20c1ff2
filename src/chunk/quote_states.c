/* SPDX-License-Identifier: MIT */
#include "chunk/quote_states.h"

#include <stdlib.h>

#include "csv/schema/table.h"

bool quote_states_init(struct quote_states *c, size_t inputs, struct error *e)
{
    c->end = calloc(inputs, sizeof *c->end);
    c->count = inputs;
    atomic_init(&c->stop_at, UINT64_MAX);
    if (c->end && pthread_mutex_init(&c->lock, NULL) == 0)
        return true;
    free(c->end);
    return error_memory(e);
}

void quote_states_free(struct quote_states *c)
{
    pthread_mutex_destroy(&c->lock);
    free(c->end);
}

/* Sets the states of a window, given those of all windows before it. */
static void set_states(struct quote_end *end, struct pending_window *pending)
{
    const struct record_window *s = pending->scanned;
    const struct csv_table *table = s->input->table;
    pending->start = pending->number ? end->state : CSV_RECORD;
    pending->line = pending->number ? end->line : table->part_line;
    pending->end =
        csv_advance(pending->start, s->at, s->window, table->dialect, &s->scan);
    pending->known = true;
    end->state = pending->end;
    end->line = pending->line + s->scan.lines;
    end->windows++;
}

/* Takes a window out of the list of posted windows. NULL if it is not posted
 * yet. */
static struct pending_window *take_out(struct quote_end *end, uint64_t number)
{
    struct pending_window **at = &end->posted;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    struct pending_window *pending = *at;
    if (pending)
        *at = pending->next;
    return pending;
}

bool quote_states_pass(struct quote_states *c, size_t input,
                       const struct record_window *scanned, uint64_t number,
                       uint64_t sequence, struct pending_window *pending)
{
    struct quote_end *end = &c->end[input];
    struct pending_window *ready;
    *pending = (struct pending_window){
        .scanned = scanned, .number = number, .sequence = sequence};
    pthread_cond_init(&pending->is_known, NULL);
    pthread_mutex_lock(&c->lock);
    pending->next = end->posted;
    end->posted = pending;
    while ((ready = take_out(end, end->windows))) {
        set_states(end, ready);
        if (ready != pending)
            pthread_cond_signal(&ready->is_known);
    }
    while (!pending->known && !quote_states_is_stopped(c, sequence))
        pthread_cond_wait(&pending->is_known, &c->lock);
    if (!pending->known)
        take_out(end, number);
    pthread_mutex_unlock(&c->lock);
    pthread_cond_destroy(&pending->is_known);
    return pending->known;
}

void quote_states_stop(struct quote_states *c, uint64_t sequence)
{
    pthread_mutex_lock(&c->lock);
    if (sequence < atomic_load(&c->stop_at))
        atomic_store(&c->stop_at, sequence);
    for (size_t i = 0; i < c->count; i++) {
        for (struct pending_window *p = c->end[i].posted; p; p = p->next)
            pthread_cond_signal(&p->is_known);
    }
    pthread_mutex_unlock(&c->lock);
}
