# SPDX-License-Identifier: MIT
"""Compressed files made by hand: gzip members with every field, BGZF, and zip
archives in which any field may be false."""

import struct
import zlib

FHCRC, FEXTRA, FNAME, FCOMMENT = 2, 4, 8, 16


def deflate(data, level=6):
    c = zlib.compressobj(level, zlib.DEFLATED, -15)
    return c.compress(data) + c.flush()


def stored(data):
    """Returns deflate's stored blocks, in which the data appear unchanged."""
    out = b""
    pieces = [data[i:i + 65535] for i in range(0, len(data), 65535)] or [b""]
    for i, piece in enumerate(pieces):
        out += struct.pack("<BHH", i == len(pieces) - 1, len(piece),
                           len(piece) ^ 0xffff) + piece
    return out


def member(data, level=6, flags=0, extra=b"", name=b"", comment=b"",
           mtime=0, xfl=0, system=255, body=None):
    """Returns one member of a gzip file. level None: stored."""
    head = struct.pack("<BBBBIBB", 31, 139, 8, flags, mtime, xfl, system)
    if flags & FEXTRA:
        head += struct.pack("<H", len(extra)) + extra
    if flags & FNAME:
        head += name + b"\0"
    if flags & FCOMMENT:
        head += comment + b"\0"
    if flags & FHCRC:
        head += struct.pack("<H", zlib.crc32(head) & 0xffff)
    if body is None:
        body = stored(data) if level is None else deflate(data, level)
    return head + body + struct.pack("<II", zlib.crc32(data),
                                     len(data) & 0xffffffff)


def bgzf(data, block=65280, level=6, eof=True):
    """Returns BGZF: blocks of up to 64 KiB, each a member with its own
    length."""
    out = []
    for i in range(0, len(data), block):
        piece = data[i:i + block]
        body = deflate(piece, level)
        extra = struct.pack("<2sHH", b"BC", 2, len(body) + 25)
        out.append(member(piece, flags=FEXTRA, extra=extra, body=body))
    if eof:
        out.append(bytes.fromhex("1f8b08040000000000ff0600424302001b00"
                                 "03000000000000000000"))
    return b"".join(out)


def split(data, sizes, **kw):
    """Returns a member for each of the sizes, which are repeated until the
    data are used up."""
    out, at, i = [], 0, 0
    while at < len(data) or not out:
        n = sizes[i % len(sizes)]
        out.append(member(data[at:at + n], **kw))
        at, i = at + n, i + 1
    return b"".join(out)


class Zip:
    """A zip archive in which any field may be false."""

    def __init__(self):
        self.data, self.directory, self.entries = b"", b"", 0

    def add(self, name, data, method=8, flags=0, body=None, crc=None,
            packed=None, size=None, offset=None, extra=b"", local_extra=b"",
            local_name=None, local_method=None, local_magic=0x04034b50):
        name = name if isinstance(name, bytes) else name.encode()
        if body is None:
            body = deflate(data) if method == 8 else data
        crc = zlib.crc32(data) if crc is None else crc
        packed = len(body) if packed is None else packed
        size = len(data) if size is None else size
        offset = len(self.data) if offset is None else offset
        header_name = name if local_name is None else local_name
        self.data += struct.pack(
            "<IHHHHHIIIHH", local_magic, 20, flags,
            method if local_method is None else local_method, 0, 0,
            crc & 0xffffffff, packed & 0xffffffff, size & 0xffffffff,
            len(header_name), len(local_extra)
        ) + header_name + local_extra + body
        self.directory += struct.pack(
            "<IHHHHHHIIIHHHHHII", 0x02014b50, 20, 20, flags, method, 0, 0,
            crc, packed, size, len(name), len(extra), 0, 0, 0, 0,
            offset) + name + extra
        self.entries += 1
        return self

    def end(self, comment=b"", offset=None, size=None, zip64=False):
        offset = len(self.data) if offset is None else offset
        size = len(self.directory) if size is None else size
        out = self.data + self.directory
        if zip64:
            at = len(out)
            out += struct.pack("<IQHHIIQQQQ", 0x06064b50, 44, 45, 45, 0, 0,
                               self.entries, self.entries, size, offset)
            out += struct.pack("<IIQI", 0x07064b50, 0, at, 1)
            size = offset = 0xffffffff
        return out + struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, self.entries,
                                 self.entries, size, offset,
                                 len(comment)) + comment
