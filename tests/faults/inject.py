# SPDX-License-Identifier: MIT
"""Makes uses of every libc call fail, one at a time, and checks how the
program ends: with the right answer if it can do without the call, else with
status 1 (--compare: 2), nothing on stdout and a message that names the cause.

    inject.py [--all] FAULTS_SO FORKS_SO [SCENARIO]...

Makes the first FIRST uses of each call fail, and a sample of the later ones,
which depends on scenario and call; with --all every use. Of memory, one use for
each way through the program that leads to one, in any scenario. The program is
$GPUREDUCE. Status 77: this program cannot be preloaded."""

import collections
import concurrent.futures
import errno
import os
import random
import subprocess
import sys
import tempfile
import threading

from scenarios import FAKE, LINE, LITTLE, LITTLE_BYTES, PROGRAM, contents, scenarios

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
import forks  # noqa: E402

USES_MAX = 4000
FIRST = 3
# Scenarios that are like others: without --all and without names, left out.
ALIKE = {"by-many", "quantiles-csv", "save", "gpu-csv", "gpu-axis",
         "csv-mapped", "csv-long-pipe", "gzip-alone", "gzip-redirected",
         "npz-stored", "files0-pipe", "csv-columns", "files-16",
         "files-16-each", "gzip-by",
         "npz-5", "where", "let", "histogram", "texts-unique", "median-by",
         "prod-by", "axis-pipe", "axis-printed", "axis-npy", "axis-median", "json",
         "compare-files", "gpu-by", "gpu-where", "gpu-files", "gpu-median",
         "merge-16", "pairs", "files-16-by", "median-pipe",
         "short-csv", "short-npy"}
# Runs that start again, since the GPU is short of memory; what another thread
# could not read before then counts no more.
RESTARTS = {"gpu-little"}
ALLOCATES = ["malloc", "calloc", "realloc", "aligned_alloc"]
MEMORY = [*ALLOCATES, "pthread_mutex_init", "pthread_cond_init"]
# Call, errno, and whether the run may still give the right answer.
ERRORS = [
    ("open", errno.EMFILE, False),
    ("open", errno.EACCES, False),
    ("fstat", errno.EIO, False),
    ("read", errno.EIO, False),
    ("pread", errno.EIO, False),
    ("write", errno.ENOSPC, False),
    ("write", errno.EIO, False),
    ("stat", errno.EACCES, True),
    ("lseek", errno.ESPIPE, True),
    ("mmap", errno.ENODEV, True),
    ("madvise", errno.EINVAL, True),
    ("read", errno.EAGAIN, True),
    ("pread", errno.EAGAIN, True),
    ("pthread_create", errno.EAGAIN, True),
    ("sched_getaffinity", errno.EINVAL, True),
    ("pipe2", errno.EMFILE, True),
    ("poll", errno.ENOMEM, True),
] + [(call, errno.ENOMEM, True) for call in MEMORY]
# With --all: a file is removed, or its server forgets it, as NFS does.
MORE_ERRORS = [("open", errno.ENOENT, True), ("pread", errno.ESTALE, False)]
TRANSFERS = ["read", "pread", "write"]
ABSENT = "AddressSanitizer: CHECK failed"  # it has no memory itself
SHORT = [1, 7, 4096]
# A transfer of 1 byte costs as much as one of 16 KiB: without --all, long data get
# few at places that are like others.
SHORT_MODE = "often", "short"
PIECE = 64 << 10  # the program writes longer text in pieces of so many bytes
LENGTH_MOST = 1024  # no less than the data of the scenarios "short-..." have
TIMEOUT = 100  # seconds, in case of a hang; a machine may be busy
FILLED_EVERY = 8  # filling memory, as MALLOC_PERTURB_ says, takes a third of a run


def environment(log, call, mode, at=1, code=0):
    """Returns the variables that ask faults.c for a fault."""
    fills = random.randrange(FILLED_EVERY) == 0
    return {"FAULT_CALL": call, "FAULT_MODE": mode, "FAULT_AT": str(at),
            "FAULT_ERRNO": str(code), "FAULT_LOG": log,
            "MALLOC_PERTURB_": str(fills * random.randint(1, 255))}


def run_forked(args, stdin, env, folder):
    """Runs the program on stdin: bytes for a pipe, the path of a file, or nothing.
    Returns its exit status and what it wrote to standard output and error."""
    program = FAKE if {"fake", LITTLE} & set(args) else PROGRAM
    env = {**os.environ, **env}
    if LITTLE in args:
        env["FAKE_MEMORY"] = LITTLE_BYTES
    with open(stdin if isinstance(stdin, str) else os.devnull, "rb") as file:
        try:
            return forks.run(program, args, stdin if isinstance(stdin, bytes) else file,
                             env, folder, TIMEOUT)
        except subprocess.TimeoutExpired:
            return "none, it hangs", b"", b""


class Run:
    """A run with a fault, and its results."""

    def __init__(self, scenario, folder, **fault):
        args, stdin, self.want = scenario
        self.error_status = 2 if "--compare" in args else 1
        log = os.path.join(folder, "log-%d" % threading.get_ident())
        self.status, out, err = run_forked(args, stdin, environment(log, **fault),
                                           folder)
        self.out, self.err = out.decode("latin-1"), err.decode()
        # A fault makes the log, and so does each line of a list.
        self.fired, self.listed = os.path.exists(log), []
        if self.fired:
            self.listed = contents(log).splitlines()
            os.remove(log)

    def succeeded(self):
        return (self.status, self.out, self.err) == (0, self.want, "")

    def lost_a_line(self):
        """Whether all is right but the line of a place, which stays unknown if its
        file cannot be read again."""
        self.out = self.out.replace('"line":null', LINE)
        return self.succeeded()

    def failed(self, says):
        # Text that is written in pieces has begun where the last one fails.
        begun = self.want[:len(self.out)] if len(self.want) > PIECE else ""
        return (self.status == self.error_status and self.out == begun
                and self.err.startswith("gpureduce: ")
                and self.err.endswith("\n")
                and any(text in self.err for text in says))

    def __str__(self):
        return "status %s, stdout %r, stderr %r" % (
            self.status, self.out[:200], self.err[:300])


def uses(everything, *which):
    """Yields the numbers of the uses to make fail: the first ones, then a
    sample with growing gaps, wider where all later uses fail, too."""
    at, least = 1, "from" in which
    draw = random.Random(repr(which))
    while at < USES_MAX:
        yield at
        gap = 1 if everything or at < FIRST else draw.randint(
            1 + least * at, 1 + (1 + least) * at)
        at += gap


def ways(runner, known, pool):
    """Returns {(scenario, call): uses}: the first use of each way through the
    program that ends in a call for memory, in the first scenario that takes
    it."""
    names = [name for name in known
             if not name.startswith(("verify ", "short-"))]
    seen, found = set(), {}
    for name, run in zip(names, pool.map(
            lambda name: runner(name, call="any", mode="list"), names)):
        uses_of = collections.Counter()
        for way in run.listed:
            call = way.split()[0].decode()
            uses_of[call] += 1
            key = "fake" in known[name][0], way
            if key not in seen:
                seen.add(key)
                found.setdefault((name, call), []).append(uses_of[call])
    return found


def each_use(runner, name, call, code, mode, which):
    """Makes these uses fail, until no use is left."""
    says = ["memory"] if call in MEMORY else [os.strerror(code)]
    if call == "fstat":  # of a mapped file, after reading: one of two causes
        says.append("cannot be read, or was cut while it was read")
    if call == "mmap":  # of memory instead of a file
        says.append("out of memory")
    if "merge" in name and call == "fstat":
        says.append("changed while it was read")
    survivable = (call, code, True) in ERRORS + MORE_ERRORS or (
        name in RESTARTS and mode == "once")
    bad, fired = [], 0
    for use in which:
        run = runner(name, call=call, code=code, mode=mode, at=use)
        if not run.fired:
            if not run.succeeded():
                bad.append("no fault: %s" % run)
            break
        if ABSENT in run.err:
            continue
        fired += 1
        if not (run.failed(says) or survivable and run.succeeded()
                or LINE in run.want and run.lost_a_line()):
            bad.append("use %d of %s, %s, %s: %s" % (
                use, call, errno.errorcode[code], mode, run))
    else:
        if not isinstance(which, list):
            bad.append("%s: more than %d uses" % (call, USES_MAX))
    return call, fired, bad


def every_use(runner, name, call, mode, at=1):
    """Interrupts or shortens every use. The answer must be right."""
    run = runner(name, call=call, mode=mode, at=at)
    bad = [] if run.succeeded() else ["%s %s %d: %s" % (mode, call, at, run)]
    return call + " " + mode, int(run.fired), bad


def each_length(runner, name, everything):
    """Shortens every transfer to each length that the data have. The answer
    must be right."""
    bad, fired = [], 0
    for at in uses(everything, name):
        if at > LENGTH_MOST:
            break
        run = runner(name, call="read", mode="short", at=at)
        fired += run.fired
        if not run.succeeded():
            bad.append("no more than %d bytes: %s" % (at, run))
    return "read short", fired, bad


def each_difference(runner, name, everything):
    """Changes a byte of each reading in turn, as a failing machine would. The
    difference must be told where the first computation is wrong, and where
    the second one is; readings of the first look change both."""
    del everything
    bad, fired, told = [], 0, 0
    for use in range(1, 40):
        run = runner(name, call="pread", mode="garble", at=use)
        if not run.fired:
            break
        fired += 1
        told += run.failed(["--verify: "]) and run.want in run.err
    if (run.status, run.err, told) != (0, "", 2):
        bad.append("--verify told %d differences of 2: %s" % (told, run))
    return "pread garble", fired, bad


def jobs(names, everything, found):
    for (name, call), which in found.items():
        yield each_use, name, call, errno.ENOMEM, "once", which
    for name in names:
        if name.startswith("verify "):
            yield each_difference, name, everything
            continue
        if name.startswith("short-"):
            yield each_length, name, everything
            continue
        for call, code, _ in ERRORS + MORE_ERRORS * everything:
            for mode in ("once", "from"):
                if mode == "from" and code == errno.EAGAIN \
                        and call != "pthread_create":
                    continue
                if mode == "from" or everything or call not in ALLOCATES:
                    which = uses(everything, name, call, code, mode)
                    yield each_use, name, call, code, mode, which
        for call in TRANSFERS:
            yield every_use, name, call, "interrupt"
            for at in SHORT:
                yield every_use, name, call, SHORT_MODE[everything], at
        yield every_use, name, "poll", "interrupt"


def unsuitable():
    """Returns why the program cannot be preloaded, or None."""
    program = contents(PROGRAM)
    if b"__tsan_init" in program:
        return "ThreadSanitizer must come first"
    if b"__libc_start_main" not in program:
        return "it is not linked to a shared glibc"
    return None


def main(*words):
    everything = "--all" in words
    faults, server, *names = [word for word in words if word != "--all"]
    forks.LIBRARY = "%s:%s" % (os.path.abspath(faults), os.path.abspath(server))
    os.environ.update(LC_ALL="C",
                      ASAN_OPTIONS="verify_asan_link_order=0:exitcode=86")
    why = unsuitable()
    if why:
        print("skipped: %s: %s" % (PROGRAM, why))
        return 77
    reached, failures = {}, []
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        known = scenarios(folder)
        chosen = known if everything else [
            x for x in known if x not in ALIKE and not x.startswith("memory ")]

        def runner(name, **fault):
            return Run(known[name], folder, **fault)

        found = {} if everything else ways(
            runner, {name: known[name] for name in names or known}, pool)
        futures = {pool.submit(job[0], runner, *job[1:]): job[1]
                   for job in jobs(names or chosen, everything, found)}
        for future in concurrent.futures.as_completed(futures):
            what, fired, bad = future.result()
            reached[what] = reached.get(what, 0) + fired
            failures += ["%s: %s" % (futures[future], text) for text in bad]
    # A row for a call that the program never makes would test nothing.
    failures += ["no fault in %s happened" % what
                 for what, fired in reached.items() if not fired and not names]
    for text in sorted(failures):
        print(text)
    print("%d faults, %d failures" % (sum(reached.values()), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
