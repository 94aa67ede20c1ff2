/* SPDX-License-Identifier: MIT */
/* The question of merged states, for merging.c and merged.c. */
#pragma once

#include "plan/saving.h"

uint64_t merged_number(const struct plan *plan, enum saved_number_of which);
struct saved_text merged_text(const struct plan *plan,
                              enum saved_text_of which);

/* Sets the error of a question that has no meaning. Returns false. */
bool merged_damaged(const struct plan *plan, struct error *e);

/* One of the FILEs: its checksum, its number, and which part of how many its
 * data are; parts 0: all. */
struct merging_file {
    uint64_t checksum;
    size_t file;
    uint64_t part, parts;
};

/* Adds the notes about all FILEs, [names->count], and sorts them. */
void merging_note(const struct file_names *names, struct merging_file *file,
                  struct notes *notes);
