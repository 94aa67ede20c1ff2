/* SPDX-License-Identifier: MIT */
/*
 * One FILE argument, after a first look at it: what its bytes are and where
 * they start. Looking reads no more than a header; of a stream (pipe, device)
 * the bytes read are kept and given out again.
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
struct unpack;

struct input {
    const char *name; /* borrowed; as given, "standard input" for "-" */
    bool is_stdin;
    const struct input_settings *settings; /* borrowed */
    const struct input *like;              /* as settings->like */
    /* A FIFO that is opened when its turn comes: its writer may be at work on
     * an earlier one until then. Its dtype is not known before. */
    bool deferred;
    const struct format *format;
    const char *format_reason; /* a constant */
    bool reads_as_text;        /* by its bytes: nobody called it CSV */
    enum dtype dtype;
    bool is_bool; /* dtype is u8, and no element may be other than 0 and 1 */
    bool big_endian;
    struct csv_table *table; /* of text; else NULL */

    /* Regular: may be read at any offset, by many threads. */
    bool regular;
    int fd;       /* stream or standard input: open; else -1 until its turn */
    bool is_file; /* regular, or of size 0, which may have bytes in /proc */
    dev_t device;
    ino_t inode;

    uint64_t offset; /* of the first data byte */
    /* Data bytes; regular: those there when it was looked at; a stream's are
     * INPUT_UNKNOWN unless a header tells. */
    uint64_t bytes;
    /* Of the last run over it: the data bytes that were read; of text where
     * positions are asked for, its records and their lines, blank ones and
     * comments among them. */
    uint64_t taken, records, lines;
    bool exact; /* neither more nor fewer bytes may come: a header told */

    /* A stream's first bytes, already read; ended: there are no more. */
    unsigned char *head;
    size_t head_bytes;
    bool ended;

    /* What is compressed is a stream of the bytes that it stands for, and its
     * offset and bytes are of those. What is only stored in an archive is a
     * part of a file. NULL: it is neither. */
    const struct compression *compression;
    bool again;   /* a compressed file, opened for each run */
    bool started; /* its dealing, see input_start */
    bool checked; /* what is stored in an archive is a file, checked once */
    bool is_small;
    bool unseen; /* a pipe of which nothing is read before its turn */
    struct unpack *unpack;
    struct unpack_form form;
    /* In the file: where the packed bytes start, and how many there are;
     * UINT64_MAX: up to its end. */
    uint64_t packed_offset, packed_bytes;
    uint64_t file_bytes; /* of a compressed file that are read */
    uint32_t head_crc;  /* of a compressed file's head, when it was looked at */
    char *path;         /* of the file; NULL: name */
    const char *member; /* of the archive, in name; or NULL */
    char *inside;       /* the name of what is inside; NULL: name */
    struct meter *meter; /* the settings' */

    /* Shape of an array that has one: [rank]; else NULL. */
    uint64_t *shape;
    unsigned rank;
    /* It has two or more dimensions in Fortran order: its flat index is not the
     * place in the file. */
    bool is_fortran;
    bool dtype_assumed; /* nothing said it */
};

/* What the options say about every input. */
struct input_settings {
    const struct format *format; /* NULL: auto */
    bool has_dtype;
    enum dtype dtype;
    bool is_bool;
    bool has_order; /* the --dtype came with a byte order */
    bool big_endian;
    uint64_t skip_bytes;
    const struct csv_settings *csv;
    const char *text_option; /* one given that only text has; or NULL */
    /* An input of the same dataset, looked at before: text shall have its
     * columns. Or NULL. */
    const struct input *like;
    unsigned threads; /* that may inflate at once; 0 and 1: none of its own */
    struct meter *meter; /* of reading and inflating, or NULL */
};

/* Looks at the file `name` ("-" is standard input). With may_defer, a FIFO is
 * left for input_open_deferred. On success the input must be given to
 * input_close; on failure it holds nothing. The settings must outlive it. */
bool input_open(struct input *input, const char *name,
                const struct input_settings *settings, bool may_defer,
                struct error *e);

/* Looks at an input that was deferred; does nothing for others. Text shall have
 * the columns of settings->like, or else of the dataset's first input. On
 * failure it may be closed or not. */
bool input_open_deferred(struct input *input, const struct input *first,
                         struct error *e);

void input_close(struct input *input);

/* For format rows: the first `need` bytes of the data, or all if there are
 * fewer, at *bytes, *have of them. They stay valid until the next call. */
bool input_head(struct input *input, size_t need, const unsigned char **bytes,
                size_t *have, struct error *e);

/* The name that suffixes are looked for in. */
const char *input_inside(const struct input *input);

/* Before chunks of an input are cut: gets a compressed one going. Does nothing
 * where that was done. */
bool input_start(struct input *input, struct error *e);

/* Reads on in a stream at a place: what was kept of its head, then more. *got
 * is less than wanted only at the end, where all of it was checked. */
bool input_read_on(const struct input *input, uint64_t at, void *to,
                   size_t want, size_t *got, struct error *e);

/* Frees what was kept of a stream's head, where all of it comes before the
 * place: of a wide table it may be a record of 64 MiB. */
void input_forget_head(struct input *input, uint64_t at);

/* After that, or as many of them as were wanted: what input_start
 * took is given back. A file may be started again. */
void input_finish(struct input *input);

bool input_is_text(const struct input *input);
const char *input_dtype_name(const struct input *input); /* "bool" too */

/* Whether two inputs can be one dataset; ERROR_USAGE otherwise. */
bool input_same_dtype(const struct input *a, const struct input *b,
                      struct error *e);

/* Data bytes of several, or INPUT_UNKNOWN where those of one are, or all
 * together are too many. */
uint64_t inputs_bytes(const struct input *inputs, size_t count);

/* The index in C order of the element at `place` in the file's order, and the
 * place of that index. */
uint64_t input_flat_index(const struct input *input, uint64_t place);
uint64_t input_place(const struct input *input, uint64_t flat_index);

/* Opens a regular input for reading; the caller closes. -1 on failure, also
 * when the name is no longer the file that was looked at. */
int input_reopen(const struct input *input, struct error *e);
