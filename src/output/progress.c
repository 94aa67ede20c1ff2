/* SPDX-License-Identifier: MIT */
#include "output/progress.h"

#include <string.h>

#include "base/wait.h"
#include "output/bar.h"
#include "output/line.h"

enum {
    DELAY_MS = 1000,
    TICK_MS = 100,
    /* The interval if standard error is a file or a pipe, where each line
     * stays. */
    SLOW_TICK_MS = 1000,
    WINDOW_MS = 5000,
    /* A gap between samples longer than this means that the process was
     * stopped. */
    GAP_MS = 3000,
};

static const uint64_t MS = 1000000;

static struct progress_sample *sample_at(struct progress *p, size_t i)
{
    return &p->sample[(p->first + i) % PROGRESS_SAMPLES];
}

static uint64_t counted(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Whether no rate can be computed from two samples. The counters decrease if a
 * dataset is started again. */
static bool is_apart(const struct progress_sample *a,
                     const struct progress_sample *b)
{
    return b->ns - a->ns > GAP_MS * MS || b->bytes < a->bytes ||
           b->done < a->done;
}

static void take_sample(struct progress *p)
{
    struct progress_sample now = {.ns = meter_now(),
                                  .bytes = counted(&p->meter->cut)};
    now.done = p->goal.packed ? counted(&p->meter->packed) : now.bytes;
    if (p->samples > 0 && is_apart(sample_at(p, p->samples - 1), &now))
        p->samples = 0;
    while (p->samples > 1 && (p->samples == PROGRESS_SAMPLES ||
                              now.ns - sample_at(p, 0)->ns > WINDOW_MS * MS)) {
        p->first = (p->first + 1) % PROGRESS_SAMPLES;
        p->samples--;
    }
    *sample_at(p, p->samples++) = now;
}

static void draw(struct progress *p)
{
    char text[BAR_MAX];
    take_sample(p);
    const struct progress_sample *from = sample_at(p, 0);
    const struct progress_sample *to = sample_at(p, p->samples - 1);
    double seconds = 1e-9 * (double)(to->ns - from->ns);
    struct bar bar = {.bytes = to->bytes,
                      .done = to->done,
                      .goal = p->goal.bytes,
                      .left = -1};
    if (bar.goal != PROGRESS_UNKNOWN && !p->goal.packed)
        bar.goal -= counted(&p->meter->spared);
    if (seconds > 0)
        bar.rate = (double)(to->bytes - from->bytes) / seconds;
    if (to->done >= bar.goal)
        bar.left = 0;
    else if (to->done > from->done)
        bar.left = (double)(bar.goal - to->done) * seconds /
                   (double)(to->done - from->done);
    line_draw(bar_text(text, &bar, line_width()));
}

/* Waits until the time `ns` or until `stop` is set. The caller holds the
 * lock. */
static void rest_until(struct progress *p, uint64_t ns)
{
    while (!p->stop && wait_until(&p->wake, &p->lock, ns))
        ;
}

static void *draw_all(void *arg)
{
    struct progress *p = arg;
    uint64_t tick = (line_is_terminal() ? TICK_MS : SLOW_TICK_MS) * MS;
    pthread_mutex_lock(&p->lock);
    rest_until(p, p->sample[0].ns + (p->always ? tick : DELAY_MS * MS));
    while (!p->stop) {
        draw(p);
        rest_until(p, meter_now() + tick);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static bool start_thread(struct progress *p)
{
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        return false;
    if (wait_init(&p->wake)) {
        if (pthread_create(&p->thread, NULL, draw_all, p) == 0)
            return true;
        pthread_cond_destroy(&p->wake);
    }
    pthread_mutex_destroy(&p->lock);
    return false;
}

void progress_start(struct progress *p, const struct meter *meter,
                    struct progress_goal goal, bool always)
{
    p->meter = meter;
    p->goal = goal;
    p->always = always;
    if (!line_open(always))
        return;
    take_sample(p);
    if (always)
        draw(p);
    p->running = start_thread(p);
    if (!p->running)
        line_close();
}

void progress_hold(struct progress *p)
{
    if (!p->running)
        return;
    pthread_mutex_lock(&p->lock);
    line_erase();
}

void progress_resume(struct progress *p)
{
    if (p->running)
        pthread_mutex_unlock(&p->lock);
}

void progress_stop(struct progress *p)
{
    if (!p->running)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    /* With --progress=always the last bar is shown, even after a short run. */
    if (p->always)
        draw(p);
    line_close();
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->lock);
    p->running = false;
}
