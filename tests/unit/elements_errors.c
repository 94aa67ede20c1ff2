/* SPDX-License-Identifier: MIT */
/* The chunker of elements on inputs that change or do not hold what their
 * header says, and the indexes of arrays in Fortran order. */
#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "chunk/chunker.h"
#include "chunk/pieces.h"
#include "format/format.h"
#include "source/map.h"
#include "sources.h"
#include "temporary.h"

/* Large enough for pieces that are read outside the lock or mapped. */
enum { CHUNK = 128 << 10 };

static struct dataset dataset;

static struct dataset *with(struct source first, struct source second)
{
    dataset = (struct dataset){
        .dtype = DTYPE_u32, .count = 2, .source = {first, second}};
    return &dataset;
}

/* Takes one chunk. If it is good, compares it with the data. */
static enum chunk_next take(struct chunker *c, const struct dataset *d,
                            struct chunk *chunk, struct error *e)
{
    static unsigned char slot[CHUNK];
    static const struct want want = {slot, CHUNK, true};
    enum chunk_next next = chunker_elements.next(c, &want, chunk, e);
    if (next != CHUNK_READY)
        return next;
    size_t known = chunk->first + chunk->n <= d->elements ? chunk->n : 0;
    bool same = memcmp(chunk->data, d->want + 4 * chunk->first, 4 * known) == 0;
    if (!chunker_elements.done(c, chunk, e)) {
        chunker_elements.stop(c, chunk->sequence);
        return CHUNK_ERROR;
    }
    CHECK(same, "chunk %" PRIu64, chunk->sequence);
    return CHUNK_READY;
}

static bool may_map;

/* Takes chunks until the end or an error. */
static enum chunk_next take_all(struct dataset *d, size_t *elements,
                                struct error *e)
{
    const struct chunker_options options = {.may_map = may_map};
    struct index_map index = {.index = NULL};
    struct chunk chunk;
    struct error late;
    enum chunk_next next;
    uint64_t sequence = 0;
    *elements = 0;
    *e = (struct error){.kind = ERROR_NONE};
    struct chunker *c =
        chunker_elements.open(d->input, d->count, &options, &index, e);
    CHECK(c && !index.index);
    while ((next = take(c, d, &chunk, e)) == CHUNK_READY) {
        CHECK_U64(chunk.sequence, sequence++);
        CHECK_U64(chunk.first, *elements);
        *elements += chunk.n;
    }
    if (next == CHUNK_ERROR) {
        CHECK_U64(chunk.sequence, sequence);
        CHECK(take(c, d, &chunk, &late) == CHUNK_END);
    }
    chunker_elements.close(c);
    return next;
}

/* Changes a source after it was opened and before its turn. */
typedef void change_fn(struct source *s);

static void check_error(struct dataset *d, unsigned which, change_fn *change,
                        const char *says)
{
    struct error e;
    size_t elements;
    if (!CHECK(dataset_open(d, &e), "%s", e.text))
        return;
    if (change)
        change(&d->source[which]);
    CHECK(take_all(d, &elements, &e) == CHUNK_ERROR, "%s", says);
    CHECK_INT(e.kind, ERROR_DATA);
    CHECK(strstr(e.text, says) != NULL, "%s: %s", says, e.text);
    CHECK(strstr(e.text, d->source[which].name) != NULL, "%s", e.text);
    /* Full chunks before it come first. */
    size_t before = which ? d->source[0].elements / (CHUNK / 4) : 0;
    CHECK(elements >= before * (CHUNK / 4), "%s: %zu", says, elements);
    CHECK(elements <= d->elements, "%s: %zu", says, elements);
    dataset_close(d);
}

static void removes(struct source *s)
{
    CHECK(unlink(s->name) == 0);
}

static void replaces(struct source *s)
{
    /* The old file is kept, so that the new one cannot get its inode. */
    char kept[520];
    snprintf(kept, sizeof kept, "%s.kept", s->name);
    CHECK(rename(s->name, kept) == 0);
    temporary_write(s->name, s->bytes, s->n);
}

static void shrinks(struct source *s)
{
    CHECK(truncate(s->name, (off_t)(s->n - 4)) == 0);
}

static void vanishes(struct source *s)
{
    CHECK(truncate(s->name, 0) == 0);
}

static void test_changes(void)
{
    /* Sizes that are read under the lock, outside of it, and mapped. Of the
     * third, a chunk holds both files, a piece each. */
    static const size_t sizes[] = {100, 9000, CHUNK / 8, 120000, 320000};
    for (size_t i = 0; i < 5; i++) {
        may_map = i == 4;
        const char *cut = may_map ? "was cut" : "ended early: 4 bytes";
        for (unsigned which = 0; which < 2; which++) {
            struct source s = {.elements = sizes[i]};
            struct source npy = {.elements = sizes[i], .npy = true};
            check_error(with(s, s), which, removes, "cannot be opened");
            check_error(with(s, s), which, replaces, "was replaced");
            check_error(with(s, s), which, shrinks, cut);
            check_error(with(s, s), which, vanishes,
                        may_map ? "was cut" : "ended early");
            check_error(with(npy, npy), which, shrinks, cut);
        }
    }
}

/* The bytes of a piece that are to be swapped are read in steps of 256 KiB. */
static void test_cut_piece(void)
{
    static char bytes[600 << 10];
    char name[TEMPORARY_MAX];
    struct error e;
    temporary_path(name, "piece");
    temporary_write(name, bytes, 300 << 10);
    struct open_file file = {.fd = open(name, O_RDONLY)};
    struct input input = {.name = name, .dtype = DTYPE_u32, .big_endian = true};
    struct piece piece = {&file, &input, 0, bytes, sizeof bytes};
    CHECK(file.fd >= 0 && !piece_read(&piece, &e));
    CHECK(strstr(e.text, "early: 307200 bytes are missing"), "%s", e.text);
    close(file.fd);
}

static void test_torn(void)
{
    for (int extra = 1; extra < 4; extra++) {
        for (unsigned which = 0; which < 2; which++) {
            for (int kind = SOURCE_FILE; kind <= SOURCE_PIPE; kind++) {
                struct source s = {.kind = (enum source_kind)kind,
                                   .elements = 30000};
                struct source torn = s;
                torn.extra = extra;
                check_error(which ? with(s, torn) : with(torn, s), which, NULL,
                            "not a whole number of u32 elements");
            }
        }
    }
    /* An element split between two files is an error, not an element. */
    struct source half = {.elements = 10, .extra = 2};
    check_error(with(half, half), 0, NULL, "2 trailing bytes");
}

/* An array in a pipe that has more or fewer elements than its header says. */
static void test_npy_streams(void)
{
    struct source good = {.kind = SOURCE_PIPE, .npy = true, .elements = 20000};
    struct source shorter = good, longer = good;
    shorter.extra = -1;
    longer.extra = 1;
    check_error(with(good, shorter), 1, NULL, "ended early: 1 bytes");
    check_error(with(shorter, good), 0, NULL, "ended early: 1 bytes");
    check_error(with(good, longer), 1, NULL, "bytes follow the array");
    check_error(with(longer, good), 0, NULL, "bytes follow the array");
}

static void test_skip(void)
{
    struct source s = {.kind = SOURCE_PIPE, .elements = 0, .skip = 100000};
    struct source cut = s;
    cut.extra = -1;
    check_error(with(cut, s), 0, NULL,
                "--skip-bytes 100000 is more than its "
                "99999 bytes");
    check_error(with(s, cut), 1, NULL,
                "--skip-bytes 100000 is more than its "
                "99999 bytes");
}

static void grows(struct source *s)
{
    FILE *file = fopen(s->name, "ab");
    CHECK(file && fwrite("\1\2\3\4\5\6\7\10", 1, 8, file) == 8 &&
          fclose(file) == 0);
}

/* Elements that a raw file gains count if they come before its turn; also in
 * the last file. */
static void test_growth(void)
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned which = i % 2;
        may_map = i / 2;
        struct source s = {.elements = 400000};
        struct dataset *d = with(s, s);
        struct error e;
        size_t elements;
        CHECK(dataset_open(d, &e), "%s", e.text);
        if (which == 0) /* the elements of the second file move by two */
            d->elements = 400000;
        grows(&d->source[which]);
        CHECK(take_all(d, &elements, &e) == CHUNK_END, "%s", e.text);
        CHECK_U64(elements, 800002);
        dataset_close(d);
    }
}

/* Bytes cut from under a map read as zeros. map_check remembers the cut even
 * when the file has its size again. */
static void test_map(void)
{
    enum { SIZE = 1 << 20, WINDOW = 1 << 16, AT = 4097 };
    char path[TEMPORARY_MAX];
    unsigned char *bytes = malloc(SIZE);
    struct map map;
    memset(bytes, 7, SIZE);
    temporary_write(temporary_path(path, "mapped"), bytes, SIZE);
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && map_open(&map, fd, AT, SIZE - AT));
    CHECK(memcmp(map_range(&map, AT, WINDOW), bytes, WINDOW) == 0);
    CHECK(map_check(&map, AT, WINDOW));
    CHECK(truncate(path, SIZE - 10) == 0);
    CHECK(map_check(&map, AT, WINDOW));
    CHECK(map_check(&map, SIZE - WINDOW, WINDOW - 10));
    CHECK(!map_check(&map, SIZE - WINDOW, WINDOW - 9));
    CHECK(truncate(path, 0) == 0);
    const unsigned char *window = map_range(&map, SIZE - WINDOW, WINDOW);
    for (size_t i = 0; i < WINDOW; i++)
        CHECK(window[i] == 0, "%zu", i);
    CHECK(truncate(path, SIZE) == 0);
    CHECK(!map_check(&map, SIZE - WINDOW, WINDOW));
    map_close(&map);
    close(fd);
    free(bytes);
}

/* Ten elements, an array of 2 x 3 in Fortran order, five more elements. */
static void test_index(void)
{
    static const uint64_t want[] = {0, 3, 1, 4, 2, 5};
    struct source s = {.elements = 10}, t = {.elements = 5};
    struct dataset *d = with(s, s);
    const struct chunker_options options = {.may_map = may_map};
    struct index_map index = {.index = NULL};
    struct chunk chunk;
    struct error e;
    char path[TEMPORARY_MAX];
    static unsigned char slot[CHUNK];
    static const struct want chunks = {slot, CHUNK, true};
    static const char header[] =
        "{'descr': '<u4', 'fortran_order': True, 'shape': (2, 3)}";
    unsigned char bytes[200] = "\x93NUMPY\1";
    struct input_settings settings = {.format = format_find("npy")};
    d->source[2] = t;
    d->count = 3;
    CHECK(dataset_open(d, &e), "%s", e.text);
    bytes[8] = sizeof header - 1;
    memcpy(bytes + 10, header, sizeof header - 1);
    temporary_write(temporary_path(path, "fortran"), bytes,
                    10 + sizeof header - 1 + 24);
    input_close(&d->input[1]);
    CHECK(input_open(&d->input[1], path, &settings, false, &e), "%s", e.text);
    struct chunker *c =
        chunker_elements.open(d->input, d->count, &options, &index, &e);
    CHECK(c && index.index);
    CHECK(chunker_elements.next(c, &chunks, &chunk, &e) == CHUNK_READY);
    CHECK_U64(chunk.n, 21);
    for (uint64_t i = 0; i < 21; i++)
        CHECK_U64(index.index(index.map, i),
                  i >= 10 && i < 16 ? 10 + want[i - 10] : i);
    chunker_elements.close(c);
    dataset_close(d);
}

int main(void)
{
    alarm(500); /* ends a hang */
    test_changes();
    test_cut_piece();
    test_torn();
    test_npy_streams();
    test_skip();
    test_growth();
    test_map();
    test_index();
    return check_end();
}
