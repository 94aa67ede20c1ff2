/* SPDX-License-Identifier: MIT */
/*
 * All that a unit test needs: checks that count and print failures without
 * ending the program, and random numbers from a printed seed. main ends with
 * `return check_end();`. Any thread may check; only one thread may draw
 * numbers.
 */
#pragma once

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_SHOWN = 20 }; /* failures that are printed in full */

/* Rounds of a random test. A sanitizer makes each many times slower, so it runs
 * a third of them. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define CHECK_ROUNDS(n) ((n) / 3)
#else
#define CHECK_ROUNDS(n) (n)
#endif

static struct {
    _Atomic unsigned long done, failed;
    uint64_t seed, random;
} check_state;

/* Counts one check. If it failed, prints the values by the format. */
__attribute__((format(printf, 5, 6))) static inline bool
check_note(bool ok, const char *file, int line, const char *what,
           const char *format, ...)
{
    check_state.done++;
    if (ok || ++check_state.failed > CHECK_SHOWN)
        return ok;
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: failed: %s ", file, line, what);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return false;
}

/* CHECK(condition) or CHECK(condition, "format", ...). The format shows the
 * values of a failed check. */
#define CHECK(condition, ...) \
    check_note((condition), __FILE__, __LINE__, #condition, " " __VA_ARGS__)

#define CHECK_U64(got, want) check_u64((got), (want), __FILE__, __LINE__, #got)
#define CHECK_INT(got, want) check_int((got), (want), __FILE__, __LINE__, #got)
#define CHECK_TEXT(got, want) \
    check_text((got), (want), __FILE__, __LINE__, #got)
/* Passes if the bits are the same or both are NaN. */
#define CHECK_DOUBLE(got, want) \
    check_double((got), (want), __FILE__, __LINE__, #got)

static inline bool check_u64(uint64_t got, uint64_t want, const char *file,
                             int line, const char *what)
{
    return check_note(got == want, file, line, what,
                      "is %" PRIu64 " (0x%" PRIx64 "), not %" PRIu64
                      " (0x%" PRIx64 ")",
                      got, got, want, want);
}

static inline bool check_int(int64_t got, int64_t want, const char *file,
                             int line, const char *what)
{
    return check_note(got == want, file, line, what,
                      "is %" PRId64 ", not %" PRId64, got, want);
}

static inline bool check_text(const char *got, const char *want,
                              const char *file, int line, const char *what)
{
    bool same = got && want ? strcmp(got, want) == 0 : got == want;
    return check_note(same, file, line, what, "is \"%s\", not \"%s\"",
                      got ? got : "(null)", want ? want : "(null)");
}

static inline bool check_double(double got, double want, const char *file,
                                int line, const char *what)
{
    bool same =
        memcmp(&got, &want, sizeof got) == 0 || (got != got && want != want);
    return check_note(same, file, line, what, "is %a (%.17g), not %a (%.17g)",
                      got, got, want, want);
}

/* Returns the environment's CHECK_SEED, or 1. */
static inline uint64_t check_seed(void)
{
    if (check_state.seed == 0) {
        const char *text = getenv("CHECK_SEED");
        uint64_t seed = text ? strtoull(text, NULL, 0) : 1;
        check_state.seed = seed ? seed : 1;
        check_state.random = check_state.seed;
    }
    return check_state.seed;
}

/* Returns 64 random bits (SplitMix64). */
static inline uint64_t check_random(void)
{
    check_seed();
    uint64_t z = check_state.random += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Returns 0 to limit - 1. */
static inline uint64_t check_below(uint64_t limit)
{
    return check_random() % limit;
}

/* Returns a number with a random length of 0 to 64 bits. */
static inline uint64_t check_random_length(void)
{
    unsigned bits = (unsigned)check_below(65);
    return bits == 0 ? 0 : check_random() >> (64 - bits);
}

/* Prints the counts and returns the exit status: failure if any check failed or
 * none was made. */
static inline int check_end(void)
{
    printf("%lu checks, %lu failed, seed %" PRIu64 "\n", check_state.done,
           check_state.failed, check_seed());
    return check_state.failed > 0 || check_state.done == 0;
}
