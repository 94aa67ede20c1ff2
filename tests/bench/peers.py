# SPDX-License-Identifier: MIT
"""Commands of other tools that compute the same. Only installed tools are
used.

Each prints the sum of the first column first. They are whole processes, so
start-up and imports count for them as they do for us."""

import importlib.util
import shutil
import sys

NUMPY = """
import sys, numpy
print(numpy.memmap(sys.argv[1], "<f4", "r").sum())
"""

DUCKDB = """
import sys, duckdb
what = ",".join("sum(%s),avg(%s),max(%s)" % (c, c, c) for c in sys.argv[2:])
query = "select %s from read_csv('%s')" % (what, sys.argv[1])
con = duckdb.connect()
con.execute("set enable_progress_bar = false")  # it is printed where results are
print(*con.execute(query).fetchall()[0])
"""

PYARROW = """
import sys, pyarrow.compute as pc, pyarrow.csv as csv
columns = sys.argv[2:]
table = csv.read_csv(
    sys.argv[1], csv.ReadOptions(block_size=8 << 20),
    convert_options=csv.ConvertOptions(include_columns=columns))
for c in columns:
    print(pc.sum(table[c]), pc.mean(table[c]), pc.max(table[c]))
"""

MAWK = """
FNR > 1 { s += $3; t += $5; n++; if (n == 1 || $3 > u) u = $3 + 0
          if (n == 1 || $5 > v) v = $5 + 0 }
END { printf "%.17g %.17g %.17g ", s, s / n, u
      printf "%.17g %.17g %.17g\\n", t, t / n, v }
"""


def module(name):
    return importlib.util.find_spec(name) is not None


def of_raw(path):
    """Returns {name: command} for the sum of f32."""
    return {"NumPy memmap": [sys.executable, "-c", NUMPY, path]}


def of_table(path):
    """Returns {name: command} for sum, mean and max of price and measure."""
    columns, found = ["price", "measure"], {}
    for name, package, code in (("DuckDB", "duckdb", DUCKDB),
                                ("pyarrow", "pyarrow", PYARROW)):
        if module(package):
            found[name] = [sys.executable, "-c", code, path, *columns]
    if shutil.which("datamash"):
        ops = ("sum", "3", "mean", "3", "max", "3", "sum", "5", "mean", "5",
               "max", "5")
        found["datamash"] = ["sh", "-c", 'exec datamash -t , --header-in '
                             '"$@" <"$0"', path, *ops]
    if shutil.which("mawk"):
        found["mawk"] = ["mawk", "-F", ",", MAWK, path]
    return found
