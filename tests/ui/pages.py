#!/usr/bin/python3
"""Tests that every page of the window shows something, without GTK warnings.

desk.Desk fails a test if the window has logged a warning. NETSTITCH_PICTURES=FOLDER keeps a picture of each page.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys
import time

import desk
from timeline import Actions
from told import press
from walk import activate, run_claims

TABLES = ("activities", "dns", "tcp", "winsock", "webio", "wininet", "ldap", "urlmon", "chromium", "chromium-events",
          "dotnet", "http-server", "kernel-network", "tasks", "calls", "packets", "flows", "processes", "threads", "images", "providers",
          "spans", "events", "findings")


class Pages:
    """Visits the pages of a window with a given size and font."""

    def __init__ (self, room, size, font=None):
        if shutil.which ("convert") is None or shutil.which ("import") is None:
            raise desk.NoDesk ("needs imagemagick")
        self.room = room
        self.size = size
        self.label = size + ("-large" if font else "")
        if font is not None:
            folder = os.path.join (room.env["XDG_CONFIG_HOME"], "gtk-4.0")
            os.makedirs (folder, exist_ok=True)
            with open (os.path.join (folder, "settings.ini"), "w") as file:
                file.write (f"[Settings]\ngtk-font-name={font}\n")

    def has_drawn (self, path):
        """Returns whether the middle two thirds of the screen have more than one color."""
        self.room.picture (path)
        width, height = (int (number) for number in self.size.split ("x"))
        told = subprocess.run (["convert", path, "-crop", f"{width * 2 // 3}x{height * 2 // 3}+{width // 6}+{height // 6}",
                                "+repage", "-colorspace", "Gray", "-format", "%[fx:maxima-minima]", "info:"],
                               capture_output=True, check=True)
        return float (told.stdout) > 0.3

    def look (self, what):
        """Waits until a page is drawn and is not blank."""
        keep = os.environ.get ("NETSTITCH_PICTURES")
        path = os.path.join (keep or self.room.folder, f"{self.label} {what}.png")
        self.room.wait (f"{what} is drawn", lambda: self.has_drawn (path))
        if keep is not None:
            # Waits until animations end.
            time.sleep (0.7)
            self.room.picture (path)

    def open_sample (self, sample):
        self.room.open_window (sample)
        self.room.wait ("the rows are counted", lambda: self.room.find (role="status bar", holds="27 rows"))
        subprocess.run (["xdotool", "getactivewindow", "windowmove", "0", "0", "windowsize", *self.size.split ("x")],
                        env=self.room.env, check=True)

    def show_tables (self, names):
        for name in names:
            activate (self.room, "show-tab", f"'{name}'")
            self.room.wait (f"{name} is in front", lambda: self.room.find (role="page tab list", name="Tables"))
            self.look (f"tab {name}")

    def show_event (self, row):
        """Shows an event; its fields and bytes are below the table."""
        activate (self.room, "go-to", f"('events', uint32 {row})")
        self.room.wait ("its fields are there", lambda: self.room.find (holds="Hex dump") or
                        self.room.find (holds="bytes"))
        self.look ("event")

    def show_details (self, row):
        """Shows each page of the panel for a row."""
        room = self.room
        activate (room, "show-tab", "'activities'")
        activate (room, "select-rows", f"[uint32 {row}]")
        if not Actions (room).state ("panel"):
            activate (room, "panel")
        pages = room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        tabs = [pages.get_child_at_index (i) for i in range (pages.get_child_count ())]
        for tab in tabs:
            # The children also include the arrows beside tabs that do not fit, and hidden pages.
            if tab.get_role_name () == "page tab":
                press (room, tab)
                self.look (f"panel {desk.text_of (tab)}")

    def check_fits (self, what):
        """Checks that the active window is not larger than the screen; not used with large fonts."""
        told = subprocess.run (["xdotool", "getactivewindow", "getwindowgeometry", "--shell"], env=self.room.env,
                               capture_output=True, text=True, check=True).stdout
        found = dict (line.split ("=") for line in told.splitlines () if "=" in line)
        width, height = (int (number) for number in self.size.split ("x"))
        if int (found["WIDTH"]) > width or int (found["HEIGHT"]) > height:
            raise desk.Failed (f"{what} takes {found['WIDTH']}x{found['HEIGHT']} of {self.size}")

    def show_sheet (self, name, keys=None, action=None, value=None):
        """Opens another window above the main window; Escape closes it."""
        room = self.room
        count = room.application ().get_child_count ()
        if keys is not None:
            room.keys (keys)
        else:
            activate (room, action, value)
        room.wait (f"{name} is open", lambda: room.application ().get_child_count () > count)
        self.look (f"sheet {name}")
        if not self.label.endswith ("-large"):
            self.check_fits (name)

        def is_closed ():
            if room.application ().get_child_count () == count:
                return True
            room.keys ("Escape")
            time.sleep (0.5)
            return False
        room.wait (f"{name} is closed", is_closed)

    def show_sheets (self):
        room = self.room
        activate (room, "show-tab", "'activities'")
        self.show_sheet ("preferences", keys="ctrl+comma")
        self.show_sheet ("shortcuts", keys="ctrl+question")
        self.show_sheet ("export", keys="ctrl+s")
        self.show_sheet ("symbols", action="symbols")
        self.show_sheet ("audit", action="audit")
        self.show_sheet ("recording", action="recipe", value="''")
        self.show_sheet ("picture", action="save-picture")
        self.show_sheet ("compare", keys="ctrl+d")

    def show_information (self):
        # GTK 4.8 measures a row of two labels with large fonts one pixel higher when its width is known.
        if self.label.endswith ("-large"):
            return
        activate (self.room, "info")
        self.room.wait ("the trace is described", lambda: self.room.find (role="label", name="Recorded"))
        self.look ("information")
        activate (self.room, "info")

    def show_parts (self):
        """Shows the pages that replace the tables, and the bars above them."""
        room = self.room
        self.show_information ()
        for name, action, value in (("columns", "columns", None), ("find", "find", None)):
            activate (room, action, value)
            self.look (name)
            room.keys ("Escape")
        for name in ("playback", "state-lanes"):
            activate (room, name)
            self.look (name)
            activate (room, name)
        activate (room, "group-by", "'process,server'")
        self.look ("groups")
        activate (room, "group-by", "''")


def show_all (sample, size, font=None, tables=("activities", "urlmon", "events", "findings")):
    with desk.Desk (size=size) as room:
        pages = Pages (room, size, font)
        pages.open_sample (sample)
        pages.show_tables (tables)
        pages.show_details (8)
        pages.show_event (400)
        pages.show_sheets ()
        pages.show_parts ()


def a_large_window_shows_every_page (sample):
    show_all (sample, "1400x900", tables=TABLES)


def a_small_window_shows_every_page (sample):
    show_all (sample, "900x600")


def large_letters_show_every_page (sample):
    show_all (sample, "1400x900", "Cantarell 22")


def show_others (sample, size, font=None):
    with desk.Desk (size=size) as room:
        pages = Pages (room, size, font)
        refused = os.path.join (room.folder, "refused.etl")
        with open (refused, "w") as file:
            file.write ("SELECT * FROM a;\n" * 20)
        cut = os.path.join (room.folder, "cut.etl")
        with open (sample, "rb") as whole, open (cut, "wb") as file:
            file.write (whole.read ()[:70000])
        room.open_window ()
        pages.look ("start")
        pages.show_sheet ("start preferences", keys="ctrl+comma")
        pages.show_sheet ("start recording", action="recipe", value="''")
        room.keys ("ctrl+w")
        room.window.wait (desk.PATIENCE_S)
        room.open_window (refused)
        room.wait ("it is refused", lambda: room.find (name="This is not a Windows event trace"))
        pages.look ("refused")
        room.keys ("ctrl+w")
        room.window.wait (desk.PATIENCE_S)
        room.open_window (cut)
        room.wait ("the bar tells of it", lambda: room.find (role="label", holds="opened up to the damage"))
        pages.look ("damaged")
        activate (room, "damage")
        room.wait ("the list is there", lambda: room.find (name="Readable contents"))
        pages.look ("damage")
        activate (room, "damage")
        pages.show_information ()


def pages_without_a_trace_are_shown (sample):
    show_others (sample, "900x600")


def pages_without_a_trace_fit_large_letters (sample):
    show_others (sample, "1400x900", "Cantarell 22")


if __name__ == "__main__":
    sys.exit (run_claims ("pages", (a_large_window_shows_every_page, a_small_window_shows_every_page,
                                    large_letters_show_every_page, pages_without_a_trace_are_shown,
                                    pages_without_a_trace_fit_large_letters)))
