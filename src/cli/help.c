/* SPDX-License-Identifier: MIT */
/* --help and --list, printed from the tables. */
#include <string.h>

#include "cli/rows.h"

static const char intro[] =
    "Usage: gpureduce [OPTION]... [FILE]...\n"
    "Computes sums, means, extremes and more of the numbers in files (CSV and "
    "other\n"
    "text, NumPy arrays, raw binary), exactly, on the CPU or a GPU. Several "
    "FILEs\n"
    "count as one. With no FILE, or for -, it reads standard input.\n"
    "\n";

/* Examples: commands, each with a description. tests/cli/tasks/ has the same
 * commands and runs them. */
static const char *const examples[][2] = {
    {"gpureduce sales.csv", "a summary of each column"},
    {"gpureduce -c price -o sum,mean sales.csv", "two results of one column"},
    {"gpureduce -c price -o argmax --json sales.csv",
     "file and line of the maximum"},
    {"gpureduce -d ';' --decimal , betrag.csv", "1,5 is one and a half"},
    {"gpureduce --skip-lines 3 --na - report.csv",
     "a title above; - is missing"},
    {"ps aux | gpureduce -d blank --ragged pad -c RSS -o sum", ""},
    {"gpureduce -t '>i2' --skip-bytes 64 -o max x.raw",
     "big-endian, after a header"},
    {"gpureduce -o mean model.npz:weights", "an array of NumPy's"},
    {"find . -name '*.f32' -print0 | gpureduce --files0-from - --per-file -o "
     "max",
     ""},
    {"gpureduce --explain sales.csv", "how it is read, and where"},
};

static const char outro[] =
    "\n"
    "More: --help=ops (what it can compute), --help=text (how text is read),\n"
    "--help=options, --help=all; man gpureduce, gpureduce-text, "
    "gpureduce-numerics.\n"
    "Exit status: 0 success, 1 bad data, 2 wrong usage, 3 GPU unusable, 4 "
    "--assert\n";

static const char *const titles[GROUPS_END] = {
    [GROUP_COMPUTE] = "What to compute",
    [GROUP_INPUT] = "Input",
    [GROUP_TEXT] = "Text",
    [GROUP_RUN] = "How to run",
    [GROUP_INFO] = "Information",
    [GROUP_OTHER] = "Words of other tools",
};

static const char text_intro[] =
    "Text is read as a table: a record a line, fields separated by one "
    "character or\n"
    "by blanks. The delimiter and whether the first record has names are "
    "found out;\n"
    "--explain says what was found. A cell that is not a number is an error, "
    "and the\n"
    "message says which option reads it.\n"
    "\n";

static void print_row(const struct option_row *row, bool is_short, FILE *to)
{
    char left[64], value[32] = "";
    const char *v = row->value;
    if (v && v[0] == '[')
        snprintf(value, sizeof value, "[=%s", v + 1);
    else if (v)
        snprintf(value, sizeof value, "=%s", v);
    snprintf(left, sizeof left, "%c%c%c --%s%s", row->letter ? '-' : ' ',
             row->letter ? row->letter : ' ', row->letter ? ',' : ' ',
             row->name, value);
    const char *line = row->help;
    for (const char *start = left; line; start = "") {
        size_t n = strcspn(line, "\n");
        fprintf(to, "  %-22s %.*s\n", start, (int)n, line);
        line = line[n] && !is_short ? line + n + 1 : NULL;
    }
}

static void print_group(enum option_group group, FILE *to)
{
    const struct option_row *row;
    fprintf(to, "%s:\n", titles[group]);
    for (size_t i = 0; (row = option_row(i)); i++) {
        if (row->group == group)
            print_row(row, false, to);
    }
}

static void print_examples(FILE *to)
{
    fputs("Examples:\n", to);
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        fprintf(to, "  %-*s%s\n", *examples[i][1] ? 49 : 0, examples[i][0],
                examples[i][1]);
}

static void print_short(FILE *to)
{
    const struct option_row *row;
    fputs(intro, to);
    print_examples(to);
    fputs("\nOptions used most:\n", to);
    for (size_t i = 0; (row = option_row(i)); i++) {
        if (row->is_common)
            print_row(row, true, to);
    }
    fputs(outro, to);
}

static void print_groups(enum option_group last, FILE *to)
{
    for (int group = 0; group <= (int)last; group++) {
        fputs(group > 0 ? "\n" : "", to);
        print_group((enum option_group)group, to);
    }
}

static const char ops_intro[] =
    "Operations. Say which with -o, several with commas: -o sum,mean. Without "
    "-o\n"
    "you get summary.\n"
    "  summary        count, sum, mean, std, min, max and where those are\n"
    "  all            everything below that one pass over the data gives\n"
    "  describe       count, mean, std, min, q1, median, q3 and max\n";

static const char ops_outro[] =
    "\nvar and std divide by n - 1, as R, Excel and pandas do; NumPy's np.var "
    "and\n"
    "np.std are var_pop and std_pop here. skew and kurtosis are those of "
    "pandas.\n"
    "--nan skip leaves NaN out.\n"
    "-O json adds value, file and line to argmin and argmax.\n"
    "Sums of text are rounded to f64; -t i64 prints whole numbers in full.\n";

static void print_ops(FILE *to)
{
    const struct op *op;
    fputs(ops_intro, to);
    for (size_t i = 0; (op = op_at(i)); i++) {
        char room[OP_SYNONYMS_MAX];
        const char *also = op_synonyms(room, op);
        size_t wide = strlen(op->about) + strlen(also) > 52;
        fprintf(to, "  %-14s %s", op->name, op->about);
        if (*also)
            fprintf(to, "%s(also: %s)", wide ? "\n                 " : " ",
                    also);
        fputc('\n', to);
    }
    fputs(ops_outro, to);
}

void options_help(FILE *to, enum help_topic topic)
{
    if (topic == HELP_SHORT)
        print_short(to);
    if (topic == HELP_TEXT) {
        fputs(text_intro, to);
        print_group(GROUP_TEXT, to);
    }
    if (topic == HELP_OPTIONS)
        print_groups(GROUP_INFO, to);
    if (topic == HELP_ALL) {
        print_groups(GROUP_OTHER, to);
        fputc('\n', to);
    }
    if (topic == HELP_ALL || topic == HELP_OPS)
        print_ops(to);
}

void options_list(FILE *to)
{
    char also[OP_SYNONYMS_MAX];
    const struct op *op;
    for (size_t i = 0; (op = op_at(i)); i++) {
        fprintf(to, "op\t%s\t%s", op->name, op->about);
        if (*op_synonyms(also, op))
            fprintf(to, " (also: %s)", also);
        fputc('\n', to);
    }
    for (int i = 0; i < DTYPES_ALL_END; i++) {
        const struct dtype_info *info = dtype_info((enum dtype)i);
        fprintf(to, "dtype\t%s\t%s\n", info->name, info->long_name);
    }
    fputs("dtype\tbool\t|b1\n", to);
}
