/* SPDX-License-Identifier: MIT */
#include "csv_inputs.h"

#include <signal.h>
#include <unistd.h>

#include "../backends/engine_rig.h"
#include "check.h"
#include "format/format.h"
#include "temporary.h"

/* Writes in odd pieces, so that records are split between reads. */
static void *write_pipe(void *arg)
{
    struct text_source *s = arg;
    size_t at = 0;
    while (at < s->bytes) {
        size_t piece = 1 + (at * 7919 + s->bytes) % 5000;
        piece = piece < s->bytes - at ? piece : s->bytes - at;
        ssize_t n = write(s->pipe[1], s->text + at, piece);
        if (n < 0)
            break;
        at += (size_t)n;
    }
    close(s->pipe[1]);
    return NULL;
}

static void make_source(struct text_source *s, size_t i)
{
    char name[32];
    s->writing = false;
    if (s->kind == TEXT_FILE) {
        snprintf(name, sizeof name, "text%zu", i);
        temporary_path(s->name, name);
        temporary_write(s->name, s->text, s->bytes);
        return;
    }
    CHECK(pipe(s->pipe) == 0);
    snprintf(s->name, sizeof s->name, "/proc/self/fd/%d", s->pipe[0]);
    s->writing = pthread_create(&s->writer, NULL, write_pipe, s) == 0;
    CHECK(s->writing);
}

struct csv_settings text_settings(enum dtype dtype, int delimiter,
                                  const char *columns)
{
    struct csv_settings settings = {
        .delimiter = delimiter, .header = CSV_HEADER_NO, .columns = columns};
    struct error e;
    settings.spec.dtype = dtype;
    CHECK(csv_words_init(&settings.spec.words, CSV_WORDS_DEFAULT, &e));
    return settings;
}

bool text_inputs_open(struct text_inputs *t, struct error *e)
{
    rig_fill();
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < t->count; i++)
        make_source(&t->source[i], i);
    for (t->open = 0; t->open < t->count; t->open++) {
        size_t i = t->open;
        struct text_source *s = &t->source[i];
        s->settings = (struct input_settings){.format = format_find("csv"),
                                              .csv = &t->csv,
                                              .like = i ? t->input : NULL};
        if (!input_open(&t->input[i], s->name, &s->settings,
                        i > 0 && s->kind == TEXT_LATE_PIPE, e))
            return false;
    }
    return true;
}

void text_inputs_close(struct text_inputs *t)
{
    for (size_t i = 0; i < t->open; i++)
        input_close(&t->input[i]);
    for (size_t i = 0; i < t->count; i++) {
        struct text_source *s = &t->source[i];
        if (s->writing) {
            close(s->pipe[0]);
            pthread_join(s->writer, NULL);
        } else {
            unlink(s->name);
        }
    }
}
