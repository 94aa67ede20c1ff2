# SPDX-License-Identifier: MIT
"""Runs the tests of one pytest by several processes, which fork when it has
collected them: collecting takes as long as 1000 runs of the program."""

import os
import shutil
import struct
import sys
import tempfile

NUMBER = struct.Struct("=H")
MOST = (1 << 16) // NUMBER.size     # numbers that fit into a pipe


def _numbers(count):
    """Returns the read end of a pipe that holds the numbers of so many tests."""
    assert count <= MOST, f"{count} tests are too many for a pipe"
    reader, writer = os.pipe()
    with open(writer, "wb") as out:
        out.write(b"".join(map(NUMBER.pack, range(count))))
    return reader


def _taken(session, reader):
    """Yields the tests whose numbers this process takes from the pipe."""
    while number := os.read(reader, NUMBER.size):
        yield session.items[NUMBER.unpack(number)[0]]


def _run(session, reader):
    """Runs tests until none is left. Each must know the next one, whose fixtures
    may be those of this one."""
    tests = _taken(session, reader)
    item = next(tests, None)
    while item:
        after = next(tests, None)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        item = after
    return True


def _write_to(file, config):
    """Lets this process and its pytest write to a file instead of standard
    output. What pytest captures goes to files that it has opened; those of one
    process are not for another."""
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    for fd in 1, 2:
        os.dup2(file.fileno(), fd)
    capture.start_global_capturing()
    capture.suspend_global_capture()


def _join(process, file):
    """Waits for a process and prints what it wrote. Returns whether it failed."""
    _, status = os.waitpid(process, 0)
    file.seek(0)
    shutil.copyfileobj(file, sys.stdout.buffer)
    sys.stdout.flush()
    return status != 0


def pytest_runtestloop(session):
    """As pytest's own, in as many processes as --processes says."""
    config, others = session.config, []
    if session.testsfailed or config.getoption("collectonly"):
        return None
    # Of two processes and the programs that they wait for, one often waits.
    processes = config.getoption("processes") or len(os.sched_getaffinity(0)) + 1
    reader = _numbers(len(session.items))
    sys.stdout.flush()
    for _ in range(processes - 1):
        file = tempfile.TemporaryFile()
        process = os.fork()
        if process == 0:
            _write_to(file, config)
            return _run(session, reader)
        others.append((process, file))
    try:
        return _run(session, reader)
    finally:
        session.testsfailed += sum(_join(*other) for other in others)
