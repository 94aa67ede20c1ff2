/* SPDX-License-Identifier: MIT */
/* What the files of the CUDA backend for text share: the context and its slots.
 * A context and all that is in it belong to one worker thread. */
#pragma once

#include "kernels/csv/decode.h"
#include "engine/columns.h"
#include "backend/cuda/clock.h"
#include "backend/cuda/formulas.h"
#include "backend/cuda/memory.h"
#include "backend/cuda/pool.h"
#include "backend/cuda/text.h"
#include "format/input.h"

enum {
    /* Most cells of a chunk that the host reads one by one; with more, the CPU
     * reduces the chunk. */
    LISTED_MAX = 64 << 10,
    /* Extra rows of the buffers, for later chunks: rows / ROWS_PART +
     * ROWS_MORE. */
    ROWS_PART = 4,
    ROWS_MORE = 1024,
};

/* Counts of a column's cells among those that the host has read. */
struct text_counts {
    uint64_t bad, rounded;
};

/* An integer that f64 cannot hold. */
struct text_wide {
    unsigned column;
    struct wide_integer integer; /* its index is its row in the chunk */
};

struct text_slot {
    struct chunk chunk;        /* the one submitted last */
    bool on_gpu;               /* the device decodes the chunk */
    char *text;                /* pinned, job_slot_bytes */
    char *device_text;         /* its copy, and CSV_PADDING bytes */
    const struct input *input; /* for which `spec` and `work.to` are made */
    struct gpu_csv_spec spec;
    struct gpu_csv_chunk work; /* what gpu_csv_decode works on */
    unsigned *field_of;        /* device, [columns], and those of keys */
    struct gpu_csv_keys keys;  /* of --by */
    /* Of --keys, [rows], as by/element.h makes them: pinned; device. */
    uint64_t *element_keys, *device_keys;
    /* [columns]: values by key that the host adds; pinned, device. */
    unsigned *odds, *device_odds;
    /* device: memory of `work.to`, in the context's `blocks` or `own` */
    void *block;
    size_t block_bytes;
    struct cuda_block own;
    struct gpu_result *result; /* device, [columns]: of the chunk */
    void *scratch;             /* device */
    struct gpu_states states;  /* device: of all chunks since `collect` */
    /* [LISTED_MAX]: pinned; device */
    struct gpu_csv_number *numbers, *device_numbers;
    /* started: text_advance was called, and has started the reductions or,
     * setting `cpu`, has left the chunk to the CPU. */
    bool started, cpu;
    bool failed; /* text_advance failed, with `error` */
    struct error error;
    struct text_counts *decided; /* [text_decoded]: cells the host read */
    struct text_wide *wide;      /* [LISTED_MAX]; NULL until needed */
    size_t wides;                /* entries of `wide` */
    /* Pinned; the counts of the columns follow: those that are decoded, then
     * those that expressions make. */
    struct gpu_csv_totals *report;
    struct formula_counts *counts, *device_counts; /* pinned; device */
    /* Its own, so that work on one slot does not wait for copies of another. */
    cudaStream_t stream;
    struct cuda_clock clock;
};

/* A context for text. */
struct context {
    const struct job *job;
    struct columns *columns; /* reduces chunks on the CPU */
    struct cuda_block host, device;
    struct powers *powers; /* device */
    /* On the host: receives a slot's states in `collect`; between uses, its
     * states are those of no elements. */
    struct states copy;
    struct cuda_block blocks; /* device: the slots' first `block`s */
    /* pinned, [LISTED_MAX]: of the chunk being read */
    struct gpu_csv_cell *cells;
    struct gpu_csv_words words;
    struct cuda_by *by;             /* of --by; else NULL */
    struct cuda_formulas *formulas; /* NULL: columns are reduced as decoded */
    void *file_keys; /* of --keys: a chunk's, as the file has them */
    unsigned newest; /* slot that was submitted last */
    struct text_slot slot[CUDA_TEXT_SLOTS];
};

/* text_memory.c */

/* `open` and `close` of the context_kind. */
struct context *text_open(const struct job *job, struct error *e);
void text_close(struct context *t);

/* How many columns are decoded. The groups are these or, where there are
 * expressions, more columns, which follow in all arrays of columns. */
size_t text_decoded(const struct job *job);

/* Bytes of a chunk's report, the columns' counts included. */
size_t text_report_bytes(const struct job *job);

/* Makes the slot's spec and buffers for the records of its chunk's input. */
bool text_suit(struct context *t, struct text_slot *s, struct error *e);

/* The sets of monoids that kernels step over columns, and that the host
 * does. */
unsigned text_stepped(const struct job *job);
unsigned text_on_host(const struct job *job);

/* Sets the slot's states to those of no elements, by copying the context's. */
bool text_clear(struct context *t, struct text_slot *s, struct error *e);

/* text_computed.c */

/* Starts to make the groups' columns by expressions. n: the host has put so
 * many numbers in s->numbers. */
bool text_compute(struct context *t, struct text_slot *s, size_t n,
                  struct error *e);

/* The groups' columns on the device. */
struct gpu_csv_buffers text_groups(const struct context *t,
                                   const struct text_slot *s);

/* text_reduce.c */

/* Waits until the slot's text is decoded, reads the cells listed for the host,
 * and starts the reductions; or sets `cpu` if the CPU has to reduce the
 * chunk. */
bool text_advance(struct context *t, struct text_slot *s, struct error *e);

/* `collect` of the context_kind. */
bool text_collect(struct context *t, unsigned slot, struct owner *owner,
                  struct error *e);

/* Waits for the reductions. Adds to the owner's states what the kernels leave
 * to the host; theirs stay on the device until text_collect. */
bool text_take(struct context *t, struct text_slot *s, struct owner *owner,
               struct error *e);
