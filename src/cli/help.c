/* SPDX-License-Identifier: MIT */
/* --help and --list, from the tables. */
#include <string.h>

#include "cli/rows.h"

static const char intro[] =
    "Usage: gpureduce [OPTION]... [FILE]...\n"
    "Reduces files of numbers (text such as CSV, NumPy, raw binary) to one or "
    "a few:\n"
    "sum, mean, extremes and more, exactly, on the CPU or a GPU. All FILEs "
    "count as\n"
    "one dataset. With no FILE, or for -, it reads standard input.\n"
    "\n"
    "Examples:\n"
    "  gpureduce sales.csv                         summary of each column\n"
    "  gpureduce -c price,qty -o sum sales.csv     two columns\n"
    "  du -s * | gpureduce -c 1 -o max             output of another program\n"
    "  gpureduce -d ';' --decimal , betrag.csv     1,5 means one and a half\n"
    "  gpureduce -t i16 -o min,max sound.raw       binary data of your type\n"
    "  gpureduce -o mean model.npz:weights         an array of NumPy's\n"
    "\n";

static const char outro[] =
    "\n"
    "--help=options lists all options, --help=ops the operations, --help=text "
    "the\n"
    "options for text, --help=all everything. The manual: man gpureduce\n"
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
        fprintf(to, "  %-23s%.*s\n", start, (int)n, line);
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

static void print_short(FILE *to)
{
    const struct option_row *row;
    fputs(intro, to);
    fputs("Options used most:\n", to);
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

static void print_ops(FILE *to)
{
    const struct op *op;
    fputs("Operations:\n", to);
    for (size_t i = 0; (op = op_at(i)); i++) {
        fprintf(to, "  %-10s %s", op->name, op->about);
        if (op_synonyms(op)[0])
            fprintf(to, " (also: %s)", op_synonyms(op));
        fputc('\n', to);
    }
    fputs(
        "\nvar and std divide by n - 1; what NumPy calls so is our var_pop and "
        "std_pop.\n",
        to);
}

void options_help(FILE *to, enum help_topic topic)
{
    if (topic == HELP_SHORT)
        print_short(to);
    if (topic == HELP_TEXT)
        print_group(GROUP_TEXT, to);
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
    const struct op *op;
    for (size_t i = 0; (op = op_at(i)); i++) {
        fprintf(to, "op\t%s\t%s", op->name, op->about);
        if (*op_synonyms(op))
            fprintf(to, " (also: %s)", op_synonyms(op));
        fputc('\n', to);
    }
    for (int i = 0; i < DTYPES_ALL_END; i++) {
        const struct dtype_info *info = dtype_info((enum dtype)i);
        fprintf(to, "dtype\t%s\t%s\n", info->name, info->long_name);
    }
}
