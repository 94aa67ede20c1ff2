/* SPDX-License-Identifier: MIT */
/*
 * An expression over one record: parsed once into an array of nodes, with the
 * type of each, and then evaluated for any number of records. One grammar for
 * all options that take an expression; the caller says what names mean.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Nesting, of parentheses, signs, powers and choices alike; and bytes. */
enum { EXPR_DEPTH = 64, EXPR_BYTES = 64 << 10 };

/* Of each nesting at most one operand waits at || && == + * and **, and one
 * argument of a function. */
enum { EXPR_STACK = 7 * (EXPR_DEPTH + 1) };

/* EXPR_MISSING: of a value, there is none; of a node, it is the word `missing`,
 * which fits everywhere. EXPR_NUMBER: of a node or name only: the record's
 * value says whether it is an integer or a float. */
enum expr_type {
    EXPR_MISSING,
    EXPR_BOOL,
    EXPR_INTEGER,
    EXPR_FLOAT,
    EXPR_NUMBER,
    EXPR_TEXT
};

struct expr_text {
    const char *at;
    size_t bytes; /* NUL may be among them */
};

struct expr_value {
    enum expr_type type;
    union {
        bool truth;
        __int128 integer;
        double real;
        struct expr_text text;
    };
};

enum expr_kind {
    EXPR_CONSTANT, /* pushes constant[index] */
    EXPR_NAME,  /* pushes the value of the name that the caller calls index */
    EXPR_APPLY, /* pops the operation's operands, pushes its result */
    EXPR_POWER, /* pops the base; the exponent is the integer constant[index] */
    EXPR_IN,    /* pops a value, looks for it in `count` constants */
    /* Between operands: go to node `index` if the first one decides. */
    EXPR_AND_THEN, /* stands before the second operand of && */
    EXPR_OR_ELSE,
    EXPR_IF,    /* pops the condition; false: goes on at `index`, after ELSE */
    EXPR_ELSE,  /* goes to the CHOICE at `index` */
    EXPR_CHOICE /* either value, as the node's type */
};

struct expr_node {
    uint8_t kind, type; /* of expr_kind, expr_type */
    uint8_t operation;  /* of an EXPR_APPLY: see operations.h */
    bool may_be_text;   /* of an EXPR_NAME that is a number */
    uint32_t at;        /* byte of the expression, for messages */
    uint32_t index, count;
};

struct expr_source {
    const char *option; /* "--where", for messages */
    const char *text;
    size_t bytes;
    bool is_wide; /* integers have 128 bits, and not 64 */
};

/* Nodes follow their operands, so that one pass with a stack evaluates them. */
struct expr {
    struct expr_source source; /* borrowed */
    enum expr_type type;
    struct expr_node *node;
    size_t nodes;
    struct expr_value *constant;
    size_t constants;
    char *bytes; /* what texts and names point into */
};

/* A name as it is written: NAME, `any name`, $N, or one of these in a call such
 * as max(NAME); or a call without arguments. */
struct expr_name {
    struct expr_text call; /* at is NULL: not in a call */
    struct expr_text name; /* at is NULL: by number, or nothing in a call */
    uint64_t field;        /* of $N; else 0 */
};

struct expr_column {
    uint32_t index; /* by which the caller knows it */
    enum expr_type type;
    bool may_be_text; /* where the expression needs a text */
};

struct expr_names {
    /* False where there is no such name: then `why` is one line, without the
     * option. Of a call, an empty `why` means that it may be a function. */
    bool (*find)(void *context, const struct expr_name *name,
                 struct expr_column *column, struct error *why);
    void *context;
};

/* Where a record's values come from. */
struct expr_record {
    bool (*read)(const void *context, uint32_t index, enum expr_type type,
                 struct expr_value *value, struct error *e);
    const void *context;
};

/* Parses an expression and fixes its types; where is_condition, it must be true
 * or false. On failure an ERROR_USAGE says what is wrong, with a caret under
 * the place, and nothing is held. */
bool expr_parse(struct expr *x, struct expr_source source, bool is_condition,
                const struct expr_names *names, struct error *e);
void expr_free(struct expr *x);

/* Evaluates it. What is missing makes a missing value, not an error. False: an
 * ERROR_DATA says what cannot be computed. Any thread; x is only read. */
bool expr_evaluate(const struct expr *x, const struct expr_record *record,
                   struct expr_value *value, struct error *e);

/* Fills e with a message about a place, the expression, of which a long one is
 * shown in part, and a caret. Returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
bool expr_complain(const struct expr_source *source, size_t at,
                   enum error_kind kind, struct error *e, const char *format,
                   ...);
