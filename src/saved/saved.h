/* SPDX-License-Identifier: MIT */
/*
 * States that travel: what a run has computed of its data, with the question
 * that they answer. They are written as bytes that are the same on every
 * machine, read back by a reader that trusts nothing, and merged with the
 * states of other data.
 *
 *   magic, version, question, counts, inputs, states | keys, checksum
 *
 * A file's strings are borrowed from its bytes. One thread uses a struct saved
 * at a time.
 */
#pragma once

#include "base/error.h"
#include "by/groups.h"
#include "reduce/states.h"
#include "saved/bytes.h"

#define SAVED_MAGIC "gpureduce-state\n"
/* Version 1 had neither distinct values nor axes. Version 2 had the sums of
 * keys only as states. */
enum { SAVED_VERSION = 4, SAVED_KEYS_MAX = 16 };

/* The texts of a question: X(name, what it is called in messages). States of
 * two questions merge only if all texts and numbers are the same. */
#define SAVED_TEXTS(X)                         \
    X(data, "the kind of data")                \
    X(type, "the type")                        \
    X(nan, "--nan")                            \
    X(where, "the expressions")                \
    X(reading, "how text is read")             \
    X(names, "the list of columns")            \
    X(is_text, "which columns are text")       \
    X(keys, "the columns of the keys")         \
    X(ops, "the list of operations")           \
    X(monoids, "what is kept for each column") \
    X(axes, "the array and its axes")

/* Its numbers. */
#define SAVED_NUMBERS(X)                           \
    X(groups, "the number of results")             \
    X(columns, "the number of columns")            \
    X(paired, "how many columns are paired")       \
    X(pairing, "how columns are paired")           \
    X(weight, "the column of weights")             \
    X(is_table, "whether records have fields")     \
    X(has_header, "whether columns have names")    \
    X(is_named, "whether columns are printed")     \
    X(rows_only, "whether cells are read")         \
    X(asked, "which group of operations is asked") \
    X(shown, "which operations are named")         \
    X(text_ends, "whether texts are kept")         \
    X(by_columns, "the columns reduced by key")    \
    X(by_bad, "whether bad cells are skipped")     \
    X(by_texts, "whether keys have texts")

enum saved_text_of {
#define SAVED_ENUM(name, what) SAVED_##name,
    SAVED_TEXTS(SAVED_ENUM) SAVED_TEXTS_END
};
enum saved_number_of {
    SAVED_NUMBERS(SAVED_ENUM) SAVED_NUMBERS_END
#undef SAVED_ENUM
};

struct saved_question {
    struct saved_text text[SAVED_TEXTS_END];
    uint64_t number[SAVED_NUMBERS_END];
};

/* A list of texts in one: each as its length in digits, ':', the text, ','. */
void saved_put_item(struct saved_bytes *list, struct saved_text item);
/* Takes the first item off a list. False if there is none. */
bool saved_next_item(struct saved_text *list, struct saved_text *item);
/* Takes the name of a dtype off a list. False if there is none. */
bool saved_next_dtype(struct saved_text *list, enum dtype *dtype);

enum { SAVED_RANK_MAX = 64 };

/* One of the inputs that were reduced, for places. */
struct saved_input {
    char *name;        /* owned */
    uint64_t offset;   /* of binary data: where they start in the file */
    uint64_t elements; /* records, or elements of binary data */
    uint32_t rank;     /* of an array in Fortran order; else 0 */
    uint64_t shape[SAVED_RANK_MAX]; /* [rank] */
};

struct saved {
    struct saved_question question;
    uint64_t elements; /* before the next part: positions are less than this */
    uint64_t skipped;  /* records, as in struct reduced */
    uint64_t bytes;    /* of the data */
    uint64_t part, parts; /* --part R/N; 0 and 0: all data, or not known */
    struct saved_text backends; /* that reduced them: a list of names */
    struct saved_bytes merged;  /* the bytes of that list, once it is merged */
    struct saved_input *input;  /* [inputs], owned */
    size_t inputs;
    struct states states;  /* owned */
    struct groups *groups; /* owned: of a question by keys; else NULL */
    enum dtype *dtypes;    /* [groups], owned, if the groups' dtypes differ */
    /* Sets of MONOID_BIT: of all, and of those that `states` has. */
    unsigned monoids, whole;
    uint8_t *file;     /* what was read, with all texts; owned, or NULL */
    uint64_t checksum; /* that file's */
};

/* Appends the states as a file has them. False, with the error: no memory. */
bool saved_write(const struct saved *s, struct saved_bytes *to,
                 struct error *e);

/* Reads states of `bytes` bytes at `file`, which *s then owns. `name` is the
 * file's, for messages. False, with the error, if they are not such states. The
 * caller calls saved_free in any case. */
bool saved_read(struct saved *s, uint8_t *file, size_t bytes, const char *name,
                struct error *e);
void saved_free(struct saved *s);

/* Merges states of data that follow those of `into`. Their positions are mapped
 * in *from, whose inputs are moved. False, with the error, if the questions
 * differ or memory ran out. */
bool saved_merge(struct saved *into, const char *into_name, struct saved *from,
                 const char *from_name, struct error *e);

/* False, with the error, if a state is lost. */
bool saved_check(const struct saved *s, struct error *e);

/* Writes a file under a temporary name and renames it, so that it is whole or
 * not there. Follows symbolic links, and keeps the mode of a file that is
 * there. Writes to a device or a pipe directly; "-" is standard output. */
bool saved_store(const struct saved_bytes *b, const char *name,
                 struct error *e);

/* False, with the error, if the file cannot be made, or if one with other data
 * is there. Call it before the data are read, so that they are not read in
 * vain. */
bool saved_may_store(const char *name, struct error *e);

/* Reads a whole file. The caller frees *file. */
bool saved_load(const char *name, uint8_t **file, size_t *bytes,
                struct error *e);
