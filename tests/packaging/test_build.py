# SPDX-License-Identifier: MIT
"""The archive of a release contains what a build needs, builds to the same
bytes in two folders, and installs a program that gives the known answers. The
kernels compile for all GPUs."""

import filecmp
import os
import re
import shutil
import subprocess
import sys
import tarfile

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
PREFIX = "/opt/gpureduce"
# With debugging information, which contains the folder's name unless that is
# prevented.
SETTINGS = ["-Dcuda=disabled", "-Dtests=false", "-Ddebug=true",
            "-Dmpi=disabled", f"--prefix={PREFIX}"]

pytestmark = pytest.mark.skipif(
    not os.path.exists(os.path.join(ROOT, ".git")), reason="no git repository")


def do(*command, **more):
    run = subprocess.run([str(word) for word in command], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         **more)
    assert run.returncode == 0, run.stdout
    return run.stdout


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Makes the archive of the last commit with meson dist."""
    build = tmp_path_factory.mktemp("dist")
    do("meson", "setup", *SETTINGS, build, ROOT)
    do("meson", "dist", "-C", build, "--no-tests", "--allow-dirty",
       "--formats", "xztar")
    [name] = (build / "meson-dist").glob("*.tar.xz")
    return name


def unpacked(archive, folder):
    with tarfile.open(archive) as file:
        file.extractall(folder)
    return folder / archive.name.replace(".tar.xz", "")


@pytest.fixture(scope="module")
def trees(archive, tmp_path_factory):
    """Unpacks it into two folders with names of different lengths. Each has a
    build in its folder `build`."""
    trees = [unpacked(archive, tmp_path_factory.mktemp(name))
             for name in ("a", "another-folder")]
    for tree in trees:
        do("meson", "setup", *SETTINGS, tree / "build", tree)
        do("ninja", "-C", tree / "build")
    return trees


NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


@pytest.mark.skipif(not NVCC, reason="no nvcc")
def test_kernels_compile_for_all_gpus(tmp_path):
    """Optimized, to machine code. .ci/run compiles them without either."""
    do("meson", "setup", "-Dcuda=enabled", "-Dtests=false", tmp_path, ROOT)
    do("ninja", "-C", tmp_path, "src/backend/libcuda_backend.a")


def test_archive_is_the_commit(archive):
    with tarfile.open(archive) as file:
        names = {os.path.relpath(member.name, archive.name[:-len(".tar.xz")])
                 for member in file if not member.isdir()}
    assert names == set(do("git", "ls-files", "-z", cwd=ROOT).split("\0")[:-1])


def test_same_bytes_in_two_folders(trees):
    one, other = (tree / "build" / "gpureduce" for tree in trees)
    assert filecmp.cmp(one, other, shallow=False)
    assert os.fsencode(trees[0].parent) not in one.read_bytes()


def test_installs_what_a_distribution_expects(trees, tmp_path):
    do("meson", "install", "-C", trees[0] / "build", "--no-rebuild",
       env=dict(os.environ, DESTDIR=str(tmp_path)))
    top = tmp_path / PREFIX[1:]
    files = {str(path.relative_to(tmp_path))
             for path in tmp_path.rglob("*") if path.is_file()}
    inside = {str(path.relative_to(top)) for path in top.rglob("*")
              if path.is_file()}
    doc = "share/doc/gpureduce/"
    assert inside == {"bin/gpureduce", "share/man/man1/gpureduce.1",
                      "share/man/man7/gpureduce-numerics.7",
                      "share/man/man7/gpureduce-text.7",
                      "share/bash-completion/completions/gpureduce",
                      "share/fish/vendor_completions.d/gpureduce.fish",
                      "share/zsh/site-functions/_gpureduce",
                      doc + "LICENSE", doc + "NEWS.md", doc + "README.md"}
    assert len(files) == len(inside)
    output = do(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
              "tests/samples_test.py", cwd=trees[0],
              env=dict(os.environ, GPUREDUCE=str(top / "bin" / "gpureduce")))
    assert re.search(r"\b\d\d+ passed", output) and "failed" not in output


def test_debian_source_package(tmp_path):
    for tool in "dpkg-buildpackage", "dh":
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    do(os.path.join(ROOT, "packaging", "make-deb"), "-S", "-d",
       env=dict(os.environ, DEB_FOLDER=str(tmp_path / "made")))
    [source] = (tmp_path / "made").glob("gpureduce_*.dsc")
    tree = tmp_path / "tree"
    do("dpkg-source", "--no-check", "-x", source, tree)
    for path in do("git", "ls-files", cwd=ROOT).splitlines():
        assert (tree / path).exists(), path
    assert os.access(tree / "debian" / "rules", os.X_OK)
