/* SPDX-License-Identifier: MIT */
/* Expressions over vectors, compared with expr_evaluate record by record:
 * random expressions of all operations, over hostile values, some of them
 * missing. */
#include <stdlib.h>

#include "expr/operations.h"
#include "expr/vectors.h"
#include "expr_fixture.h"

enum { COLUMNS = 8, RECORDS = VECTOR_ROWS + 77 };

static const enum expr_type types[COLUMNS] = {
    EXPR_FLOAT, EXPR_FLOAT, EXPR_INTEGER, EXPR_INTEGER,
    EXPR_BOOL,  EXPR_BOOL,  EXPR_TEXT,    EXPR_TEXT};

static unsigned draw(unsigned n)
{
    return (unsigned)check_below(n);
}

/* [column][record]; column 2k has no missing values. */
static struct expr_value value[COLUMNS][RECORDS];

static const double reals[] = {0,      -0.0, 1,   -1.5,     2.5,       1e300,
                               5e-324, 3,    NAN, INFINITY, -INFINITY, 1e17};
static const int64_t integers[] = {0,  1,   -1, 2,       3,          7,
                                   10, -12, 63, 1 << 20, -(1 << 30), 1000003};
static const char *const texts[] = {"", "a", "ab", "b", "12", "-3.5", "Rome"};

#define PICK(list) list[draw(sizeof list / sizeof list[0])]

static void fill(bool is_hostile)
{
    for (size_t c = 0; c < COLUMNS; c++) {
        for (size_t i = 0; i < RECORDS; i++) {
            struct expr_value *v = &value[c][i];
            v->type = c % 2 && draw(5) == 0 ? EXPR_MISSING : types[c];
            const char *text = PICK(texts);
            if (v->type == EXPR_FLOAT)
                v->real = PICK(reals);
            else if (v->type == EXPR_INTEGER)
                v->integer =
                    is_hostile && draw(400) == 0 ? INT64_MIN : PICK(integers);
            else if (v->type == EXPR_BOOL)
                v->truth = draw(2);
            else if (v->type == EXPR_TEXT)
                v->text = (struct expr_text){text, strlen(text)};
        }
    }
}

static bool find_column(void *context, const struct expr_name *name,
                        struct expr_column *column, struct error *why)
{
    (void)context;
    if (name->call.at)
        return false;
    if (name->name.bytes != 1 || name->name.at[0] < 'a' ||
        name->name.at[0] >= 'a' + COLUMNS)
        return error_set(why, ERROR_USAGE, "no such column");
    column->index = (uint32_t)(name->name.at[0] - 'a');
    column->type = types[column->index];
    return true;
}

/* A range of records, and the vectors of the batch that has it. */
struct place {
    size_t first, n;
    int64_t words[COLUMNS][VECTOR_ROWS];
    struct expr_text texts[COLUMNS][VECTOR_ROWS];
    uint8_t valid[COLUMNS][VECTOR_ROWS];
};

static bool load(void *context, uint32_t index, enum expr_type type,
                 struct expr_vector *vector)
{
    struct place *p = context;
    for (size_t i = 0; i < p->n; i++) {
        const struct expr_value *v = &value[index][p->first + i];
        p->valid[index][i] = v->type != EXPR_MISSING;
        p->words[index][i] = 0;
        p->texts[index][i] = (struct expr_text){"", 0};
        if (v->type == EXPR_TEXT)
            p->texts[index][i] = v->text;
        else if (v->type == EXPR_FLOAT)
            memcpy(&p->words[index][i], &v->real, sizeof v->real);
        else if (v->type != EXPR_MISSING)
            p->words[index][i] =
                v->type == EXPR_BOOL ? v->truth : (int64_t)v->integer;
    }
    *vector = (struct expr_vector){type, index % 2,
                                   type == EXPR_TEXT ? (void *)p->texts[index]
                                                     : (void *)p->words[index],
                                   p->valid[index]};
    return true;
}

static bool read_record(const void *context, uint32_t index,
                        enum expr_type type, struct expr_value *out,
                        struct error *e)
{
    (void)type, (void)e;
    *out = value[index][*(const size_t *)context];
    return true;
}

static bool is_same(const struct expr_vector *v, size_t i,
                    const struct expr_value *other)
{
    const int64_t *words = v->values;
    const struct expr_text *text = v->values;
    double real;
    if (v->has_missing && !v->valid[i])
        return other->type == EXPR_MISSING;
    if (other->type != v->type)
        return false;
    if (v->type == EXPR_TEXT)
        return text[i].bytes == other->text.bytes &&
               memcmp(text[i].at, other->text.at, text[i].bytes) == 0;
    memcpy(&real, &words[i], sizeof real);
    if (v->type == EXPR_FLOAT)
        return (real != real && other->real != other->real) ||
               memcmp(&real, &other->real, sizeof real) == 0;
    return words[i] ==
           (v->type == EXPR_BOOL ? other->truth : (int64_t)other->integer);
}

/* Compares a batch with expr_evaluate. Returns its number of records, or 0 if
 * vectors_run refused the batch. */
static size_t check_batch(const struct expr *x, struct vectors *v, size_t first,
                          size_t n, const char *text)
{
    static struct place place;
    const struct expr_batch batch = {load, &place, n};
    struct expr_vector out;
    place.first = first;
    place.n = n;
    if (!vectors_run(v, &batch, &out))
        return 0;
    for (size_t i = 0; i < n; i++) {
        const size_t at = first + i;
        const struct expr_record record = {read_record, &at};
        struct expr_value other;
        struct error e = {0};
        char got[80] = "";
        bool ok = expr_evaluate(x, &record, &other, &e);
        if (ok)
            put_value(got, &other);
        if (!CHECK(ok && is_same(&out, i, &other), "%s: record %zu: %s %s",
                   text, at, got, e.text))
            return n;
    }
    return n;
}

static void put(char **to, const char *text)
{
    *to += sprintf(*to, "%s", text);
}

static void make(char **to, enum expr_type type, unsigned depth);

static void make_call(char **to, const char *name, enum expr_type type,
                      unsigned n, unsigned depth)
{
    *to += sprintf(*to, "%s(", name);
    for (unsigned i = 0; i < n; i++) {
        put(to, i ? ", " : "");
        make(to, type, depth);
    }
    put(to, ")");
}

static void make_two(char **to, const char *operator, enum expr_type type,
                     unsigned depth)
{
    put(to, "(");
    make(to, type, depth);
    *to += sprintf(*to, " %s ", operator);
    make(to, type, depth);
    put(to, ")");
}

static void make_in(char **to, enum expr_type type, unsigned depth,
                    const char *in)
{
    put(to, "(");
    make_call(to, "", type, 1, depth);
    *to += sprintf(*to, " %s)", in);
}

static enum expr_type any_number(void)
{
    static const enum expr_type list[] = {EXPR_FLOAT, EXPR_INTEGER, EXPR_BOOL};
    return PICK(list);
}

static void make_leaf(char **to, enum expr_type type)
{
    static const char *const leaf[][6] = {
        [EXPR_FLOAT] = {"a", "b", "b", "1.5", "0.1", "2e3"},
        [EXPR_INTEGER] = {"c", "d", "d", "3", "-2", "100"},
        [EXPR_BOOL] = {"e", "f", "f", "true", "e", "false"},
        [EXPR_TEXT] = {"g", "h", "h", "'ab'", "'a'", "''"},
    };
    put(to, PICK(leaf[type]));
}

/* `in` with a list that is long enough to be sorted: numbers of all kinds, with
 * repetitions, -0, NaN and some that no value equals; or texts. */
static void make_in_long(char **to, enum expr_type type, unsigned depth)
{
    static const char *const numbers[] = {"0",
                                          "-0.0",
                                          "1",
                                          "-1",
                                          "2.5",
                                          "1e300",
                                          "5e-324",
                                          "3",
                                          "nan",
                                          "inf",
                                          "-inf",
                                          "1e17",
                                          "1.5",
                                          "-1.5",
                                          "1e30",
                                          "63",
                                          "7",
                                          "true",
                                          "-12",
                                          "10",
                                          "100000000000000000",
                                          "2",
                                          "0.1",
                                          "-3",
                                          "9007199254740993"};
    static const char *const words[] = {"''",   "'a'",    "'ab'",   "'b'",
                                        "'12'", "'-3.5'", "'Rome'", "'abc'"};
    char list[2000] = "in (5";
    char *end = list + strlen(list);
    const unsigned n = 30 + draw(70), few = 1 + draw(25);
    if (type == EXPR_TEXT)
        end = list + sprintf(list, "in ('c'");
    for (unsigned i = 0; i < n; i++)
        end += sprintf(end, ", %s",
                       type == EXPR_TEXT ? words[draw(8) % few]
                                         : numbers[draw(25) % few]);
    sprintf(end, draw(4) ? ")" : ", missing)");
    make_in(to, type, depth, list);
}

static void make_bool(char **to, unsigned depth)
{
    static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
    static const char *const ofs[] = {"startswith", "endswith", "contains"};
    static const char *const lists[] = {" in (1, 2.5, -3)", " not in (7, 3)",
                                        " in (1.5, missing)",
                                        "in (9007199254740993, 1, 0)"};
    switch (draw(10)) {
    case 0:
        make_two(to, PICK(comparisons), any_number(), depth);
        break;
    case 1:
        make_two(to, PICK(comparisons), EXPR_TEXT, depth);
        break;
    case 2:
        make_call(to, PICK(ofs), EXPR_TEXT, 2, depth);
        break;
    case 3:
        make_two(to, draw(2) ? "&&" : "||", EXPR_BOOL, depth);
        break;
    case 4:
        put(to, "(!");
        make_two(to, draw(2) ? "and" : "or", EXPR_BOOL, depth);
        put(to, ")");
        break;
    case 5:
        make_call(to, draw(2) ? "isnan" : "isfinite", any_number(), 1, depth);
        break;
    case 6:
        make_call(to, "ismissing", draw(2) ? EXPR_TEXT : any_number(), 1,
                  depth);
        break;
    case 7:
        make_in(to, EXPR_TEXT, depth,
                draw(2) ? "in ('a', 'Rome')" : "in ('12', missing)");
        break;
    case 8:
        make_in_long(to, draw(2) ? EXPR_TEXT : any_number(), depth);
        break;
    default:
        make_in(to, any_number(), depth, PICK(lists));
    }
}

static void make_number(char **to, enum expr_type type, unsigned depth)
{
    static const char *const operators[] = {"+", "-", "*", "%"};
    static const char *const unary[] = {"-",    "+",     "abs",   "floor",
                                        "ceil", "trunc", "round", "rint"};
    static const char *const of_floats[] = {"sqrt",  "exp", "log", "log2",
                                            "log10", "sin", "cos", "tan"};
    static const char *const binary[] = {"min", "max", "mod"};
    const bool is_float = type == EXPR_FLOAT;
    switch (draw(9)) {
    case 0:
        make_call(to, PICK(unary), type, 1, depth);
        break;
    case 1:
        make_call(to, PICK(binary), type, 2, depth);
        break;
    case 2:
        make_call(to, "", type, 1, depth);
        put(to, draw(2) ? " ** 2" : is_float ? " ** -3" : " ** 3");
        break;
    case 3:
        if (is_float)
            make_call(to, PICK(of_floats), EXPR_FLOAT, 1, depth);
        else
            make_call(to, "len", EXPR_TEXT, 1, depth);
        break;
    case 4:
        if (is_float)
            make_two(to, draw(3) ? "/" : "**", any_number(), depth);
        else
            make_two(to, PICK(operators), EXPR_INTEGER, depth);
        break;
    case 5:
        if (is_float)
            make_call(to, draw(2) ? "atan2" : "hypot", EXPR_FLOAT, 2, depth);
        else
            make_two(to, "+", EXPR_BOOL, depth);
        break;
    case 6:
        put(to, "(");
        make(to, type, depth);
        *to += sprintf(*to, " %c ", "+-*%"[draw(4)]);
        make(to, is_float ? any_number() : type, depth);
        put(to, ")");
        break;
    default:
        make_two(to, PICK(operators), type, depth);
    }
}

static void make(char **to, enum expr_type type, unsigned depth)
{
    if (depth == 0 || draw(6) == 0) {
        make_leaf(to, type);
        return;
    }
    depth--;
    if (draw(8) == 0) {
        make_call(to, "coalesce", type, 2, depth);
    } else if (draw(8) == 0) {
        put(to, "(");
        make(to, EXPR_BOOL, depth);
        put(to, " ? ");
        make(to, type, depth);
        put(to, " : ");
        make(to, type == EXPR_FLOAT ? any_number() : type, depth);
        put(to, ")");
    } else if (type == EXPR_BOOL) {
        make_bool(to, depth);
    } else if (type == EXPR_TEXT) {
        make_call(to, "text", type, 1, depth);
    } else {
        make_number(to, type, depth);
    }
}

/* Returns how many records are in batches that were not refused. */
static size_t check_vectors(const char *text)
{
    const struct expr_names finder_of_columns = {find_column, NULL};
    struct expr x;
    struct vectors *v;
    struct error e = {0};
    size_t n = 0;
    if (!CHECK(expr_parse(&x, source_of(text), false, &finder_of_columns, &e),
               "%s", e.text))
        return 0;
    for (int portable = 0; portable < 2; portable++) {
        if (!CHECK(vectors_open(&v, &x, portable, &e), "%s", e.text) || !v)
            continue;
        n += check_batch(&x, v, 0, VECTOR_ROWS, text);
        n += check_batch(&x, v, VECTOR_ROWS, RECORDS - VECTOR_ROWS, text);
        vectors_close(v);
    }
    expr_free(&x);
    CHECK(n % 2 == 0, "the sets differ: %s", text);
    return n / 2;
}

static void test_random(void)
{
    enum { TRIES = 3000 };
    static char text[1 << 20];
    size_t n = 0, bytes;
    for (int k = 0; k < TRIES; k++) {
        static const enum expr_type all[] = {EXPR_FLOAT, EXPR_INTEGER,
                                             EXPR_BOOL, EXPR_TEXT};
        char *to = text;
        if (k % 50 == 0)
            fill(k % 100 == 0);
        make(&to, PICK(all), draw(5));
        bytes = (size_t)(to - text);
        n += bytes < EXPR_BYTES ? check_vectors(text) : 0;
    }
    /* Most batches are not refused. */
    CHECK(2 * n > (size_t)TRIES * RECORDS, "%zu records", n);
}

/* Random sequences of tokens. If one parses, its values are those of
 * expr_evaluate. */
static void test_tokens(void)
{
    enum { TRIES = 60000, TOKENS = 14 };
    static const char *const token[] = {
        "a",  "b",  "c",   "d",   "e",     "f",    "g",       "h",   "1",
        "2",  "0",  "1.5", "'a'", "true",  "inf",  "(",       ")",   "(",
        ")",  ",",  "?",   ":",   "+",     "-",    "*",       "/",   "%",
        "**", "==", "!=",  "<",   ">=",    "&&",   "||",      "!",   "not",
        "in", "or", "and", "min", "round", "text", "missing", "len", "num"};
    const struct expr_names columns = {find_column, NULL};
    size_t parsed = 0;
    for (int k = 0; k < TRIES; k++) {
        char text[TOKENS * 8] = "";
        struct expr x;
        struct error e = {0};
        for (unsigned n = 1 + draw(TOKENS - 1); n > 0; n--)
            strcat(strcat(text, PICK(token)), " ");
        if (!expr_parse(&x, source_of(text), draw(2), &columns, &e))
            continue;
        expr_free(&x);
        parsed++;
        check_vectors(text);
    }
    CHECK(parsed > TRIES / 100, "%zu", parsed);
}

/* Vectors refuse a batch if they cannot compute some record. */
static void test_refused(void)
{
    static const char *const refused[] = {"c + 9223372036854775807",
                                          "c % 0",
                                          "c * 2 ** 62",
                                          "num('x')",
                                          "c * 0 + 9007199254740993 + a",
                                          "c * 0 - 9007199254740993 + a"};
    fill(false);
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++)
        CHECK(check_vectors(refused[k]) == 0, "%s", refused[k]);
    CHECK(check_vectors("c + 1") == RECORDS, "c + 1");
}

int main(void)
{
    test_random();
    test_refused();
    test_tokens();
    return check_end();
}
