/* SPDX-License-Identifier: MIT */
/* What options_parse refuses, and its messages. */
#include "options_line.h"

#define Z16 "zzzzzzzzzzzzzzzz"
#define Z256 Z16 Z16 Z16 Z16 Z16 Z16 Z16 Z16 Z16 Z16 Z16 Z16 Z16 Z16 Z16 Z16

static const struct {
    const char *line, *says;
} bad[] = {
    /* Unknown, ambiguous, without a value, with an unexpected value. */
    {"--nonsense", "'--nonsense'"},
    {"--" Z256 Z256 Z256 Z256, "unknown option '--" Z256},
    {"--treads", "'--threads'"},
    {"--per-fil=x", "--per-file takes no value"},
    {"--verbos3", "'--verbose'"},
    {"--de", "ambiguous: --deterministic --delimiter --decimal --device"},
    {"--v", "ambiguous: --verify --verbose --version"},
    {"--e", "ambiguous: --empty --exclude --explain"},
    {"--e=1", "'--e=1' is ambiguous: --empty --exclude --explain"},
    {"--co 3", "'--co' is ambiguous: --commutative --compare"},
    {"--f", "ambiguous: --fast --format --files0-from --fields"},
    {"--ski", "ambiguous: --skip-bytes --skip-lines --skipna"},
    {"--=x", "unknown option '--=x'"},
    {"--complete", "unknown option '--complete'"},
    {"-Z", "'-Z'"},
    {"-qZ", "'-Z'"},
    {"-\x1b", "'-\\x1b'"},
    {"-\xff", "'-\\xff'"},
    {"--\x1b[2J", "'--\\x1b[2J'"},
    {"--op", "--op needs a value: LIST"},
    {"-o", "--op needs a value: LIST"},
    {"data -t", "--dtype needs a value: TYPE"},
    {"-qj", "--threads needs a value"},
    {"--explain=yes", "--explain takes no value"},
    {"--quiet=", "--quiet takes no value"},
    {"-d ab", "--delimiter takes a single byte"},
    {"-d ''", "--delimiter takes a single byte"},
    {"-d \"", "--delimiter takes a single byte"},
    {"-d \xc2\xa7", "not '\xc2\xa7'; there are also the words tab"},
    {"-d ::", "sed 's/LONGER/"},
    {"-F ::", "--delimiter takes a single byte"},
    {"--decimal ''", "--decimal takes one ASCII character"},
    {"--decimal \xc2\xb7", "'\xc2\xb7'"},
    {"--thousands ''", "--thousands takes one character"},
    {"--thousands ,,", "',,'"},
    {"--thousands \xc2\xa0\xc2\xa0", "--thousands takes one character"},
    {"--thousands \xff", "'\\xff'"},
    {"--thousands \xe2\x80", "one character"},
    {"--thousands \n", "not '\\n'"},
    {"--quote ab", "--quote takes one ASCII character"},
    {"--quote \x80", "not '\\x80'"},
    {"--comment \r", "not '\\x0d'"},
    {"--comment //", "'//'"},
    {"--skip-lines -1", "'-1'"},
    {"--skip-lines 1K", "'1K'"},
    {"--skip-lines ''", "a number of lines"},
    {"--ragged join", "error skip pad"},
    {"--help=nonsense", "short ops text all options"},
    {"--no-header=yes", "--no-header takes no value"},
    {"--header maybe", "auto yes no"},
    {"--missing no", "skip error"},
    {"--bad no", "error skip"},
    {"--part 1/1073741825", "--part takes R/N"},
    {"--part 0/3", "--part takes R/N"},
    {"--part 4/3", "--part takes R/N"},
    {"--part x/3", "--part takes R/N"},
    {"--part 3", "--part takes R/N"},
    {"--part " Z256 "/3", "--part takes R/N"},
    {"--part 000000000000000000000001/3", "--part takes R/N"},
    {"--axis 0,", "--axis takes the numbers of up to 8 axes"},
    {"--axis 1,2,3,4,5,6,7,8,9", "--axis takes"},
    {"--axis 9223372036854775808", "--axis takes"},
    {"--axis --shape", "not '--shape'"},
    {"--axis " Z256, "--axis takes"},
    {"--axis 000000000000000000000001", "--axis takes"},
    {"--shape 1,2,3,4,5,6,7,8,9", "--shape takes"},
    {"--shape 2,-2", "--shape takes the sizes of up to 8 axes"},
    {"--shape=-1,-1", "one may be -1"},
    {"--keepdims=1", "--keepdims takes no value"},
    /* Planned options: the message names what does the same today. */
    {"-O jsno", "unknown output format 'jsno'; did you mean 'json'?"},
    {"--output-format=", "unknown output format ''; there are: text json"},
    {"-e not=b", "--let: 'not' is a word of expressions"},
    {"--where x>1 --where x<9", "--where is given twice; join conditions"},
    {"--map x --let y==2", "--map is given twice"},
    {"--order last", "unknown value of --order 'last'"},
    {"-qR 2000", "--digits takes a number from 0 to 1074, not '2000'"},
    {"--digits 1075", "--digits takes a number"},
    {"--digits -1", "--digits takes a number"},
    {"--digits=", "--digits takes a number from 0 to 1074, not ''"},
    {"-f parquet", "'parquet' is not available yet; try duckdb"},
    {"-f jsonl", "'jsonl' is not available yet; try mlr"},
    {"-f xlsx", "xlsx2csv FILE"},
    {"-t ,", "say -d ','"},
    {"-t;", "say -d ';'"},
    {"-t \\t", "say -d tab"},
    {"-t \t", "say -d tab"},
    {"-o json", "-o takes operations, not a format; say -O json"},
    {"-o sum.txt", "say > FILE"},
    {"-o sum,nanmax", "say --nan skip -o max"},
    {"-o sum,p100.5", "no p100.5"},
    {"-o sum,percentile", "say which"},
    {"--bins 0", "1 to 65536"},
    {"--bins 65537", "1 to 65536"},
    {"--range 3", "0,100"},
    {"--range 3,2", "in order"},
    {"--range 1,inf", "two numbers"},
    {"--range x,3", "two numbers"},
    {"--atol 9007199254740993", "--atol: f64 cannot hold 9007199254740993"},
    {"--interpolation cubic", "linear lower higher nearest midpoint"},
    /* Names from other tools, and operations that must stand alone. */
    {"-o nanmax", "say --nan skip -o max"},
    {"-o all,sum", "say summary"},
    {"-o any -o all", "alltrue"},
    {"-o summary -o all", "--op all cannot be combined with other operations"},
    /* Bad values. */
    {"-o maen", "'mean'"},
    {"-o sum,", "''"},
    {"-o ''", "''"},
    {"-o ,sum", "''"},
    {"-o sum,,max", "''"},
    {"-o Sum", "'Sum'"},
    {"-o \x1b[m", "'\\x1b[m'"},
    {"-t f31", "'f31'"},
    {"-t <f5", "'<f5'"},
    {"-t ''", "''"},
    {"-t b8", "'b8'"},
    {"-f raww", "'raw'"},
    {"-f ''", "''"},
    {"--nan ignore", "propagate skip error"},
    {"--nan skp", "'skip'"},
    {"--empty none", "error identity"},
    {"--progress yes", "auto always never"},
    {"--device tpu", "'tpu'"},
    {"--device gpu:", "cuda:LIST"},
    {"--device gpu:x", "cuda:LIST"},
    {"--device gpu:-1", "cuda:LIST"},
    {"--device gpu:99999999999", "cuda:LIST"},
    {"--device gpu:1024", "cuda:LIST"},
    {"--device gpu:00000001", "cuda:LIST"},
    {"--device gpu:1,1", "cuda:LIST"},
    {"--device gpu:1,", "cuda:LIST"},
    {"--device gpu:,1", "cuda:LIST"},
    {"--device gpu:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "16 devices"},
    {"--device cuda:x", "cuda:LIST"},
    {"--device cpu:0", "'cpu:0'"},
    {"-j 0", "'0'"},
    {"-j -1", "'-1'"},
    {"-j 4097", "'4097'"},
    {"-j 1.5", "'1.5'"},
    {"-j x", "'x'"},
    {"-j ''", "''"},
    {"-j 18446744073709551617", "'18446744073709551617'"},
    {"--chunk-size 0", "'0'"},
    {"--chunk-size 1x", "'1x'"},
    {"--chunk-size 8388608T", "'8388608T'"},
    {"--skip-bytes -1", "'-1'"},
    {"--skip-bytes 16E", "'16E'"},
    {"--skip-bytes 9223372036854775808", "'9223372036854775808'"},
    /* The first mistake is reported. */
    {"-j 0 --nonsense", "'0'"},
    {"--nonsense -j 0", "'--nonsense'"},
    {"file --nonsense", "'--nonsense'"},
};

static void test_bad(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct options o;
        struct error e;
        CHECK(!parse(bad[i].line, &o, &e), "%s", bad[i].line);
        CHECK_INT(e.kind, ERROR_USAGE);
        CHECK(strstr(e.text, bad[i].says) != NULL, "%s: %s", bad[i].line,
              e.text);
        for (const char *p = e.text; *p; p++)
            CHECK((unsigned char)*p >= 0x20 && *p != 0x7f, "%s", e.text);
    }
}

/* Words longer than every buffer. */
static void test_long_words(void)
{
    static const char *const before[] = {
        "-o ", "-t ", "-f ", "--nan ", "--device ", "-j ", "--", "--op=sum,"};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        for (size_t n = 1000; n < 3000; n += 499) {
            static char line[LINE];
            struct options o;
            struct error e;
            strcpy(line, before[i]);
            size_t at = strlen(line);
            memset(line + at, i % 2 ? '\x01' : 'z', n);
            line[at + n] = '\0';
            CHECK(!parse(line, &o, &e), "%s %zu", before[i], n);
            CHECK(e.kind == ERROR_USAGE && strlen(e.text) < sizeof e.text);
        }
    }
}

int main(void)
{
    unsetenv("POSIXLY_CORRECT");
    test_bad();
    test_long_words();
    return check_end();
}
