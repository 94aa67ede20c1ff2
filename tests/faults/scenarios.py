# SPDX-License-Identifier: MIT
"""The runs of inject.py: {name: (arguments, standard input, expected output)}.
The expected output is computed here, from how the data are made."""

import fractions
import gzip
import io
import math
import os
import struct
import subprocess
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
PROGRAM = os.path.abspath(os.environ.get(
    "GPUREDUCE", os.path.join(ROOT, "build", "gpureduce")))
# The program with a GPU that is a fake; no scenarios of it without one.
FAKE = os.environ.get("GPUREDUCE_FAKE")
# The same GPU with memory for the slots of two workers of gpu-little, but not
# for the columns of both.
LITTLE, LITTLE_BYTES = "fake:0", str(5 * ((16 + 64 + 4) << 10))
OPS = ["count", "sum", "prod", "max", "argmin", "argmax", "sumsq", "l1", "any",
       "nunique", "mode_count", "approx_nunique"]


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def elements(count, seed):
    """Returns whole numbers, so that every sum is exact. Few have magnitude 2,
    so that the product is exact, too."""
    data = [(i * 7919 + seed) % 3 - 1 for i in range(count - 12)]
    return [x if x else 1 for x in data] + [2, -2] * 6


def expected(data):
    product = 1
    for x in data:
        product *= x
    return [len(data), sum(data), product, max(data), data.index(min(data)),
            data.index(max(data)), sum(x * x for x in data),
            sum(map(abs, data)), 1, len(set(data)),
            max(map(data.count, set(data))), len(set(data))]


def lines(data):
    return "".join("%s\t%d\n" % row for row in zip(OPS, expected(data)))


def pack(data, order="<"):
    return struct.pack("%s%df" % (order, len(data)), *data)


def fortran(data, rows):
    """Returns an .npy file of a matrix in Fortran order, with data as its flat
    order."""
    columns = len(data) // rows
    header = ("{'descr': '<f4', 'fortran_order': True, 'shape': (%d, %d), }\n"
              % (rows, columns)).encode()
    stored = [data[r * columns + c] for c in range(columns)
              for r in range(rows)]
    return (b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header
            + pack(stored))


def as_text(data):
    """Returns a table of three columns. The middle one is quoted text with
    line ends; the last one has missing values among data."""
    rows = ["price,\"a, \"\"b\"\"\",size\r\n"]
    for i, x in enumerate(data):
        rows.append("%d,\"%s\n,\"\"x\",%s\n" % (
            x, "y" * (i % 40), "NA" if i % 3 else " \"%d\"" % x if i % 2
            else "%d.0e%s0" % (x, "0" * (0 if i % 97 else i % 400))))
    return "".join(rows).replace(" \"", "\"").encode()


def text_lines(data):
    rows = ["column\t" + "\t".join(OPS) + "\n"]
    for name, step in ("price", 1), ("size", 3):
        values = data[::step]
        want = expected(values)
        for at in OPS.index("argmin"), OPS.index("argmax"):
            want[at] *= step
        rows.append(name + "\t" + "\t".join(map(str, want)) + "\n")
    return "".join(rows)


# Columns whose states allocate memory, for a sum and for integers that f64
# cannot hold; and one of subnormal numbers.
SPREAD = (b"a,b,c\n" + b"1e200,9007199254740993,5e-324\n" * 300
          + b"-1e200,-9007199254740993,5e-324\n" * 300 + b"7,7,0\n")
SPREAD_LINES = ("column\tsum\tmax\na\t7\t1e+200\n"
                "b\t7\t9007199254740993\nc\t%r\t5e-324\n" % (600 * 5e-324))


def members(data, size):
    """Returns a gzip file of many members."""
    return b"".join(gzip.compress(data[i:i + size], 1)
                    for i in range(0, len(data), size))


def tensors(data):
    """Returns a safetensors file with one tensor."""
    header = ('{"w":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]}}'
              % (len(data), 4 * len(data))).encode()
    return struct.pack("<Q", len(header)) + header + pack(data)


def stored(data):
    """Returns a zstd frame whose blocks are stored."""
    out = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data))
    for at in range(0, len(data), 100000):
        block = data[at:at + 100000]
        head = (at + 100000 >= len(data)) | len(block) << 3
        out += struct.pack("<I", head)[:3] + block
    return out


KEYS = 7  # of the groups


def grouped(data, title="k\tcount(x)\tsum(x)"):
    """Returns what --by, or --keys, prints for keys 0 to KEYS - 1 in turn."""
    return title + "\n" + "".join("%d\t%d\t%d\n" % (
        k, len(data[k::KEYS]), sum(data[k::KEYS])) for k in range(KEYS))


def added(folder, file):
    """Returns scenarios of the larger parts of the program: what is grouped,
    ordered, along an axis, of states, and on a GPU that is a fake."""
    data = elements(KEYS * 4285, 9)
    x = file("groups.f32", pack(data))
    k = file("keys.u8", bytes(i % KEYS for i in range(len(data))))
    many = file("many.u8", bytes(i % KEYS for i in range(131072)))
    g = file("groups.csv", b"k,x\n" + b"".join(
        b"%d,%d\n" % (i % KEYS, v) for i, v in enumerate(data)))
    t = file("w.safetensors", tensors(data))
    ranked = sorted(data)
    middle = "median\t%d\np10\t%d\n" % (
        ranked[len(data) // 2], ranked[len(data) // 10])
    totals = "count\t%d\nsum\t%d\n" % (len(data), sum(data))
    cpu = ["--device", "cpu", "-j", "2", "--chunk-size", "16K"]
    by = ["-o", "count,sum", "--by", "k"]
    found = {
        "safetensors": (["-o", "count,sum", *cpu, t], None,
                        "name\tcount\tsum\nw\t%d\t%d\n"
                        % (len(data), sum(data))),
        "by": (by + cpu + [g], None, grouped(data)),
        "by-computed": (["-o", "count,sum", "-e", "h=k", "--by", "h", "-c", "x",
                         *cpu, g], None,
                        grouped(data, "h\tcount(x)\tsum(x)")),
        "by-many": (["-o", "count", "--by", "k", *cpu, "-f", "csv"],
                    b"k,x\n" + b"".join(b"%d,1\n" % i for i in range(1500)),
                    "k\tcount(x)\n" + "".join("%d\t1\n" % i
                                              for i in range(1500))),
        "keys": (["-o", "count,sum", "--keys", k, *cpu, x], None,
                 grouped(data, "key\tcount\tsum")),
        "axis": (["-o", "count,sum", "--axis", "0", "--shape", "5999,5", *cpu,
                  x], None, "axis1\tcount\tsum\n" + "".join(
                      "%d\t5999\t%d\n" % (i, sum(data[i::5]))
                      for i in range(5))),
        # so many outputs that threads make their text
        "axis-printed": (["-o", "max", "--axis", "1", "--shape", "131072,1", *cpu,
                          many], None, "".join("%d\n" % (i % KEYS)
                                               for i in range(131072))),
        "quantiles": (["-o", "median,p10", *cpu, x], None, middle),
        "quantiles-csv": (["-o", "median,p10", "-c", "x", *cpu, g], None,
                          middle),
    }
    states = []
    for name in ("first.state", "second.state"):
        states.append(os.path.join(folder, name))
        subprocess.run([PROGRAM, *by, *cpu, "--save-state", states[-1], g],
                       check=True)
    found["merge"] = (["-q", "--merge", *states], None, grouped(2 * data))
    found["save"] = ([*by, *cpu, "--save-state", states[0] + "2", g], None, "")
    if b"ZSTD_" in contents(PROGRAM):
        z = file("groups.f32.zst", 3 * stored(pack(data)))
        found["zstd"] = (["-o", "count,sum", *cpu, z], None, "count\t%d\nsum"
                         "\t%d\n" % (3 * len(data), 3 * sum(data)))
    if FAKE:
        gpu = ["--device", "fake", *cpu[2:]]
        found["gpu"] = (["-o", "count,sum", *gpu, x], None, totals)
        found["gpu-axis"] = (["-o", "count,sum", "--axis", "0", "--shape",
                              "35,857", *gpu, x], None, "axis1\tcount\tsum\n"
                             + "".join("%d\t35\t%d\n" % (
                                 i, sum(data[i::857])) for i in range(857)))
        found["gpu-csv"] = (["-o", "count,sum", "-c", "x", *gpu, g], None,
                            totals)
        found["gpu-little"] = (["-o", "count,sum", "-c", "x", "--device",
                                LITTLE, *cpu[2:], g], None, totals)
    return found


SHORT_TEXT = b'"a ""b\n"\r\n' + b'1,\r\n"2"\n 3.0 \n'.replace(b",", b"") * 50


def npy(values):
    """Returns the .npy file of a vector of f64, as text of bytes."""
    values = list(values)
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % (
        len(values))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return (b"\x93NUMPY\1\0" + struct.pack("<H", len(header))
            + header.encode() + struct.pack("<%dd" % len(values), *values)
            ).decode("latin-1")


def archive(data, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        file.writestr("matrix.npy", data)
    return out.getvalue()


def rows_of(title, rows):
    return "\t".join(title) + "\n" + "".join(
        "\t".join(map(str, row)) + "\n" for row in rows)


def more(folder, file):
    """Returns scenarios of many files, conditions, computed columns, pairs,
    texts, rows along an axis, other outputs and parts of a fake GPU's work."""
    data = elements(KEYS * 857, 12)
    columns = [data[k::KEYS] for k in range(KEYS)]
    cpu = ["--device", "cpu", "-j", "2", "--chunk-size", "4K"]
    both = ["-o", "count,sum"]
    x = file("more.f32", pack(data))
    g = file("more.csv", b"k,x\n" + b"".join(
        b"%d,%d\n" % (i % KEYS, v) for i, v in enumerate(data)))
    b = file("blanks.csv", b"k  x\n" + b"".join(
        b"%d \t %d,0\n" % (i % KEYS, v) for i, v in enumerate(data)))
    s = file("groups-of-3.csv", "".join(
        "%d;%s\n" % (i % KEYS, f"{1000 * v:,}")
        for i, v in enumerate(data)).encode())
    names = ["key%03d" % i for i in range(40)]
    texts = [(names[i % 40], "t" * (1 + i % 50)) for i in range(600)]
    t = file("named.csv", b"k,x\n" + "".join(
        "%s,%s\n" % row for row in texts).encode())
    parts = [file("part%02d.f32" % i, pack(data[i::16])) for i in range(16)]
    pages = [file("page%02d.csv" % i, b"k,x\n" + b"".join(
        b"%d,%d\n" % (k % KEYS, data[k]) for k in range(i, len(data), 16)))
             for i in range(16)]
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as out:
        for i in range(5):
            out.writestr("m%d.npy" % i, fortran(data[i * 900:i * 900 + 900],
                                                30))
    n = file("five.npz", whole.getvalue())
    each = [("m%d" % i, 900, sum(data[i * 900:i * 900 + 900]))
            for i in range(5)]
    u = file("more.csv.gz", members(contents(g), 5000))
    states = []
    for i, part in enumerate(parts):
        states.append(os.path.join(folder, "part%02d.state" % i))
        subprocess.run([PROGRAM, *both, "--save-state", states[-1], part],
                       check=True)
    totals = "count\t%d\nsum\t%d\n" % (len(data), sum(data))
    middle = "%d\n" % sorted(data)[len(data) // 2]
    kept = [(i % KEYS, v) for i, v in enumerate(data) if i % KEYS > 2 and v]
    picked = rows_of(["column", "count", "sum"], [
        (name, len(kept), sum(row[at] for row in kept))
        for at, name in enumerate("kx")])
    ends = rows_of(["k", "rows", "nunique(x)", "first(x)", "last(x)"], [
        (name, 15, len(set(texts[i::40])), texts[i][1], texts[560 + i][1])
        for i, name in enumerate(names)])
    lanes = rows_of(["axis1", "count", "sum"], [
        (k, 857, sum(lane)) for k, lane in enumerate(columns)])
    wide = rows_of(["axis1", "count", "sum"], [
        (i, KEYS, sum(data[i::857])) for i in range(857)])
    # Of keys 0 to 6 in turn: their mean is 3.
    cov = fractions.Fraction(sum((i % KEYS - 3) * v for i, v in
                                 enumerate(data)), len(data) - 1)
    end = [min(data), (min(data) + max(data)) / 2, max(data)]
    matrix = [data[i * KEYS:i * KEYS + KEYS] for i in range(857)]
    found = {
        "files-16": (["-q", *both, *cpu, *parts], None, totals),
        "files-16-each": (
            [*both, "--per-file", *cpu, *parts], None,
            rows_of(["file", "count", "sum"],
                    [(part, len(data[i::16]), sum(data[i::16]))
                     for i, part in enumerate(parts)])),
        "files-16-by": ([*both, "--by", "k", *cpu, *pages], None,
                        grouped(data)),
        "merge-16": (["-q", "--merge", *states], None, totals),
        "npz-5": ([*both, *cpu, n], None,
                  rows_of(["name", "count", "sum"], each)),
        "gzip-by": ([*both, "--by", "k", *cpu, u], None, grouped(data)),
        "where": ([*both, "--where", "k > 2 && x != 0", *cpu, g], None,
                  picked),
        "let": ([*both, "-e", "y=x*2+k", "-c", "y", *cpu, g], None,
                "count\t%d\nsum\t%d\n" % (
                    len(data), 2 * sum(data) + 857 * 21)),
        "blanks": ([*both, "-d", "blank", "--decimal", ",", "-c", "x", *cpu,
                    b], None, totals),
        "thousands": ([*both, "-d", ";", "--thousands", ",", "--header", "no",
                       "-c", "2", *cpu, s], None,
                      "count\t%d\nsum\t%d\n" % (
                          len(data), 1000 * sum(data))),
        "pairs": (["-o", "cov", "-c", "k,x", *cpu, g], None,
                  "%r\n" % float(cov)),
        "histogram": (["-o", "histogram", "--range=-3,3", "--bins", "3",
                       *cpu, x], None, rows_of(["low", "high", "count"], [
                           ("-inf", -3, 0),
                           (-3, -1, sum(v < -1 for v in data)),
                           (-1, 1, sum(-1 <= v < 1 for v in data)),
                           (1, 3, sum(v >= 1 for v in data)),
                           (3, "inf", 0)])),
        # Twice over the data, since the first time finds the range; then both
        # again. On one thread the program calls malloc in the same order each
        # time, so one number always fails the same call.
        "histogram-by": (
            ["--verify", "-o", "histogram", "--bins", "2", "-c", "x", "--by", "k",
             *cpu, "-j", "1", g],
            None, rows_of(["k", "low", "high", "count"], [
                (k, "%g" % end[i], "%g" % end[i + 1],
                 sum((v >= end[1]) == i for v in lane))
                for k, lane in enumerate(columns) for i in range(2)])),
        "texts-by": (["-o", "rows,nunique,first,last", "-c", "x", "--by", "k",
                      *cpu, t], None, ends),
        "texts-unique": (["-o", "nunique", "-c", "k,x", *cpu, t], None,
                         "column\tnunique\nk\t40\nx\t50\n"),
        "median-by": (["-o", "median", "--by", "k", *cpu, g], None,
                      rows_of(["k", "median(x)"], [
                          (k, sorted(lane)[428])
                          for k, lane in enumerate(columns)])),
        "prod-by": (["-o", "prod", "--by", "k", *cpu, g], None,
                    rows_of(["k", "prod(x)"], [
                        (k, math.prod(lane)) for k, lane in enumerate(columns)])),
        "median-pipe": (["-o", "median", "-f", "csv", "-c", "x", *cpu],
                        contents(g), middle),
        "axis-rows": ([*both, "--axis", "1", "--shape", "857,7", *cpu, x],
                      None, rows_of(["axis0", "count", "sum"], [
                          (i, KEYS, sum(row))
                          for i, row in enumerate(matrix)])),
        "axis-median": (["-o", "median", "--axis", "0", "--shape", "857,7",
                         *cpu, x], None, "".join("%d\n" % sorted(lane)[428]
                                                   for lane in columns)),
        "axis-pipe": ([*both, "--axis", "0", "--shape", "857,7", "-t", "f32",
                       *cpu], contents(x), lanes),
        "axis-npy": (["-o", "sum", "--axis", "0", "--shape", "857,7", "-O",
                      "npy", *cpu, x], None, npy(map(sum, columns))),
        "json": (["-o", "sum", "-O", "jsonl", *cpu, x], None,
                 '{"rows":%d,"n":%d,"n_missing":0,"n_bad":0,"n_nan":0,'
                 '"sum":%d.0}\n' % (len(data), len(data), sum(data))),
        "compare-files": (["--compare", "-t", "f32", *cpu[2:], x, x], None,
                          "count\t%d\nmismatches\t0\nfirst_mismatch\t\n"
                          "max_abs\t0\nargmax_abs\t\nmax_rel\t0\n"
                          "argmax_rel\t\nrms\t0\nmax_ulp\t0\n"
                          % len(data)),
        # Lengths of the transfers: 1 to that of the data.
        "short-csv": ([*both, "-f", "csv", *cpu], SHORT_TEXT,
                      "count\t150\nsum\t300\n"),
        "short-gzip": ([*both, "-f", "csv", *cpu],
                       members(SHORT_TEXT, 300), "count\t150\nsum\t300\n"),
        "short-npy": ([*both, *cpu], fortran(data[:100], 5),
                      "count\t100\nsum\t%d\n" % sum(data[:100])),
    }
    if FAKE:
        gpu = ["--device", "fake", *cpu[2:]]
        found |= {
            "gpu-by": ([*both, "--by", "k", *gpu, g], None, grouped(data)),
            "gpu-where": ([*both, "--where", "k > 2 && x != 0", *gpu, g],
                          None, picked),
            "gpu-files": (["-q", *both, *gpu, *parts], None, totals),
            "gpu-lanes": ([*both, "--axis", "0", "--shape", "7,857", *gpu, x],
                          None, wide),
            "gpu-median": (["-o", "median", *gpu, x], None, middle),
        }
    return found


# The first of the largest values, in records of two lines.
LINE = '"line":100'
PLACED = ('{"column":"x","rows":1500,"n":1500,"n_missing":0,"n_bad":0,"n_nan":0,'
          '"argmax":{"index":49,"value":49.0,"file":"%s",' + LINE + '}}\n')
COMPARED = ("column,count,mismatches,first_mismatch,max_abs,argmax_abs,max_rel,"
            "argmax_rel,rms,max_ulp,line\n" + "".join(
                "%s,2100,0,,0,,0,,0,0,\n" % name for name in "kx"))
SUMS = "k\tsum(x)\tl1(x)\tsum(y)\tl1(y)\n"


def allocating(folder, file):
    """Returns scenarios of parts that ask for memory of their own, "memory ..."."""
    data = elements(KEYS * 300, 13)
    lanes = [data[k::KEYS] for k in range(KEYS)]
    cpu = ["--device", "cpu", "-j", "2", "--chunk-size", "4K"]
    x = file("memory.f32", pack(data))
    g = file("memory.csv", b"k,x\n" + b"".join(
        b"%d,%d\n" % (i % KEYS, v) for i, v in enumerate(data)))
    axis = ["--axis", "0", "--shape", "300,7", *cpu, x]
    fold = ["--reduce", "a+b", "--identity", "0", *cpu]
    long = file("long.u8", bytes(i % KEYS for i in range(600000)))
    head = b"{'descr': '|u1', 'fortran_order': False, 'shape': (600000,), }"
    array = b"\x93NUMPY\1\0v\0" + head.ljust(117) + b"\n" + contents(long)
    wide = file("wide.csv", b"x\n" + b"".join(
        b"%d\n" % (2**53 + 1 + 2 * (i % 5)) for i in range(900)))
    above = "9007199254740993." + "0" * 1200 + "1\n"  # of a half, so up
    quoted = "x,t\n" + "".join('%d,"\n"\n' % (i % 50) for i in range(1500))
    keys = file("many-keys.csv", b"k,x\n" + b"".join(
        b"%d,1\n" % i for i in range(5000)))
    apart = file("apart.csv", b"k,x,y\n" + b"".join(b"%d,%s,%s\n" % (
        i % KEYS, *2 * [(b"1e300", b"1", b"1e-300")[i % 3]]) for i in range(2100)))
    fields = ",".join("c%d" % i for i in range(70000)), ",".join(["1", "2"] * 35000)
    words = [file("words%d.csv" % i, text) for i, text in enumerate((
        b"k,x\n" + b"u,1\nv,2\n" * 20, b"x,k\n" + b"1,v\n" * 40))]
    spread = [(i * 7919) % 131071 for i in range(131071)]
    twice = file("spread.f64", struct.pack("<131071d", *spread))
    sampled = file("sampled.f32", 16 * pack(spread))
    state = os.path.join(folder, "median.state")
    subprocess.run([PROGRAM, "-o", "median", "-c", "k", *cpu, "--save-state", state,
                    keys], check=True)
    sums = os.path.join(folder, "sums.state")
    sum_by = ["-o", "sum,l1", "--by", "k", *cpu, apart]
    subprocess.run([PROGRAM, *sum_by, "--save-state", sums], check=True)
    found = {
        "axis-prod": (["-o", "prod", *axis], None, "".join(
            "%d\n" % math.prod(lane) for lane in lanes)),
        "axis-bins": (["-o", "histogram", "--range=-3,3", "--bins", "2", *axis], None,
                      "".join("%d\t%d\n" % (sum(v < 0 for v in lane),
                                            sum(v >= 0 for v in lane))
                              for lane in lanes)),
        "axis-npy": (["-o", "max", "-O", "npy", "--axis", "1", "--shape", "600000,1",
                      *cpu[:4], long], None, array.decode("latin-1")),
        "axis-turned": (["-o", "max", "-t", ">f4", *axis[:-1], file(
            "turned.f32", pack(data, ">"))], None, "".join(
                "%d\n" % max(lane) for lane in lanes)),
        "reduce": ([*fold, x], None, "%d\n" % sum(data)),
        # A 17th subtree, of one element, has no room beside the others.
        "reduce-odd": (["--reduce", "a+b", "--identity", "0", "-j", "1", file(
            "odd.u8", bytes(1 - i % 2 for i in range(2**17 - 1)))], None, "65536\n"),
        "reduce-by": ([*fold, "--by", "k", g], None, "k\treduce(x)\n" + "".join(
            "%d\t%d\n" % (k, sum(lane)) for k, lane in enumerate(lanes))),
        "wide": (["-o", "median,nunique", *cpu, wide], None,
                 "median\t%d\nnunique\t5\n" % (2**53 + 5)),
        "long-number": (["-o", "max", *cpu, "-f", "csv"], ("x\n" + above).encode(),
                        "9007199254740994\n"),
        "lines": (["-o", "argmax", "-O", "jsonl", *cpu, file(
            "quoted.csv", quoted.encode())], None, PLACED % (folder + "/quoted.csv")),
        "lines-gzip": (["-o", "argmax", "-O", "jsonl", *cpu, file(
            "quoted.csv.gz", gzip.compress(quoted.encode()))], None,
            PLACED % (folder + "/quoted.csv.gz")),
        "compare": (["--compare", "-O", "csv", *cpu[2:], g, g], None, COMPARED),
        "nunique-u8": (["-o", "nunique", *cpu[:4], long], None, "7\n"),
        "nunique-many": (["-o", "nunique", "-c", "k", *cpu, keys], None, "5000\n"),
        "by-many": (["-o", "sum", "--by", "k", *cpu, keys], None, "k\tsum(x)\n" +
                    "".join("%d\t1\n" % i for i in range(5000))),
        "by-apart": (sum_by, None, SUMS + "".join(
            "%d" % k + 4 * "\t1e+302" + "\n" for k in range(KEYS))),
        "corr-apart": (["-o", "corr", "--by", "k", *cpu, apart], None,
                       "k\tcorr(x,y)\n" + "".join("%d\t1\n" % k for k in range(KEYS))),
        "merge-apart": (["-q", "--merge", sums, sums], None, SUMS + "".join(
            "%d" % k + 4 * "\t2e+302" + "\n" for k in range(KEYS))),
        "part": (["-o", "count", "--part", "1/1", *cpu, keys], None,
                 "column\tcount\nk\t5000\nx\t5000\n"),
        "few": (["-o", "sum", "-c", "c7,c9", *cpu, file("few.csv", "\n".join(
            [fields[0], fields[1], fields[1], ""]).encode())], None,
            "column\tsum\nc7\t4\nc9\t4\n"),
        "kinds": (["-o", "nunique", "-c", "k", "--per-file", *cpu, *words], None,
                  "file\tnunique\n%s\t2\n%s\t1\n" % tuple(words)),
        "places": (["-o", "prod", "-c", "x", "--where", "k > 2", *cpu, g], None,
                   "%d\n" % math.prod(map(math.prod, lanes[3:]))),
        "median-twice": (["-o", "median", *cpu, twice], None, "65535\n"),
        "median-sampled": (["-o", "median", *cpu[:4], sampled], None, "65535\n"),
        "merge-median": (["-q", "--merge", state, state], None, "2499.5\n"),
    }
    if FAKE:
        found["gpu-shared"] = (["-o", "max", "--axis", "0", "--shape", "131071,1",
                                "--device", "fake", *cpu[2:], twice], None, "131070\n")
    return {"memory " + name: scenario for name, scenario in found.items()}


def scenarios(folder):
    """Returns {name: (arguments, standard input, expected output)}. Standard
    input is bytes for a pipe or the path of a file."""
    def file(name, data):
        path = os.path.join(folder, name)
        with open(path, "wb") as out:
            out.write(data)
        return path

    large, small = elements(70001, 1), elements(1500, 2)
    huge = elements(300001, 4)  # over 1 MiB, so it may be mapped
    big = elements(40000, 3)
    ops = ["-o", ",".join(OPS), "--device", "cpu"]
    a = file("large.f32", pack(large))
    h = file("huge.f32", pack(huge))
    b = file("small.f32", pack(small))
    c = file("big", pack(big, ">"))
    matrix = elements(30000, 5)
    m = file("matrix.npy", fortran(matrix, 100))
    table = "file\t" + "\t".join(OPS) + "\n" + "".join(
        "%s\t%s\n" % (path, "\t".join(map(str, expected(data))))
        for path, data in ((a, large), (b, small)))
    chunks = ["--chunk-size", "128K", "-j", "2"]
    rows = elements(4000, 6)
    many = elements(60000, 7)  # over 1 MiB of text, so it may be mapped
    t = file("rows.csv", as_text(rows))
    u = file("many.csv", as_text(many))
    long = (b"1\n" * 40000 + b"\"" + b"0" * 200000 + b"3\"\n" + b"2\n" * 50000)
    v = file("long.csv", long)
    # Enough for several threads. Noise, so that it stays long when packed.
    noise = elements(150000, 8)
    packed = members(pack(noise), 40000) + bytes(100)
    packed = gzip.compress(os.urandom(400000), 1) + packed
    skip = ["--skip-bytes", "400000"]
    g = file("noise.f32.gz", packed)
    x = file("rows.csv.gz", gzip.compress(as_text(many)))
    y = file("stored.npz", archive(fortran(matrix, 100), zipfile.ZIP_STORED))
    z = file("packed.npz", archive(fortran(matrix, 100),
                                   zipfile.ZIP_DEFLATED))
    s = file("spread.csv", SPREAD)
    names = "\0".join([a, b]).encode()
    n = file("names", names)
    w = file("bad.csv", as_text(rows) + b"1,2,x\n")
    # What each is taken for depends on records below the first one.
    looks = [file(name, text) for name, text in (
        ("index", b",0,1\n0,5,6\n1,7,8\n2,9,1\n"),
        ("zero", b"0,1,2\n1.5,2.5,3.5\n2.5,1,2\n"),
        ("bars", b"a|b;c\n1|2;3\n4|5;6\n"))]
    return verified(folder) | added(folder, file) | more(folder, file) | \
        allocating(folder, file) | {
        "csv": (ops + ["--chunk-size", "16K", "-j", "2", t], None,
                text_lines(rows)),
        "csv-columns": (ops + ["-c", "price,\"size\"", "-j", "1", t], None,
                        text_lines(rows)),
        "csv-texts": (["-c", "2", "-o", "count,first,last", "-j", "1", t],
                      None,
                      "count\t%d\nfirst\t\\n,\"x\nlast\t%s\\n,\"x\n"
                      % (len(rows), "y" * ((len(rows) - 1) % 40))),
        "csv-assert": (ops + ["-j", "1", "--assert",
                              "n_nan == 0 && max(price) < inf", "--assert",
                              "ismissing(max + 1) || !alltrue || rows > 1", t],
                       None, text_lines(rows)),
        "csv-spread": (["-o", "sum,max", "--device", "cpu", "-j", "2",
                        "--chunk-size", "4K", s], None, SPREAD_LINES),
        "csv-looks": (["-q", "-o", "max", "--per-file", "-O", "csv", "-j", "1",
                       *looks], None,
                      "file,column,max\n%s,0,9\n%s,1,8\n%s,0,2.5\n"
                      "%s,1,2.5\n%s,2,3.5\n%s,a,4\n"
                      % tuple(looks[i] for i in (0, 0, 1, 1, 1, 2))),
        "csv-mapped": (ops + chunks + [u], None, text_lines(many)),
        "csv-pipe": (ops + chunks + ["-f", "csv"], as_text(many),
                     text_lines(many)),
        "csv-long": (["-o", "count,sum", "--device", "cpu", "--chunk-size",
                      "16K", "-j", "2", v], None,
                     "count\t90001\nsum\t140003\n"),
        "csv-long-pipe": (["-o", "count,sum", "--device", "cpu",
                           "--chunk-size", "16K", "-f", "csv", "-j", "2"],
                          long, "count\t90001\nsum\t140003\n"),
        "csv-files": (["-q", "-o", "count,sum", "--device", "cpu", "-j", "2",
                       "--bad", "skip", t, "-f", "csv", "-", w],
                      as_text(rows[:500]),
                      "column\tcount\tsum\nprice\t8501\t%d\nsize\t%d\t%d\n"
                      % (2 * sum(rows) + sum(rows[:500]) + 1,
                         2 * len(rows[::3]) + len(rows[:500:3]),
                         2 * sum(rows[::3]) + sum(rows[:500:3]))),
        "file": (ops + chunks + [a], None, lines(large)),
        "mapped": (ops + chunks + [h], None, lines(huge)),
        "pipe": (ops + chunks, pack(large), lines(large)),
        "redirected": (ops, a, lines(large)),
        "skip": (ops + ["--skip-bytes", "50000"],
                 bytes(50000) + pack(small), lines(small)),
        "npy": (ops + [m], None, lines(matrix)),
        "npy-pipe": (ops + ["-j", "2"], fortran(matrix, 100), lines(matrix)),
        "gzip": (ops + skip + ["-j", "3", g], None, lines(noise)),
        "gzip-alone": (ops + skip + ["-j", "1", g], None, lines(noise)),
        "gzip-pipe": (ops + skip + ["-t", "f32", "-j", "3"], packed,
                      lines(noise)),
        "gzip-redirected": (ops + skip + ["-t", "f32", "-j", "2"], g,
                            lines(noise)),
        "gzip-csv": (ops + chunks + [x], None, text_lines(many)),
        "npz-stored": (ops + ["-j", "2", y], None, lines(matrix)),
        "npz": (ops + ["-j", "2", z + ":matrix"], None, lines(matrix)),
        "files": (ops + ["--per-file", a, b], None, table),
        "files0": (ops + chunks + ["--files0-from", n], None,
                   lines(large + small)),
        "files0-pipe": (ops + ["-j", "1", "--files0-from=-"],
                        a.encode() + b"\0", lines(large)),
        "mixed": (ops + chunks + ["-t", ">f4", c, "-", c],
                  pack(small, ">"), lines(big + small + big)),
        "compare": (["--compare", "-c", "price", "-j", "2", "--chunk-size",
                     "16K", "-f", "csv", t, "-"], as_text(rows),
                    "count\t%d\nmismatches\t0\nfirst_mismatch\t\n"
                    "max_abs\t0\nargmax_abs\t\nmax_rel\t0\nargmax_rel\t\n"
                    "rms\t0\nmax_ulp\t0\nline\t\n" % len(rows)),
        "empty": (["-o", "count,sum", "--device", "cpu", "/dev/null"], None,
                  "count\t0\nsum\t0\n"),
    }


# Runs with --verify: a file and arguments. The middle byte of the file, and of
# its records without the header, decides each of these results.
ROWS = b"k,x\n"
VERIFIED = [
    ("one.u8", b"d", ["sum", "min,max", "median", "mode", "first", "rms",
                      "histogram --range 100,102", "l2,count"]),
    ("three.u8", b"ddd", ["nunique", "argmax", "std,count", "mode_count",
                          "sum --axis 0 --shape 3"]),
    ("one.csv", ROWS + b"a,200000\n", [
        "sum", "median", "last", "sum --by k", "median --by k",
        "histogram --range 2e5,3e5 --bins 9999",
        "histogram --range 2e5,3e5 --bins 9999 --by k"]),
    ("three.csv", ROWS + b"a,200000\n" * 3, ["nunique", "rows,nunique --by k",
                                              "count,argmax"]),
    ("texts.csv", ROWS + b"a,zzzzzz\n" * 3, ["nunique -c x",
                                             "nunique -c x --by k"]),
    ("text.csv", ROWS + b"a,zzzzzz\n", ["last -c x", "rows --by x"]),
]


def verified(folder):
    """Returns the scenarios of VERIFIED. Of their output only a text is known
    here."""
    found = {}
    for name, data, rows in VERIFIED:
        path = os.path.join(folder, name)
        with open(path, "wb") as out:
            out.write(data)
        for row in rows:
            found["verify %s %s" % (name, row)] = (
                ["--verify", "--device", "cpu", "-j", "1", *(
                    ["-t", "u8", "-f", "raw"] if name.endswith("u8") else
                    ["--header", "yes"]), "-o", *row.split(), path], None,
                "'zzzzzz'" if row == "last -c x" else "")
    return found
