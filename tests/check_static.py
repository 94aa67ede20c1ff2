# SPDX-License-Identifier: MIT
"""Runs shellcheck over the scripts, and over src cppcheck, gcc -fanalyzer and
clang-tidy, whose checks are in .clang-tidy.

    check_static.py [--deep BUILD] [FOLDER]...

FOLDERs of src are all by default. For a person: all of src takes a minute of
processor time, and with --deep, for the last two, a quarter of an hour. What is
no finding is in NEVER, HERE or DEEP, with the reason. codespell is part of
check_english.py. Exit status 1: there are findings; 77: a tool is missing."""

import json
import os
import pathlib
import re
import shlex
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
    ("src/ranks/gather.c", "nullPointerRedundantCheck"):
        "link_fail does not return",
    ("src/reduce/cpu/loops_lanes.h", "arrayIndexOutOfBounds"):
        "rows of 4 and 8 are for sets with as many lanes",
    ("src/reduce/cpu/loops_prod.h", "constStatement"):
        "it does not see the use of ELEMENT_AT",
    ("src/reduce/cpu/loops_sum_power.h", "CastIntegerToAddressAtReturn"):
        "a pointer plus an offset",
    ("src/reduce/cpu/vector.h", "constStatement"): "likewise",
}
# Those of gcc -fanalyzer and clang-tidy, which read one file at a time. So they do
# not know that error_memory() returns false, nor who frees what a struct owns.
DEEP = {
    ("src/", "malloc-leak"): "AddressSanitizer and valgrind look for leaks",
    ("src/", "not-null-terminated"): "bytes with a length, or with an end added",
    ("src/axis/files.c", "core.NullDereference"): "each worker has its run",
    ("src/axis/lane_sums.c", "uninitialized.Assign"): "memcpy sets them",
    ("src/axis/offload_plan.c", "DivideZero"): "an axis has elements",
    ("src/axis/offload_plan.c", "UndefinedBinaryOperatorResult"):
        "an axis has elements",
    ("src/axis/tasks.c", "UndefinedBinaryOperatorResult"):
        "a slab has bytes; a file follows",
    ("src/axis/tile.h", "DivideZero"): "what is divided by is a size",
    ("src/base/array.c", "uninitialized"): "realloc gave it an address",
    ("src/base/memory.c", "cert-err34-c"): "the kernel wrote the number",
    ("src/base/share.c", "CallAndMessage"):
        "a share is set before its thread starts",
    ("src/base/text.c", "uninitialized"): "n says how many are set",
    ("src/by/kept.c", "null-argument"): "the room says that there is memory",
    ("src/by/key.h", "ull"): "a text without bytes has an address, too",
    ("src/by/merge.c", "uninitialized"): "memcpy sets it",
    ("src/by/sum.c", "uninitialized"): "it is set where it is declared",
    ("src/by/sum.h", "uninitialized"): "memcpy sets it",
    ("src/by/values.c", "NullDereference"): "what has no memory returns before",
    ("src/compare/loops.c", "misc-redundant-expression"):
        "NaN differs from itself",
    ("src/csv/schema/choose.c", "CallAndMessage"): "n says how many are set",
    ("src/csv/schema/seek.c", "uninitialized"): "n says how many are set",
    ("src/csv/schema/used.c", "NullDereference"):
        "there is one for each column that is used",
    ("src/csv/schema/used.c", "format-truncation"): "a message may be cut",
    ("src/csv/schema/used.c", "null-dereference"):
        "there is one for each column that is used",
    ("src/engine/engine.c", "NullDereference"): "error_memory() returned false",
    ("src/engine/folds.c", "NullDereference"): "error_memory() returned false",
    ("src/engine/keyed.c", "uninitialized"): "each column set its cells",
    ("src/format/archive.c", "NullDereference"): "a member has an archive",
    ("src/format/csv.c", "uninitialized"): "what sets an error returns false",
    ("src/format/csv.c", "signed-char-misuse"): "a line ends with a byte of ASCII",
    ("src/format/npy.c", "NonNullParamChecker"): "load_header() set the text",
    ("src/format/npy.c", "null-argument"): "load_header() set the text",
    ("src/format/npy.c", "uninitialized"): "load_header() set the text",
    ("src/formula/decoder.c", "NullDereference"): "error_memory() returned false",
    ("src/plan/comparison.c", "DivideZero"): "a dtype has a size",
    ("src/plan/device.c", "DivideZero"): "a run has a thread",
    ("src/plan/device.c", "NullDereference"): "a plan has a backend",
    ("src/plan/files.c", "uninitialized"): "count says how many are set",
    ("src/plan/formulas.c", "uninitialized"): "what sets no list returns false",
    ("src/plan/formulas_groups.c", "NullDereference"):
        "--columns is for a table",
    ("src/plan/formulas_names.c", "NullDereference"):
        "error_memory() returned false",
    ("src/plan/merged.c", "cert-err34-c"): "any number but 0 means parentheses",
    ("src/plan/pairs.c", "NullDereference"): "an operation is given",
    ("src/plan/quantiles.c", "DivideZero"): "a pass has a range",
    ("src/ranks/link.c", "MPI-Checker"): "await() waits",
    ("src/ranks/link.c", "null-dereference"): "without `out`, nothing is sent",
    ("src/reduce/distinct_items.c", "UndefinedBinaryOperatorResult"):
        "a dtype has a size",
    ("src/reduce/distinct_items.c", "uninitialized"): "list_all sets n items",
    ("src/reduce/distinct_most.c", "NonNullParamChecker"):
        "a count of 0 has no text",
    ("src/reduce/distinct_most.c", "null-argument"): "a count of 0 has no text",
    ("src/reduce/distinct_seen.c", "UndefinedBinaryOperatorResult"):
        "find_places sets n places",
    ("src/reduce/ends.h", "uninitialized"): "ends_init sets all four",
    ("src/reduce/op_sums.c", "NullDereference"):
        "an operation has the states of its monoids",
    ("src/reduce/op_sums.c", "null-dereference"):
        "an operation has the states of its monoids",
    ("src/reduce/ranks.c", "NullDereference"): "counts are of what was asked",
    ("src/reduce/states.h", "NullDereference"): "a monoid has a bank",
    ("src/run/by_folds.c", "NullDereference"): "error_memory() returned false",
    ("src/run/covers.c", "NonNullParamChecker"): "error_memory() returned false",
    ("src/run/covers.c", "UndefinedBinaryOperatorResult"):
        "found is set where they are",
    ("src/run/covers.c", "uninitialized"): "found is set where they are",
    ("src/run/instead.c", "NullDereference"): "error_memory() returned false",
    ("src/run/instead.c", "bugprone-integer-division"): "whole elements",
    ("src/run/passes.c", "NullDereference"): "error_memory() returned false",
    ("src/run/passes.c", "uninitialized"): "what sets no report returns false",
    ("src/saved/file.c", "UndefinedBinaryOperatorResult"):
        "what sets an error returns false",
    ("src/source/compressed/zip.c", "CallAndMessage"):
        "what sets no entry returns false",
    ("src/source/compressed/zip.c", "UndefinedBinaryOperatorResult"):
        "what sets no entry returns false",
    ("src/source/compressed/zip_list.c", "uninitialized"):
        "each of n places is set before",
}
# Loops of one instruction set are macros: the two would take hours over them.
LOOPS = re.compile("csv/simd|cpu/loops|vectors|backend/cuda")


def findings(*command, folder=ROOT):
    if not shutil.which(command[0]):
        print("skipped: no", command[0])
        sys.exit(77)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return {row for row in (done.stdout + done.stderr).splitlines()
            if ": warning:" in row or ": error:" in row or ": note: " in row}


def analyze(build, folders):
    """The findings of gcc -fanalyzer and clang-tidy, by the commands that
    compile the build."""
    found, seen = set(), set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = os.path.relpath(build / entry["file"], ROOT)
        if (path in seen or LOOPS.search(path)
                or not path.startswith(tuple(folders or ["src/"]))):
            continue
        seen.add(path)
        options = [word for word in shlex.split(entry["command"])
                   if re.match("-[DIUf]|-std", word)]
        found |= findings("gcc", *options, "-fdiagnostics-color=never", "-O0",
                          "-fanalyzer", "-c", "-o", os.devnull, entry["file"],
                          folder=build)
        found |= findings("clang-tidy", "--quiet", "-p", build, path)
    return {row for row in found if "note:" not in row and not any(
        path in row and kind in row for path, kind in DEEP)}


def main(*folders):
    build = None
    if folders[:1] == ("--deep",):
        build, folders = ROOT / folders[1], folders[2:]
    found = findings("shellcheck", "-f", "gcc", *SCRIPTS)
    suppressed = [f"--suppress={kind}" for kind in NEVER]
    suppressed += [f"--suppress={kind}:{path}" for path, kind in HERE]
    found |= findings(
        "cppcheck", "-q", "--std=c11", "-j2", "--enable=warning,portability",
        "--template={file}:{line}: warning: {message} [{id}]", "-DHAVE_ISAL",
        "-DHAVE_ZSTD", "-Isrc", "-I.", *suppressed, *(folders or ["src/"]))
    if build:
        found |= analyze(build, folders)
    print(*sorted(found), f"{len(found)} findings", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
