# SPDX-License-Identifier: MIT
"""Makes the files of asked/cases.toml that are too long to store, or binary
and easy to make."""

import bz2
import io
import lzma
import pathlib
import struct
import sys
import tarfile
import wave
import zlib

STORED = pathlib.Path(__file__).parent / "asked" / "files"
LINES = 20_000      # of four bytes or more, longer than the sample of 64 KiB


def late_bad():
    return b"a,b\n" + b"1,2\n" * LINES + b"1,x\n"


def late_header():
    return b"a,b\n" + b"1,2\n" * LINES + b"a,b\n1,2\n"


def late_comma():
    return b"a;b\n" + b"1;2\n" * LINES + b"1;2,5\n"


def long_cr():
    return b"a,b\r" + b"".join(b"%d,2\r" % i for i in range(12_000))


def wide_cell():
    return b"a,b\n" + b"y" * (1 << 20) + b"yy,2\n3,4\n5,6\n"


def wav():
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", "not compressed"))
        file.writeframes(struct.pack("<1000h", *range(-500, 500)))
    return out.getvalue()


def png():
    def part(kind, data):
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + \
            struct.pack(">I", check)
    return b"\x89PNG\r\n\x1a\n" + \
        part(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) + \
        part(b"IDAT", zlib.compress(b"\0\x80")) + part(b"IEND", b"")


def elf():
    """Returns the start of this Python or of the C library, on Linux."""
    with open(sys.executable, "rb") as file:
        return file.read(4096)


def pdf():
    return b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\nendobj\n"


def tar():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        info = tarfile.TarInfo("data.csv")
        info.size = 8
        archive.addfile(info, io.BytesIO(b"a,b\n1,2\n"))
    return out.getvalue()


def fits():
    cards = ["SIMPLE  =                    T", "BITPIX  =                  -32",
             "NAXIS   =                    1", "NAXIS1  =                    3",
             "END"]
    header = "".join(card.ljust(80) for card in cards).ljust(2880)
    return header.encode() + struct.pack(">3f", 1, 2, 3).ljust(2880, b"\0")


# Formats that no installed tool writes: the magic of their specification, and
# data.
MAGIC = {
    "lz4": b"\x04\x22\x4d\x18\x64\x40\xa7",
    "7z": b"7z\xbc\xaf\x27\x1c\0\x04",
    "tiff": b"II*\0\x08\0\0\0",
    "gguf": b"GGUF\x03\0\0\0",
    "avro": b"Obj\x01\x04\x16avro.schema",
    "orc": b"ORC\x08\x03\x10\x02",
}

MAKERS = {
    "bz2": lambda: bz2.compress(b"1\n2\n"),
    "xz": lambda: lzma.compress(b"1\n2\n"),
    **{f.__name__: f for f in (late_bad, late_header, late_comma, long_cr,
                               wide_cell, wav, png, elf, pdf, tar, fits)},
}


def made(name):
    """Returns the bytes that the generator of this name makes."""
    if name in MAKERS:
        return MAKERS[name]()
    return MAGIC[name] + bytes(range(256))


def contents(file):
    """Returns [(name on disk, bytes)] of a [[file]] of cases.toml."""
    disk = file.get("disk", "t.csv")
    if "parts" in file:
        return [(n, t.encode()) for n, t in zip(disk, file["parts"])]
    if "stored" in file:
        return [(disk, (STORED / file["stored"]).read_bytes())]
    if "generator" in file:
        return [(disk, made(file["generator"]))]
    return [(disk, file["text"].encode())]
