/* SPDX-License-Identifier: MIT */
/* Cases: a dtype, missing-value words, rules, and inputs of several shapes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../numbers/subjects.h"
#include "text.h"

static const char *const word_lists[] = {
    CSV_WORDS_DEFAULT,
    CSV_WORDS_DEFAULT,
    "",
    "NA",
    "-,n.a.,none",
    "nan,inf,-999,0,1e3,00",
    "a value that nobody knows, NA ,+,infinit,1 2",
    "a,b,c,d,e,f,g,h,i,j,1,2x,-1.50,0x10,1e",
    "not known,sixteen letters.,seventeen letters",
    "N\"A,\xff,\xc3\xa9,NULL",
};

/* Finds the next word of a list, without the blanks around it. Returns false at
 * the end. */
static bool next_word(const char **list, const char **word, size_t *n)
{
    const char *p = *list;
    if (!p)
        return false;
    const char *comma = strchr(p, ',');
    const char *end = comma ? comma : p + strlen(p);
    *list = comma ? comma + 1 : NULL;
    while (p < end && *p == ' ')
        p++;
    while (p < end && end[-1] == ' ')
        end--;
    *word = p;
    *n = (size_t)(end - p);
    return true;
}

bool text_is_word(const struct text_case *text_case, const char *text, size_t n)
{
    const char *list = text_case->words, *word;
    size_t length;
    while (next_word(&list, &word, &length)) {
        if (length > 0 && length == n && memcmp(word, text, n) == 0)
            return true;
    }
    return false;
}

static bool some_word_is_number(const char *list)
{
    const char *word;
    char text[64];
    size_t n;
    while (next_word(&list, &word, &n)) {
        snprintf(text, sizeof text, "%.*s", (int)n, word);
        if (n > 0 && oracle_of(DTYPE_f64, text, n).is_number)
            return true;
    }
    return false;
}

static unsigned char any_delimiter(struct random *r)
{
    static const char usual[] = ",,,,,\t\t;;|", odd[] = " :1-.eN\x01\xff\x80/";
    return (unsigned char)(random_below(r, 8)
                               ? usual[random_below(r, sizeof usual - 1)]
                               : odd[random_below(r, sizeof odd - 1)]);
}

enum { NAME_MAX_BYTES = 64 };

static void any_name(char name[NAME_MAX_BYTES], struct random *r, size_t number)
{
    static const char *const names[] = {"price", "a\tb\n\"c\"", "\xff'\\",
                                        "\xc3\xa9t\xc3\xa9", "long name"};
    if (random_below(r, 2))
        snprintf(name, NAME_MAX_BYTES, "%zu", number);
    else
        snprintf(name, NAME_MAX_BYTES, "%s", names[random_below(r, 5)]);
}

/* Chooses some of the fields as columns, in any order. */
static void choose_columns(struct text_shape *s, struct random *r)
{
    struct csv_table *t = &s->table;
    for (size_t i = 0; i < t->fields; i++)
        t->field_of[i] = (uint32_t)i;
    for (size_t i = 0; i < t->columns; i++) {
        size_t other = i + random_below(r, t->fields - i);
        uint32_t keep = t->field_of[other];
        t->field_of[other] = t->field_of[i];
        t->field_of[i] = keep;
    }
    for (size_t i = 0; i < t->fields; i++)
        s->column_of[i] = NO_COLUMN;
    for (size_t c = 0; c < t->columns; c++)
        s->column_of[t->field_of[c]] = (uint32_t)c;
}

static void make_shape(struct text_shape *s, size_t columns, struct random *r)
{
    static const char *const inputs[] = {"t.csv", "-", "dir/a\nb'.csv",
                                         "\xfe.tsv"};
    struct csv_table *t = &s->table;
    *s = (struct text_shape){.table = {.columns = columns}};
    t->dialect = csv_dialect_of(any_delimiter(r));
    t->fields = columns;
    if (random_below(r, 3) && columns < FIELDS_MAX)
        t->fields +=
            random_below(r, random_below(r, 2) ? 4 : FIELDS_MAX - columns + 1);
    if (t->fields > FIELDS_MAX)
        t->fields = FIELDS_MAX;
    t->name = calloc(t->fields, sizeof *t->name);
    t->names = calloc(t->fields, NAME_MAX_BYTES);
    t->field_of = calloc(t->fields, sizeof *t->field_of);
    if (!t->name || !t->names || !t->field_of)
        exit(2);
    for (size_t i = 0; i < t->fields; i++) {
        t->name[i] = t->names + NAME_MAX_BYTES * i;
        any_name(t->name[i], r, i + 1);
    }
    choose_columns(s, r);
    s->input.name = inputs[random_below(r, 4)];
}

void text_case_make(struct text_case *text_case, enum dtype dtype,
                    struct random *r)
{
    size_t lists = sizeof word_lists / sizeof word_lists[0];
    struct error e;
    *text_case = (struct text_case){.dtype = dtype};
    text_case->words = word_lists[random_below(r, lists)];
    text_case->spec.dtype = dtype;
    if (!csv_words_init(&text_case->spec.words, text_case->words, &e))
        exit(2);
    text_case->words_first = some_word_is_number(text_case->words);
    text_case->spec.missing_is_error = random_below(r, 3) == 0;
    text_case->spec.round_wide = true; /* the reference computes only in f64 */
    text_case->spec.skip_bad = random_below(r, 2);
    text_case->columns = 1;
    if (random_below(r, 3))
        text_case->columns +=
            random_below(r, random_below(r, 4) ? 4 : FIELDS_MAX);
    for (int i = 0; i < SHAPES; i++) {
        struct text_shape *s = &text_case->shape[i];
        make_shape(s, text_case->columns, r);
        s->input.table = &s->table;
    }
}

void text_case_free(struct text_case *text_case)
{
    for (int i = 0; i < SHAPES; i++)
        csv_table_free(&text_case->shape[i].table);
}
