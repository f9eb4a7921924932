#!/usr/bin/python3
"""Tests that file dialogs close with the window that opened them.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import sys

import desk
from walk import activate, run_claims

# (action of the window, title of its dialog)
QUESTIONS = (("open", "Open Traces"), ("export-tree", "Export the Tree To"), ("save-view", "Save the View"),
             ("open-view", "Open a View"), ("save-picture", "Save Picture"), ("compare", "Compare With"))


def titles (room):
    """Returns the titles of all windows on the screen, including those without a size."""
    app = room.application ()
    app.clear_cache ()
    return [desk.text_of (app.get_child_at_index (i)) for i in range (app.get_child_count ())]


def open_three (room, sample):
    """Opens three windows: the program continues after one closes, and a trace can be compared with the others."""
    room.open_window (sample)
    room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
    for name in ("one.etl", "two.etl"):
        other = os.path.join (room.folder, name)
        shutil.copy (sample, other)
        room.start ([os.environ["NETSTITCH"], other])
        room.wait (f"{name} is open", lambda name=name: any (name in title for title in titles (room)))


def goes_with_its_window (room, sample, action, title):
    open_three (room, sample)
    if action == "export-tree":
        activate (room, "call-tree")
    activate (room, action)
    room.wait (f"“{title}” is asked", lambda: title in titles (room))
    activate (room, "close")
    room.wait ("the window is gone", lambda: not any ("sample.etl" in name for name in titles (room)))
    room.wait (f"“{title}” is gone", lambda: title not in titles (room))


def claim_of (action, title):
    def claim (sample):
        with desk.Desk () as room:
            goes_with_its_window (room, sample, action, title)

    claim.__name__ = f"{action.replace ('-', '_')}_is_not_asked_without_a_window"
    return claim


def ends_from (room, sample, key, title):
    room.open_window (sample)
    room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
    room.keys (key)
    room.wait ("the dialog is there", lambda: title in titles (room))
    room.wait ("it has the keys", lambda: room.focused () is not None)
    room.keys ("ctrl+q")
    room.window.wait (desk.PATIENCE_S)


def the_program_ends_from_a_dialog (sample):
    """The program exits while the dialog still handles the key; desk.Desk reports warnings."""
    with desk.Desk () as room:
        ends_from (room, sample, "ctrl+s", "Export Rows")


def the_program_ends_from_its_preferences (sample):
    """The preferences do not close with the window, but Ctrl+Q in them ends the program."""
    with desk.Desk () as room:
        ends_from (room, sample, "ctrl+comma", "Preferences")


if __name__ == "__main__":
    sys.exit (run_claims ("asked", [claim_of (*question) for question in QUESTIONS]
                         + [the_program_ends_from_a_dialog, the_program_ends_from_its_preferences]))
