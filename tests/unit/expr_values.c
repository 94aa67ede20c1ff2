/* SPDX-License-Identifier: MIT */
/* Values of expressions, computed by hand. */
#include "expr_fixture.h"

static const struct {
    const char *text, *value; /* or "!" and the error's first line */
} values[] = {
    /* Integers are exact, or the result is an error. */
    {"i + j", "4"},
    {"i * j", "-21"},
    {"i - top", "!the integer has over 64 bits here"},
    {"j - 9223372036854775805", "-9223372036854775808"},
    {"top + 1", "!the integer has over 64 bits here"},
    {"top - 1", "18446744073709551614"},
    {"top + z", "18446744073709551615"},
    {"low - 1", "!the integer has over 64 bits here"},
    {"-low", "9223372036854775808"},
    {"abs(low)", "9223372036854775808"},
    {"top * top", "!the integer has over 64 bits here"},
    {"top * z", "0"},
    {"i % j", "1"},
    {"-i % 3", "-1"},
    {"j % 2", "-1"},
    {"mod(j, 2)", "1"},
    {"mod(i, j)", "-2"},
    {"mod(i, 7)", "0"},
    {"i % z", "!an integer has no remainder of division by 0"},
    {"mod(i, z)", "!an integer has no remainder of division by 0"},
    {"low % -1", "0"},
    {"gcd(12, 18)", "6"},
    {"gcd(i * 4, j * 4, 6)", "2"},
    {"gcd(i, z)", "7"},
    {"gcd(z, j)", "3"},
    {"gcd(z, z)", "0"},
    {"gcd(low, z)", "9223372036854775808"},
    {"gcd(low, 96)", "32"},
    {"gcd(top, 51)", "51"},
    {"gcd(4.0, -6)", "2f"},
    {"gcd(b, z)", "2f"},
    {"gcd(a, 3)", "nan"},
    {"gcd(3, a)", "nan"},
    {"gcd(inf, 2)", "nan"},
    {"gcd(2, -inf)", "nan"},
    {"i ** 0", "1"},
    {"z ** 0", "1"},
    {"j ** 3", "-27"},
    {"j ** 100", "!the integer has over 64 bits here"},
    {"2 ** 63", "9223372036854775808"},
    {"2 ** 64", "!the integer has over 64 bits here"},
    {"(i - 8) ** 1001", "-1"},
    {"i ** -1", "0.14285714285714285f"},
    {"z ** -1", "inff"},
    {"i / 2", "3.5f"},
    {"i / z", "inff"},
    {"round(i)", "7"},
    {"min(i, j)", "-3"},
    {"max(i, j, 9)", "9"},
    {"p + p + 1", "3"},
    {"-p", "-1"},
    /* Mixed operands: the integer must convert exactly, or the result is an
     * error. */
    {"i + a", "8.5f"},
    {"odd + a", "!an integer that a float cannot hold meets a float here"},
    {"odd - 1 + b", "9007199254740994f"},
    {"odd / 1", "!an integer that a float cannot hold meets a float here"},
    {"sqrt(odd)", "!an integer that a float cannot hold meets a float here"},
    {"top + 0.0", "!an integer that a float cannot hold meets a float here"},
    {"p ? odd : a", "!an integer that a float cannot hold is made a float"},
    {"q ? odd : a", "1.5f"},
    {"p ? i : a", "7f"},
    {"coalesce(odd, a)",
     "!an integer that a float cannot hold is made a float"},
    {"min(i, a)", "1.5f"},
    {"n + 1", "6"},
    {"r + 1", "1.5f"},
    {"n ** 2", "25"},
    {"r ** 2", "0.25f"},
    {"n + r", "5.5f"},
    /* Comparisons are exact. */
    {"odd == 9007199254740992.0", "false"},
    {"odd > 9007199254740992.0", "true"},
    {"9007199254740992.0 < odd", "true"},
    {"top < 18446744073709551616.0", "true"},
    {"top >= 1e300", "false"},
    {"low > -1e300", "true"},
    {"low == -9223372036854775808.0", "true"},
    {"i < 7.5", "true"},
    {"i > 6.5", "true"},
    {"j > -3.5", "true"},
    {"j < -2.5", "true"},
    {"i < inf", "true"},
    {"i > -inf", "true"},
    {"p == 1", "true"},
    {"q < p", "true"},
    {"low < top", "true"},
    {"0.0 == -0.0", "true"},
    /* NaN. */
    {"d == d", "false"},
    {"d != d", "true"},
    {"d < 1", "false"},
    {"i >= d", "false"},
    {"i != d", "true"},
    {"d in (nan)", "false"},
    {"d not in (nan)", "true"},
    {"min(1, d)", "nan"},
    {"max(d, 1)", "nan"},
    {"isnan(d)", "true"},
    {"isnan(odd)", "false"},
    {"isfinite(odd)", "true"},
    {"isfinite(inf)", "false"},
    {"isfinite(-d)", "false"},
    /* Missing. */
    {"m + 1", "missing"},
    {"m == m", "missing"},
    {"-m", "missing"},
    {"m ** 2", "missing"},
    {"!u", "missing"},
    {"u && q", "false"},
    {"q && u", "false"},
    {"u && p", "missing"},
    {"p && u", "missing"},
    {"u && u", "missing"},
    {"u || p", "true"},
    {"p || u", "true"},
    {"u || q", "missing"},
    {"q || u", "missing"},
    {"u ? 1 : 2", "missing"},
    {"1 + (u ? 2 : 3)", "missing"},
    {"(u ? p : q) || p", "true"},
    {"m in (1)", "missing"},
    {"i in (7, missing)", "true"},
    {"i in (8, missing)", "missing"},
    {"i not in (8, missing)", "missing"},
    {"ismissing(m)", "true"},
    {"ismissing(i)", "false"},
    {"ismissing(m + 1)", "true"},
    {"coalesce(m, 3)", "3f"},
    {"coalesce(m, m)", "missing"},
    {"coalesce(i, 1 % z)", "!an integer has no remainder of division by 0"},
    {"min(m, 1)", "missing"},
    {"isnan(m)", "missing"},
    /* Operands that are not needed are not evaluated. */
    {"z != 0 && i % z == 1", "false"},
    {"z == 0 || i % z == 1", "true"},
    {"z == 0 ? 1 : i % z", "1"},
    {"z != 0 ? i % z : 1", "1"},
    {"p && q && i % z == 0 && p", "false"},
    {"p ? 1 : 1 % 0", "1"},
    {"p ? q ? 1 : 2 : 3", "2"},
    {"q ? 1 : p ? 2 : 3", "2"},
    {"(p ? u : q) ? 1 : 2", "missing"},
    {"1 + (p ? 2 : 3) * 2", "5"},
    {"p && (q || p)", "true"},
    {"(q && p) || p", "true"},
    {"(p || q) && q", "false"},
    /* Floats. */
    {"-2 ** 2", "-4"},
    {"c % 3", "-1f"},
    {"mod(c, 3)", "2f"},
    {"mod(c, 2.0)", "0f"},
    {"mod(4.0, -2.0)", "-0f"},
    {"mod(1.5, inf)", "1.5f"},
    {"mod(1.5, 0.0)", "nan"},
    {"c / 0", "-inff"},
    {"a ** 2", "2.25f"},
    {"a ** -2", "0.44444444444444442f"},
    {"a ** 65 == a ** 64 * a", "true"},
    /* By products up to the power 64, which the nearest float differs from. */
    {"1.1 ** 64", "445.79156845259217f"},
    {"1.1 ** -64", "0.0022432007933015567f"},
    {"b ** 0.5", "1.4142135623730951f"},
    {"0.1 + 0.2", "0.30000000000000004f"},
    {"9007199254740993.0", "9007199254740992f"},
    {"9007199254740993.0000000000000000000000001", "9007199254740994f"},
    {"round(2.5)", "3f"},
    {"round(-2.5)", "-3f"},
    {"rint(2.5)", "2f"},
    {"trunc(-2.5)", "-2f"},
    {"floor(-2.5)", "-3f"},
    {"ceil(-2.5)", "-2f"},
    {"abs(c)", "4f"},
    {"sqrt(-c)", "2f"},
    {"hypot(3, c)", "5f"},
    {"log2(8)", "3f"},
    {"log10(1000)", "3f"},
    {"exp(0)", "1f"},
    {"log(1)", "0f"},
    {"sin(0)", "0f"},
    {"cos(0)", "1f"},
    {"tan(0)", "0f"},
    {"atan2(0, 1)", "0f"},
    /* Texts. */
    {"w == 'a\\tb'", "true"},
    {"w < 'b'", "true"},
    {"'a' < 'ab'", "true"},
    {"'ab' <= 'a'", "false"},
    {"'\\xff' > 'a'", "true"},
    {"'\\x00' != ''", "true"},
    {"len('\\x00a')", "2"},
    {"t in ('Paris', 'Rome')", "true"},
    {"t == 13", "true"},
    {"t == 'Rome' && t == 13", "true"},
    {"startswith(t, 'Ro')", "true"},
    {"startswith(t, 'Romeo')", "false"},
    {"startswith(t, '')", "true"},
    {"endswith(t, 'me')", "true"},
    {"endswith(t, 'Ro')", "false"},
    {"contains(t, 'om')", "true"},
    {"contains(t, '')", "true"},
    {"contains('', 'x')", "false"},
    {"num(s) + 1", "13f"},
    {"num(' 1e3 ')", "1000f"},
    {"num('-inf')", "-inff"},
    {"num('\\t5\\t')", "5f"},
    {"num('')", "!this text is not a number"},
    {"num(' \\t ')", "!this text is not a number"},
    {"num('1 2')", "!this text is not a number"},
    {"num(' 9007199254740992')", "9007199254740992f"},
    {"num('9007199254740993')",
     "!this text is an integer that f64 cannot hold"},
    {"num('-9007199254740993.0')", "-9007199254740992f"},
    {"text(s)", "'12'"},
    {"$2 + index()", "64f"},
};

static void check_value(struct expr_source source, const char *want)
{
    const struct expr_record record = {read_value, NULL};
    struct expr x;
    struct expr_value value;
    struct error e = {0};
    char got[300];
    if (!CHECK(expr_parse(&x, source, false, &finder, &e), "%s: %s",
               source.text, e.text))
        return;
    if (expr_evaluate(&x, &record, &value, &e)) {
        put_value(got, &value);
    } else {
        CHECK_INT(e.kind, ERROR_DATA);
        snprintf(got, sizeof got, "!%.*s", (int)strcspn(e.text + 8, "\n"),
                 e.text + 8);
    }
    CHECK(strcmp(got, want) == 0, "%s: %s, not %s", source.text, got, want);
    expr_free(&x);
}

static void test_values(void)
{
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        check_value(source_of(values[k].text), values[k].value);
}

static void test_conditions(void)
{
    static const char *const not_one[] = {"a", "i + 1", "'x'", "n"};
    struct expr x;
    struct error e = {0};
    for (size_t k = 0; k < 4; k++) {
        CHECK(!expr_parse(&x, source_of(not_one[k]), true, &finder, &e));
        CHECK(strstr(e.text, "this is not true or false"), "%s", e.text);
    }
    CHECK(expr_parse(&x, source_of("a < b"), true, &finder, &e));
    expr_free(&x);
}

#define TOP127 "170141183460469231731687303715884105727"

/* Integers of 127 bits. */
static const struct {
    const char *text, *value; /* as above */
} wide[] = {
    {"top * 9223372036854775807", "170141183460469231704017187605319778305"},
    {"top * top", "!the integer has over 127 bits here"},
    {TOP127 " - 1", "170141183460469231731687303715884105726"},
    {TOP127 " + z", TOP127},
    {"i + " TOP127, "!the integer has over 127 bits here"},
    {"z - " TOP127 " - 1", "-170141183460469231731687303715884105728"},
    {"j - " TOP127, "!the integer has over 127 bits here"},
    {"-(z - " TOP127 " - 1)", "!the integer has over 127 bits here"},
    {"abs(z - " TOP127 " - 1)", "!the integer has over 127 bits here"},
    {"(z - " TOP127 " - 1) % -1", "0"},
    {TOP127 " < 170141183460469231731687303715884105728.0", "true"},
    {"z - " TOP127 " - 1 == -170141183460469231731687303715884105728.0",
     "true"},
    {TOP127 " + a", "!an integer that a float cannot hold meets a float here"},
    {"z - " TOP127 " - 1 + 0.0", "-1.7014118346046923e+38f"},
    {"gcd(2 ** 100, 3 * 2 ** 70)", "1180591620717411303424"},
    {"gcd(6 * top, 4 * top)", "36893488147419103230"},
    {"gcd(2 ** 70, 6)", "2"},
    {"gcd(6, 2 ** 70)", "2"},
    {"gcd(2 ** 70, z)", "1180591620717411303424"},
    {"i ** 45", "107006904423598033356356300384937784807"},
    {"i ** 46", "!the integer has over 127 bits here"},
};

static void test_wide(void)
{
    static const char *const beyond[] = {
        TOP127 "8", /* 2 ** 127: */
        "170141183460469231731687303715884105728"};
    struct expr_source source;
    struct expr x;
    struct error e = {0};
    for (size_t k = 0; k < 2; k++) {
        source = source_of(beyond[k]);
        source.is_wide = true;
        CHECK(!expr_parse(&x, source, false, &finder, &e), "%s", beyond[k]);
        CHECK(strstr(e.text, "an integer of over 127 bits"), "%s", e.text);
    }
    for (size_t k = 0; k < sizeof wide / sizeof wide[0]; k++) {
        source.text = wide[k].text;
        source.bytes = strlen(wide[k].text);
        check_value(source, wide[k].value);
    }
}

int main(void)
{
    test_values();
    test_conditions();
    test_wide();
    return check_end();
}
