/* SPDX-License-Identifier: MIT */
/* Chooses how data with expressions are read. */
#pragma once

#include "chunk/reading.h"
#include "formula/formula.h"

static const struct reading reading_formulas_of_elements = {
    &chunker_elements, &decoder_formulas_of_elements};
static const struct reading reading_formulas_of_records = {
    &chunker_records, &decoder_formulas_of_records};
