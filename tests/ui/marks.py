#!/usr/bin/python3
"""Tests the positions of bookmarks, and the actions after an export.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import subprocess
import sys
import time

import desk
from timeline import start
from walk import activate, focus_part, run_claims, save_as, timeline_name

BETWEEN = re.compile (r"^open_ns=([0-9.]+)s\.\.([0-9.]+)s$")


def span_between_marks (room, actions):
    """Returns the times of the two bookmarks in seconds."""
    actions.do ("marks-to-span")
    actions.do ("only-span")
    room.wait ("rows between the bookmarks are shown", lambda: BETWEEN.match (actions.state ("state")[2]))
    return [float (part) for part in BETWEEN.match (actions.state ("state")[2]).groups ()]


def set_mark (room, n_expected, label=None):
    focus_part (room, "image")
    if label is None:
        room.keys ("m")
    else:
        room.keys ("shift+m")
        room.wait ("a label is asked for", lambda: room.find (name="Bookmark label"))
        time.sleep (0.3)
        room.type (label)
        room.keys ("Return")
    room.wait ("the bookmark is told of",
               lambda: f"{n_expected} bookmark" in " ".join (timeline_name (room) or ()))


def a_bookmark_stands_at_the_pointer (sample):
    """A bookmark is set at the time under the pointer, also with a label."""
    with desk.Desk () as room:
        actions = start (room, sample)
        box = desk.box_of (room.wait ("there is a ruler", lambda: room.find (holds="Ruler, in view")))
        begin, end = (part / 1e9 for part in actions.state ("state")[5:7])
        window = subprocess.run (["xdotool", "getactivewindow"], env=room.env, check=True, capture_output=True,
                                 text=True).stdout.strip ()
        for number, part in enumerate ((0.25, 0.75), 1):
            subprocess.run (["xdotool", "mousemove", "--window", window, str (round (box.x + box.width * part)),
                             str (box.y + box.height + 200)], env=room.env, check=True)
            time.sleep (0.3)
            set_mark (room, number, label="slow" if number == 2 else None)
        found = span_between_marks (room, actions)
        px = (end - begin) / box.width
        # The pointer is at a whole pixel, and the window may have a border.
        if abs (found[0] - begin - (end - begin) / 4) > 15 * px or \
                abs (found[1] - found[0] - (end - begin) / 2) > 2 * px:
            raise desk.Failed (f"bookmarks stand at {found}, not at the quarters of {begin} to {end}")


def a_bookmark_stands_at_the_selected_row (sample):
    """A bookmark is set at the selected row, wherever the pointer is."""
    with desk.Desk () as room:
        actions = start (room, sample)
        for number, row in enumerate ((0, 16), 1):
            actions.do ("select-rows", actions.variant ("au", [row]))
            room.wait ("the row is selected", lambda: actions.state ("state")[4] == 1)
            set_mark (room, number)
        printed = subprocess.run ([os.environ["NETSTITCH_CLI"], "activities", sample, "--format", "csv",
                                   "--columns", "open_ns"], check=True, capture_output=True, text=True).stdout
        times = [int (line) / 1e9 for line in printed.split ()[1:]]
        found = span_between_marks (room, actions)
        if found != [times[0], times[16]]:
            raise desk.Failed (f"bookmarks stand at {found}, not at {times[0]} and {times[16]}")
        # Setting a bookmark at the time of another one removes that one.
        actions.do ("select-span", actions.variant ("(xx)", (0, 0)))
        set_mark (room, 1)


def the_folder_of_an_export_opens (sample):
    """The default file manager opens the folder."""
    with desk.Desk () as room:
        told = os.path.join (room.folder, "asked")
        manager = os.path.join (room.folder, "manager")
        with open (manager, "w") as file:
            file.write (f"#!/bin/sh\necho \"$1\" > {told}\n")
        os.chmod (manager, 0o755)
        places = os.path.join (room.env["XDG_DATA_HOME"], "applications")
        os.makedirs (places)
        with open (os.path.join (places, "manager.desktop"), "w") as file:
            file.write (f"[Desktop Entry]\nType=Application\nName=Manager\nExec={manager} %u\n"
                        "MimeType=inode/directory;\n")
        with open (os.path.join (room.env["XDG_CONFIG_HOME"], "mimeapps.list"), "w") as file:
            file.write ("[Default Applications]\ninode/directory=manager.desktop\n")
        folder = os.path.join (room.folder, "written here")
        os.mkdir (folder)
        path = os.path.join (folder, "rows.csv")
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        save_as (room, "ctrl+s", path)
        room.wait ("the rows are written", lambda: os.path.exists (path))
        button = room.wait ("the folder is offered", lambda: room.find (name="Open Folder"))
        desk.Atspi.Action.do_action (button, 0)
        room.wait ("the folder is opened", lambda: os.path.exists (told) and os.path.getsize (told) > 0)
        with open (told) as file:
            asked = file.read ().strip ()
        if asked not in (folder, "file://" + folder.replace (" ", "%20")):
            raise desk.Failed (f"another folder is opened: {asked}")


if __name__ == "__main__":
    sys.exit (run_claims ("marks", (a_bookmark_stands_at_the_pointer, a_bookmark_stands_at_the_selected_row,
                                    the_folder_of_an_export_opens)))
