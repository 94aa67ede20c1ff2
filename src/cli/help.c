/* SPDX-License-Identifier: MIT */
/* --help and --list, from the tables. */
#include <string.h>

#include "cli/rows.h"

static void print_row(const struct option_row *row, FILE *to)
{
    char left[64];
    snprintf(left, sizeof left, "%c%c%c --%s%s%s", row->letter ? '-' : ' ',
             row->letter ? row->letter : ' ', row->letter ? ',' : ' ',
             row->name, row->value ? "=" : "", row->value ? row->value : "");
    const char *line = row->help;
    for (const char *start = left; line; start = "") {
        size_t n = strcspn(line, "\n");
        fprintf(to, "  %-23s%.*s\n", start, (int)n, line);
        line = line[n] ? line + n + 1 : NULL;
    }
}

void options_help(FILE *to)
{
    fputs("Usage: gpureduce [OPTION]... [FILE]...\n"
          "Reduce binary or CSV data to a number, or a few, on a GPU or the "
          "CPU.\n"
          "Reads all FILEs as one dataset; standard input when there is none "
          "or for -.\n\nOptions:\n",
          to);
    const struct option_row *row;
    for (size_t i = 0; (row = option_row(i)); i++)
        print_row(row, to);
    fputs("\nExamples:\n"
          "  gpureduce data.f32                   everything about the data\n"
          "  gpureduce --op max data.bin          one number\n"
          "  cat log.f32 | gpureduce --op sum,mean\n"
          "  gpureduce -c price,qty sales.csv     two columns of text\n"
          "\nExit status: 0 success, 1 bad data or failed I/O, 2 wrong usage,\n"
          "3 the GPU that was asked for is unusable.\n"
          "The manual: man gpureduce\n",
          to);
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
    for (int i = 0; i < DTYPES_END; i++) {
        const struct dtype_info *info = dtype_info((enum dtype)i);
        fprintf(to, "dtype\t%s\t%s\n", info->name, info->long_name);
    }
}
