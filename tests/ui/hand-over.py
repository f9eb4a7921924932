#!/usr/bin/python3
"""Tests what the recipient of a hand-over (bundle) sees.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys
import tempfile

import desk
from walk import activate, focus_part, run_claims, timeline_name


def make_traced (folder):
    """Makes a trace with stacks; returns its path and the folder of its symbols."""
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
            # The window is closed and the symbols are deleted; names must come from the hand-over.
            activate (room, "close")
            room.window.wait (timeout=20)
            room.forget ()
            shutil.rmtree (symbols)
            room.open_window (path, extra={"_NT_SYMBOL_PATH": ""})
            room.wait ("it says what it is", lambda: room.find (holds="Shown with the embedded view"))
            room.wait ("the filter is there", lambda: room.find (holds="port=8001"))
            room.wait ("the row is chosen", lambda: room.find (holds="connected to 198.51.100.2:8001"))
            activate (room, "symbols")
            room.wait ("the page of symbols says so", lambda: room.find (
                holds="function names of 1 embedded in the trace"))
            room.keys ("Escape")
            room.wait ("the page is closed", lambda: room.find (role="frame", name="Symbols") is None)
            room.wait ("the function has its name", lambda: room.find (holds="outer::work+0x35"))
            activate (room, "export-to", f"'{folder}/again.html'")
            room.wait ("a report is written", lambda: os.path.exists (f"{folder}/again.html"))
            with open (f"{folder}/again.html", encoding="utf-8") as file:
                page = file.read ()
            for words in ("look here", "app.exe!outer::work"):
                if words not in page:
                    raise desk.Failed (f"the report lacks {words!r}")


def lane_with_focus (room):
    node = next ((node for node in room.walk () if node.get_role_name () == "image"
                  and node.get_state_set ().contains (desk.Atspi.StateType.FOCUSED)), None)
    return desk.text_of (node) if node is not None else ""


def pinned_and_hidden_lanes_go_along (sample):
    """Rows, strings and processes have other ids in the hand-over; pinned and hidden lanes are restored by name."""
    with tempfile.TemporaryDirectory () as folder, desk.Desk () as room:
        path = os.path.join (folder, "found.etl.zip")
        room.open_window (sample)
        room.wait ("the timeline is there", lambda: timeline_name (room))
        activate (room, "set-filter", "'process:updatehelper or process:excel'")
        room.wait ("rows are left", lambda: room.find (holds="12 of 27 rows"))
        # Gives each connection its own lane.
        activate (room, "pack-lanes")
        focus_part (room, "image")
        room.keys ("Down", "Down", "Down")
        room.wait ("a connection has the focus",
                   lambda: lane_with_focus (room).startswith ("connection 12"))
        room.keys ("p", *["Down"] * 9)
        room.wait ("the second process has it", lambda: lane_with_focus (room).startswith ("EXCEL"))
        room.keys ("h")
        room.wait ("a lane is hidden", lambda: room.find (holds="1 lane hidden"))
        activate (room, "export-to", f"'{path}'")
        room.wait ("it is written", lambda: os.path.exists (path))
        activate (room, "close")
        room.window.wait (timeout=20)
        room.forget ()
        room.open_window (path)
        room.wait ("it says what it is", lambda: room.find (holds="Shown with the embedded view"))
        room.wait ("a lane is hidden there", lambda: room.find (holds="1 lane hidden"))
        focus_part (room, "image")
        room.keys ("Up", "Up")
        room.wait ("the pinned one is first", lambda: lane_with_focus (room).startswith ("connection "))


if __name__ == "__main__":
    sys.exit (run_claims ("hand-over", (what_was_found_is_seen_by_another,
                                        pinned_and_hidden_lanes_go_along)))
