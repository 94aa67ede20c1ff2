/* SPDX-License-Identifier: MIT */
/* Finds where elements are, for JSON, --verbose and --assert: the file, and the
 * line or offset in it. */
#pragma once

#include <stdio.h>

#include "run/answers.h"

struct place {
    const struct input *input;
    const char *kind; /* "line" or "offset" */
    struct value at;  /* a line from 1, an offset in bytes, or VALUE_NONE */
};

/* Call it after a dataset's values were added as the last part. If lines will
 * be printed, finds those of all records whose index is a value. */
bool places_find(struct answers *a, const struct chunk_notes *notes,
                 struct error *e);

/* The place of an element whose index is a value of the part. */
struct place place_of(const struct answers_part *part, uint64_t index);

/* The input that has an element of the dataset; *index becomes the index within
 * that input. */
const struct input *place_of_element(const struct dataset *d, uint64_t *index);

/* The input that has a record of the dataset, and the record's line; 0: not
 * known. */
const struct input *place_of_record(const struct dataset *d,
                                    const struct chunk_notes *notes,
                                    uint64_t index, uint64_t *line);

/* For -v: prints the places of the last part's values. */
void places_print(FILE *to, const struct answers *a);
