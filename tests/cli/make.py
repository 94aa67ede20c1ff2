# SPDX-License-Identifier: MIT
"""Makes inputs: raw bytes of every dtype, and .npy files built by hand."""

import struct

import numpy as np

from oracle import DTYPES, FLOATS

# dtype: NumPy's code of the type (bf16 has none, so its bits are used)
CODES = {"f16": "f2", "f32": "f4", "f64": "f8", "i8": "i1", "i16": "i2",
         "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4",
         "u64": "u8"}


def pack(values, dtype, order="<"):
    """Returns the bytes of values. bf16 is the upper half of f32."""
    if dtype == "bf16":
        words = np.array(values, "<f4").view("<u4") >> 16
        return words.astype(order + "u2").tobytes()
    return np.array(values, order + CODES[dtype]).tobytes()


def swap(raw, dtype):
    """Returns the same elements in the other byte order."""
    return np.frombuffer(raw, f"<u{DTYPES[dtype].size}").byteswap().tobytes()


def random_raw(rng, dtype, n):
    """Returns n elements (little-endian) of random bits, finite for floats."""
    size = DTYPES[dtype].size
    bits = rng.integers(0, 2**(8 * size), 2 * n + 64, dtype=np.uint64)
    bits = bits.astype(f"<u{size}")
    if dtype in FLOATS:
        mask = {"f16": 0x7c00, "bf16": 0x7f80, "f32": 0x7f800000,
                "f64": 0x7ff << 52}[dtype]
        bits = bits[(bits & bits.dtype.type(mask)) != mask]
    return bits[:n].tobytes()


def npy_header(text, version=1, align=64, length=None):
    """Returns magic, version, length and the header's text, padded as by
    NumPy. length: a false length to claim."""
    raw = text.encode("utf-8" if version == 3 else "latin-1")
    start = 10 if version == 1 else 12
    pad = -(start + len(raw) + 1) % align
    raw += b" " * pad + b"\n"
    size = len(raw) if length is None else length
    return (b"\x93NUMPY" + bytes([version, 0])
            + struct.pack("<H" if version == 1 else "<I", size) + raw)


def npy(descr, shape, payload, version=1, fortran=False):
    """Returns a whole .npy file. descr is the text of the dtype, with quotes
    if needed."""
    text = (f"{{'descr': {descr}, 'fortran_order': {fortran}, "
            f"'shape': {shape}, }}")
    return npy_header(text, version) + payload


def saved(array):
    """Returns what np.save writes for array."""
    import io
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()
