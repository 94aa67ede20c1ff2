/* SPDX-License-Identifier: MIT */
/* The chunker of elements: several threads get every byte exactly once, in
 * chunks with the right indexes. */
#include "chunk/chunker.h"

#include <pthread.h>

#include <unistd.h>

#include "check.h"
#include "sources.h"

enum { THREADS = 4, CHUNKS_MAX = 100000 };

struct table {
    struct chunker *chunker;
    size_t chunk_bytes, size;
    pthread_mutex_t lock;
    /* [sequence number] */
    struct chunk chunk[CHUNKS_MAX];
    unsigned seen[CHUNKS_MAX];
    unsigned char *got;
    size_t room; /* size of `got` */
    unsigned errors, mistakes, mapped;
    _Atomic unsigned undone;
    uint64_t error_at;
    struct error error;
};

static struct table table;

/* Called under the lock. */
static void note_chunk(struct table *t, const struct chunk *chunk)
{
    size_t at = chunk->first * t->size, n = chunk->n * t->size;
    if (chunk->sequence >= CHUNKS_MAX || at + n > t->room) {
        t->mistakes++;
        return;
    }
    t->chunk[chunk->sequence] = *chunk;
    t->seen[chunk->sequence]++;
    memcpy(t->got + at, chunk->data, n);
    t->mapped += chunk->data != NULL && chunk->mapped != NULL;
}

static void *take_all(void *arg)
{
    struct table *t = arg;
    unsigned char *slot = malloc(t->chunk_bytes);
    const struct want want = {slot, t->chunk_bytes, true};
    for (;;) {
        struct chunk chunk;
        struct error e;
        enum chunk_next next =
            chunker_elements.next(t->chunker, &want, &chunk, &e);
        pthread_mutex_lock(&t->lock);
        if (next == CHUNK_READY)
            note_chunk(t, &chunk);
        if (next == CHUNK_ERROR) {
            if (t->errors++ == 0 || chunk.sequence < t->error_at) {
                t->error = e;
                t->error_at = chunk.sequence;
            }
        }
        pthread_mutex_unlock(&t->lock);
        if (next != CHUNK_READY)
            break;
        if (!chunker_elements.done(t->chunker, &chunk, &e))
            t->undone++;
    }
    free(slot);
    return NULL;
}

static void start(struct table *t, struct dataset *d, size_t chunk_bytes,
                  bool may_map)
{
    const struct chunker_options options = {.may_map = may_map};
    struct index_map index = {.index = NULL};
    struct error e;
    memset(t, 0, sizeof *t);
    t->chunk_bytes = chunk_bytes;
    t->size = d->size;
    t->room = d->elements * d->size + 4096;
    t->got = calloc(1, t->room);
    CHECK(pthread_mutex_init(&t->lock, NULL) == 0);
    t->chunker =
        chunker_elements.open(d->input, d->count, &options, &index, &e);
    CHECK(t->chunker);
}

static void run(struct table *t, unsigned threads)
{
    pthread_t thread[THREADS];
    for (unsigned i = 0; i < threads; i++)
        CHECK(pthread_create(&thread[i], NULL, take_all, t) == 0);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}

static void stop(struct table *t)
{
    /* After the end or an error there are no further chunks. */
    unsigned char *slot = malloc(t->chunk_bytes);
    const struct want want = {slot, t->chunk_bytes, true};
    struct chunk chunk;
    struct error e;
    CHECK(chunker_elements.next(t->chunker, &want, &chunk, &e) == CHUNK_END);
    chunker_elements.close(t->chunker);
    pthread_mutex_destroy(&t->lock);
    free(t->got);
    free(slot);
}

/* Checks that chunks 0, 1, 2, ... adjoin and all but the last are full. Returns
 * the number of their elements. */
static size_t check_chunks(const struct table *t)
{
    size_t elements = 0, i = 0, full = t->chunk_bytes / t->size;
    while (i < CHUNKS_MAX && t->seen[i]) {
        const struct chunk *c = &t->chunk[i];
        CHECK_U64(t->seen[i], 1);
        CHECK_U64(c->first, elements);
        CHECK(c->n == full || !t->seen[i + 1], "chunk %zu: %zu", i, c->n);
        CHECK(c->n > 0 && c->n <= full, "chunk %zu: %zu", i, c->n);
        elements += c->n;
        i++;
    }
    for (; i < CHUNKS_MAX && t->seen[i] == 0; i++)
        continue;
    CHECK(i == CHUNKS_MAX, "a gap before chunk %zu", i);
    CHECK_U64(t->mistakes + t->undone, 0);
    return elements;
}

static void check_cut_chunks(struct dataset *d, size_t chunk_elements,
                             unsigned threads, bool may_map)
{
    struct table *t = &table;
    struct error e;
    if (!CHECK(dataset_open(d, &e), "%s", e.text))
        return;
    start(t, d, chunk_elements * d->size, may_map);
    run(t, threads);
    CHECK(t->errors == 0, "%s", t->error.text);
    CHECK_U64(check_chunks(t), d->elements);
    CHECK(memcmp(t->got, d->want, d->elements * d->size) == 0);
    stop(t);
    dataset_close(d);
}

static struct dataset dataset;

static struct dataset *start_dataset(enum dtype dtype)
{
    dataset = (struct dataset){.dtype = dtype};
    return &dataset;
}

static void add(struct dataset *d, struct source s)
{
    d->source[d->count++] = s;
}

static const enum dtype dtypes[] = {DTYPE_u8, DTYPE_u16, DTYPE_u32, DTYPE_u64};

/* One file or pipe of every size near a boundary. */
static void test_sizes(void)
{
    static const size_t sizes[] = {0, 1, 7, 512, 4095, 4096, 4097, 50001};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int kind = SOURCE_FILE; kind <= SOURCE_LATE_PIPE; kind++) {
            struct dataset *d = start_dataset(dtypes[i % 4]);
            add(d, (struct source){.kind = (enum source_kind)kind,
                                   .elements = sizes[i]});
            if (kind == SOURCE_LATE_PIPE)
                add(d, d->source[0]);
            check_cut_chunks(d, 512, 1 + i % THREADS, i % 2 == 1);
        }
    }
}

/* Files that are read outside the lock, in one piece or several. */
static void test_large(void)
{
    static const size_t chunks[] = {8192, 40000, 65536, 300000};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            struct dataset *d = start_dataset(dtypes[j]);
            for (size_t k = 0; k < 4; k++)
                add(d, (struct source){.elements = 150000 + 7 * k,
                                       .npy = k % 2 == 1,
                                       .big_endian = (j + k) % 3 == 0});
            check_cut_chunks(d, chunks[i], THREADS, false);
        }
    }
}

/* Files large enough to be mapped, some with data at unaligned offsets. */
static void test_mapped(void)
{
    static const size_t chunks[] = {4096, 65536, 300000};
    unsigned mapped = 0;
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 4; j++) {
            struct dataset *d = start_dataset(dtypes[j]);
            size_t elements = ((5u << 18) >> j) + 7;
            add(d, (struct source){.elements = elements, .skip = 4097});
            add(d, (struct source){.kind = SOURCE_PIPE, .elements = 100});
            add(d, (struct source){.elements = elements, .npy = true});
            add(d, (struct source){.elements = elements, .big_endian = true});
            add(d, (struct source){.elements = elements + 1});
            check_cut_chunks(d, chunks[i], THREADS, true);
            mapped += table.mapped;
        }
    }
    CHECK(mapped > 0);
}

static struct source random_source(void)
{
    struct source s = {.kind = (enum source_kind)check_below(3),
                       .npy = check_below(3) == 0,
                       .big_endian = check_random() % 2,
                       .elements = check_below(4000)};
    if (check_below(4) == 0)
        s.elements *= 40;
    if (check_below(5) == 0)
        s.elements = 0;
    if (!s.npy && check_below(3) == 0)
        s.skip = check_below(3000);
    return s;
}

static void test_random(void)
{
    for (int i = 0; i < CHECK_ROUNDS(120); i++) {
        struct dataset *d = start_dataset(dtypes[i % 4]);
        size_t count = 1 + check_below(8);
        for (size_t j = 0; j < count; j++)
            add(d, random_source());
        check_cut_chunks(d, 100 + check_below(i % 3 ? 3000 : 90000),
                         1 + (unsigned)check_below(THREADS), i % 4 < 2);
    }
}

/* One chunk of more files than it has pieces for. */
static void test_many_files(void)
{
    struct dataset *d = start_dataset(DTYPE_u64);
    for (int i = 0; i < 100; i++)
        add(d, (struct source){.elements = 8192 + (size_t)i});
    check_cut_chunks(d, 1 << 20, 2, true);
    d = start_dataset(DTYPE_u16);
    for (int i = 0; i < SOURCES_MAX; i++)
        add(d, (struct source){.elements = (size_t)i % 3});
    check_cut_chunks(d, 50, THREADS, false);
}

static void test_stop(void)
{
    struct dataset *d = start_dataset(DTYPE_u8);
    struct error e;
    struct chunk chunk;
    unsigned char slot[100];
    const struct want want = {slot, sizeof slot, true};
    add(d, (struct source){.elements = 1000});
    CHECK(dataset_open(d, &e));
    start(&table, d, 100, false);
    CHECK(chunker_elements.next(table.chunker, &want, &chunk, &e) ==
          CHUNK_READY);
    CHECK(chunk.data == slot && memcmp(slot, d->want, 100) == 0);
    CHECK(chunker_elements.done(table.chunker, &chunk, &e));
    chunker_elements.stop(table.chunker, 0);
    CHECK(chunker_elements.next(table.chunker, &want, &chunk, &e) == CHUNK_END);
    stop(&table);
    dataset_close(d);
}

int main(void)
{
    alarm(500); /* ends a hang */
    test_sizes();
    test_large();
    test_mapped();
    test_random();
    test_many_files();
    test_stop();
    return check_end();
}
