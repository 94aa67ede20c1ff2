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
#include <string.h>

#include "base/error.h"

/* Limits of an expression: its levels of nesting (each parenthesis, sign, power
 * and choice is one) and its bytes. */
enum { EXPR_DEPTH = 64, EXPR_BYTES = 64 << 10 };

/* Entries of the stack. At each level of nesting, at most seven values wait: a
 * left operand for each of || && == + * and **, and a function's argument. */
enum { EXPR_STACK = 7 * (EXPR_DEPTH + 1) };

/* EXPR_MISSING: a missing value, or a node that is the word `missing`, which is
 * allowed with operands of any type. EXPR_NUMBER: a node or a name whose values
 * are integers or floats, each record's its own; no value has this type. */
enum expr_type {
    EXPR_MISSING,
    EXPR_BOOL,
    EXPR_INTEGER,
    EXPR_FLOAT,
    EXPR_NUMBER,
    EXPR_TEXT
};

/* Borrowed bytes. */
struct expr_text {
    const char *at;
    size_t bytes; /* NUL may be among them */
};

static inline bool expr_same_text(struct expr_text a, struct expr_text b)
{
    return a.bytes == b.bytes &&
           (a.bytes == 0 || memcmp(a.at, b.at, a.bytes) == 0);
}

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
    EXPR_NAME,     /* pushes the value of the caller's name `index` */
    EXPR_APPLY,    /* pops the operation's operands, pushes its result */
    EXPR_POWER, /* pops the base; the exponent is the integer constant[index] */
    /* Pops a value, looks for it in `count` constants from `index` on. */
    EXPR_IN,
    /* Between two operands: jumps to node `index` if the first operand already
     * gives the result. */
    EXPR_AND_THEN, /* before the second operand of && */
    EXPR_OR_ELSE,  /* before the second operand of || */
    /* Pops the condition; if false, jumps to `index`, the node after ELSE. */
    EXPR_IF,
    EXPR_ELSE,  /* jumps to the CHOICE at `index` */
    EXPR_CHOICE /* converts the top of the stack to the node's type */
};

struct expr_node {
    uint8_t kind, type; /* of expr_kind, expr_type */
    uint8_t operation;  /* only EXPR_APPLY: see operations.h */
    /* Only EXPR_NAME: its values are numbers, but may be read as texts. */
    bool may_be_text;
    uint32_t at;           /* offset in the expression, for messages */
    uint32_t index, count; /* see enum expr_kind */
};

struct expr_source {
    const char *option; /* "--where", for messages */
    const char *text;
    size_t bytes;
    bool is_wide; /* integers have 128 bits instead of 64 */
};

/* Nodes follow their operands, so that one pass with a stack evaluates them. */
struct expr {
    struct expr_source source; /* borrowed: must outlive the expression */
    enum expr_type type;
    struct expr_node *node; /* [nodes] */
    size_t nodes;
    struct expr_value *constant; /* [constants] */
    size_t constants;
    char *bytes; /* owned; the texts of constants point into it */
};

/* A name as the user wrote it: NAME, `any name` or $N; one of these in a call,
 * such as max(NAME); or a call without arguments. */
struct expr_name {
    struct expr_text call; /* null `at`: not in a call */
    /* Null `at`: a column by number, or a call without arguments. */
    struct expr_text name;
    uint64_t field; /* N of $N; else 0 */
};

struct expr_column {
    uint32_t index; /* the caller's number of the name */
    enum expr_type type;
    /* The name's values may be read as texts where the expression needs texts.
     */
    bool may_be_text;
};

struct expr_names {
    /* Sets *column to the meaning of a name. Returns false if there is no such
     * name, and sets *why to one line, without the option. For a call, an empty
     * *why means that it may be a function. */
    bool (*find)(void *context, const struct expr_name *name,
                 struct expr_column *column, struct error *why);
    void *context;
};

/* The source of a record's values. `read` sets *value to the value of the
 * caller's name `index`: of type `type`, or missing. Returns false with an
 * error. */
struct expr_record {
    bool (*read)(const void *context, uint32_t index, enum expr_type type,
                 struct expr_value *value, struct error *e);
    const void *context;
};

/* Parses an expression and sets the types of its nodes. With is_condition, its
 * value must be a bool. On failure returns false with an error, and there is
 * nothing to free; an ERROR_USAGE has a caret under the place. */
bool expr_parse(struct expr *x, struct expr_source source, bool is_condition,
                const struct expr_names *names, struct error *e);
void expr_free(struct expr *x);

/* Evaluates the expression for a record. A missing operand gives a missing
 * value, not an error. A text in *value points into x or into the record.
 * Returns false with an ERROR_DATA if a value cannot be computed. Any thread: x
 * is only read. */
bool expr_evaluate(const struct expr *x, const struct expr_record *record,
                   struct expr_value *value, struct error *e);

/* Fills e with a message, the expression (part of it if it is long) and a caret
 * under byte `at`. Returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
bool expr_complain(const struct expr_source *source, size_t at,
                   enum error_kind kind, struct error *e, const char *format,
                   ...);
