#!/usr/bin/python3
"""Tests exports with names redacted.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys
import time

import desk
from walk import activate, check_names, run_claims


def what_is_replaced_is_shown_before_it_is_written (sample):
    """The dialog lists each name and its replacement; the file has these, as that of the command line."""
    with desk.Desk () as room:
        path = os.path.join (room.folder, "shared.csv")
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "export")
        room.wait ("what to export is asked", lambda: room.find (name="Filtered: 27"))
        if room.find (name="Replaced names") is not None:
            raise desk.Failed ("names are said to be replaced though nobody asked for it")
        room.keys ("alt+l", "alt+w", "alt+r")
        room.wait ("it is counted", lambda: room.find (holds="Replaced: 6 hosts, 8 addresses"))
        shown = [desk.text_of (node) for node in room.walk (cells=True)]
        for row in ("mail.example.com becomes server-1", "203.0.113.24 becomes address-1"):
            if row not in shown:
                raise desk.Failed (f"“{row}” is not among {shown}")
        check_names (room, "what is replaced")
        room.keys ("alt+e")
        room.wait ("a place to save is asked for", lambda: room.find (holds="Name"))
        room.keys ("ctrl+a")
        room.type (path)
        room.keys ("Return")
        room.wait ("it says what it did", lambda: room.find (holds="Exported to shared.csv: 27 rows, "))
        expected = subprocess.run ([os.environ["NETSTITCH_CLI"], "export", sample, "--as", "csv", "--columns", "all",
                                    "--redact"], check=True, capture_output=True).stdout
        with open (path, "rb") as file:
            written = file.read ()
        if written != expected or b"mail.example.com" in written or b"server-1" not in written:
            raise desk.Failed ("the file is not what the command line writes without names")
        if os.stat (path).st_mode & 0o777 != 0o644:
            raise desk.Failed ("the file is not shared though that was asked for")
        room.wait ("the folder is offered", lambda: room.find (name="Open Folder"))
        check_names (room, "what was exported")


def forms_that_hold_more_are_not_offered (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "show-tab", "'events'")
        activate (room, "export")
        box = room.wait ("what to export is asked", lambda: room.find (holds="Without names"))
        if box.get_state_set ().contains (desk.Atspi.StateType.SENSITIVE):
            raise desk.Failed ("records are offered without names")


def is_checked (room):
    box = room.find (holds="Without names")
    states = box.get_state_set ()
    return states.contains (desk.Atspi.StateType.CHECKED), states.contains (desk.Atspi.StateType.SENSITIVE)


def choose_form (room, n_down):
    """Chooses a format. Newer GTK opens the list by its mnemonic, older GTK only moves the focus there."""
    def is_open ():
        # Formats that the tests do not choose; one of them is in view at every scroll position.
        return any (room.find (holds=form) is not None for form in ("Markdown (", "Perfetto (", "Speedscope ("))
    room.keys ("alt+o")
    time.sleep (0.5)
    if not is_open ():
        room.keys ("space")
    room.wait ("the forms are listed", is_open)
    # In GTK 4.18 the first key press in a list that has just opened may have no effect, and so may the one after a Home
    # key that scrolled.
    room.keys ("End", "Home", "Down", "Home", *["Down"] * n_down, "Return")
    room.wait ("one is chosen", lambda: not is_open ())


def what_cannot_be_changed_says_nothing_else (sample):
    """While a format that cannot be redacted is chosen, the dialog shows no replacements; other formats show them
    again."""
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "export")
        room.wait ("what to export is asked", lambda: room.find (name="Filtered: 27"))
        room.keys ("alt+w")
        room.wait ("it is counted", lambda: room.find (holds="Replaced:"))
        choose_form (room, 9)
        room.wait ("a hand-over has names", lambda: is_checked (room) == (False, False))
        if room.find (name="Replaced names") is not None:
            raise desk.Failed ("names are said to be replaced in a hand-over")
        choose_form (room, 11)
        room.wait ("an archive has none", lambda: is_checked (room) == (True, True))
        room.wait ("what is left out is said", lambda: room.find (holds="Bodies are left out"))
        choose_form (room, 7)
        room.wait ("a report has none", lambda: room.find (holds="the filter, notes and the timeline are left out"))
        check_names (room, "a report without names")


if __name__ == "__main__":
    sys.exit (run_claims ("without-names", (what_is_replaced_is_shown_before_it_is_written,
                                            forms_that_hold_more_are_not_offered,
                                            what_cannot_be_changed_says_nothing_else)))
