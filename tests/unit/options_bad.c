/* SPDX-License-Identifier: MIT */
/* What options_parse refuses, and what it says of it. */
#include "options_line.h"

static const struct {
    const char *line, *says;
} bad[] = {
    /* Unknown, ambiguous, cut off, with a value too many. */
    {"--nonsense", "'--nonsense'"},
    {"--treads", "'--threads'"},
    {"--per-fil=x", "--per-file takes no value"},
    {"--verbos3", "'--verbose'"},
    {"--de", "ambiguous"},
    {"--v", "ambiguous"},
    {"--f", "ambiguous"},
    {"--=x", "'--=x'"},
    {"-x", "'-x'"},
    {"-qx", "'-x'"},
    {"-\x1b", "'-\\x1b'"},
    {"-\xff", "'-\\xff'"},
    {"--\x1b[2J", "'--\\x1b[2J'"},
    {"--op", "--op needs a value: LIST"},
    {"-o", "--op needs a value: LIST"},
    {"data -t", "--dtype needs a value: TYPE"},
    {"-qj", "--threads needs a value"},
    {"--explain=yes", "--explain takes no value"},
    {"--quiet=", "--quiet takes no value"},
    {"-d ab", "--delimiter takes one byte"},
    {"--header maybe", "auto yes no"},
    {"--missing no", "skip error"},
    {"--bad no", "error skip"},
    /* Not there yet: refused, not ignored. */
    {"--axis 0", "--axis"},
    {"--shape 1,2", "--shape"},
    {"--json", "--json"},
    {"-O json", "'-O'"},
    {"--output-format json", "--output-format"},
    {"--op nunique", "nunique is not available yet; "},
    {"--op countunique", "countunique is not available yet; "},
    {"-o sum,p99.9", "p99.9 is not available yet; "},
    /* Another tool's, and what must stand alone. */
    {"-o nanmax", "say --nan skip -o max"},
    {"-o all,sum", "say summary"},
    {"-o any -o all", "alltrue"},
    {"-o summary -o all", "--op all goes with no other operation"},
    /* Values. */
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
    {"--device gpu:", "gpu:LIST"},
    {"--device gpu:x", "gpu:LIST"},
    {"--device gpu:-1", "gpu:LIST"},
    {"--device gpu:99999999999", "gpu:LIST"},
    {"--device gpu:1,1", "gpu:LIST"},
    {"--device gpu:1,", "gpu:LIST"},
    {"--device gpu:,1", "gpu:LIST"},
    {"--device gpu:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "16 GPUs"},
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
    /* The first mistake is the one reported. */
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

/* A word longer than any buffer for it. */
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
