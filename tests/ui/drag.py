#!/usr/bin/python3
"""Tests drag and drop between the window and other programs.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys
import time
import urllib.parse

import desk
from walk import activate, run_claims, shown_count


def pointer (room, *steps):
    """Runs xdotool commands with pauses: GTK starts a drag only after several motion events."""
    for step in steps:
        subprocess.run (["xdotool", *step], env=room.env, check=True)
        time.sleep (0.15)


def place (room, name, x, y):
    found = subprocess.run (["xdotool", "search", "--onlyvisible", "--name", name], env=room.env,
                            capture_output=True, text=True, check=False).stdout.split ()
    if not found:
        return False
    subprocess.run (["xdotool", "windowmove", "--sync", found[-1], str (x), str (y)], env=room.env,
                    check=True, timeout=10)
    return True


def drag (room, begin, end):
    pointer (room, ["mousemove", str (begin[0]), str (begin[1])], ["mousedown", "1"])
    for part in (0.1, 0.2, 0.4, 0.7, 0.9, 1):
        x, y = (round (begin[i] + (end[i] - begin[i]) * part) for i in (0, 1))
        pointer (room, ["mousemove", str (x), str (y)])
    time.sleep (0.4)
    pointer (room, ["mouseup", "1"])


def read (room, name):
    path = os.path.join (room.folder, name)
    if not os.path.exists (path):
        return None
    with open (path, encoding="utf-8", newline="") as file:
        return file.read ()


def start (room, sample, dragged):
    room.open_window (sample)
    room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
    subprocess.run (["xdotool", "search", "--onlyvisible", "--name", "sample.etl", "windowsize",
                     "1100", "850", "windowmove", "0", "0"], env=room.env, check=True)
    room.start ([os.environ["NETSTITCH_DROP_HERE"], dragged, room.folder])
    room.wait ("the neighbour is there", lambda: place (room, "neighbour", 1150, 300))
    time.sleep (0.5)


def middle (node):
    """Returns the middle of a widget, in coordinates of its window."""
    box = desk.Atspi.Component.get_extents (node, desk.Atspi.CoordType.WINDOW)
    return box.x + min (box.width, 200) // 2, box.y + box.height // 2


def rows_are_dragged_to_other_programs (sample):
    with desk.Desk () as room:
        start (room, sample, sample)
        activate (room, "select-rows", "[uint32 0, 2]")
        rows = [node for node in room.walk () if node.get_role_name () == "table row"]
        if not rows:
            raise desk.Failed ("no row is on the screen")
        at = offset (room, middle (rows[1]))
        drag (room, at, (1250, 400))
        text = room.wait ("text has arrived", lambda: read (room, "text"))
        if len (text.strip ().splitlines ()) != 3:
            raise desk.Failed (f"two rows and their titles are expected: {text}")
        if read (room, "html").count ("<tr>") != 3:
            raise desk.Failed (f"a table of two rows is expected: {read (room, 'html')}")
        uri = read (room, "uris").strip ()
        path = urllib.parse.unquote (urllib.parse.urlparse (uri).path)
        with open (path, encoding="utf-8", newline="") as file:
            csv = file.read ()
        columns = csv.splitlines ()[0]
        expected = subprocess.run ([os.environ["NETSTITCH_CLI"], "activities", sample, "--rows",
                                    "1,3", "--format", "csv", "--columns", columns], check=True,
                                   capture_output=True, text=True).stdout
        if csv.splitlines () != expected.splitlines ():
            raise desk.Failed (f"the file is not what the command line writes: {csv}")
        if os.stat (path).st_mode & 0o077 or os.stat (os.path.dirname (path)).st_mode & 0o077:
            raise desk.Failed ("others may read the file")
        room.keys ("ctrl+q")
        room.window.wait (desk.PATIENCE_S)
        if os.path.exists (os.path.dirname (path)):
            raise desk.Failed ("the file is left behind")


def a_trace_dropped_is_opened (sample):
    with desk.Desk () as room:
        other = os.path.join (room.folder, "another.etl")
        shutil.copyfile (sample, other)
        start (room, sample, other)
        drag (room, (1250, 400), (500, 500))
        room.wait ("the trace is open", lambda: subprocess.run (
            ["xdotool", "search", "--name", "another.etl"], env=room.env, check=False,
            stdout=subprocess.DEVNULL).returncode == 0)


def a_title_is_dragged_onto_the_groups (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        # The group bar appears above the titles while a title is dragged there, and shifts the titles down.
        pointer (room, ["mousemove", "235", "569"], ["mousedown", "1"], ["mousemove", "240", "560"],
                 ["mousemove", "245", "545"], ["mousemove", "245", "530"], ["mousemove", "245", "529"])
        room.wait ("there is a bar", lambda: room.find (role="label", name="Group by"))
        pointer (room, ["mousemove", "245", "560"], ["mousemove", "246", "566"])
        time.sleep (0.4)
        pointer (room, ["mouseup", "1"])
        room.wait ("the rows are in groups", lambda: room.find (name="27 rows · 7 servers"))


def offset (room, at):
    """Converts window coordinates to screen coordinates, which include the decoration by the window manager."""
    found = subprocess.run (["xdotool", "search", "--onlyvisible", "--name", "sample.etl"],
                            env=room.env, capture_output=True, text=True, check=True).stdout.split ()
    lines = subprocess.run (["xdotool", "getwindowgeometry", "--shell", found[-1]], env=room.env,
                            capture_output=True, text=True, check=True).stdout
    values = dict (line.split ("=") for line in lines.splitlines () if "=" in line)
    return at[0] + int (values["X"]), at[1] + int (values["Y"])


if __name__ == "__main__":
    sys.exit (run_claims ("drag", (rows_are_dragged_to_other_programs,
                                   a_trace_dropped_is_opened,
                                   a_title_is_dragged_onto_the_groups)))
