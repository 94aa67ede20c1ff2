/* SPDX-License-Identifier: MIT */
/* Where elements are, for JSON, --verbose and --assert: in which file, and
 * there on which line or at which offset. */
#pragma once

#include <stdio.h>

#include "run/answers.h"

struct place {
    const struct input *input;
    const char *kind; /* "line" or "offset" */
    struct value at;  /* VALUE_NONE: that is not known */
};

/* After a dataset's values were added, as the last part: finds the lines of all
 * records whose index is a value, if they are to be told. */
bool places_find(struct answers *a, const struct chunk_notes *notes,
                 struct error *e);

/* Where the element is whose index is a value of the part. */
struct place place_of(const struct answers_part *part, uint64_t index);

/* The input that has a record of the dataset, and its line, 0: not known. */
const struct input *place_of_record(const struct dataset *d,
                                    const struct chunk_notes *notes,
                                    uint64_t index, uint64_t *line);

/* -v: the places of the last part's values. */
void places_print(FILE *to, const struct answers *a);
