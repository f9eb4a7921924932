#!/usr/bin/python3
"""Tests mouse clicks: resize handles do not cover adjacent widgets.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys

import desk
from drag import drag, pointer
from walk import NO_NAME, activate, run_claims, shown_count


def corner (room):
    """Returns the screen position of the origin of window coordinates, inside the client-side frame."""
    found = subprocess.run (["xdotool", "search", "--onlyvisible", "--name", r"\.etl$"], env=room.env,
                            capture_output=True, text=True, check=True).stdout.split ()
    lines = subprocess.run (["xdotool", "getwindowgeometry", "--shell", found[-1]], env=room.env,
                            capture_output=True, text=True, check=True).stdout
    at = dict (line.split ("=") for line in lines.splitlines () if "=" in line)
    inside = desk.box_of (room.find (role="frame"))
    return int (at["X"]) + (int (at["WIDTH"]) - inside.width) // 2, \
        int (at["Y"]) + (int (at["HEIGHT"]) - inside.height) // 2


def point (begin, node, across, down):
    """Returns a point in a widget, by fractions of its width and height."""
    box = desk.box_of (node)
    left, top = begin
    return left + box.x + round (box.width * across), top + box.y + round (box.height * down)


def press (room, at):
    pointer (room, ["mousemove", str (at[0]), str (at[1])], ["click", "1"])


def tabs_of (room, name):
    tabs = room.find (role="page tab list", name=name)
    return [node for node in room.walk (tabs) if node.get_role_name () == "page tab"
            and node.get_parent () == tabs]


def is_chosen (tab):
    return tab.get_state_set ().contains (desk.Atspi.StateType.SELECTED)


def open_sample (room, sample):
    room.open_window (sample)
    room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")


def tabs_are_pressed_anywhere (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        begin = corner (room)
        for where in ("Tables", "Details"):
            tabs = tabs_of (room, where)
            if len (tabs) < 5:
                raise desk.Failed (f"{where}: {len (tabs)} tabs")
            for down in (0.25, 0.5, 0.75):
                for tab in tabs[::-1]:
                    press (room, point (begin, tab, 0.5, down))
                    room.wait (f"{where}: “{desk.text_of (tab)}” is chosen by a press at "
                               f"{down:.0%} of its height", lambda tab=tab: is_chosen (tab))


def scroll_bar (room):
    """Returns the vertical scroll bar of the visible table."""
    below = desk.box_of (room.find (role="page tab list", name="Tables")).y
    bars = [node for node in room.walk () if node.get_role_name () == "scroll bar"]
    return next (node for node in bars if desk.box_of (node).y > below
                 and desk.box_of (node).height > 3 * desk.box_of (node).width)


def first_row (room):
    """Returns the topmost visible row."""
    top = desk.box_of (scroll_bar (room)).y
    rows = [(desk.box_of (node).y, desk.text_of (node)) for node in room.walk ()
            if node.get_role_name () == "table row" and not NO_NAME.match (desk.text_of (node))]
    return min ((at, row) for at, row in rows if at > top - 24)


def the_bar_beside_the_panel_scrolls (sample):
    """The scroll bar works over its whole width, and the panel keeps its size."""
    with desk.Desk () as room:
        open_sample (room, sample)
        panel = room.find (role="page tab list", name="Details")
        width = desk.box_of (panel).width
        bar = scroll_bar (room)
        window = corner (room)
        top = first_row (room)
        for across in (0.1, 0.5, 0.9):
            begin = point (window, bar, across, 0.1)
            end = point (window, bar, across, 0.9)
            drag (room, begin, end)
            room.wait (f"the rows are scrolled from {across:.0%} of the bar's width",
                       lambda: first_row (room) != top)
            drag (room, end, begin)
            room.wait ("they are scrolled back", lambda: first_row (room) == top)
            if desk.box_of (panel).width != width:
                raise desk.Failed (f"the panel was {width} px wide, is {desk.box_of (panel).width}")


def handles_still_move (sample):
    """The resize handles work at their own position."""
    with desk.Desk () as room:
        open_sample (room, sample)
        panel = room.find (role="page tab list", name="Details")
        tables = room.find (role="page tab list", name="Tables")
        left, top = corner (room)
        bar = desk.box_of (scroll_bar (room))
        above = desk.box_of (tables)
        for node, begin, by in ((panel, (bar.x + bar.width + 3, bar.y + 100), (-60, 0)),
                                (tables, (above.x + 500, above.y - 6), (0, -60))):
            before = desk.box_of (node)
            begin = (left + begin[0], top + begin[1])
            drag (room, begin, (begin[0] + by[0], begin[1] + by[1]))
            room.wait ("the handle moves what it divides", lambda node=node, before=before, by=by: (
                before.x - desk.box_of (node).x, before.y - desk.box_of (node).y) == (-by[0], -by[1]))


def find_title (room, words):
    """Returns the title of a column, and its sort arrow."""
    for node in room.walk (room.find (role="tree table"), cells=True):
        if node.get_role_name () == "label" and desk.text_of (node).startswith (words):
            return node, desk.text_of (node)[len (words):].strip ()
    return None


def sorting_goes_to_the_top (sample):
    """Numbers sort in descending and text in ascending order first; the table scrolls to the top, not to the selected
    row."""
    with desk.Desk () as room:
        open_sample (room, sample)
        window = corner (room)
        top = first_row (room)
        activate (room, "select-rows", "[uint32 20]")
        room.wait ("the selected row is brought into view", lambda: first_row (room) != top)
        for words, first, then, row, last in (("Duration (ms)", "▼", "▲", "8.49 s", "41.2 ms"),
                                              ("Process", "▲", "▼", "EXCEL.EXE", "updatehelper.exe")):
            for mark, says in ((first, row), (then, last)):
                press (room, point (window, find_title (room, words)[0], 0.5, 0.5))
                room.wait (f"“{words}” is sorted {mark}", lambda mark=mark, words=words: find_title (
                    room, words)[1] == mark)
                room.wait (f"“{says}” is at the top", lambda says=says: says in first_row (room)[1])


def tabs_tell_what_is_filtered (sample):
    """Tabs in the background show that they are filtered, too."""
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "set-filter", "'failed=true'")
        room.wait ("the tab in front tells it", lambda: room.find (role="label", name="3 of 27"))
        other = tabs_of (room, "Tables")[1]
        press (room, point (corner (room), other, 0.5, 0.5))
        room.wait ("another is in front", lambda: is_chosen (other) and " of " not in shown_count (room))
        if room.find (role="label", name="3 of 27") is None:
            raise desk.Failed ("a tab behind does not tell that it is filtered")


def clicks_with_ctrl_choose_single_rows (sample):
    """A click with Ctrl adds a row that is not adjacent, and the next one takes it back."""
    with desk.Desk () as room:
        open_sample (room, sample)
        window = corner (room)
        rows = [node for node in room.walk () if node.get_role_name () == "table row"
                and not NO_NAME.match (desk.text_of (node))]
        press (room, point (window, rows[0], 0.3, 0.5))
        room.wait ("the row is selected", lambda: room.find (holds="1 row selected"))
        for number, selected in ((3, "2 rows selected"), (5, "3 rows selected"), (3, "2 rows selected")):
            at = point (window, rows[number], 0.3, 0.5)
            pointer (room, ["keydown", "ctrl"], ["mousemove", str (at[0]), str (at[1])], ["click", "1"],
                     ["keyup", "ctrl"])
            room.wait (f"there are {selected}", lambda words=selected: room.find (holds=words))


def keys_go_on_from_the_selected_row (sample):
    """After a search, and after the columns were chosen, the Down key selects the row below the selected one."""
    def selected ():
        rows = [desk.text_of (node) for node in room.walk () if node.get_role_name () == "table row"
                and node.get_state_set ().contains (desk.Atspi.StateType.SELECTED)]
        return rows[0] if len (rows) == 1 else None

    with desk.Desk () as room:
        open_sample (room, sample)
        window = corner (room)
        rows = [node for node in room.walk () if node.get_role_name () == "table row"
                and not NO_NAME.match (desk.text_of (node))]
        names = [desk.text_of (node) for node in rows]
        press (room, point (window, rows[1], 0.3, 0.5))
        room.wait ("the row is selected", lambda: selected () == names[1])
        for name, keys, words in (("columns", ("ctrl+e", "Escape"), "dialog"), ("find", ("ctrl+f",), None)):
            before = names.index (selected ())
            room.keys (keys[0])
            if words is not None:
                room.wait ("the columns are shown", lambda: room.find (role="check box", name="Process"))
                room.keys ("Escape")
                room.wait ("they are gone", lambda: room.find (role="check box", name="Process") is None)
            else:
                subprocess.run (["xdotool", "type", "mail"], env=room.env, check=True)
                for _ in range (3):
                    room.keys ("Return")
                room.wait ("a hit is selected", lambda: selected () not in (None, names[before]))
                before = names.index (selected ())
                room.keys ("Escape")
            room.keys ("Down")
            room.wait (f"{name}: the next row is selected", lambda at=before: selected () == names[at + 1])


def last_red (room, box):
    """Returns the end of the last text in the error color within an area."""
    screen = os.path.join (room.folder, "screen.png")
    room.picture (screen)
    told = subprocess.run (["convert", screen, "-crop", f"{box[2]}x{box[3]}+{box[0]}+{box[1]}", "+repage",
                            "-fuzz", "10%", "-fill", "white", "+opaque", "#a8201a", "-trim",
                            "-format", "%w %h %X %Y", "info:"], capture_output=True, text=True, check=False)
    words = [int (word) for word in told.stdout.split ()]
    return (box[0] + words[2] + words[0], box[1] + words[3] + words[1] // 2) \
        if len (words) == 4 and words[0] < box[2] else None


def words_behind_a_bar_choose_it (sample):
    """The status beside a failed bar selects the bar when clicked."""
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")
    with desk.Desk () as room:
        open_sample (room, sample)
        lanes = desk.box_of (room.find (role="image", holds="Timeline"))
        left, top = corner (room)
        # The area below the overview strip and the bookmarks, right of the lane names.
        area = (left + lanes.x + 240, top + lanes.y + 90, lanes.width - 260, lanes.height - 95)
        others = room.wait ("failures stand beside bars", lambda: last_red (room, area))
        activate (room, "set-filter", "'status=503'")
        room.wait ("one row is left", lambda: shown_count (room).startswith ("1 of "))
        # The count is known before the timeline is drawn again.
        room.wait ("one bar is left", lambda: last_red (room, area) not in (None, others))
        end = last_red (room, area)
        press (room, (end[0] - 4, end[1]))
        room.wait ("it is chosen", lambda: room.find (holds="1 row selected"))


if __name__ == "__main__":
    sys.exit (run_claims ("pressed", (tabs_are_pressed_anywhere,
                                      the_bar_beside_the_panel_scrolls,
                                      handles_still_move,
                                      sorting_goes_to_the_top,
                                      tabs_tell_what_is_filtered,
                                      clicks_with_ctrl_choose_single_rows,
                                      keys_go_on_from_the_selected_row,
                                      words_behind_a_bar_choose_it)))
