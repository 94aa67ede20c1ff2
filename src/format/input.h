/* SPDX-License-Identifier: MIT */
/*
 * One FILE argument after a first look: what its bytes are and where they
 * start. A look reads no more than a header or a sample. The bytes that it
 * reads of a stream (pipe, device) are kept and read again from memory.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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
    /* As in the settings; or the dataset's first input. */
    const struct input *like;
    /* A FIFO that is opened when its turn comes, since its writer may be busy
     * with an earlier one until then. Its dtype is not known before. */
    bool deferred;
    const struct format *format;
    const char *format_reason; /* static string: why this format */
    bool reads_as_text;        /* text by its bytes, not by name or option */
    enum dtype dtype;
    bool is_bool; /* dtype is u8, and every element must be 0 or 1 */
    bool big_endian;
    struct csv_table *table; /* owned; of text, else NULL */

    /* A file that many threads may read at any offset; else a stream, which one
     * thread reads in order. */
    bool regular;
    int fd; /* open for a stream or standard input; else -1 until its turn */
    bool is_file; /* a regular file; one of size 0 may have bytes in /proc */
    /* The file at the first look; input_reopen must find the same. */
    dev_t device;
    ino_t inode;

    uint64_t offset; /* of the first data byte, in the file or stream */
    /* Data bytes. Of a regular file, as at the first look; of a stream
     * INPUT_UNKNOWN unless a header says. */
    uint64_t bytes;
    /* Set by the last run: data bytes read; for text of which positions are
     * asked for, its records and lines, blank lines and comments among them. */
    uint64_t taken, records, lines;
    bool exact; /* a header says `bytes`: other lengths are errors */

    /* A stream's first bytes, read by the look, owned. `ended`: there are no
     * more after them. */
    unsigned char *head;
    size_t head_bytes;
    bool ended;

    /* The row of a compressed input, or NULL. The input is then a stream of the
     * contents, which offset and bytes count. A zip member that is only stored
     * is a part of a regular file instead. */
    const struct compression *compression;
    bool again; /* a compressed file, not a pipe: opened again for each run */
    /* Between input_start and input_finish, for a compressed stream. */
    bool started;
    bool checked;  /* the CRC of a stored zip member was checked */
    bool is_small; /* a compressed file not worth threads */
    bool
        look_deferred; /* a pipe with -f raw: nothing is read before its turn */
    struct unpack *unpack; /* owned; the open stream of the contents, or NULL */
    struct unpack_form form;
    /* Where the compressed bytes start in the file, and how many there are;
     * UINT64_MAX: up to its end. */
    uint64_t packed_offset, packed_bytes;
    uint64_t file_bytes; /* of a compressed file, the bytes that are read */
    uint32_t head_crc;   /* CRC of a compressed file's head at the first look */
    char *path; /* owned; the file's path if `name` has a member, else NULL */
    const char *member;  /* the archive's member, a part of `name`; or NULL */
    char *inside;        /* owned; the name of the contents; NULL: `name` */
    struct meter *meter; /* borrowed; as in the settings */

    /* [rank], owned: the shape of an array; else NULL. */
    uint64_t *shape;
    unsigned rank;
    /* Two or more dimensions in Fortran order: an element's index is not its
     * place in the file. */
    bool is_fortran;
    bool dtype_assumed; /* f32, since neither option nor name gave a dtype */

    /* A FILE of several arrays, owned: see format/pack.h. It is not read
     * itself. */
    struct pack *pack;
    /* Of one of these arrays: the FILE's input, borrowed, and the array's name
     * there; else NULL. */
    const struct input *whole;
    const char *part;
    const struct pack_part *listed; /* of an archive: which member; or NULL */
};

/* What the options say about every input. Constant during a run. */
struct input_settings {
    const struct format *format; /* NULL: guess */
    bool has_dtype;
    enum dtype dtype;
    bool is_bool;
    bool has_order; /* --dtype has a byte order */
    bool big_endian;
    uint64_t skip_bytes;
    const struct csv_settings *csv;
    /* Name of an option given that only text has; or NULL. */
    const char *text_option;
    /* An input of the same dataset, looked at before, or NULL. Text must have
     * its columns. */
    const struct input *like;
    /* Threads that may inflate in parallel; 0, 1: the reading thread does. */
    unsigned threads;
    struct meter *meter; /* counts reading and inflating; or NULL */
};

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

/* For pack.c: looks at a member of the archive input->whole, whose fields it
 * has taken. As input_open. */
bool input_open_member(struct input *input, const struct pack_part *part,
                       struct error *e);

/* The name of the FILE, without that of a member. */
const char *input_file(const struct input *input);

/* For formats: sets *bytes to the first `need` bytes of the data and *have to
 * how many there are, if fewer. They stay valid until the next call. */
bool input_head(struct input *input, size_t need, const unsigned char **bytes,
                size_t *have, struct error *e);

/* The name of the contents, in which suffixes are looked for. */
const char *input_inside(const struct input *input);

/* Call before chunks of an input are cut: opens a compressed input and starts
 * to inflate it. Does nothing if it is started. One thread at a time, as for
 * all functions on one input that change it. */
bool input_start(struct input *input, struct error *e);

/* Reads a stream on, in order: the part of the kept head from offset `at` on,
 * then bytes that were not read before. *got < want only at the end, after all
 * checks of compressed data. One thread at a time. */
bool input_read_on(const struct input *input, uint64_t at, void *to,
                   size_t want, size_t *got, struct error *e);

/* Frees a stream's kept head if all of it is before offset `at`. The head of a
 * wide table may be a record of 64 MiB. */
void input_forget_head(struct input *input, uint64_t at);

/* Call after the last read, at the end or before: gives back what input_start
 * took. A file may be started again. */
void input_finish(struct input *input);

bool input_is_text(const struct input *input);
const char *input_dtype_name(const struct input *input); /* "bool" too */

/* Whether two inputs can be one dataset. False with ERROR_USAGE if not. */
bool input_same_dtype(const struct input *a, const struct input *b,
                      struct error *e);

/* The sum of the inputs' data bytes. INPUT_UNKNOWN if one is not known, or if
 * the sum overflows. */
uint64_t inputs_bytes(const struct input *inputs, size_t count);

/* Conversions between an element's place in the file's order and its index in C
 * order. */
uint64_t input_flat_index(const struct input *input, uint64_t place);
uint64_t input_place(const struct input *input, uint64_t flat_index);

/* Opens a regular input for reading; the caller closes the descriptor. -1 on
 * failure, also if the name is no longer the file of the first look. */
int input_reopen(const struct input *input, struct error *e);
