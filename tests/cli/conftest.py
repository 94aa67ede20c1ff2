# SPDX-License-Identifier: MIT
"""Markers, the seed, and the fixtures that all files share."""

import os
import pathlib
import random
import re
import shutil
import signal
import tempfile
import zlib

import numpy as np
import pytest

import harness
from processes import pytest_runtestloop  # noqa: F401: a hook

SEED = int(os.environ.get("GPUREDUCE_SEED", "20240229"))


def pytest_addoption(parser):
    parser.addoption(
        "--processes", default=1, type=int, metavar="N",
        help="run the tests in N processes, 0: one more than processors")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than about 2 s")
    # nohup and a shell's `&` ignore these, and the programs would too.
    for number in signal.SIGHUP, signal.SIGINT:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def pytest_report_header(config):
    return f"gpureduce: {harness.BINARY}, GPUREDUCE_SEED={SEED}"


def _seed_of(request):
    seed = SEED ^ zlib.crc32(request.node.name.encode())
    print(f"seed {seed} (GPUREDUCE_SEED={SEED})")
    return seed


@pytest.fixture(autouse=True)
def begin_test(request):
    harness.begin_test(request.node.name)


@pytest.fixture
def rng(request):
    """A numpy generator with a seed of the test's own, which a failure
    shows."""
    return np.random.default_rng(_seed_of(request))


@pytest.fixture
def rnd(request):
    """The same from the standard library."""
    return random.Random(_seed_of(request))


@pytest.fixture
def tmp_path(request):
    """A new folder. It stays where a test has failed. pytest's own fixture reads
    the names of all earlier folders to find a number, which takes 1 ms."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    path = pathlib.Path(tempfile.mkdtemp(prefix=name))
    yield path
    if not request.session.testsfailed:
        shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def put(tmp_path):
    """put(name, content) writes a file and returns its path as text."""
    def write(name, content):
        path = os.path.join(os.fsencode(tmp_path), os.fsencode(name))
        with open(path, "wb") as out:
            out.write(content)
        return os.fsdecode(path)
    return write
