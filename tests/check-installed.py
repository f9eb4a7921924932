#!/usr/bin/env python3
"""Checks that the target `programs` builds every installed file that has to be built.

Usage: check-installed.py BUILD-FOLDER

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import subprocess
import sys


def main ():
    build = sys.argv[1]
    with open (os.path.join (build, "meson-info", "intro-targets.json"), encoding="utf-8") as file:
        targets = json.load (file)
    query = subprocess.check_output (["ninja", "-C", build, "-t", "query", "programs"], text=True)
    built = {line.strip (" |") for line in query.splitlines ()}
    missing = [name for target in targets if target["installed"] for name in target["filename"]
               if os.path.relpath (name, os.path.realpath (build)) not in built]
    for name in missing:
        print (f"{name} is installed, but not a part of the target programs in meson.build")
    return 1 if missing or not built else 0


if __name__ == "__main__":
    sys.exit (main ())
