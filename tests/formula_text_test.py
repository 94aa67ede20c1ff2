# SPDX-License-Identifier: MIT
"""NVRTC compiles the text of kernels/reduce/formula.cuh, for every type, with
the options that src/backend/cuda/formulas.c gives it. Needs no GPU; what the
kernel computes is tested where there is one (cli/test_where.py)."""

import ast
import ctypes
import os
import re

import pytest

BACKEND = os.path.join(os.path.dirname(__file__), "../src/backend/cuda")


def options():
    with open(os.path.join(BACKEND, "formulas.c"), encoding="ascii") as file:
        return [b"--gpu-architecture=sm_90"] + [
            text.encode() for text in re.findall(r'"(--[^"%]*)"', file.read())]


def kernel():
    """Returns the text of the C string that the build made."""
    with open(os.environ["FORMULA_TEXT"], encoding="ascii") as file:
        return "".join(map(ast.literal_eval, file))


@pytest.fixture(scope="module")
def nvrtc():
    try:
        return ctypes.CDLL("libnvrtc.so." + os.environ["CUDA_MAJOR"])
    except OSError:
        pytest.skip("no NVRTC")


@pytest.mark.parametrize("of, to, map", [
    ("float", "double", "EXACT_VALUE"), ("double", "double", "EXACT_MAGNITUDE"),
    ("float", "float", "EXACT_VALUE"), ("signed char", "double", "EXACT_VALUE"),
])
def test_nvrtc_compiles_the_kernel(nvrtc, of, to, map):
    text = f"""#define FORMULA_SUM {map}
        typedef {of} T; typedef {to} O;
        __device__ O value_of(T x, unsigned long long i,
            unsigned long long first, bool &is, int &odd)
        {{ odd |= i > first; is = x > 0; return (O)x * (O)x; }}
        """ + kernel()
    assert len(options()) == 5
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(),
                                    b"formula", 0, None, None) == 0
    code = nvrtc.nvrtcCompileProgram(program, 5,
                                     (ctypes.c_char_p * 5)(*options()))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    assert code == 0, log.value.decode()
