# SPDX-License-Identifier: MIT
"""The program is built so that a bug is hard to exploit: its ELF file says that
every address is random, that tables of addresses are read-only, that no memory is
both writable and executable, and that calls and stacks are checked."""

import os
import pathlib
import struct

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = pathlib.Path(os.environ.get("GPUREDUCE")
                       or ROOT / "build" / "gpureduce")
ET_DYN = 3
LOAD, DYNAMIC, INTERP = 1, 2, 3
STACK, RELRO = 0x6474e551, 0x6474e552
EXECUTABLE, WRITABLE = 1, 2
STRTAB, SYMTAB, TEXTREL, FLAGS, FLAGS_1 = 5, 6, 22, 30, 0x6ffffffb
NOW, NOW_1, PIE_1 = 8, 1, 0x08000000
X86_64, ENDBR64 = 62, b"\xf3\x0f\x1e\xfa"


class Elf:
    """A 64-bit little-endian ELF file: its segments (type, flags, offset,
    address, bytes), the entries of its dynamic section, and its symbols."""

    def __init__(self, data):
        assert data[:6] == b"\x7fELF\2\1", data[:6]
        self.data = data
        self.type, self.machine = struct.unpack_from("<HH", data, 16)
        [start] = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        self.segments = []
        for i in range(count):
            kind, flags, at, address, _, length = struct.unpack_from(
                "<IIQQQQ", data, start + i * size)
            self.segments.append((kind, flags, at, address, length))
        [(_, _, at, _, length)] = self.of_type(DYNAMIC)
        self.dynamic = dict(struct.iter_unpack("<QQ", data[at:at + length]))

    def of_type(self, kind):
        return [segment for segment in self.segments if segment[0] == kind]

    def offset(self, address):
        """Returns where in the file the byte of an address is."""
        for _, _, at, start, length in self.of_type(LOAD):
            if start <= address < start + length:
                return at + address - start
        raise AssertionError(hex(address))

    def symbols(self):
        """Yields the names of the dynamic symbols. The table of their names
        follows the table of the symbols."""
        names = self.offset(self.dynamic[STRTAB])
        for at in range(self.offset(self.dynamic[SYMTAB]), names - 23, 24):
            [name] = struct.unpack_from("<I", self.data, at)
            end = self.data.index(b"\0", names + name)
            yield self.data[names + name:end].decode()


@pytest.fixture(scope="module")
def elf():
    data = PROGRAM.read_bytes()
    if any(name in data for name in (b"__asan_init", b"__tsan_init", b"__gcov_init")):
        pytest.skip("built with a sanitizer, or for coverage")
    return Elf(data)


def test_every_address_is_random(elf):
    assert elf.type == ET_DYN and elf.of_type(INTERP)
    assert elf.dynamic[FLAGS_1] & PIE_1
    assert TEXTREL not in elf.dynamic


def test_tables_of_addresses_are_read_only(elf):
    assert elf.of_type(RELRO)
    assert elf.dynamic.get(FLAGS, 0) & NOW or elf.dynamic[FLAGS_1] & NOW_1


def test_no_memory_is_writable_and_executable(elf):
    assert elf.of_type(STACK)
    for kind, flags, *_ in elf.of_type(LOAD) + elf.of_type(STACK):
        assert not (flags & WRITABLE and flags & EXECUTABLE), hex(kind)
    assert not elf.of_type(STACK)[0][1] & EXECUTABLE


def test_stacks_and_buffers_are_checked(elf):
    """The program calls glibc's handler of a smashed stack, and variants of
    functions that know the size of their buffer."""
    names = set(elf.symbols())
    assert "malloc" in names, names
    assert "__stack_chk_fail" in names
    fortified = {name for name in names if name.endswith("_chk")}
    assert "__snprintf_chk" in fortified, fortified


def test_jumps_land_on_marks(elf):
    """Control-flow enforcement: functions begin with an endbr64. The linker
    adds the note that turns it on only if all objects have one, so the note is
    not checked."""
    if elf.machine != X86_64:
        pytest.skip("not for x86-64")
    assert elf.data.count(ENDBR64) > 1000
