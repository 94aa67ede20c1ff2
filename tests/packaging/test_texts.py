# SPDX-License-Identifier: MIT
"""The files of packages and of CI can be parsed, agree on the version, and
name only files, options and suites that exist."""

import os
import re
import shlex
import shutil
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
PACKAGING = os.path.join(ROOT, "packaging")
WORKFLOW = ".github/workflows/ci.yml"
# Instructions that a Containerfile may have; only COPY adds the tree.
INSTRUCTIONS = {"FROM", "RUN", "WORKDIR", "COPY", "ENV", "USER", "ENTRYPOINT"}
# Commands that CI's machines have, or get with the packages they install.
COMMANDS = {"apt-get", "chmod", "dpkg", "git", "lintian", "meson", "pipx",
            "printf", "/usr/bin/python3", "build/run",
            "$HOME/.local/bin/gpureduce"}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def load(path):
    return pytest.importorskip("yaml").safe_load(read(path))


def version():
    return re.search(r"^  version: '(.*)'", read("meson.build"), re.M)[1]


def options():
    return set(re.findall(r"^option\('(.*?)'", read("meson_options.txt"), re.M))


def scripts():
    return [path for path in (os.path.join(folder, name)
                              for folder, _, names in os.walk(PACKAGING)
                              for name in names)
            if open(path, encoding="utf-8").readline() == "#!/bin/sh\n"]


def instructions():
    """Returns each instruction of the Containerfile with its arguments."""
    text = re.sub(r"^#.*\n", "", read("packaging/Containerfile"), flags=re.M)
    return [line.split(None, 1)
            for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def runs():
    """Yields each simple command of CI as words."""
    for job in load(WORKFLOW)["jobs"].values():
        for step in job["steps"]:
            text = step.get("run", "").replace("\\\n", " ")
            for part in re.split(r"&&|\n", text):
                words = shlex.split(part)
                while words and re.match(r"[A-Z]+=", words[0]):
                    del words[0]
                if words:
                    yield words


@pytest.mark.parametrize("path, pattern", [
    ("packaging/debian/changelog", r"\Agpureduce \((.*)-\d+\) "),
    ("packaging/conda/recipe.yaml", r"^  version: (.*)"),
    ("packaging/homebrew/gpureduce.rb", r"/gpureduce-(.*)\.tar\.xz\""),
    ("NEWS.md", r"\A# News\n\n## ([^ ,\n]*)")])
def test_versions_agree(path, pattern):
    assert re.search(pattern, read(path), re.M)[1] == version()


def test_texts_name_only_existing_options():
    for path in ("packaging/conda/recipe.yaml", "packaging/Containerfile",
                 "packaging/homebrew/gpureduce.rb", "packaging/debian/rules",
                 "packaging/aarch64.ini", "pyproject.toml", WORKFLOW):
        named = re.findall(r"(?<![\w-])-D([\w-]+)=", read(path))
        assert named and set(named) <= options(), path


def test_python_project():
    project = pytest.importorskip("tomllib").loads(read("pyproject.toml"))
    assert project["build-system"]["build-backend"] == "mesonpy"
    assert project["project"]["name"] == "gpureduce"
    assert project["project"]["dynamic"] == ["version"]
    assert os.path.exists(os.path.join(ROOT, project["project"]["readme"]))


def test_conda_recipe():
    recipe = load("packaging/conda/recipe.yaml")
    source = os.path.join(PACKAGING, "conda", recipe["source"]["path"])
    assert os.path.samefile(source, ROOT)
    assert {"package", "build", "requirements", "tests", "about"} <= set(recipe)
    assert os.path.exists(os.path.join(ROOT, recipe["about"]["license_file"]))


def test_homebrew_formula():
    if not shutil.which("ruby"):
        pytest.skip("no ruby")
    path = os.path.join(PACKAGING, "homebrew", "gpureduce.rb")
    run = subprocess.run(["ruby", "-wc", path], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "Syntax OK\n", "")


def test_containerfile():
    stages = set()
    for name, rest in instructions():
        assert name in INSTRUCTIONS, name
        if name == "FROM":
            image, stage = re.fullmatch(r"(\S+:\S+) AS (\S+)", rest).groups()
            assert not image.endswith(":latest") and stage not in stages
            stages.add(stage)
        elif name == "COPY":
            *sources, _ = rest.split()
            origin = re.match(r"--from=(.*)", sources[0])
            assert not origin or origin[1] in stages
            for source in [] if origin else sources:
                assert os.path.exists(os.path.join(ROOT, source)), source
        elif name == "RUN":
            check = subprocess.run(["sh", "-n", "-c", rest])
            assert check.returncode == 0, rest
            assert "apt-get install" not in rest or (
                "apt-get update" in rest and " -y " in rest), rest
        elif name == "ENTRYPOINT":
            assert rest == '["gpureduce"]'
    assert stages == {"cpu-build", "cpu", "cuda-build", "cuda"}


def test_scripts_are_shell():
    assert len(scripts()) > 1
    for path in scripts():
        assert os.access(path, os.X_OK), path
        assert subprocess.run(["sh", "-n", path]).returncode == 0, path


def test_debian_control_lists_what_the_rules_need():
    control = read("packaging/debian/control")
    for package in "meson", "pkg-config", "python3", "zlib1g-dev":
        assert re.search(rf"^ {package}\b.*,$", control, re.M), package
    profile = re.search(r"filter (pkg\.\S+),", read("packaging/debian/rules"))[1]
    assert f"nvidia-cuda-toolkit <{profile}>" in control


def test_ci_runs_what_there_is():
    seen = set()
    for words in runs():
        command = words[0]
        seen.add(command)
        inside = os.path.join(ROOT, command)
        assert command in COMMANDS or os.access(inside, os.X_OK), command
        for path in re.findall(r"\b(?:packaging|samples|tests)/[\w./-]+",
                               " ".join(words)):
            assert os.path.exists(os.path.join(ROOT, path)), path
    assert {"./bootstrap", "tests/run", "meson"} <= seen


def test_ci_covers_what_it_should():
    jobs = load(WORKFLOW)["jobs"]
    assert set(jobs) == {"cpu", "sanitizers", "aarch64", "cuda", "packages"}
    assert set(jobs["cpu"]["strategy"]["matrix"]["cc"]) == {"gcc", "clang"}
    kinds = set(jobs["sanitizers"]["strategy"]["matrix"]["kind"])
    assert kinds == set(re.findall(r'"(\w+)": \[[^]]*-Db_sanitize=',
                                   read("tests/run")))
