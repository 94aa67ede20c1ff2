# SPDX-License-Identifier: MIT
"""The answers of asked/cases.toml: files as real programs write them, each
command run in every way that must not change its answer."""

import gzip
import os
import pathlib
import re
import shlex
import tomllib
from concurrent.futures import ThreadPoolExecutor

import pytest

import harness
from asked_files import contents
from harness import assert_failed, gpus, run

TABLE = pathlib.Path(__file__).parent / "asked" / "cases.toml"
FAKE = os.path.abspath(
    os.environ.get("GPUREDUCE_FAKE")
    or pathlib.Path(harness.BINARY).parent / "tests/backends/gpureduce_fake")
CHUNKS = "1", "7", "64"
WAYS = ("plain", "pipe", "gz", *("chunk " + n for n in CHUNKS), "fake", "gpu")


def cases():
    with open(TABLE, "rb") as table:
        for file in tomllib.load(table)["file"]:
            for case in file["case"]:
                yield pytest.param(file, case, id=case["name"])


# How a case is run: each gives (program's arguments, keywords of run()).

def is_possible(way, paths, case):
    """Whether this machine and this case have this way."""
    if way not in case.get("only", WAYS):
        return False
    return {"pipe": len(paths) == 1 and case.get("pipe") != "no",
            "fake": os.path.exists(FAKE),
            "gpu": gpus() > 0}.get(way, True)


def packed(path):
    with open(path, "rb") as plain, open(path + ".gz", "wb") as out:
        out.write(gzip.compress(plain.read()))
    return path + ".gz"


def run_case(way, paths, case):
    args = shlex.split(case["args"])
    if way == "pipe":
        with open(paths[0], "rb") as file:
            return run(*args, *shlex.split(case.get("pipe", "")),
                       stdin=file.read())
    if way == "gz":
        paths = [packed(path) for path in paths]
    if way.startswith("chunk"):
        args += ["--chunk-size", way.split()[1], "-j", "3"]
    if way in ("fake", "gpu"):
        args += ["--device", "gpu"]
    program = FAKE if way == "fake" else harness.BINARY
    return run(*args, *paths, program=program)


# What it must do.

def told(result, paths):
    """stderr without the names of the files, in which anything may stand."""
    err = result.err
    for path in paths:
        err = re.sub(re.escape(path) + r"(\.gz)?", "FILE", err)
    # What is said of a file that is packed.
    err = err.replace(": holds ", ": is ").replace("unpacking it; then ", "")
    return err


def has(text, piece):
    """Whether text has a part of "a || b"; an option's value may be quoted."""
    def plain(words):
        return words.lower().replace("'" if "--" in piece else "\0", "")
    return any(plain(part) in plain(text) for part in piece.split(" || "))


def assert_told(case, result, err):
    pieces = case.get("err", "" if not case.get("status") else [])
    if pieces == "any":
        return
    if pieces == "":
        assert err == "", result
        return
    assert err.startswith("gpureduce: "), result
    for piece in pieces:
        assert has(err, piece), (piece, result)


def assert_answered(case, result):
    assert result.rc == 0, result
    if "out_has" in case:
        for piece in case["out_has"]:
            assert has(result.out, piece), (piece, result)
    else:
        assert result.out == case["out"], result


def assert_case(case, result, paths):
    if status := case.get("status"):
        either = status if isinstance(status, list) else [status]
        assert_failed(result, result.rc if result.rc in either else either[0])
    else:
        assert_answered(case, result)
    assert_told(case, result, told(result, paths))


def complaint(case, way, result, plain, paths):
    """What is wrong with the result of this way, or None."""
    try:
        assert_case(case, result, paths)
        # How it is cut and where it runs changes no word.
        if way not in ("plain", "pipe"):
            assert told(result, paths) == told(plain, paths)
    except AssertionError as e:
        return f"{way}: {e}"
    return None


@pytest.mark.parametrize("file,case", cases())
def test_asked(put, file, case):
    paths = [put(name, data) for name, data in contents(file)]
    ways = [way for way in WAYS if is_possible(way, paths, case)]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda way: run_case(way, paths, case), ways))
    wrong = {way: why for way, result in zip(ways, results) if
             (why := complaint(case, way, result, results[0], paths))}
    if wrong:
        pytest.fail(f"{case['args']} of {file['made_by']} ({case['rule']})\n"
                    f"wrong: {', '.join(wrong)}; the first:\n"
                    f"{next(iter(wrong.values()))}", pytrace=False)


def test_the_table_is_whole():
    """Each case can fail: it says what is printed, or the status."""
    seen = [param.values[1] for param in cases()]
    assert len(seen) >= 150
    assert len({case["name"] for case in seen}) == len(seen)
    for case in seen:
        ends = ("status" in case) + ("out" in case) + ("out_has" in case)
        assert ends == 1, case
        assert case.get("status") in (None, 1, 2, [1, 2]), case
        assert set(case) <= {"name", "rule", "args", "status", "out",
                             "out_has", "err", "pipe", "only"}, case
