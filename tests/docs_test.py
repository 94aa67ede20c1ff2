# SPDX-License-Identifier: MIT
"""The manual, the READMEs, --help and --list agree."""

import glob
import os
import re
import shutil
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.abspath(
    os.environ.get("GPUREDUCE", os.path.join(ROOT, "build", "gpureduce")))
MAN_PAGES = sorted(glob.glob("man/*.[1-9]", root_dir=ROOT))
DOCUMENTS = ["README.md", "samples/README.md", *MAN_PAGES]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def tool(*arguments):
    run = subprocess.run([TOOL, *arguments], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def unroff(text):
    """Removes the escapes that the man page uses."""
    return re.sub(r"\\f.|\\&", "", text).replace(r"\-", "-").replace(
        r"\e", "\\")


def section(name, page="man/gpureduce.1"):
    return re.search(r"^\.SH %s\n(.*?)^\.SH " % name, read(page),
                     re.M | re.S).group(1)


def man_headings(name):
    """Returns the words of each bold .TP heading of a section, in order."""
    headings = re.findall(r"^\.TP\n\.BR? (.*)$", section(name), re.M)
    return [re.findall(r"[^\s\",]+", unroff(line)) for line in headings]


def man_options():
    """Returns each option and whether it takes a value: {"-o": True, ...}."""
    options = {}
    for words in man_headings("OPTIONS"):
        names = [word for word in words if word.startswith("-")]
        assert names, "an option's heading starts with its name"
        for name in names:
            assert name not in options, name + " has two headings"
            options[name] = len(words) > len(names)
    return options


def help_options(topic="options", after=""):
    """Returns the same from the first column of --help=topic."""
    options = {}
    text = tool("--help=" + topic)
    for line in text[text.index(after):].splitlines():
        heading = re.match(r"\s+(-\S.*?)(?:\s{2,}|$)", line)
        if not heading:
            continue
        names = re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", heading.group(1))
        rest = re.sub(r"(?<![\w-])--?[A-Za-z][\w-]*", "", heading.group(1))
        for name in names:
            options[name] = re.search(r"\w", rest) is not None
    return options


def listed(kind):
    """Returns the names of one kind in --list with their descriptions, in
    order."""
    rows = [line.split("\t") for line in tool("--list").splitlines()]
    assert all(len(row) == 3 for row in rows)
    return [(name, about) for row_kind, name, about in rows
            if row_kind == kind]


def test_options_of_help_and_man_page_agree():
    assert help_options() == man_options()


def test_words_of_other_tools_are_in_the_man_page():
    body = section("OPTIONS").split(".SS Words of other tools\n")[1]
    text = unroff(body.split(".PP\n")[0])
    ours = {"--delimiter", "--header", "--columns", "--output-format",
            "--digits", "--nan", "--where"}
    words = set(re.findall(r"(?<!\w)--?[A-Za-z][\w-]*", text))
    others = help_options("all", "Words of other tools:\n")
    assert words - ours == set(others) and words >= ours


def test_short_help_is_part_of_the_whole():
    brief = help_options("short")
    whole = help_options()
    assert 10 < len(brief) < len(whole)
    assert all(whole[name] == takes for name, takes in brief.items())


def test_help_fits_a_terminal():
    for topic in "short", "ops", "text", "options", "all":
        text = tool("--help=" + topic).splitlines()
        assert max(map(len, text)) <= 80, topic
        assert topic != "short" or len(text) <= 45


def test_help_of_operations_names_those_that_are_several():
    assert {"summary", "all"} <= set(re.findall(r"^  (\w+) ", tool("--help=ops"),
                                                re.M))


def test_names_of_operations_in_list_and_man_page_agree():
    described = [[name] + [word for words in re.findall(r"\(also: (.*?)\)",
                                                        about)
                           for word in words.split(", ")]
                 for name, about in listed("op")]
    assert sorted(described) == sorted(man_headings("OPERATIONS"))


def test_names_of_types_in_list_and_man_page_agree():
    described = [[name, long_name] for name, long_name in listed("dtype")]
    assert described == man_headings("DATA TYPES")


def test_formats_of_help_and_man_page_agree():
    words = re.search(r"--format=FMT +auto, (.*?) \(",
                      tool("--help=options")).group(1)
    names = re.split(r", | or ", words)
    assert [[name] for name in names] == man_headings("INPUT FORMATS")


def test_functions_of_the_man_page_are_those_of_expressions():
    rows = re.findall(r'X\(\w+, "(\w+)", \w+, true,', read("src/expr/operations.h"))
    text = section("EXPRESSIONS").split(".SS Functions\n")[1]
    bold = " ".join(re.findall(r"\\fB(.*?)\\fR", text, re.S)).split()
    assert set(bold) == set(rows)


def test_powers_of_the_man_page_are_right():
    shown = re.findall(r"(\S+\*\*\d+) is (-?\d+)", unroff(section("EXPRESSIONS")))
    assert len(shown) == 2
    for power, value in shown:
        tool("-o", "rows", "-t", "u8", "--assert", power + " == " + value,
             "/dev/null")


def test_list_holds_nothing_else():
    kinds = {line.split("\t")[0] for line in tool("--list").splitlines()}
    assert kinds == {"op", "dtype"}


def test_aliases_of_operations_mean_their_operation():
    for name, *aliases in man_headings("OPERATIONS"):
        for alias in aliases:
            if name in ("cov", "corr"):
                levels = os.path.join(ROOT, "samples", "levels.tsv")
                assert '"%s":' % name in tool("--op", alias, "-O", "jsonl",
                                              "--na=-999", levels)
                continue
            # If the output names two operations.
            output = tool("--op", "count," + alias, "-t", "u8", "/dev/null",
                          "--empty=identity")
            assert output.splitlines()[1].split("\t")[0] == name


def test_aliases_of_types_mean_their_type(tmp_path):
    truths = tmp_path / "truths"
    truths.write_bytes(b"\0\1")
    path = os.path.join(ROOT, "samples", "wave.i16")
    for names in man_headings("DATA TYPES"):
        data = str(truths) if "bool" in names else path
        outputs = {tool("--op", "count,max", "--nan=skip", "--dtype", name, "-f", "raw",
                        data) for name in names}
        assert len(names) == 2 and len(outputs) == 1, names


def pages_named(text):
    """Returns the files of the pages that are referred to as in
    gpureduce-text(7)."""
    return {"man/%s.%s" % words
            for words in re.findall(r"\b(gpureduce[\w-]*) ?\((\d)\)", text)}


@pytest.mark.parametrize("page", MAN_PAGES)
def test_man_page_has_its_name_and_the_version(page):
    title, version = re.search(r'^\.TH (\S+ \d) \S+ "(.*?)"', read(page),
                               re.M).groups()
    name = page.split("/")[1].rpartition(".")[0]
    assert unroff(title) == "%s %s" % (name.upper(), page[-1])
    assert unroff(section("NAME", page)).startswith(name + " - ")
    assert tool("--version").splitlines()[0] == version


@pytest.mark.parametrize("page", MAN_PAGES)
def test_man_page_is_clean(page):
    for command in (["mandoc", "-Tlint", "-Wall"],
                    ["groff", "-z", "-ww", "-Tutf8", "-man"]):
        if not shutil.which(command[0]):
            pytest.skip(command[0] + " is not installed")
        run = subprocess.run([*command, os.path.join(ROOT, page)], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert (run.returncode, run.stdout) == (0, ""), command


def test_all_man_pages_are_installed_and_named_where_users_look():
    pages = set(MAN_PAGES)
    assert len(pages) == 3
    named = re.findall(r"'(.*?)'", read("man/meson.build"))
    assert {"man/" + name for name in named} == pages
    for page in pages:
        text = re.sub(r"^\.BR (\S+) \(", r"\1(", unroff(read(page)), flags=re.M)
        # Each page refers to all other pages, and to none that does not exist.
        assert pages_named(text) | {page} == pages, page
    names = {page.split("/")[1].rpartition(".")[0] for page in pages}
    for text in read("README.md"), tool("--help"):
        assert names <= set(re.findall(r"gpureduce[\w-]*", text))


def test_error_of_the_man_page_is_what_is_said(tmp_path):
    error = re.search(r"^gpureduce: (\S+?):(\d+):(\d+): .*$",
                      unroff(section("MESSAGES", "man/gpureduce-text.7")), re.M)
    name, line, column = error.group(1), *map(int, error.groups()[1:])
    text, field = re.search(r"'(.*)' \(column (.*)\)", error.group()).groups()
    rows = ["item," + field] + ["x,1"] * (line - 2)
    rows.append("x" * (column - 2) + "," + text)
    (tmp_path / name).write_text("\n".join(rows))
    run = subprocess.run([TOOL, "--columns", field, name], cwd=tmp_path,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.splitlines()[0] == error.group()


def examples(document):
    """Returns each "$ command" of a document with the output shown below
    it."""
    text = read(document)
    if document in MAN_PAGES:
        blocks = re.findall(r"^\.EX\n(.*?)^\.EE$", unroff(text), re.M | re.S)
    else:
        blocks = re.findall(r"^```\S*\n(.*?)^```$", text, re.M | re.S)
    found = []
    for block in blocks:
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            command = command.split("&& ")[-1]
            command = command.replace("build/gpureduce", "gpureduce")
            found.append((command, output))
    return found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_examples_show_the_known_answers(document):
    # samples_test.py checks that the program prints these answers.
    answers = dict(line.split("\t")
                   for line in read("samples/answers.tsv").splitlines())
    shown = examples(document)
    assert shown
    for command, output in shown:
        assert command in answers
        known = answers[command].replace(r"\t", "\t").replace(r"\n", "\n")
        assert output.rstrip("\n") == known.rstrip("\n"), command


def recipes():
    """Returns the scripts of the section on parts, without the picture."""
    blocks = re.findall(r"^\.EX\n(.*?)^\.EE$", section("DATA IN SEVERAL PLACES"),
                        re.M | re.S)
    return [text for text in map(unroff, blocks) if "->" not in text]


@pytest.mark.parametrize("kind, command", [
    ("wait", "sh recipe"),
    ("xargs", "sh recipe"),
    ("make", "make -f recipe mean.txt >/dev/null && cat mean.txt"),
    ("SBATCH", "for i in 1 2 3 4; do SLURM_ARRAY_TASK_ID=$i sh recipe; done; "
               "gpureduce --merge [1-4].state"),
    ("mpirun", "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
               "OMPI_MCA_rmaps_base_oversubscribe=1 sh recipe")])
def test_recipes_of_parts_print_what_one_run_prints(kind, command, tmp_path):
    tool = kind if kind in ("xargs", "make", "mpirun") else "sh"
    if not shutil.which(tool) or (kind == "mpirun" and
                                  not os.path.exists(TOOL + "-mpi")):
        pytest.skip("no " + tool)
    found = [text for text in recipes()
             if (kind if kind != "make" else "mean.txt") in text]
    assert len(found) == 1 and len(recipes()) == 5
    (tmp_path / "recipe").write_text(found[0])
    rows = ["%d.25" % (i * i) for i in range(1000)]
    for name, part in [("sales", rows)] + [
            (str(k + 1), rows[250 * k:250 * k + 250]) for k in range(4)]:
        item = ("", "") if name == "sales" else (",item", ",nut")
        (tmp_path / (name + ".csv")).write_text(f"price{item[0]}\n" + "".join(
            f"{price}{item[1]}\n" for price in part))
    for name in "", "-mpi":
        (tmp_path / ("gpureduce" + name)).symlink_to(TOOL + name)
    run = subprocess.run(["sh", "-c", command], cwd=tmp_path, text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, env=dict(
                             os.environ, MALLOC_PERTURB_="0",
                             PATH=f"{tmp_path}:{os.environ['PATH']}"))
    mean = sum(i * i for i in range(1000)) / 1000 + 0.25
    assert (run.returncode, run.stdout) == (0, f"{mean}\n"), run
