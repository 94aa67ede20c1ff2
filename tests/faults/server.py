# SPDX-License-Identifier: MIT
"""Runs the program by servers: processes of it that fork one child a run, just
before main. See server.c for the requests and replies."""

import os
import random
import struct
import subprocess
import threading

from scenarios import FAKE, LITTLE, LITTLE_BYTES, PROGRAM

REPLY = struct.Struct("=iIII")


class Servers:
    """A server for each thread and program, started when it is first needed."""

    def __init__(self, library, folder):
        self.folder = folder
        self.env = {**os.environ, "LC_ALL": "C", "LD_PRELOAD": library,
                    "FAULT_SERVER": "1",
                    "MALLOC_PERTURB_": str(random.randint(1, 255)),
                    "ASAN_OPTIONS": "verify_asan_link_order=0:exitcode=86"}
        self.started = {}
        self.inputs = {}
        self.lock = threading.Lock()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in self.started.values():
            server.stdin.close()
            server.stdout.close()
            server.wait()

    def server(self, args):
        env = {"FAKE_MEMORY": LITTLE_BYTES} if LITTLE in args else {}
        program = FAKE if {"fake", LITTLE} & set(args) else PROGRAM
        key = threading.get_ident(), program, bool(env)
        if key not in self.started:
            self.started[key] = subprocess.Popen(
                [program], env={**self.env, **env}, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE)
        return program, self.started[key]

    def input_of(self, stdin):
        """Returns the words of a request for standard input: bytes for a pipe, the
        path of a file, or nothing."""
        if not isinstance(stdin, bytes):
            return "<" + (stdin or os.devnull)
        with self.lock:
            if stdin not in self.inputs:
                path = os.path.join(self.folder, "input-%d" % len(self.inputs))
                with open(path, "wb") as out:
                    out.write(stdin)
                self.inputs[stdin] = "|" + path
            return self.inputs[stdin]

    def run(self, args, stdin, fault, log):
        """Returns the exit status, whether the fault happened, and what the program
        wrote to standard output and standard error."""
        program, server = self.server(args)
        words = [fault["call"], fault["mode"], fault.get("at", 1),
                 fault.get("errno", 0), log if fault["mode"] == "list" else "",
                 self.input_of(stdin), program, *args]
        request = b"".join(os.fsencode(str(word)) + b"\0" for word in words)
        server.stdin.write(struct.pack("=I", len(request)) + request)
        server.stdin.flush()
        status, fired, *sizes = REPLY.unpack(server.stdout.read(REPLY.size))
        out, err = (server.stdout.read(size) for size in sizes)
        return status, bool(fired), out, err
