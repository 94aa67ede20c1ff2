/* SPDX-License-Identifier: MIT */
/* Fuzz targets, one row of a table each. Here are the decoders of compressed
 * data and the readers of file headers, given any bytes. A target aborts if
 * answers differ that must be the same, or if an answer lies outside the
 * data. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/options.h"
#include "format/format.h"
#include "format/pack.h"
#include "source/compressed/unpack.h"

enum { ROOM = 200000, COPIES = 500, PARTS_MAX = 32 };

/* The bytes as a file in memory, and its path. */
static int memory = -1;
static char path[40];
static size_t file_bytes;

void wrong(const char *what, const char *mine, const char *theirs)
{
    fprintf(stderr, "%s: '%s', not '%s'\n", what, mine, theirs);
    abort();
}

const char *save(const unsigned char *p, size_t n)
{
    if (memory < 0) {
        memory = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    }
    if (memory < 0 || ftruncate(memory, 0) != 0 ||
        pwrite(memory, p, n, 0) != (ssize_t)n)
        abort();
    file_bytes = n;
    return path;
}

bool read_options(struct options *o, int argc, char **argv, struct error *e)
{
    optind = 0; /* makes getopt forget the argv of an earlier call */
    return options_parse(o, argc, argv, e);
}

/* ---- streams ---- */

struct answer {
    bool ok;
    size_t bytes; /* of contents, at most ROOM */
    struct error error;
    unsigned char out[ROOM];
};

static struct answer mine, theirs;

static struct source whole_file(void)
{
    return (struct source){
        .name = "x", .fd = memory, .is_file = true, .left = UINT64_MAX};
}

/* Decodes the bytes. Input and output pass in pieces of `step` bytes. */
static void decode(const struct codec *codec, enum unpack_kind kind,
                   const unsigned char *p, size_t n, size_t step,
                   struct answer *a)
{
    const struct source source = whole_file();
    const struct unpack_form form = {.kind = kind};
    struct inflater *f = inflater_new(&source, codec);
    struct inflater_in in = {p, p};
    bool ended = false;
    inflater_start(f, &form, 0);
    a->ok = true;
    a->bytes = 0;
    while (a->ok && !ended && a->bytes < ROOM) {
        size_t left = (size_t)(p + n - in.at), room = ROOM - a->bytes;
        unsigned char *from = a->out + a->bytes;
        struct inflater_out out = {from, from + (room < step ? room : step)};
        in.end = in.at + (left < step ? left : step);
        a->ok = left > 0 ? inflater_step(f, &in, &out, &a->error)
                         : inflater_finish(f, &out, &ended, &a->error);
        a->bytes += (size_t)(out.at - from);
    }
    inflater_free(f);
}

/* ISA-L accepts incomplete sets of codes if no missing code is used, and may
 * then report an error in a later member. tests/unit/codec.c says more. */
static bool may_differ(void)
{
    return strstr(theirs.error.text, "s set)");
}

static void compare(const char *what)
{
    /* Nothing after the first ROOM bytes is read, so errors there are not
     * found. */
    if (mine.bytes == ROOM || theirs.bytes == ROOM ||
        (!theirs.ok && may_differ()))
        return;
    if (mine.ok != theirs.ok)
        wrong(what, mine.ok ? "taken" : mine.error.text,
              theirs.ok ? "taken" : theirs.error.text);
    if (!mine.ok && strcmp(mine.error.text, theirs.error.text) != 0)
        wrong(what, mine.error.text, theirs.error.text);
    if (mine.ok && theirs.ok &&
        (mine.bytes != theirs.bytes ||
         memcmp(mine.out, theirs.out, mine.bytes) != 0))
        wrong(what, "other contents", "the same");
}

/* Every library gives the answer of the reference, however the data are cut. */
static void run_codecs(const struct target *t, const unsigned char *p, size_t n)
{
    static const size_t steps[] = {1, 4001, ROOM};
    const bool is_gzip = t->kind == UNPACK_GZIP;
    save(p, n);
    decode(is_gzip ? &codec_zlib : codec_frames(), t->kind, p, n, ROOM,
           &theirs);
    for (int c = 0; codecs[c]; c++) {
        for (size_t s = theirs.bytes < 5000 ? 0 : 1;
             !codecs[c]->crc == !is_gzip && s < 3; s++) {
            decode(codecs[c], t->kind, p, n, steps[s], &mine);
            compare(codecs[c]->name);
        }
    }
}

static void unpack(enum unpack_kind kind, unsigned threads, struct answer *a)
{
    const struct source source = whole_file();
    const struct unpack_form form = {.kind = kind};
    struct unpack *u = unpack_open(&source, &form, NULL, 0, &a->error);
    unpack_start(u, threads, NULL);
    a->ok = unpack_read(u, a->out, ROOM, &a->bytes, &a->error);
    unpack_close(u);
}

/* Several threads give the answer of one. The bytes are repeated to make a
 * large file, so that threads have members to share. */
static void run_threads(const struct target *t, const unsigned char *p,
                        size_t n)
{
    static unsigned char many[1 << 17];
    size_t bytes = 0;
    for (int i = 0; i < COPIES && bytes + n <= sizeof many; i++) {
        memcpy(many + bytes, p, n);
        bytes += n;
    }
    save(many, bytes);
    unpack(t->kind, 1, &theirs);
    unpack(t->kind, 3, &mine);
    compare("threads");
}

/* ---- files ---- */

static void check_place(const struct input *input)
{
    if (!input->pack && input->regular &&
        (input->offset > file_bytes ||
         (input->exact && input->bytes > file_bytes - input->offset)))
        wrong("data", "outside the file", "inside");
}

void check_error(const struct error *e)
{
    if ((e->kind != ERROR_DATA && e->kind != ERROR_USAGE) || !e->text[0])
        wrong("error", e->text, "of data or usage");
}

/* Reads the contents of a compressed input, or checks those of a stored one. */
static void read_input(struct input *input)
{
    static unsigned char out[ROOM];
    struct error e = {.kind = ERROR_NONE};
    size_t got;
    check_place(input);
    if (!input->compression)
        return;
    bool ok = input_start(input, &e);
    if (ok && !input->regular)
        ok = input_read_on(input, 0, out, ROOM, &got, &e);
    if (!ok)
        check_error(&e);
    input_finish(input);
}

static void read_parts(struct input *whole)
{
    struct error e = {.kind = ERROR_NONE};
    struct input part;
    for (size_t i = 0; i < whole->pack->count && i < PARTS_MAX; i++) {
        if (!pack_input(whole, i, &part, &e)) {
            check_error(&e);
            continue;
        }
        read_input(&part);
        input_close(&part);
    }
}

static void run_file(const struct target *t, const unsigned char *p, size_t n)
{
    struct csv_settings csv = {.delimiter = CSV_AUTO, .quote = CSV_AUTO};
    struct input_settings settings = {.csv = &csv, .threads = 1};
    struct error e = {.kind = ERROR_NONE};
    struct input input;
    if (!csv_words_init(&csv.spec.words, CSV_WORDS_DEFAULT, &e))
        abort();
    settings.format = t->format ? format_find(t->format) : NULL;
    save(p, n);
    if (!input_open(&input, path, &settings, false, &e)) {
        check_error(&e);
    } else {
        if (input.pack)
            read_parts(&input);
        else
            read_input(&input);
        input_close(&input);
    }
}

/* ---- the table ---- */

static const struct target targets[] = {
    {"gzip", run_codecs, UNPACK_GZIP, NULL},
    {"zstd", run_codecs, UNPACK_ZSTD, NULL},
    {"threads", run_threads, UNPACK_GZIP, NULL},
    {"frames", run_threads, UNPACK_ZSTD, NULL},
    {"npz", run_file, 0, NULL},
    {"npy", run_file, 0, "npy"},
    {"safetensors", run_file, 0, "safetensors"},
    {"formats", run_file, 0, NULL},
    {"states", run_states, 0, NULL},
    {"program", run_program, 0, NULL},
    {"options", run_options, 0, NULL},
    {"structure", run_structure, 0, NULL},
    {"cells", run_cells, 0, NULL},
    {"numbers", run_numbers, 0, NULL},
};

const struct target *fuzz_target;

bool fuzz_choose(const char *name)
{
    fuzz_target = NULL;
    for (size_t i = 0; name && i < sizeof targets / sizeof targets[0]; i++) {
        if (strcmp(targets[i].name, name) == 0 &&
            (targets[i].kind != UNPACK_ZSTD || codec_frames()))
            fuzz_target = &targets[i];
    }
    return fuzz_target;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    if (fuzz_choose(getenv("FUZZ_TARGET")))
        return freopen("/dev/null", "r", stdin) ? 0 : 1;
    fprintf(stderr, "%s: set FUZZ_TARGET to a folder of corpus/\n", (*argv)[0]);
    exit(2);
}

int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n)
{
    fuzz_target->run(fuzz_target, p, n);
    return 0;
}
