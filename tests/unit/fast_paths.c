/* SPDX-License-Identifier: MIT */
/* That the fast paths are taken. Without them all answers are right, but late:
 * batches of numbers, requests to read ahead, output inflated before it is
 * asked for. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "check.h"
#include "csv/cell/words.h"
#include "csv/number/powers.h"
#include "csv/simd/loops.h"
#include "reduce/dtype.h"
#include "source/ahead.h"
#include "source/compressed/unpack.h"

/* ---- batches ---- */

enum { ROWS = 4096, CELL_MAX = 24 };

/* Parses ROWS cells, which are `some` in turn. `alone` stays small only where
 * batches decide the cells; else it grows to 128. */
static void check_batches(const struct csv_loops *loops, enum dtype dtype,
                          const char *const some[3])
{
    static char text[ROWS * CELL_MAX + CSV_PADDING];
    static uint32_t ends[ROWS], rows[ROWS + 8];
    static uint64_t values[ROWS + 8];
    struct csv_words words = {.n = 0};
    struct error e;
    size_t at = 0, n = 0, alone = 1;
    CHECK(csv_words_init(&words, "NA,null", &e));
    for (size_t row = 0; row < ROWS; row++) {
        at += (size_t)sprintf(text + at, "%s", some[row % 3]);
        ends[row] = (uint32_t)at;
        text[at++] = '\n';
    }
    const struct csv_cells cells = {text,   ends, ROWS,  1, 0, number_powers(),
                                    &words, true, &alone};
    size_t slow = 0;
    for (size_t row = 0; row < ROWS; row++, slow++)
        row = loops->parse[dtype](&cells, row, values, rows, &n);
    /* The first cells are read one by one: batches read bytes before them. */
    CHECK(slow <= 50 && alone <= 64, "%s, dtype %d, '%s': %zu slow, alone %zu",
          loops->name, dtype, some[0], slow, alone);
}

static void test_batches(void)
{
    static const struct {
        enum dtype dtype;
        const char *some[3];
    } cases[] = {
        {DTYPE_f64, {"1234567", "-8", "0"}},
        {DTYPE_f64, {"1.25", "123456.78901234", "-0.5"}},
        {DTYPE_f64, {"1.5e+03", "-2.25E-01", "7e+00"}},
        {DTYPE_f64, {"\"17\"", "\"-2.5\"", "\"0\""}},
        {DTYPE_f64, {"1", "", "NA"}},
        {DTYPE_f64, {"10.25\r", "-3\r", "8\r"}},
        {DTYPE_f32, {"1.25", "-7", "3.125"}},
        {DTYPE_i64, {"123456789012345678", "-5", ""}},
        {DTYPE_u8, {"255", "0", "\"1\""}},
    };
    const struct csv_loops *loops;
    for (size_t i = 0; (loops = csv_loops(i)) != &csv_loops_base; i++)
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
            check_batches(loops, cases[k].dtype, cases[k].some);
    CHECK(csv_loops(0) != NULL);
}

/* ---- reading ahead ---- */

static uint64_t first_asked, last_asked;
static int requests;

/* The linker puts this in place of the system call. */
ssize_t __wrap_readahead(int fd, off_t from, size_t bytes);
ssize_t __wrap_readahead(int fd, off_t from, size_t bytes)
{
    CHECK_INT(fd, 7);
    if (requests++ == 0)
        first_asked = (uint64_t)from;
    else
        CHECK_U64((uint64_t)from, last_asked);
    last_asked = (uint64_t)from + bytes;
    return 0;
}

static void test_ahead(void)
{
    enum { PIECE = 1 << 20, SLOW = 1 << 22, FAST = 1 << 18 };
    const uint64_t end = (uint64_t)1 << 30;
    struct ahead a;
    uint64_t at = 0;
    ahead_init(&a, 7, end);
    /* As many slow pieces as fast ones; slow pieces that are too short. */
    for (int i = 0; i < 40; i++, at += PIECE)
        ahead_note(&a, at, PIECE, i % 2 ? SLOW : FAST);
    for (int i = 0; i < 40; i++)
        ahead_note(&a, at, 1000, SLOW);
    CHECK_INT(requests, 0);
    for (int i = 0; i < 10; i++, at += PIECE)
        ahead_note(&a, at, PIECE, SLOW);
    CHECK(requests > 0 && first_asked <= at && last_asked > at + (64 << 20),
          "%d requests, from %" PRIu64 " to %" PRIu64, requests, first_asked,
          last_asked);
    for (; at < end; at += PIECE) {
        ahead_note(&a, at, PIECE, FAST);
        CHECK(last_asked >= (at + (64 << 20) < end ? at + (64 << 20) : end));
    }
    CHECK(last_asked < end + (16 << 20) && requests < 1000);
}

/* ---- inflating ahead ---- */

static void append_member(int fd, const void *contents, size_t n)
{
    static unsigned char packed[16 << 20];
    z_stream z = {.next_in = (void *)(uintptr_t)contents,
                  .avail_in = (uInt)n,
                  .next_out = packed,
                  .avail_out = sizeof packed};
    CHECK(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_RLE) == Z_OK &&
          deflate(&z, Z_FINISH) == Z_STREAM_END);
    CHECK(write(fd, packed, z.total_out) == (ssize_t)z.total_out);
    deflateEnd(&z);
}

/* Opens the file with 4 threads and reads nothing. Output must come up to
 * `goal` bytes, and no more than `most`. */
static void check_inflates(int fd, uint64_t goal, uint64_t most)
{
    const struct unpack_form form = {.kind = UNPACK_GZIP};
    const struct source source = {"a.gz", fd, true, 0, UINT64_MAX};
    struct meter meter = {.detail = false};
    struct error e;
    struct unpack *u = unpack_open(&source, &form, NULL, 0, &e);
    if (!CHECK(u, "%s", e.text))
        return;
    unpack_start(u, 4, &meter);
    uint64_t made = 0;
    for (int ms = 0; ms < 20000 && made < goal; ms += 5) {
        usleep(5000);
        made = meter.bytes[STAGE_INFLATE];
    }
    CHECK(made >= goal, "%" PRIu64 " of %" PRIu64 " bytes", made, goal);
    usleep(20000);
    made = meter.bytes[STAGE_INFLATE];
    CHECK(made <= most, "%" PRIu64 " bytes, over %" PRIu64, made, most);
    unpack_close(u);
}

static void test_inflates(void)
{
    enum { LONG = 48 << 20, MEMBER = 300 << 10, MEMBERS = 60 };
    static unsigned char noise[MEMBER];
    unsigned char *text = calloc(LONG, 1);
    int fd = memfd_create("bomb", 0);
    append_member(fd, text, LONG);
    /* One member that may be a bomb: 64 blocks of 256 KiB, the last perhaps
     * not full. */
    check_inflates(fd, 15 << 20, 16 << 20);
    close(fd);
    for (size_t i = 0; i < LONG; i++)
        text[i] = "0123"[check_random() & 3];
    fd = memfd_create("long", 0);
    append_member(fd, text, LONG);
    free(text);
    /* One that expands to four times its bytes: 128 blocks. */
    check_inflates(fd, 31 << 20, 32 << 20);
    close(fd);
    fd = memfd_create("many", 0);
    for (size_t i = 0; i < MEMBER; i++)
        noise[i] = (unsigned char)check_random();
    for (int i = 0; i < MEMBERS; i++)
        append_member(fd, noise, MEMBER);
    /* Four jobs for each thread, each a member. */
    check_inflates(fd, 16 * MEMBER, 17 * MEMBER);
    close(fd);
}

int main(void)
{
    test_batches();
    test_ahead();
    test_inflates();
    return check_end();
}
