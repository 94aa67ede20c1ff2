# SPDX-License-Identifier: MIT
"""Completion: what the program offers; and each shell types it so that the
program gets exactly that."""

import os
import re
import subprocess

import pytest

from harness import BINARY, ok, run
from shells import SCRIPT, SCRIPTS, Shell, need

SHELLS = ["bash", "zsh", "fish"]

# Column names that a shell would interpret.
NAMES = ["price", "$(touch x)", "`touch x`", "$HOME", "it's", "two words",
         "two  blanks", "a:b", "a=b", "--op=sum", "x;touch x", "x&touch x",
         "a<b>c", "|", "!!", "!e", "#n", "*", "[a-z]*", "@(x)", "(x)", "^a^b",
         "a\\b", "\\", "%s", "-c", "Größe", "日本"]
# Names that need CSV quotes in a list.
QUOTED = ['say "hi"', "{a,b}", "a,b"]


def offered(*words, at=None):
    """Returns the completions of the word `at` (default: the last one)."""
    n = len(words) - 1 if at is None else at
    lines = ok("--complete", n, *words).splitlines()
    return [line.split("\t")[0] for line in lines if "\t" in line]


def every_option():
    lines = ok("--help=options").splitlines()
    heads = [re.match(r"  ((-\w)?,? +--[\w-]+)", line) for line in lines]
    return {name for head in heads if head
            for name in re.findall(r"-[\w-]+", head.group(1))}


def test_names_in_quotes_hold_commas(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('"x,a,y",a,b\n1,2,3\n')
    for start, left in (('"x,a,y",', ["a", "b"]), ("a,", ['"x,a,y"', "b"]),
                        ('"x,a,y",b,', ["a"])):
        assert offered(path, "-c", start) == [start + name for name in left]


def test_every_option():
    assert len(every_option()) > 40
    assert set(offered("-")) == every_option()
    assert set(offered("--")) == {name for name in every_option()
                                  if name.startswith("--")}


@pytest.mark.parametrize("words,want", [
    (["-o", "mea"], ["mean"]), (["-omea"], ["-omean"]),
    (["-qomea"], ["-qomean"]),
    (["--op", "sum,mea"], ["sum,mean"]),
    (["--op=sum,mea"], ["--op=sum,mean"]),
    (["-o", "min,mi"], []), (["-o", "argm"], ["argmin", "argmax"]),
    (["-o", "sum", "--hea"], ["--header"]),
    (["--header", ""], ["auto", "yes", "no"]), (["--header=y"], ["--header=yes"]),
    (["--nan", "p"], ["propagate"]), (["--empty", "i"], ["identity"]),
    (["--missing", "s"], ["skip"]), (["--bad", "e"], ["error"]),
    (["--ragged", "p"], ["pad"]), (["--progress", "n"], ["never"]),
    (["-t", "i1"], ["i16"]), (["-t", "f8"], ["f8e4m3", "f8e5m2"]),
    (["-t", "b"], ["bf16", "bool"]), (["-f", "n"], ["npy"]),
    (["--device", ""], ["auto", "cpu", "cuda", "gpu"]),
    (["-d", "se"], ["semicolon"]), (["--sep", "se"], ["semicolon"]),
    (["--quote", ""], ["none"]), (["--help=te"], ["--help=text"]),
    (["--skip-lines", ""], []), (["--fast="], []), (["--none="], []),
    (["-Z"], []), (["-"], None), (["-c", "p"], []), (["-o"], ["-o"]),
    (["-q"], ["-q"]), (["--no-header="], []),
    (["-O", "j"], ["json", "jsonl"]), (["-O", "cs"], ["csv"])])
def test_words(words, want):
    assert offered(*words) == want or want is None


def test_the_first_line_tells_lists_and_files():
    """A shell appends no blank to an item of a list."""
    for words, want in [(["-o", "mea"], "list\nmean\tarithmetic mean\n"),
                        (["--header", "y"], "yes\t\n"), (["--axis", ""], ""),
                        (["--keys", ""], "files\n")]:
        assert ok("--complete", 1, *words) == want


def test_the_most_words_and_the_longest(put):
    path = put("d.csv", b",".join(b"c%d" % i for i in range(4097)) + b"\n1\n")
    assert offered(path, "--ragged", "pad", "-c", "") == [
        f"c{i}" for i in range(4096)]
    long = put("l.csv", b'"' + b"x" * 5000 + b',y",b\n1,2\n')
    assert offered(long, "-c", "") == ["b"]


@pytest.mark.parametrize("words", [["d"], ["--", "-o"], ["-q", ""],
                                   ["-o", "sum", "d"]])
def test_files_are_the_shells(words):
    assert ok("--complete", len(words) - 1, *words) == "files\n"


def test_columns(put):
    path = put("d.csv", b"item,price,qty,a b\nx,1,2,3\n")
    assert offered(path, "-c", "") == ["item", "price", "qty", "a b"]
    assert offered("-c", "", path, at=1) == ["item", "price", "qty", "a b"]
    assert offered(path, "--exclude=p") == ["--exclude=price"]
    assert offered(path, "--fields", "q") == ["qty"]
    assert offered(path, "-o", "corr", "--weights", "q") == ["qty"]
    assert offered(path, "--weights", "none", "-c", "q") == ["qty"]
    assert offered(path, "-c", "price,p") == []
    assert offered(path, "-c", 'a b,"a b",q')[0] == 'a b,"a b",qty'
    assert offered("none", path, "-c", "q") == ["qty"]
    assert offered(path, "--header", "no", "-c", "") == ["1", "2", "3", "4"]
    for other in (["--compare", path], ["--where", "none > 1"],
                  ["--map", "price * 2"], ["--files0-from", path]):
        assert offered(path, *other, "-c", "q") == ["qty"], other
    semicolon = put("s.txt", b"# x\na,1;b\n1;2\n")
    assert offered(semicolon, "--comment", "#", "-d", "semicolon",
                   "-c", "") == ['"a,1"', "b"]


def test_columns_that_no_list_can_name(put):
    """Names with control bytes or invalid UTF-8 are left out."""
    path = put("d.csv", b"a\x1b[2J,b\xff,\xc2\x9b,good,,c\td\n1,2,3,4,5,6\n")
    assert offered(path, "-f", "csv", "-c", "") == ["good"]


def test_columns_of_a_compressed_file(put):
    packed = subprocess.run(["gzip", "-c"], input=b"price\n1\n",
                            capture_output=True).stdout
    assert offered(put("d.csv.gz", packed), "-c", "") == ["price"]


def test_only_the_start_of_a_long_file_is_read(tmp_path):
    path = tmp_path / "d.csv"
    with open(path, "wb") as out:
        out.write(b"price,qty\n" + b"1,2\n" * 70000)
        out.truncate(1 << 40)
    assert offered(path, "-c", "") == ["price", "qty"]


def test_errors_are_quiet(put, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    bad = [fifo, tmp_path, "none", "/dev/zero", "-", put("e.csv", b""),
           put("d.f32", bytes(8)), put("x.parquet", b"PAR1" + bytes(99)),
           put("x.gz", b"\x1f\x8bno"), put("q.csv", b'"a\n1\n' * 9)]
    for path in bad:
        result = run("--complete", 2, path, "-c", "", timeout=10)
        assert (result.rc, result.out, result.err) == (0, "list\n", "")
    for words in [["x"], ["1"], ["1", "a"], ["2", "a"], ["-1", "a"],
                  ["99999999999999999999"], ["18446744073709551615", "a"]]:
        assert run("--complete", *words)[:2] == (0, "")


def in_bash(*words):
    """The completions by complete -F with the cursor at the end."""
    script = """. "$0"; PATH=$1:$PATH; shift; COMP_WORDS=("$@"); COMP_LINE=$*
COMP_POINT=${#COMP_LINE} COMP_CWORD=$(($# - 1))
$(complete -p gpureduce | sed 's/.*-F \\([^ ]*\\) .*/\\1/') gpureduce
printf '%s\\n' "${COMPREPLY[@]}" """
    return ["bash", "--norc", "-c", script, SCRIPTS / SCRIPT["bash"],
            os.path.dirname(BINARY), *words]


def in_zsh(*words):
    script = """compadd() { printf '%s\\n' $offers }; PATH=$2:$PATH
. $1 2>/dev/null; words=("${@[3,-1]}") CURRENT=$(($# - 2)) PREFIX=$words[-1]
_gpureduce"""
    return ["zsh", "-f", "-c", script, "zsh", SCRIPTS / SCRIPT["zsh"],
            os.path.dirname(BINARY), *words]


def in_fish(*words):
    script = f"source {SCRIPTS / SCRIPT['fish']}; set PATH $argv[1] $PATH;" \
        "complete -C\"$argv[2..-1]\""
    return ["fish", "--private", "-c", script, os.path.dirname(BINARY), *words]


@pytest.mark.parametrize("shell,command", zip(SHELLS, [in_bash, in_zsh,
                                                       in_fish]))
def test_shells_list_every_option(shell, command, tmp_path):
    need(shell)

    def listed(*words):
        done = subprocess.run(command("gpureduce", *words), text=True,
                              capture_output=True, timeout=60,
                              env={**os.environ, "HOME": str(tmp_path)})
        return {line.split("\t")[0] for line in done.stdout.splitlines()}
    if os.path.basename(BINARY) != "gpureduce":
        pytest.skip("the scripts ask for gpureduce")
    assert listed("--") == {name for name in every_option()
                            if name.startswith("--")}
    assert listed("-") | listed("--") == every_option()
    assert listed("--device", "c") == {"cpu", "cuda"}


@pytest.mark.parametrize("shell", SHELLS)
def test_names_are_typed_as_they_are(shell, tmp_path):
    """The program gets the exact name of the column, whatever the shell could
    make of it: after the option, joined to it, and in quotes."""
    for i, name in enumerate(NAMES + QUOTED):
        cell = name.replace('"', '""')
        (tmp_path / f"{i}.csv").write_text(f'"{cell}"\n1\n')
    before = sorted(os.listdir(tmp_path)) + [".home"]
    lines = ["-c \t", "--columns=\t", "-c '\t", '-c "\t']
    if shell == "zsh":  # leaves the quotes open, for more names
        lines[2:] = ["-c '\t'", '-c "\t"']
    with Shell(shell, tmp_path) as s:
        for i, name in enumerate(NAMES + QUOTED):
            want = name
            if name in QUOTED:
                want = '"' + name.replace('"', '""') + '"'
            for line in lines:
                # bash does not offer names that it cannot write there, or
                # leaves them open.
                if shell == "bash" and '"' in line and set(want) & set('"!'):
                    continue
                got = s.given(f"gpureduce --header=yes {i}.csv {line}")
                got = [word.removeprefix("--columns=") for word in got[2:]]
                assert [word for word in got if word != "-c" or name == "-c"
                        ][-1:] == [want], (name, line, got, s.seen[-500:])
    assert sorted(os.listdir(tmp_path)) == sorted(before)


@pytest.mark.parametrize("shell", SHELLS)
def test_tildes(shell, tmp_path):
    """A name that starts with ~ is escaped at the start of a word, where a
    shell would expand it. fish does not offer it there."""
    (tmp_path / "d.csv").write_text("~root\n1\n")
    with Shell(shell, tmp_path) as s:
        got = s.given("gpureduce --header=yes d.csv -c \t")
        assert got[2:] == ["-c"] + ["~root"] * (shell != "fish")


@pytest.mark.parametrize("shell", SHELLS)
def test_lines(shell, tmp_path):
    """Words of several pieces, the cursor within the line, files."""
    folder = tmp_path / "a b"
    folder.mkdir()
    (folder / "sales 1.csv").write_text("price,my qty,größe\n1,2,3\n")
    back = "\x1b[D" * len(" sales\\ 1.csv")
    with Shell(shell, folder) as s:
        for line, want in [
                ("sa\t", ["sales 1.csv"]),
                ("-o mea\t", ["-o", "mean"]),
                ("-o sum,mea\t", ["-o", "sum,mean"]),
                ("--op=sum,mea\t", ["--op=sum,mean"]),
                ("--per\t sa\t", ["--per-file", "sales 1.csv"]),
                ("sales\\ 1.csv -c price,my\t",
                 ["sales 1.csv", "-c", "price,my qty"]),
                ("'sales 1.csv' -c my\\ \t", ["sales 1.csv", "-c", "my qty"]),
                ("größe sales\\ 1.csv -c gr\t",
                 ["größe", "sales 1.csv", "-c", "größe"]),
                (f"-c p sales\\ 1.csv{back}\t", ["-c", "price", "sales 1.csv"]),
                (f"-c  sales\\ 1.csv{back}p\t", ["-c", "price", "sales 1.csv"]),
                (f"-c my -q sales\\ 1.csv{back}{back[:9]}\t",
                 ["-c", "my qty", "-q", "sales 1.csv"])]:
            if shell == "fish" and back in line:  # hides what follows
                continue
            got = s.given(f"gpureduce {line}")
            assert [word for word in got if word] == want, (line, s.seen[-300:])


@pytest.mark.parametrize("shell", SHELLS)
def test_home(shell, tmp_path):
    """A file that the line calls ~/d.csv is read."""
    with Shell(shell, tmp_path) as s:
        (tmp_path / ".home" / "d.csv").write_text("price\n1\n")
        got = s.given("gpureduce ~/d.csv -c \t")
        assert got == [str(tmp_path / ".home" / "d.csv"), "-c", "price"]
