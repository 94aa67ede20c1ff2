/* SPDX-License-Identifier: MIT */
#include "reduce/cpu/search_kept.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/share.h"

enum {
    /* A range has 2^BITS bins. */
    BITS = 12,
    /* If at most 1 in SMALL_PART of the keys in memory is in a range, those
     * keys are copied. */
    SMALL_PART = 8,
    /* A thread takes at least so many bytes: it starts in the time that they
     * take. */
    THREAD_BYTES = 512 << 10,
};

/* A pass over pieces. */
struct pass {
    const struct rank_piece **piece; /* owned */
    enum dtype keys;
    const struct cpu_loops *loops;
    struct ranks *to; /* guarded by the lock */
    pthread_mutex_t lock;
};

static void run_pieces(void *pass, size_t first, size_t end)
{
    struct pass *p = pass;
    struct accumulator *w = malloc(sizeof *w);
    union state state;
    ranks_init(&state.ranks);
    state.ranks.asked = p->to->asked;
    state.ranks.lost = !w;
    if (w) {
        accumulator_init(w, MONOID_ranks, p->keys);
        accumulator_begin(w, &state);
        for (size_t i = first; i < end; i++)
            p->loops->run[MONOID_ranks][p->keys](w, rank_keys(p->piece[i]),
                                                 p->piece[i]->n, 0);
        accumulator_end(w);
    }
    free(w);
    pthread_mutex_lock(&p->lock);
    ranks_merge(p->to, &state.ranks);
    pthread_mutex_unlock(&p->lock);
    ranks_close(&state.ranks);
}

void kept_run(const struct rank_piece *kept, enum dtype dtype,
              struct kept_loops use, struct ranks *to)
{
    size_t n = 0, bytes = 0;
    for (const struct rank_piece *p = kept; p; p = p->next, n++)
        bytes += p->bytes;
    struct pass pass = {malloc((n + 1) * sizeof *pass.piece),
                        rank_keys_dtype(dtype), use.loops, to,
                        PTHREAD_MUTEX_INITIALIZER};
    n = 0;
    for (const struct rank_piece *p = kept; pass.piece && p; p = p->next)
        pass.piece[n++] = p;
    if (pass.piece) {
        const size_t most = bytes / THREAD_BYTES + 1;
        share_out(most < use.threads ? (unsigned)most : use.threads, n,
                  run_pieces, &pass);
    }
    to->lost |= !pass.piece;
    free(pass.piece);
}

static bool narrow(struct rank_search *s, struct kept_loops use,
                   struct error *e)
{
    size_t ranges;
    const uint64_t left = search_left(s, &ranges);
    struct ranks found;
    search_ask(s, left <= s->kept_n / SMALL_PART, BITS);
    ranks_init(&found);
    found.asked = &s->asked;
    kept_run(s->kept, s->dtype, use, &found);
    const bool ok =
        found.lost ? memory_refuse(e, RANKS_LOST) : search_narrow(s, &found, e);
    ranks_close(&found);
    return ok;
}

bool search_kept(struct rank_search *s, struct kept_loops use, struct error *e)
{
    bool ok = true;
    while (ok && !search_is_done(s) && s->kept_n >= SEARCH_SORTED)
        ok = narrow(s, use, e);
    return ok && (search_is_done(s) || search_sort(s, e));
}
