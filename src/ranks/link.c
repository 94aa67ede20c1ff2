/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "ranks/link.h"

#include <fenv.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "output/sink.h"

/* MPI counts in int. */
static const size_t PIECE = 1 << 30;

enum { TAG_REPORT = 1 };

/* The thread that reports how far this rank has come. It calls MPI while no
 * other thread does. */
static struct {
    const struct meter *mine; /* NULL: there is no bar */
    struct meter *sum;        /* in the first rank */
    uint64_t told[2];         /* of `mine`: what is part of the sum */
    int left;                 /* ranks that have not made their last report */
    bool may_run, runs;
    atomic_bool stop;
    pthread_t thread;
} watch;

static int piece_at(size_t n, size_t at)
{
    return (int)(n - at < PIECE ? n - at : PIECE);
}

static bool is_done(MPI_Request *request)
{
    int done = 0;
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    return done;
}

/* Waits for what another rank may do much later: sleeps. */
static void await(MPI_Request *request)
{
    for (struct timespec pause = {0, 20000}; !is_done(request);
         pause.tv_nsec *= pause.tv_nsec < 1000000 ? 2 : 1)
        nanosleep(&pause, NULL);
}

/* Waits for bytes that both ranks move now. They move only while both test: of
 * 32 KiB at a time where a rank may not read another's memory. */
static void move(MPI_Request *request)
{
    while (!is_done(request))
        sched_yield();
}

/* Of each core that this rank may use, its share is 1/n if n ranks may. */
static unsigned share_of_cores(MPI_Comm machine, int ranks)
{
    cpu_set_t mine;
    int users[CPU_SETSIZE];
    double share = 0;
    CPU_ZERO(&mine);
    const bool known = sched_getaffinity(0, sizeof mine, &mine) == 0;
    for (int i = 0; i < CPU_SETSIZE; i++)
        users[i] = CPU_ISSET(i, &mine) != 0;
    MPI_Allreduce(MPI_IN_PLACE, users, CPU_SETSIZE, MPI_INT, MPI_SUM, machine);
    for (int i = 0; i < CPU_SETSIZE; i++)
        share += CPU_ISSET(i, &mine) ? 1.0 / users[i] : 0;
    if (!known)
        share = (double)sysconf(_SC_NPROCESSORS_ONLN) / ranks;
    share += 1e-6; /* 3 * (1.0 / 3) may be less than 1 */
    return share < 1 ? 1 : (unsigned)share;
}

struct link link_open(void)
{
    struct link l;
    MPI_Comm machine;
    int given, ranks;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given);
    watch.may_run = given >= MPI_THREAD_SERIALIZED;
    fesetenv(FE_DFL_ENV); /* a part that it loads may have lost subnormals */
    MPI_Comm_rank(MPI_COMM_WORLD, &l.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &l.ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, l.rank,
                        MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &l.local);
    MPI_Comm_size(machine, &ranks);
    l.threads = share_of_cores(machine, ranks);
    MPI_Comm_free(&machine);
    return l;
}

void link_close(void)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    await(&request);
    MPI_Finalize();
}

int link_tell(int word)
{
    MPI_Request request;
    MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    await(&request);
    return word;
}

void link_fail(const struct error *e)
{
    sink_error(stderr, e);
    MPI_Abort(MPI_COMM_WORLD, (int)e->kind);
    abort();
}

bool link_exchange(const struct saved_bytes *out, bool more, int to,
                   struct saved_bytes *in, int from)
{
    uint64_t head[2] = {out ? out->n : 0, more}, next[2] = {0, 0};
    MPI_Request sent = MPI_REQUEST_NULL, received = MPI_REQUEST_NULL;
    struct error e;
    uint8_t *into = NULL;
    if (in)
        MPI_Irecv(next, 2, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, &received);
    if (out)
        MPI_Issend(head, 2, MPI_UINT64_T, to, 0, MPI_COMM_WORLD, &sent);
    await(&received);
    await(&sent);
    if ((out && out->failed) || (next[0] && !(into = saved_grow(in, next[0]))))
        error_memory(&e), link_fail(&e);
    for (size_t at = 0; at < head[0] || at < next[0]; at += PIECE) {
        if (at < next[0])
            MPI_Irecv(into + at, piece_at(next[0], at), MPI_BYTE, from, 0,
                      MPI_COMM_WORLD, &received);
        if (at < head[0])
            MPI_Isend(out->at + at, piece_at(head[0], at), MPI_BYTE, to, 0,
                      MPI_COMM_WORLD, &sent);
        move(&received);
        move(&sent);
    }
    return next[1];
}

void link_send(const struct saved_bytes *b, int to)
{
    link_exchange(b, false, to, NULL, 0);
}

struct saved_bytes link_receive(int from)
{
    struct saved_bytes b = {NULL, 0, 0, false};
    link_exchange(NULL, false, 0, &b, from);
    return b;
}

void link_add(uint64_t *counts, int n)
{
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, counts, n, MPI_UINT64_T, MPI_SUM,
                   MPI_COMM_WORLD, &request);
    await(&request);
}

static void add_report(const uint64_t *report)
{
    atomic_fetch_add(&watch.sum->cut, report[0]);
    atomic_fetch_add(&watch.sum->packed, report[1]);
    watch.left -= (int)report[2];
}

/* Tells the first rank what this one has counted since it did so before. The
 * first rank also takes the reports of others that are there. */
static void report(bool is_last)
{
    const uint64_t now[2] = {atomic_load(&watch.mine->cut),
                             atomic_load(&watch.mine->packed)};
    uint64_t news[3] = {now[0] - watch.told[0], now[1] - watch.told[1],
                        is_last};
    int there = watch.sum != NULL;
    memcpy(watch.told, now, sizeof now);
    if (!watch.sum)
        MPI_Send(news, 3, MPI_UINT64_T, 0, TAG_REPORT, MPI_COMM_WORLD);
    while (there) {
        add_report(news);
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_REPORT, MPI_COMM_WORLD, &there,
                   MPI_STATUS_IGNORE);
        if (there)
            MPI_Recv(news, 3, MPI_UINT64_T, MPI_ANY_SOURCE, TAG_REPORT,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void *report_all(void *none)
{
    const struct timespec pause = {0, 5000000};
    for (unsigned i = 0; !atomic_load(&watch.stop); i++) {
        if (i % 20 == 0)
            report(false);
        nanosleep(&pause, NULL);
    }
    return none;
}

void link_watch(const struct meter *mine, struct meter *sum)
{
    watch.mine = mine;
    watch.sum = sum;
    atomic_store(&watch.stop, false);
    if (!mine)
        return;
    MPI_Comm_size(MPI_COMM_WORLD, &watch.left);
    watch.told[0] = atomic_load(&mine->cut);
    watch.told[1] = atomic_load(&mine->packed);
    watch.runs = watch.may_run &&
                 pthread_create(&watch.thread, NULL, report_all, NULL) == 0;
}

void link_watch_end(void)
{
    const struct timespec pause = {0, 1000000};
    if (!watch.mine)
        return;
    atomic_store(&watch.stop, true);
    if (watch.runs)
        pthread_join(watch.thread, NULL);
    report(true);
    while (watch.sum && watch.left > 0) {
        nanosleep(&pause, NULL);
        report(false);
    }
}
