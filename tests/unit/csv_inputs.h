/* SPDX-License-Identifier: MIT */
/* Text in files and pipes, opened as inputs. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "format/input.h"

enum { TEXT_INPUTS_MAX = 8 };

/* TEXT_LATE_PIPE: the chunker opens the pipe at its turn. */
enum text_kind { TEXT_FILE, TEXT_PIPE, TEXT_LATE_PIPE };

struct text_source {
    enum text_kind kind;
    const char *text; /* borrowed */
    size_t bytes;

    char name[512];
    struct input_settings settings;
    int pipe[2];
    pthread_t writer; /* thread that writes to the pipe, if `writing` */
    bool writing;
};

struct text_inputs {
    struct csv_settings csv; /* set by the caller */
    size_t count;
    struct text_source source[TEXT_INPUTS_MAX];
    struct input input[TEXT_INPUTS_MAX];
    size_t open; /* number of open inputs */
};

/* Returns settings for these columns by number, without a header. */
struct csv_settings text_settings(enum dtype dtype, int delimiter,
                                  const char *columns);

bool text_inputs_open(struct text_inputs *t, struct error *e);
void text_inputs_close(struct text_inputs *t);
