# SPDX-License-Identifier: MIT
"""Prints and draws the measurements of bench_sizes.py."""

import os
import sys

import chart

GAIN_FROM = 32 << 30  # from this many bytes both devices together should gain


def names_of(points):
    """Returns the devices, then the peers in the order in which they began."""
    return list(dict.fromkeys(n for p in points for n in p.seconds))


def cell(point, name):
    seconds = point.seconds.get(name)
    if not seconds:
        return ""
    rate = point.bytes / seconds / 1e9
    return "%s (%s)" % (chart.seconds_text(seconds),
                        "%.3g" % rate if rate >= 0.01 else "< 0.01")


def row(point, names, gain):
    """gain: both devices together should be faster than either."""
    ratio = point.auto_to_better()
    cells = [point.name, *(cell(point, name) for name in names),
             point.better(), "%.2f" % ratio]
    if gain:
        cells.append("%.2f" % (1 / ratio) if point.bytes >= GAIN_FROM else "")
    return cells + [" + ".join(said.split(" (")[0] for said in point.said)]


def print_said(points):
    """Prints what --explain says about auto's choice, once for all sizes with
    the same text."""
    sizes = {}
    for p in points:
        sizes.setdefault("; ".join(p.said), []).append(p.name)
    print()
    for said, where in sizes.items():
        print("auto, %s: %s" % (", ".join(where), said))


def print_table(job, points):
    names = names_of(points)
    gain = job.name != "csv" and points[-1].bytes >= GAIN_FROM
    heads = (["size", *names, "better", "auto / better"] +
             ["better / auto"] * gain + ["auto takes"])
    print("\n%s: wall time (GB/s)\n" % job.title)
    print("| %s |\n|%s" % (" | ".join(heads), " --- |" * len(heads)))
    for p in points:
        print("| %s |" % " | ".join(row(p, names, gain)))
    print_said(points)
    for note in (note for p in points for note in p.notes):
        print(note)
    for p in points:
        if len(p.answers) > 1:
            print("%s: ANSWERS DIFFER: %s" % (p.name, p.answers))
    sys.stdout.flush()


def draw(job, points, folder):
    """Writes time_vs_size_NAME.tsv and, with matplotlib, a picture of it."""
    names = names_of(points)
    path = os.path.join(folder, "time_vs_size_" + job.name)
    with open(path + ".tsv", "w", encoding="utf-8") as file:
        file.write("\t".join(["bytes", *names]) + "\n")
        for p in points:
            file.write("\t".join([str(p.bytes), *(
                "%.6f" % p.seconds[n] if p.seconds.get(n) else ""
                for n in names)]) + "\n")
    try:
        chart.sizes(path + ".tsv", path + ".svg", job.title)
    except ImportError as error:
        print("no %s.svg: %s" % (path, error), flush=True)
