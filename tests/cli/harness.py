# SPDX-License-Identifier: MIT
"""Runs the program for all tests.

run() returns the result. ok() and fails() also check what the contract
promises of every success and every failure."""

import functools
import itertools
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import threading
import zlib
from collections import namedtuple

import pytest

import forks
import oracle

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.path.abspath(os.environ.get("GPUREDUCE")
                         or ROOT / "build" / "gpureduce")
FORKED = BINARY, os.environ.get("GPUREDUCE_FAKE")
# A script in the place of the program starts it in an emulator, which takes
# longer and needs memory of its own.
EMULATED = os.path.exists(BINARY) and open(BINARY, "rb").read(2) == b"#!"
TIMEOUT = 1800 if EMULATED else 180

# The programs that tests start fill memory when they allocate and free it, so
# that reading uninitialised or freed memory shows. Under meson Python itself
# does not.
os.environ["MALLOC_PERTURB_"] = str(random.randint(1, 255))

# Filling buffers that a small file hardly uses takes up to 200 ms, and the run
# itself 3. So of the runs of a test one in eight fills memory.
FILLED_EVERY = 8
_runs = itertools.count()


def begin_test(name):
    """Starts to count the runs of a test. The test's name decides which of them
    fill memory, so that in tests of equal shape these are not always the same
    ones."""
    global _runs
    _runs = itertools.count(zlib.crc32(name.encode()))


def _filling():
    """Returns the environment variable that stops this run from filling
    memory, or no variable."""
    return {"MALLOC_PERTURB_": "0"} if next(_runs) % FILLED_EVERY else {}


Result = namedtuple("Result", "rc out err")

# A note, at most once for each dataset.
SKIPPED = re.compile(r"gpureduce: (?:.*: )?skipped (\d+) bad cells?(.*)\n")

# Integers in text that neither the operation nor f64 can hold.
ROUNDED = re.compile(r"gpureduce: (?:.*: )?rounded (\d+) integers? that f64 "
                     r"cannot hold(.*?)(?:; -t i64 or -t u64 reads 64 "
                     r"bits exactly)?\n")

# Characters that must never reach a terminal: C0 except line feed, DEL, and
# C1, raw or as UTF-8.
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")

# A new process starts with the memory size of its parent. A small process in
# between keeps the size of pytest out of the measurement. MALLOC_PERTURB_,
# which meson sets, would fill memory that is otherwise never touched.
MEASURE = """
import os, sys
os.environ.pop("MALLOC_PERTURB_", None)
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@functools.cache
def gpus():
    """Returns the number of GPUs."""
    try:
        out = subprocess.run(["nvidia-smi", "-L"], capture_output=True,
                             timeout=60, text=True)
    except (OSError, subprocess.TimeoutExpired):
        return 0
    return out.stdout.count("GPU ") if out.returncode == 0 else 0


def locale_with_comma(tmp_path):
    """Returns the locale de_DE with its decimal comma, built here if possible,
    with the character set that takes the least time to build."""
    env = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
    if shutil.which("localedef"):
        subprocess.run(["localedef", "-i", "de_DE", "-f", "ISO-8859-1",
                        tmp_path / "de_DE"], capture_output=True)
    if (tmp_path / "de_DE").exists():
        env = {"LC_ALL": "de_DE", "LANG": "de_DE", "LOCPATH": str(tmp_path)}
    probe = subprocess.run(["locale", "decimal_point"], env={**os.environ,
                           **env}, capture_output=True)
    return env, probe.stdout.strip() == b","


def _text(data):
    return data.decode("utf-8", "surrogateescape")


def run(*args, stdin=None, env=None, timeout=TIMEOUT, program=BINARY,
        own_start=False, **popen):
    """Runs the program. stdin: bytes for a pipe, a file or descriptor, or None
    for /dev/null. env: variables in addition to the present ones. own_start: not
    by a fork of a process that has loaded it."""
    args = [str(arg) if not isinstance(arg, bytes) else arg for arg in args]
    env = {**os.environ, **_filling(), **(env or {})}
    if program in FORKED and popen.keys() <= {"cwd"} and not own_start:
        done = forks.run(program, args, stdin, env, popen.get("cwd"), timeout)
        if done:
            return Result(done[0], _text(done[1]), _text(done[2]))
    feed = stdin if isinstance(stdin, bytes) else None
    source = subprocess.DEVNULL if stdin is None else stdin
    if feed is not None:
        source = subprocess.PIPE
    popen.setdefault("stdout", subprocess.PIPE)
    proc = subprocess.Popen([program, *args], stdin=source, stderr=subprocess.PIPE,
                            env=env, **popen)
    try:
        out, err = proc.communicate(feed, timeout)
    except subprocess.TimeoutExpired:
        proc.kill()
        proc.communicate()
        raise
    return Result(proc.returncode, _text(out or b""), _text(err))


def shell(script, *args, **popen):
    """Runs a line of shell in which $0 is the program and $@ are args."""
    proc = subprocess.run(["sh", "-c", script, BINARY, *map(str, args)],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=TIMEOUT, **popen)
    return Result(proc.returncode, _text(proc.stdout), _text(proc.stderr))


def assert_failed(result, rc, says=()):
    """Checks exit status rc, an empty stdout, and a message in the contract's
    form that contains every text of says."""
    assert result.rc == rc, result
    assert result.out == "", result
    assert result.err.startswith("gpureduce: "), result
    assert result.err.endswith("\n"), result
    assert not CONTROL.search(result.err), result
    raw = re.search("[\udc80-\udcff]", result.err)
    assert not raw, f"invalid bytes in the message: {result}"
    hint = "Try 'gpureduce --help' for more information.\n"
    if rc == 2:
        assert result.err.endswith(hint), result
    for text in [says] if isinstance(says, str) else says:
        assert text in result.err, (text, result)
    return result


def ok(*args, **kw):
    """Runs a command that must succeed. Returns its stdout. stderr must be
    empty, apart from the note of --bad skip."""
    result = run(*args, **kw)
    assert result.rc == 0, result
    skips = "--bad=skip" in args or ("--bad", "skip") in zip(args, args[1:])
    err = SKIPPED.sub("", result.err) if skips else result.err
    assert err == "", result
    return result.out


def fails(rc, *args, says=(), **kw):
    """Runs a command that must fail with rc. Returns its stderr."""
    return assert_failed(run(*args, **kw), rc, says).err


def value(*args, **kw):
    """Returns the value of a run with one op."""
    out = ok(*args, **kw)
    assert out.endswith("\n") and out.count("\n") == 1, out
    return out[:-1]


def values(*args, **kw):
    """Returns the op<TAB>value lines of a run with several ops, as a dict."""
    out = ok(*args, **kw)
    assert out.endswith("\n"), out
    rows = [line.split("\t") for line in out[:-1].split("\n")]
    assert all(len(row) == 2 for row in rows), out
    assert len({op for op, _ in rows}) == len(rows), out
    return dict(rows)


def check(elements, dtype, *args, ops=oracle.OPS, nan="propagate", **kw):
    """Runs the program on args and compares every op with the oracle's results
    for elements."""
    want = oracle.reduce(elements, dtype, nan, ops)
    ops = [op for op in ops if want[op] is not oracle.OVERFLOW]
    if nan != "propagate":
        args = ("--nan", nan, *args)
    if len(ops) == 1:
        got = {ops[0]: value("--op", ops[0], *args, **kw)}
    else:
        got = values("--op", ",".join(ops), *args, **kw)
    assert list(got) == ops
    wrong = {op: (got[op], want[op]) for op in ops
             if not oracle.matches(got[op], want[op])}
    assert not wrong, f"{dtype} {args}: op: (got, want): {wrong}"
    return got


class Feeder(threading.Thread):
    """A thread that writes data to a descriptor or a FIFO's path in pieces and
    closes it. before: called once before the first write."""

    def __init__(self, target, data, piece=1 << 16, before=None):
        super().__init__(daemon=True)
        self.target, self.data = target, data
        self.piece, self.before = piece, before
        self.start()

    def run(self):
        fd = self.target
        if not isinstance(fd, int):
            fd = os.open(fd, os.O_WRONLY)
        try:
            if self.before:
                self.before()
            for at in range(0, len(self.data), self.piece):
                os.write(fd, self.data[at:at + self.piece])
        except BrokenPipeError:
            pass
        finally:
            os.close(fd)


def piped(data, piece):
    """Returns the read end of a pipe that a thread feeds in pieces."""
    reader, writer = os.pipe()
    Feeder(writer, data, piece)
    return os.fdopen(reader, "rb")


def needs_memory_of_its_own():
    """Skips a test of the program's memory where a sanitizer or an emulator
    takes memory as well, or the program itself is as large as limits of tests."""
    binary = pathlib.Path(BINARY).read_bytes()
    if EMULATED or b"__asan_init" in binary or b"__tsan_init" in binary:
        pytest.skip("a sanitizer or an emulator has memory of its own")
    if len(binary) > 64 << 20:
        pytest.skip("kernels for all GPUs take the memory of the limit")


def data_limit(most):
    """Returns what limits a child's memory to so many bytes, as its preexec_fn."""
    return lambda: resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def peak(*args, **popen):
    """Returns the output of the program and its peak memory in bytes."""
    needs_memory_of_its_own()
    proc = subprocess.run([sys.executable, "-S", "-c", MEASURE, BINARY,
                           *map(str, args)], capture_output=True, timeout=60,
                          **popen)
    assert proc.returncode == 0, proc
    return proc.stdout, int(proc.stderr) << 10
