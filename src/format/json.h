/* SPDX-License-Identifier: MIT */
/*
 * Reads the JSON (RFC 8259) of headers from memory. It trusts nothing: it
 * checks all bytes, limits depth, and reads nothing past the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
    const char *at, *end; /* the text that is left */
    /* static string: the error at `at`, set by a function that failed */
    const char *wrong;
};

/* Skips blanks, then takes the character c. Returns false without an error if
 * another character comes next. */
bool json_take(struct json *j, char c);

/* Like json_take, but another character is an error. */
bool json_need(struct json *j, char c);

/* Takes a string and writes it to `to`, decoded, with a NUL. `to` must have
 * room for the string's bytes in the text. Returns the end in `to`, or NULL
 * with the error. A string with \u0000 is an error. */
char *json_string(struct json *j, char *to);

/* Takes a whole number of digits only, without leading zeros. */
bool json_whole(struct json *j, uint64_t *value);

/* Skips a value of any kind. */
bool json_skip(struct json *j);

/* Checks that only blanks are left. Returns false with the error if not. */
bool json_ended(struct json *j);
