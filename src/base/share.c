/* SPDX-License-Identifier: MIT */
#include "base/share.h"

#include <pthread.h>

enum { MOST = 64 };

struct share {
    share_fn *call;
    void *context;
    size_t first, end;
    pthread_t thread;
};

static void *run(void *share)
{
    struct share *s = share;
    s->call(s->context, s->first, s->end);
    return NULL;
}

void share_out(unsigned threads, size_t n, share_fn *call, void *context)
{
    struct share share[MOST];
    const size_t shares = threads < MOST ? threads : MOST;
    size_t started = 0;
    for (size_t i = 0; i < shares; i++)
        share[i] = (struct share){.call = call,
                                  .context = context,
                                  .first = n * i / shares,
                                  .end = n * (i + 1) / shares};
    while (started + 1 < shares &&
           pthread_create(&share[started + 1].thread, NULL, run,
                          &share[started + 1]) == 0)
        started++;
    run(&share[0]);
    for (size_t i = started + 1; i < shares; i++)
        run(&share[i]);
    for (size_t i = 1; i <= started; i++)
        pthread_join(share[i].thread, NULL);
}
