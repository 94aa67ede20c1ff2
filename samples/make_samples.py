#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the sample data beside this file, and the answers to them.

The data come from a seeded generator and from IEEE add, multiply and divide
alone (no libm), so they are the same bytes on every machine. The answers are
computed here with exact fractions and integers and rounded once at the end.
gpureduce takes no part, so answers.tsv can serve as a test of it.

    samples/make_samples.py            writes the files
    samples/make_samples.py --check    only compares them; exit 1 if one differs
"""

import csv
import datetime
import io
import os
import random
import struct
import sys
from fractions import Fraction
from functools import lru_cache
from math import isqrt

HERE = os.path.dirname(os.path.abspath(__file__))

# ---------------------------------------------------------------- the data


def sine(turns):
    """Returns the sine of an angle in turns, after Bhaskara I (error below
    0.002)."""
    turns -= int(turns)
    sign = 1.0
    if turns >= 0.5:
        turns, sign = turns - 0.5, -1.0
    p = turns * (0.5 - turns) * 16.0
    return sign * p * 4.0 / (5.0 - p)


def noise(rng):
    """A bell-shaped value between -1 and 1."""
    return (rng.random() + rng.random() + rng.random()) / 1.5 - 1.0


def make_sensor():
    """Temperature in degrees Celsius, every 10 s for 45 hours, to 0.01."""
    rng = random.Random(20261120)
    out = []
    chill = 0.0
    for i in range(16384):
        hours = i / 360.0
        if rng.random() < 0.0006:  # someone opens the window
            chill = 2.0 + 4.0 * rng.random()
        chill *= 0.985
        degrees = (19.5 + 3.2 * sine(hours / 24.0) + 0.011 * hours
                   + 0.18 * noise(rng) - chill)
        hundredths = int(degrees * 100.0 + 1000.5) - 1000
        out.append(hundredths / 100.0)
    return struct.pack("<%df" % len(out), *out)


def make_wave():
    """A plucked string at 8 kHz, recorded too loud: the attack is clipped."""
    rng = random.Random(440)
    out = []
    level = 1.35
    for i in range(32768):
        seconds = i / 8000.0
        tone = (sine(220.0 * seconds) + 0.45 * sine(440.6 * seconds)
                + 0.2 * sine(661.5 * seconds))
        level *= 0.99985
        value = 32768.0 * (0.8 * level * tone + 0.004 * noise(rng))
        out.append(max(-32768, min(32767, int(value))))
    return struct.pack("<%dh" % len(out), *out)


def make_matrix():
    """Arrival times of 100 pulses at 40 receivers, in seconds since 1970."""
    rng = random.Random(40)
    out = []
    for pulse in range(100):
        for receiver in range(40):
            micros = (1760000000000000 + 250000 * pulse + 1830 * receiver
                      + int(35.0 * noise(rng)))
            out.append(micros / 1e6)
    return npy_header("<f8", (100, 40)) + struct.pack("<%dd" % len(out), *out)


def npy_header(descr, shape):
    """Magic, version 1.0 and the padded header of the .npy format."""
    text = "{'descr': %r, 'fortran_order': False, 'shape': %r, }" % (
        descr, shape)
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


ITEMS = [  # Name and list price in cents.
    ("Screws, 4 x 40 mm, 200 pcs", 849), ('Pipe 3/4" brass, 1 m', 1295),
    ("Sandpaper P120", 95), ("Wood glue 750 g", 1190),
    ("Paint, white, 10 l", 3990), ("Drill bits, set of 19", 2499),
    ("Masking tape", 329), ("Chisel", 1750), ('Monitor arm 27"', 6900),
]


def make_sales():
    """A shop's sales of a quarter, as a spreadsheet would save them."""
    rng = random.Random(2026)
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\r\n")
    out.writerow("order date item qty price".split())
    first = datetime.date(2026, 1, 2)
    month = first.month
    for i in range(300):
        date = first + datetime.timedelta(days=i * 88 // 300)
        if date.month == 2 and month == 1:
            text.write("\r\n")  # where January's file ended
        month = date.month
        item, cents = ITEMS[int(rng.random() * len(ITEMS))]
        off = int(rng.random() * 4.0) * 5  # 0 to 15 %
        price = "%d.%02d" % divmod(cents - cents * off // 100, 100)
        qty = str(1 + int(rng.random() * rng.random() * 24.0))
        chance = rng.random()
        if chance < 0.03:
            price = "NA"
        elif chance < 0.05:
            qty = ""
        elif chance < 0.08:  # Returned goods.
            qty = "-1"
        elif chance < 0.09:
            qty = "240"
        out.writerow(["2026-%04d" % (i + 1), date.isoformat(), item, qty,
                      price])
    return text.getvalue().encode()


def make_levels():
    """Two river gauges, every 6 hours for 6 days; -999 marks a broken
    gauge."""
    rng = random.Random(999)
    lines = ["time\tgauge\tlevel\tflow"]
    for i in range(24):
        time = "2026-04-%02dT%02d:00" % (12 + i // 4, 6 * (i % 4))
        flood = 180.0 / (1.0 + (i - 11.0) * (i - 11.0) / 12.0)
        for gauge, low, width in (("Upper Mill", 63.0, 0.21),
                                  ("Old Bridge", 118.0, 0.34)):
            level = int(low + flood + 3.0 * noise(rng))
            flow = "%d.%d" % divmod(int(level * width * 10.0), 10)
            if rng.random() < 0.06:
                level, flow = -999, ""
            lines.append("%s\t%s\t%d\t%s" % (time, gauge, level, flow))
    return "\n".join(lines + [""]).encode()


# ------------------------------------------------------------- the answers


class Dataset:
    """The exact values of one sample, and how its type is printed."""

    def __init__(self, code, data):
        values = struct.unpack("<%d%s" % (len(data) // struct.calcsize(code),
                                          code), data)
        self.is_float = code in "fd"
        self.code = code
        self.values = [Fraction(v) for v in values]
        self.index = range(len(values))
        self.rows = len(values)


class Column:
    """A Dataset of one column of text: each number is the nearest f64."""

    def __init__(self, records, name, na, code="d"):
        header, *records = records
        place = header.index(name)
        cells = [record[place].strip(" \t") for record in records]
        used = [(i, Fraction(cell)) for i, cell in enumerate(cells)
                if cell and cell not in na]
        self.is_float = code == "d"
        self.code = code
        self.name = name
        self.rows = len(cells)
        self.index = [i for i, _ in used]
        self.values = [Fraction(float(v)) if self.is_float else v
                       for _, v in used]


NA = ("NA", "N/A", "null", "NULL")


def read_columns(content, names, delimiter=",", na=NA, code="d",
                 keep=lambda record: True):
    """Columns of delimited text. A blank line is not a record."""
    text = io.StringIO(content.decode(), newline="")
    header, *records = [record for record in
                        csv.reader(text, delimiter=delimiter) if record]
    records = [header] + [record for record in records if keep(record)]
    return [Column(records, name, na, code) for name in names]


def root(q):
    """The square root of a fraction, rounded once to a float."""
    if q == 0:
        return 0.0
    # Scale by 4**shift so that the integer root has 64 bits or more, then add
    # a sticky bit for the remainder, so that the final rounding is correct.
    shift = max(0, 64 + (q.denominator.bit_length()
                         - q.numerator.bit_length()) // 2 + 1)
    scaled, rest = divmod(q.numerator << 2 * shift, q.denominator)
    r = isqrt(scaled)
    exact = rest == 0 and r * r == scaled
    return float(Fraction(2 * r + (not exact), 1 << (shift + 1)))


@lru_cache(maxsize=None)
def compute(op, data):
    """Returns the exact value of op over data; of roots the rounded one."""
    x = data.values
    n = len(x)
    if op == "count":
        return n
    if op in ("rows", "n_missing"):  # The other samples have nothing missing.
        return data.rows - (n if op == "n_missing" else 0)
    if op in ("n_bad", "n_nan", "n_inf"):
        return 0
    if op in ("first", "last"):
        return x[0 if op == "first" else -1]
    if op in ("sum", "mean"):
        return sum(x) / (1 if op == "sum" else n)
    if op in ("min", "max"):
        return min(x) if op == "min" else max(x)
    if op in ("argmin", "argmax"):
        return data.index[x.index(min(x) if op == "argmin" else max(x))]
    if op == "l1":
        return sum(abs(v) for v in x)
    if op in ("linf", "absmax"):
        return max(abs(v) for v in x)
    if op == "absmin":
        return min(abs(v) for v in x)
    if op == "range":
        return max(x) - min(x)
    if op in ("any", "alltrue"):
        return int(any(x) if op == "any" else all(x))
    if op == "sumsq":
        return sum(v * v for v in x)
    if op == "l2":
        return root(compute("sumsq", data))
    if op == "rms":
        return root(compute("sumsq", data) / n)
    if op.startswith("std"):
        return root(compute(op.replace("std", "var"), data))
    # Moments about the mean, unlike the tool's own n*S2 - S1*S1.
    mean = compute("mean", data)
    return sum((v - mean) ** 2 for v in x) / (n if op == "var_pop" else n - 1)


def correlation(a, b):
    """Pearson's correlation over the records in which both columns have a
    number."""
    x, y = dict(zip(a.index, a.values)), dict(zip(b.index, b.values))
    both = sorted(set(x) & set(y))
    x, y = [x[i] for i in both], [y[i] for i in both]
    x, y = ([v - sum(c) / len(both) for v in c] for c in (x, y))
    xy, xx, yy = (sum(p * q for p, q in zip(*c))
                  for c in ((x, y), (x, x), (y, y)))
    return (1 if xy >= 0 else -1) * root(xy * xy / (xx * yy))


def matrix(columns):
    return "".join("\t".join(row) + "\n" for row in
                   [["column"] + [c.name for c in columns]] +
                   [[c.name] + [plain(repr(correlation(c, d)))
                                for d in columns] for c in columns])


EXACT_INTEGERS = set("rows count n_missing n_bad n_nan n_inf argmin argmax any "
                     "alltrue".split())
OF_THE_DATA_TYPE = set("min max absmin absmax linf first last".split())
INTEGERS_OF_INTEGERS = OF_THE_DATA_TYPE | set("sum l1 sumsq range".split())


def show(op, data):
    """The value as gpureduce must print it."""
    value = compute(op, data)
    if op in EXACT_INTEGERS or (not data.is_float
                                and op in INTEGERS_OF_INTEGERS):
        return str(int(value))
    if data.code == "f" and op in OF_THE_DATA_TYPE:
        return plain(shortest_f32(float(value)))
    return plain(repr(float(value)))


def shortest_f32(value):
    """The fewest digits that read back to the same f32."""
    bits = struct.pack("<f", value)
    for digits in range(1, 10):
        text = "%.*e" % (digits - 1, value)
        if struct.pack("<f", float(text)) == bits:
            return text
    raise AssertionError("nine digits always suffice")


def plain(text):
    """Writes digits of any notation positionally for 1e-5 <= |x| < 1e16."""
    sign, text = ("-", text[1:]) if text[0] == "-" else ("", text)
    mantissa, _, exponent = text.partition("e")
    whole, _, part = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = whole + part
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    if not digits:
        return sign + "0"
    if not -5 < point <= 16:
        return "%s%s%s%se%+03d" % (sign, digits[0], "." * (len(digits) > 1),
                                   digits[1:], point - 1)
    if point <= 0:
        return sign + "0." + "0" * -point + digits
    if len(digits) <= point:
        return sign + digits.ljust(point, "0")
    return sign + digits[:point] + "." + digits[point:]


ALL = ("rows count n_missing n_bad n_nan n_inf sum min max mean argmin argmax "
       "l1 l2 linf sumsq rms var std var_pop std_pop range absmin absmax any "
       "alltrue").split()
SUMMARY = "count sum mean std min max argmin argmax".split()
TEXT_SUMMARY = ["rows", "n_missing"] + SUMMARY[1:]


def single(op, data):
    return show(op, data) + "\n"


def several(ops, data):
    return "".join("%s\t%s\n" % (op, show(op, data)) for op in ops)


def table(ops, files):
    lines = ["\t".join(["file"] + ops)]
    for name, data in files:
        lines.append("\t".join([name] + [show(op, data) for op in ops]))
    return "\n".join(lines) + "\n"


def column_table(ops, columns):
    lines = ["\t".join(["column"] + ops)]
    for column in columns:
        lines.append("\t".join([column.name] + [show(op, column)
                                                for op in ops]))
    return "\n".join(lines) + "\n"


def op_table(ops, columns):
    lines = ["\t".join(["op"] + [column.name for column in columns])]
    for op in ops:
        lines.append("\t".join([op] + [show(op, column)
                                       for column in columns]))
    return "\n".join(lines) + "\n"


def element(ops, column):
    """A JSON line. Numbers from text are floats, which have a point."""
    counts = (column.rows, len(column.values),
              column.rows - len(column.values))
    values = [(op, show(op, column)) for op in ops]
    return '{"column":"%s","rows":%d,"n":%d,"n_missing":%d,' % (
        column.name, *counts) + '"n_bad":0,"n_nan":0%s}\n' % "".join(
        ',"%s":%s' % (op, text if "." in text else text + ".0")
        for op, text in values)


def line_of(content, record):
    """Returns the line on which a record after the header starts."""
    reader = csv.reader(io.StringIO(content.decode(), newline=""))
    starts, at = [], 0
    for cells in reader:
        starts += [at + 1] if cells else []
        at = reader.line_num
    return starts[1 + record]


def comparison(column, other, content):
    """Compares two columns with numbers in the same records, all within
    tolerance."""
    a, b = ([float(x) for x in c.values] for c in (column, other))
    d = [abs(x - y) for x, y in zip(a, b)]
    q = [x / abs(y) for x, y in zip(d, b)]
    ulps = [abs(struct.unpack("<q", struct.pack("<d", x))[0]
                - struct.unpack("<q", struct.pack("<d", y))[0])
            for x, y in zip(a, b)]
    rms = root(sum(Fraction(x)**2 for x in d) / len(d))
    rows = [("count", len(d)), ("mismatches", 0), ("first_mismatch", "")]
    for name, values in ("abs", d), ("rel", q):
        rows += [("max_" + name, repr(max(values))),
                 ("argmax_" + name, column.index[values.index(max(values))])]
    place = column.index[d.index(max(d))]
    rows += [("rms", repr(rms)), ("max_ulp", max(ulps)),
             ("line", line_of(content, place))]
    return "".join("%s\t%s\n" % row for row in rows)


def sold(sales, item):
    """Sum, maximum and its record of price times quantity, in f64, of the
    records of one item that have both."""
    sums = []
    for i, record in enumerate(csv.DictReader(io.StringIO(sales.decode(),
                                                          newline=""))):
        cells = record["price"], record["qty"]
        if record["item"] == item and not {"", "NA"} & set(cells):
            sums.append((float(cells[0]) * float(cells[1]), i))
    total = float(sum(Fraction(x) for x, _ in sums))
    most, at = max(sums, key=lambda x: (x[0], -x[1]))
    return "sum\t%s\nmax\t%s\nargmax\t%d\n" % (plain(repr(total)),
                                               plain(repr(most)), at)


def key_table(content, key, names, delimiter):
    """The records, and the maximum of some columns, by a column of texts."""
    text = io.StringIO(content.decode(), newline="")
    records = list(csv.DictReader(text, delimiter=delimiter))
    lines = ["\t".join([key, "rows"] + ["max(%s)" % name for name in names])]
    for value in sorted({record[key] for record in records}):
        columns = read_columns(
            content, names, delimiter,
            keep=lambda record: record[list(records[0]).index(key)] == value)
        lines.append("\t".join([value, str(columns[0].rows)]
                               + [show("max", c) for c in columns]))
    return "\n".join(lines) + "\n"


def high_table(content, limit):
    """The records by gauge, and by whether the level is above a limit."""
    records = csv.DictReader(io.StringIO(content.decode(), newline=""),
                             delimiter="\t")
    keys = [(record["gauge"], int(float(record["level"]) > limit))
            for record in records]
    return "gauge\thigh\trows\n" + "".join(
        "%s\t%d\t%d\n" % (*key, keys.count(key)) for key in sorted(set(keys)))


def make_text_answers(files):
    """Makes the answers for the text files."""
    sales, levels = files["sales.csv"], files["levels.tsv"]
    s, t = "samples/sales.csv", "samples/levels.tsv"
    qty, price = read_columns(sales, ["qty", "price"])
    whole, = read_columns(sales, ["qty"], code="q")
    march = read_columns(sales, ["price"],
                         keep=lambda record: record[1] >= "2026-03")[0]
    items = [record["item"] for record in
             csv.DictReader(io.StringIO(sales.decode(), newline=""))]
    level, flow = read_columns(levels, ["level", "flow"], "\t", ("-999",))
    raw_level, = read_columns(levels, ["level"], "\t")
    raised, = read_columns(sales.replace(b",0.81", b",0.82"), ["price"])
    rows = [
        ("gpureduce " + s, op_table(TEXT_SUMMARY, [qty, price])),
        ("gpureduce -o count,min,max,mean " + s,
         column_table(["count", "min", "max", "mean"], [qty, price])),
        ("gpureduce -c price,qty -o sum,mean " + s,
         column_table(["sum", "mean"], [price, qty])),
        ("gpureduce -c 4- -o sum " + s, column_table(["sum"], [qty, price])),
        ("gpureduce -c price " + s, several(TEXT_SUMMARY, price)),
        ("gpureduce -o rows " + s, single("rows", price)),
    ]
    for op in ALL + ["first", "last"]:
        rows.append(("gpureduce -c price --op %s %s" % (op, s),
                     single(op, price)))
    rows += [
        ("gpureduce -c qty --op sum -t i64 " + s, single("sum", whole)),
        ("gpureduce -c qty -t i64 -o min,max,argmax " + s,
         several(["min", "max", "argmax"], whole)),
        ("gpureduce -f csv -c price --op mean < " + s, single("mean", price)),
        ("grep -e ^order -e ,2026-03- %s | gpureduce -f csv -c price --op mean"
         % s, single("mean", march)),
        ("grep ,2026-03- %s | gpureduce -f csv -c 5 --op mean" % s,
         single("mean", march)),
        ("tail -n +2 %s | gpureduce -f csv --header no -c 5 -o count,sum" % s,
         several(["count", "sum"], price)),
        ("gpureduce -c price --op std --chunk-size 100 -j 2 " + s,
         single("std", price)),
        ("gpureduce --bad skip -q --header no -c 4 -o n_bad,sum " + s,
         "n_bad\t1\nsum\t%s\n" % show("sum", qty)),
        ("gpureduce --per-file -c price -o count,max %s %s" % (s, s),
         table(["count", "max"], [(s, price)] * 2)),
        ("gpureduce -v -c price,qty %s 2>&1 >/dev/null | grep ^column" % s,
         "".join("column %s: %d rows = %d used + %d missing + 0 bad\n"
                 % (c.name, c.rows, len(c.values), c.rows - len(c.values))
                 for c in (price, qty))),
        ("gpureduce -O jsonl -c qty,price -o max,mean " + s,
         element(["max", "mean"], qty) + element(["max", "mean"], price)),
        ("gpureduce -c item,qty -o count,n_missing,first " + s,
         "column\tcount\tn_missing\tfirst\nitem\t%d\t0\t%s\nqty\t%s\n"
         % (len(items), items[0],
            "\t".join(show(op, qty) for op in ("count", "n_missing", "first")))),
        ("gpureduce -O csv -c qty,price -o max,mean " + s,
         column_table(["max", "mean"], [qty, price]).replace("\t", ",")),
        ("gpureduce --where 'item == \"Masking tape\"' --map 'price * qty' "
         "-o sum,max,argmax " + s, sold(sales, "Masking tape")),
        ("sed 's/,0.81/,0.82/' %s | gpureduce --compare --rtol 0.02 -c price "
         "-f csv %s -" % (s, s), comparison(price, raised, sales)),
        ("gpureduce --na -999 -o min,max,mean " + t,
         column_table(["min", "max", "mean"], [level, flow])),
        ("gpureduce --na -999 -o corr " + t, matrix([level, flow])),
        ("gpureduce --by gauge -c level,flow -o rows,max " + t,
         key_table(levels, "gauge", ["level", "flow"], "\t")),
        ("gpureduce -e 'high=level > 200' --by gauge,high -o rows " + t,
         high_table(levels, 200)),
        ("gpureduce -c level --op min " + t, single("min", raw_level)),
        ("gpureduce -f csv -d '\\t' -c level --na -999 --op argmax < " + t,
         single("argmax", level)),
    ]
    return rows


def columns(data, n):
    """Those of f32 that are a matrix of n columns."""
    cells = [data[i:i + 4] for i in range(0, len(data), 4)]
    return [Dataset("f", b"".join(cells[i::n])) for i in range(n)]


def make_answers(files):
    """Returns pairs of a shell command and the text that it must print."""
    sensor = Dataset("f", files["sensor.f32"])
    second_half = Dataset("f", files["sensor.f32"][32768:])
    wave = Dataset("h", files["wave.i16"])
    wave_bytes = Dataset("B", files["wave.i16"])
    matrix = Dataset("d", files["matrix.npy"][128:])
    both = Dataset("h", files["wave.i16"] * 2)
    s, w, m = "samples/sensor.f32", "samples/wave.i16", "samples/matrix.npy"
    rows = [
        ("gpureduce " + s, several(SUMMARY, sensor)),
        ("gpureduce " + w, several(SUMMARY, wave)),
        ("gpureduce " + m, several(SUMMARY, matrix)),
    ]
    for op in ALL + ["first", "last"]:
        for name, data in ((s, sensor), (w, wave), (m, matrix)):
            rows.append(("gpureduce --op %s %s" % (op, name),
                         single(op, data)))
    rows += [
        ("gpureduce --op all " + w, several(ALL, wave)),
        ("gpureduce -o any,bool_and " + w, several(["any", "alltrue"], wave)),
        ("gpureduce -o min,max,argmax " + s,
         several(["min", "max", "argmax"], sensor)),
        ("gpureduce -o sum -o mean " + s, several(["sum", "mean"], sensor)),
        ("gpureduce -o min,max,absmax " + w,
         several(["min", "max", "absmax"], wave)),
        ("gpureduce -o mean,std " + m, several(["mean", "std"], matrix)),
        ("gpureduce --op=avg " + s, single("mean", sensor)),
        ("gpureduce -o norm,stddev " + w, several(["l2", "std"], wave)),
        ("gpureduce --op mean < " + s, single("mean", sensor)),
        ("cat %s | gpureduce --op mean" % s, single("mean", sensor)),
        ("gpureduce --op rms -t i16 < " + w, single("rms", wave)),
        ("gzip -c %s | gpureduce --op rms -t i16" % w, single("rms", wave)),
        ("gpureduce --op rms -t '<i2' - < " + w, single("rms", wave)),
        ("gpureduce --op sum -t int16 %s %s" % (w, w), single("sum", both)),
        ("gpureduce --op mean -t u8 " + w, single("mean", wave_bytes)),
        ("gpureduce -o count,mean --skip-bytes 32K " + s,
         several(["count", "mean"], second_half)),
        ("gpureduce --op mean -f raw -t f64 --skip-bytes 128 " + m,
         single("mean", matrix)),
        ("gpureduce --op sum --chunk-size 4K -j 3 " + s,
         single("sum", sensor)),
        ("gpureduce --op std --device cpu " + m, single("std", matrix)),
        ("gpureduce --per-file -o count,mean %s %s" % (s, w),
         table(["count", "mean"], [(s, sensor), (w, wave)])),
        ("gpureduce --per-file -o max " + s, table(["max"], [(s, sensor)])),
        ("gpureduce --op mean --assert 'n_nan == 0 and max < 30' " + s,
         single("mean", sensor)),
        ("gpureduce -o count,sum -t f32 /dev/null", "count\t0\nsum\t0\n"),
        ("gpureduce -o min,max,mean -t f32 --empty identity /dev/null",
         "min\tinf\nmax\t-inf\nmean\tnan\n"),
    ]
    rows += [
        ("gpureduce --axis 0,1 --keepdims -o max " + m, single("max", matrix)),
        ("head -c 48 %s | gpureduce --axis 0 --shape=-1,3 -t f32 -o max" % s,
         "".join(single("max", lane) for lane in columns(
             files["sensor.f32"][:48], 3))),
    ]
    rows += make_text_answers(files)
    escape = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n"})
    return "".join("%s\t%s\n" % (command, text.translate(escape))
                   for command, text in rows).encode()


# --------------------------------------------------------------- the files


def make_files():
    """Returns name and content of every generated file."""
    files = {
        "sensor.f32": make_sensor(),
        "wave.i16": make_wave(),
        "matrix.npy": make_matrix(),
        "sales.csv": make_sales(),
        "levels.tsv": make_levels(),
    }
    files["answers.tsv"] = make_answers(files)
    return files


def main(argv):
    if argv not in ([], ["--check"]):
        sys.stderr.write("usage: make_samples.py [--check]\n")
        return 2
    status = 0
    for name, content in make_files().items():
        path = os.path.join(HERE, name)
        if not argv:
            with open(path, "wb") as file:
                file.write(content)
            continue
        with open(path, "rb") as file:
            if file.read() != content:
                sys.stderr.write("%s differs from what is made\n" % name)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
