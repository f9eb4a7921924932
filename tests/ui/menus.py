#!/usr/bin/python3
"""Tests menus whose parent disappears while they are open: no crash, and no GTK warnings.

desk.Desk fails a test if the window has logged a warning.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys

import desk
from walk import activate, run_claims

# Where a right click opens a menu: (x, y, an item of the menu).
PLACES = {"a row": (240, 620, "Select All Rows"), "a bar": (617, 244, "Select All Rows"), "a lane": (80, 244, "Hide"),
          "a column": (420, 570, "Hide")}


def open_trace (room, sample):
    path = shutil.copyfile (sample, os.path.join (room.folder, "my.etl"))
    room.open_window (path)
    room.wait ("all rows are there", lambda: room.find (role="status bar", holds="27 rows"))
    return path


def open_menu (room, place):
    across, down, entry = PLACES[place]
    subprocess.run (["xdotool", "mousemove", str (across), str (down), "sleep", "0.3", "click", "3"],
                    env=room.env, check=True)
    room.wait (f"the menu of {place} is open", lambda: room.find (role="menu item", holds=entry))


def is_shut (room):
    return room.find (role="menu item") is None


def a_trace_is_read_again_below_its_menus (sample):
    with desk.Desk () as room:
        open_trace (room, sample)
        for place in PLACES:
            open_menu (room, place)
            activate (room, "reload")
            room.wait (f"the menu of {place} is gone", lambda: is_shut (room))
            room.wait ("all rows are there again", lambda: room.find (role="status bar", holds="27 rows"))


def tables_go_below_their_menus (sample):
    """Reloading a file that is not a trace any more removes the table below an open menu."""
    with desk.Desk () as room:
        path = open_trace (room, sample)
        for place in PLACES:
            open_menu (room, place)
            with open (path, "w", encoding="utf-8") as file:
                file.write ("no trace\n" * 100)
            activate (room, "reload")
            room.wait (f"it is refused below {place}", lambda: room.find (name="This is not a Windows event trace"))
            shutil.copyfile (sample, path)
            activate (room, "reload")
            room.wait ("it is read again", lambda: room.find (role="status bar", holds="27 rows"))


def the_window_goes_below_its_menus (sample):
    with desk.Desk () as room:
        for place in PLACES:
            open_trace (room, sample)
            open_menu (room, place)
            activate (room, "close")
            if room.window.wait (desk.PATIENCE_S) != 0:
                raise desk.Failed (f"the program ends with {room.window.returncode} with a menu of {place}")
            room.forget ()


def tabs_are_listed_on_a_small_screen (sample):
    with desk.Desk (size="900x600") as room:
        open_trace (room, sample)
        tab = desk.box_of (room.find (role="page tab", holds="Findings"))
        subprocess.run (["xdotool", "mousemove", str (tab.x + tab.width // 2), str (tab.y + tab.height // 2),
                         "sleep", "0.3", "click", "3"], env=room.env, check=True)
        room.wait ("tables are listed", lambda: room.find (role="check box", name="Show the tab “Findings”"))
        room.keys ("Escape")


if __name__ == "__main__":
    sys.exit (run_claims ("menus", (a_trace_is_read_again_below_its_menus, tables_go_below_their_menus,
                                    the_window_goes_below_its_menus, tabs_are_listed_on_a_small_screen)))
