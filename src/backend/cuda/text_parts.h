/* SPDX-License-Identifier: MIT */
/* What the parts of the CUDA backend's way with text share: the context, its
 * slots and who does what with them. */
#pragma once

#include "kernels/csv/decode.h"
#include "engine/columns.h"
#include "backend/cuda/clock.h"
#include "backend/cuda/memory.h"
#include "backend/cuda/pool.h"
#include "backend/cuda/text.h"
#include "format/input.h"

enum {
    /* Cells of a chunk that the host decides, one by one. */
    LISTED_MAX = 64 << 10,
    /* Rows more than the first chunk needs, for later ones: a part, and some.
     */
    ROWS_PART = 4,
    ROWS_MORE = 1024,
};

/* Of a column's cells that the host decided. */
struct text_counts {
    uint64_t bad, rounded;
};

/* An integer that f64 cannot hold. */
struct text_wide {
    unsigned column;
    struct wide_integer integer; /* indexed by its row of the chunk */
};

struct text_slot {
    struct chunk chunk;
    bool on_gpu; /* the chunk went there */
    char *text;  /* pinned, job_slot_bytes */
    char *device_text;
    const struct input *input; /* the spec and the buffers are for */
    struct gpu_csv_spec spec;
    struct gpu_csv_chunk work;
    unsigned *field_of; /* device, [columns] */
    void *block;        /* device: the buffers, of the context's or its own */
    size_t block_bytes;
    struct cuda_block own;
    struct gpu_result *result; /* device, [columns]: of one chunk */
    void *scratch;             /* device */
    struct gpu_states states;  /* of all chunks of the slot since collect */
    struct gpu_csv_number *numbers, *device_numbers; /* [LISTED_MAX] */
    /* The reductions were started, or, with cpu, the chunk is for the CPU. */
    bool started, cpu;
    bool failed; /* to do so, with error */
    struct error error;
    struct text_counts *decided; /* by the host: [columns] */
    struct text_wide *wide;      /* [LISTED_MAX], or NULL: not needed yet */
    size_t wides;
    struct gpu_csv_totals *report; /* pinned, with the columns' counts */
    /* Of its own: what follows on one slot shall not wait for the copy of the
     * other. */
    cudaStream_t stream;
    struct cuda_clock clock;
};

/* A context for text. */
struct context {
    const struct job *job;
    struct columns *columns; /* the CPU's way */
    struct cuda_block host, device;
    struct powers *powers; /* device */
    struct states
        copy; /* of a slot's states, on the host; between uses empty */
    struct cuda_block blocks;   /* device: the slots' first buffers */
    struct gpu_csv_cell *cells; /* pinned, [LISTED_MAX] */
    struct gpu_csv_words words;
    unsigned newest; /* slot submitted last */
    struct text_slot slot[CUDA_TEXT_SLOTS];
};

/* Memory (cuda_text_memory.c). */

struct context *text_open(const struct job *job, struct error *e);
void text_close(struct context *t);

/* The bytes of a chunk's report, with the columns' counts. */
size_t text_report_bytes(const struct job *job);

/* Makes the slot's buffers those for the records of its chunk's input. */
bool text_suit(struct context *t, struct text_slot *s, struct error *e);

/* The monoids that kernels step over columns, and those that the host does. */
unsigned text_stepped(const struct job *job);
unsigned text_on_host(const struct job *job);

/* Makes the slot's states those of no elements. The context's copy is that. */
bool text_clear(struct context *t, struct text_slot *s, struct error *e);

/* Reductions (cuda_text_reduce.c). */

/* When a slot's text is decoded: decides what was left to the host and starts
 * the reductions, or finds that the chunk is for the CPU. */
bool text_advance(struct context *t, struct text_slot *s, struct error *e);

/* As context_kind's. */
bool text_collect(struct context *t, unsigned slot, struct owner *owner,
                  struct error *e);

/* Waits for the reductions and adds them to the owner's states. */
bool text_take(struct context *t, struct text_slot *s, struct owner *owner,
               struct error *e);
