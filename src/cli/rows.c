/* SPDX-License-Identifier: MIT */
/* What each option means: its setter, and its row in the table. */
#include "cli/rows.h"

#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "cli/choose.h"

static void add_op(struct options *o, const struct op *op)
{
    size_t i = 0;
    while (i < o->ops && o->op[i] != op)
        i++;
    if (i == o->ops)
        o->op[o->ops++] = op;
    o->named |= 1ull << i;
}

static const char *op_name(size_t i, const void *context)
{
    const struct op *op = op_at(i);
    (void)context;
    return op ? op->name : NULL;
}

static const char *dtype_name(size_t i, const void *context)
{
    (void)context;
    return i < DTYPES_END ? dtype_info((enum dtype)i)->name : NULL;
}

static const char *format_name(size_t i, const void *context)
{
    (void)context;
    if (i == 0)
        return "auto";
    const struct format *format = format_at(i - 1);
    return format ? format->name : NULL;
}

static bool set_op(struct options *o, const char *arg, struct error *e);

static bool add_op_named(struct options *o, const char *name, struct error *e)
{
    const struct op *op = op_find(name);
    if (strcmp(name, "summary") == 0) {
        uint64_t named = o->named;
        bool ok = set_op(o, op_summary, e);
        o->summary = true;
        o->named = named;
        return ok;
    }
    if (strcmp(name, "all") == 0) {
        o->asked_all = true;
        return true;
    }
    if (!op)
        return !op_foreign(name, e) &&
               choose_unknown("operation", name, op_name, NULL, e);
    add_op(o, op);
    return true;
}

static bool set_op(struct options *o, const char *arg, struct error *e)
{
    char name[QUOTE_MAX];
    for (;;) {
        size_t n = strcspn(arg, ",");
        if (n >= sizeof name)
            return error_set(e, ERROR_USAGE, "name of an operation too long");
        memcpy(name, arg, n);
        name[n] = '\0';
        if (!add_op_named(o, name, e))
            return false;
        if (arg[n] == '\0')
            return true;
        arg += n + 1;
    }
}

static bool set_dtype(struct options *o, const char *arg, struct error *e)
{
    o->has_dtype = true;
    o->has_order = arg[0] == '<' || arg[0] == '>';
    o->big_endian = false;
    o->is_bool = dtype_is_bool(arg);
    return dtype_find(arg, &o->dtype, &o->big_endian) ||
           choose_unknown("dtype", arg, dtype_name, NULL, e);
}

static bool set_format(struct options *o, const char *arg, struct error *e)
{
    o->format = format_find(arg);
    return o->format || strcmp(arg, "auto") == 0 ||
           choose_unknown("format", arg, format_name, NULL, e);
}

/* Notes an option that has a meaning for text alone. */
static void is_for_text(struct options *o, const char *option)
{
    if (!o->text_option)
        o->text_option = option;
}

static bool set_columns(struct options *o, const char *arg, struct error *e)
{
    (void)e;
    is_for_text(o, "columns");
    o->columns = arg;
    return true;
}

static bool set_delimiter(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    bool is_tab = strcmp(arg, "\\t") == 0;
    is_for_text(o, "delimiter");
    o->delimiter = is_tab ? '\t' : (unsigned char)arg[0];
    if ((is_tab || strlen(arg) == 1) && !strchr("\"\n\r", arg[0]))
        return true;
    return error_set(e, ERROR_USAGE,
                     "--delimiter takes one byte that is no quote and ends no "
                     "line, or \\t; not %s",
                     quote(quoted, arg));
}

static bool set_na(struct options *o, const char *arg, struct error *e)
{
    (void)e;
    is_for_text(o, "na");
    o->na = arg;
    return true;
}

static bool add_gpu(struct options *o, const char *arg, size_t bytes)
{
    char digits[8];
    uint64_t number;
    if (bytes >= sizeof digits || o->gpus == GPUS_MAX)
        return false;
    memcpy(digits, arg, bytes);
    digits[bytes] = '\0';
    if (!text_to_u64(digits, &number) || number > 1023)
        return false;
    for (unsigned i = 0; i < o->gpus; i++) {
        if (o->gpu[i] == (int)number)
            return false;
    }
    o->gpu[o->gpus++] = (int)number;
    return true;
}

/* "0,2" or "all". */
static bool set_gpus(struct options *o, const char *list, struct error *e)
{
    o->all_gpus = strcmp(list, "all") == 0;
    bool ok = true;
    o->gpus = 0;
    while (ok && !o->all_gpus) {
        size_t bytes = strcspn(list, ",");
        ok = add_gpu(o, list, bytes);
        if (list[bytes] == '\0')
            break;
        list += bytes + 1;
    }
    return ok || error_set(e, ERROR_USAGE,
                           "--device gpu:LIST takes the numbers of up to %d "
                           "GPUs, each once, or 'all'",
                           GPUS_MAX);
}

static bool set_device(struct options *o, const char *arg, struct error *e)
{
    static const char *const words[] = {"auto", "cpu", "gpu", NULL};
    int device = 0;
    bool is_list = strncmp(arg, "gpu:", 4) == 0;
    if (!set_gpus(o, is_list ? arg + 4 : "0", e))
        return false;
    if (is_list)
        arg = "gpu";
    bool ok = choose("device", arg, words, &device, e);
    o->device = (enum device)device;
    return ok;
}

static bool size_of(const char *option, const char *arg, uint64_t least,
                    uint64_t *value, struct error *e)
{
    char quoted[QUOTE_MAX];
    if (text_to_size(arg, value) && *value >= least && *value <= INT64_MAX)
        return true;
    return error_set(e, ERROR_USAGE,
                     "%s takes a size in bytes such as 4096, 64K or 1G, "
                     "not %s",
                     option, quote(quoted, arg));
}

static bool set_chunk_size(struct options *o, const char *arg, struct error *e)
{
    return size_of("--chunk-size", arg, 1, &o->chunk_size, e);
}

static bool set_skip_bytes(struct options *o, const char *arg, struct error *e)
{
    return size_of("--skip-bytes", arg, 0, &o->skip_bytes, e);
}

static bool set_threads(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    if (text_to_u64(arg, &o->threads) && o->threads > 0 && o->threads <= 4096)
        return true;
    return error_set(e, ERROR_USAGE,
                     "--threads takes a number from 1 to 4096, not %s",
                     quote(quoted, arg));
}

/* An option that takes one of some words; the statement reads which. */
#define CHOICE(name, statement, ...)                                  \
    static bool set_##name(struct options *o, const char *arg,        \
                           struct error *e)                           \
    {                                                                 \
        static const char *const words[] = {__VA_ARGS__, NULL};       \
        int which = 0;                                                \
        bool ok = choose("value of --" #name, arg, words, &which, e); \
        statement;                                                    \
        return ok;                                                    \
    }

CHOICE(nan, o->nan = (enum nan_mode)which, "propagate", "skip", "error")
CHOICE(empty, o->empty = (enum empty_mode)which, "error", "identity")
CHOICE(progress, o->progress = (enum progress_when)which, "auto", "always",
       "never")
CHOICE(header, (is_for_text(o, "header"), o->header = (enum csv_header)which),
       "auto", "yes", "no")
CHOICE(missing, (is_for_text(o, "missing"), o->missing_is_error = which == 1),
       "skip", "error")
CHOICE(bad, (is_for_text(o, "bad"), o->skip_bad = which == 1), "error", "skip")

#define FLAG(name, statement)                                  \
    static bool set_##name(struct options *o, const char *arg, \
                           struct error *e)                    \
    {                                                          \
        (void)arg, (void)e;                                    \
        statement;                                             \
        return true;                                           \
    }

FLAG(deterministic, o->deterministic = true)
FLAG(fast, o->fast = true)
FLAG(per_file, o->per_file = true)
FLAG(verify, o->verify = true)
FLAG(explain, o->explain = true)
FLAG(verbose, o->verbose = true)
FLAG(quiet, o->quiet = true)
FLAG(list, o->action = ACTION_LIST)
FLAG(help, o->action = ACTION_HELP)
FLAG(version, o->action = ACTION_VERSION)

static const struct option_row rows[] = {
    {'o', "op", "LIST", set_op,
     "operations, separated by commas; see --list\n"
     "(default: all, the whole summary)"},
    {'t', "dtype", "TYPE", set_dtype,
     "element type: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16\n"
     "u32 u64, names like float32, or NumPy's <f4 >i2 |u1\n"
     "(default: the .npy header's, the suffix's, else f32;\n"
     "of text, f64)"},
    {'f', "format", "FMT", set_format,
     "auto, raw, npy, csv or tsv (default: auto)"},
    {'c', "columns", "LIST", set_columns,
     "columns of text: names, numbers from 1, ranges 5-7\n"
     "(default: every column of numbers)"},
    {'d', "delimiter", "CHAR", set_delimiter,
     "what separates fields (default: a comma; of tsv, a tab)"},
    {0, "header", "MODE", set_header,
     "yes, no or auto: whether the first record has names\n"
     "(default: auto: if none of its fields is a number)"},
    {0, "na", "LIST", set_na,
     "texts of missing values (default: NA,N/A,null,NULL)"},
    {0, "missing", "MODE", set_missing,
     "skip or error: what a missing value does (default: skip)"},
    {0, "bad", "MODE", set_bad,
     "error or skip: what a field that is no number does\n"
     "(default: error)"},
    {0, "nan", "MODE", set_nan,
     "propagate, skip or error: what NaN does\n"
     "(default: propagate)"},
    {0, "empty", "MODE", set_empty,
     "error or identity: what an operation without a value on\n"
     "no data does (default: error)"},
    {0, "deterministic", NULL, set_deterministic,
     "exact: the same bits everywhere (default)"},
    {0, "fast", NULL, set_fast,
     "let float sums round within blocks, where that is faster"},
    {0, "device", "DEVICE", set_device,
     "auto, cpu, gpu, gpu:N,... or gpu:all (default: auto)"},
    {'j', "threads", "N", set_threads,
     "host threads (default: all cores it may run on)"},
    {0, "chunk-size", "SIZE", set_chunk_size,
     "bytes per chunk, K M G allowed; never changes a result"},
    {0, "skip-bytes", "SIZE", set_skip_bytes,
     "ignore the first SIZE bytes of each raw FILE"},
    {0, "per-file", NULL, set_per_file, "one result per FILE"},
    {0, "verify", NULL, set_verify,
     "compute twice, in another way, and compare every bit"},
    {0, "progress", "WHEN", set_progress,
     "auto, always or never: a bar on stderr (default: auto:\n"
     "on a terminal, after a second)"},
    {0, "explain", NULL, set_explain, "print the plan and read no data"},
    {'v', "verbose", NULL, set_verbose, "time and rate on stderr"},
    {'q', "quiet", NULL, set_quiet, "nothing but errors on stderr"},
    {0, "list", NULL, set_list, "list operations and dtypes"},
    {'h', "help", NULL, set_help, "print this help"},
    {'V', "version", NULL, set_version, "print the version"},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

_Static_assert((int)ROWS <= (int)OPTION_ROWS_MAX,
               "rows.h tells of more options");

const struct option_row *option_row(size_t i)
{
    return i < ROWS ? &rows[i] : NULL;
}
