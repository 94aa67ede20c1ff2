# SPDX-License-Identifier: MIT
"""Runs asked/cases.toml: files as real programs write them. The answer of each
command must be the same in every mode."""

import gzip
import os
import pathlib
import re
import shlex
import tomllib
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest

import harness
from asked_files import contents
from conftest import SEED
from harness import assert_failed, gpus, run

TABLE = pathlib.Path(__file__).parent / "asked" / "cases.toml"
FAKE = os.path.abspath(
    os.environ.get("GPUREDUCE_FAKE")
    or pathlib.Path(harness.BINARY).parent / "tests/backends/gpureduce_fake")
CHUNKS = "1", "7", "64"
MODES = ("plain", "pipe", "gz", *("chunk " + n for n in CHUNKS), "fake", "gpu")


def cases():
    with open(TABLE, "rb") as table:
        for file in tomllib.load(table)["file"]:
            for case in file["case"]:
                yield pytest.param(file, case, id=case["name"])


# A mode is a way to run a case that must not change its answer.

def is_possible(mode, paths, case):
    """Returns whether this machine and this case can use this mode."""
    if mode not in case.get("only", MODES):
        return False
    return {"pipe": len(paths) == 1 and case.get("pipe") != "no",
            "fake": os.path.exists(FAKE),
            "gpu": gpus() > 0}.get(mode, True)


def packed(path):
    with open(path, "rb") as plain, open(path + ".gz", "wb") as out:
        out.write(gzip.compress(plain.read()))
    return path + ".gz"


def run_case(mode, paths, case):
    args = shlex.split(case["args"])
    if mode == "pipe":
        with open(paths[0], "rb") as file:
            return run(*args, *shlex.split(case.get("pipe", "")),
                       stdin=file.read())
    if mode == "gz":
        paths = [packed(path) for path in paths]
    if mode.startswith("chunk"):
        args += ["--chunk-size", mode.split()[1], "-j", "3"]
    if mode in ("fake", "gpu"):
        args += ["--device", "gpu"]
    program = FAKE if mode == "fake" else harness.BINARY
    return run(*args, *paths, program=program)


# Checks of the results.

def stderr_of(result, paths):
    """Returns stderr without the names of the files, which may contain any
    text."""
    err = result.err
    for path in paths:
        err = re.sub(re.escape(path) + r"(\.gz)?", "FILE", err)
    # Differences in the wording for compressed files. A path runs without "./".
    for other, wording in {": holds ": ": is ", "unpacking it; then ": "",
                           "Try ./FILE": "Try FILE"}.items():
        err = err.replace(other, wording)
    return err


def has(text, piece):
    """Returns whether text has a part of "a || b". Quotes of an option's value
    are ignored."""
    def plain(words):
        return words.lower().replace("'" if "--" in piece else "\0", "")
    return any(plain(part) in plain(text) for part in piece.split(" || "))


def assert_messages(case, result, err):
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
    assert_messages(case, result, stderr_of(result, paths))


def complaint(case, mode, result, plain, paths):
    """Returns what is wrong with the result in this mode, or None."""
    try:
        assert_case(case, result, paths)
        # Chunk sizes and devices change no word of the messages.
        if mode not in ("plain", "pipe"):
            assert stderr_of(result, paths) == stderr_of(plain, paths)
    except AssertionError as e:
        return f"{mode}: {e}"
    return None


@pytest.mark.parametrize("file,case", cases())
def test_asked(put, file, case):
    """Plainly, and in every other one of the modes; the seed chooses which."""
    paths = [put(name, data) for name, data in contents(file)]
    plain, *modes = [mode for mode in MODES if is_possible(mode, paths, case)]
    modes = [plain, *modes[(zlib.crc32(case["name"].encode()) ^ SEED) % 2::2]]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda mode: run_case(mode, paths, case),
                                modes))
    wrong = {mode: why for mode, result in zip(modes, results) if
             (why := complaint(case, mode, result, results[0], paths))}
    if wrong:
        pytest.fail(f"{case['args']} of {file['made_by']} ({case['rule']})\n"
                    f"wrong: {', '.join(wrong)}; the first:\n"
                    f"{next(iter(wrong.values()))}", pytrace=False)


def test_every_case_can_fail():
    """Every case can fail: it has an expected output or status."""
    seen = [param.values[1] for param in cases()]
    assert len(seen) >= 150
    assert len({case["name"] for case in seen}) == len(seen)
    for case in seen:
        ends = ("status" in case) + ("out" in case) + ("out_has" in case)
        assert ends == 1, case
        assert case.get("status") in (None, 1, 2, [1, 2]), case
        assert set(case) <= {"name", "rule", "args", "status", "out",
                             "out_has", "err", "pipe", "only"}, case
