# SPDX-License-Identifier: MIT
"""Random files, good and bad: the answer or the first error is the oracle's,
for any chunks, threads, source and device."""

import itertools
from concurrent.futures import ThreadPoolExecutor

import pytest

import csv_make
from csv_check import (answered_ops, arguments, assert_answer, assert_problem,
                       check_table, rows_of)
from csv_oracle import Options, evaluate
from harness import gpus, run

ROUNDS = range(12)


@pytest.mark.parametrize("shape,n", itertools.product(csv_make.SHAPES, ROUNDS))
def test_drawn_tables(put, shape, n):
    """Three tables each. The seed is in the test's name."""
    for part in range(3):
        rnd = csv_make.rnd_of("drawn", shape, n, part)
        nan = "skip" if shape == "special" and n % 2 else "propagate"
        check_table(put, csv_make.draw(rnd, shape), nan,
                    slow_pipe=part == 0, cuts=("1", "2", "3", "7", "64")
                    if part else ("1", "5", "100", "4096", "64K"))


@pytest.mark.parametrize("n", range(8))
def test_soup(put, n):
    """A column of quotes, line ends and digits in any order."""
    rnd = csv_make.rnd_of("soup", n)
    for _ in range(4):
        data = b"1\n" + csv_make.soup(rnd, 120, b"")
        options = Options(header="no", columns=[0], bad="skip")
        check_table(put, csv_make.Table(data, b",", options),
                    slow_pipe=False, cuts=("1", "2", "7"))


@pytest.mark.parametrize("shape", csv_make.SHAPES)
def test_larger_tables(put, shape):
    """Tens of kilobytes, so that default chunks cut them, too."""
    rnd = csv_make.rnd_of("larger", shape)
    for rows in 300, 1500:
        check_table(put, csv_make.draw(rnd, shape, rows), slow_pipe=False,
                    cuts=("100", "999", "4096", "10000", "64K"))


@pytest.mark.parametrize("n", range(10))
def test_rows_are_used_missing_or_bad(put, n):
    rnd = csv_make.rnd_of("counts", n)
    table = csv_make.draw(rnd, "dirty")
    table.options.bad, table.options.missing = "skip", "skip"
    answer = evaluate(table.data, table.options)
    result = run("-v", "-o", "count", *arguments(table.options),
                 put("t.csv", table.data))
    if answer.problems:
        assert_problem(result, answer)
        return
    assert result.rc == 0, (result, table)
    rows = list(rows_of(result.err).values())
    names = [c.name for c in answer.columns]
    assert len(rows) == len(set(names)), (result, table)
    if len(rows) == len(names):
        assert rows == [(answer.records, len(c.values), c.missing, c.bad)
                        for c in answer.columns], (result, table)


@pytest.mark.skipif(not gpus(), reason="no GPU here")
@pytest.mark.parametrize("shape", csv_make.SHAPES)
def test_drawn_tables_on_the_gpu(put, shape):
    rnd = csv_make.rnd_of("gpu", shape)
    for n in range(3):
        check_table(put, csv_make.draw(rnd, shape, n and 40 * n),
                    slow_pipe=False, cuts=("1", "7", "64K"),
                    device=("--device", "gpu"))


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["clean", "dirty", "ragged"])
def test_every_chunk_size(put, shape):
    """From one byte to more than the file."""
    for seed in range(100):
        rnd = csv_make.rnd_of("every", shape, seed)
        table = csv_make.draw(rnd, shape, 120)
        answer = evaluate(table.data, table.options)
        if len(table.data) < 4000 and (answer.columns or answer.problems and
                                       answer.problems[0].line > 30):
            break
    options = table.options
    path = put("t.csv", table.data)
    ops = answered_ops(answer, options, ops=["count", "sum", "prod",
                                             "argmax"])
    args = [*arguments(options), "-o", ",".join(ops), path]
    want = run(*args)
    if answer.problems:
        assert_problem(want, answer)
    else:
        assert_answer(want, answer, options, ops)
    sizes = range(1, len(table.data) + 2)
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda n: run(*args, "--chunk-size", n), sizes)
        wrong = [n for n, got in zip(sizes, results) if got != want]
    assert not wrong, (wrong[:20], args, table)
