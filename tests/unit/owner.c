/* SPDX-License-Identifier: MIT */
/* Owners: workers give the same results with states of their own as when they
 * share the run's. Positions become indexes over all records. */
#include "engine/owner.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "csv/cell/cell.h"
#include "format/input.h"

enum { THREADS = 4, CHUNKS = 24, ROWS = 5 };

static const struct csv_spec spec;

struct adder {
    struct total *total;
    const struct job *job;
    _Atomic unsigned *next;
    bool owns;
    pthread_t thread;
};

/* Each chunk has one value for each group and row. The least of group g is in
 * row ROWS - 1 of chunk g % CHUNKS, the greatest of all groups in the first
 * row. */
static struct input input; /* of all chunks, under the total's lock */

static void add_chunk(struct owner *o, const struct job *job, unsigned chunk)
{
    struct error e;
    for (size_t i = 0; i < job->columns; i++) {
        size_t g = (o->start + i) % job->columns;
        struct states *s = owner_take(o, g);
        struct extrema *x = &states_at(s, g, MONOID_extrema)->extrema;
        struct extrema new;
        extrema_init(&new);
        uint64_t first = (uint64_t)chunk << ROW_BITS;
        new.max = (struct extremum){100, 100, first};
        new.min =
            (struct extremum){g % CHUNKS == chunk ? 1 : 2, 0, first + ROWS - 1};
        extrema_merge(x, &new);
        exact_add_shifted(&states_at(s, g, MONOID_sum)->exact, (int)g - 7, 149);
        s->tally[g].n += ROWS;
        owner_give(o, g);
    }
    o->rows = ROWS + chunk % 3;
    o->skipped = 1;
    CHECK(
        owner_note(o, &(struct chunk){.sequence = chunk, .input = &input}, &e));
}

static void *add_chunks(void *arg)
{
    struct adder *a = arg;
    struct owner o;
    struct error e;
    CHECK(owner_open(&o, a->total, a->job, &e));
    a->owns = o.own.groups > 0;
    for (unsigned chunk; (chunk = (*a->next)++) < CHUNKS;)
        add_chunk(&o, a->job, chunk);
    owner_close(&o);
    return NULL;
}

static void check_group(const struct states *s, size_t g)
{
    const struct extrema *x = &states_at(s, g, MONOID_extrema)->extrema;
    struct exact sum, want;
    uint64_t before = 0;
    for (unsigned i = 0; i < g % CHUNKS; i++)
        before += ROWS + i % 3;
    CHECK_U64(s->tally[g].n, CHUNKS * ROWS);
    CHECK_U64(x->max.index, 0);
    CHECK_U64(x->min.index, before + ROWS - 1);
    exact_init(&want, DTYPE_f32, EXACT_VALUE);
    exact_add_shifted(&want, CHUNKS * ((__int128)g - 7), 149);
    exact_copy(&sum, &states_at(s, g, MONOID_sum)->exact);
    CHECK(memcmp(sum.word, want.word, want.words * sizeof want.word[0]) == 0,
          "group %zu", g);
}

/* Runs the threads. Returns how many of them had states of their own. */
static unsigned check_groups(size_t groups)
{
    const struct job job = {.dtype = DTYPE_f32,
                            .monoids = MONOID_BIT(sum) | MONOID_BIT(extrema),
                            .text = &spec,
                            .reading = &reading_records,
                            .columns = groups};
    struct adder adder[THREADS];
    struct total total;
    struct error e;
    _Atomic unsigned next = 0;
    unsigned owning = 0;
    CHECK(total_open(&total, &job, &e));
    for (int i = 0; i < THREADS; i++) {
        adder[i] = (struct adder){.total = &total, .job = &job, .next = &next};
        CHECK(pthread_create(&adder[i].thread, NULL, add_chunks, &adder[i]) ==
              0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(adder[i].thread, NULL);
        owning += adder[i].owns;
    }
    CHECK_U64(total.skipped, CHUNKS);
    CHECK(total_finish(&total, &e));
    for (size_t g = 0; g < groups; g++)
        check_group(&total.states, g);
    total_close(&total);
    return owning;
}

int main(void)
{
    alarm(500); /* ends a hang */
    const struct schema one = {.groups = 1, .dtype = DTYPE_f32};
    size_t bytes = states_bytes(&one, MONOID_BIT(sum) | MONOID_BIT(extrema));
    CHECK_INT(check_groups(1), THREADS);
    CHECK_INT(check_groups(LOCK_GROUPS), THREADS);
    CHECK_INT(check_groups(3 * LOCK_GROUPS + 1), THREADS);
    CHECK_INT(check_groups(STATES_BYTES / bytes / 3), 2);
    CHECK_INT(check_groups(STATES_BYTES / bytes), 0);
    return check_end();
}
