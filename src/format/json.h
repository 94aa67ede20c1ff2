/* SPDX-License-Identifier: MIT */
/*
 * Reads the JSON of headers, RFC 8259, from memory. It trusts nothing: all
 * bytes are checked, depth is limited, and nothing is read past the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
    const char *at, *end; /* the text that is left */
    const char *wrong;    /* what is wrong at `at`, once a function failed */
};

/* Skips blanks, then takes the character c. False without an error if another
 * one comes next. */
bool json_take(struct json *j, char c);

/* As json_take, but another character is an error. */
bool json_need(struct json *j, char c);

/* Takes a string and writes it to `to`, decoded, with a NUL. `to` has room for
 * the bytes of the string in the text. Returns the end in `to`; NULL with the
 * error. A string with \u0000 is an error. */
char *json_string(struct json *j, char *to);

/* Takes a whole number of digits only, without leading zeros. */
bool json_whole(struct json *j, uint64_t *value);

/* Skips a value of any kind. */
bool json_skip(struct json *j);

/* Whether only blanks are left. False with the error. */
bool json_ended(struct json *j);
