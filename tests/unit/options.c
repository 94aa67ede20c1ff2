/* SPDX-License-Identifier: MIT */
/* options_parse: every option, in every form that getopt_long accepts. */
#include "backend/registry.h"
#include "format/format.h"
#include "options_line.h"

static struct options good(const char *line)
{
    struct options o;
    struct error e;
    CHECK(parse(line, &o, &e), "%s: %s", line, e.text);
    return o;
}

static void test_defaults(void)
{
    struct options o = good("");
    CHECK(o.action == ACTION_REDUCE && o.files == 0);
    CHECK(!o.input.has_dtype && !o.input.has_order && o.input.format == NULL);
    CHECK(o.nan == NAN_PROPAGATE && o.empty == EMPTY_ERROR);
    CHECK(!o.deterministic && !o.fast && !o.backend);
    CHECK(o.threads == 0 && o.chunk_size == 0 && o.input.skip_bytes == 0);
    CHECK(!o.per_file && !o.explain && !o.verbose && !o.quiet);
    CHECK(o.progress == PROGRESS_AUTO);
}

static void check_ops(const char *line, const char *want)
{
    char got[1024] = "";
    struct options o = good(line);
    for (size_t i = 0; i < o.ops; i++)
        sprintf(got + strlen(got), "%s%s", i ? "," : "", o.op[i]->name);
    CHECK_TEXT(got, want);
}

static void test_ops(void)
{
    static const char all[] =
        "rows,count,n_missing,n_bad,n_nan,n_inf,sum,min,max,mean,argmin,argmax,"
        "l1,l2,linf,sumsq,rms,var,std,var_pop,std_pop,range,absmin,absmax,any,"
        "alltrue";
    check_ops("", op_summary);
    check_ops("-o summary", op_summary);
    check_ops("-o all", all);
    check_ops("-o all --op=all,all", all);
    check_ops("-o sum", "sum");
    check_ops("-o max,min", "max,min");
    check_ops("-omax,min --op sum --op=max", "max,min,sum");
    check_ops("--op avg,mean,norm,l2,stddev", "mean,l2,std");
    check_ops("--op prod", "prod");
    check_ops("--op alltrue,any", "alltrue,any");
    CHECK(good("").summary && good("-o summary,prod").summary);
    CHECK(!good("-o sum").summary && !good("-o all").summary);
    CHECK(good("-o all").asked_all && !good("").asked_all);
    /* `named`: operations asked for by name, before or after the summary. */
    CHECK_U64(good("").named, 0);
    CHECK_U64(good("-o summary,count,prod").named, 1 << 1 | 1 << 12);
    CHECK_U64(good("-o count -o summary").named, 1);
}

static void test_dtypes(void)
{
    struct options o = good("-t f64");
    CHECK(o.input.has_dtype && o.input.dtype == DTYPE_f64 &&
          !o.input.has_order);
    o = good("--dtype=bfloat16");
    CHECK(o.input.has_dtype && o.input.dtype == DTYPE_bf16 &&
          !o.input.has_order);
    o = good("-t>i2");
    CHECK(o.input.dtype == DTYPE_i16 && o.input.has_order &&
          o.input.big_endian);
    o = good("-t <i2");
    CHECK(o.input.dtype == DTYPE_i16 && o.input.has_order &&
          !o.input.big_endian);
    o = good("-t =f8");
    CHECK(o.input.dtype == DTYPE_f64 && !o.input.has_order);
    o = good("-t |u1");
    CHECK(o.input.dtype == DTYPE_u8 && !o.input.has_order && !o.input.is_bool);
    CHECK(good("-t bool").input.is_bool && good("-t |b1").input.is_bool);
    CHECK(good("-t bool").input.dtype == DTYPE_u8 &&
          !good("-t bool -t u8").input.is_bool);
    o = good("-t i8");
    CHECK(o.input.dtype == DTYPE_i8); /* bits, because there is no prefix */
    o = good("-t <i8");
    CHECK(o.input.dtype == DTYPE_i64); /* bytes, because there is a prefix */
    /* The last one replaces all of the earlier one. */
    o = good("-t >f4 -t f64");
    CHECK(o.input.dtype == DTYPE_f64 && !o.input.has_order &&
          !o.input.big_endian);
}

static void test_values(void)
{
    CHECK_TEXT(good("-f raw").input.format->name, "raw");
    CHECK_TEXT(good("--format=npy").input.format->name, "npy");
    CHECK(good("-f raw -f auto").input.format == NULL);
    CHECK(good("--nan skip").nan == NAN_SKIP);
    CHECK(good("--nan=error").nan == NAN_ERROR);
    CHECK(good("--nan error --nan propagate").nan == NAN_PROPAGATE);
    CHECK(good("--empty identity").empty == EMPTY_IDENTITY);
    CHECK(good("--empty identity --empty error").empty == EMPTY_ERROR);
    CHECK(good("--device cpu").backend == &backend_cpu);
    CHECK(!good("--device cpu --device auto").backend);
    struct options o = good("--device gpu");
    CHECK(o.backend == &backend_cuda && o.devices == 1 && o.device[0] == 0);
    o = good("--device gpu:3");
    CHECK(o.backend == &backend_cuda && o.devices == 1 && o.device[0] == 3);
    o = good("--device gpu:3 --device gpu");
    CHECK(o.backend == &backend_cuda && o.devices == 1 && o.device[0] == 0);
    o = good("--device gpu:3,0,12");
    CHECK(o.devices == 3 && o.device[0] == 3 && o.device[1] == 0 &&
          o.device[2] == 12);
    CHECK(!o.all_devices && good("--device gpu:all").all_devices);
    CHECK(!good("--device gpu:all --device gpu:1").all_devices);
    CHECK(!good("--device gpu:all --device cpu").all_devices);
    o = good("--device gpu:3,0 --device gpu:1023");
    CHECK(o.devices == 1 && o.device[0] == 1023);
    CHECK(good("--axis 9223372036854775807").axis.axis[0] == INT64_MAX);
    o = good("--axis 0,2 --axis 1 --shape 2,3 --shape 4");
    CHECK(o.axis.axes == 1 && o.axis.axis[0] == 1);
    CHECK(o.axis.rank == 1 && o.axis.size[0] == 4);
    CHECK(good("--progress always").progress == PROGRESS_ALWAYS);
    CHECK(good("--progress=never").progress == PROGRESS_NEVER);
    CHECK(good("--progress=never --progress auto").progress == PROGRESS_AUTO);
    CHECK_U64(good("--part 1/1073741824").parts, 1 << 30);
    CHECK_U64(good("--part 3/3").part, 3);
    CHECK_U64(good("--bins 65536").bins, 65536);
    CHECK_U64(good("--digits 1074").digits, 1074);
    o = good("--range 3,3 --atol 0");
    CHECK(o.range[0] == 3 && o.range[1] == 3 && o.atol == 0);
    CHECK_U64(good("-j 1").threads, 1);
    CHECK_U64(good("-j64").threads, 64);
    CHECK_U64(good("--threads=4096").threads, 4096);
    CHECK_U64(good("--chunk-size 1").chunk_size, 1);
    CHECK_U64(good("--chunk-size=64K").chunk_size, 65536);
    CHECK(good("").files0_from == NULL);
    CHECK_TEXT(good("--files0-from a --files0-from=-").files0_from, "-");
    CHECK_U64(good("--skip-bytes 0").input.skip_bytes, 0);
    CHECK_U64(good("--skip-bytes 9223372036854775807").input.skip_bytes,
              INT64_MAX);
}

static void test_text(void)
{
    struct options o = good("");
    CHECK(!o.input.text_option && !o.csv.columns && !o.csv.exclude && !o.na &&
          !o.na_only);
    CHECK(!o.csv.delimiter && !o.csv.quote && !o.csv.comment && !o.decimal);
    CHECK(!o.thousands && !o.strip && o.csv.skip_lines == 0);
    CHECK(o.csv.spec.ragged == CSV_RAGGED_ERROR &&
          o.csv.header == CSV_HEADER_AUTO);
    CHECK_INT(good("-d ;").csv.delimiter, ';');
    CHECK_INT(good("-d \x01").csv.delimiter, 1);
    CHECK_INT(good("-d \\t").csv.delimiter, '\t');
    CHECK_INT(good("-d tab").csv.delimiter, '\t');
    CHECK_INT(good("-d space").csv.delimiter, ' ');
    CHECK_INT(good("--delimiter=pipe").csv.delimiter, '|');
    CHECK_INT(good("-d blank").csv.delimiter, CSV_BLANK);
    CHECK_INT(good("-d ; -d auto").csv.delimiter, 0);
    CHECK_TEXT(good("-d auto").input.text_option, "delimiter");
    CHECK_TEXT(good("-x a,b").csv.exclude, "a,b");
    CHECK_TEXT(good("--exclude 3 -d ,").input.text_option, "exclude");
    CHECK_TEXT(good("--weights w").csv.weights, "w");
    CHECK_TEXT(good("--weights w").input.text_option, "weights");
    CHECK_INT(good("--decimal ,").decimal, ',');
    CHECK_TEXT(good("--thousands .").thousands, ".");
    CHECK_TEXT(good("--thousands \xc2\xa0").thousands, "\xc2\xa0");
    CHECK_TEXT(good("--thousands \xf0\x9f\x98\x80").thousands,
               "\xf0\x9f\x98\x80");
    CHECK_TEXT(good("--strip $()").strip, "$()");
    CHECK_INT(good("--comment #").csv.comment, '#');
    CHECK_U64(good("--skip-lines 12").csv.skip_lines, 12);
    CHECK_INT(good("--quote '").csv.quote, '\'');
    CHECK_INT(good("--quote \x7f").csv.quote, 0x7f);
    CHECK_INT(good("--quote none").csv.quote, CSV_NO_QUOTE);
    CHECK_TEXT(good("--na -,.").na, "-,.");
    o = good("--na-only ''");
    CHECK(o.na_only && o.na_only[0] == '\0' && !o.na);
    CHECK_INT(good("--ragged pad").csv.spec.ragged, CSV_RAGGED_PAD);
    CHECK_INT(good("--ragged=skip").csv.spec.ragged, CSV_RAGGED_SKIP);
}

/* Synonyms from other tools. */
static void test_others(void)
{
    CHECK_INT(good("-F ;").csv.delimiter, ';');
    CHECK_INT(good("--sep=tab").csv.delimiter, '\t');
    CHECK_INT(good("-W").csv.delimiter, CSV_BLANK);
    CHECK_INT(good("--whitespace").csv.delimiter, CSV_BLANK);
    CHECK_INT(good("-H").csv.header, CSV_HEADER_YES);
    CHECK_INT(good("--header-in").csv.header, CSV_HEADER_YES);
    CHECK_INT(good("--no-header").csv.header, CSV_HEADER_NO);
    CHECK_TEXT(good("--fields 1,2").csv.columns, "1,2");
    CHECK_INT(good("--narm").nan, NAN_SKIP);
    CHECK_INT(good("--skipna").nan, NAN_SKIP);
    CHECK(good("--device cuda").backend == &backend_cuda);
    struct options o = good("--device cuda:1,2");
    CHECK(o.backend == &backend_cuda && o.devices == 2 && o.device[1] == 2);
    CHECK(good("--device cuda:all").all_devices);
    CHECK_INT(good("-t float").input.dtype, DTYPE_f32);
    CHECK_INT(good("-t double").input.dtype, DTYPE_f64);
}

static void test_flags(void)
{
    struct options o = good("--assert max<1 --assert=rows>0");
    CHECK_U64(o.assertions, 2);
    CHECK_TEXT(o.assertion[0], "max<1");
    CHECK_TEXT(o.assertion[1], "rows>0");
    CHECK(good("--deterministic").deterministic);
    CHECK(good("--fast").fast);
    CHECK(good("--per-file").per_file);
    CHECK(good("--explain").explain);
    CHECK(good("-v").verbose && good("--verbose").verbose);
    CHECK(good("-q").quiet && good("--quiet").quiet);
    CHECK(good("-h").action == ACTION_HELP);
    CHECK(good("--help").action == ACTION_HELP);
    CHECK(good("-h").help == HELP_SHORT);
    CHECK(good("--help=ops").help == HELP_OPS);
    CHECK(good("--help=text").help == HELP_TEXT);
    CHECK(good("--help=options").help == HELP_OPTIONS);
    CHECK(good("--help=all").help == HELP_ALL);
    CHECK(good("-V").action == ACTION_VERSION);
    CHECK(good("--version").action == ACTION_VERSION);
    CHECK(good("--list").action == ACTION_LIST);
    /* These options act immediately: later words are not checked. */
    CHECK(good("--help --nonsense").action == ACTION_HELP);
    CHECK(good("-qV -Z").action == ACTION_VERSION);
    /* Unambiguous abbreviations of long options. */
    CHECK(good("--verb").verbose && good("--det").deterministic);
    CHECK(good("--per").per_file && good("--vers").action == ACTION_VERSION);
    CHECK_U64(good("--thr 3").threads, 3);
    CHECK_U64(good("--ch=4K").chunk_size, 4096);
}

static void check_files(const char *line, const char *want)
{
    char got[LINE] = "";
    struct options o = good(line);
    for (size_t i = 0; i < o.files; i++)
        sprintf(got + strlen(got), "%s%s", i ? "|" : "", o.file[i]);
    CHECK_TEXT(got, want);
}

static void test_files(void)
{
    check_files("", "");
    check_files("a", "a");
    check_files("a -q b -o sum c", "a|b|c");
    check_files("-", "-");
    check_files("- a -", "-|a|-");
    check_files("-q -- -v --op -", "-v|--op|-");
    check_files("a -- -b", "a|-b");
    CHECK(!good("-- -v").verbose);
    check_files("''", "");
    CHECK_U64(good("''").files, 1);
}

int main(void)
{
    unsetenv("POSIXLY_CORRECT");
    test_defaults();
    test_ops();
    test_dtypes();
    test_values();
    test_text();
    test_others();
    test_flags();
    test_files();
    return check_end();
}
