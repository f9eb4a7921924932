#!/usr/bin/python3
"""Tests the window that compares two traces.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import subprocess
import sys

import desk
from walk import activate, check_names, run_claims


def make_part (room, sample):
    part = os.path.join (room.folder, "part.etl")
    subprocess.run ([os.environ["NETSTITCH_CLI"], "export", sample, "--as", "etl", "--filter", "process:OUTLOOK",
                     "-o", part], check=True)
    return part


def printed (before, after):
    return json.loads (subprocess.run ([os.environ["NETSTITCH_CLI"], "diff", before, after, "--format", "json"],
                                       check=True, stdout=subprocess.PIPE, text=True).stdout)


def press (room, name):
    node = room.wait (f"{name} is there", lambda: room.find (role="push button", name=name))
    desk.Atspi.Action.do_action (node, 0)


def list_is_that_of_the_command_line (sample):
    with desk.Desk () as room:
        part = make_part (room, sample)
        changes = printed (sample, part)
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "compare-with", f"'{part}'")
        room.wait ("it is compared", lambda: room.find (holds=f"Gone: {len (changes)}"))
        room.wait ("it says which is which", lambda: room.find (holds="Before: sample.etl · After: part.etl"))
        shown = {desk.text_of (node) for node in room.walk (cells=True)}
        for change in changes[:10]:
            for cell in (change["process"], change["server"], change["url"]):
                if cell and not any (cell == text or text.startswith (cell) for text in shown):
                    raise desk.Failed (f"the list lacks {cell!r} of {change}")
        check_names (room, "the list of what differs")
        # Going to a row removes a filter that hides it.
        activate (room, "set-filter", "'process:EXCEL'")
        room.wait ("rows are left out", lambda: room.find (holds=" of 27 rows"))
        press (room, "Go to Before")
        room.wait ("the row is shown", lambda: room.find (holds="1 row selected"))
        press (room, "Exchange")
        room.wait ("it is compared again", lambda: room.find (holds=f"New: {len (changes)}"))


def focused (room):
    """Returns the object of the sheet that has the keyboard focus."""
    page = room.find (role="frame", name="Compare Traces")
    for node in room.walk (page, cells=True) if page is not None else ():
        if node is not page and node.get_state_set ().contains (desk.Atspi.StateType.FOCUSED):
            return node
    return None


def the_keyboard_stays_where_it_was (sample):
    """A button is disabled during the comparison, and the lines of the list are removed."""
    with desk.Desk () as room:
        part = make_part (room, sample)
        n_changes = len (printed (sample, part))
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "compare-with", f"'{part}'")
        room.wait ("it is compared", lambda: room.find (holds=f"Gone: {n_changes}"))
        room.wait ("something has the focus", lambda: focused (room))
        for _ in range (20):
            if desk.text_of (focused (room)) == "Exchange":
                break
            room.keys ("Tab")
        room.wait ("the button has the focus", lambda: desk.text_of (focused (room)) == "Exchange")
        room.keys ("space")
        room.wait ("it is compared again", lambda: room.find (holds=f"New: {n_changes}"))
        room.wait ("the button still has the focus", lambda: desk.text_of (focused (room)) == "Exchange")


def a_trace_does_not_differ_from_itself (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "compare-with", f"'{sample}'")
        room.wait ("it says so", lambda: room.find (holds="This is the same trace: there are no differences."))


def a_key_asks_for_the_other_trace (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        room.keys ("ctrl+d")
        room.wait ("a file is asked for", lambda: room.find (name="Compare With"))


def what_is_no_trace_is_said (sample):
    with desk.Desk () as room:
        wrong = os.path.join (room.folder, "wrong.etl")
        with open (wrong, "w", encoding="utf-8") as file:
            file.write ("no trace " * 100)
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "compare-with", f"'{wrong}'")
        room.wait ("it says why", lambda: room.find (holds="wrong.etl"))


if __name__ == "__main__":
    sys.exit (run_claims ("compare", (list_is_that_of_the_command_line, the_keyboard_stays_where_it_was, a_trace_does_not_differ_from_itself, a_key_asks_for_the_other_trace,
                                      what_is_no_trace_is_said)))
