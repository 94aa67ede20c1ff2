# SPDX-License-Identifier: MIT
"""Checks of the code besides its tests.

    check_code.py headers BUILD     headers of src and kernels compile alone
    check_code.py warnings BUILD    clang reports nothing in src
    check_code.py format            clang-format would change nothing
    check_code.py commits           subjects have an area and 72 columns

Run it in the project's folder. BUILD is a configured meson build. Exit
status 77: a tool is missing."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SKIP = 77
CLANG = 14          # other versions format differently and have other warnings
SUBJECT_MAX = 72
COMMITS = 50
COLOR = "-fdiagnostics-color=always"
# Arguments that change no message, or that clang does not know.
DROPPED = ("-c", "-MD", COLOR, "-fira-region=one")
LOOPS = "loops.c"   # the name of the files that use intrinsics
# Headers of the system that most files read: reading them takes half of the time.
STANDARD = "errno inttypes math pthread stdbool stdio stdlib string unistd".split()
MANY = 20           # files for which reading these once pays
JOBS = len(os.sched_getaffinity(0))

# Headers that do not compile alone: parts of the loops, which are compiled
# once for each instruction set, and CUDA C++. This list may only become
# shorter.
PARTS = """
    kernels/common/tuning.h
    src/csv/number/number_vector.h
    src/csv/number/number_words.h
    src/reduce/cpu/loops_sum_integer.h
""".split()


def skip(why):
    print("skipped:", why)
    sys.exit(SKIP)


def report(wrong, count, what):
    print("\n".join(wrong + [f"{count} {what}, {len(wrong)} wrong"]))
    return 1 if wrong or not count else 0


def files(*tops, suffixes):
    """Returns the paths below the folders, in order."""
    return sorted(os.path.join(folder, name) for top in tops
                  for folder, _, names in os.walk(top) for name in names
                  if name.endswith(suffixes))


def run_all(commands, folder="."):
    """Runs commands in parallel. Returns the output of each, "" for exit
    status 0."""
    def run(command):
        done = subprocess.run(command, cwd=folder, capture_output=True,
                              text=True)
        return done.stdout + done.stderr if done.returncode else ""

    with ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(run, commands))


def except_known(failed, known, what):
    """Returns the failures that are not known, and the known ones that no
    longer fail."""
    return ([said for path, said in failed.items() if path not in known]
            + [f"{path}: {what}: delete it from the list in {__file__}"
               for path in known if path not in failed])


def compiled(build):
    """Yields (file, arguments of its compiler without the output) for the C
    files of the program, once for each time that the file is compiled."""
    with open(os.path.join(build, "compile_commands.json")) as file:
        entries = json.load(file)
    for entry in entries:
        path = os.path.relpath(os.path.join(build, entry["file"]))
        words = shlex.split(entry["command"])
        words = words[1 + words[0].endswith("ccache"):]
        if path.startswith(("src/", "kernels/")) and path.endswith(".c"):
            out = [i for i, word in enumerate(words)
                   if word in ("-o", "-MF", "-MQ")]
            yield path, [word for i, word in enumerate(words)
                         if i not in out and i - 1 not in out
                         and word not in DROPPED]


def has_clang(tool):
    if not shutil.which(tool):
        return False
    said = subprocess.check_output([tool, "--version"], text=True)
    return f"version {CLANG}." in said


def syntax(build, paths=(LOOPS,)):
    """Returns the command that checks the syntax of files, with clang if
    possible. With modules clang reads the headers of intrinsics only once, and
    they take as long as 20 files; other files take 0.3 times longer so."""
    if not has_clang("clang"):
        return ["cc", "-fsyntax-only"]
    cache = "-fmodules-cache-path=" + os.path.join(build, "clang-modules")
    modules = any(os.path.basename(path) == LOOPS for path in paths)
    return ["clang", "-fsyntax-only", *["-fmodules", cache] * modules]


def batch(command, paths, build):
    """Returns one command for all paths, since starting clang takes longer
    than most files do."""
    if len(paths) == 1:
        return command + paths
    said = subprocess.run(command + ["-###", paths[0]], cwd=build, text=True,
                          stderr=subprocess.PIPE).stderr
    return shlex.split(said.splitlines()[-1])[:-1] + paths


def with_standard(command, build, name):
    """Returns the command for files after the standard headers, which it has read
    once and for all, in a file of the name in `build`."""
    path = os.path.abspath(os.path.join(build, name))
    with open(path + ".h", "w", encoding="utf-8") as file:
        file.writelines(f"#include <{header}.h>\n" for header in STANDARD)
    writes = [word for word in command if word != "-fsyntax-only"]
    subprocess.run([*writes, "-x", "c-header", path + ".h", "-o", path], cwd=build,
                   check=True)
    return [*command, "-include-pch", path]


def chooses_declarations(path):
    """Whether a file chooses what the headers of the system declare."""
    with open(path, encoding="utf-8") as file:
        return re.search(r"^#define _[A-Z]+_SOURCE", file.read(), re.M)


def check_warnings(build):
    if not has_clang("clang"):
        skip(f"no clang {CLANG}")
    alike = {}
    for path, words in compiled(build):
        key = tuple(words[:-1]), bool(chooses_declarations(path))
        alike.setdefault(key, []).append(words[-1])
    commands = []
    for i, ((words, chooses), paths) in enumerate(alike.items()):
        command = [*syntax(build, paths), "-Werror", *words]
        if not chooses and len(paths) >= MANY:
            command = with_standard(command, build, f"standard{i}.pch")
        commands += [batch(command, paths[i::JOBS], build)
                     for i in range(min(JOBS, len(paths)))]
    said = run_all(commands, build)
    return report(list(filter(None, said)), sum(map(len, alike.values())),
                  "files under clang")


def first_include(path):
    with open(path, encoding="utf-8") as file:
        match = re.search(r'^#include (?:"(.*)"|<)', file.read(), re.M)
    name = match.group(1) if match else None
    return name if name and name.startswith("kernels/") else f"src/{name}"


def failing(headers, command, build):
    """Returns {header: output of the compiler} for those that do not compile
    alone. Those that should compile are compiled together first."""
    alone = [path for path in headers if path in PARTS]
    good = [path for path in headers if path not in PARTS]
    command = [*command, "-x", "c"]
    if command[0] == "clang":
        shares = [good[i::JOBS] for i in range(min(JOBS, len(good)))]
        said = run_all([batch(command, [os.path.abspath(path) for path in share],
                              build) for share in shares], build)
        alone += [path for share, text in zip(shares, said) if text
                  for path in share]
    else:
        alone = headers
    said = run_all([command + [os.path.abspath(path)] for path in alone], build)
    return {path: text for path, text in zip(alone, said) if text}


def check_headers(build):
    sources = dict(compiled(build))
    flags = sources["src/main.c"][:-1] + ["-w"]
    # A header that a C file includes first compiles alone if the build does.
    todo = set(files("src", "kernels", suffixes=".h"))
    todo -= {first_include(path) for path in sources}
    cuda = [words for words in sources.values() if "-isystem" in words]
    if cuda:
        flags += cuda[0][cuda[0].index("-isystem"):][:2]
    else:
        todo -= set(files("src/backend/cuda", suffixes=".h"))
    failed = failing(sorted(todo), syntax(build) + flags, build)
    return report(except_known(failed, PARTS, "compiles alone"), len(todo),
                  "headers that no file includes first")


def check_format():
    if not has_clang("clang-format"):
        skip(f"no clang-format {CLANG}")
    paths = files("src", "kernels", "samples", "tests",
                  suffixes=(".c", ".h", ".inc", ".cu", ".cuh"))
    command = ["clang-format", "--dry-run", "-Werror"]
    said = run_all(command + paths[i::JOBS] for i in range(JOBS))
    unclean = re.findall(r"^(\S+?):\d+:\d+: error: code should be",
                         "\n".join(said), re.M)
    failed = {path: f"{path}: run clang-format -i {path}" for path in unclean}
    return report(except_known(failed, [], "is formatted"),
                  len(paths), "files")


def git(*arguments):
    done = subprocess.run(["git", *arguments], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def check_commits():
    """Checks the commits that are not in origin, or the last ones."""
    if not os.path.exists(".git") or not git("rev-parse", "HEAD"):
        skip("no git repository")
    if git("rev-parse", "--is-shallow-repository") != "false":
        skip("a shallow clone")
    log = ["log", "--no-merges", f"-{COMMITS}", "--format=%h %s"]
    lines = (git(*log, "HEAD", "--not", "--remotes=origin")
             or git(*log)).splitlines()
    wrong = []
    for line in lines:
        subject = line.split(" ", 1)[1]
        if len(subject) > SUBJECT_MAX:
            wrong.append(f"{line}: {len(subject)} columns, not {SUBJECT_MAX}")
        if not re.match(r"[A-Za-z][\w., /-]*: \S.*[^.]$", subject):
            wrong.append(f"{line}: is not 'area: what it does'")
    return report(wrong, len(lines), "commits")


if __name__ == "__main__":
    sys.exit(globals()["check_" + sys.argv[1]](*sys.argv[2:]))
