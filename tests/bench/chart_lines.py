# SPDX-License-Identifier: MIT
"""Lines over logarithmic axes, each named where it ends."""

import math

from svg import (FAINT, GRID, STYLES, WIDTH, element, escape, haloed,
                 line, number, sheet, text, text_width)

LEFT, PLOT_HEIGHT, LABEL, GAP = 70, 330, 13, 16


def scaled(value, base, names):
    k = 0
    while k + 1 < len(names) and value >= base * (1 - 1e-9):
        value /= base
        k += 1
    return "%s %s" % (("%.3g" if value < 999.5 else "%.0f") % value, names[k])


def bytes_text(value):
    return scaled(value, 1024, ["B", "KiB", "MiB", "GiB", "TiB"])


def seconds_text(value):
    return scaled(value * 1e9, 1000, ["ns", "\u00b5s", "ms", "s"])


def number_text(value):
    return "{:,.10g}".format(value)


UNITS = {"bytes": bytes_text, "seconds": seconds_text, "number": number_text,
         "doublings": number_text}


def powers_of_two(low, high):
    """At most eight, and at multiples of one step: 1 KiB, 32 KiB, 1 MiB."""
    first, last = math.log2(low), math.log2(high)
    step = next(s for s in (1, 2, 5, 10, 20, 40) if (last - first) / s < 8)
    k = math.ceil(first / step - 1e-9)
    ticks = []
    while k * step <= last + 1e-9:
        ticks.append(2.0 ** (k * step))
        k += 1
    return ticks


def decades(low, high):
    """1, 10, 100, with 2 and 5 between them where there are few of them."""
    span = math.log10(high / low)
    step = 1 + int(span / 10)
    parts = (1,) if span > 3.2 else (1, 2, 5)
    ticks = [m * 10.0 ** k for m in parts
             for k in range(-30, 31) if k % step == 0]
    return sorted(t for t in ticks
                  if low * (1 - 1e-9) <= t <= high * (1 + 1e-9))


def ticks_of(unit, low, high):
    binary = unit in ("bytes", "doublings")
    return (powers_of_two if binary else decades)(low, high)


def snapped(low, high):
    """The next of 1, 2, 5 times a power of ten on both sides."""
    steps = sorted(m * 10.0 ** k for m in (1, 2, 5) for k in range(-30, 31))
    return (max(s for s in steps if s <= low * (1 + 1e-9)),
            min(s for s in steps if s >= high * (1 - 1e-9) and s > low))


class Plot:
    """Where values are on the sheet."""

    def __init__(self, series, top, right):
        xs = [x for _, points in series for x, y in points if y is not None]
        ys = [y for _, points in series for _, y in points if y is not None]
        self.low, self.high = min(xs), max(xs)
        if self.low == self.high:
            self.low, self.high = self.low / 2, self.high * 2
        self.floor, self.roof = snapped(min(ys), max(ys))
        self.left, self.right = LEFT, right
        self.top, self.bottom = top, top + PLOT_HEIGHT

    def x(self, value):
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return self.left + 14 + part * (self.right - self.left - 22)

    def y(self, value):
        part = math.log(value / self.floor) / math.log(self.roof / self.floor)
        return self.bottom - part * (self.bottom - self.top)


def axes(plot, options):
    parts = []
    for value in ticks_of(options.y_unit, plot.floor, plot.roof):
        y = plot.y(value)
        parts += [line(plot.left, y, plot.right, y),
                  text(plot.left - 8, y + 4, UNITS[options.y_unit](value),
                       size=12, anchor="end", fill=FAINT)]
    for value in ticks_of(options.x_unit, plot.low, plot.high):
        x = plot.x(value)
        parts += [line(x, plot.top, x, plot.bottom + 5),
                  text(x, plot.bottom + 20, UNITS[options.x_unit](value),
                       size=12, anchor="middle", fill=FAINT)]
    parts += [line(plot.left, plot.bottom, plot.right, plot.bottom, FAINT),
              text(20, plot.top - 14, options.y_title, size=12, fill=FAINT),
              text((plot.left + plot.right) / 2, plot.bottom + 42,
                   options.x_title, size=12, anchor="middle", fill=FAINT)]
    return parts


def runs(places):
    """Stretches without a gap."""
    run = []
    for place in places + [None]:
        if place:
            run.append(place)
        elif run:
            yield run
            run = []


def curve(name, points, plot, style, options):
    colour, marker, dash, is_open = style
    places = [(plot.x(x), plot.y(y)) if y is not None else None
              for x, y in points]
    parts = [element("polyline", points=" ".join(
        number(x) + "," + number(y) for x, y in run), stroke_width=2.2,
        stroke_dasharray=dash, stroke_linejoin="round")
        for run in runs(places) if len(run) > 1]
    for (x, y), place in zip(points, places):
        if place:
            words = "%s, %s: %s" % (name, UNITS[options.x_unit](x),
                                    UNITS[options.y_unit](y))
            parts.append(element(
                "path", element("title", escape(words)), d=marker,
                transform="translate(%s %s)" % tuple(map(number, place)),
                class_="point", **({"stroke_width": 2} if is_open else
                                   {"fill": colour, "stroke": "#fff"})))
    return element("g", "\n".join(parts), fill="none", stroke=colour,
                   class_="series")


def spread(places, top, bottom):
    """Heights of labels, moved apart as little as needed."""
    order = sorted(range(len(places)), key=lambda k: places[k])
    heights = list(places)
    for _ in range(200):
        moved = False
        for a, b in zip(order, order[1:]):
            short = GAP - (heights[b] - heights[a])
            if short > 0.01:
                heights[a] -= short / 2
                heights[b] += short / 2
                moved = True
        heights = [min(max(h, top), bottom) for h in heights]
        if not moved:
            break
    return heights


def sampled(series, plot):
    """Spots on all lines, a few pixels apart: what a label should not hide."""
    spots = []
    for _, points in series:
        for run in runs([(plot.x(x), plot.y(y)) if y is not None else None
                         for x, y in points]):
            spots += run * 2
            for (xa, ya), (xb, yb) in zip(run, run[1:]):
                count = 1 + int(math.hypot(xb - xa, yb - ya) / 4)
                spots += [(xa + (xb - xa) * k / count,
                           ya + (yb - ya) * k / count) for k in range(count)]
    return spots


def best_place(end, width, plot, spots, taken):
    """Lower left corner of the label of a line that ends inside the plot."""
    x, y = end
    choices = [(x + 12, y + 4.5), (x - width / 2, y - 11), (x + 8, y - 9),
               (x + 8, y + 18), (x - width - 12, y + 4.5),
               (x - width - 4, y - 9), (x - width / 2, y + 23),
               (x - width - 6, y + 18)]

    def cost(place):
        left, base = place
        hidden = sum(left - 3 <= sx <= left + width + 3 and
                     base - LABEL <= sy <= base + 5 for sx, sy in spots)
        over = sum(left < other + w and other < left + width and
                   abs(base - b) < GAP for other, b, w in taken)
        outside = (left < plot.left or left + width > WIDTH - 8 or
                   base - LABEL < plot.top - 22 or base > plot.bottom)
        return hidden + 40 * over + 200 * outside + choices.index(place)
    return min(choices, key=cost)


def labels(series, plot):
    ends = []
    for (name, points), style in styled(series):
        x, y = [p for p in points if p[1] is not None][-1]
        ends.append((name, style[0], plot.x(x), plot.y(y)))
    last = [e for e in ends if e[2] >= plot.right - 20]
    parts, taken = [], []
    for (name, colour, x, y), height in zip(last, spread(
            [e[3] for e in last], plot.top, plot.bottom)):
        at = plot.right + 14
        if abs(height - y) > 2:
            parts.append(line(x + 7, y, at - 3, height, colour))
        parts.append(text(at, height + 4.5, name, size=LABEL, fill=colour,
                          font_weight="600", class_="name"))
        taken.append((at, height + 4.5, text_width(name, LABEL, bold=True)))
    spots = sampled(series, plot)
    for name, colour, x, y in (e for e in ends if e not in last):
        width = text_width(name, LABEL, bold=True)
        left, base = best_place((x, y), width, plot, spots, taken)
        taken.append((left, base, width))
        parts.append(haloed(left, base, name, size=LABEL, fill=colour,
                            font_weight="600", class_="name"))
    return parts


def styled(series):
    return [(s, STYLES[k % len(STYLES)]) for k, s in enumerate(series)]


def draw(series, options):
    top = 34 + (34 if options.title else 0) + (4 if options.y_title else -14)
    widest = max(text_width(name, LABEL, bold=True) for name, _ in series)
    plot = Plot(series, top, WIDTH - 26 - widest)
    parts = axes(plot, options)
    parts += [curve(name, points, plot, style, options)
              for (name, points), style in styled(series)]
    parts += labels(series, plot)
    return sheet(plot.bottom + (58 if options.x_title else 36), options.title,
                 parts)
