# SPDX-License-Identifier: MIT
"""Devices: the CPU always works, a GPU if there is one; exit 3 and a message
if a device that was asked for cannot be used."""

import gzip
import json
import os
import re
import shutil

import numpy as np
import pytest

from harness import BINARY, check, fails, gpus, ok, run, shell
from make import random_raw
from oracle import DTYPES, MOST, decode
from test_asked import FAKE


@pytest.fixture(scope="module")
def gpu_count():
    return gpus()


@pytest.fixture
def data(rng, put):
    return put("d.f64", random_raw(rng, "f64", 10_000))


@pytest.mark.parametrize("dtype", DTYPES)
def test_cpu_and_auto(rng, put, dtype):
    raw = random_raw(rng, dtype, 2000)
    path = put("d." + dtype, raw)
    for device in "cpu", "auto":
        check(decode(raw, dtype), dtype, "--device", device, path, ops=MOST)
    assert ok("--device", "cpu", path) == ok("--device", "auto", path)


@pytest.mark.parametrize("device", ["gpu", "gpu:0"])
def test_gpu(data, gpu_count, device):
    if gpu_count:
        assert ok("--device", device, data) == ok("--device", "cpu", data)
        assert ok("--device", device, "-o", "prod,sum", data) == \
            ok("--device", "cpu", "-o", "prod,sum", data)
    else:
        err = fails(3, "--device", device, data)
        assert "gpu" in err.lower(), err
        fails(3, "--device", device, "-o", "count", "-t", "f64", stdin=b"")


def test_gpu_quantiles(rng, tmp_path, gpu_count):
    """Chunks that the device counts, and some whose keys the CPU keeps."""
    if not gpu_count:
        pytest.skip("no GPU")
    path = tmp_path / "a.f64"
    for data in rng.normal(0, 1, 2 << 20), np.arange(2 << 20, dtype="f8"):
        data.tofile(path)
        for args in (("-o", "describe"), ("-o", "q1,p7", "--chunk-size", "96K"),
                     ("-o", "histogram", "--bins", "9"),
                     ("-o", "histogram", "--range", "0,1")):
            assert (ok("--device", "gpu", *args, path) ==
                    ok("--device", "cpu", *args, path)), args


def test_missing_gpu(data, gpu_count):
    fails(3, "--device", f"gpu:{gpu_count + 99}", data)


@pytest.mark.parametrize("bad", ["gpu:0,0", "gpu:0,", "gpu:,0", "gpu:all,0",
                                 "gpu:0 ,1", "cuda:", "cuda:0,0"])
def test_bad_lists_of_gpus(data, bad):
    fails(2, "--device", bad, data, says="cuda:LIST")


def test_lists_of_gpus(data, gpu_count):
    """All GPUs, by number and by word; one more is an error."""
    if not gpu_count:
        fails(3, "--device", "gpu:all", data)
        fails(3, "--device", "gpu:0,1", data)
        return
    numbers = ",".join(str(i) for i in reversed(range(gpu_count)))
    for device in "gpu:" + numbers, "gpu:all":
        assert ok("--device", device, data) == ok("--device", "cpu", data)
    fails(3, "--device", f"gpu:{numbers},{gpu_count}", data)


def is_built():
    """Returns whether this program is built with code for GPUs."""
    return "built without CUDA" not in run("--device", "cuda", "/dev/null").err


@pytest.fixture
def slow(put):
    """What a device mostly joins: one thread takes long for a product of halves."""
    path = put("zeros.f16", b"")
    os.truncate(path, 128 << 20)
    return ["-j", "1", "-o", "count,max,prod,std", path]


SLOW_OUT = f"count\t{64 << 20}\nmax\t0\nprod\t0\nstd\t0\n"


def test_auto_where_a_gpu_would_pay(slow):
    """A GPU joins, or a note says that it would."""
    os.truncate(slow[-1], 256 << 20)
    want = SLOW_OUT.replace(str(64 << 20), str(128 << 20))
    for hidden in {}, {"CUDA_VISIBLE_DEVICES": ""}:
        result = run("-v", *slow, env=hidden)
        assert (result.rc, result.out) == (0, want), result
        assert "device cpu, 1 thread" in result.err, result.err
        assert ("with a GPU" in result.err) == is_built(), result.err


def test_explain_says_which_may_join(put):
    path = put("zeros.f64", b"")
    with open(path, "r+b") as f:
        f.truncate(2 << 30)
    hidden = {"CUDA_VISIBLE_DEVICES": ""}
    if not is_built():
        assert "cuda" not in ok("--explain", path)
        return
    assert "will not join: " in ok("--explain", path, env=hidden)
    how = "joins when" if gpus() else "will not join"
    assert f"cuda:0 ({how}" in ok("--explain", path)
    assert "cuda" not in ok("--explain", "--device", "cpu", path)


def test_a_hidden_gpu_does_not_exist(data):
    """auto runs on the CPU. Asking for the GPU by name fails."""
    env = {"CUDA_VISIBLE_DEVICES": ""}
    assert ok("--device", "auto", data, env=env) == \
        ok("--device", "cpu", data)
    fails(3, "--device", "gpu", data, env=env)


def test_wrong_usage_comes_before_the_device(data):
    fails(2, "--device", "gpu", "--op", "summ", data)


def test_a_device_with_the_host_page_tables_says_so(put):
    """The fake device has them; the CPU and the bus of a plain GPU do not."""
    path = put("a.csv", b"a\n1\n2\n")
    if not os.path.exists(FAKE):
        pytest.skip("no fake device")
    for device, shares in ("fake", True), ("cpu", False):
        result = run("-v", "--device", device, path, program=FAKE)
        [line] = [line for line in result.err.splitlines()
                  if line.startswith("device " + device)]
        assert line.endswith(", host page tables") == shares, line
        assert line.startswith(f"device {device}:0, ") == shares, line


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no fake device")
@pytest.mark.parametrize("memory, says", [
    (64 << 20, ""),  # four contexts of two slots of 4 MiB
    ((8 << 20) - 1, ", short of memory: chunks of "),
    (512 << 10, ", short of memory: chunks of 262144 bytes or more"),
    ((512 << 10) - 1, None)])
def test_a_device_short_of_memory(rng, tmp_path, memory, says):
    """Chunks are halved down to 256 KiB; a thread without memory leaves. The
    order of threads decides which one gets how much, but not the result."""
    path = tmp_path / "a.f64"
    rng.normal(0, 1, 3 << 20).tofile(path)
    args = ["-j", "4", "-o", "sum,prod,argmin", path]
    how = {"env": {"FAKE_MEMORY": str(memory)}, "program": FAKE}
    if says is None:
        fails(3, "--device", "fake", *args, **how, says="injected: no memory")
        return
    result = run("-v", "--device", "fake", *args, **how)
    assert result.out == ok("--device", "cpu", *args)
    device = next(x for x in result.err.splitlines() if x.startswith("device"))
    assert says in device and ("short" in device) == bool(says), device


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no fake device")
def test_short_memory_for_chunks_that_were_asked_for(rng, put):
    """Such chunks stay as large as they are."""
    path, env = put("a.u8", rng.bytes(3 << 20)), {"FAKE_MEMORY": str(3 << 20)}
    for device in "fake", "cpu":
        assert ok("--device", device, "--chunk-size", "1M", "-o", "sum", path,
                  env=env, program=FAKE) == ok("-o", "sum", path)
    fails(3, "--device", "fake", "--chunk-size", "2M", path, env=env,
          program=FAKE, says="injected: no memory")


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no fake device")
@pytest.mark.parametrize("memory, says", [
    (100 << 20, ""),  # four contexts of two slots of 6 MiB, and columns
    (40 << 20, ", 2 threads, short of memory: chunks of 3145728 bytes"),
    (3 << 20, ", 1 thread, short of memory: chunks of 262144 bytes or more"),
    (1 << 20, None)])
def test_text_on_a_device_short_of_memory(rng, tmp_path, memory, says):
    """The contexts open, and lack memory at their first chunk. The run is
    restarted with smaller chunks and fewer threads; not of a pipe."""
    plain, packed = tmp_path / "a.csv", tmp_path / "a.csv.gz"
    rows = b"".join(b"%d,%.3f\n" % (i, x) for i, x in
                    enumerate(rng.normal(0, 9, 1 << 15)))
    data = b"a,b\n" + 40 * rows
    plain.write_bytes(data)
    packed.write_bytes(gzip.compress(data, 1))
    args = ["-j", "4", "-o", "rows,sum,argmin,median"]
    want = ok("--device", "cpu", *args, plain)
    how = {"env": {"FAKE_MEMORY": str(memory)}, "program": FAKE}
    args = ["-v", "--device", "fake", *args]
    for path in plain, packed:
        if says is None:
            fails(3, *args, path, **how, says="injected: no memory")
            continue
        result = run(*args, path, **how)
        assert result.out == want
        line = next(x for x in result.err.splitlines() if x[:6] == "device")
        line = re.sub(r" \d+ bytes,", "", line, count=1)
        assert says in line and ("short" in line) == bool(says), line
    if says != "":
        fails(3, *args, stdin=data, **how, says="injected: no memory")


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no fake device")
def test_auto_with_a_device_without_memory(slow):
    """The CPU does the work."""
    result = run("-v", *slow, program=FAKE, env={"FAKE_MEMORY": "1000"})
    assert (result.rc, result.out) == (0, SLOW_OUT), result
    assert "device fake, 0 threads, 0 bytes" in result.err, result.err


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no fake device")
def test_json_names_the_devices_that_reduced(slow):
    result = run("-v", "--json", *slow, program=FAKE)
    used = re.findall(r"^device (\w+), \d+ threads?, [1-9]", result.err, re.M)
    assert json.loads(result.out)["run"]["device"] == "+".join(used), result.err


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no fake device")
def test_a_device_that_is_lost_after_it_joined(slow):
    """The CPU begins again, and a note says so."""
    result = run(*slow, program=FAKE, env={"FAKE_LOST": "1"})
    assert result.out == SLOW_OUT, result
    assert not result.err or result.err.endswith(": restarting on the CPU\n")


def test_threads_are_the_cores_that_it_may_run_on(put):
    path = put("zeros.f32", bytes(8 << 20))
    own = os.sched_getaffinity(0)
    for cores in [min(own)], sorted(own)[:2]:
        got = run("-v", "-o", "sum", path,
                  preexec_fn=lambda: os.sched_setaffinity(0, cores))
        threads = f"{len(cores)} thread{'s' * (len(cores) > 1)}"
        assert f"device cpu, {threads}, " in got.err, got


@pytest.mark.skipif(not shutil.which("qemu-x86_64"), reason="no qemu-user")
def test_each_feature_of_the_processor_is_asked_for(put):
    """A hypervisor may mask any one. qemu has those of avx2."""
    with open(BINARY, "rb") as program:
        elf = program.read()
    if elf[18] != 62 or any(b"__%csan_init" % kind in elf for kind in b"amt"):
        pytest.skip("a program that qemu-x86_64 does not run")
    path = put("a.u8", b"\1\2\4")
    # libc itself uses BMI1 wherever there is AVX2.
    best = {masked: shell(
        "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2 qemu-x86_64 -cpu \"max$1\" "
        "\"$0\" -v --device cpu -o sum \"$2\"", masked, path)
        for masked in ("", ",-avx2", ",-fma", ",-bmi1", ",-bmi2", ",-f16c",
                       ",-abm", ",-pclmulqdq")}
    if "instructions of" not in best[""].err:
        pytest.skip("qemu does not run the program here")
    for masked, result in best.items():
        assert result.out == "7\n" and (", instructions of %s\n" % (
            "base" if masked else "avx2")) in result.err, (masked, result)
