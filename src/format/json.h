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

/* Skips blanks and takes the character; false, without an error, if the next
 * one is another. */
bool json_take(struct json *j, char c);

/* The same, where the character must come: sets the error. */
bool json_need(struct json *j, char c);

/* Takes a string and writes it to `to`, decoded and with a NUL: at most as many
 * bytes as it has in the text. Returns the end of what it wrote, NULL with the
 * error. A string with \u0000 is an error. */
char *json_string(struct json *j, char *to);

/* Takes a whole number: digits alone, without a needless 0 before them. */
bool json_whole(struct json *j, uint64_t *value);

/* Skips any value. */
bool json_skip(struct json *j);

/* Whether nothing but blanks is left; sets the error. */
bool json_ended(struct json *j);
