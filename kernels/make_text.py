#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a device header and those that it includes as one C string, which
the program gives to NVRTC.

    make_text.py HEADER OUTPUT DEPFILE FOLDER...

Headers in <> and the host's launchers (family.h) are left out, and comments.
"""

import os
import re
import sys

HOST = "kernels/common/family.h"


def text_of(name, folders, seen):
    path = next(p for p in (os.path.join(f, name) for f in folders)
                if os.path.exists(p))
    if path in seen or name == HOST:
        return ""
    seen.append(path)
    with open(path, encoding="ascii") as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/|//[^\n]*|#pragma once|#include <[^\n]*", "", text,
                  flags=re.S)
    return re.sub(r'#include "(.*)"',
                  lambda m: text_of(m.group(1), folders, seen), text)


def main(header, output, depfile, *folders):
    seen = []
    lines = text_of(header, folders, seen).split("\n")
    with open(output, "w", encoding="ascii") as file:
        for line in filter(None, map(str.strip, lines)):
            quoted = line.replace("\\", "\\\\").replace('"', '\\"')
            file.write('"%s\\n"\n' % quoted)
    with open(depfile, "w", encoding="ascii") as file:
        file.write("%s: %s\n" % (output, " ".join(seen)))


if __name__ == "__main__":
    main(*sys.argv[1:])
