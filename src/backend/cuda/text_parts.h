/* SPDX-License-Identifier: MIT */
/* What the files of the CUDA backend for text share: the context and its slots.
 * A context and all that it holds belong to one worker thread. */
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
    /* The most cells of a chunk that the host reads one by one. If there are
     * more, the CPU reduces the chunk. */
    LISTED_MAX = 64 << 10,
    /* The buffers get rows / ROWS_PART + ROWS_MORE extra rows, so that they
     * also fit later chunks. */
    ROWS_PART = 4,
    ROWS_MORE = 1024,
};

/* Of a column: counts of the cells that the host has read. */
struct text_counts {
    uint64_t bad, rounded;
};

/* An integer that f64 cannot hold. */
struct text_wide {
    unsigned column;
    struct wide_integer integer; /* index: its row in the chunk */
};

struct text_slot {
    struct chunk chunk; /* the chunk submitted last */
    bool on_gpu;        /* the device decodes the chunk */
    char *text;         /* pinned, job_slot_bytes */
    char *device_text;  /* device: copy of the text, plus CSV_PADDING bytes */
    /* the input that `spec` and `work.to` were made for */
    const struct input *input;
    struct gpu_csv_spec spec;
    struct gpu_csv_chunk work; /* arguments of gpu_csv_decode */
    unsigned *field_of; /* device, [columns + keys]: numbers of the fields */
    struct gpu_csv_keys keys; /* of --by */
    /* With --keys: [rows], made by by/element.h; pinned; device. */
    uint64_t *element_keys, *device_keys;
    /* With --by: [columns], the number of odd values, which the host adds;
     * pinned; device. */
    unsigned *odds, *device_odds;
    /* device: the memory of `work.to`, a part of the context's `blocks` or
     * `own` */
    void *block;
    size_t block_bytes;
    struct cuda_block own;
    struct gpu_result *result; /* device, [columns]: results of the chunk */
    void *scratch;             /* device */
    /* device: states of all chunks since the last `collect` */
    struct gpu_states states;
    /* [LISTED_MAX]: values of the cells that the host read; pinned; device */
    struct gpu_csv_number *numbers, *device_numbers;
    /* started: text_advance has started the reductions or set `cpu`. cpu: the
     * CPU must reduce the chunk. */
    bool started, cpu;
    bool failed; /* text_advance failed and has set `error` */
    struct error error;
    /* [text_decoded], owned: cells the host read */
    struct text_counts *decided;
    struct text_wide *wide; /* [LISTED_MAX], owned; NULL until needed */
    size_t wides;           /* entries of `wide` */
    /* Pinned. The counts of the columns follow it: first of those that are
     * decoded, then of those that expressions make. */
    struct gpu_csv_totals *report;
    struct formula_counts *counts, *device_counts; /* pinned; device */
    /* Each slot has its own, so that its work does not wait for another slot's
     * copies. */
    cudaStream_t stream;
    struct cuda_clock clock;
};

/* A context for text. */
struct context {
    const struct job *job;
    struct columns *columns; /* reduces chunks on the CPU */
    struct cuda_block host, device;
    struct powers *powers; /* device */
    /* On the host: receives a slot's states in `collect`. Otherwise its states
     * are the identity. */
    struct states copy;
    struct cuda_block blocks; /* device: the slots' first `block`s */
    /* pinned, [LISTED_MAX]: the listed cells of one slot's chunk */
    struct gpu_csv_cell *cells;
    struct cuda_by *by;             /* with --by or --keys; else NULL */
    struct cuda_formulas *formulas; /* NULL: no expressions */
    void *file_keys; /* with --keys: a chunk's keys as in the file */
    unsigned newest; /* slot that was submitted last */
    struct text_slot slot[CUDA_TEXT_SLOTS];
};

/* text_memory.c */

/* The members `open` and `close` of the context_kind. */
struct context *text_open(const struct job *job, struct error *e);
void text_close(struct context *t);

/* How many columns are decoded. The groups are these columns. With expressions,
 * the groups are the computed columns, which follow the decoded ones in all
 * arrays of columns. */
size_t text_decoded(const struct job *job);

/* Bytes of a chunk's report, the columns' counts included. */
size_t text_report_bytes(const struct job *job);

/* The missing-value words of the job from number `first` on, for kernels. */
struct gpu_csv_words text_words(const struct job *job, size_t first,
                                struct csv_dialect dialect);

/* Makes the slot's spec and buffers fit the records of its chunk's input. */
bool text_suit(struct context *t, struct text_slot *s, struct error *e);

/* The monoids that kernels step over columns; and those that the host steps. */
unsigned text_stepped(const struct job *job);
unsigned text_on_host(const struct job *job);

/* Sets the slot's states to the identity, by copying the context's `copy`. */
bool text_clear(struct context *t, struct text_slot *s, struct error *e);

/* text_computed.c */

/* Starts to compute the groups' columns by expressions. s->numbers has n
 * numbers that the host read. */
bool text_compute(struct context *t, struct text_slot *s, size_t n,
                  struct error *e);

/* The columns of the groups, on the device. */
struct gpu_csv_buffers text_groups(const struct context *t,
                                   const struct text_slot *s);

/* text_reduce.c */

/* Waits until the slot's text is decoded, reads the listed cells on the host,
 * and starts the reductions. Sets `cpu` instead if the CPU must reduce the
 * chunk. */
bool text_advance(struct context *t, struct text_slot *s, struct error *e);

/* The member `collect` of the context_kind. */
bool text_collect(struct context *t, unsigned slot, struct owner *owner,
                  struct error *e);

/* Waits for the reductions. Adds the host's part of the work to the owner's
 * states. The kernels' states stay on the device until text_collect. */
bool text_take(struct context *t, struct text_slot *s, struct owner *owner,
               struct error *e);
