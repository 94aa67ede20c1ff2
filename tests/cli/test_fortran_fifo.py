# SPDX-License-Identifier: MIT
"""Indexes of an array in Fortran order that arrives late, through a FIFO."""

import io
import os
import threading

import numpy as np

from harness import ok


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def test_fortran_order_behind_a_fifo(put, tmp_path):
    first = np.arange(6, dtype="<f8").reshape(2, 3)
    second = np.asfortranarray(
        np.array([[0, 9, 1], [2, 3, 9], [9, 1, 50], [50, 0, 1]], "<f8"))
    fifo = str(tmp_path / "late")
    os.mkfifo(fifo)
    writer = threading.Thread(
        target=lambda: open(fifo, "wb").write(npy(second)))
    writer.start()
    got = ok("--op", "argmax,argmin", put("first.npy", npy(first)), fifo,
             timeout=20)
    writer.join()
    both = np.concatenate([first.ravel(), second.ravel()])
    assert got == f"argmax\t{both.argmax()}\nargmin\t{both.argmin()}\n"
