#!/usr/bin/env python3
"""Tests build-aux/start in a source tree whose tools only record their calls.

Usage: check-start.py SOURCE-ROOT

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOOL = """#!/bin/sh
echo "$(basename "$0") $*" >> "$NOTES"
exit ${STATUS_%s:-0}
"""


class Tree:
    """A source tree with stand-in tools, in a folder with a space in its name; scripts run in another working
    directory."""

    def __init__ (self, root, folder):
        self.top = folder / "source of it"
        self.here = folder / "desk of user"
        self.notes = folder / "notes"
        tools = folder / "tools"
        for made in (self.top / "build-aux", self.top / "_build-release/installed/bin",
                     self.top / "_build-release/installed/share/netstitch", self.here, tools):
            made.mkdir (parents=True)
        for name in ("start", "packages.sh"):
            shutil.copy (root / "build-aux" / name, self.top / "build-aux" / name)
        for name in ("meson", "ninja"):
            self.tool (tools / name)
        # No package manager is available, so the script prints the required packages and continues.
        tools_of_system = ("sh", "basename", "dirname", "readlink", "tr", "cat")
        for name in tools_of_system:
            (tools / name).symlink_to (shutil.which (name))
        (tools / "python3").symlink_to (sys.executable)
        for name in ("netstitch", "netstitch-cli"):
            self.tool (self.top / "_build-release/installed/bin" / name)
        (self.top / "_build-release/installed/share/netstitch/sample.etl.zip").touch ()
        self.env = {"PATH": str (tools), "NOTES": str (self.notes), "LC_ALL": "C.UTF-8"}

    def tool (self, path):
        path.write_text (TOOL % path.name.replace ("-", "_"), encoding="utf-8")
        path.chmod (0o755)

    def run (self, *words, script=None, **env):
        self.notes.write_text ("", encoding="utf-8")
        done = subprocess.run ([str (script or self.top / "build-aux/start"), *words], cwd=self.here,
                               env=self.env | env, capture_output=True, text=True, check=False)
        return done, self.notes.read_text (encoding="utf-8").splitlines ()


def claims (tree):
    trace = tree.here / "my trace.etl"
    trace.touch ()

    done, notes = tree.run ("nothing here.etl")
    yield "a missing file is told before the build", (
        done.returncode == 1 and f"{tree.here}/nothing here.etl" in done.stderr and notes == [])

    done, notes = tree.run ("--quick")
    yield "an unknown option is answered", done.returncode == 2 and "--quick" in done.stderr and notes == []
    done, notes = tree.run ("my trace.etl", "other.etl")
    yield "a second file is answered", done.returncode == 2 and "other.etl" in done.stderr and notes == []
    done, notes = tree.run ("--help")
    yield "help needs no build", done.returncode == 0 and "usage" in done.stdout and notes == []

    done, notes = tree.run ("my trace.etl")
    yield "without a display: text, and the picture where the user stands", (
        done.returncode == 0 and f"netstitch-cli activities {trace} --format text" in notes
        and notes[-1].endswith (f"-o {tree.here}/timeline.png"))
    built = [note for note in notes if note.startswith (("ninja", "meson"))]
    yield "only what is installed is built", (
        any (note.startswith ("ninja") and note.endswith (" programs") for note in built)
        and any ("install" in note and "--no-rebuild" in note for note in built))

    done, notes = tree.run (trace.as_uri ())
    yield "an address of a file works without a display", (
        f"netstitch-cli activities {trace} --format text" in notes)
    done, notes = tree.run ()
    yield "without a file it is the sample", any ("share/netstitch/sample.etl.zip" in note for note in notes)

    done, notes = tree.run ("my trace.etl", DISPLAY=":7")
    yield "with a display it is the window", (
        done.returncode == 0 and notes[-1] == f"netstitch {trace}")
    done, notes = tree.run ("my trace.etl", DISPLAY=":7", STATUS_netstitch="69")
    yield "a display that cannot be reached is none", (
        done.returncode == 0 and f"netstitch-cli activities {trace} --format text" in notes)
    done, notes = tree.run ("my trace.etl", DISPLAY=":7", STATUS_netstitch="3")
    yield "another end of the window is that of the script", (
        done.returncode == 3 and not any (note.startswith ("netstitch-cli") for note in notes))

    link = tree.here / "open"
    link.symlink_to (tree.top / "build-aux/start")
    done, notes = tree.run ("my trace.etl", script=link)
    yield "it works through a symbolic link", (
        done.returncode == 0 and f"netstitch-cli activities {trace} --format text" in notes)


def main ():
    failed = 0
    n = 0
    with tempfile.TemporaryDirectory () as folder:
        for name, holds in claims (Tree (pathlib.Path (sys.argv[1]), pathlib.Path (folder))):
            n += 1
            failed += not holds
            print (f"{'ok' if holds else 'not ok'} {n} - {name}")
    print (f"1..{n}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit (main ())
