/* SPDX-License-Identifier: MIT */
/*
 * The whole program in one process. The first bytes, up to a zero, choose
 * options from a table; the others are the data. The run on one thread says
 * what all must print: more threads, other chunks, the portable loops, a device
 * that is a fake, a pipe, gzip. A run that fails prints no results.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "base/cpu.h"
#include "cli/options.h"
#include "plan/plan.h"
#include "run/run.h"
#include "words.h"

enum { WORDS_MAX = 16, DATA_MAX = 4096, COPIES = 100 };
enum { COUNT = sizeof words / sizeof words[0] };

enum way { WAY_FILE, WAY_DEVICE, WAY_PIPE, WAY_GZIP };

static const struct setting {
    const char *name, *threads, *chunk, *device, *cpu;
    enum way way;
} settings[] = {
    {"one thread", "-j1", "--chunk-size=64K", "--device=cpu", NULL, WAY_FILE},
    {"threads", "-j3", "--chunk-size=1", "--device=cpu", NULL, WAY_FILE},
    {"chunks", "-j1", "--chunk-size=70", "--device=cpu", NULL, WAY_FILE},
    {"portable", "-j1", "--chunk-size=1000", "--device=cpu", "base", WAY_FILE},
    {"device", "-j1", "--chunk-size=300", "--device=fake", NULL, WAY_DEVICE},
    {"pipe", "-j1", "--chunk-size=100", "--device=cpu", NULL, WAY_PIPE},
    {"gzip", "-j1", "--chunk-size=100", "--device=cpu", NULL, WAY_GZIP}};

/* What a run printed; `out` and `said` are owned. */
struct printed {
    bool ok;
    struct error e;
    char *out, *said;
    size_t bytes, said_bytes;
};

struct line {
    const char *word[WORDS_MAX];
    size_t words, files;
    bool reads_once; /* no other option reads FILE */
    bool is_part;    /* --part cuts plain FILEs, but shares out packed ones */
    unsigned char data[DATA_MAX * COPIES];
    size_t bytes;
};

static struct line line;

static bool must(bool ok, const char *what)
{
    if (!ok) {
        perror(what);
        abort();
    }
    return ok;
}

/* Reads the options, and takes the rest as data. */
static void read_line(const unsigned char *p, size_t n)
{
    size_t copies = 1;
    line.words = 0;
    line.files = 1;
    line.reads_once = true;
    line.is_part = false;
    for (; n > 0 && *p != 0; p++, n--) {
        const char *word = *p <= COUNT ? words[*p - 1] : "";
        if (strcmp(word, AGAIN) == 0)
            line.files = 2;
        else if (strcmp(word, LONGER) == 0)
            copies = COPIES;
        else if (*word && line.words < WORDS_MAX)
            line.word[line.words++] = word;
        line.reads_once &= !strstr(word, SLOT_PATH);
        line.is_part |= strncmp(word, "--part", 6) == 0;
    }
    p += n > 0;
    n -= n > 0;
    n = n < DATA_MAX ? n : DATA_MAX;
    for (size_t i = 0; i < copies; i++)
        memcpy(line.data + i * n, p, n);
    line.bytes = n * copies;
}

static void put(int fd, const unsigned char *p, size_t n)
{
    must(write(fd, p, n) == (ssize_t)n, "write");
}

static size_t packed(unsigned char *to, size_t room)
{
    z_stream z = {.next_in = line.data,
                  .avail_in = (uInt)line.bytes,
                  .next_out = to,
                  .avail_out = (uInt)room};
    must(deflateInit2(&z, 1, Z_DEFLATED, 31, 8, 0) == Z_OK &&
             deflate(&z, Z_FINISH) == Z_STREAM_END,
         "deflate");
    deflateEnd(&z);
    return z.total_out;
}

static void fill_slot(enum way way)
{
    static unsigned char room[sizeof line.data + 4096];
    int ends[2] = {-1, -1};
    if (way == WAY_PIPE) {
        must(pipe2(ends, O_CLOEXEC) == 0, "pipe2");
        must(fcntl(ends[1], F_SETPIPE_SZ, (int)sizeof room) > 0, "pipe");
        put(ends[1], line.data, line.bytes);
        close(ends[1]);
    } else {
        must((ends[0] = memfd_create("data", MFD_CLOEXEC)) >= 0, "memfd");
        if (way == WAY_GZIP)
            put(ends[0], room, packed(room, sizeof room));
        else
            put(ends[0], line.data, line.bytes);
    }
    must(dup2(ends[0], SLOT) == SLOT, "dup2");
    close(ends[0]);
}

static bool reduce(const struct options *o, FILE *said, int fd, struct error *e)
{
    struct plan plan;
    struct meter meter = {.detail = o->verbose};
    struct sink sink = {.to = said};
    bool ok = plan_make(&plan, o, &sink.notes, &meter, e) &&
              run_plan(&plan, &sink, fd, e);
    plan_free(&plan);
    notes_free(&sink.notes);
    return ok;
}

static char *read_out(int fd, size_t *bytes)
{
    off_t end = lseek(fd, 0, SEEK_END);
    char *text = malloc((size_t)end + 1);
    must(text && pread(fd, text, (size_t)end, 0) == end, "read");
    text[end] = '\0';
    *bytes = (size_t)end;
    return text;
}

/* JSON names the device. Makes all names the same. */
static void forget_device(struct printed *p)
{
    static const char name[] = "\"device\":\"fake";
    for (char *at; (at = memmem(p->out, p->bytes, name, sizeof name - 1));) {
        char *end = at + sizeof name - 1;
        memcpy(end - 4, "cpu", 3);
        memmove(end - 1, end, p->bytes-- - (size_t)(end - p->out) + 1);
    }
}

static struct printed print(const struct setting *s)
{
    const char *argv[WORDS_MAX + 8] = {"gpureduce", s->threads, s->chunk,
                                       s->device};
    int argc = 4;
    struct printed p = {.e = {.kind = ERROR_NONE}};
    struct options o;
    int fd = memfd_create("out", MFD_CLOEXEC);
    FILE *said = open_memstream(&p.said, &p.said_bytes);
    must(fd >= 0 && said, "memfd");
    for (size_t i = 0; i < line.words; i++)
        argv[argc++] = line.word[i];
    for (size_t i = 0; i < line.files; i++)
        argv[argc++] = SLOT_PATH;
    fill_slot(s->way);
    p.ok = cpu_limit(s->cpu, &p.e) &&
           read_options(&o, argc, (char **)argv, &p.e) &&
           reduce(&o, said, fd, &p.e);
    fclose(said);
    p.out = read_out(fd, &p.bytes);
    forget_device(&p);
    close(fd);
    return p;
}

static void print_free(struct printed *p)
{
    free(p->out);
    free(p->said);
}

/* Whether the run printed results, as it also does where --assert is false and
 * where compared data differ. */
static bool has_results(const struct printed *p)
{
    return p->ok || p->e.kind == ERROR_ASSERT || p->e.kind == ERROR_DIFFERENT;
}

/* Where --assert is false, the places of what it names are lines of a file but
 * records of a pipe, whose lines cannot be counted later. */
static bool same_text(const struct setting *s, const struct error *mine,
                      const char *text)
{
    const size_t line_end = strcspn(text, "\n");
    if (s->way == WAY_PIPE && mine->kind == ERROR_ASSERT)
        return strncmp(mine->text, text, line_end + (text[line_end] != 0)) == 0;
    return strcmp(mine->text, text) == 0;
}

/* A device, a pipe and packed data may be refused: only results are
 * compared. */
static void compare(const struct setting *s, const struct printed *mine,
                    const struct printed *one)
{
    if (!has_results(mine)) {
        if (mine->bytes > 0)
            wrong(s->name, mine->out, "nothing");
        if (mine->e.kind != ERROR_DEVICE)
            check_error(&mine->e);
    }
    if (s->way != WAY_FILE && (!has_results(mine) || !has_results(one)))
        return;
    if (mine->ok != one->ok || mine->e.kind != one->e.kind ||
        !same_text(s, &mine->e, one->e.text))
        wrong(s->name, mine->e.text, one->e.text);
    /* The lines of a pipe cannot be counted later. */
    if (s->way == WAY_PIPE && mine->out && strstr(mine->out, "\"line\":null"))
        return;
    if (mine->bytes != one->bytes ||
        memcmp(mine->out, one->out, mine->bytes) != 0)
        wrong(s->name, mine->out, one->out);
    if (s->way == WAY_FILE && strcmp(mine->said, one->said) != 0)
        wrong(s->name, mine->said, one->said);
}

static bool is_packed(void)
{
    static const char *const starts[] = {"\x1f\x8b", "\x28\xb5\x2f\xfd", "PK"};
    for (size_t i = 0; i < 3; i++) {
        if (line.bytes >= 2 && memcmp(line.data, starts[i], 2) == 0)
            return true;
    }
    return false;
}

void run_program(const struct target *t, const unsigned char *p, size_t n)
{
    (void)t;
    read_line(p, n);
    struct printed one = print(&settings[0]);
    compare(&settings[0], &one, &one);
    for (size_t i = 1; i < sizeof settings / sizeof settings[0]; i++) {
        const struct setting *s = &settings[i];
        if ((s->way == WAY_PIPE && (line.files > 1 || !line.reads_once)) ||
            (s->way == WAY_GZIP &&
             (is_packed() || (line.is_part && line.files > 1))))
            continue;
        struct printed other = print(s);
        compare(s, &other, &one);
        print_free(&other);
    }
    print_free(&one);
}
