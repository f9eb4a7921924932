#!/usr/bin/python3
"""Tests table columns: visibility, width, and the bars in cells.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys
import time

import desk
from walk import activate, run_claims


# Height of the line below the selected tab, which has the accent color, too.
BELOW_TABS_PX = 6


def open_sample (room, sample):
    room.open_window (sample)
    room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))


def title (room, name):
    """Returns the box of a column title; titles are in a row like cells."""
    def look ():
        for node in room.walk (cells=True):
            if node.get_role_name () == "label" and desk.text_of (node) == name:
                return desk.box_of (node)
        return None
    return room.steady (look)


def check_seen (room, width, names, gone):
    room.wait (f"“{gone}” is spared", lambda: title (room, gone) is None)
    for name in names:
        box = title (room, name)
        if box is None or box.x < 0 or box.x + box.width > width:
            raise desk.Failed (f"{width} px wide, “{name}” is not seen: {box and (box.x, box.width)}")


def a_small_window_shows_when_and_how_long (sample):
    with desk.Desk (size="900x600") as room:
        open_sample (room, sample)
        check_seen (room, 900, ("Process", "Server", "URL", "Duration (ms)", "Open (s)"), "IP address:port")


def large_letters_in_a_small_window_leave_them_too (sample):
    with desk.Desk (size="900x600") as room:
        folder = os.path.join (room.env["XDG_CONFIG_HOME"], "gtk-4.0")
        os.makedirs (folder, exist_ok=True)
        with open (os.path.join (folder, "settings.ini"), "w", encoding="utf-8") as file:
            file.write ("[Settings]\ngtk-font-name=Cantarell 22\n")
        open_sample (room, sample)
        check_seen (room, 900, ("Process", "Server", "Duration (ms)", "Open (s)"), "Protocol")
        # The pane below the findings shrinks so that the status bar stays visible.
        activate (room, "show-tab", "'findings'")
        activate (room, "select-rows", "[uint32 0]")
        room.wait ("the status bar is whole", lambda: 0 < bottom (room) <= 600)
        room.keys ("ctrl+comma")
        button = room.wait ("the preferences are there",
                            lambda: room.find (name="Choose the folder for downloaded symbols"))
        room.wait ("they are no wider than the screen", lambda: 0 < desk.box_of (button).x <= 860)


def bottom (room):
    node = room.find (holds="1 finding selected")
    box = desk.box_of (node) if node is not None else None
    return box.y + box.height if box is not None else 0


def a_small_window_shows_them_of_names_too (sample):
    with desk.Desk (size="900x600") as room:
        open_sample (room, sample)
        activate (room, "show-tab", "'dns'")
        check_seen (room, 900, ("Process", "Name", "Result", "Duration (ms)", "Open (s)"), "DNS Server")


def large_letters_leave_when_and_how_long (sample):
    with desk.Desk () as room:
        folder = os.path.join (room.env["XDG_CONFIG_HOME"], "gtk-4.0")
        os.makedirs (folder, exist_ok=True)
        with open (os.path.join (folder, "settings.ini"), "w") as file:
            file.write ("[Settings]\ngtk-font-name=Cantarell 22\n")
        open_sample (room, sample)
        check_seen (room, 1400, ("Process", "Server", "Duration (ms)", "Open (s)"), "IP address:port")


def processes_are_whole_beside_the_panel (sample):
    """The process ID at the end is visible: the column is as wide beside the panel as without it."""
    with desk.Desk () as room:
        open_sample (room, sample)

        def width ():
            process, server = title (room, "Process"), title (room, "Server")
            return server.x - process.x if process and server else 0

        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        room.wait ("the table is there", width)
        beside = room.steady (width)
        room.keys ("F9")
        room.wait ("more columns have room", lambda: title (room, "IP address:port"))
        alone = room.steady (width)
        if beside != alone:
            raise desk.Failed (f"the column is {beside} px wide beside the panel, and {alone} px without")


def providers_have_their_names_in_little_room (sample):
    """On the trace information page of a narrow window, the column with names is the last to be hidden."""
    with desk.Desk () as room:
        open_sample (room, sample)
        room.keys ("ctrl+i")
        room.wait ("the providers are listed", lambda: title (room, "Provider") and title (room, "Kind"))
        room.wait ("the GUID gives way", lambda: title (room, "GUID") is None)
        width = title (room, "Kind").x - title (room, "Provider").x
        if width < 180:
            raise desk.Failed (f"their names have {width} px")


def rows_without_a_value_are_a_group (sample):
    """Most rows have no error, which does not mean that their error is not known."""
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "group-by", "'error'")
        room.wait ("rows without an error have a group", lambda: room.find (holds="no value: 25 rows"))


def numbers_of_groups_are_whole (sample):
    """Numbers of groups are not truncated, also in the row of totals, which is bold and shows lower bounds."""
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "group-by", "'server'")

        def cells (begin):
            return [node for node in room.walk (cells=True) if desk.text_of (node).startswith (begin)]

        for begin in ("p95 (ms): ≥ ", "Max (ms): ≥ "):
            node = room.wait (f"{begin} is told", lambda begin=begin: max (
                cells (begin), key=lambda node: len (desk.text_of (node)), default=None))
            number = desk.text_of (node).split (": ")[1]
            # Bold digits are about 9 px wide, other characters are no wider.
            if desk.box_of (node).width < 8.5 * len (number):
                raise desk.Failed (f"{number} has {desk.box_of (node).width} px")


def number_of (told):
    """Parses the output of `convert -fx`, before which ImageMagick 7.1.1 of Debian 13 prints "list" for some
    expressions."""
    return float (told.split ()[-1])


def count_blue (room, x, y, width, height):
    """Returns the number of pixels of an area with the accent color, which letters of titles do not have."""
    picture = os.path.join (room.folder, "screen.png")
    room.picture (picture)
    told = subprocess.run (["convert", picture, "-crop", f"{width}x{height}+{x}+{y}", "+repage", "-fx",
                            "b-r>0.25?1:0", "-format", "%[fx:mean*w*h]", "info:"],
                           capture_output=True, check=True)
    return number_of (told.stdout)


def the_mark_of_the_order_is_whole (sample):
    """The sort arrow has the same size in a narrow column of numbers as in a wide column."""
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")
    with desk.Desk () as room:
        open_sample (room, sample)
        seen = {}
        for field, name, after in (("process_pid", "Process", "Server"),
                                   ("duration_ns", "Duration (ms)", "Open (s)")):
            activate (room, "sort", f"'-{field}'")
            mine = room.wait ("the title has a mark", lambda name=name: title (room, name + " ▼"))
            end = room.wait ("the next one has none", lambda after=after: title (room, after)).x
            room.wait ("the mark is drawn", lambda mine=mine, end=end: count_blue (
                room, mine.x, mine.y + BELOW_TABS_PX, end - mine.x, mine.height) > 0)
            time.sleep (0.3)
            seen[name] = count_blue (room, mine.x, mine.y + BELOW_TABS_PX, end - mine.x, mine.height)
        if seen["Duration (ms)"] < seen["Process"] * 0.8:
            raise desk.Failed (f"a part of the mark is cut off: {seen}")


def a_column_without_texts_makes_room (sample):
    """The sample has no DNS server and one long result: the empty column is hidden, which leaves room for results."""
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "show-tab", "'dns'")
        room.wait ("what says nothing is gone", lambda: title (room, "Result") and title (room, "DNS Server") is None)
        room.wait ("results have its room", lambda: title (room, "Result").width >= 180)


def a_column_without_texts_is_as_wide_as_its_title (sample):
    """In a wide window, where all other columns have room for their texts."""
    with desk.Desk (size="2000x800") as room:
        open_sample (room, sample)
        activate (room, "show-tab", "'dns'")
        subprocess.run (["xdotool", "getactivewindow", "windowmove", "0", "0", "windowsize", "2000", "800"],
                        env=room.env, check=True)
        server = room.wait ("the table is there", lambda: title (room, "DNS Server"))
        after = title (room, "Duration (ms)")
        name, kind = title (room, "Name"), title (room, "Type")
        # Numbers are right-aligned, so there is empty space before their title.
        if after.x + after.width - server.x > 200:
            raise desk.Failed (f"an empty column and the next take {after.x + after.width - server.x} px")
        if kind.x - name.x < 150:
            raise desk.Failed (f"names have {kind.x - name.x} px")


def details_of_events_take_the_rest (sample):
    with desk.Desk (size="2000x900") as room:
        open_sample (room, sample)
        activate (room, "show-tab", "'events'")

        def widths ():
            """Returns the width of the Details column, and the space between the last title and the edge of the
            table."""
            details, stack = title (room, "Details"), title (room, "Stack")
            table = room.find (role="tree table", name="Events")
            if details is None or stack is None or table is None:
                return None
            table = desk.box_of (table)
            return stack.x - details.x, table.x + table.width - stack.x - stack.width
        first = room.wait ("the events are there", widths)
        if first[0] < 190 or not 0 <= first[1] < 30:
            raise desk.Failed (f"details have {first[0]} px, {first[1]} px are left")
        subprocess.run (["xdotool", "getactivewindow", "windowmove", "0", "0", "windowsize", "2000", "900"],
                        env=room.env, check=True)
        room.wait ("details have what is more", lambda: widths () and widths ()[0] >= first[0] + 400 and
                   0 <= widths ()[1] < 30)


def failures_of_names_are_marked (sample):
    """Failed DNS queries have the same mark in their table as failed activities."""
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "show-tab", "'dns'")
        result = room.wait ("the names are listed", lambda: title (room, "Result"))
        process = title (room, "Process")
        screen = os.path.join (room.folder, "screen.png")

        def has_marks ():
            room.picture (screen)
            told = subprocess.run (["convert", screen, "-crop", f"{process.x - 8}x200+4+{result.y + 26}", "+repage",
                                    "-fx", "r-b>0.4?1:0", "-format", "%[fx:mean*w*h]", "info:"],
                                   capture_output=True, check=True)
            return number_of (told.stdout) >= 5
        room.wait ("the name that was not found has the mark of a failure", has_marks)


def blue_of (room, box, height):
    """Returns width and x of the bar in the first row: the pixels with the color of WinHTTP."""
    screen = os.path.join (room.folder, "screen.png")
    room.picture (screen)
    told = subprocess.run (["convert", screen, "-crop", f"{box.width}x{height}+{box.x}+{box.y}", "+repage",
                            "-fuzz", "12%", "-fill", "white", "+opaque", "#1a5fb4", "-trim",
                            "-format", "%w %X", "info:"], capture_output=True, text=True, check=False)
    words = told.stdout.split ()
    return (int (words[0]), int (words[1])) if len (words) == 2 and int (words[0]) < box.width else None


def bars_follow_the_timeline (sample):
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")
    with desk.Desk () as room:
        open_sample (room, sample)
        head = room.wait ("bars have a column", lambda: title (room, "Waterfall (s)"))

        table = desk.box_of (room.find (role="tree table", name="Activity"))
        head.width = table.x + table.width - head.x
        head.y += 26

        def bar ():
            return blue_of (room, head, 20)
        activate (room, "zoom-span", "(int64 0, int64 2000000000)")
        room.wait ("the first row's bar is wide", lambda: (bar () or (0, 0))[0] >= 20)
        wide = bar ()
        activate (room, "zoom-span", "(int64 0, int64 17500000000)")
        room.wait ("it is narrow again", lambda: (bar () or (99, 0))[0] < wide[0] and
                   (bar () or (0, 999))[1] < wide[1])
        activate (room, "zoom-span", "(int64 9000000000, int64 17500000000)")
        room.wait ("it is beyond the edge", lambda: (bar () or (0, 0))[0] <= 1)


if __name__ == "__main__":
    sys.exit (run_claims ("columns", (failures_of_names_are_marked, a_small_window_shows_when_and_how_long,
                                      a_small_window_shows_them_of_names_too,
                                      large_letters_in_a_small_window_leave_them_too,
                                      processes_are_whole_beside_the_panel,
                                      providers_have_their_names_in_little_room, numbers_of_groups_are_whole,
                                      rows_without_a_value_are_a_group,
                                      the_mark_of_the_order_is_whole,
                                      large_letters_leave_when_and_how_long,
                                      a_column_without_texts_makes_room,
                                      a_column_without_texts_is_as_wide_as_its_title,
                                      details_of_events_take_the_rest,
                                      bars_follow_the_timeline)))
