# SPDX-License-Identifier: MIT
"""Markers, the seed, and the fixtures that all files share."""

import itertools
import os
import random
import re
import signal
import zlib

import numpy as np
import pytest

import harness

SEED = int(os.environ.get("GPUREDUCE_SEED", "20240229"))


def pytest_addoption(parser):
    parser.addoption("--share", default="1/1", metavar="R/N",
                     help="run every Nth test, from the Rth on")


def pytest_collection_modifyitems(config, items):
    rank, shares = map(int, config.getoption("share").split("/"))
    items[:] = items[rank - 1::shares]


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


_folders = itertools.count()


@pytest.fixture
def tmp_path(request, tmp_path_factory):
    """A new folder, with the test's name and a number. pytest's own fixture reads
    the names of all earlier folders to find the number, which takes 1 ms."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    path = tmp_path_factory.getbasetemp() / f"{name}{next(_folders)}"
    path.mkdir()
    return path


@pytest.fixture
def put(tmp_path):
    """put(name, content) writes a file and returns its path as text."""
    def write(name, content):
        path = os.path.join(os.fsencode(tmp_path), os.fsencode(name))
        with open(path, "wb") as out:
            out.write(content)
        return os.fsdecode(path)
    return write
