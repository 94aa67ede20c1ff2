# SPDX-License-Identifier: MIT
"""Files of other formats are recognised by their first bytes and refused, with
a remedy that works as typed."""

import bz2
import io
import json
import lzma
import os
import pickle
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import wave
import zipfile
from fractions import Fraction

import pytest

from harness import BINARY, fails, ok, run

# Remedies must use the python3 that runs the tests, which has the modules.
PATH = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]
FLATBUFFER = (b"\xff\xff\xff\xff\x80\0\0\0\x10\0\0\0\0\0\x0a\0\x0c\0\x06\0"
              b"\x05\0\x08\0\x0a\0\0\0\0\1\4\0")
BINARY_HEADS = {
    "Parquet": b"PAR1\x15\x04\x15\x10", "Arrow file": b"ARROW1\0\0\xff\xff",
    "Feather": b"FEA1\0\0\0\0", "Arrow stream": FLATBUFFER,
    "ORC": b"ORC\n\x06\x12\x04\x08\x03", "Avro": b"Obj\x01\x04\x16avro",
    "HDF5": b"\x89HDF\r\n\x1a\n\0", "NetCDF": b"CDF\x01\0\0\0\0",
    "a NetCDF": b"CDF\x02\0\0\0\0", "NetCDF file": b"CDF\x05\0\0\0\0",
    "FITS": b"SIMPLE  =                    T" + b" " * 50,
    "MATLAB file": b"MATLAB 5.0 MAT-file, Platform: GLNXA64" + b" " * 90,
    "MATLAB 7.3": b"MATLAB 7.3 MAT-file, Platform: GLNXA64" + b" " * 90,
    "GGUF": b"GGUF\3\0\0\0", "pickle": pickle.dumps([1.5] * 9, 4),
    "Python pickle": pickle.dumps([1.5] * 9, 5),
    "a Python pickle": pickle.dumps([1.5] * 9, 2),
    "Python pickle (": pickle.dumps({"a": 1}, 3),
    "pickle (": pickle.dumps(Fraction(1, 3), 2),
    "pickle (load": pickle.dumps(0x1950a86a20f9469cfc6c, 2),  # as old torch
    "WAV": b"RIFF\x24\x08\0\0WAVEfmt ", "PNG": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "WAV file": b"RF64\xff\xff\xff\xffWAVEds64",
    "JPEG": b"\xff\xd8\xff\xe0\0\x10JFIF", "TIFF": b"II*\0\x08\0\0\0",
    "JPEG image": b"\xff\xd8\xff\xe1\0\x18Exif",
    "TIFF image": b"MM\0*\0\0\0\x08",
    "PDF": b"%PDF-1.7\n%\xe2\xe3", "ELF": b"\x7fELF\x02\x01\x01\0",
    "Excel 97": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",
    "bzip2": bz2.compress(b"1\n2\n"), "lz4": b"\x04\x22\x4d\x18\x64\x40",
    "xz": lzma.compress(b"1\n2\n"),
    "an R object": b"X\n\0\0\0\3\0\4\1\2", "R object": b"X\n\0\0\0\2\0\3\6\3",
    "R workspace": b"RDX3\nX\n\0\0\0\3", "an R workspace": b"RDX2\nX\n\0\0\0\2",
    "Stata": b"<stata_dta><header><release>118", "SPSS": b"$FL2@(#) SPSS",
    "SAS": bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\0\x09\xc7",
    "BAM": b"BAM\1\x10\0\0\0",
    "7z": b"7z\xbc\xaf\x27\x1c\0\4", "SQLite": b"SQLite format 3\0\x10\0",
}
TEXT_HEADS = {
    "JSON array of numbers": ["[1, 2.5, 3]", "[ -1e3,\n2]", "[7]\n",
                              "[null, 1]", "[true,false]\n", "[NaN, 1]",
                              "[-Infinity,1]"],
    "JSON array of arrays": ["[[1,2],[3,4]]", "\n [ [1,2]]"],
    "is JSON": ['{"a": 1}\n{"a": 2}\n', '[{"a": 1}]', '\ufeff{ "a": [1]}',
                "{}\n", '["a", 1]\n'],
    "XML": ['<?xml version="1.0"?>\n<a>1</a>', "<!DOCTYPE svg>",
            "<a>1</a>\n", "<svg/>\n", "<!-- c -->\n<a>1</a>",
            "<r>\n <x>1</x>\n</r>", '<r v="1"><x>1</x></r>',
            "<a b='1'>\r\n<c/></a>"],
    "HTML": ["<!doctype html><p>1", "\n<table><tr><td>1", "<HTML>"],
    "PostgreSQL": ["COPY t (a, b) FROM stdin;\n1\t2\n\\.\n",
                   "copy t from stdin with (delimiter ';');\n1;2\n\\.\n",
                   "--\n-- PostgreSQL database dump\n--\n\nSET x = 0;\n\n"
                   "COPY public.t (a) FROM stdin;\n1\n\\.\n",
                   "--\n-- PostgreSQL database dump\n--\n\nSET x = 0;\n"
                   "CREATE TABLE t (a int);\n"],
    "SQL": ["INSERT INTO t VALUES (1,2);\n", "insert into t (a) values\n(1)",
            "-- MySQL dump 10.13\n/*!40101 SET NAMES utf8 */;\n"
            "DROP TABLE IF EXISTS `t`;\nINSERT INTO `t` VALUES (1);\n",
            "--\n-- PostgreSQL database dump\n--\n\nSET x = 0;\n"
            "INSERT INTO public.t VALUES (1);\n",
            "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n",
            "SET NAMES utf8mb4; \r\nSET a = 0;\r\n", "set a to 1;\nset b to 2;\n",
            "BEGIN;\nCREATE TABLE t (a int);\n", "begin; \n\nSET a = 1;\n",
            "SET x ON\nGO\nINSERT t VALUES (1);\n", "COPY t FROM '/f';\nEND;\n",
            "PRAGMA foreign_keys=OFF;\r\nBEGIN TRANSACTION;\r\n"],
    "mysql draws": ["+----+----+\n| a  | b  |\n+----+----+\n| 1  | 2 |\n",
                    "+---+\r\n| a |\r\n"],
    "psql draws": [" a | b \n---+---\n 1 | 2\n(1 row)\n",
                   "-[ RECORD 1 ]\na | 1\n"],
    "drawn with lines": ["\u250c\u2500\u2500\u2510\n", "\u256d\u2500\u256e\n"],
    "line under its header": ["  JobID   State\n------- -------\n1  DONE\n",
                              "a\tb\n---\t---\n1\t2\n"],
}
NOT_FOREIGN = [
    "PAR1,PAR2\n1,2\n", "ORCID,n\n1,2\n", "GGUF\n1\n", "RDX3\n1\n", "[1] 5\n",
    "[2024-01-03] 5\n", "<DATE>,<OPEN>\n1,2\n", "<DATE>\t<OPEN>\n1\t2\n",
    "<x>\n1\n", "<low>\n<low>\n1\n", "<b>x</b>,1\n<b>y</b>,2\n",
    "<http://a.b/>,5\n<http://c.d/>,6\n", "<p>,</p>\n1,2\n", "<NA>\n<NA>\n1\n", "[null],5\n[7],6\n", "<a,1\n<b,2\n", "set,b\n1,2\n",
    "copy,b\n1,2\n", "begin;end\n1;2\n",
    "Begin;End;Name\n1;2;a\n3;4;\n", "set id;value;\n1;2;\n", "Copy n;b\n1;\n",
    "a\n-\n1\n", "a\n---\n1\n", "a,b\n--,2\n", "a b\n- -\n1 2\n", "+1,2\n", "-1\n", "II*\n",
    "insert,b\n1,2\n", "set a,b\n1,2\n", "a b\n   \n1 2\n", "{a},b\n1,2\n",
    "<a>b>\n1\n", "xy>1</x>\n1\n", "<1>2</1>\n3\n", "<low>\n<low>",
    "+--+\n1\n", "+----\n1\n", "+--x+\n1\n", "a\n---+\n1\n"]


@pytest.mark.parametrize("what", BINARY_HEADS)
def test_binary_formats_are_refused(put, what):
    head = BINARY_HEADS[what] + bytes(5000)
    for name in "d.bin", "data", "d.f32", "d.csv":
        err = fails(2, put(name, head), says=[what, f"{name}'", "\nTry "])
        assert "which gpureduce does not read\n" in err
    err = fails(2, "-t", "u8", stdin=head, says=[what, "FILE"])
    fails(2, "-f", "csv", "--header", "no", stdin=head, says=[what, "FILE"])
    assert run("-f", "raw", "-t", "u8", "-o", "sum", put("d", head)).out == \
        f"{sum(head)}\n"


# Where a row changes FLATBUFFER, and to what, so that it is still a message.
ARROW = [
    {14: b"\0\0\x08\0\x0c\0\x06\0\x05\0\x08"},  # a table of the least fields
    {14: b"\x10"},                     # and of the most
    {20: b"\4", 28: b"\1"},            # the type is the first byte it may be
    {8: b"\x28", 38: FLATBUFFER[14:24], 48: b"\x0a\0\0\0\0\1"}]


@pytest.mark.parametrize("others", ARROW)
def test_arrow_streams(put, others):
    """The last one's table is as far from its start as is accepted."""
    data = bytearray(FLATBUFFER.ljust(80, b"\0"))
    for at, piece in others.items():
        data[at:at + len(piece)] = piece
    fails(2, "-t", "u8", put("d", data), says="is an Arrow stream")


@pytest.mark.parametrize("what, head", [
    ("a PDF", b"%PDF-"), ("a WAV", b"RIFF\4\0\0\0WAVE"), ("a program", b"\x7fELF"),
    ("a Python pickle", pickle.dumps({1: 2}, 2)),
    ("an Arrow stream", FLATBUFFER.ljust(80, b"\0")),
    ("bzip2 data", bz2.compress(b"1\n")[:10])])
def test_files_that_end_after_what_tells_them(put, what, head):
    fails(2, "-t", "u8", put("d", head), says=f"is {what}")


@pytest.mark.parametrize("name, args, more", [
    ("k.i32.xz", [], " -t i32"), ("k.BOOL.xz", [], " -t bool"),
    ("k.csv.xz", [], ""), ("k.xz", ["-t", "i64"], " -t i64"), ("k.xz", [], "")])
def test_a_pipe_has_no_suffix(put, name, args, more):
    path = put(name, lzma.compress(bytes(8)))
    fails(2, *args, path, says=f"\nTry xz -dc {path} | gpureduce{more}\n")


@pytest.mark.parametrize("what", TEXT_HEADS)
def test_texts_that_are_no_tables_are_refused(put, what):
    for text in TEXT_HEADS[what]:
        for name in "d.csv", "d.txt":
            fails(2, put(name, text.encode()), says=[what, "-f csv"])
        result = run("-f", "csv", put("d", text.encode()), "-o", "sum")
        assert "does not read" not in result.err, result


@pytest.mark.parametrize("args", [
    ["--comment", "-", "-c", "a"],
    ["--skip-lines", "2", "--header", "no", "-c", "1"],
    ["--skip-lines", "1", "--header", "yes", "-c", "1"]])
def test_a_start_that_an_option_skips(put, args):
    path = put("d", TEXT_HEADS["line under its header"][1].encode() + b"3\t4\n")
    assert ok(*args, "-o", "sum", path) == "4\n"


def test_a_table_that_starts_like_a_format(put):
    """-f csv reads it if it has no control characters."""
    path = put("d", b"%PDF-,b\n1,2\n")
    fails(2, "-o", "sum", path, says="is a PDF file")
    assert ok("-f", "csv", "-c", "b", "-o", "sum", path) == "2\n"


@pytest.mark.parametrize("text", NOT_FOREIGN)
def test_texts_with_a_similar_start(put, text):
    result = run(put("d.csv", text.encode()), "-o", "sum")
    assert "does not read" not in result.err, result


# Where a row changes FLATBUFFER, and to what. The result is not a message.
NOT_BINARY = [
    {4: b"\x81"},                   # the length is not a multiple of 8
    {5: b"\0\x0a", 12: b"\x05", 24: b"\x12"},  # fields before the message
    {14: b"\x06"}, {14: b"\x12"},  # the fields are too few, too many
    {20: b"\x20", 56: b"\1"},       # its type is outside the table
    {29: b"\2"},                    # it is not a schema
    {0: b"\x80\4\x95\0\0\0\0\1"},  # a pickle's frame of 4 GiB
    {0: b"\x80\2cO1d"},             # no name of a Python module
    {0: b"\x80\2c1os"}, {0: b"\x80\2cos1"},
    {8: b"\x12", 16: FLATBUFFER[14:28], 31: b"\1"},  # a table at 2 modulo 4
    {8: b"\x2c", 42: FLATBUFFER[14:28], 57: b"\1"}]  # a table too far away


@pytest.mark.parametrize("others", NOT_BINARY)
def test_raw_data_with_a_similar_start(put, others):
    data = bytearray(FLATBUFFER + bytes(80))
    for at, piece in others.items():
        data[at:at + len(piece)] = piece
    assert ok("-t", "u8", "-o", "sum", put("d", data)) == f"{sum(data)}\n"


@pytest.mark.parametrize("count", [4, 64, 4096])
def test_random_data_is_not_foreign(rng, put, count):
    """With -t, since a few bytes may well look like text."""
    for data in [rng.bytes(count) for _ in range(50)] + [b"[[", b'{"', b"[1,"]:
        path = put("d.u8", data)
        assert run("-t", "u8", path, "-o", "sum").out == f"{sum(data)}\n"


def test_file_names_that_need_quoting_stay_out_of_the_remedy(put, tmp_path):
    """So do names that are too long."""
    for name in "a b.json", "$(date).json", "a'b.json", "a\tb", "a" * 250:
        err = fails(2, "--", put(name, b"[1,2]"), says="jq '.[]' FILE | ")
        assert "\t" not in err
    for name in "-a.json", "./a.json":
        put(name, b"[1,2]")
        file = "FILE" if name[0] == "-" else name
        fails(2, "--", name, cwd=tmp_path, says=f"jq '.[]' {file} | ")
    for bytes_ in 255, 256:
        path = put("a" * (bytes_ - len(str(tmp_path)) - 1), b"[1,2]")
        assert len(path) == bytes_
        file = path if bytes_ == 255 else "FILE"
        fails(2, path, says=f"jq '.[]' {file} | ")


def test_a_program_is_run_by_its_name(put, tmp_path):
    path = put("p", b"\x7fELF\2")
    for name, command in ("p", "./p"), (path, path), ("./p", "././p"):
        fails(2, name, cwd=tmp_path, says=f"\nTry {command} | gpureduce -f csv ")


def test_foreign_data_within_compressed_data(put):
    import gzip
    path = put("t.sqlite.gz", gzip.compress(BINARY_HEADS["SQLite"]))
    fails(2, path, says=["holds an SQLite database", "unpacking it; then",
                         "FILE"])
    path = put("twice.gz", gzip.compress(gzip.compress(b"1")))
    fails(2, path, says="holds gzip data")


def archive(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for name, content in members.items():
            z.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize("members,what", [
    ({"[Content_Types].xml": "x", "xl/workbook.xml": "x"}, "Excel workbook"),
    ({"xl/workbook.xml": "x", "b": "x"}, "Excel workbook"),
    ({"_rels/.rels": "x", "b": "x"}, "Excel workbook"),
    ({"docProps/app.xml": "x", "b": "x"}, "Excel workbook"),
    ({"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
      "content.xml": "x"}, "OpenDocument"),
    ({"model/data.pkl": "x", "model/data/0": "x"}, "PyTorch"),
    ({"m/data.pkl": "x", "m/data/0": "x"}, "PyTorch")])
def test_archives_of_other_programs(put, members, what):
    path = put("book.zip", archive(members))
    fails(2, path, says=[what, "\nTry "])
    assert ok("-f", "raw", "-t", "u8", "-o", "count",
              f"{path}:{list(members)[-1]}")


def wav(path):
    with wave.open(path, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(8000)
        out.writeframes(b"\0\x40" * 6)      # half of full scale, six times


def tar(path):
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as out:
        info = tarfile.TarInfo("NAME")
        info.size = 8
        out.addfile(info, io.BytesIO(b"1\n2\n0\n0\n"))


def sqlite(path):
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE NAME (x, y)")
        db.executemany("INSERT INTO NAME VALUES (?, 0)", [(1,), (2,)])
    db.close()


def frame(method, **more):
    def write(path):
        pandas = pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
        if method == "to_excel":
            pytest.importorskip("openpyxl")
        getattr(pandas.DataFrame({"x": [1, 2]}), method)(path, **more)
    return write


def arrow_stream(path):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"x": [1, 2]})
    with pyarrow.ipc.new_stream(path, table.schema) as out:
        out.write_table(table)


def numpy_file(module, write):
    def make(path):
        import numpy
        write(pytest.importorskip(module), path, numpy.array([1.0, 2.0]))
    return make


def hdf5(h5py, path, array):
    with h5py.File(path, "w") as out:
        out["NAME"] = array


def netcdf(scipy_io, path, array):
    with scipy_io.netcdf_file(path, "w") as out:
        out.createDimension("n", 2)
        out.createVariable("NAME", "f8", ("n",))[:] = array


def image(pil, path, array):
    pil.fromarray(array.astype("u1").reshape(1, 2)).save(path)


def avro(fastavro, path, array):
    with open(path, "wb") as out:
        fastavro.writer(out, {"type": "record", "name": "r", "fields": [
            {"name": "x", "type": "double"}]}, [{"x": x} for x in array])


def text(content):
    return lambda path: open(path, "w", encoding="utf-8").write(content)


def binary(content):
    return lambda path: open(path, "wb").write(content)


# A function that makes each file, and the sum that the remedy must give.
REMEDIES = {
    "a.parquet": (frame("to_parquet"), 3),
    "a.feather": (frame("to_feather"), 3),
    "a.orc": (frame("to_orc"), 3),
    "a.arrows": (arrow_stream, 3),
    "a.avro": (numpy_file("fastavro", avro), 3),
    "a.xlsx": (frame("to_excel", index=False), 3),
    "a.pkl": (lambda path: binary(pickle.dumps([1, 2]))(path), 3),
    "a.h5": (numpy_file("h5py", hdf5), 3),
    "a.nc": (numpy_file("scipy.io", netcdf), 3),
    "a.mat": (numpy_file("scipy.io", lambda io_, path, a:
                         io_.savemat(path, {"NAME": a})), 3),
    "a.png": (numpy_file("PIL.Image", image), 3),
    "a.tiff": (numpy_file("PIL.Image", image), 3),
    "a.sqlite": (sqlite, 3),
    "a.wav": (wav, 3),
    "a.tar": (tar, 3),
    "a.bz2": (binary(bz2.compress(b"x\n1\n2\n")), 3),
    "a.xz": (binary(lzma.compress(b"x\n1\n2\n")), 3),
    "a.json": (text('[{"x": 1, "s": "a"}, {"x": 2}]'), 3),
    "b.json": (text("[1, 2]"), 3),
    "c.json": (text("[[1, 0], [2, 0]]"), 3),
    "d.json": (text(json.dumps({"x": 1}) + "\n" + json.dumps({"x": 2})), 3),
    "a.html": (text("<table><tr><th>x</th></tr><tr><td>1</td></tr>"
                    "<tr><td>2</td></tr></table>"), 3),
    "a.xml": (text("<?xml version='1.0'?><r><n><x>1</x></n><n><x>2</x></n>"
                   "</r>"), 3),
    "copy.sql": (text("SET a = 1;\nCOPY t (x, y) FROM stdin;\n1\t0\n2\t\\N\n"
                      "\\.\n\nSELECT 5;\n"), 3),
    "insert.sql": (text("INSERT INTO t (x, y) VALUES (1,'a'),(2,'b');\n"), 3),
    "lines.sql": (text("CREATE TABLE t (\n a int(11)\n);\n  INSERT INTO t "
                       "(x, y)\n VALUES\n (1,'a'),\n (1,'b');\n"
                       "Insert into t values (1,'c');\n"
                       "CREATE TABLE u (a int(3));\n"), 3),
    "ruled.txt": (text("x y\n-- --\n1 a\n2 b\n"), 3),
}


@pytest.mark.parametrize("name", REMEDIES)
def test_remedies_work_as_typed(tmp_path, name):
    make, want = REMEDIES[name]
    make(str(tmp_path / name))
    err = run(name, cwd=tmp_path).err
    remedy = re.search(r"^Try (.*gpureduce.*)$", err, re.M).group(1)
    module = re.search(r"import sys, (.*?);", remedy)
    for needed in module.group(1).split(", ") if module else []:
        pytest.importorskip(needed)
    tool = remedy.split()[0]
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed: its remedy is not tried")
    (tmp_path / "bin").mkdir()
    os.symlink(BINARY, tmp_path / "bin" / "gpureduce")
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {remedy} -o sum"], cwd=tmp_path,
        capture_output=True, text=True, timeout=120,
        env={**os.environ, "PATH": f"{tmp_path}/bin:{PATH}"})
    print(done.stderr)
    assert done.returncode == 0, (remedy, done)
    values = [float(x) for x in re.findall(r"(?:^|\t)([\d.]+)$", done.stdout,
                                           re.M)]
    assert want in values, (remedy, done)
