# SPDX-License-Identifier: MIT
"""Makes uses of every libc call fail, one at a time, and checks how the
program ends: with the right answer if it can do without the call, else with
status 1 (--compare: 2), nothing on stdout and a message that names the cause.

    inject.py [--all] FAULTS_SO [SCENARIO]...

Makes the first FIRST uses of each call fail, and a sample of the later ones,
which depends on scenario and call; with --all every use. The program is
$GPUREDUCE. Status 77: this program cannot be preloaded."""

import concurrent.futures
import errno
import gzip
import io
import os
import random
import struct
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
PROGRAM = os.path.abspath(os.environ.get(
    "GPUREDUCE", os.path.join(ROOT, "build", "gpureduce")))
# The program with a GPU that is a fake; no scenarios of it without one.
FAKE = os.environ.get("GPUREDUCE_FAKE")
TIMEOUT = 100  # seconds, in case of a hang; a machine may be busy
USES_MAX = 4000
FIRST = 3
# Scenarios that are like others: without --all and without names, left out.
ALIKE = {"by-many", "keys", "quantiles-csv", "save", "gpu-csv", "gpu-axis",
         "csv-mapped",
         "csv-long-pipe", "gzip-alone", "gzip-redirected", "npz-stored",
         "files0-pipe", "csv-columns"}
OPS = ["count", "sum", "prod", "max", "argmin", "argmax", "sumsq", "l1", "any",
       "nunique", "mode_count", "approx_nunique"]

MEMORY = ["malloc", "calloc", "realloc", "aligned_alloc",
          "pthread_mutex_init", "pthread_cond_init"]
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
TRANSFERS = ["read", "pread", "write"]
SHORT = [1, 7, 4096]


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def elements(count, seed):
    """Returns whole numbers, so that every sum is exact. Few have magnitude 2,
    so that the product is exact, too."""
    data = [(i * 7919 + seed) % 3 - 1 for i in range(count - 12)]
    return [x if x else 1 for x in data] + [2, -2] * 6


def expected(data):
    product = 1
    for x in data:
        product *= x
    return [len(data), sum(data), product, max(data), data.index(min(data)),
            data.index(max(data)), sum(x * x for x in data),
            sum(map(abs, data)), 1, len(set(data)),
            max(map(data.count, set(data))), len(set(data))]


def lines(data):
    return "".join("%s\t%d\n" % row for row in zip(OPS, expected(data)))


def pack(data, order="<"):
    return struct.pack("%s%df" % (order, len(data)), *data)


def fortran(data, rows):
    """Returns an .npy file of a matrix in Fortran order, with data as its flat
    order."""
    columns = len(data) // rows
    header = ("{'descr': '<f4', 'fortran_order': True, 'shape': (%d, %d), }\n"
              % (rows, columns)).encode()
    stored = [data[r * columns + c] for c in range(columns)
              for r in range(rows)]
    return (b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header
            + pack(stored))


def as_text(data):
    """Returns a table of three columns. The middle one is quoted text with
    line ends; the last one has missing values among data."""
    rows = ["price,\"a, \"\"b\"\"\",size\r\n"]
    for i, x in enumerate(data):
        rows.append("%d,\"%s\n,\"\"x\",%s\n" % (
            x, "y" * (i % 40), "NA" if i % 3 else " \"%d\"" % x if i % 2
            else "%d.0e%s0" % (x, "0" * (0 if i % 97 else i % 400))))
    return "".join(rows).replace(" \"", "\"").encode()


def text_lines(data):
    rows = ["column\t" + "\t".join(OPS) + "\n"]
    for name, step in ("price", 1), ("size", 3):
        values = data[::step]
        want = expected(values)
        for at in OPS.index("argmin"), OPS.index("argmax"):
            want[at] *= step
        rows.append(name + "\t" + "\t".join(map(str, want)) + "\n")
    return "".join(rows)


# Columns whose states allocate memory, for a sum and for integers that f64
# cannot hold.
SPREAD = (b"a,b\n" + b"1e200,9007199254740993\n" * 300
          + b"-1e200,-9007199254740993\n" * 300 + b"7,7\n")
SPREAD_LINES = ("column\tsum\tmax\na\t7\t1e+200\n"
                "b\t7\t9007199254740993\n")


def members(data, size):
    """Returns a gzip file of many members."""
    return b"".join(gzip.compress(data[i:i + size], 1)
                    for i in range(0, len(data), size))


def tensors(data):
    """Returns a safetensors file with one tensor."""
    header = ('{"w":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]}}'
              % (len(data), 4 * len(data))).encode()
    return struct.pack("<Q", len(header)) + header + pack(data)


def stored(data):
    """Returns a zstd frame whose blocks are stored."""
    out = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data))
    for at in range(0, len(data), 100000):
        block = data[at:at + 100000]
        head = (at + 100000 >= len(data)) | len(block) << 3
        out += struct.pack("<I", head)[:3] + block
    return out


KEYS = 7  # of the groups


def grouped(data, title="k\tcount(x)\tsum(x)"):
    """Returns what --by, or --keys, prints for keys 0 to KEYS - 1 in turn."""
    return title + "\n" + "".join("%d\t%d\t%d\n" % (
        k, len(data[k::KEYS]), sum(data[k::KEYS])) for k in range(KEYS))


def added(folder, file):
    """Returns scenarios of the larger parts of the program: what is grouped,
    ordered, along an axis, of states, and on a GPU that is a fake."""
    data = elements(KEYS * 4285, 9)
    x = file("groups.f32", pack(data))
    k = file("keys.u8", bytes(i % KEYS for i in range(len(data))))
    g = file("groups.csv", b"k,x\n" + b"".join(
        b"%d,%d\n" % (i % KEYS, v) for i, v in enumerate(data)))
    t = file("w.safetensors", tensors(data))
    ranked = sorted(data)
    middle = "median\t%d\np10\t%d\n" % (
        ranked[len(data) // 2], ranked[len(data) // 10])
    totals = "count\t%d\nsum\t%d\n" % (len(data), sum(data))
    cpu = ["--device", "cpu", "-j", "2", "--chunk-size", "16K"]
    by = ["-o", "count,sum", "--by", "k"]
    found = {
        "safetensors": (["-o", "count,sum", *cpu, t], None,
                        "name\tcount\tsum\nw\t%d\t%d\n"
                        % (len(data), sum(data))),
        "by": (by + cpu + [g], None, grouped(data)),
        "by-many": (["-o", "count", "--by", "k", *cpu, "-f", "csv"],
                    b"k,x\n" + b"".join(b"%d,1\n" % i for i in range(1500)),
                    "k\tcount(x)\n" + "".join("%d\t1\n" % i
                                              for i in range(1500))),
        "keys": (["-o", "count,sum", "--keys", k, *cpu, x], None,
                 grouped(data, "key\tcount\tsum")),
        "axis": (["-o", "count,sum", "--axis", "0", "--shape", "5999,5", *cpu,
                  x], None, "axis1\tcount\tsum\n" + "".join(
                      "%d\t5999\t%d\n" % (i, sum(data[i::5]))
                      for i in range(5))),
        "quantiles": (["-o", "median,p10", *cpu, x], None, middle),
        "quantiles-csv": (["-o", "median,p10", "-c", "x", *cpu, g], None,
                          middle),
    }
    states = []
    for name in ("first.state", "second.state"):
        states.append(os.path.join(folder, name))
        subprocess.run([PROGRAM, *by, *cpu, "--save-state", states[-1], g],
                       check=True)
    found["merge"] = (["-q", "--merge", *states], None, grouped(2 * data))
    found["save"] = ([*by, *cpu, "--save-state", states[0] + "2", g], None, "")
    if b"ZSTD_" in contents(PROGRAM):
        z = file("groups.f32.zst", 3 * stored(pack(data)))
        found["zstd"] = (["-o", "count,sum", *cpu, z], None, "count\t%d\nsum"
                         "\t%d\n" % (3 * len(data), 3 * sum(data)))
    if FAKE:
        gpu = ["--device", "fake", *cpu[2:]]
        found["gpu"] = (["-o", "count,sum", *gpu, x], None, totals)
        found["gpu-axis"] = (["-o", "count,sum", "--axis", "0", "--shape",
                              "35,857", *gpu, x], None, "axis1\tcount\tsum\n"
                             + "".join("%d\t35\t%d\n" % (
                                 i, sum(data[i::857])) for i in range(857)))
        found["gpu-csv"] = (["-o", "count,sum", "-c", "x", *gpu, g], None,
                            totals)
    return found


def archive(data, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        file.writestr("matrix.npy", data)
    return out.getvalue()


def scenarios(folder):
    """Returns {name: (arguments, standard input, expected output)}. Standard
    input is bytes for a pipe or the path of a file."""
    def file(name, data):
        path = os.path.join(folder, name)
        with open(path, "wb") as out:
            out.write(data)
        return path

    large, small = elements(70001, 1), elements(1500, 2)
    huge = elements(300001, 4)  # over 1 MiB, so it may be mapped
    big = elements(40000, 3)
    ops = ["-o", ",".join(OPS), "--device", "cpu"]
    a = file("large.f32", pack(large))
    h = file("huge.f32", pack(huge))
    b = file("small.f32", pack(small))
    c = file("big", pack(big, ">"))
    matrix = elements(30000, 5)
    m = file("matrix.npy", fortran(matrix, 100))
    table = "file\t" + "\t".join(OPS) + "\n" + "".join(
        "%s\t%s\n" % (path, "\t".join(map(str, expected(data))))
        for path, data in ((a, large), (b, small)))
    chunks = ["--chunk-size", "128K", "-j", "2"]
    rows = elements(4000, 6)
    many = elements(60000, 7)  # over 1 MiB of text, so it may be mapped
    t = file("rows.csv", as_text(rows))
    u = file("many.csv", as_text(many))
    long = (b"1\n" * 40000 + b"\"" + b"0" * 200000 + b"3\"\n" + b"2\n" * 50000)
    v = file("long.csv", long)
    # Enough for several threads. Noise, so that it stays long when packed.
    noise = elements(150000, 8)
    packed = members(pack(noise), 40000) + bytes(100)
    packed = gzip.compress(os.urandom(400000), 1) + packed
    skip = ["--skip-bytes", "400000"]
    g = file("noise.f32.gz", packed)
    x = file("rows.csv.gz", gzip.compress(as_text(many)))
    y = file("stored.npz", archive(fortran(matrix, 100), zipfile.ZIP_STORED))
    z = file("packed.npz", archive(fortran(matrix, 100),
                                   zipfile.ZIP_DEFLATED))
    s = file("spread.csv", SPREAD)
    names = "\0".join([a, b]).encode()
    n = file("names", names)
    w = file("bad.csv", as_text(rows) + b"1,2,x\n")
    # What each is taken for depends on records below the first one.
    looks = [file(name, text) for name, text in (
        ("index", b",0,1\n0,5,6\n1,7,8\n2,9,1\n"),
        ("zero", b"0,1,2\n1.5,2.5,3.5\n2.5,1,2\n"),
        ("bars", b"a|b;c\n1|2;3\n4|5;6\n"))]
    return verified(folder) | added(folder, file) | {
        "csv": (ops + ["--chunk-size", "16K", "-j", "2", t], None,
                text_lines(rows)),
        "csv-columns": (ops + ["-c", "price,\"size\"", "-j", "1", t], None,
                        text_lines(rows)),
        "csv-texts": (["-c", "2", "-o", "count,first,last", "-j", "1", t],
                      None,
                      "count\t%d\nfirst\t\\n,\"x\nlast\t%s\\n,\"x\n"
                      % (len(rows), "y" * ((len(rows) - 1) % 40))),
        "csv-assert": (ops + ["-j", "1", "--assert",
                              "n_nan == 0 && max(price) < inf", "--assert",
                              "ismissing(max + 1) || !alltrue || rows > 1", t],
                       None, text_lines(rows)),
        "csv-spread": (["-o", "sum,max", "--device", "cpu", "-j", "2",
                        "--chunk-size", "4K", s], None, SPREAD_LINES),
        "csv-looks": (["-q", "-o", "max", "--per-file", "-O", "csv", "-j", "1",
                       *looks], None,
                      "file,column,max\n%s,0,9\n%s,1,8\n%s,0,2.5\n"
                      "%s,1,2.5\n%s,2,3.5\n%s,a,4\n"
                      % tuple(looks[i] for i in (0, 0, 1, 1, 1, 2))),
        "csv-mapped": (ops + chunks + [u], None, text_lines(many)),
        "csv-pipe": (ops + chunks + ["-f", "csv"], as_text(many),
                     text_lines(many)),
        "csv-long": (["-o", "count,sum", "--device", "cpu", "--chunk-size",
                      "16K", "-j", "2", v], None,
                     "count\t90001\nsum\t140003\n"),
        "csv-long-pipe": (["-o", "count,sum", "--device", "cpu",
                           "--chunk-size", "16K", "-f", "csv", "-j", "2"],
                          long, "count\t90001\nsum\t140003\n"),
        "csv-files": (["-q", "-o", "count,sum", "--device", "cpu", "-j", "2",
                       "--bad", "skip", t, "-f", "csv", "-", w],
                      as_text(rows[:500]),
                      "column\tcount\tsum\nprice\t8501\t%d\nsize\t%d\t%d\n"
                      % (2 * sum(rows) + sum(rows[:500]) + 1,
                         2 * len(rows[::3]) + len(rows[:500:3]),
                         2 * sum(rows[::3]) + sum(rows[:500:3]))),
        "file": (ops + chunks + [a], None, lines(large)),
        "mapped": (ops + chunks + [h], None, lines(huge)),
        "pipe": (ops + chunks, pack(large), lines(large)),
        "redirected": (ops, a, lines(large)),
        "skip": (ops + ["--skip-bytes", "50000"],
                 bytes(50000) + pack(small), lines(small)),
        "npy": (ops + [m], None, lines(matrix)),
        "npy-pipe": (ops + ["-j", "2"], fortran(matrix, 100), lines(matrix)),
        "gzip": (ops + skip + ["-j", "3", g], None, lines(noise)),
        "gzip-alone": (ops + skip + ["-j", "1", g], None, lines(noise)),
        "gzip-pipe": (ops + skip + ["-t", "f32", "-j", "3"], packed,
                      lines(noise)),
        "gzip-redirected": (ops + skip + ["-t", "f32", "-j", "2"], g,
                            lines(noise)),
        "gzip-csv": (ops + chunks + [x], None, text_lines(many)),
        "npz-stored": (ops + ["-j", "2", y], None, lines(matrix)),
        "npz": (ops + ["-j", "2", z + ":matrix"], None, lines(matrix)),
        "files": (ops + ["--per-file", a, b], None, table),
        "files0": (ops + chunks + ["--files0-from", n], None,
                   lines(large + small)),
        "files0-pipe": (ops + ["-j", "1", "--files0-from=-"],
                        a.encode() + b"\0", lines(large)),
        "mixed": (ops + chunks + ["-t", ">f4", c, "-", c],
                  pack(small, ">"), lines(big + small + big)),
        "compare": (["--compare", "-c", "price", "-j", "2", "--chunk-size",
                     "16K", "-f", "csv", t, "-"], as_text(rows),
                    "count\t%d\nmismatches\t0\nfirst_mismatch\t\n"
                    "max_abs\t0\nargmax_abs\t\nmax_rel\t0\nargmax_rel\t\n"
                    "rms\t0\nmax_ulp\t0\nline\t\n" % len(rows)),
        "empty": (["-o", "count,sum", "--device", "cpu", "/dev/null"], None,
                  "count\t0\nsum\t0\n"),
    }


class Run:
    """A run with a fault, and its results."""

    def __init__(self, scenario, library, folder, **fault):
        args, stdin, self.want = scenario
        self.error_status = 2 if "--compare" in args else 1
        with tempfile.TemporaryDirectory(dir=folder) as own:
            log = os.path.join(own, "fired")
            env = {"FAULT_" + key.upper(): str(value)
                   for key, value in fault.items()}
            env = {**os.environ, **env, "FAULT_LOG": log, "LC_ALL": "C",
                   "LD_PRELOAD": library}
            if isinstance(stdin, bytes):
                self.execute(args, env, input=stdin)
            else:
                with open(stdin or os.devnull, "rb") as file:
                    self.execute(args, env, stdin=file)
            self.fired = os.path.exists(log)

    def execute(self, args, env, **stdin):
        try:
            program = FAKE if "fake" in args else PROGRAM
            done = subprocess.run([program, *args], env=env, timeout=TIMEOUT,
                                  capture_output=True, **stdin)
            self.status = done.returncode
            self.out = done.stdout.decode()
            self.err = done.stderr.decode()
        except subprocess.TimeoutExpired:
            self.status, self.out, self.err = "a hang", "", ""

    def succeeded(self):
        return (self.status, self.out, self.err) == (0, self.want, "")

    def failed(self, says):
        return (self.status == self.error_status and self.out == ""
                and self.err.startswith("gpureduce: ")
                and self.err.endswith("\n")
                and any(text in self.err for text in says))

    def __str__(self):
        return "status %s, stdout %r, stderr %r" % (
            self.status, self.out[:200], self.err[:300])


def uses(everything, *which):
    """Yields the numbers of the uses to make fail: the first ones, then a
    sample with growing gaps."""
    at = 1
    draw = random.Random(repr(which))
    while at < USES_MAX:
        yield at
        gap = 1 if everything or at < FIRST else draw.randint(1, 1 + at)
        at += gap


def each_use(runner, name, call, code, mode, everything):
    """Makes uses fail until no use is left."""
    says = ["memory"] if call in MEMORY else [os.strerror(code)]
    if call == "fstat":  # of a mapped file, after reading: one of two causes
        says.append("cannot be read, or was cut while it was read")
    if call == "mmap":  # of memory instead of a file
        says.append("out of memory")
    if name == "merge" and call == "fstat":
        says.append("changed while it was read")
    survivable = (call, code, True) in ERRORS
    bad, fired = [], 0
    for use in uses(everything, name, call, code, mode):
        run = runner(name, call=call, errno=code, mode=mode, at=use)
        if not run.fired:
            if not run.succeeded():
                bad.append("no fault: %s" % run)
            break
        fired += 1
        if not (run.failed(says) or survivable and run.succeeded()):
            bad.append("use %d of %s, %s, %s: %s" % (
                use, call, errno.errorcode[code], mode, run))
    else:
        bad.append("%s: more than %d uses" % (call, USES_MAX))
    return call, fired, bad


def every_use(runner, name, call, mode, at=1):
    """Interrupts or shortens every use. The answer must be right."""
    run = runner(name, call=call, mode=mode, at=at)
    bad = [] if run.succeeded() else ["%s %s %d: %s" % (mode, call, at, run)]
    return call + " " + mode, int(run.fired), bad


# Runs with --verify: a file and arguments. The middle byte of the file, and of
# its records without the header, decides each of these results.
ROWS = b"k,x\n"
VERIFIED = [
    ("one.u8", b"d", ["sum", "min,max", "median", "mode", "first", "rms",
                      "histogram --range 100,102", "l2,count"]),
    ("three.u8", b"ddd", ["nunique", "argmax", "std,count", "mode_count",
                          "sum --axis 0 --shape 3"]),
    ("one.csv", ROWS + b"a,200000\n", [
        "sum", "median", "last", "sum --by k", "median --by k",
        "histogram --range 2e5,3e5 --bins 9999",
        "histogram --range 2e5,3e5 --bins 9999 --by k"]),
    ("three.csv", ROWS + b"a,200000\n" * 3, ["nunique", "rows,nunique --by k",
                                              "count,argmax"]),
    ("texts.csv", ROWS + b"a,zzzzzz\n" * 3, ["nunique -c x",
                                             "nunique -c x --by k"]),
    ("text.csv", ROWS + b"a,zzzzzz\n", ["last -c x", "rows --by x"]),
]


def verified(folder):
    """Returns the scenarios of VERIFIED. Their output is not known here."""
    found = {}
    for name, data, rows in VERIFIED:
        path = os.path.join(folder, name)
        with open(path, "wb") as out:
            out.write(data)
        for row in rows:
            found["verify %s %s" % (name, row)] = (
                ["--verify", "--device", "cpu", "-j", "1", *(
                    ["-t", "u8", "-f", "raw"] if name.endswith("u8") else
                    ["--header", "yes"]), "-o", *row.split(), path], None, None)
    return found


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
        told += run.failed(["--verify: "])
    if (run.status, run.err, told) != (0, "", 2):
        bad.append("--verify told %d differences of 2: %s" % (told, run))
    return "pread garble", fired, bad


def jobs(names, everything):
    for name in names:
        if name.startswith("verify "):
            yield each_difference, name, everything
            continue
        for call, code, _ in ERRORS:
            for mode in ("once", "from"):
                if code != errno.EAGAIN or call == "pthread_create" \
                        or mode == "once":
                    yield each_use, name, call, code, mode, everything
        for call in TRANSFERS:
            yield every_use, name, call, "interrupt"
            for at in SHORT:
                yield every_use, name, call, "short", at
        yield every_use, name, "poll", "interrupt"


def unsuitable():
    """Returns why the program cannot be preloaded, or None."""
    program = contents(PROGRAM)
    if b"__asan_init" in program or b"__tsan_init" in program:
        return "it has a sanitizer, which must come first"
    if b"__libc_start_main" not in program:
        return "it is not linked to a shared glibc"
    return None


def main(*words):
    everything = "--all" in words
    library, *names = [word for word in words if word != "--all"]
    why = unsuitable()
    if why:
        print("skipped: %s: %s" % (PROGRAM, why))
        return 77
    reached, failures = {}, []
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        known = scenarios(folder)
        library = os.path.abspath(library)
        chosen = known if everything else [x for x in known if x not in ALIKE]

        def runner(name, **fault):
            return Run(known[name], library, folder, **fault)

        futures = {pool.submit(job[0], runner, *job[1:]): job[1]
                   for job in jobs(names or chosen, everything)}
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
