#!/usr/bin/python3
"""Tests code paths with function names: in the panel, in the call tree, and with names of maximum length.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys

import desk
from walk import activate, run_claims


def open_paths (room, *words):
    """Opens a trace whose modules have symbols except two."""
    folder = os.path.join (room.folder, "paths")
    os.makedirs (folder)
    subprocess.run ([os.environ["NETSTITCH_MAKE_PATHS"], folder, *words], check=True)
    room.env["_NT_SYMBOL_PATH"] = os.path.join (folder, "symbols")
    room.env.pop ("_NT_ALT_SYMBOL_PATH", None)
    room.open_window (os.path.join (folder, "trace.etl"))
    room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="74 rows"))


def show_stack (room, row):
    activate (room, "select-rows", f"[uint32 {row}]")
    pages = room.wait ("a row is selected",
                       lambda: room.find (role="page tab list", name="Details"))
    names = [desk.text_of (pages.get_child_at_index (i)) for i in range (pages.get_child_count ())]
    desk.Atspi.Selection.select_child (pages, names.index ("Stack"))


def frames_have_no_endings_and_tooltips_do (_sample):
    with desk.Desk () as room:
        open_paths (room)
        activate (room, "select-rows", "[uint32 0]")
        frame = room.wait ("the frame has its name", lambda: room.find (
            role="label", name="OLMAPI32!HttpTransport::Send+0x1d"))
        told = frame.get_description () or ""
        if "OLMAPI32.dll!HttpTransport::Send" not in told:
            raise desk.Failed (f"its tooltip says {told!r}")


def modules_without_symbols_say_why (_sample):
    with desk.Desk () as room:
        open_paths (room)
        show_stack (room, 43)
        room.wait ("a module that has none is in the list",
                   lambda: room.find (holds="addin7.dll, no PDB"))
        for row, frame in ((43, "addin7.dll+0x4410, no PDB found"),
                           (43, "0x7fff8a1b2c3d, no module"),
                           (58, "contoso_fw.dll+0x1200, PDB of another build")):
            show_stack (room, row)
            room.wait (f"{frame} is said", lambda: [
                node for node in room.walk (cells=True) if desk.text_of (node) == frame])


def a_program_has_the_colour_of_what_it_calls (_sample):
    with desk.Desk () as room:
        open_paths (room)
        activate (room, "call-tree")
        room.wait ("the rows without a stack are told of",
                   lambda: room.find (name="74 rows · 71 with a stack"))
        for modules in ("OLMAPI32, OUTLOOK", "EXCEL, mso40uiwin32client", "msedgewebview2"):
            room.wait (f"one colour means {modules}",
                       lambda: room.find (role="label", holds=modules))


def long_names_take_no_room_from_others (_sample):
    with desk.Desk (size="900x600") as room:
        open_paths (room, "--long")
        activate (room, "select-rows", "[uint32 0]")
        room.keys ("F9")
        panel = room.wait ("the panel is there",
                           lambda: room.find (role="page tab list", name="Details"))
        if desk.box_of (panel).width > 400:
            raise desk.Failed (f"the panel is {desk.box_of (panel).width} px wide")
        room.keys ("F9")
        activate (room, "call-tree")
        room.wait ("the tree is there", lambda: room.find (name="74 rows · 71 with a stack"))
        export = desk.box_of (room.find (role="push button", name="Export the tree"))
        if export.x + export.width > 900:
            raise desk.Failed (f"a button of the page ends at {export.x + export.width} px")


if __name__ == "__main__":
    sys.exit (run_claims ("paths", (frames_have_no_endings_and_tooltips_do,
                                    modules_without_symbols_say_why,
                                    a_program_has_the_colour_of_what_it_calls,
                                    long_names_take_no_room_from_others)))
