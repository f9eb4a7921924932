#!/usr/bin/python3
"""Tests the window in right-to-left languages.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys
import time

import desk
from walk import activate, run_claims


def look_from (room, is_right):
    """Returns the environment that mirrors the window."""
    extra = {"LD_PRELOAD": os.environ["NETSTITCH_FRAME_WATCH"],
             "NETSTITCH_FRAME_WATCH_FILE": os.path.join (room.folder, "frames")}
    return {**extra, "NETSTITCH_FRAME_WATCH_RTL": "1"} if is_right else extra


def letters_of (room, node, path):
    """Saves the screen area of a label, cropped to its letters."""
    box = desk.box_of (node)
    screen = os.path.join (room.folder, "screen.png")
    room.picture (screen)
    subprocess.run (["convert", screen, "-crop", f"{box.width}x{box.height}+{box.x}+{box.y}", "+repage",
                     "-colorspace", "Gray", "-fuzz", "5%", "-trim", "+repage", path], check=True)


def draw_data (room, sample, is_right):
    room.open_window (sample, extra=look_from (room, is_right))
    room.wait ("the trace is open", lambda: room.find (role="label", name="sample.etl"))
    drawn = []
    for action, value, holds in (("select-rows", "[uint32 6]", "192.168.17.23:61003 → "),
                                 ("go-to", "('events', uint32 400)", "\u2009")):
        if action == "select-rows":
            activate (room, "show-tab", "'activities'")
        activate (room, action, value)
        node = room.wait (f"{holds!r} is there", lambda h=holds: room.find (role="label", holds=h))
        drawn.append (os.path.join (room.folder, f"{len (drawn)}-{is_right}.png"))
        # The new text is drawn a moment later.
        time.sleep (1)
        letters_of (room, node, drawn[-1])
    activate (room, "close")
    room.window.wait (desk.PATIENCE_S)
    return drawn


def digits_and_arrows_keep_their_order (sample):
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")
    with desk.Desk () as room:
        left = draw_data (room, sample, False)
        for one, other in zip (left, draw_data (room, sample, True)):
            told = subprocess.run (["compare", "-metric", "AE", "-fuzz", "40%", one, other, "null:"],
                                   capture_output=True, text=True, check=False)
            # Subpixel positions may change the shade of some pixels.
            if told.returncode > 1 or int (told.stderr) > 20:
                raise desk.Failed (f"{os.path.basename (one)}: {told.stderr} pixels differ")


def narrow_tables_stand_at_the_right (sample):
    with desk.Desk (size="2600x700") as room:
        room.open_window (sample, extra=look_from (room, True))
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        subprocess.run (["xdotool", "getactivewindow", "windowsize", "2600", "700"], env=room.env, check=True)
        for table in ("Processes", "Threads"):
            activate (room, "show-tab", f"'{table.lower ()}'")

            def stands_at_the_edge (name=table):
                view = room.find (role="tree table", name=name)
                if view is None:
                    return False
                cell = next ((node for node in room.walk (view, cells=True)
                              if node.get_role_name () == "table cell" and
                              "OUTLOOK.EXE (4312)" in desk.text_of (node)), None)
                if cell is None:
                    return False
                view, cell = desk.box_of (view), desk.box_of (cell)
                return view.width > 1500 and abs (view.x + view.width - cell.x - cell.width) < 30
            room.wait (f"the first column of {table} stands at the right edge", stands_at_the_edge)


def times_stand_over_the_waterfall (sample):
    with desk.Desk (size="2600x700") as room:
        room.open_window (sample, extra=look_from (room, True))
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        subprocess.run (["xdotool", "getactivewindow", "windowsize", "2600", "700"], env=room.env, check=True)
        screen = os.path.join (room.folder, "screen.png")

        def has_times ():
            title = next ((node for node in room.walk (cells=True)
                           if desk.text_of (node) == "Waterfall (s)"), None)
            if title is None:
                return False
            box = desk.box_of (title)
            room.picture (screen)
            told = subprocess.run (["convert", screen, "-crop", f"150x{box.height}+{box.x - 160}+{box.y}",
                                    "-format", "%k", "info:"], capture_output=True, text=True, check=True)
            # The background and the line below the titles are two of the colors.
            return box.x > 200 and int (told.stdout) > 5
        room.wait ("times stand beside the title of the waterfall", has_times)


if __name__ == "__main__":
    sys.exit (run_claims ("from-right", (digits_and_arrows_keep_their_order, narrow_tables_stand_at_the_right,
                                         times_stand_over_the_waterfall)))
