# SPDX-License-Identifier: MIT
"""Runs shellcheck over the scripts and cppcheck over src.

    check_static.py [FOLDER]...

FOLDERs of src are all by default. For a person: all of src takes a minute of
processor time. What is no finding is in NEVER or HERE, with the reason.
codespell is part of check_english.py. Exit status 1: there are findings; 77: a
tool is missing."""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCRIPTS = (".ci/run", "bootstrap", "packaging/debian/tests/samples",
           "packaging/make-deb", "tests/bench/run")
# Kinds that find nothing here, and why.
NEVER = {
    "shiftTooManyBitsSigned": "our compilers shift signed numbers as wanted",
    "uninitvar": "it does not follow loops over lanes or filled structs",
    "memleak": "it does not see that a compound literal takes the memory",
    "invalidPointerCast": "masks of vectors are the bits of doubles",
}
# Single ones: file, kind, and why.
HERE = {
    ("kernels/rank/ranges.h", "shiftTooManyBits"): "63 bits leave at most one",
    ("src/axis/lane_sums.c", "assignBoolToPointer"): "it takes a function for a truth value",
    ("src/axis/stream.c", "zerodivcond"): "a row has an element",
    ("src/backend/cuda/formulas.c", "preprocessorErrorDirective"):
        "the build gives the version of CUDA",
    ("src/by/values.c", "identicalConditionAfterEarlyExit"):
        "distinct_take sets it by its address",
    ("src/csv/number/number_scale.h", "shiftNegativeLHS"):
        "rounds down by an arithmetic shift",
    ("src/csv/schema/select.c", "nullPointerArithmeticRedundantCheck"):
        "the sum is not used then",
    ("src/engine/keyed.c", "nullPointerArithmeticRedundantCheck"):
        "the loop ends where there is no memory",
    ("src/expr/operations.c", "returnDanglingLifetime"):
        "the text that says what is wrong is static",
    ("src/expr/vectors_parts.h", "incorrectLogicOperator"):
        "it cannot read hexadecimal floats",
    ("src/reduce/cpu/loops_sum_power.h", "CastIntegerToAddressAtReturn"):
        "a pointer plus an offset",
}


def findings(*command):
    if not shutil.which(command[0]):
        print("skipped: no", command[0])
        sys.exit(77)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return {row for row in (done.stdout + done.stderr).splitlines()
            if ": warning:" in row or ": error:" in row or ": note: " in row}


def main(*folders):
    found = findings("shellcheck", "-f", "gcc", *SCRIPTS)
    suppressed = [f"--suppress={kind}" for kind in NEVER]
    suppressed += [f"--suppress={kind}:{path}" for path, kind in HERE]
    found |= findings(
        "cppcheck", "-q", "--std=c11", "-j2", "--enable=warning,portability",
        "--template={file}:{line}: warning: {message} [{id}]", "-DHAVE_ISAL",
        "-DHAVE_ZSTD", "-Isrc", "-I.", *suppressed, *(folders or ["src/"]))
    print(*sorted(found), f"{len(found)} findings", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
