# SPDX-License-Identifier: MIT
"""Draws CSV files, good and bad, from a seed."""

import random
import zlib
from collections import namedtuple

from conftest import SEED
from csv_oracle import Options, Splitter

Table = namedtuple("Table", "data delimiter options")

DELIMITERS = [b","] * 6 + [b"\t"] * 3 + [b";", b"|", b" ", b"\x01", b"\x1f",
                                         b":", b"\\", b"x", b"0", b"\xff"]
GOOD = (b"0 1 -2 +3 4.5 -.5 6. 7e2 8E-3 0.1 1e16 -1e-300 00012 123456789012 "
        b"3.14159265358979323846264338327950288419716939937510").split()
PADDED = [b" 9", b"10 ", b"\t11", b" -12.5\t ", b'"13"', b'" 14"', b'"15\t"',
          b'"-1.5e3"', b'"7" ', b' "10"']
ODD = [b"inf", b"-Infinity", b"nan", b"-0", b"1e400", b"-1e-400", b'"NaN"']
MISSING = [b"", b"", b'""', b"NA", b"N/A", b"null", b"NULL", b" ", b" NA\t",
           b'"NA"', b'" "', b'" null "', b"\t", b"n/a", b"<NA>", b"None",
           b"\\N", b' "NA" ']
BAD = [b"n/a?", b"x", b"1_000", b"0x10", b"1 2", b"--1", b"1e", b".", b"e5",
       b"na", b"Null", b'"1,5"', b'"1\n"', b'"\n\n2"', b'"1\r\n"', b"3\r4",
       b'"5"6', b'"8""9"', b'""""', b'1"1', b'""12',
       b'13""', b"\x0014", b"15\0", b"\xff", b"gr\xc3\xbc\xc3\x9f", b"\xc3",
       b'"a""b,c""d"', b'"NA"x', b"1\x0b", b"'16'", b"1,7", b"$18", b"19%",
       b'"\r"', b"\r\r20", b"\xc2\xa021", b"\xef\xbb\xbf22", b"a\tb"]
TEXT = [b"oak", b'"elm, old"', b"", b"x y", b'"two\nlines"', b'"q""q"',
        b'"\r\n"', b"\xff\xfe", b"1"]
NAMES = [b"a", b"price", b"unit price", b'"x,y"', b'"say ""hi"""',
         b'"two\nlines"', b"gr\xc3\xb6\xc3\x9fe", b"\xff", b'"tab\there"',
         b"a", b"it's", b"back\\slash", b"1st", b"7-8"]

# Weights of the kinds of cells (numbers, special numbers, missing, bad, soup),
# and whether records have the wrong number of fields (1) or an open quote (2).
# Soup is random text of quotes, line ends, digits and delimiters.
SHAPES = {"clean": (9, 0, 3, 0, 0, 0), "special": (9, 2, 2, 0, 0, 0),
          "dirty": (6, 1, 2, 4, 3, 0), "ragged": (9, 0, 2, 0, 1, 1),
          "open": (9, 0, 2, 1, 0, 2)}


def rnd_of(*key):
    """Returns a generator seeded by the session's seed and this key."""
    seed = SEED ^ zlib.crc32(repr(key).encode())
    print(f"seed {seed} of {key} (GPUREDUCE_SEED={SEED})")
    return random.Random(seed)


def soup(rnd, size, delimiter):
    alphabet = b'"' * 6 + b"\r\n" * 2 + b"\n " + b"1a" * 2 + delimiter * 3
    return bytes(rnd.choice(alphabet) for _ in range(rnd.randrange(size)))


def is_field(raw, delimiter):
    """Returns whether raw is exactly one field when it is between two
    delimiters."""
    split = Splitter(raw + delimiter + b"\n", delimiter)
    found = [[f.raw for f in r.fields] for r in split.records]
    return found == [[raw, b""]]


def soup_field(rnd, delimiter):
    while True:
        raw = soup(rnd, 12, delimiter)
        if is_field(raw, delimiter):
            return raw


def cell(rnd, weights, delimiter):
    """Returns the raw text of one field."""
    kind = rnd.choices(range(5), weights[:5])[0]
    if kind == 4:
        return soup_field(rnd, delimiter)
    while True:
        raw = rnd.choice((GOOD + PADDED, ODD, MISSING, BAD)[kind])
        if is_field(raw, delimiter):
            return raw
        if b'"' not in raw:
            return b'"' + raw + b'"'


def row(rnd, kinds, weights, delimiter):
    """Returns one record. kinds: n for numbers, t for text, m for either."""
    cells = []
    for kind in kinds:
        if kind == "t" or (kind == "m" and rnd.random() < 0.3):
            raw = rnd.choice(TEXT)
            quoted = b'"' + raw.replace(b'"', b"'") + b'"'
            cells.append(raw if is_field(raw, delimiter) else quoted)
        else:
            cells.append(cell(rnd, weights, delimiter))
    return cells


def line_end(rnd, crlf):
    """Returns LF or CRLF, sometimes followed by a blank line."""
    end = b"\r\n" if rnd.random() < crlf else b"\n"
    return end + rnd.choice([b""] * 7 + [b"\n", b"\r\n", b"\n\n"])


def lines(rnd, rows, delimiter):
    crlf = rnd.choice([0, 1, 0.5])
    out = [delimiter.join(cells) + line_end(rnd, crlf) for cells in rows]
    if rnd.random() < 0.2:
        out.insert(0, rnd.choice([b"\n", b"\r\n\n"]))
    data = b"".join(out)
    if rnd.random() < 0.3:
        data = data.rstrip(b"\r\n") + rnd.choice([b"", b"\r"])
    return data


def damage(rnd, rows, how):
    """Removes or adds a field, or opens a quote that is never closed."""
    victim = rnd.choice(rows)
    if how == 2:
        victim[rnd.randrange(len(victim))] = b'"' + rnd.choice(
            [b"", b"1", b'""', b"\n\n"])
    elif len(victim) > 1 and rnd.random() < 0.5:
        victim.pop(rnd.randrange(len(victim)))
    else:
        victim.insert(rnd.randrange(len(victim) + 1), b"7")


def draw(rnd, shape, rows=None):
    """Draws a Table of one of SHAPES, with the options to read it under."""
    weights = SHAPES[shape]
    delimiter = rnd.choice(DELIMITERS)
    kinds = "n" + "".join(rnd.choices("nnmt", k=rnd.randrange(4)))
    count = rows or rnd.randrange(2, 10)
    table = [row(rnd, kinds, weights, delimiter) for _ in range(count)]
    table[0][0] = rnd.choice([b"5", b'"6"'])
    if is_field(table[0][0], delimiter) is False:
        table[0][0] = b'"5"'
    header = rnd.choice(["yes", "yes", "no"])
    if header == "yes":
        names = [n for n in NAMES if is_field(n, delimiter)]
        table.insert(0, rnd.sample(names, len(kinds)))
    options = Options(delimiter=delimiter, header=header)
    if rnd.random() < 0.7 or shape == "dirty":
        some = rnd.sample(range(len(kinds)), rnd.randint(1, len(kinds)))
        options.columns = some
    if weights[5]:      # not the first record, which defines the columns
        damage(rnd, table[1:] if options.columns else table, weights[5])
    data = lines(rnd, table, delimiter)
    if rnd.random() < 0.15 or data.startswith(b"\xff\xfe"):  # not UTF-16
        data = b"\xef\xbb\xbf" + data
    options.bad = rnd.choice(["error", "skip"])
    if options.columns or not weights[5]:
        options.missing = rnd.choice(["skip"] * 5 + ["error"])
    options.dtype = rnd.choice(["f64"] * 4 + ["f32"] + ["i16", "u64"] * bool(
        options.columns))  # the type does not decide which are numeric
    return Table(data, delimiter, options)
