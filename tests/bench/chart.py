#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of measured tables, for pages: SVG, with nothing but Python.

    chart.py bars TABLE.tsv OUT.svg [--unit U] [--ceiling V] ...
    chart.py lines TABLE.tsv OUT.svg [--x-title X] [--y-title Y] ...

bars: a label and a value a line; the value is shown as it is written. lines: a
header line, x, then a column a series; empty cells are gaps; both axes are
logarithmic. chart.py bars --help tells the rest."""

import argparse
import math
import sys

import chart_lines
from svg import (FAINT, GRID, STYLES, WIDTH, element, escape, haloed,
                 line, sheet, text, text_width)

BAR, ROW, TICKS = 20, 32, 6


def fail(words):
    sys.exit("chart.py: " + words)


def is_number(cell):
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def cells_of(path):
    with open(path, encoding="utf-8") as file:
        rows = [row.rstrip("\r\n").split("\t") for row in file if row.strip()]
    return [[cell.strip() for cell in row] for row in rows]


def read_bars(path):
    """[(label, value as written)]; a first line without a number is a header"""
    rows = [row[:2] for row in cells_of(path)]
    if rows and not (len(rows[0]) == 2 and is_number(rows[0][1])):
        rows = rows[1:]
    for row in rows:
        if len(row) < 2 or not is_number(row[1]) or float(row[1]) < 0:
            fail("%s: not a label and a value: %r" % (path, row))
    return rows or fail(path + ": no rows")


def read_lines(path):
    """[(name, [(x, y or None)])]"""
    rows = cells_of(path)
    if len(rows) < 2 or len(rows[0]) < 2:
        fail(path + ": needs a header, a row and a series")
    for row in rows[1:]:
        row += [""] * (len(rows[0]) - len(row))
        if not row[0] or len(row) > len(rows[0]) or any(
                c and not (is_number(c) and float(c) > 0) for c in row):
            fail("%s: not numbers above 0: %r" % (path, row))
    return [(name, [(float(row[0]), float(row[k]) if row[k] else None)
                    for row in rows[1:]])
            for k, name in enumerate(rows[0]) if k]


def round_step(span):
    """The least of 1, 2, 5 times a power of ten that takes TICKS steps."""
    power = 10.0 ** math.floor(math.log10(span / TICKS))
    return next(m * power for m in (1, 2, 5, 10)
                if m * power * TICKS >= span * (1 - 1e-9))


def one_bar(x, y, width, label, value, unit, colour, ceiling):
    """ceiling: where its line is; a value that it would strike goes inside."""
    name = " ".join(filter(None, [value, unit]))
    end = x + max(width, 1)
    room = text_width(value, 13, bold=True) + 14
    struck = end < ceiling + 4 and ceiling < end + room and width > room
    return [text(x - 10, y + 15, label, anchor="end"),
            element("rect", element("title", escape(label + ": " + name)), x=x,
                    y=y, width=end - x, height=BAR, rx=2, fill=colour,
                    class_="bar"),
            text(end - 7, y + 15, value, anchor="end", fill="#fff",
                 font_weight="600") if struck else
            haloed(end + 7, y + 15, value, font_weight="600")]


def value_axis(x, top, bottom, scale, longest, unit):
    step = round_step(longest)
    parts = []
    for k in range(int(longest / step * (1 + 1e-9)) + 1):
        at = x + k * step * scale
        parts += [line(at, top, at, bottom, FAINT if k == 0 else GRID),
                  text(at, bottom + 18, "%.10g" % (k * step), size=12,
                       anchor="middle", fill=FAINT)]
    parts.append(text(x + longest * scale / 2, bottom + 40, unit, size=12,
                      anchor="middle", fill=FAINT))
    return parts


def ceiling_line(at, top, bottom, words):
    side = "end" if at + text_width(words, 12) / 2 > WIDTH - 16 else "middle"
    return [line(at, top - 8, at, bottom, "#b3508c", stroke_width=1.5,
                 stroke_dasharray="6 4", class_="ceiling"),
            text(at + (4 if side == "end" else 0), top - 13, words, size=12,
                 anchor=side, fill="#9c3f78")]


def bars(options):
    rows = read_bars(options.table)
    values = [float(value) for _, value in rows]
    longest = max(values + [options.ceiling or 0]) or 1
    left = 30 + max(text_width(label, 13) for label, _ in rows)
    ends = max(text_width(value, 13, bold=True) for _, value in rows)
    scale = (WIDTH - 30 - ends - left) / longest
    top = (54 if options.title else 20) + (22 if options.ceiling else 0)
    bottom = top + ROW * len(rows)
    ceiling = left + scale * (options.ceiling or -WIDTH)
    parts = value_axis(left, top, bottom, scale, longest, options.unit)
    for k, ((label, value), length) in enumerate(zip(rows, values)):
        ours = not options.highlight or options.highlight in label
        parts += one_bar(left, top + ROW * k + (ROW - BAR) / 2, length * scale,
                         label, value, options.unit,
                         STYLES[0][0] if ours else "#768390", ceiling)
    if options.ceiling:
        words = "ceiling %.10g %s" % (options.ceiling, options.unit)
        parts += ceiling_line(ceiling, top, bottom,
                              options.ceiling_label or words.strip())
    return sheet(bottom + (54 if options.unit else 32), options.title, parts)


def lines(options):
    series = [(name, points) for name, points in read_lines(options.table)
              if any(y is not None for _, y in points)]
    if not series:
        fail(options.table + ": no values")
    return chart_lines.draw(series, options)


def parse(argv):
    parser = argparse.ArgumentParser(prog="chart.py")
    forms = parser.add_subparsers(dest="form", required=True)
    for name, function in ("bars", bars), ("lines", lines):
        form = forms.add_parser(name)
        form.set_defaults(draw=function)
        form.add_argument("table", metavar="TABLE.tsv")
        form.add_argument("out", metavar="OUT.svg")
        form.add_argument("--title", default="")
    form = forms.choices["bars"]
    form.add_argument("--unit", default="", help="of the values")
    form.add_argument("--ceiling", type=float, help="where a line is drawn")
    form.add_argument("--ceiling-label", metavar="TEXT",
                      help="instead of 'ceiling' and the value")
    form.add_argument("--highlight", metavar="TEXT",
                      help="bars without TEXT in their label become grey")
    form = forms.choices["lines"]
    for axis, unit in ("x", "bytes"), ("y", "seconds"):
        form.add_argument("--%s-title" % axis, default="")
        form.add_argument("--%s-unit" % axis, default=unit,
                          choices=sorted(chart_lines.UNITS),
                          help="of the ticks; default %(default)s")
    return parser.parse_args(argv)


def main():
    options = parse(sys.argv[1:])
    picture = options.draw(options)
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(picture)


if __name__ == "__main__":
    main()
