#!/usr/bin/python3
"""Claims about what somebody else sees of a trace that was handed over.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys
import tempfile

import desk
from walk import activate, run_claims


def make_traced (folder):
    """A trace with stacks, and symbols of it."""
    subprocess.run ([os.environ["NETSTITCH_MAKE_SYMBOLS"], folder], check=True)
    return os.path.join (folder, "trace.etl"), os.path.join (folder, "right")


def what_was_found_is_seen_by_another (sample):
    with tempfile.TemporaryDirectory () as folder:
        trace, symbols = make_traced (folder)
        path = os.path.join (folder, "found.etl.zip")
        with desk.Desk (_NT_SYMBOL_PATH=symbols) as room:
            room.open_window (trace)
            room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
            activate (room, "name-bookmark-to", "'look here'")
            activate (room, "set-filter", "'port=8001'")
            room.wait ("a row is left", lambda: room.find (holds="1 of 2 rows"))
            activate (room, "select-rows", "[uint32 0]")
            room.wait ("it is selected", lambda: room.find (holds="1 row selected"))
            activate (room, "export-to", f"'{path}'")
            room.wait ("it is written", lambda: os.path.exists (path))
            # Nobody has symbols any more, and the window that they were for is gone.
            activate (room, "close")
            room.window.wait (timeout=20)
            room.forget ()
            shutil.rmtree (symbols)
            room.open_window (path, extra={"_NT_SYMBOL_PATH": ""})
            room.wait ("it says what it is", lambda: room.find (holds="Shown as it was handed over"))
            room.wait ("the filter is there", lambda: room.find (holds="port=8001"))
            room.wait ("the row is chosen", lambda: room.find (holds="connected to 198.51.100.2:8001"))
            room.wait ("the function has its name", lambda: room.find (holds="outer::work+0x35"))
            activate (room, "export-to", f"'{folder}/again.html'")
            room.wait ("a report is written", lambda: os.path.exists (f"{folder}/again.html"))
            with open (f"{folder}/again.html", encoding="utf-8") as file:
                page = file.read ()
            for words in ("look here", "app.exe!outer::work"):
                if words not in page:
                    raise desk.Failed (f"the report lacks {words!r}")


if __name__ == "__main__":
    sys.exit (run_claims ("hand-over", (what_was_found_is_seen_by_another,)))
