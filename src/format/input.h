/* SPDX-License-Identifier: MIT */
/*
 * One FILE argument after a first look: what its bytes are and where they
 * start. A look reads no more than a header or a sample. The input keeps the
 * bytes that the look read of a stream (pipe, device) and gives them to later
 * readers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"
#include "base/meter.h"
#include "csv/schema/table.h"
#include "reduce/dtype.h"
#include "source/compressed/inflater.h"

#define INPUT_UNKNOWN UINT64_MAX

struct compression;
struct format;
struct pack;
struct pack_part;
struct unpack;

struct input {
    const char *name; /* borrowed; as given, or "standard input" for "-" */
    bool is_stdin;
    const struct input_settings *settings; /* borrowed */
    /* Borrowed: settings->like or, for a deferred input, the dataset's first
     * input. */
    const struct input *like;
    /* A FIFO that is opened when its turn comes, because until then its writer
     * may be busy with an earlier FIFO. Its dtype is not known before. */
    bool deferred;
    const struct format *format;
    const char *format_reason; /* static string: why this format */
    bool reads_as_text;        /* guessed to be text from its bytes alone */
    enum dtype dtype;
    bool is_bool; /* dtype is u8, and every element must be 0 or 1 */
    bool big_endian;
    struct csv_table *table; /* owned; for text, else NULL */

    /* True: a file that many threads may read at any offset. False: a stream,
     * which one thread reads in order. */
    bool regular;
    int fd; /* open for a stream or standard input; else -1 until its turn */
    bool is_file; /* a regular file; one of size 0 may have bytes in /proc */
    /* The file at the first look: input_reopen fails if the name is another
     * file, inputs_are_unchanged if its bytes or their time of change differ.
     */
    dev_t device;
    ino_t inode;
    off_t size; /* of the file, in bytes */
    struct timespec changed;

    uint64_t offset; /* of the first data byte, in the file or stream */
    /* Data bytes. Of a regular file: at the first look. Of a stream: from a
     * header, or INPUT_UNKNOWN. */
    uint64_t bytes;
    uint64_t before; /* with --part: data bytes before `offset`, or 0 */
    /* Set by the last run: the data bytes read. For text, if positions are
     * asked for, also its records and its lines, including blank lines and
     * comments. */
    uint64_t taken, records, lines;
    bool exact; /* `bytes` is from a header: other lengths are errors */

    /* Owned: a stream's first bytes, which the look read. `ended`: the stream
     * has no bytes after them. */
    unsigned char *head;
    size_t head_bytes;
    bool ended;

    /* The row of the input's compression, or NULL. A compressed input is a
     * stream of the contents; offset and bytes refer to the contents. A stored
     * zip member is a part of a regular file instead. */
    const struct compression *compression;
    bool again; /* a compressed file, not a pipe: opened again for each run */
    /* Of a compressed stream: input_start was called, and input_finish was not
     * yet. */
    bool started;
    bool checked;  /* the CRC of a stored zip member was checked */
    bool is_small; /* a compressed file too small for threads */
    bool
        look_deferred; /* a pipe with -f raw: nothing is read before its turn */
    struct unpack *unpack; /* owned; the open stream of the contents, or NULL */
    struct unpack_form form;
    /* Where the compressed bytes start in the file, and their number;
     * UINT64_MAX: up to the end of the file. */
    uint64_t packed_offset, packed_bytes;
    /* of a compressed file: the bytes of it that are read */
    uint64_t file_bytes;
    uint32_t head_crc; /* CRC of a compressed file's head at the first look */
    char *path; /* owned; the file's path if `name` has a member, else NULL */
    const char *member;  /* the archive's member, a part of `name`; or NULL */
    char *inside;        /* owned; the name of the contents; NULL: `name` */
    struct meter *meter; /* borrowed; as in the settings */

    /* [rank], owned: the shape of an array; else NULL. */
    uint64_t *shape;
    unsigned rank;
    /* An array of two or more dimensions in Fortran order: an element's index
     * is not its place in the file. */
    bool is_fortran;
    bool dtype_assumed; /* assumed f32: neither option nor name gives a dtype */

    /* Owned: the arrays of a FILE that has several, else NULL; see
     * format/pack.h. Such an input is not read itself. */
    struct pack *pack;
    /* For an input that is one of these arrays: the FILE's input, borrowed, and
     * the array's name in it. Else NULL. */
    const struct input *whole;
    const char *part;
    /* the array's member, if FILE is an archive; or NULL */
    const struct pack_part *listed;
};

/* The options for all inputs. Constant during a run. */
struct input_settings {
    const struct format *format; /* NULL: guess */
    bool has_dtype;
    enum dtype dtype;
    bool is_bool;
    bool has_order; /* --dtype has a byte order */
    bool big_endian;
    uint64_t skip_bytes;
    const struct csv_settings *csv;
    /* Name of a given option that applies only to text; or NULL. */
    const char *text_option;
    /* An input of the same dataset that was looked at before, or NULL. Text
     * must have the same columns. */
    const struct input *like;
    /* Threads that may inflate in parallel. 0 or 1: the reading thread
     * inflates. */
    unsigned threads;
    struct meter *meter; /* counts reading and inflating; or NULL */
};

/* The name of a file as messages have it: "standard input" for "-". */
const char *input_name(const char *name);

/* Looks at the file `name` ("-" is standard input). With may_defer, a FIFO is
 * left for input_open_deferred. On success the caller passes the input to
 * input_close; on failure the input holds nothing. The name and the settings
 * must outlive it. */
bool input_open(struct input *input, const char *name,
                const struct input_settings *settings, bool may_defer,
                struct error *e);

/* Looks at an input that was deferred; does nothing to others. Text must have
 * the columns of settings->like, or else of the dataset's first input. After a
 * failure input_close is allowed but not needed. */
bool input_open_deferred(struct input *input, const struct input *first,
                         struct error *e);

void input_close(struct input *input);

/* For pack.c: like input_open, for a member of the archive input->whole. The
 * caller has copied that input's fields to *input. */
bool input_open_member(struct input *input, const struct pack_part *part,
                       struct error *e);

/* The name of the FILE, without the name of a member. */
const char *input_file(const struct input *input);

/* For formats: sets *bytes to the first `need` bytes of the data, and *have to
 * their number, which is less only if the data are shorter. *bytes stays valid
 * until the next call. */
bool input_head(struct input *input, size_t need, const unsigned char **bytes,
                size_t *have, struct error *e);

/* The name of the contents, whose suffix counts. */
const char *input_inside(const struct input *input);

/* Call before chunks of an input are cut. Opens a compressed input and starts
 * to inflate it. Does nothing if it is already started. One thread at a time,
 * like all functions that change an input. */
bool input_start(struct input *input, struct error *e);

/* Continues to read a stream, in order: first the kept head from offset `at`
 * on, then bytes that were not read before. *got < want only at the end, after
 * all checks of compressed data. One thread at a time. */
bool input_read_on(const struct input *input, uint64_t at, void *to,
                   size_t want, size_t *got, struct error *e);

/* Frees a stream's kept head if all of it is before offset `at`. This matters
 * for a wide table, whose head may be a record of 64 MiB. */
void input_forget_head(struct input *input, uint64_t at);

/* Call after the last read, even if that was before the end. Releases what
 * input_start has acquired. A file may be started again. */
void input_finish(struct input *input);

bool input_is_text(const struct input *input);
const char *input_dtype_name(const struct input *input); /* "bool" too */

/* False with ERROR_USAGE if --dtype contradicts the type or the byte order that
 * the input's header gave. */
bool input_check_dtype(const struct input *input, struct error *e);

/* Whether two inputs can be one dataset. False with ERROR_USAGE if not. */
bool input_same_dtype(const struct input *a, const struct input *b,
                      struct error *e);

/* The sum of the inputs' data bytes; INPUT_UNKNOWN if one is unknown or the sum
 * overflows. */
uint64_t inputs_bytes(const struct input *inputs, size_t count);

/* Conversions between an element's place in the file's order and its index in C
 * order. */
uint64_t input_flat_index(const struct input *input, uint64_t place);
uint64_t input_place(const struct input *input, uint64_t flat_index);

/* Opens a regular input for reading; the caller closes the descriptor. Returns
 * -1 on failure, even if the name is now another file than at the first
 * look. */
int input_reopen(const struct input *input, struct error *e);

/* Call after the last read and before results are printed. Returns false with
 * ERROR_DATA if a file was written to since the first look. A file that has no
 * name any more, or whose name is another file now, keeps the bytes that were
 * read. */
bool inputs_are_unchanged(const struct input *inputs, size_t count,
                          struct error *e);

/* Sets the error for a file that changed while it was read. Returns false. */
bool input_changed(const struct input *input, struct error *e);
