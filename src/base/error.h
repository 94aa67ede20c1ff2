/* SPDX-License-Identifier: MIT */
/*
 * What a fallible function leaves behind when it returns false. Nobody but
 * main prints an error or ends the process.
 */
#pragma once

#include <stdbool.h>

/* Most values are the exit statuses of the contract: see main.c. */
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
    char text[4096]; /* one or more lines, no final newline */
};

/* Fills e and returns false, so that callers can `return error_set(...)`.
 * A message too long for e->text is cut at its end. e may be NULL. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool error_set(struct error *e, enum error_kind kind, const char *format, ...);

/* The same with "'NAME': " before it. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool error_named(struct error *e, enum error_kind kind, const char *name,
                 const char *format, ...);

/* The error of memory that could not be had. It returns NULL, which is false,
 * for callers that return a pointer and for those that return a bool. */
void *error_memory(struct error *e);

/* The error of a libc call on `name` that set errno: "'NAME': DOING: why". */
bool error_errno(struct error *e, const char *name, const char *doing);
