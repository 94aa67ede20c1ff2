#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws pictures of measured tables with matplotlib.

    chart.py sizes TABLE.tsv OUT.svg [TITLE]    time against size, logarithmic
    chart.py bars TABLE.tsv OUT.svg [TITLE]     a label and a value a line

The header line of sizes has a name for each line; empty cells are gaps."""

import csv
import sys

# Okabe and Ito's colours, which colour-blind readers can tell apart, and
# markers, so that no line depends on its colour alone.
STYLES = [("#0072b2", "o"), ("#d55e00", "s"), ("#24292f", "D"),
          ("#008060", "^"), ("#b3508c", "v"), ("#8a6d00", "P"),
          ("#2f83b8", "p"), ("#6e7781", "_")]


def scaled(value, base, names):
    k = 0
    while k + 1 < len(names) and value >= base * (1 - 1e-9):
        value /= base
        k += 1
    return "%s %s" % (("%.3g" if value < 999.5 else "%.0f") % value, names[k])


def bytes_text(value, _=None):
    return scaled(value, 1024, ["B", "KiB", "MiB", "GiB", "TiB"])


def seconds_text(value, _=None):
    return scaled(value * 1e9, 1000, ["ns", "\u00b5s", "ms", "s"])


def cells_of(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def new_picture(height, title):
    """Returns (figure, axes). Exits if matplotlib is missing."""
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    # The same table gives the same bytes, and text stays text.
    pyplot.rcParams.update({"svg.hashsalt": "", "svg.fonttype": "none",
                            "axes.spines.right": False, "axes.grid": True,
                            "axes.spines.top": False, "axes.axisbelow": True,
                            "grid.color": "#e3e6ea"})
    figure, axes = pyplot.subplots(figsize=(7.6, height), layout="tight")
    axes.set_title(title, loc="left", weight="bold")
    return figure, axes


def save(figure, path):
    figure.savefig(path, metadata={"Date": None})


def sizes(table, out, title=""):
    figure, axes = new_picture(4.4, title)
    header, *rows = cells_of(table)
    for k, name in enumerate(header[1:], 1):
        colour, marker = STYLES[(k - 1) % len(STYLES)]
        # The third line often covers one of the first two.
        is_open = k == 3
        axes.plot([float(row[0]) for row in rows],
                  [float(row[k] or "nan") for row in rows], color=colour,
                  marker=marker, label=name, linestyle="--" if is_open else "-",
                  markerfacecolor="none" if is_open else colour,
                  markersize=9 if is_open else 6)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(bytes_text)
    axes.yaxis.set_major_formatter(seconds_text)
    axes.set_xlabel("size of the file, page cache warm")
    axes.set_ylabel("wall time of the process")
    axes.legend(frameon=False)
    save(figure, out)


def bars(table, out, title=""):
    rows = [row for row in cells_of(table)
            if row[1].replace(".", "", 1).isdigit()]
    figure, axes = new_picture(.8 + .3 * len(rows), title)
    places = axes.barh([row[0] for row in rows],
                       [float(row[1]) for row in rows], color=STYLES[0][0])
    axes.bar_label(places, [row[1] for row in rows], padding=4)
    axes.invert_yaxis()
    axes.grid(False, axis="y")
    save(figure, out)


def main():
    forms = {"sizes": sizes, "bars": bars}
    if len(sys.argv) not in (4, 5) or sys.argv[1] not in forms:
        sys.exit(__doc__)
    try:
        forms[sys.argv[1]](*sys.argv[2:])
    except ImportError as error:
        sys.exit("chart.py: %s; in Debian: python3-matplotlib" % error)


if __name__ == "__main__":
    main()
