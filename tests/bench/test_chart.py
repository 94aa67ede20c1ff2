# SPDX-License-Identifier: MIT
"""Charts hold every row of their table, where its value belongs."""

import math
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

CHART = os.path.join(os.path.dirname(os.path.abspath(__file__)), "chart.py")
SVG = "{http://www.w3.org/2000/svg}"


def run(folder, form, table, *options):
    path, out = folder / "t.tsv", folder / "t.svg"
    path.write_text(table, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, CHART, form, str(path), str(out), *options],
        capture_output=True, text=True)
    return done, out


def draw(folder, form, table, *options):
    done, out = run(folder, form, table, *options)
    assert done.returncode == 0, done.stderr
    assert out.stat().st_size < 20000
    return ET.parse(out).getroot()


def texts(picture):
    return [e.text for e in picture.iter(SVG + "text")]


def of_class(picture, name):
    return [e for e in picture.iter() if e.get("class") == name]


def places(picture):
    """A list of (x, y) for each series."""
    return [[tuple(map(float, p.get("transform")[10:-1].split()))
             for p in of_class(group, "point")]
            for group in of_class(picture, "series")]


BARS = "peer\tGB/s\nA & <B>\t1.50\nours, 16 threads\t46.5\nnone\t0\n"


def test_bars_are_as_long_as_their_values(tmp_path):
    picture = draw(tmp_path, "bars", BARS, "--title", "A title", "--unit",
                   "GB/s", "--ceiling", "93")
    bars = of_class(picture, "bar")
    widths = [float(bar.get("width")) for bar in bars]
    assert len(bars) == 3
    assert widths[1] / widths[0] == pytest.approx(31, rel=0.01)
    for words in ("A & <B>", "1.50", "ours, 16 threads", "46.5", "A title",
                  "GB/s", "ceiling 93 GB/s"):
        assert words in texts(picture)
    ceiling, = of_class(picture, "ceiling")
    assert (float(ceiling.get("x1")) - float(bars[1].get("x"))
            ) / widths[1] == pytest.approx(2, rel=0.01)


def test_no_value_is_struck_by_the_ceiling(tmp_path):
    picture = draw(tmp_path, "bars", "a\t99.5\nb\t50\n", "--ceiling", "100",
                   "--ceiling-label", "the bus")
    value, = (e for e in picture.iter(SVG + "text") if e.text == "99.5")
    assert value.get("text-anchor") == "end"
    assert float(value.get("x")) < float(
        of_class(picture, "ceiling")[0].get("x1"))
    assert "the bus" in texts(picture)


def test_a_table_of_bars_needs_no_header(tmp_path):
    picture = draw(tmp_path, "bars", "a\t1\nb\t2\n")
    assert len(of_class(picture, "bar")) == 2


def test_highlight_sets_ours_apart(tmp_path):
    picture = draw(tmp_path, "bars", BARS, "--highlight", "ours")
    fills = [bar.get("fill") for bar in of_class(picture, "bar")]
    assert fills[0] == fills[2] != fills[1]


LINES = ("bytes\tcpu\tgpu <auto>\tpeer\n"
         "1024\t0.001\t0.3\t0.1\n1048576\t0.01\t\t1\n1073741824\t0.1\t0.4\t\n")


def test_lines_hold_every_point_on_logarithmic_axes(tmp_path):
    picture = draw(tmp_path, "lines", LINES, "--x-title", "size", "--y-title",
                   "wall time")
    cpu, gpu, peer = places(picture)
    assert [len(s) for s in (cpu, gpu, peer)] == [3, 2, 2]
    for axis in 0, 1:
        first, second, third = (p[axis] for p in cpu)
        assert second - first == pytest.approx(third - second, abs=0.3)
    assert cpu[0][0] < cpu[1][0] and cpu[0][1] > cpu[1][1]
    assert cpu[2] == (gpu[1][0], pytest.approx(peer[0][1], abs=0.2))
    for words in ("cpu", "gpu <auto>", "peer", "size", "wall time", "1 KiB",
                  "1 MiB", "1 GiB", "1 ms", "100 ms", "1 s"):
        assert words in texts(picture)


def test_no_line_across_a_gap(tmp_path):
    picture = draw(tmp_path, "lines", "n\ta\n1\t1\n2\t2\n3\t\n4\t4\n5\t5\n",
                   "--x-unit", "number")
    strokes = list(picture.iter(SVG + "polyline"))
    assert [len(s.get("points").split()) for s in strokes] == [2, 2]


def test_names_do_not_overlap(tmp_path):
    names = ["one", "two", "three", "four", "five", "six"]
    picture = draw(tmp_path, "lines", "\t".join(["x"] + names) + "\n" + "".join(
        "\t".join([str(x)] + ["0.5"] * 6) + "\n" for x in (1024, 2048)))
    shown = of_class(picture, "name")
    heights = sorted(float(e.get("y")) for e in shown)
    assert [e.text for e in shown] == names
    assert min(b - a for a, b in zip(heights, heights[1:])) >= 14


def test_a_single_point(tmp_path):
    (point,), = places(draw(tmp_path, "lines", "x\ta\n1024\t0.01\n"))
    assert all(math.isfinite(at) for at in point)


@pytest.mark.parametrize("form, table", [
    ("bars", "a\tb\n"), ("bars", "a\t1\nb\tx\n"), ("bars", "a\t-1\n"),
    ("lines", "x\ta\n"), ("lines", "x\ta\n1\t0\n"),
    ("lines", "x\ta\n1\t1\t1\n"), ("lines", "x\ta\n1\t\n"),
    ("lines", "x\ta\n\t1\n"),
])
def test_bad_tables_are_refused(tmp_path, form, table):
    done, out = run(tmp_path, form, table)
    assert done.returncode == 1 and "t.tsv" in done.stderr
    assert not out.exists()
