# SPDX-License-Identifier: MIT
"""A cross build for 64-bit ARM, run by qemu: the loops of every instruction set
against plain definitions, and the program's answers. Skipped without Debian's
gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user. CROSS_COMPILER names
another compiler than gcc. CROSS_LONG=1 adds the slow check of all reductions.
CROSS_CLI=FOLDER runs the quick tests of tests/cli instead, on all processors,
which takes an hour on two; FOLDER has zlib.pc for arm64, and codecs if it has
theirs. Debian's zlib1g-dev:arm64 puts it into
/usr/lib/aarch64-linux-gnu/pkgconfig.
The build is kept in aarch64-COMPILER, or that and -long or -cli, beside the
program under test. Only these two have the loops as users get them:
-Doptimization=0 makes src/meson.build compile them with -O1."""

import configparser
import os
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.abspath(
    os.environ.get("GPUREDUCE", os.path.join(ROOT, "build", "gpureduce")))
COMPILER = os.environ.get("CROSS_COMPILER", "gcc")
CROSS = os.path.join(ROOT, "packaging", "aarch64.ini")
# The C library of -L, even if ld.so.cache names another: see CROSS.
QEMU = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-E", "LD_LIBRARY_PATH=/lib"]
LONG = os.environ.get("CROSS_LONG")
CLI = os.environ.get("CROSS_CLI")
FAKE = "tests/backends/gpureduce_fake"
CHECKS = ["backends/check_text --backend loops --chunks 20 --round-trips 2000",
          "numbers/check_numbers --texts 4000 --trips 4000"]
if CLI:
    CHECKS.clear()
elif LONG:  # takes minutes
    CHECKS.append("backends/check_backends --backend loops")
TARGETS = ["gpureduce"] + ["tests/" + check.split()[0] for check in CHECKS]
if CLI:
    TARGETS.append(FAKE)
# An arm64 zlib needs a foreign architecture of dpkg, so the build links this in
# its place: no data that is read here is compressed.
ZLIB = """
#include <zlib.h>
const char *zlibVersion(void) { return "none"; }
int inflateInit2_(z_streamp z, int bits, const char *v, int n)
{ return (void)z, (void)bits, (void)v, (void)n, Z_MEM_ERROR; }
int inflate(z_streamp z, int flush)
{ return (void)z, (void)flush, Z_STREAM_ERROR; }
int inflateReset(z_streamp z) { return (void)z, Z_STREAM_ERROR; }
int inflateEnd(z_streamp z) { return (void)z, Z_OK; }
uLong crc32_z(uLong crc, const Bytef *p, z_size_t n)
{ return (void)p, (void)n, crc; }
uLong crc32_combine(uLong a, uLong b, z_off_t n)
{ return (void)a, (void)n, b; }
"""
PC = """Name: zlib
Description: no zlib
Version: 1.3
Libs: {0}/libz.a
Cflags: -idirafter /usr/include -idirafter /usr/include/{1}
"""

for needed in "aarch64-linux-gnu-gcc", "qemu-aarch64", "meson", COMPILER:
    if not shutil.which(needed):
        # Newer pytest makes 2 of the status of pytest.exit here.
        print("skipped: there is no " + needed, flush=True)
        os._exit(77)


def call(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **options)
    assert done.returncode == 0, " ".join(command) + "\n" + done.stdout[-4000:]
    return done.stdout


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_zlib(folder):
    """A folder with zlib.pc and a libz.a that decodes nothing."""
    write(folder + "/zlib.c", ZLIB)
    header = call("cc", "-print-multiarch").strip()
    call("aarch64-linux-gnu-gcc", "-c", "-fPIC", "-D_FILE_OFFSET_BITS=64",
         "-idirafter", "/usr/include",
         "-idirafter", "/usr/include/" + header, "-o", folder + "/zlib.o",
         folder + "/zlib.c")
    call("aarch64-linux-gnu-ar", "rcs", folder + "/libz.a", folder + "/zlib.o")
    write(folder + "/zlib.pc", PC.format(folder, header))


@pytest.fixture(scope="module")
def build():
    """The folder of the build."""
    folder = os.path.join(os.path.dirname(TOOL), "aarch64-" + COMPILER
                          + ("-cli" if CLI else "-long" if LONG else ""))
    os.makedirs(folder + "/zlib", exist_ok=True)
    if not CLI:
        make_zlib(folder + "/zlib")
    cross = configparser.ConfigParser()
    cross.read(CROSS)
    cross["properties"]["pkg_config_libdir"] = repr(CLI or folder + "/zlib")
    compiler = ["aarch64-linux-gnu-gcc"]
    if COMPILER != "gcc":
        compiler = [COMPILER, "--target=aarch64-linux-gnu"]
    if shutil.which("ccache"):  # as Meson does for a build for this machine
        compiler.insert(0, "ccache")
    cross["binaries"]["c"] = repr(compiler)
    with open(folder + "/cross.ini", "w", encoding="utf-8") as file:
        cross.write(file)
    if not os.path.exists(folder + "/build/build.ninja"):
        call("meson", "setup", folder + "/build", ROOT, "--cross-file",
             folder + "/cross.ini", "-Dcuda=disabled",
             *([] if CLI else ["-Dzstd=disabled", "-Disal=disabled"]),
             *([] if CLI or LONG else ["-Doptimization=0"]))
    call("meson", "compile", "-C", folder + "/build", *TARGETS)
    return folder + "/build"


@pytest.mark.parametrize("check", CHECKS)
def test_loops(build, check):
    name, *arguments = check.split()
    assert "0 wrong" in call(*QEMU, f"{build}/tests/{name}", *arguments)


def emulated(build, program="gpureduce"):
    """A script that runs a program of the build."""
    path = build + "/emulated/" + os.path.basename(program)
    os.makedirs(build + "/emulated", exist_ok=True)
    write(path, "#!/bin/sh\nexec %s %s/%s \"$@\"\n"
          % (" ".join(QEMU), build, program))
    os.chmod(path, 0o755)
    return path


@pytest.mark.skipif(not CLI, reason="CROSS_CLI is not set")
def test_command_line(build):
    """The quick tests of tests/cli, on all processors."""
    print(call(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m",
               "not slow", "-rs", "--processes=0", ROOT + "/tests/cli",
               env=dict(os.environ, GPUREDUCE=emulated(build),
                        GPUREDUCE_FAKE=emulated(build, FAKE))))


def test_program(build):
    """The same answers from every set of the machine, and of every dtype, which
    are those of exact fractions."""
    told = call(emulated(build), "-v", "-j1", "-c", "price",
                ROOT + "/samples/sales.csv")
    assert "instructions of neon" in told
    call(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         ROOT + "/tests/cli/test_csv_same.py", ROOT + "/tests/cli/test_device.py",
         "-k", "instruction_set or cpu_and_auto",
         env=dict(os.environ, GPUREDUCE=emulated(build)))
