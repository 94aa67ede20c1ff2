/* SPDX-License-Identifier: MIT */
#include "base/quote.h"

#include "check.h"

static const struct {
    const char *text, *want;
} cases[] = {
    {"", "''"},
    {"plain name.f32", "'plain name.f32'"},
    {"it's", "'it\\'s'"},
    {"back\\slash", "'back\\\\slash'"},
    {"a\tb\nc", "'a\\tb\\nc'"},
    {"\r\a\x1b[31m", "'\\x0d\\x07\\x1b[31m'"},
    {"\x7f", "'\\x7f'"},
    {"~ \"<>`$*", "'~ \"<>`$*'"},
    /* UTF-8 of 2, 3 and 4 bytes: the first and the last character of each
     * length. */
    {"\xc2\xa0\xdf\xbf", "'\xc2\xa0\xdf\xbf'"},
    {"\xe0\xa0\x80\xef\xbf\xbd", "'\xe0\xa0\x80\xef\xbf\xbd'"},
    {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "'\xf0\x90\x80\x80\xf4\x8f\xbf\xbf'"},
    {"Gr\xc3\xb6\xc3\x9f"
     "e \xe6\x95\xb0",
     "'Gr\xc3\xb6\xc3\x9f"
     "e \xe6\x95\xb0'"},
    /* C1 controls: terminals take the character U+009B as CSI. */
    {"\xc2\x80\xc2\x9b"
     "31m\xc2\x9f",
     "'\\xc2\\x80\\xc2\\x9b31m\\xc2\\x9f'"},
    {"\x9b"
     "31m",
     "'\\x9b31m'"},
    /* Invalid UTF-8: lone bytes, cut short, overlong, surrogates, past
     * U+10FFFF. */
    {"\x80\xbf", "'\\x80\\xbf'"},
    {"\xc3", "'\\xc3'"},
    {"\xe6\x95", "'\\xe6\\x95'"},
    {"\xf0\x9f\x98", "'\\xf0\\x9f\\x98'"},
    {"\xc3(", "'\\xc3('"},
    {"\xe6(\xb0", "'\\xe6(\\xb0'"},
    {"\xe6\x95(", "'\\xe6\\x95('"},
    {"\xf0\x9f\x98(", "'\\xf0\\x9f\\x98('"},
    {"\xc0\xaf\xc1\xbf", "'\\xc0\\xaf\\xc1\\xbf'"},
    {"\xe0\x80\xaf\xe0\x9f\xbf", "'\\xe0\\x80\\xaf\\xe0\\x9f\\xbf'"},
    {"\xf0\x80\x80\xaf", "'\\xf0\\x80\\x80\\xaf'"},
    {"\xf0\x8f\xbf\xbf", "'\\xf0\\x8f\\xbf\\xbf'"},
    {"\xed\xa0\x80\xed\xbf\xbf", "'\\xed\\xa0\\x80\\xed\\xbf\\xbf'"},
    {"\xf4\x90\x80\x80", "'\\xf4\\x90\\x80\\x80'"},
    {"\xf5\xff\xfe", "'\\xf5\\xff\\xfe'"},
    {"\xed\x9f\xbf\xee\x80\x80", "'\xed\x9f\xbf\xee\x80\x80'"},
    /* Line and paragraph separators, embeddings, overrides, isolates. */
    {"\xe2\x80\xa8\xe2\x80\xa9", "'\\xe2\\x80\\xa8\\xe2\\x80\\xa9'"},
    {"\xe2\x80\xaa\xe2\x80\xae", "'\\xe2\\x80\\xaa\\xe2\\x80\\xae'"},
    {"\xe2\x81\xa6\xe2\x81\xa9", "'\\xe2\\x81\\xa6\\xe2\\x81\\xa9'"},
    {"\xe2\x80\xa7\xe2\x80\xaf", "'\xe2\x80\xa7\xe2\x80\xaf'"},
    {"\xe2\x81\xa5\xe2\x81\xaa", "'\xe2\x81\xa5\xe2\x81\xaa'"},
    /* Marks of direction, and their neighbours. */
    {"\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c",
     "'\\xe2\\x80\\x8e\\xe2\\x80\\x8f\\xd8\\x9c'"},
    {"\xe2\x80\x8d\xe2\x80\x90\xd8\x9b\xd8\x9d",
     "'\xe2\x80\x8d\xe2\x80\x90\xd8\x9b\xd8\x9d'"},
};

static void test_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[QUOTE_MAX];
        CHECK(quote(out, cases[i].text) == out);
        CHECK_TEXT(out, cases[i].want);
    }
}

/* Every single byte, as text that may contain NUL. */
static void test_bytes(void)
{
    for (unsigned b = 0; b < 256; b++) {
        char byte = (char)b, out[QUOTE_MAX], want[16];
        bool escape = b < 0x20 || b >= 0x7f;
        snprintf(want, sizeof want, escape ? "'\\x%02x'" : "'%c'", b);
        if (b == '\n' || b == '\t')
            snprintf(want, sizeof want, "'\\%c'", b == '\n' ? 'n' : 't');
        if (b == '\'' || b == '\\')
            snprintf(want, sizeof want, "'\\%c'", b);
        quote_bytes(out, &byte, 1);
        CHECK_TEXT(out, want);
    }
    char out[QUOTE_MAX];
    CHECK_TEXT(quote_bytes(out, "a\0b", 3), "'a\\x00b'");
    CHECK_TEXT(quote_bytes(out, "abc", 0), "''");
}

/* A character is not read past the given length. */
static void test_cut_character(void)
{
    char out[QUOTE_MAX];
    CHECK_TEXT(quote_bytes(out, "\xe6\x95\xb0", 2), "'\\xe6\\x95'");
    CHECK_TEXT(quote_bytes(out, "\xc3\xb6", 1), "'\\xc3'");
}

static bool is_clean(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            return false;
    }
    return true;
}

/* Texts of every length around the limit. Text that does not fit ends in "...'"
 * and shows the start of the original, and nothing is written past the end. */
static void test_long(void)
{
    for (size_t n = QUOTE_MAX - 20; n < QUOTE_MAX + 20; n++) {
        char text[QUOTE_MAX + 20], out[QUOTE_MAX + 8];
        memset(text, 'x', n);
        text[n] = '\0';
        memset(out, '#', sizeof out);
        quote(out, text);
        size_t got = strlen(out);
        CHECK(got < QUOTE_MAX, "%zu", got);
        CHECK(memcmp(out + QUOTE_MAX, "########", 8) == 0);
        CHECK(out[0] == '\'' && out[got - 1] == '\'');
        size_t shown = strspn(out + 1, "x");
        CHECK_TEXT(out + 1 + shown, shown == n ? "'" : "...'");
        /* Two quotes, three dots and the NUL. */
        CHECK_U64(shown, n < QUOTE_MAX - 6 ? n : QUOTE_MAX - 6);
    }
}

/* A cut never falls inside an escape or a character. */
static void test_long_pieces(void)
{
    static const char *const pieces[] = {"\x01", "'", "\xc3\xb6",
                                         "\xf0\x9f\x98\x80"};
    static const char *const shown[] = {"\\x01", "\\'", "\xc3\xb6",
                                        "\xf0\x9f\x98\x80"};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        for (size_t lead = 0; lead < 5; lead++) {
            char text[4 * QUOTE_MAX + 5] = "", out[QUOTE_MAX];
            memset(text, 'a', lead);
            for (size_t j = 0; j < QUOTE_MAX; j++)
                strcat(text + lead, pieces[i]);
            quote(out, text);
            const char *p = out + 1 + lead;
            while (strncmp(p, shown[i], strlen(shown[i])) == 0)
                p += strlen(shown[i]);
            CHECK_TEXT(p, "...'");
            CHECK(p - out > QUOTE_MAX - 16, "%zu", (size_t)(p - out));
        }
    }
}

static void test_random(void)
{
    for (int i = 0; i < 20000; i++) {
        char text[40], out[QUOTE_MAX];
        size_t n = check_below(sizeof text);
        for (size_t j = 0; j < n; j++)
            text[j] = (char)check_random();
        quote_bytes(out, text, n);
        CHECK(is_clean(out), "%s", out);
        CHECK(strlen(out) >= n + 2 && strlen(out) <= 4 * n + 2);
    }
}

/* Escapes all pieces, one after the other. */
static void escape_whole(char *out, const char *text,
                         size_t (*next)(char out[8], const char *text,
                                        size_t left))
{
    char piece[8];
    *out = '\0';
    for (size_t step; (step = next(piece, text, strlen(text))); text += step) {
        strcpy(out, piece);
        out += strlen(out);
    }
}

static void test_escape_next(void)
{
    static const struct {
        const char *text, *want;
    } rows[] = {{"", ""},
                {"a b'c\"", "a b'c\""},
                {"a\tb\nc\\d", "a\\tb\\nc\\\\d"},
                {"\x1b\xff\xc3\xb6", "\\x1b\\xff\xc3\xb6"},
                {"\xe6\x95", "\\xe6\\x95"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[100];
        escape_whole(out, rows[i].text, escape_next);
        CHECK_TEXT(out, rows[i].want);
    }
    static char text[3 * QUOTE_MAX], out[3 * QUOTE_MAX];
    memset(text, 'y', sizeof text - 1);
    escape_whole(out, text, escape_next);
    CHECK_TEXT(out, text);
}

/* By RFC 8259; what is not UTF-8 becomes U+FFFD. */
static void test_escape_json(void)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", ""},
        {"a b'c\"/", "a b'c\\\"/"},
        {"a\tb\nc\\d", "a\\tb\\nc\\\\d"},
        {"\x1b\n\x02\t\x7f\\", "\\u001b\\n\\u0002\\t\\u007f\\\\"},
        {"\xff\xc3\xb6\xc2\x85\xe2\x80\xae", "\\ufffd\xc3\xb6\\u0085\\u202e"},
        {"\xe6\x95(\xe6\x95", "\\ufffd\\ufffd(\\ufffd\\ufffd"},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[100];
        escape_whole(out, rows[i].text, escape_json);
        CHECK_TEXT(out, rows[i].want);
    }
}

int main(void)
{
    test_cases();
    test_bytes();
    test_cut_character();
    test_long();
    test_long_pieces();
    test_random();
    test_escape_next();
    test_escape_json();
    return check_end();
}
