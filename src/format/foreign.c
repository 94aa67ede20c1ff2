/* SPDX-License-Identifier: MIT */
#include "format/foreign.h"

#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "format/foreign_look.h"
#include "format/format.h"
#include "format/input.h"

/* The magic bytes of a row, which may contain NUL: at an offset, or at the
 * start. */
#define AT(place, text) \
    .magic = text, .bytes = sizeof(text) - 1, .offset = place
#define START(text) AT(0, text)

/* Parts that several commands share. */
#define CSV " | gpureduce -f csv"
#define ARROW(import, table)                                \
    "python3 -c \"import sys, pyarrow.csv, pyarrow." import \
    "; pyarrow.csv.write_csv(" table ", sys.stdout.buffer)\"" CSV
#define PANDAS(frame)                                \
    "python3 -c \"import sys, pandas; pandas." frame \
    ".to_csv(sys.stdout, index=False)\"" CSV
#define R(frame) "Rscript -e \"write.csv(" frame ", row.names = FALSE)\"" CSV
#define NUMPY(import, array)                                              \
    "python3 -c \"import sys, " import "; sys.stdout.buffer.write(" array \
    ".astype('<f8').tobytes())\" | gpureduce -t f64"

static const struct foreign table[] = {
    {"", "a file of states", "gpureduce --merge FILE",
     START("gpureduce-state\n")},
    {"parquet", "a Parquet file",
     "duckdb -csv -c \"FROM read_parquet('FILE')\"" CSV, START("PAR1"),
     .is_weak = true},
    {"arrow feather", "an Arrow file",
     ARROW("feather", "pyarrow.feather.read_table('FILE')"),
     START("ARROW1\0\0")},
    {"", "a Feather file",
     ARROW("feather", "pyarrow.feather.read_table('FILE')"), START("FEA1"),
     .is_weak = true},
    {"", "an Arrow stream",
     ARROW("ipc", "pyarrow.ipc.open_stream('FILE').read_all()"),
     .is = foreign_is_arrow_stream},
    {"orc", "an ORC file", ARROW("orc", "pyarrow.orc.read_table('FILE')"),
     START("ORC"), .is_weak = true},
    {"avro", "an Avro file",
     "python3 -c \"import sys, csv, fastavro; r = "
     "list(fastavro.reader(open('FILE', 'rb'))); w = csv.DictWriter("
     "sys.stdout, r[0]); w.writeheader(); w.writerows(r)\"" CSV,
     START("Obj\1")},
    {"hdf5 h5", "an HDF5 file", NUMPY("h5py", "h5py.File('FILE')['NAME'][()]"),
     START("\x89HDF\r\n\x1a\n")},
    {"netcdf nc", "a NetCDF file",
     NUMPY("scipy.io",
           "scipy.io.netcdf_file('FILE', mmap=False).variables['NAME'][:]"),
     START("CDF\1")},
    {"", "a NetCDF file",
     NUMPY("scipy.io",
           "scipy.io.netcdf_file('FILE', mmap=False).variables['NAME'][:]"),
     START("CDF\2")},
    {"", "a NetCDF file",
     NUMPY("netCDF4", "netCDF4.Dataset('FILE')['NAME'][:]"), START("CDF\5")},
    {"fits", "a FITS file",
     NUMPY("astropy.io.fits", "astropy.io.fits.getdata('FILE')"),
     START("SIMPLE  =")},
    {"mat", "a MATLAB file",
     NUMPY("scipy.io", "scipy.io.loadmat('FILE')['NAME']"),
     START("MATLAB 5.0 MAT-file")},
    {"", "a MATLAB 7.3 file", NUMPY("h5py", "h5py.File('FILE')['NAME'][()]"),
     START("MATLAB 7.3 MAT-file")},
    {"gguf", "a GGUF file",
     NUMPY("gguf", "(lambda t: gguf.dequantize(t.data, t.tensor_type))("
                   "gguf.GGUFReader('FILE').tensors[0])"),
     START("GGUF"), .is_weak = true},
    {"pickle pkl", "a Python pickle (load only what you trust)",
     NUMPY("numpy, pickle", "numpy.asarray(pickle.load(open('FILE', 'rb')))"),
     .is = foreign_is_pickle},
    {"torch pt", "a PyTorch file",
     NUMPY("torch", "torch.load('FILE', weights_only=True)['NAME'].double()"
                    ".numpy()"),
     .is = foreign_is_torch},
    {"rds", "an R object", R("readRDS('FILE')"), START("X\n\0\0\0\3\0")},
    {"", "an R object", R("readRDS('FILE')"), START("X\n\0\0\0\2\0")},
    {"rdata rda", "an R workspace", R("get(load('FILE'))"), START("RDX3\n"),
     .is_weak = true},
    {"", "an R workspace", R("get(load('FILE'))"), START("RDX2\n"),
     .is_weak = true},
    {"dta stata", "a Stata file", PANDAS("read_stata('FILE')"),
     START("<stata_dta>")},
    {"spss", "an SPSS file", PANDAS("read_spss('FILE')"), START("$FL2@(#)")},
    {"sas7bdat sas", "a SAS file",
     PANDAS("read_sas('FILE', format='sas7bdat')"),
     START("\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92"
           "\x08\0")},
    {"bam", "a BAM file",
     "samtools view FILE | cut -f 4,5,9 | gpureduce -f tsv", START("BAM\1")},
    {"sqlite db", "an SQLite database",
     "sqlite3 -csv -header FILE 'SELECT * FROM NAME'" CSV,
     START("SQLite format 3\0")},
    {"wav", "a WAV file",
     "ffmpeg -v error -i FILE -f f64le - | gpureduce -t f64",
     .is = foreign_is_riff_wave},
    {"png", "a PNG image",
     NUMPY("numpy, PIL.Image", "numpy.asarray(PIL.Image.open('FILE'))"),
     START("\x89PNG\r\n\x1a\n")},
    {"jpeg jpg", "a JPEG image",
     NUMPY("numpy, PIL.Image", "numpy.asarray(PIL.Image.open('FILE'))"),
     START("\xff\xd8\xff\xe0")},
    {"", "a JPEG image",
     NUMPY("numpy, PIL.Image", "numpy.asarray(PIL.Image.open('FILE'))"),
     START("\xff\xd8\xff\xe1")},
    {"tiff tif", "a TIFF image",
     NUMPY("numpy, PIL.Image", "numpy.asarray(PIL.Image.open('FILE'))"),
     START("II*\0")},
    {"", "a TIFF image",
     NUMPY("numpy, PIL.Image", "numpy.asarray(PIL.Image.open('FILE'))"),
     START("MM\0*")},
    {"pdf", "a PDF file", "pdftotext -layout FILE - | gpureduce -d blank",
     START("%PDF-")},
    {"elf", "a program (ELF)", "./FILE" CSV " to reduce what it prints",
     START("\x7f"
           "ELF")},
    {"xlsx excel", "an Excel workbook", "xlsx2csv FILE" CSV,
     .is = foreign_is_xlsx},
    {"xls", "an Excel 97 workbook",
     "ssconvert -T Gnumeric_stf:stf_csv FILE fd://1" CSV,
     START("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")},
    {"ods", "an OpenDocument file",
     "ssconvert -T Gnumeric_stf:stf_csv FILE fd://1" CSV, .is = foreign_is_ods},
    {"bz2 bzip2", "bzip2 data", "bzip2 -dc FILE | gpureduce",
     .is = foreign_is_bzip2},
    {"lz4", "lz4 data", "lz4 -dc FILE | gpureduce", START("\x04\x22\x4d\x18")},
    {"xz", "xz data", "xz -dc FILE | gpureduce",
     START("\xfd"
           "7zXZ")},
#ifdef HAVE_ZSTD
    {"", "zstd data", "zstd -dc FILE | gpureduce", START("\x28\xb5\x2f\xfd"),
     .is_inside = true},
#else
    {"zstd zst", "zstd data", "zstd -dc FILE | gpureduce",
     START("\x28\xb5\x2f\xfd")},
#endif
    {"", "gzip data", "gzip -dc FILE | gpureduce", START("\x1f\x8b"),
     .is_inside = true},
    {"", "a zip archive", "unzip -p FILE NAME | gpureduce", START("PK\3\4"),
     .is_inside = true},
    {"7z", "a 7z archive", "7z x -so FILE NAME | gpureduce",
     START("7z\xbc\xaf\x27\x1c")},
    {"tar", "a tar archive", "tar -xOf FILE NAME | gpureduce",
     AT(257, "ustar")},

    {"", "a JSON array of numbers", "jq '.[]' FILE" CSV,
     .is_text = foreign_is_json_numbers},
    {"", "a JSON array of arrays", "jq -r '.[] | @csv' FILE" CSV,
     .is_text = foreign_is_json_rows},
    {"json jsonl ndjson", "JSON", "mlr --ijson --ocsv unsparsify FILE" CSV,
     .is_text = foreign_is_json},
    {"html", "HTML", PANDAS("read_html('FILE')[0]"),
     .is_text = foreign_is_html},
    {"xml", "XML", PANDAS("read_xml('FILE')"), .is_text = foreign_is_xml},
    {"", "a dump of PostgreSQL (COPY ... FROM stdin)",
     "awk '/^\\\\\\.$/ {t = 0} t; /^COPY / {t = 1}' FILE | gpureduce -f tsv "
     "--header no",
     .is_text = foreign_is_copy},
    {"sql", "a dump of SQL statements",
     "awk 'tolower($0) ~ /^ *insert into/ {t = 1} t; /; *$/ {t = 0}' FILE | "
     "sed 's/.*values//I; /^ *insert into/Id' | grep -o '([^()]*)' "
     "| tr -d '()' | gpureduce -f csv --quote \"'\"",
     .is_text = foreign_is_insert},
    {"", "a table as mysql draws it",
     "mysql --batch -e 'SELECT ...' DATABASE | gpureduce -f tsv",
     .is_text = foreign_is_mysql_box},
    {"", "a table as psql draws it", "psql --csv -c 'SELECT ...' DATABASE" CSV,
     .is_text = foreign_is_psql_box},
    {"", "a table drawn with lines",
     "sqlite3 -csv -header DATABASE 'SELECT ...'" CSV " (duckdb: -csv)",
     .is_text = foreign_is_drawn_box},
    {"", "a table with a line under its header",
     "sed 2d FILE | gpureduce -d blank", .is_text = foreign_is_ruled},
};

enum { ROWS = sizeof table / sizeof table[0] };

static bool matches(const struct foreign *row, const char *head, size_t have)
{
    const char *mark = "\xef\xbb\xbf"; /* the byte order mark */
    size_t bytes = have >= 3 && memcmp(head, mark, 3) == 0 ? 3 : 0;
    if (row->is_text)
        return row->is_text((struct foreign_text){head + bytes, head + have}) &&
               !foreign_has_control(head, have);
    if (row->is)
        return row->is(head, have);
    return have >= row->offset + (size_t)row->bytes &&
           memcmp(head + row->offset, row->magic, row->bytes) == 0 &&
           (!row->is_weak || foreign_has_control(head, have));
}

const struct foreign *foreign_find(const unsigned char *head, size_t have,
                                   bool is_inside)
{
    for (size_t i = 0; i < ROWS; i++) {
        if ((!table[i].is_inside || is_inside) &&
            matches(&table[i], (const char *)head, have))
            return &table[i];
    }
    return NULL;
}

const struct foreign *foreign_named(const char *word)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (text_has_word(table[i].words, word))
            return &table[i];
    }
    return NULL;
}

/* Whether a shell leaves the name unchanged, both in quotes and without. */
static bool is_plain(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_./+"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ-";
    return name[0] && name[0] != '-' && name[strspn(name, plain)] == '\0' &&
           strlen(name) < 256;
}

/* Writes the remedy with the file's name in place of FILE. */
static void fill_in(char *out, size_t room, const char *remedy,
                    const char *name)
{
    size_t used = 0;
    const char *file;
    for (; (file = strstr(remedy, "FILE")) && used < room; remedy = file + 4) {
        int n = snprintf(out + used, room - used, "%.*s%s",
                         (int)(file - remedy), remedy, name);
        used += (size_t)n;
    }
    if (used < room)
        snprintf(out + used, room - used, "%s", remedy);
}

/* Appends the type of raw data that a command unpacks: the pipe has no name,
 * whose suffix would say it. */
static void put_type(char *remedy, size_t room, const struct input *input)
{
    static const char end[] = "| gpureduce";
    const size_t used = strlen(remedy);
    const char *dot = strrchr(input->name, '.');
    char inside[QUOTE_MAX] = "";
    const struct input_settings *asked = input->settings;
    if (used < strlen(end) || strcmp(remedy + used - strlen(end), end) != 0)
        return;
    if (dot)
        snprintf(inside, sizeof inside, "%.*s", (int)(dot - input->name),
                 input->name);
    const char *type = !asked->has_dtype ? raw_type_of(inside)
                       : asked->is_bool  ? "bool"
                                         : dtype_info(asked->dtype)->name;
    if (type)
        snprintf(remedy + used, room - used, " -t %s", type);
}

bool foreign_refuse(const struct foreign *foreign, const struct input *input,
                    struct error *e)
{
    char remedy[2 * QUOTE_MAX];
    bool is_packed = input->compression;
    bool is_named = !is_packed && is_plain(input->name);
    /* ./FILE runs a program, and so does a name with a slash at its start. */
    const bool is_run = is_named && input->name[0] == '/' &&
                        strncmp(foreign->remedy, "./", 2) == 0;
    fill_in(remedy, sizeof remedy, foreign->remedy + (is_run ? 2 : 0),
            is_named ? input->name : "FILE");
    put_type(remedy, sizeof remedy, input);
    return error_named(e, ERROR_USAGE, input->name,
                       "%s %s, which gpureduce does not read\n"
                       "Try %s%s\n"
                       "-f %s reads it as it is.",
                       is_packed ? "holds" : "is", foreign->what,
                       is_packed ? "unpacking it; then " : "", remedy,
                       foreign->is_text ? "csv" : "raw");
}
