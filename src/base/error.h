/* SPDX-License-Identifier: MIT */
/*
 * The error that a fallible function fills in before it returns false. Only
 * main prints the error that ends a run, and ends the process.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* The values are exit statuses, except with --compare and for ERROR_DIFFERENT:
 * see main.c. */
enum error_kind {
    ERROR_NONE = 0,
    ERROR_DATA = 1,   /* bad data, failed I/O, no memory */
    ERROR_USAGE = 2,  /* wrong options */
    ERROR_DEVICE = 3, /* the GPU that was asked for is unusable */
    ERROR_ASSERT = 4, /* --assert is not true; results were printed */
    /* --compare found a difference. The results show it; the text is empty. */
    ERROR_DIFFERENT,
};

struct error {
    enum error_kind kind;
    /* A device had no memory for a context or its work: a run with smaller
     * chunks may succeed. */
    bool lacks_memory;
    char text[4096]; /* one or more lines, no final newline */
};

/* Fills e and returns false, so that callers can `return error_set(...)`.
 * A message too long for e->text is cut at its end. e may be NULL. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool error_set(struct error *e, enum error_kind kind, const char *format, ...);

/* error_set with "'NAME': " before the message. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool error_named(struct error *e, enum error_kind kind, const char *name,
                 const char *format, ...);

/* Sets "out of memory". Returns NULL, which is also false, so that functions
 * that return a pointer or a bool can return it. */
void *error_memory(struct error *e);

/* Sets the error of a libc call on `name` that failed with errno: "'NAME':
 * DOING: why". */
bool error_errno(struct error *e, const char *name, const char *doing);

/* Keeps the error that comes first in the data, of those that several threads
 * find. The caller zeroes the struct and initialises the lock, which guards all
 * fields until the threads have ended. */
struct first_error {
    pthread_mutex_t lock;
    bool failed;
    uint64_t place; /* of the error, in the order of the data */
    struct error error;
};

/* Keeps the error unless there is one at the same or an earlier place. Any
 * thread. */
void first_error_note(struct first_error *f, uint64_t place,
                      const struct error *e);

/* Call after the threads have ended. Returns true if none failed, else false
 * with *e. */
bool first_error_none(const struct first_error *f, struct error *e);
