/* SPDX-License-Identifier: MIT */
/*
 * Reduces arrays along axes in the fake backend, by plain loops. It reports
 * some sums of floats as doubtful and makes them wrong, to catch a caller that
 * does not compute them again. It does the work only in wait, to catch a caller
 * that refills the slot too early. For parts of outputs it keeps the rows
 * themselves.
 */
#include "fake_axis.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "axis_reference.h"
#include "fake.h"

enum { DOUBTFUL_EACH = 7, FILL = 0xa5 };

/* The rows of a task, collected from its chunks. */
struct rows {
    char *data;
    uint64_t first, n;
};

struct slot {
    char *data;
    struct axis_chunk chunk;
    char *answers[24]; /* arrays of the last answers; owned */
    unsigned arrays;
};

struct axis_context {
    struct axis_setup setup;
    struct slot slot[AXIS_SLOTS];
    struct rows rows;
    size_t bytes; /* of memory that it has taken (fake.h) */
    bool is_lost; /* rows are missing: all later work fails, as on a GPU */
};

/* The data of rows that wait for a merge. Where the run fails before it merges
 * them, they are still reachable, and no leak. */
static struct {
    pthread_mutex_t lock;
    char **data;
    size_t n;
} waiting = {PTHREAD_MUTEX_INITIALIZER, NULL, 0};

static const struct {
    enum axis_monoid monoid;
    bool mean;
} sums[MEASURE_SUMS] = {[MEASURE_SUM] = {AXIS_SUM, false},
                        [MEASURE_SUMABS] = {AXIS_SUMABS, false},
                        [MEASURE_SUMSQ] = {AXIS_SUMSQ, false},
                        [MEASURE_MEAN] = {AXIS_SUM, true}};

static bool fake_has(enum measure measure, enum dtype dtype)
{
    return dtype < DTYPES_END &&
           (measure != MEASURE_MEAN || dtype_is_float(dtype)) &&
           (measure != MEASURE_SUMSQ || axis_is_supported(AXIS_SUMSQ, dtype));
}

static void free_answers(struct slot *s)
{
    while (s->arrays > 0)
        free(s->answers[--s->arrays]);
}

static void fake_close(struct axis_context *c)
{
    for (int i = 0; i < AXIS_SLOTS; i++) {
        free_answers(&c->slot[i]);
        free(c->slot[i].data);
    }
    free(c->rows.data);
    fake_give(c->bytes);
    free(c);
}

/* Takes memory until the context has it for so many slots. */
static bool take_memory(struct axis_context *c, size_t slots, struct error *e)
{
    const size_t need = slots * c->setup.bytes;
    if (c->bytes >= need)
        return true;
    if (!fake_take(need - c->bytes, e))
        return false;
    c->bytes = need;
    return true;
}

static struct axis_context *fake_open(const struct axis_setup *setup,
                                      struct error *e)
{
    struct axis_context *c = calloc(1, sizeof *c);
    if (!c)
        return error_memory(e);
    if (setup->device != 0) {
        free(c);
        error_set(e, ERROR_DEVICE, "there is no device %d", setup->device);
        return NULL;
    }
    c->setup = *setup;
    bool ok = take_memory(c, AXIS_SLOTS, e);
    for (int i = 0; ok && i < AXIS_SLOTS; i++)
        ok = (c->slot[i].data = malloc(setup->bytes)) || error_memory(e);
    if (ok)
        return c;
    fake_close(c);
    return NULL;
}

static void *fake_slot(struct axis_context *c, unsigned slot)
{
    return c->slot[slot].data;
}

static bool fake_submit(struct axis_context *c, unsigned slot,
                        const struct axis_chunk *chunk, struct error *e)
{
    const size_t size = dtype_info(c->setup.dtype)->size;
    const uint64_t outputs = chunk->outer * chunk->inner;
    if (outputs * chunk->length * size > c->setup.bytes ||
        outputs > c->setup.outputs || outputs * chunk->length == 0 ||
        (chunk->is_part && (chunk->outer != 1 || !c->setup.has_parts)))
        return error_set(e, ERROR_DEVICE, "fake: a chunk is too large");
    /* As for a GPU's partial results. */
    if (chunk->is_part && !take_memory(c, AXIS_SLOTS + 1, e))
        return false;
    c->slot[slot].chunk = *chunk;
    return true;
}

static void *array(struct slot *s, size_t bytes)
{
    char *at = malloc(bytes + 1);
    if (at)
        memset(s->answers[s->arrays++] = at, FILL, bytes);
    return at;
}

static bool put_sum(const struct axis_context *c, struct slot *s, int m,
                    const struct axis_answer *a, size_t n,
                    struct axis_answers *to)
{
    const bool is_float = dtype_is_float(c->setup.dtype);
    const unsigned bytes = axis_sum_bytes((enum measure)m, c->setup.dtype);
    char *sum = array(s, n * bytes);
    uint64_t *list = array(s, n * sizeof *list), listed = 0;
    for (size_t i = 0; sum && list && i < n; i++) {
        double value;
        if (!is_float)
            memcpy(sum + i * bytes, a[i].integer[sums[m].monoid], bytes);
        else if (i % DOUBTFUL_EACH == 3 ||
                 !axis_answer_float(&a[i], sums[m].monoid, sums[m].mean,
                                    c->setup.skip_nan, &value))
            list[listed++] = i;
        else
            memcpy(sum + i * bytes, &value, bytes);
    }
    to->sum[m] = sum;
    to->doubtful[m] = list;
    to->doubtfuls[m] = n == 2 * DOUBTFUL_EACH && listed ? UINT64_MAX : listed;
    return sum && list;
}

static bool put_counts(struct slot *s, const struct axis_answer *a, size_t n,
                       struct axis_answers *to)
{
    uint32_t *nan = array(s, 4 * n), *inf = array(s, 4 * n),
             *nonzero = array(s, 4 * n);
    const bool ok = nan && inf && nonzero;
    for (size_t i = 0; ok && i < n; i++) {
        nan[i] = a[i].nan;
        inf[i] = a[i].plus_inf + a[i].minus_inf;
        nonzero[i] = a[i].nonzero;
    }
    to->nan = nan;
    to->inf = inf;
    to->nonzero = nonzero;
    return ok;
}

static bool put_extremes(const struct axis_context *c, struct slot *s,
                         int which, const struct axis_answer *a, size_t n,
                         struct axis_answers *to)
{
    const size_t size = dtype_info(c->setup.dtype)->size;
    char *least = array(s, size * n), *greatest = array(s, size * n);
    uint32_t *least_at = array(s, 4 * n), *greatest_at = array(s, 4 * n),
             *first_nan = array(s, 4 * n);
    const bool ok = least && greatest && least_at && greatest_at && first_nan;
    for (size_t i = 0; ok && i < n; i++) {
        memcpy(least + i * size, &a[i].least[which].bits, size);
        memcpy(greatest + i * size, &a[i].greatest[which].bits, size);
        least_at[i] = a[i].least[which].at;
        greatest_at[i] = a[i].greatest[which].at;
        first_nan[i] = a[i].first_nan;
    }
    to->extremes[which] = (struct axis_extremes){least, greatest, least_at,
                                                 greatest_at, first_nan};
    return ok;
}

/* Computes the answers for an array of shape (outer, length, inner). */
static bool answer(const struct axis_context *c, struct slot *s,
                   const char *data, uint64_t outer, uint64_t length,
                   uint64_t inner, struct axis_answers *to, struct error *e)
{
    const size_t n = (size_t)(outer * inner);
    struct axis_answer *a = malloc(n * sizeof *a);
    bool ok = a;
    for (size_t i = 0; ok && i < n; i++)
        axis_answer_of(&a[i], c->setup.dtype, data,
                       i / inner * length * inner + i % inner, length, inner);
    free_answers(s);
    *to = (struct axis_answers){0};
    for (int m = 0; ok && m < MEASURE_SUMS; m++) {
        if (c->setup.measures >> m & 1)
            ok = put_sum(c, s, m, a, n, to);
    }
    if (ok && c->setup.measures >> MEASURE_COUNT & 1)
        ok = put_counts(s, a, n, to);
    for (int i = 0; ok && i < 2; i++) {
        if (c->setup.measures >> (MEASURE_EXTREMA + i) & 1)
            ok = put_extremes(c, s, i, a, n, to);
    }
    free(a);
    return ok || error_memory(e);
}

/* Adds a chunk to the rows of its task. */
static bool add_rows(struct axis_context *c, const struct slot *s,
                     struct error *e)
{
    const struct axis_chunk *k = &s->chunk;
    struct rows *r = &c->rows;
    const size_t row = k->inner * dtype_info(c->setup.dtype)->size;
    if (!k->adds) {
        free(r->data);
        *r = (struct rows){.first = k->first};
    }
    if (r->first + r->n != k->first)
        abort();
    char *data = realloc(r->data, (r->n + k->length) * row);
    if (!data)
        return error_memory(e);
    r->data = data;
    memcpy(r->data + r->n * row, s->data, k->length * row);
    r->n += k->length;
    return true;
}

static bool note_waiting(char *data)
{
    pthread_mutex_lock(&waiting.lock);
    char **grown =
        realloc(waiting.data, (waiting.n + 1) * sizeof *waiting.data);
    if (grown) {
        waiting.data = grown;
        grown[waiting.n++] = data;
    }
    pthread_mutex_unlock(&waiting.lock);
    return grown;
}

static bool fake_wait(struct axis_context *c, unsigned slot,
                      struct axis_answers *answers, struct error *e)
{
    struct slot *s = &c->slot[slot];
    const struct axis_chunk *k = &s->chunk;
    if (!k->is_part)
        return answer(c, s, s->data, k->outer, k->length, k->inner, answers, e);
    c->is_lost = c->is_lost || !add_rows(c, s, e);
    if (c->is_lost)
        return error_memory(e);
    if (k->ends && k->keep) {
        c->is_lost = !note_waiting(c->rows.data);
        if (c->is_lost)
            return error_memory(e);
        memcpy(k->keep, &c->rows, sizeof c->rows);
        c->rows.data = NULL;
    } else if (k->ends) {
        return answer(c, s, c->rows.data, 1, c->rows.n, k->inner, answers, e);
    }
    return true;
}

static int by_first(const void *a, const void *b)
{
    const struct rows *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static bool fake_merge(struct axis_context *c, unsigned slot, const char *keep,
                       size_t parts, uint64_t outputs,
                       struct axis_answers *answers, struct error *e)
{
    const size_t bytes = axis_open_bytes(&c->setup, outputs);
    const size_t row = outputs * dtype_info(c->setup.dtype)->size;
    struct rows *all = malloc(parts * sizeof *all);
    char *data = malloc(c->setup.length * row);
    uint64_t n = 0;
    bool ok = all && data;
    for (size_t i = 0; ok && i < parts; i++)
        memcpy(&all[i], keep + i * bytes, sizeof *all);
    if (ok)
        qsort(all, parts, sizeof *all, by_first);
    for (size_t i = 0; ok && i < parts; i++) {
        if (all[i].first != n || n + all[i].n > c->setup.length)
            abort();
        memcpy(data + n * row, all[i].data, all[i].n * row);
        n += all[i].n;
        free(all[i].data);
    }
    if (ok)
        ok = answer(c, &c->slot[slot], data, 1, n, outputs, answers, e);
    else
        error_memory(e);
    free(all);
    free(data);
    return ok;
}

const struct axis_device fake_axis_device = {fake_has,    fake_open, fake_slot,
                                             fake_submit, fake_wait, fake_merge,
                                             fake_close};
