# SPDX-License-Identifier: MIT
"""An array in Fortran order that arrives late, through a FIFO."""

import os

import numpy as np
import pytest

from harness import Feeder, fails, values
from make import saved

FIRST = np.arange(6, dtype="<f8").reshape(2, 3)
SECOND = np.asfortranarray(
    np.array([[0, 9, 1], [2, 3, 9], [9, 1, 50], [50, 0, 1]], "<f8"))


@pytest.fixture
def files(put, tmp_path):
    fifo = str(tmp_path / "late")
    os.mkfifo(fifo)
    Feeder(fifo, saved(SECOND))
    return put("first.npy", saved(FIRST)), fifo


def test_indexes(files):
    both = np.concatenate([FIRST.ravel(), SECOND.ravel()])
    assert values("--op", "argmax,argmin", *files, timeout=20) == {
        "argmax": str(both.argmax()), "argmin": str(both.argmin())}


def test_indexes_of_some_elements(files):
    both = np.concatenate([FIRST.ravel(), SECOND.ravel()])
    both[(both == 50) | (np.arange(18) < 7)] = -1
    assert values("--op", "argmax,last", "--where", "x != 50 && i >= 7",
                  *files, timeout=20) == {
        "argmax": str(both.argmax()), "last": "1"}


@pytest.mark.parametrize("options", [[], ["--save-state", "state"]])
@pytest.mark.parametrize("args, says", [
    (["--axis", "0"], "arrays in Fortran order cannot be joined along axis 0"),
    (["--keys", "k.u8"], "--keys with data in Fortran order is not available"),
])
def test_refused(files, put, monkeypatch, tmp_path, args, says, options):
    put("k.u8", bytes(17) + b"\1")
    monkeypatch.chdir(tmp_path)
    fails(2, "-o", "sum", *args, *options, *files, timeout=20,
          says=f"'{files[1]}': {says}")
    assert not os.path.exists("state")
