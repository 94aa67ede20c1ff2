/* SPDX-License-Identifier: MIT */
#include "axis/crew.h"

#include <stdlib.h>

enum {
    /* Fewest bytes of a member's share: to add fewer takes no longer than to
     * wake a thread. */
    SHARE_BYTES = 64 << 10,
    /* Fewest bytes of a row in a share, so that members share a cache line only
     * at the ends of their shares. */
    ROW_BYTES = 512,
    /* Most bytes of all states if each member has its own states of the same
     * outputs. */
    COPIES_BYTES = 64 << 20,
};

struct member {
    struct crew *crew;
    struct tile tile;
    pthread_t thread;
    unsigned seen; /* the last round before its thread started */
    /* Its share of the work under way. */
    struct part part;
    const char *data;
    bool failed;
    struct error error;
};

typedef bool work_fn(struct member *m, struct error *e);

struct crew {
    const struct axis_job *job;
    struct axis_sink *sink;
    struct member *member; /* [job->threads] */
    unsigned members;      /* with a tile; all but the first have a thread */
    size_t pitch;          /* of the part that is shared */
    /* The fields up to the lock concern the slab that began. */
    unsigned sharers; /* members that work on it */
    /* Each sharer adds some rows to its own copy of the outputs; else it adds
     * some items. */
    bool by_row;
    /* The first member's tile has all outputs, and the others borrow it, so a
     * sharer's items may change; else they stay the same. */
    bool lends;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t given, done;
    work_fn *work;
    unsigned round, workers, busy; /* members with work; those not done yet */
    bool is_over;
};

/* The thread function of all members but the first. */
static void *serve(void *member)
{
    struct member *m = member;
    struct crew *c = m->crew;
    const unsigned number = (unsigned)(m - c->member);
    unsigned seen = m->seen;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        while (!c->is_over && (c->round == seen || number >= c->workers)) {
            seen = c->round;
            pthread_cond_wait(&c->given, &c->lock);
        }
        if (c->is_over)
            break;
        seen = c->round;
        work_fn *const work = c->work;
        pthread_mutex_unlock(&c->lock);
        m->failed = !work(m, &m->error);
        pthread_mutex_lock(&c->lock);
        if (--c->busy == 0)
            pthread_cond_signal(&c->done);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Lets the first n members work, and waits for them. */
static bool work_together(struct crew *c, unsigned n, work_fn *work,
                          struct error *e)
{
    pthread_mutex_lock(&c->lock);
    c->work = work;
    c->workers = n;
    c->busy = n - 1;
    c->round++;
    if (n > 1)
        pthread_cond_broadcast(&c->given);
    pthread_mutex_unlock(&c->lock);
    c->member->failed = !work(c->member, &c->member->error);
    pthread_mutex_lock(&c->lock);
    while (c->busy > 0)
        pthread_cond_wait(&c->done, &c->lock);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i < n; i++) {
        if (c->member[i].failed) {
            *e = c->member[i].error;
            return false;
        }
    }
    return true;
}

/* Makes members until there are n, if possible. Returns the number of members,
 * at most n. */
static unsigned have_members(struct crew *c, uint64_t n)
{
    struct error unused;
    while (c->members < n && c->members < c->job->threads) {
        struct member *m = &c->member[c->members];
        m->crew = c;
        m->seen = c->round;
        if (!tile_open(&m->tile, c->job, c->sink, &unused))
            break;
        if (pthread_create(&m->thread, NULL, serve, m) != 0) {
            tile_close(&m->tile);
            break;
        }
        c->members++;
    }
    return n < c->members ? (unsigned)n : c->members;
}

struct crew *crew_open(const struct axis_job *job, struct axis_sink *sink,
                       struct error *e)
{
    struct crew *c = calloc(1, sizeof *c);
    if (!c || !(c->member = calloc(job->threads, sizeof *c->member))) {
        free(c);
        error_memory(e);
        return NULL;
    }
    c->job = job;
    c->sink = sink;
    c->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    c->given = c->done = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    c->member[0].crew = c;
    if (tile_open(&c->member[0].tile, job, sink, e)) {
        c->members = 1;
        return c;
    }
    free(c->member);
    free(c);
    return NULL;
}

unsigned crew_close(struct crew *c)
{
    if (!c)
        return 0;
    const unsigned members = c->members;
    pthread_mutex_lock(&c->lock);
    c->is_over = true;
    pthread_cond_broadcast(&c->given);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i < members; i++) {
        if (i > 0)
            pthread_join(c->member[i].thread, NULL);
        tile_close(&c->member[i].tile);
    }
    free(c->member);
    free(c);
    return members;
}

static size_t item_of(const struct crew *c)
{
    return c->job->geometry.inner_size * dtype_info(c->job->dtype)->size;
}

/* The first of n things in share i, if they are cut into so many shares. */
static uint64_t cut(uint64_t n, unsigned i, unsigned shares)
{
    return n / shares * i + n % shares * i / shares;
}

enum along { SLABS, ROWS, ITEMS };

/* Gives each of n members a share of a part. */
static void share(struct crew *c, const struct part *p, const char *data,
                  unsigned n, enum along along)
{
    const size_t step[] = {
        [SLABS] = p->rows * c->pitch, [ROWS] = c->pitch, [ITEMS] = item_of(c)};
    const uint64_t all[] = {p->slabs, p->rows, p->items};
    for (unsigned i = 0; i < n; i++) {
        struct member *m = &c->member[i];
        const uint64_t first = cut(all[along], i, n),
                       count = cut(all[along], i + 1, n) - first;
        m->part = *p;
        m->data = data + first * step[along];
        *(along == SLABS  ? &m->part.slab
          : along == ROWS ? &m->part.row
                          : &m->part.item) += first;
        *(along == SLABS  ? &m->part.slabs
          : along == ROWS ? &m->part.rows
                          : &m->part.items) = count;
    }
}

static bool whole(struct member *m, struct error *e)
{
    return tile_whole(&m->tile, &m->part, m->data, m->crew->pitch, e);
}

/* The number of members that can share so many items of a row. */
static uint64_t sharers_of_row(const struct crew *c, uint64_t items)
{
    return least(items, items * item_of(c) / ROW_BYTES) + 1;
}

bool crew_whole(struct crew *c, const struct part *p, const char *data,
                size_t pitch, struct error *e)
{
    const uint64_t bytes = p->slabs * p->rows * pitch;
    const bool by_slab = p->slabs > 1;
    const uint64_t most = by_slab ? p->slabs : sharers_of_row(c, p->items);
    const unsigned n = have_members(c, least(most, bytes / SHARE_BYTES + 1));
    c->pitch = pitch;
    share(c, p, data, n, by_slab ? SLABS : ITEMS);
    return work_together(c, n, whole, e);
}

/* Empties the member's tile for the outputs of its part. */
static bool begin(struct member *m, struct error *e)
{
    const struct geometry *g = &m->crew->job->geometry;
    return tile_begin(&m->tile, part_output(g, &m->part),
                      (size_t)part_outputs(g, &m->part), e);
}

bool crew_begin(struct crew *c, const struct part *p, bool by_row,
                struct error *e)
{
    const struct geometry *g = &c->job->geometry;
    const uint64_t most = p->slabs == 1 ? sharers_of_row(c, g->items) : 1;
    const uint64_t copies =
        COPIES_BYTES / tile_bytes(c->job) / (geometry_slab_outputs(g) + 1);
    c->by_row = by_row && most < c->job->threads && copies > most &&
                !c->member[0].tile.ordered;
    c->lends = !by_row;
    c->sharers = have_members(c, c->by_row ? copies : most);
    if (!c->by_row)
        share(c, p, "", c->lends ? 1 : c->sharers, ITEMS);
    for (unsigned i = 0; c->by_row && i < c->sharers; i++)
        c->member[i].part = *p;
    const bool ok = work_together(c, c->lends ? 1 : c->sharers, begin, e);
    for (unsigned i = 1; ok && c->lends && i < c->sharers; i++)
        tile_borrow(&c->member[i].tile, &c->member[0].tile);
    return ok;
}

static bool add(struct member *m, struct error *e)
{
    (void)e;
    if (m->part.rows > 0 && m->part.items > 0)
        tile_add(&m->tile, &m->part, m->data, m->crew->pitch);
    return true;
}

void crew_add(struct crew *c, const struct part *p, const char *data,
              size_t pitch)
{
    struct error unused;
    c->pitch = pitch;
    share(c, p, data, c->sharers, c->by_row ? ROWS : ITEMS);
    work_together(c, c->sharers, add, &unused);
}

static bool finish(struct member *m, struct error *e)
{
    tile_end(&m->tile);
    return tile_finish(&m->tile, &m->tile.states, e);
}

/* Finishes the member's share of the outputs that all members borrow. */
static bool finish_share(struct member *m, struct error *e)
{
    const struct crew *c = m->crew;
    const unsigned i = (unsigned)(m - c->member);
    const uint64_t n = m->tile.states.groups;
    return tile_finish_some(&m->tile, (size_t)cut(n, i, c->sharers),
                            (size_t)cut(n, i + 1, c->sharers), e);
}

bool crew_finish(struct crew *c, struct error *e)
{
    struct tile *first = &c->member[0].tile;
    if (c->lends)
        tile_end(first);
    if (!c->by_row)
        return work_together(c, c->sharers, c->lends ? finish_share : finish,
                             e);
    for (unsigned i = 1; i < c->sharers; i++)
        states_merge(&first->states, &c->member[i].tile.states, 0,
                     first->states.groups);
    return finish(&c->member[0], e);
}
