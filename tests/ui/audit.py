#!/usr/bin/python3
"""Tests the window with the list of processes and hosts.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import subprocess
import sys

import desk
from walk import activate, check_names, run_claims


def printed (sample):
    """Returns the rows of the command line's report: processes and their hosts."""
    lines = json.loads (subprocess.run ([os.environ["NETSTITCH_CLI"], "report", sample, "--audit", "--format", "json"],
                                        check=True, stdout=subprocess.PIPE, text=True).stdout)
    return [(line["host"] or f"{line['process']} ({line['pid']})", line["protocol"], line["code"] or "")
            for line in lines]


def list_is_that_of_the_command_line (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "audit")
        room.wait ("the list is there", lambda: room.find (name="Processes and hosts"))
        room.wait ("it is added up", lambda: room.find (holds="27 operations of 4 processes"))
        shown = {desk.text_of (node) for node in room.walk (cells=True)}
        for cells in printed (sample):
            for cell in cells:
                if cell and not any (cell == text or text.startswith (cell) for text in shown):
                    raise desk.Failed (f"the list lacks {cell!r} of {cells}")
        check_names (room, "the list of processes and hosts")
        activate (room, "show-operations", "'pid=4312 server=autodiscover.example.com port=443'")
        room.wait ("the rows of a host are shown", lambda: room.find (holds="2 rows"))


def an_empty_list_says_why (sample):
    with desk.Desk () as room:
        empty = os.path.join (room.folder, "empty.etl")
        subprocess.run ([os.environ["NETSTITCH_CLI"], "export", sample, "--as", "etl", "--filter", "port=1",
                         "-o", empty], check=True)
        room.open_window (empty)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "audit")
        room.wait ("it says what is missing",
                   lambda: room.find (holds="nothing to list. This trace has no events of: "))
        told = subprocess.run ([os.environ["NETSTITCH_CLI"], "report", empty, "--audit"], check=True,
                               capture_output=True, text=True).stderr
        if "This trace has no events of: " not in told:
            raise desk.Failed (f"the command line tells {told!r}")


def a_filter_that_leaves_nothing_is_named (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "set-filter", "'port=1'")
        room.wait ("nothing is left", lambda: room.find (holds="0 of 27 rows"))
        activate (room, "audit")
        room.wait ("the list names the filter",
                   lambda: room.find (holds="No operation matches the filter: port=1. Without it there are 27."))


if __name__ == "__main__":
    sys.exit (run_claims ("audit", (list_is_that_of_the_command_line, an_empty_list_says_why,
                                    a_filter_that_leaves_nothing_is_named)))
