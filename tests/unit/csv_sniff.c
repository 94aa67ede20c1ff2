/* SPDX-License-Identifier: MIT */
/* What is detected from the first records: text or bytes, dialect, header,
 * columns, and the notes about them. One table of texts. */
#include "csv/schema/sniff.h"

#include "base/notes.h"
#include "check.h"

/* Writes what is detected: `DIALECT HEADER: NAMES`, then the notes, each after
 * `; `; or `! ` and the error. DIALECT is the delimiter, `_` for blanks, `1`
 * for a single column; HEADER is h or d. */
static void show(const char *text, bool is_all,
                 const struct csv_settings *settings, char *out, size_t size)
{
    struct csv_table table = {.columns = 0};
    struct error e;
    FILE *to = fmemopen(out, size, "w");
    if (!csv_table_read(&table, "t", (struct csv_span){text, strlen(text)},
                        is_all, NULL, settings, NULL, &e)) {
        fprintf(to, "! %s", e.text);
    } else {
        unsigned char d = table.dialect.delimiter;
        fprintf(to, "%c %c:",
                table.dialect.blank ? '_'
                : d == 0x1f         ? '1'
                                    : (char)d,
                table.has_header ? 'h' : 'd');
        for (size_t c = 0; c < table.columns; c++)
            fprintf(to, " %s", table.name[table.field_of[c]]);
        CHECK(table.delimiter_reason && table.header_reason &&
              table.columns_reason);
        notes_print(settings->notes, to, "; ");
    }
    fclose(to);
    csv_table_free(&table);
}

static struct csv_settings settings_of(struct notes *notes)
{
    struct csv_settings settings = {.notes = notes};
    struct error e;
    settings.spec.dtype = DTYPE_f64;
    settings.spec.notation.decimal = '.';
    CHECK(csv_words_init(&settings.spec.words, CSV_WORDS_DEFAULT, &e));
    return settings;
}

/* Whether `text` ends with `tail`. */
static bool ends(const char *text, const char *tail)
{
    const size_t n = strlen(text), bytes = strlen(tail);
    return n >= bytes && strcmp(text + n - bytes, tail) == 0;
}

#define NAMES "; t: the first record is taken for names"
#define COMMA "! t:1:1: no column of numbers in its first records: '11,90'"
#define DATA "; t: the first record is taken for data"

/* Checks that the result is `want`. More may follow NAMES, DATA and the first
 * line of an error. */
static void check_seen(const char *text, bool is_all,
                       const struct csv_settings *settings, const char *want)
{
    /* Initialized: MemorySanitizer does not see what fmemopen writes. */
    char got[8192] = "";
    show(text, is_all, settings, got, sizeof got);
    bool is_open = ends(want, NAMES) || ends(want, DATA) ||
                   (want[0] == '!' && !strchr(want, '\n'));
    CHECK(strncmp(got, want, strlen(want)) == 0 &&
              (is_open || !got[strlen(want)]),
          "'%s' gives '%s', not '%s'", text, got, want);
}

/* 50 digits. */
#define DIGITS "12345678901234567890123456789012345678901234567890"
#define X5 "x\nx\nx\nx\nx\n"
#define X20 X5 X5 X5 X5
#define NINE(x) x x x x x x x x x
#define NINETY(x) NINE(x x x x x x x x x x)
#define FIFTY(x) NINE(x x x x x) x x x x x

static const char *const seen[][2] = {
    /* Index columns that programs write first. */
    {",price,qty\n0,10.5,1\n1,20,2\n", ", h: price qty"},
    {"\"\",\"price\",\"qty\"\n\"1\",10.5,1\n\"2\",20,2\n", ", h: price qty"},
    {",price\n3,10.5\n7,20\n", ", h:  price"},
    {",name\n0,x\n1,y\n", "! t:2:3: no column of numbers"},
    {",price\n2,10.5\n3,20\n", ", h:  price"},
    {",price\n0,10.5\n2,20\n", ", h:  price"},
    {",,a\n0,1,x\n1,2,y\n", ", d: 1 2"},
    {",a\n3,x\n7,y\n", ", d: 1"},
    {",2,3\n0,5,6\n1,7,8\n", ", d: 1 2 3" DATA},
    {",0,1\n3,0.5,2\n5,1,3\n", ", h:  0 1" NAMES},
    {",0,1,2\n0,.5,.2,1\n1,.3,.4,1\n", ", h: 0 1 2"},
    {",0,1\n0,0,1\n1,2,3\n", ", h: 0 1"},
    {",0\n0,10.5\n1,20\n", ", h: 0"},
    {",name,x\n0,a,1\n1,b,2\n", ", h: x"},
    /* Decimal commas do not delimit where another delimiter fits as well. */
    {"23,26|30,71\n1.234,5|1.234,5\n", "! t:1:1: no column of numbers"},
    /* H2: a word over numbers. */
    {"a,b\n1,2\n", ", h: a b"},
    {"x,y,nan\n1,2,3\n", ", h: x y nan"},
    {"id,inf\n1,2\n", ", h: id inf"},
    {"price,NA\n1,2\n", ", h: price NA"},
    {"\"2019\",\"2020\"\n5,6\n7,8\n", ", h: 2019 2020"},
    {"\"2019\",\"2020\"\n5,6\n\"7\",\"8\"\n", ", d: 1 2" DATA},
    {"\"7\",n\n5,1\nx,2\ny,3\n", ", h: n" NAMES},
    {"a\n1\n2\n", "1 h: a"},
    {"unit price\n1\n2\n", "1 h: unit price"},
    {"year,1,2,3\n7,1,2,3\n8,1,2,3\n", ", h: year 1 2 3" NAMES},
    {"year,1,2,3\n7,10,20,30\n8,1,2,3\n", ", h: year 1 2 3"},
    {"X,2019\n3,2020\n17,2021\n", ", h: X 2019" NAMES},
    {",2019,2020\n0,5,6\n1,7,8\n", ", h: 2019 2020"},
    /* A data-like cell beside the word is like a number. */
    {"2024-01-05;X\n2024-01-06;1\n2024-01-07;2\n2024-01-08;MT\n",
     "! t:1:12: no column of numbers"},
    {"X;$5\n3;$6\n5;$7\n", "; h: X" NAMES},
    {"id,2019\n1,2\n", ", h: id 2019"},
    {"id,17\n1,2\n", ", h: id 17" NAMES},
    {"5,x\n1,2\n", ", h: 5 x" NAMES},
    /* A number beside the word, and a label in its column: no header. */
    {"X,100,200\n1,300,500\n2,50,75\nMT,5,10\n", ", d: 2 3"},
    {"MT,5000\nX,300\n1,200\n2,100\n", ", d: 2"},
    {"web-17,200,.5\n18,200,.7\nweb-20,200,.2\n", ", d: 2 3"},
    /* H3: numbers that look like names. */
    {"country,2019,2020\nFR,5,6\nDE,7,8\n", ", h: 2019 2020" NAMES},
    {"year,1,2,3\na,5,7,6\n", ", h: 1 2 3" NAMES},
    {"0,1,2\n.5,.2,1\n", ", h: 0 1 2" NAMES},
    {"country,2019\nFR,5\nDE,7\n", ", h: 2019" NAMES},
    {"0,1,2\n5,9,1\n", ", d: 1 2 3" DATA},
    {"0,1,2\n2,3,4\n", ", d: 1 2 3" DATA},
    {"1,2,3\n0,1,2\n", ", d: 1 2 3" DATA},
    {"1,2,3\n5,6,7\n", ", d: 1 2 3" DATA},
    {"0,1,2\ninf,9,1\n", ", d: 1 2 3" DATA},
    {"0,1,2\nnan,9,1\n", ", d: 1 2 3" DATA},
    {"0,1,2\n9007199254740993,9,1\n", ", d: 1 2 3" DATA},
    /* The first 100 records below are searched for a fraction. */
    {"0,1,2\n" NINE("5,9,1\n") NINETY("5,9,1\n") "5,9,1.5\n",
     ", h: 0 1 2" NAMES},
    {"0,1,2\n5,9,1\n" NINE("5,9,1\n") NINETY("5,9,1\n") "5,9,1.5\n",
     ", d: 1 2 3" DATA},
    {"0,1,2\n1,2\n", ", d: 1 2 3" DATA},
    {"0,1,2\n5\n5,6,7.5\n", ", h: 0 1 2" NAMES},
    {"2019,country\n5.5,FR\n7,DE\n", ", h: 2019" NAMES},
    {"2019,country\n5,FR\n7,DE\n", ", d: 1" DATA},
    {",2019\n5,6\n7,8\n", ", d: 1 2"},
    {"2019\n5\n7\n", "1 d: 1"},
    {"country,1900\nFR,5\nDE,7\n", ", h: 1900" NAMES},
    {"country,1899\nFR,5\nDE,7\n", ", d: 2"},
    {"country,2100\nFR,5\nDE,7\n", ", h: 2100" NAMES},
    {"country,2101\nFR,5\nDE,7\n", ", d: 2"},
    {"2099,2100\n5,9\n", ", d: 1 2" DATA},
    {"2100,2101\n5,9\n", ", d: 1 2"},
    {"1899,1900\n5,9\n", ", d: 1 2"},
    {"0,1,2\n0,1,2\n", ", d: 1 2 3"},
    {"FR,2019\nDE,2020\n", ", d: 2"},
    {"1,2\n3,4\n", ", d: 1 2"},
    {"0,1,2\n1,2,3\n", ", d: 1 2 3"},
    {"1,2,3\n4,5,6\n", ", d: 1 2 3"},
    {"2019,2020\n2021,2022\n", ", d: 1 2"},
    /* H4: other numbers. */
    {"7,5\n1,2\n", ", d: 1 2"},
    {"5,1\n6,3\n", ", d: 1 2"},
    {"FR,1.5,2\nDE,1.6,3\n", ", d: 2 3"},
    {"2024-01-03,5\n2024-01-04,6\n", ", d: 2"},
    {"2024-01-03\n2024-01-04\n", "! t:1:1: no column of numbers"},
    {"p\n5 EUR\n6 EUR\n",
     "! t:2:1: no column of numbers in its first records: '5 EUR'"},
    {"a,1,2,2024-01-03\nb,1,30,2024-01-04\n", ", d: 2 3"},
    {"5\n6\n", "1 d: 1"},
    {"0\n1\n2\n", "1 d: 1"},
    /* H5: data-like cells. */
    {"2024-01-03,Tue,$12.50\n2024-01-04,Wed,$13\n",
     "! t:1:16: no column of numbers in its first records: '$12.50' "
     "(column '3')\nTry --strip '$'\nOr --header yes if this line names the "
     "columns"},
    {"-\n1\n2\n", "! t:1:1: no column of numbers in its first records: '-' "
                  "(column '1')\nTry --na - if it means a missing value\nOr "
                  "--header yes if this line names the columns"},
    {",\n1,2\n3,4\n", ", d: 1 2"},
    {"1\xe2\x80\xaf"
     "234,5\n2,6\n",
     ", d: 2; t: column '1' is left out: '1\xe2\x80\xaf"
     "234' on line 1 is not a number; try --thousands $'\\u202f'\n"},
    {"1\xe2\x80\x99"
     "234,5\n2,6\n",
     ", d: 2; t: column '1' is left out: '1\xe2\x80\x99"
     "234' on line 1 is not a number; try --thousands \xe2\x80\x99\n"},
    {"1.5d+03,5\n2,6\n",
     ", d: 2; t: column '1' is left out: '1.5d+03' on line 1 is not a number; "
     "try sed 's/\\([0-9.]\\)[Dd]\\([-+0-9]\\)/\\1E\\2/g' FILE | gpureduce: "
     "a D is Fortran's exponent\n"},
    {"-5GB,5\n2GB,6\n",
     ", d: 2; t: column '1' is left out: '-5GB' on line 1 is not a number; "
     "try numfmt --from=iec --invalid=ignore --header --delimiter=, --field=N "
     "--suffix=B < FILE | gpureduce --strip B: field N has units\n"},
    {"\xe2\x80\x94,5\n2,6\n", ", d: 2"},
    {"n.a.,5\n2,6\n", ", d: 2"},
    {"1d6,2d6\n2,6\n", ", h: 1d6 2d6"},
    {"640x480,5\n320x200,6\n", ", d: 2"},
    {".5K,5\n2,6\n",
     ", d: 2; t: column '1' is left out: '.5K' on line 1 is not a "
     "number; try numfmt --from=iec --invalid=ignore --header --delimiter=, "
     "--field=N < FILE | gpureduce: field N has units, which du -b and others "
     "can leave out\n"},
    {"net,x\nRome \xe2\x88\x92 Oslo,1\n5GB,2\n7,3\nLTE,4\n", ", h: x"},
    {"2019\xe2\x80\x93"
     "20,1\n5,6\n7,8\n",
     ", d: 2; t: column '1' is left out: '2019\xe2\x80\x93"
     "20' on line 1 is not a number\n"},
    {"unknown,none\n2,6\n", ", h: unknown none"},
    /* H6: words over no numbers. */
    {"alice,NA,\nbob,3,4\n", ", d: 2 3"},
    {"a\nb\n", "! t:1:1: no column of numbers in its first records: 'a' "
               "(column '1')\nChoose columns with --columns, or another "
               "--delimiter"},
    /* H7: a single record. */
    {"a,b,c\n", ", h: a b c"},
    {"a,b,c", ", h: a b c"},
    {"a,5\n", ", d: 2" DATA},
    {"0.86 1.05 3/86 13221\n", "_ d: 1 2 4" DATA},
    {"2024-01-03,5\n", ", d: 2" DATA},
    {"4.0K\t./a\n16K\t.\n", "! t:1:1: no column of numbers"},
    {"5\n", "1 d: 1"},
    {"5,6", ", d: 1 2"},
    {"1,2,3\n", ", d: 1 2 3"},
    {"", "1 d:"},
    {"\n\n", "1 d:"},
    /* Delimiters. */
    {"a;b\n1;2\n", "; h: a b"},
    {"a\tb\n1\t2\n", "\t h: a b"},
    {"a|b\n1|2\n", "| h: a b"},
    /* Commas in numbers alone do not separate fields. */
    {"11,90;EUR;Rome\n59,00;USD;Oslo\n", COMMA},
    {"11,90;EUR;Rome\n", COMMA},
    {"11,90\tEUR\tRome\n", COMMA},
    {"11,90 \xe2\x82\xac;Rome\n12,50 \xe2\x82\xac;Oslo\n",
     "! t:1:1: no column of numbers in its first records: '11,90 "},
    {"11,90 EUR;Hauptstr. 5, Berlin\n12,50 EUR;Ringstr. 7, Bonn\n",
     "! t:2:1: no column of numbers in its first records: '12,50 EUR'"},
    {"1,5 kWh/m2;Rome;7\n2,5 kWh/m2;Bonn;8\n", "; d: 3"},
    {"1,5 EUR;a\n,5 EUR;b\n2,5 EUR;c\n",
     "! t:2:1: no column of numbers in its first records: ',5 EUR'"},
    {"1,20 a,b;c\n2,30 d,e;f\n", ", d: 1"},
    {"1,0.5,3;4\n2,0.7,5;6\n", ", d: 1 2; t: column '3' is left out: '3;4' on "
                               "line 1 is not a number; try "
                               "-d ';'\n"},
    {"1,2,10|20\n2,3,40|50\n",
     ", d: 1 2; t: column '3' is left out: '10|20' on line 1 is not a number; "
     "try -d '|'\n"},
    {"1,7,;9\n4,5,;6\n", ", d: 1 2"},
    {"7,2,3|4\n", ", d: 1 2" DATA},
    {"1,2,\"a;b\"\n3,4,\"c;d\"\n", ", d: 1 2"},
    {"1,20, foo;bar\n2,30, baz;qux\n", ", d: 1 2"},
    /* At most four characters are before an amount, and eight after it. */
    {"x;Fr. 1,5\ny;Fr. 2,5\n", "! t:2:1: no column of numbers"},
    {"x;Fr.: 1,5\ny;Fr.: 2,5\n", ", d: 2"},
    {"1,5abcdefgh;x\n2,5abcdefgh;y\n", "! t:2:1: no column of numbers"},
    {"1,5abcdefghi;x\n2,5abcdefghi;y\n", ", d: 1"},
    {"x;EUR ,5\ny;EUR ,6\n", ", d: 2"},
    /* Half of the records have an amount. That of a header does not count. */
    {"h,i;j\nx;EUR 1,5\ny;k,6\n",
     "! t:2:3: no column of numbers in its first records: 'EUR 1,5'"},
    {"EUR 1,5;b\ny;k,6\n", ", h: 5;b"},
    {"5,\"1,5\"\n6,\"2,5\"\n",
     "! t:1:3: not a number, but one with a decimal comma: '1,5' (column "
     "'2')\nTry --decimal , (or --exclude 2 to leave the column out)"},
    {"size,x\nLTE,1\nWLAN,2\n5G,3\n4G,4\n",
     ", h: x; t: column 'size' is left out: '5G' on line 4 is not a number; "
     "try numfmt --from=iec --invalid=ignore --header --delimiter=, --field=N "
     "< FILE | gpureduce: field N has units, which du -b and others can leave "
     "out\n"},
    {"n;price\n1;EUR 5\n2;12,50 EUR\n",
     "; h: n; t: column 'price' is left out: 'EUR 5' on line 2 is not a "
     "number; "
     "try --strip 'EUR'\n"},
    {"11,90 EUR;Rome;5\n12,50 EUR;Oslo;6\n",
     "; d: 3; t: column '1' is left out: '11,90 EUR' on line 1 is not a "
     "number; "
     "try --strip 'EUR' --decimal ,\n"},
    {"n,price\n1,\"11,90 EUR\"\n2,\"EUR 5\"\n",
     ", h: n; t: column 'price' is left out: '11,90 EUR' on line 2 is not a "
     "number; try --strip 'EUR' --decimal ,\n"},
    {"account,n\nUSD001,1\nUSD002,2\n", ", h: n"},
    {"currency,2019 USD\nUSD,1\nEUR,2\n", ", h: 2019 USD"},
    {"3x,5x\n1,2\n3,4\n", ", h: 3x 5x"},
    {"1,5 kg;a;b\n2,5 kg;b;c\n",
     "! t:2:1: no column of numbers in its first records: '2,5 kg'"},
    {"11,90;EUR;Rome, IT\n59,00;USD;Oslo, NO\n", COMMA},
    {"x, net;y;z\n11,90;EUR;Rome\n",
     "! t:2:1: no column of numbers in its first records: '11,90'"},
    {"11,90;2;Rome\n59,00;3;Oslo\n",
     "! t:1:1: not a number, but one with a decimal comma: '11,90'"},
    {"1,234,567;EUR;Rome\n8;EUR;Oslo\n",
     "! t:1:1: no column of numbers in its first records: '1,234,567' "
     "(column '1')\nTry --thousands ,\nOr --header yes if this line names the "
     "columns\nOr -d , if commas separate the fields"},
    {"1\t2,5\n3\t4,5\n",
     "! t:1:3: not a number, but one with a decimal comma: '2,5' "},
    {"1.0e+00 2.0e+00\n3.0e+00 4.0e+00\n", "_ d: 1 2"},
    {" 7 foo\n12 bar\n", "_ d: 1"},
    {"a b\nc d\n", "! t:1:1: no column of numbers"},
    {"a b\n1 2\n", "_ h: a b"},
    {"a x\nb NA\nc 5\n", "_ h: x"},
    {"a b\nc 1\nd x\n",
     "! t:1:1: no column of numbers in its first records: 'a b'"},
    {"alpha beta\n", "1 h: alpha beta"},
    {"alpha 5\n", "_ d: 2" DATA},
    {"1;\"b\n", "! t:1:3: a quote that is never closed"},
    {"1;\"b\"\"c\n", "! t:1:3: a quote that is never closed"},
    {"1,2,3\n4\n5\n6\n7\n",
     "! t:1:1: no column of numbers in its first records: '1,2,3' "
     "(column '1')\nChoose columns with --columns, or another --delimiter\n"
     "Or --header yes if this line names the columns"},
    {"a|b;1\nc|d;3\n", "; d: 2"},
    {"1 2\n3\n", "! t:1:1: no column of numbers"},
    {"x\n1 2\n3 4 5\n",
     "! t:1:1: no column of numbers in its first records: 'x' "
     "(column '1')\nChoose columns with --columns, or another --delimiter"},
    {"4\t./a b\n8\t./c\n", "\t d: 1"},
    {"sep=;\na;b\n1;2\n", "; h: a b"},
    {"\"sep=;\"\r\na;b\r\n1;2\r\n", "; h: a b"},
    {"\"sep=;x\na;b\n1;2\n", "! t:1:1: a quote that is never closed"},
    {"sep=;x\n1;2\n", "; h: sep= x"},
    {"sep=\"\n1;2\n3;4\n",
     "! t:1:1: no column of numbers in its first records: 'sep=\"' "},
    {"a,b\n1,2\n3\n4,5,6\n", ", h: a b"},
    {"total 24\nx 1 10 a\ny 1 20 b\n",
     "! t:1:1: no column of numbers in its first records: 'total 24' "
     "(column '1')\nIts first record is unlike those below it: try "
     "--skip-lines 1"},
    {"My report\n\na,b\n1,2\n3,4\n",
     "! t:1:1: no column of numbers in its first records: 'My report' "
     "(column '1')\nIts first record is unlike those below it: try "
     "--skip-lines 1"},
    {"My report\n\na|b\n1|2\n",
     "! t:1:1: no column of numbers in its first records: 'My report' "
     "(column '1')\nIts first record is unlike those below it: try "
     "--skip-lines 1"},
    {"Report\nof 7 days\na,b\n1,2\n3,4\n",
     "! t:1:1: no column of numbers in its first records: 'Report' "
     "(column '1')\nIts first record is unlike those below it: try "
     "--skip-lines 2"},
    {"My report\n\na|b\n",
     "! t:1:1: no column of numbers in its first records: 'My report' "
     "(column '1')\nChoose columns with --columns, or another --delimiter"},
    {"Report\nof 7 days\n\nid,n\n1,2\n",
     "! t:1:1: no column of numbers in its first records: 'Report' "
     "(column '1')\nIts first record is unlike those below it: try "
     "--skip-lines 2"},
    {"Report,,\nid,n,x\n1,2,3\n4,5,6\n",
     "! t:2:1: no column of numbers in its first records: 'id' "
     "(column 'Report')\nIts first record is unlike those below it: try "
     "--skip-lines 1"},
    {"Report,\nof 7 days,\nid,n\n1,x\n4,y\n7,z\n",
     "! t:2:1: no column of numbers in its first records: 'of 7 days' "
     "(column 'Report')\nIts first record is unlike those below it: try "
     "--skip-lines 2"},
    {"t,x\ndegC,mm\n1,2\n3,4\n",
     "! t:2:1: no column of numbers in its first records: 'degC' "
     "(column 't')\nIts first record is unlike those below it: try "
     "--skip-lines 1"},
    {"#1.2\n2\t3\nName\ts1\ts2\ng1\t1\t2\ng2\t4\t5\n",
     "! t:1:1: no column of numbers in its first records: '#1.2' "
     "(column '1')\nIts first record is unlike those below it: try "
     "--skip-lines 2"},
    /* At most 20 lines are skipped. */
    {X20 "1;2\n3;4\n",
     "! t:1:1: no column of numbers in its first records: 'x' "
     "(column '1')\nIts first record is unlike those below it: try "
     "--skip-lines 20"},
    {X20 "x\n1;2\n3;4\n",
     "! t:1:1: no column of numbers in its first records: 'x' "
     "(column '1')\nChoose columns with --columns, or another --delimiter"},
    {"\n# x y\n1 z\n",
     "! t:2:1: no column of numbers in its first records: '# x y' "
     "(column '1')\nTry --comment '#'"},
    /* Another column has the commas. */
    {"h;k\n1,5;7\na;x\nb;y\nc;8\n",
     "! t:3:3: no column of numbers in its first records: 'x' "
     "(column 'k')\nChoose columns with --columns, or another --delimiter"},
    {"#5\n#6\n", "! t:1:1: no column of numbers in its first records: '#5' "
                 "(column '1')\nTry --strip '#'\nOr --header yes if "
                 "this line names the columns"},
    /* The cell whose hint makes it a number is shown. */
    {"name,n\nAnn,5K\nBob,7K\n",
     "! t:2:5: no column of numbers in its first records: '5K' (column 'n')"
     "\nTry numfmt --from=iec --invalid=ignore --header --delimiter=, "
     "--field=N < FILE | gpureduce: field N has units, which du -b and others "
     "can leave out"},
    {"name,n\nAnn,5 USD\nBob,7 USD\n",
     "! t:2:5: no column of numbers in its first records: '5 USD' (column 'n')"
     "\nTry --strip 'USD'"},
    {"name,n\nAnn,00:01:30\nBob,00:02:00\n",
     "! t:2:5: no column of numbers in its first records: '00:01:30' "
     "(column 'n')\nTry -x n to leave the column out: it holds times, not "
     "numbers"},
    {"d,n\n2024-01-03,5K\n2024-01-04,7K\n",
     "! t:2:12: no column of numbers in its first records: '5K'"},
    {"a,n\n-,2024-01-03\n-,2024-01-04\n",
     "! t:2:3: no column of numbers in its first records: '2024-01-03'"},
    /* But a column with more numbers comes before it. */
    {"a,n\n1,5K\nx,7K\n",
     "! t:3:1: no column of numbers in its first records: 'x'"},
    {"Report,\n-,n\n1,x\n4,y\n7,z\n",
     "! t:2:1: no column of numbers in its first records: '-' "
     "(column 'Report')\nTry --na - if it means a missing value"},
    /* To skip lines would leave out records. */
    {"x\na;b;c\ny\n1;2;3\n4;5;6\n",
     "! t:1:1: no column of numbers in its first records: 'x' "
     "(column '1')\nChoose columns with --columns, or another --delimiter"},
    {"x\na;b\nc;d\n1;2;3\n4;5;6\n",
     "! t:1:1: no column of numbers in its first records: 'x' "
     "(column '1')\nChoose columns with --columns, or another --delimiter"},
    {"t,x\ndegC,mm\n1,a\n2,b\n3,c\n",
     "! t:2:1: no column of numbers in its first records: 'degC' "
     "(column 't')\nChoose columns with --columns, or another --delimiter"},
    {"Report,\nof 7 days,\nid,n\n1,x\n",
     "! t:1:1: no column of numbers in its first records: 'Report' "
     "(column '1')\nChoose columns with --columns, or another --delimiter\n"
     "Or --header yes if this line names the columns"},
    {"a,b\nc,d\ne,f\n1,2\n3,4\n5,6\n",
     "! t:2:1: no column of numbers in its first records: 'c' "
     "(column 'a')\nChoose columns with --columns, or another --delimiter"},
    {"id,n,m\na,open,open\nb,5,2\nc,6,3\n",
     "! t:2:3: no column of numbers in its first records: 'open' (column 'n')"
     "\nChoose columns with --columns, or another --delimiter"},
    {"Page 1\nid;n\n1;10\n2;20\nPage 2\nid;n\n3;30\n",
     "! t:1:1: no column of numbers in its first records: 'Page 1' "
     "(column '1')\nChoose columns with --columns, or another --delimiter"},
    {"r b\nr b free\n1 0 99\n0 0 98\nr b\nr b free\n0 1 97\n",
     "! t:1:1: no column of numbers in its first records: 'r b' "
     "(column '1')\nChoose columns with --columns, or another --delimiter"},
    {"PID CPU COMMAND\n1 0.5 init\n2 0.1 sh -c a\n3 0.2 sh -c b\n",
     "! t:1:1: no column of numbers in its first records: 'PID CPU COMMAND' "
     "(column '1')\nTry -d blank --ragged pad if blanks separate the fields "
     "and surplus words belong to the last one"},
    {"\"a\" \"b\"\n\"1\" 5 6\n\"2\" 7 8\n",
     "! t:1:1: no column of numbers in its first records: '\"a\" \"b\"' "
     "(column '1')\nIts first record is unlike those below it: try "
     "--skip-lines 1"},
    {"# x y\n1 2\n3 4\n",
     "! t:1:1: no column of numbers in its first records: '# x y' "
     "(column '1')\nTry --comment '#'"},
    {"a\r1\r2\r", "1 h: a"},
    {"a,b\r1,2\r", ", h: a b"},
    {"a,b\r\n1,2\r\n", ", h: a b"},
    /* Decimal commas are never left out. */
    {"1,5;2\n3,5;4\n",
     "! t:1:1: not a number, but one with a decimal comma: '1,5' (column "
     "'1')\nTry --decimal , (or --exclude 1 to leave the column out)\nOr -d , "
     "if "
     "commas separate the fields"},
    {"1,9;2\n3,9;4\n",
     "! t:1:1: not a number, but one with a decimal comma: '1,9' "},
    {"1.234,5;2\n2.345,6;4\n",
     "! t:1:1: not a number, but one with a decimal comma: '1.234,5' "},
    {"Datum;Betrag\n03.01.24;1.234,56\n",
     "! t:2:10: no column of numbers in its first records: '1.234,56' "
     "(column 'Betrag')\nTry --decimal , --thousands ."},
    {"n,x\n1,\"2,5\"\n",
     "! t:2:3: not a number, but one with a decimal comma: "
     "'2,5' (column 'x')\nTry --decimal , (or --exclude 2 to "
     "leave the column out)"},
    {"x;y\n1,5;2\n3\n4,5;6\n",
     "! t:2:1: not a number, but one with a decimal comma: '1,5' "},
    {"x;y\n3\n1,5;2\n4,5;6\n", "! t:2: 1 field where the first record has 2"},
    {"a,b\nx,y\nz\n", "! t:3: 1 field where the first record has 2"},
    {"a,b\nx,y\nz\nw\n", "! t:3: 1 field where the first record has 2"},
    {"a,b\nx,y\n\"z,w\n", "! t:3:1: a quote that is never closed"},
    {"a,b\nx,y\nu,v\n\"z,w\n", "! t:4:1: a quote that is never closed"},
    {"\n\"a;1\n2\n", "! t:2:1: a quote that is never closed"},
    {"a,b\nNA,NA\n", "! 't': no column of numbers in its first records\nChoose "
                     "columns with --columns, or another --delimiter"},
    {"a\n$5\n", "! t:2:1: no column of numbers in its first records: '$5' "
                "(column '1')\nTry --strip '$'"},
    /* Columns that are left out, with a note. */
    {"a,b\n1,2\n-,3\n5,6\n",
     ", h: b; t: column 'a' is left out: '-' on line 3 is not a number; try "
     "--na - if it means a missing value\n"},
    {"p,q\n$5,1\n$6,2\n",
     ", h: q; t: column 'p' is left out: '$5' on line 2 is not a number; try "
     "--strip '$'\n"},
    {"p,q\n7%,1\n8%,2\n",
     ", h: q; t: column 'p' is left out: '7%' on line 2 is not a number; try "
     "--strip %\n"},
    {"p,q\n1,1\nx,2\n3,3\n4,4\n",
     ", h: q; t: column 'p' is left out: 'x' on line 3 is not a number\n"},
    /* After 100 records a column with a word is looked at no more. */
    {"p,q\n" FIFTY("5,1\n") FIFTY("x,1\n") "x,1\n", ", h: q"},
    {"p,q\n" FIFTY("x,1\n") FIFTY("5,1\n") "5,1\n", ", h: q"},
    {"p,q\nx,1\ny,2\n", ", h: q"},
    {"x;y z\n1;2 3\n4;5 6\n",
     "; h: x; t: column 'y z' is left out: '2 3' on line 2 is not a number; "
     "try -d blank\n"},
    {"p,q\n$" DIGITS "123456789,1\n",
     ", h: q; t: column 'p' is left out: '$" DIGITS
     "123456789' on line 2 is not a number; try --strip '$'\n"},
    {"p,q\n\"$" DIGITS "1234567\",1\n",
     ", h: q; t: column 'p' is left out: '$" DIGITS
     "1234567' on line 2 is not a number; try --strip '$'\n"},
    {"p,q\n$" DIGITS "1234567890,1\n", ", h: q"},
    {"p\nx" DIGITS "123456789012\n",
     "! t:1:1: no column of numbers in its first "
     "records: 'p' (column '1')\nChoose columns with --columns, or another "
     "--delimiter"},
    {"x" DIGITS "1234567890\n1\n2\n", "1 h: x" DIGITS "1234567890"},
    /* Lines that end with CR CR LF. */
    {"a,b\r\r\n1,2\r\r\n3,4\r\r\n",
     ", h: a; t: column 'b\\x0d' is left out: '2\\x0d' on line 2 is not a "
     "number\n"},
    {"p,q\n\"3,\",1\n\"4,\",2\n", ", h: q"},
    {"d,q\n2024-01-03,1\n2024-01-04,2\n", ", h: q"},
};

static void test_seen(void)
{
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++) {
        struct notes notes = {.n = 0};
        struct csv_settings settings = settings_of(&notes);
        check_seen(seen[i][0], true, &settings, seen[i][1]);
        notes_free(&notes);
    }
}

/* Options about the start of the text, and the result. */
struct asked {
    const char *text;
    int delimiter, quote, comment;
    unsigned skip;
    const char *columns, *exclude, *weights, *by;
    bool counts, is_part; /* is_part: more text follows */
    enum csv_header header;
    const char *want;
};

#define WIDE                              \
    "v,a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p\n" \
    "5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1\n"

static const struct asked asked[] = {
    {"total 24\nx 1 10 a\ny 1 20 b\n", .skip = 1, .want = "_ d: 2 3"},
    {"x\n\"y\nsep=;\na;b\n1;2\n", .skip = 2, .want = "; h: a b"},
    {"x\nMy report\n\na,b\n1,2\n3,4\n", .skip = 1,
     .want = "! t:2:1: no column of numbers in its first records: 'My report' "
             "(column '1')\nIts first record is unlike those below it: try "
             "--skip-lines 2"},
    {"# x y\n1 2\n3 4\n", .comment = '#', .want = "_ d: 1 2"},
    {"junk x y z w\nPID CPU COMMAND\n1 0.5 init\n2 0.1 sh -c a\n3 0 sh b c\n",
     .skip = 1,
     .want = "! t:2:1: no column of numbers in its first records: "
             "'PID CPU COMMAND' (column '1')\nTry -d blank --ragged pad if "
             "blanks separate the fields and surplus words belong to the last "
             "one"},
    {"junk\nReport,\nid,n\n1,x\n4,y\n7,z\n", .skip = 1,
     .want = "! t:3:1: no column of numbers in its first records: 'id' "
             "(column 'Report')\nIts first record is unlike those below it: "
             "try --skip-lines 2"},
    {"junk\n-,x\n1,a\n2,b\n", .skip = 1,
     .want = "! t:2:1: no column of numbers in its first records: '-' "
             "(column '1')\nTry --na - if it means a missing value\nOr "
             "--header yes if this line names the columns"},
    {"sep=#\n1#2\n3#4\n", .comment = '#',
     .want = "! t:1:1: no column of numbers in its first records: 'sep=#'"},
    {"#c\nsep=|\n#d\na|b\n1|2\n", .comment = '#', .want = "| h: a b"},
    {"a,b\n", .skip = 5, .want = "1 d:"},
    {"a b\n1 2\n3\n", .delimiter = CSV_BLANK, .want = "_ h: a b"},
    {"'a b' c\n1 2\n", .delimiter = CSV_BLANK, .want = "_ h: 'a b'"},
    {"'a b' c\n1 2\n", .delimiter = CSV_BLANK, .quote = '\'',
     .want = "_ h: a b c"},
    {"\"a,b\"\n1,2\n", .quote = CSV_NO_QUOTE, .want = ", h: \"a b\""},
    {"'a,b',c\n1,2\n", .quote = '\'', .want = ", h: a,b c"},
    {"sep=;\na,b\n1,2\n", .delimiter = ',', .want = ", h: a b"},
    {"1,5;2\n3,5;4\n", .delimiter = ';',
     .want = "! t:1:1: not a number, but one with a decimal comma: '1,5' "
             "(column '1')\nTry --decimal , (or --exclude 1 to leave the "
             "column out)"},
    {"$5\n$6\n", .header = CSV_HEADER_NO,
     .want = "! t:1:1: no column of numbers in its first records: '$5' "
             "(column '1')\nTry --strip '$'"},
    {",price,qty\n0,10.5,1\n", .columns = "price", .want = ", h: price"},
    {",price,qty\n0,10.5,1\n", .columns = "1", .want = ", h: "},
    {"1,price\n2,x\n", .columns = "price", .want = ", h: price"},
    {"NA,x\n1,2\n", .columns = "NA", .want = ", h: NA"},
    {"7,5\n1,2\n", .columns = "7", .want = ", h: 7"},
    {",5\n1,6\n", .columns = "\"\"",
     .want = "! 't': there is no column '' (it has 2 columns without a "
             "header)"},
    {"2,5\n1,2\n", .columns = "2", .want = ", d: 2"},
    {"a,b,c\n1,2,3\n", .exclude = "b", .want = ", h: a c"},
    {"a,b,c\n1,2,3\n", .columns = "2-3", .exclude = "b", .want = ", h: c"},
    {"a,b,c\n1,2,3\n", .exclude = "1-", .want = "! 't': --exclude leaves no"},
    {"a,b,c\n1,2,3\n", .exclude = "d", .want = "! 't': there is no column 'd'"},
    {"a;b\n1,5;2\n", .exclude = "a", .want = "; h: b"},
    {"a,b\n1,2\nx,3\n4,5\n6,7\n", .exclude = "a", .want = ", h: b"},
    {"a,b,w\n1,2,3\n", .weights = "w", .want = ", h: a b w"},
    {"w,b,c\n1,2,3\n", .weights = "1", .want = ", h: b c w"},
    {"w,b,c\n1,2,3\n", .weights = "w", .exclude = "w", .want = ", h: b c w"},
    {"w,b,c\n1,2,3\n", .weights = "w", .columns = "2", .want = ", h: b w"},
    {"w,b,c\n1,2,3\n", .weights = "w", .columns = "w", .want = ", h: w"},
    {"1,price\n2,x\n", .weights = "price", .want = ", h: 1 price"},
    {"w\n1\n", .weights = "w", .want = "! 't': there is no column of numbers"},
    {"a,w\n1,2\n", .weights = "v", .want = "! 't': there is no column 'v'"},
    {"a,b,c\n1,2,3\n", .weights = "a,b", .want = "! 't': --weights takes one"},
    {"apple\npear\n", .columns = "1", .counts = true, .want = "1 d: 1" DATA},
    {"apple\npear\n", .columns = "1", .want = "1 d: 1"},
    {"a,b\nc,d\n", .columns = "1", .counts = true, .want = ", h: a" NAMES},
    {"a,b\nc,d\n", .columns = "1", .want = ", h: a"},
    {"alice,NA,\nbob,3,4\n", .counts = true, .want = ", d: 2 3" DATA},
    {"a,b\n1,2\n", .counts = true, .want = ", h: a b"},
    {"a,b\n1,2\n3,x\n5,6\n", .counts = true,
     .want = ", h: a; t: column 'b' is left out: 'x' on line 3 is not a "
             "number\n"},
    {"a,b\n1,x\nz,y\n", .columns = "1", .counts = true, .want = ", h: a" NAMES},
    {"a,b\n1,x\nz,y\nw,v\n", .columns = "1", .counts = true,
     .want = ", h: a" NAMES},
    {"a,b\nNA,x\nNA,y\n", .columns = "1", .counts = true,
     .want = ", h: a" NAMES},
    {"2024-01-03,2024-01-04\n", .columns = "1", .want = ", d: 1"},
    {"2024-01-03,\n", .columns = "1", .want = ", d: 1"},
    {"5,\n", .columns = "1", .want = ", d: 1"},
    {"a,k,b\n1,2,3\n", .by = "k", .want = ", h: a b k"},
    {"a,k,b\n1,2,3\n", .by = "b,2", .want = ", h: a b k"},
    {"a,k,b\n1,x,3\n", .by = "k", .columns = "a", .want = ", h: a k"},
    {"a,k,b\n1,2,3\n", .by = "k", .columns = "k", .want = ", h: k"},
    {"a,k,b\n1,2,3\n", .by = "k", .weights = "b", .want = ", h: a b k"},
    {"k\n1\n", .by = "k",
     .want = "! 't': there is no column of numbers besides those of --by\n"
             "To count records, say -o rows."},
    {"k\n1\n", .by = "l", .want = "! 't': there is no column 'l'"},
    {"", .by = "l",
     .want = "! 't': there is no column 'l' (it has 0 columns without a "
             "header)"},
    {"", .weights = "w",
     .want = "! 't': there is no column 'w' (it has 0 columns without a "
             "header)"},
    {WIDE, .by = "2-17", .want = ", h: v a b c d e f g h i j k l m n o p"},
    {WIDE, .by = "1-17",
     .want = "! 't': --by takes at most 16 columns, not 17"},
    /* H1: a name that is asked for. */
    {"1,k\n2,x\n", .by = "k", .want = ", h: 1 k"},
    {"1,k\n2,x\n", .exclude = "k", .want = ", h: 1"},
    {"12,5\n1,2\n", .columns = "12", .want = ", h: 12"},
    {"3,5\n1,2\n", .columns = "3", .want = ", h: 3"},
    {"2,5\n1,2\n", .columns = "2", .want = ", d: 2"},
    {"1,k\n2,3\n", .by = "k", .want = ", h: 1 k"},
    {"1|2\n3|4\n", .quote = '|',
     .want = "! t:1:1: no column of numbers in its first records: '1|2'"},
    {"1|2\n3|4\n", .comment = '|',
     .want = "! t:1:1: no column of numbers in its first records: '1|2'"},
    {"a|b\tc|d\ne|f\tg|h\n", .columns = "1", .want = "\t h: a|b"},
    {"\"a b\" c\n1 2 3\n", .delimiter = CSV_BLANK, .want = "_ h: \"a b\" c"},
    {"total 24\nx 1 10 a\ny 1 20 b\n", .delimiter = ';',
     .want = "! t:1:1: no column of numbers in its first records: 'total 24' "
             "(column '1')\nChoose columns with --columns, or another "
             "--delimiter"},
    {"a,b,c\n1,,\n2,,\n3", .is_part = true,
     .want = ", h: a; t: column 'b' and others are left out: the first 2 "
             "records have no value there\n"},
    {"a,b\n,1\n3", .is_part = true,
     .want = ", h: b; t: column 'a' is left out: the first 1 records have no "
             "value there\n"},
    {"a,b,c\n1,x,\n2,y,\n3", .is_part = true,
     .want = ", h: a; t: column 'c' is left out: the first 2 records have no "
             "value there\n"},
    {"a,b\n1,\n2,\n3", .exclude = "b", .is_part = true, .want = ", h: a"},
    {"5,\n3", .is_part = true, .want = ", d: 1"},
    {"a,b\n1,\n2,\n", .want = ", h: a"},
    {"a,\n", .columns = "1", .want = ", d: 1" DATA},
};

static void test_asked(void)
{
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        struct notes notes = {.n = 0};
        struct csv_settings settings = settings_of(&notes);
        settings.delimiter = asked[i].delimiter;
        settings.quote = asked[i].quote;
        settings.comment = asked[i].comment;
        settings.skip_lines = asked[i].skip;
        settings.columns = asked[i].columns;
        settings.exclude = asked[i].exclude;
        settings.weights = asked[i].weights;
        settings.by = asked[i].by;
        settings.counts_records = asked[i].counts;
        settings.header = asked[i].header;
        check_seen(asked[i].text, !asked[i].is_part, &settings, asked[i].want);
        notes_free(&notes);
    }
}

#define SEMICOLONS "semicolons split the first records alike"

/* Why a delimiter is chosen, as the notes of --verbose say it. */
static void test_reasons(void)
{
    static const char *const rows[][2] = {
        {"1;2\n3;4\n", SEMICOLONS},
        {"1;2,x\n3;4,y\n",
         "by semicolons, more cells are numbers than by other bytes"},
        /* One of two cells, not two of five. */
        {"7;1|x|1|x|1\n8;1|x|1|x|1\n",
         "by semicolons, more cells are numbers than by other bytes"},
        {"1,2\n3,4\n", "commas split the first records alike"},
        {"1\t2\n3\t4\n", "tabs split the first records alike"},
        {"1|2\n3|4\n", "bars split the first records alike"},
        {"1 2\n3 4\n", "blanks split all of the first records alike"},
        {"1\n2\n", "nothing splits the first records alike"},
        {"sep=;\n1;2\n", "a first line says sep="},
        {"1,a;b\n2,c;d\n",
         "by commas, more cells are numbers than by other bytes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct notes notes = {.n = 0};
        struct csv_settings settings = settings_of(&notes);
        struct csv_table table = {.columns = 0};
        struct error e;
        const struct csv_span text = {rows[i][0], strlen(rows[i][0])};
        CHECK(
            csv_table_read(&table, "t", text, true, NULL, &settings, NULL, &e));
        CHECK_TEXT(table.delimiter_reason, rows[i][1]);
        csv_table_free(&table);
        notes_free(&notes);
    }
}

/* Decimal comma and separators of thousands. */
static void test_notation(void)
{
    static const struct {
        const char *text;
        char decimal, thousands;
        int delimiter, quote;
        const char *want;
    } rows[] = {
        {"1,5;2\n3,5;4\n", ',', 0, .want = "; d: 1 2"},
        {"1,5\n3,5\n", ',', 0, .want = "1 d: 1"},
        {"Datum;Betrag\n03.01.24;1.234,56\n", ',', '.', .want = "; h: Betrag"},
        {"a,b\n\"1,234\",5\n", '.', ',', .want = ", h: a b"},
        {"1,234\n5,678\n", '.', ',', .want = "1 d: 1"},
        {"1 234\n5 678\n", '.', ' ', .want = "1 d: 1"},
        {"price\n1,5\n", ',', 0, .want = "1 h: price"},
        {"a,b\n1,5\n", ',', 0, .want = "; h: a,b", .delimiter = ';'},
        {"a,b;c\n1,5;2\n", ',', 0, .want = "; h: a,b c"},
        {"a;b\n1;5\n", ';', 0,
         .want = "! 't': 'a;b' could be one name or several, since --decimal "
                 "takes the ';'\nIf it separates fields, leave --decimal out; "
                 "if not, say -d '|'."},
        /* Only a quote that quotes lets the comma separate fields. */
        {"1,5\n2,5\n\"\n", ',', 0,
         .want = "! t:3:1: no column of numbers in its first records: '\"'",
         .quote = CSV_NO_QUOTE},
        {"p;q\n$1,234;1\n$2,345;2\n", '.', ',',
         .want =
             "; h: q; t: column 'p' is left out: '$1,234' on line 2 is not a "
             "number; try --strip '$'\n"},
        {"p;q\n$1,234;1\n$2,345;2\n", '.', '\'',
         .want =
             "; h: q; t: column 'p' is left out: '$1,234' on line 2 is not a "
             "number; try --strip '$' --thousands , if 1,234 means 1234, or "
             "--decimal , if it means 1.234\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct csv_settings settings = settings_of(NULL);
        settings.delimiter = rows[i].delimiter;
        settings.quote = rows[i].quote;
        settings.spec.notation =
            (struct csv_notation){.used = true,
                                  .decimal = rows[i].decimal,
                                  .thousands_bytes = rows[i].thousands != 0,
                                  .thousands = {rows[i].thousands}};
        struct notes none = {.n = 0};
        settings.notes = &none;
        check_seen(rows[i].text, true, &settings, rows[i].want);
        notes_free(&none);
    }
}

static void check_text_like(const char *bytes, size_t n, bool want)
{
    CHECK_INT(csv_is_text((struct csv_span){bytes, n}, true), want);
}

static void test_text(void)
{
    static char big[CSV_SAMPLE + 2];
    check_text_like("1", 1, true);
    check_text_like("1\n2\n", 4, true);
    check_text_like("", 0, false);
    check_text_like("a\0b\n", 4, false);
    check_text_like("a\tb\r\n\f", 6, true);
    check_text_like("a\vb\n", 4, false);
    check_text_like("\x1b[0m\n", 5, false);
    check_text_like("\xef\xbb\xbf"
                    "1\n",
                    5, true);
    check_text_like("\xc3\xa9\n", 3, true);
    check_text_like("\xe9\n", 2, false);
    check_text_like("caf\xe9 1,2,3\n", 11, true); /* 1 byte of 11 */
    check_text_like("\xe9 1,2,3\n", 8, false);    /* 1 byte of 8 */
    check_text_like("a\x7f\n", 3, false);
    /* The least and the greatest characters of 2, 3 and 4 bytes. */
    check_text_like("\xc2\x80\n", 3, true);
    check_text_like("\xc1\xbf\n", 3, false);
    check_text_like("\x80\n", 2, false);
    check_text_like("\xe0\xa0\x80\n", 4, true);
    check_text_like("\xf0\x90\x80\x80\n", 5, true);
    check_text_like("\xf4\x8f\xbf\xbf\n", 5, true);
    check_text_like("\xf5\x80\x80\x80\n", 5, false);
    /* Not the whole input: it must have a line end. */
    CHECK(csv_is_text((struct csv_span){"1\r2", 3}, false));
    CHECK(!csv_is_text((struct csv_span){"1,2", 3}, false));
    memset(big, '1', sizeof big);
    check_text_like(big, CSV_SAMPLE, true);
    check_text_like(big, CSV_SAMPLE + 1, false);
    big[CSV_SAMPLE] = '\n';
    check_text_like(big, CSV_SAMPLE + 1, false);
    big[CSV_SAMPLE - 1] = '\n';
    check_text_like(big, CSV_SAMPLE + 1, true);
    /* A character that the end of the sample cuts. */
    memset(big, '\xc3', CSV_SAMPLE);
    for (size_t i = 1; i < CSV_SAMPLE; i += 2)
        big[i] = '\xa9';
    memcpy(big, "\xc3\xa9\n", 3);
    for (size_t i = 3; i < CSV_SAMPLE; i++)
        big[i] = i % 2 ? '\xc3' : '\xa9';
    check_text_like(big, CSV_SAMPLE + 1, true);
    check_text_like(big, CSV_SAMPLE, false);
    CHECK(csv_is_utf16((struct csv_span){"\xff\xfe"
                                         "1\0,\0",
                                         6}));
    CHECK(csv_is_utf16((struct csv_span){"\xfe\xff\0"
                                         "1\0,",
                                         6}));
    CHECK(csv_is_utf16((struct csv_span){"\xff\xfe"
                                         "1\0",
                                         4}));
    CHECK(!csv_is_utf16((struct csv_span){"\xff\xfe\1\0\2\0", 6}));
    CHECK(!csv_is_utf16((struct csv_span){"\xfe\xff\0"
                                          "1\0\2",
                                          6}));
    CHECK(!csv_is_utf16((struct csv_span){"1\0,\0", 4}));
    CHECK(!csv_is_utf16((struct csv_span){"\xff\xfe\x7f\0", 4}));
    /* U+4E00 and a digit; with another such character, too few are ASCII. */
    CHECK(csv_is_utf16((struct csv_span){"\xff\xfe\0\x4e"
                                         "1\0",
                                         6}));
    CHECK(!csv_is_utf16((struct csv_span){"\xff\xfe\0\x4e\0\x4e"
                                          "1\0",
                                          8}));
}

/* Units of 2 or 4 bytes: 'l' and 'b' say which byte order is found, '-' that
 * they are no text. */
static void check_wide(const char *bytes, size_t n, size_t unit, char want)
{
    bool is_big = false;
    const bool is = csv_is_wide((struct csv_span){bytes, n}, unit, &is_big);
    CHECK_INT(!is ? '-' : is_big ? 'b' : 'l', want);
}

static void test_wide(void)
{
    static char big[CSV_SAMPLE + 1];
    check_wide("1\0,\0002\0\n\0", 8, 2, 'l');
    check_wide("\0001\0,\0002\0\n", 8, 2, 'b');
    check_wide("1\0,\0002\0", 6, 2, '-');
    check_wide("1\0,\0002\0\n\0001", 9, 2, '-');
    for (size_t i = 0; i < sizeof big; i += 2)
        big[i] = '1';
    check_wide(big, sizeof big, 2, 'l');
    /* A quarter of the characters, but no more, may be above U+00FF. */
    check_wide("\0\x4e\xff\0002\0\n\0", 8, 2, 'l');
    check_wide("\0\x4e\0\x01\x32\0\n\0", 8, 2, '-');
    /* U+007F and U+009F are control characters, U+00A0 is none. */
    check_wide("1\0\xa0\0002\0\n\0", 8, 2, 'l');
    check_wide("1\0\x9f\0002\0\n\0", 8, 2, '-');
    check_wide("1\0\x7f\0002\0\n\0", 8, 2, '-');
    /* A mark of 4 bytes: the only sign of big-endian units of 4. */
    check_wide("\0\0\xfe\xff\0\0\0001\0\0\0,\0\0\0002", 16, 4, 'b');
    check_wide("\0\0\0001\0\0\0,\0\0\0002\0\0\0\n", 16, 4, '-');
    check_wide("\0\0\xfe\xff\0001\0,\0002\0\n", 12, 2, '-');
}

/* At most a quarter of the bytes are control characters. */
static void test_controls(void)
{
    CHECK(csv_has_controls((struct csv_span){"\x1b"
                                             "12\n",
                                             4}));
    CHECK(!csv_has_controls((struct csv_span){"\x1b\x1b"
                                              "12\n12",
                                              7}));
    CHECK(!csv_has_controls((struct csv_span){"12\n", 3}));
    CHECK(!csv_has_controls((struct csv_span){"\x1b"
                                              "123",
                                              4}));
    /* One of 8 bytes above 0x7F is too much, unless it is UTF-8. */
    CHECK(!csv_has_controls((struct csv_span){"\x1b\xe9"
                                              "23456\n",
                                              8}));
    CHECK(csv_has_controls((struct csv_span){"\x1b\xe9"
                                             "234567\n",
                                             9}));
}

/* Further files with the same note are counted; a second note about the same
 * file is dropped. With a limit of 3, the first three files have notes of their
 * own. */
static void test_notes(void)
{
    struct notes notes = {.n = 0};
    char out[512] = "";
    notes_add(&notes, "k", 1, "a", "one %d", 1);
    notes_add(&notes, "k", 1, "a", "two");
    notes_add(&notes, "other", 1, "-", "three");
    notes_add(&notes, "k", 1, "b", "four");
    for (const char *file = "vwxyz"; *file; file++)
        notes_add(&notes, "n", 3, file, "count");
    FILE *to = fmemopen(out, sizeof out, "w");
    notes_print(&notes, to, "> ");
    notes_print(&notes, to, "> ");
    notes_add(&notes, "k", 1, "c", "five");
    notes_add(&notes, "k", 1, "d", "six");
    notes_print(&notes, to, "> ");
    fclose(to);
    CHECK_TEXT(out, "> a: one 1\n> a: two\n> ... and 1 more file likewise\n"
                    "> -: three\n> vwxyz: count\n> wxyz: count\n"
                    "> xyz: count\n> ... and 2 more files likewise\n"
                    "> ... and 2 more files likewise\n");
    notes_free(&notes);
}

int main(void)
{
    test_seen();
    test_asked();
    test_reasons();
    test_notation();
    test_text();
    test_wide();
    test_controls();
    test_notes();
    return check_end();
}
