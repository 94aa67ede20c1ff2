# SPDX-License-Identifier: MIT
"""Checks that no file of src or kernels includes a file of a higher room, so
that there are no cycles between rooms. A room is a folder.

Run it in the project's folder. To add, rename or move a room, edit ROOMS."""

import os
import re
import sys

# From the lowest to the highest. A file may include its own room and the rooms
# above it in this list.
ROOMS = """
    src/base
    src/reduce
    src/reduce/cpu
    src/by
    src/csv/structure
    src/csv/number
    src/expr
    src/fold
    src/csv/cell
    src/csv/simd
    src/csv/schema
    src/csv
    kernels/common
    kernels/reduce
    kernels/rank
    kernels/distinct
    kernels/by
    kernels/csv
    kernels/axis
    src/output
    src/source
    src/source/compressed
    src/saved
    src/format
    src/chunk
    src/formula
    src/compare
    src/axis
    src/engine
    src/backend
    src/backend/cuda
    src/cli
    src/plan
    src/run
    src/ranks
    src
""".split()

# Only these rooms may read the options. All others use the plan.
OPTIONS = "src/cli", "src/plan", "src/ranks", "src"

# Known violations, with reasons. This list may only become shorter.
KNOWN = {}

SUFFIXES = (".c", ".h", ".inc", ".cu", ".cuh")
GENERATED = ("powers_table.h", "formula_text.h")
INCLUDE = re.compile(r'\s*#\s*include\s+"(.*)"')


def sources():
    """Returns paths relative to the project's folder, in order."""
    found = []
    for top in "src", "kernels":
        for folder, _, names in os.walk(top):
            found += [os.path.join(folder, name) for name in names
                      if name.endswith(SUFFIXES)]
    return sorted(found)


def resolve(path, name):
    """Returns the included file as the compiler finds it, or None."""
    for folder in os.path.dirname(path), "src", ".":
        candidate = os.path.normpath(os.path.join(folder, name))
        if os.path.exists(candidate):
            return candidate
    return None


def includes(path):
    """Yields (line, name, file or None) of each include."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if match and match.group(1) not in GENERATED:
                yield number, match.group(1), resolve(path, match.group(1))


def judge(path, target):
    """Returns what is wrong with this include, or None."""
    rooms = os.path.dirname(path), os.path.dirname(target)
    for room in rooms:
        if room not in ROOMS:
            return f"{room} is not in ROOMS"
    if rooms[1] == "src/cli" and rooms[0] not in OPTIONS:
        return "the options are the plan's matter"
    if ROOMS.index(rooms[0]) >= ROOMS.index(rooms[1]):
        return None
    return f"{rooms[0]} is below {rooms[1]}"


def main():
    wrong, seen, count = [], set(), 0
    for path in sources():
        for line, name, target in includes(path):
            count += 1
            problem = judge(path, target) if target else "is not there"
            if problem and (path, target) in KNOWN:
                seen.add((path, target))
            elif problem:
                wrong.append(f'{path}:{line}: includes "{name}": {problem}')
    for path, target in sorted(KNOWN.keys() - seen):
        wrong.append(f"{path}: includes {target} no longer from below: "
                     "delete it from KNOWN")
    print("\n".join(wrong + [f"{count} includes, {len(wrong)} wrong, "
                             f"{len(seen)} known"]))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
