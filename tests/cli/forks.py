# SPDX-License-Identifier: MIT
"""Runs the program by servers, which fork a process for each run: see forks.c.

A server starts when all others of its program are in use, and ends with this
process."""

import collections
import functools
import itertools
import os
import select
import signal
import socket
import struct
import subprocess
import time

LIBRARY = os.environ.get("GPUREDUCE_FORKS")
MOST = 100_000  # bytes of a request; a longer one would not fit into a packet
# Variables that are read before main. The server has those of this process.
EARLY = ("LD_", "GLIBC_", "ASAN_", "UBSAN_", "TSAN_", "LSAN_", "MSAN_")
_idle = collections.defaultdict(list)   # of each program: servers that wait
os.register_at_fork(after_in_child=_idle.clear)     # they are the parent's


def _server(program):
    """Returns a server for one run, as its socket. The caller puts it back."""
    try:
        return _idle[program].pop()
    except IndexError:
        pass
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        subprocess.Popen(
            [program], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
            env={**os.environ, "LD_PRELOAD": LIBRARY, "MALLOC_PERTURB_": "0",
                 "FORKS": str(theirs.fileno())})
    return ours


@functools.cache
def _variable(name, text):
    return os.fsencode(f"{name}={text}\0")


def _request(args, env, folder):
    """Returns the bytes of a request, or None for a run that needs a start of its
    own."""
    if any(name.startswith(EARLY) and os.environ.get(name) != text
           for name, text in env.items()):
        return None
    text = b"".join([os.fsencode(folder) + b"\0",
                     *itertools.starmap(_variable, env.items()),
                     *(os.fsencode(word) + b"\0" for word in args)])
    if len(text) > MOST:
        return None
    return struct.pack("=iii", len(env), len(args),
                       int(env.get("MALLOC_PERTURB_") or 0)) + text


def _exchange(feed, into, out, err, end):
    """Writes the bytes `feed` to the descriptor `into` and closes it, unless `into` is
    None. Reads the descriptors `out` and `err` until they end, and returns what they
    gave. Raises TimeoutError after the time `end`."""
    read = {out: [], err: []}
    poll = select.poll()
    for fd in read:
        poll.register(fd, select.POLLIN)
    if into is not None:
        os.set_blocking(into, False)
        poll.register(into, select.POLLOUT)
        feed = memoryview(feed)
    left, fed = len(read) + (into is not None), 0
    while left:
        ready = poll.poll(max(0, end - time.monotonic()) * 1000)
        if not ready:
            raise TimeoutError
        for fd, _ in ready:
            if fd == into:
                try:
                    fed += os.write(into, feed[fed:fed + (1 << 16)])
                except BrokenPipeError:
                    fed = len(feed)
                is_over = fed == len(feed)
            else:
                read[fd].append(os.read(fd, 1 << 16))
                is_over = not read[fd][-1]
            if is_over:
                poll.unregister(fd)
                left -= 1
                if fd == into:
                    os.close(into)
    return [b"".join(read[fd]) for fd in (out, err)]


def run(program, args, stdin, env, folder, timeout):
    """Runs the program on stdin: bytes, a file or None. Returns its exit status, or
    less than 0 a signal's number, and what it wrote to standard output and error;
    None if this run needs a start of its own."""
    request = LIBRARY and _request([program, *args], env, folder or os.getcwd())
    if not request:
        return None
    server, end = _server(program), time.monotonic() + timeout
    (out, to_out), (err, to_err) = os.pipe(), os.pipe()
    into = None
    if isinstance(stdin, bytes):
        file, into = os.pipe()
    elif stdin is None:
        file = os.open(os.devnull, os.O_RDONLY)
    else:
        file = os.dup(stdin if isinstance(stdin, int) else stdin.fileno())
    socket.send_fds(server, [request], [file, to_out, to_err])
    for fd in file, to_out, to_err:
        os.close(fd)
    child, = struct.unpack("=i", server.recv(4))
    try:
        written = _exchange(stdin, into, out, err, end)
    except TimeoutError as e:
        os.kill(child, signal.SIGKILL)
        raise subprocess.TimeoutExpired([program, *args], timeout) from e
    finally:
        status, = struct.unpack("=i", server.recv(4))
        _idle[program].append(server)
        os.close(out)
        os.close(err)
    return os.waitstatus_to_exitcode(status), *written
