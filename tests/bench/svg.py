# SPDX-License-Identifier: MIT
"""The pieces of an SVG picture that the charts are made of.

Pictures stand on a white sheet of their own, since they are looked at on pages
that are light or dark, and hold no script, style sheet or font."""

import math
from xml.sax.saxutils import escape, quoteattr

WIDTH = 760
INK, FAINT, GRID = "#24292f", "#57606a", "#e3e6ea"
FONT = "system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"

# Okabe and Ito's colours, which stay apart for colour-blind readers, dark
# enough for text on white; a marker, a dash and whether the marker is open, so
# that no line rests on its colour alone, and the third, lying upon one of the
# first two, lets it be seen.
STYLES = [
    ("#0072b2", "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z", "", False),
    ("#d55e00", "M-4-4h8v8h-8z", "", False),
    ("#24292f", "M0-8.5l8.5 8.5l-8.5 8.5l-8.5-8.5z", "7 5", True),
    ("#008060", "M0-5.5l5.2 9h-10.4z", "", False),
    ("#b3508c", "M0 5.5l5.2-9h-10.4z", "", False),
    ("#8a6d00", "M-1.7-5h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3v-3.4h3.3z",
     "", False),
    ("#2f83b8", "M0-5.5l5.2 3.8l-2 6.1h-6.4l-2-6.1z", "2 4", False),
    ("#6e7781", "M-6-2.5h12v5h-12z", "10 3 2 3", False),
]


def text_width(words, size, bold=False):
    """Pixels, on the large side: the reader's font is not known here."""
    narrow = sum(c in "iljtfrI.,:;'|!()[] " for c in words)
    wide = sum(c in "mwMWGNOQDH@%" for c in words)
    ems = 0.62 * len(words) - 0.22 * narrow + 0.28 * wide
    return size * ems * (1.1 if bold else 1)


def number(x):
    return ("%.1f" % x).rstrip("0").rstrip(".") if x else "0"


def element(name, body=None, **attributes):
    """body is markup; attributes are values, of which numbers are pixels."""
    shown = "".join(
        " %s=%s" % (key.rstrip("_").replace("_", "-"), quoteattr(
            number(value) if isinstance(value, (int, float)) else value))
        for key, value in attributes.items() if value != "")
    return ("<%s%s/>" % (name, shown) if body is None
            else "<%s%s>%s</%s>" % (name, shown, body, name))


def text(x, y, words, size=13, anchor="start", fill=INK, **more):
    return element("text", escape(words), x=x, y=y, font_size=size,
                   text_anchor=anchor if anchor != "start" else "", fill=fill,
                   **more)


def haloed(x, y, words, **more):
    """Text that can be read where lines pass behind it."""
    return text(x, y, words, stroke="#fff", stroke_width=4,
                stroke_linejoin="round", paint_order="stroke", **more)


def line(x1, y1, x2, y2, stroke=GRID, **more):
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, **more)


def sheet(height, title, parts):
    head = element("title", escape(title)) if title else ""
    paper = element("rect", x=0.5, y=0.5, width=WIDTH - 1, height=height - 1,
                    rx=8, fill="#fff", stroke="#d0d7de")
    if title:
        parts = [text(20, 32, title, size=16, font_weight="600")] + parts
    return element(
        "svg", "\n".join([head + paper] + parts) + "\n",
        xmlns="http://www.w3.org/2000/svg", width=WIDTH, height=height,
        viewBox="0 0 %d %d" % (WIDTH, math.ceil(height)), font_family=FONT,
        role="img") + "\n"
