# SPDX-License-Identifier: MIT
"""Where it runs: the CPU always, a GPU when there is one, and a plain word
and exit 3 when the one that was asked for is not usable."""

import pytest

from harness import check, fails, gpus, ok
from make import random_raw
from oracle import ALL, DTYPES, decode


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
        check(decode(raw, dtype), dtype, "--device", device, path, ops=ALL)
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


def test_gpu_that_is_not_there(data, gpu_count):
    fails(3, "--device", f"gpu:{gpu_count + 99}", data)


def test_a_hidden_gpu_is_none(data):
    """auto runs on; asking for it by name does not."""
    env = {"CUDA_VISIBLE_DEVICES": ""}
    assert ok("--device", "auto", data, env=env) == \
        ok("--device", "cpu", data)
    fails(3, "--device", "gpu", data, env=env)


def test_wrong_usage_comes_before_the_device(data):
    fails(2, "--device", "gpu", "--op", "summ", data)
