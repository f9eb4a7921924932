#!/usr/bin/python3
"""Tests the window's messages and hints: tabs, the empty panel, menus, copied text, help.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys
import time

import desk
from timeline import Actions
from walk import activate, focus_part, run_claims


def open_sample (room, sample, **more):
    room.open_window (sample, **more)
    room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))


def tabs_with_nothing_are_behind_more (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        room.wait ("there is a menu of more tables", lambda: room.find (holds="More"))
        if room.find (role="page tab", holds="URLMon") is not None:
            raise desk.Failed ("a table without rows has a tab")
        activate (room, "show-tab", "'urlmon'")
        room.wait ("it has one when it is asked for", lambda: room.find (role="page tab", holds="URLMon"))
        activate (room, "show-tab", "'activities'")


def the_panel_tells_of_the_trace (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        room.wait ("there is a title for it", lambda: room.find (holds="Trace Health"))
        room.wait ("it tells whether the file is whole", lambda: room.find (holds="The file is complete"))
        room.wait ("it leads to findings", lambda: room.find (role="push button", holds="findings…"))
        activate (room, "select-rows", "[uint32 3]")
        room.wait ("a row comes first", lambda: room.find (holds="Trace Health") is None)


def a_damaged_trace_is_not_called_whole (sample):
    with desk.Desk () as room:
        path = os.path.join (room.folder, "damaged.etl")
        with open (sample, "rb") as file:
            content = bytearray (file.read ())
        # Overwrites the header of a buffer in the middle; buffers of the sample have 16 KiB.
        content[4 * 16384:4 * 16384 + 64] = b"\xaa" * 64
        with open (path, "wb") as file:
            file.write (content)
        room.open_window (path)
        room.wait ("the bar tells of the damage", lambda: room.find (holds="Damaged trace"))
        room.wait ("the panel does, too", lambda: room.find (holds="The file is damaged"))
        if room.find (holds="The file is complete") is not None:
            raise desk.Failed ("a damaged file is called whole")


def a_wrong_line_of_the_thresholds_is_told (sample):
    """Each wrong line of the thresholds is reported in a line of its own."""
    with desk.Desk () as room:
        folder = os.path.join (room.env["XDG_CONFIG_HOME"], "netstitch")
        os.makedirs (folder)
        path = os.path.join (folder, "thresholds")
        with open (path, "w") as file:
            file.write ("D01.slow = 1 s\nD01.slov = 1 s\nD01.problem = 0 s\n")
        open_sample (room, sample)
        first = room.wait ("the bar tells of it", lambda: room.find (role="label", holds=f"{path}:2: "))
        if not desk.text_of (first).startswith ("Not used – thresholds of findings: "):
            raise desk.Failed (f"what was not used is not told: {desk.text_of (first)}")
        second = room.find (role="label", holds=f"{path}:3: ")
        if second is None or desk.box_of (second).y <= desk.box_of (first).y:
            raise desk.Failed ("the second wrong line has no line of its own")


def a_closed_panel_gives_the_keyboard_to_the_table (sample):
    with desk.Desk (size="900x600") as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "select-rows", "[uint32 2]")
        room.keys ("F9")
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))

        def is_in_panel ():
            if desk.text_of (room.focused ()) == "Details":
                return True
            room.keys ("F6")
            return False

        room.wait ("it has the keyboard", is_in_panel)
        room.keys ("F9")
        room.wait ("the table has the keyboard", lambda: room.focused ().get_role_name () == "table row")


def the_call_tree_has_the_keyboard (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "select-rows", "[uint32 0]")
        room.wait ("a row is selected", lambda: room.find (holds="1 row selected"))
        activate (room, "call-tree")
        room.wait ("the tree is there", lambda: room.find (holds="with a stack"))
        room.wait ("the keyboard is not at its foot",
                   lambda: room.focused () is not None and "Symbols" not in desk.text_of (room.focused ()))
        room.keys ("Escape")
        room.wait ("Esc leaves it", lambda: room.find (holds="with a stack") is None)
        room.wait ("the row is still selected", lambda: room.find (holds="1 row selected"))


def sums_of_another_table_name_it (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "show-tab", "'calls'")
        activate (room, "select-rows", "[uint32 3]")
        room.wait ("a call is selected", lambda: room.find (holds="1 row selected"))
        activate (room, "show-tab", "'processes'")
        room.wait ("the table is named", lambda: room.find (holds="Nothing selected   1 row selected in Calls"))
        # Findings can be selected in their own table only.
        activate (room, "show-tab", "'findings'")
        room.wait ("findings are summed", lambda: room.find (holds="warning") and
                   room.find (holds="   1 row selected in Calls"))
        activate (room, "show-tab", "'calls'")
        room.wait ("there it is not", lambda: room.find (holds="selected in Calls") is None)


def a_missing_file_is_told_of_in_a_sentence (_sample):
    with desk.Desk () as room:
        room.open_window (os.path.join (room.folder, "missing.etl"))
        room.wait ("the sentence names the file alone", lambda: room.find (holds="Cannot open missing.etl: No such"))

        def is_centred ():
            """Returns whether the help button is centered below the title."""
            title = desk.box_of (room.find (role="label", name="The file cannot be read"))
            link = desk.box_of (room.find (role="push button", name="Help: files that do not open"))
            return abs (title.x + title.width / 2 - link.x - link.width / 2) <= 3
        room.wait ("help is centred", is_centred)


def an_address_without_a_name_is_told_of (_sample):
    """GIO returns no name for a string that is not a URI."""
    with desk.Desk () as room:
        room.open_window ()
        room.wait ("it is there", lambda: room.find (name="Open…") or room.find (holds="Open"))
        subprocess.run (["gdbus", "call", "--session", "--dest", "org.netstitch.Netstitch",
                         "--object-path", "/org/netstitch/Netstitch", "--method", "org.gtk.Actions.Activate",
                         "open-uri", "[<'nowhere'>]", "{}"], env=room.env, check=True, stdout=subprocess.DEVNULL)
        room.wait ("the whole of it is told", lambda: room.find (holds="nowhere could not be opened"))


def states_are_only_read (sample):
    """Activating or setting the read-only state actions has no effect, and GLib does not warn."""
    with desk.Desk () as room:
        open_sample (room, sample)
        actions = Actions (room)
        for name in ("event", "find-state", "state", "places", "busy"):
            actions.do (name)
        before = actions.state ("find-state")
        actions.call ("SetState", actions.variant ("(sva{sv})", (
            "find-state", actions.variant ("(suub)", ("told by others", 7, 7, True)), {})))
        if actions.state ("find-state") != before:
            raise desk.Failed (f"it was {before} and is {actions.state ('find-state')}")


def press (room, node):
    box = desk.box_of (node)
    subprocess.run (["xdotool", "mousemove", str (box.x + box.width // 2), str (box.y + box.height // 2),
                     "sleep", "0.2", "click", "1"], env=room.env, check=True)


def pages_say_whose_facts_they_show (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        press (room, room.wait ("there is a page of stacks", lambda: room.find (role="page tab", name="Stack")))
        room.wait ("nothing is selected", lambda: next (
            (node for node in room.walk (cells=True) if "Select a row or a bar to see its call stack" in desk.text_of (node)), None))

        def count ():
            return sum ("Select a row or a bar to see its details" in desk.text_of (node) for node in room.walk ())

        # Some GTK versions report the Overview page as visible even if it is hidden, so its hint is counted first.
        n_behind = count ()
        for name in ("Fields", "Headers", "Events"):
            press (room, room.find (role="page tab", name=name))
            room.wait (f"{name} says what to choose", lambda: count () > n_behind)
        press (room, room.find (role="page tab", name="Overview"))
        activate (room, "select-rows", "[uint32 0]")
        room.wait ("the phases are its own", lambda: room.find (holds="Wait for first byte"))
        if room.find (holds="Part of operation") is not None:
            raise desk.Failed ("an operation is said to be part of another")
        activate (room, "show-tab", "'calls'")
        activate (room, "select-rows", "[uint32 4]")
        room.wait ("a call shows whose they are", lambda: room.find (holds="Part of operation POST mail.example.com"))


def what_had_not_ended_took_at_least (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "select-rows", "[uint32 26]")
        room.wait ("the panel says that its duration is a lower bound, not rounded up",
                   lambda: any (desk.text_of (node) == "≥ 900 ms" for node in room.walk ()))


def who_is_asked_for_help (sample, has_viewer, has_pages):
    """Returns the program that F1 on the timeline starts, and its argument."""
    folder = os.path.join (os.path.dirname (os.path.dirname (os.environ["GSETTINGS_SCHEMA_DIR"] + "/x")), "help")
    with desk.Desk (NETSTITCH_DATA_DIR=folder) as room:
        told = os.path.join (room.folder, "asked")
        places = os.path.join (room.env["XDG_DATA_HOME"], "applications")
        os.makedirs (places)
        for name, kind in (("browser", "text/html"), ("viewer", "x-scheme-handler/help")):
            program = os.path.join (room.folder, name)
            with open (program, "w") as file:
                file.write (f"#!/bin/sh\necho \"{name} $1\" > {told}\n")
            os.chmod (program, 0o755)
            with open (os.path.join (places, name + ".desktop"), "w") as file:
                file.write (f"[Desktop Entry]\nType=Application\nName={name}\nExec={program} %u\n"
                            f"MimeType={kind};\n")
        with open (os.path.join (room.env["XDG_CONFIG_HOME"], "mimeapps.list"), "w") as file:
            file.write ("[Default Applications]\ntext/html=browser.desktop\n" +
                        ("x-scheme-handler/help=viewer.desktop\n" if has_viewer else "") +
                        # Disables installed help viewers.
                        "[Removed Associations]\nx-scheme-handler/help=yelp.desktop;org.kde.khelpcenter.desktop;" +
                        ("\n" if has_viewer else "viewer.desktop;\n"))
        if has_pages:
            pages = os.path.join (room.env["XDG_DATA_HOME"], "help", "C", "netstitch")
            os.makedirs (pages)
            with open (os.path.join (pages, "index.page"), "w") as file:
                file.write ("<page/>")
        open_sample (room, sample)
        focus_part (room, "image")
        room.keys ("F1")
        room.wait ("somebody is asked", lambda: os.path.exists (told) and os.path.getsize (told) > 0)
        with open (told) as file:
            return file.read ().strip ()


def help_without_a_viewer_is_a_web_page (sample):
    asked = who_is_asked_for_help (sample, False, True)
    if not asked.startswith ("browser ") or not asked.endswith ("/html/timeline.html"):
        raise desk.Failed (f"asked is {asked}")


def a_viewer_that_would_not_find_the_pages_is_not_asked (sample):
    """The help viewer is not used if it would not find the pages, as after an installation with another prefix."""
    asked = who_is_asked_for_help (sample, True, False)
    if not asked.startswith ("browser ") or not asked.endswith ("/html/timeline.html"):
        raise desk.Failed (f"asked is {asked}")


def a_viewer_that_finds_the_pages_is_asked (sample):
    asked = who_is_asked_for_help (sample, True, True)
    if asked != "viewer help:netstitch/timeline":
        raise desk.Failed (f"asked is {asked}")


def copies_have_the_units_of_the_screen (sample):
    if shutil.which ("xclip") is None:
        raise desk.NoDesk ("needs xclip")
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "select-rows", "[uint32 0]")
        room.wait ("it is selected", lambda: room.find (holds="1 row selected"))
        activate (room, "copy")
        room.wait ("it is copied", lambda: room.find (name="Copied"))
        text = subprocess.run (["timeout", "10", "xclip", "-o", "-selection", "clipboard"], env=room.env,
                               capture_output=True, text=True, check=True).stdout
        head, row = (line.split ("\t") for line in text.splitlines ()[:2])
        if "Duration (ms)" not in head or float (row[head.index ("Duration (ms)")]) != 342.2:
            raise desk.Failed (f"it is {text!r}")


def the_menu_of_rows_says_the_value (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "select-rows", "[uint32 0]")
        room.wait ("it is selected", lambda: room.find (holds="1 row selected"))
        subprocess.run (["xdotool", "mousemove", "240", "596", "sleep", "0.3", "click", "3"], env=room.env, check=True)
        room.wait ("what it keeps is counted", lambda: room.find (holds="Only Server “mail.example.com” · 7 rows"))
        room.wait ("and what it leaves", lambda: room.find (holds="Without Server “mail.example.com” · 20 rows"))


def the_menu_of_a_row_is_whole (sample):
    """The menu of a row in the middle is higher than the space below it."""
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "select-rows", "[uint32 0]")
        room.wait ("it is selected", lambda: room.find (holds="1 row selected"))
        subprocess.run (["xdotool", "mousemove", "240", "596", "sleep", "0.3", "click", "3"], env=room.env, check=True)
        room.wait ("it is there", lambda: room.find (holds="Select All Rows"))
        room.wait ("all of it is seen", lambda: any (
            box[2] < 600 and 500 < box[3] and box[1] + box[3] <= 910 for box in windows_of (room)))


def the_menu_of_a_row_fits_a_small_screen (sample):
    """On a small screen the menu scrolls within the screen."""
    with desk.Desk ("900x600") as room:
        open_sample (room, sample)
        subprocess.run (["xdotool", "mousemove", "240", "496", "click", "1", "sleep", "0.5", "click", "3"],
                        env=room.env, check=True)
        room.wait ("it is there", lambda: room.find (holds="Select All Rows"))
        room.wait ("it is on the screen", lambda: any (
            box[2] < 600 and 400 < box[3] and -10 <= box[1] and box[1] + box[3] <= 610 for box in windows_of (room)))
        room.keys ("Up", "Return")
        room.wait ("its last entry is reached", lambda: room.find (holds="27 rows selected"))


def the_keyboard_comes_back_from_a_submenu (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        room.keys ("F10")
        entry = room.wait ("the menu is there", lambda: next (
            (node for node in room.walk () if node.get_role_name () == "menu item" and desk.text_of (node) == "Timeline"),
            None))
        desk.Atspi.Action.do_action (entry, 0)
        room.wait ("the submenu is", lambda: room.find (name="Play Back"))
        time.sleep (0.5)
        room.keys ("Escape")
        room.wait ("both are gone", lambda: room.find (name="Play Back") is None)
        time.sleep (0.5)
        room.keys ("ctrl+t")
        room.wait ("keys do something", lambda: room.find (holds="with a stack"))


def who_has_cleared_a_filter_types_the_next_one (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        activate (room, "set-filter", "'failed=true'")
        press (room, room.wait ("it can be cleared", lambda: room.find (role="push button", name="Show all rows")))
        room.wait ("all rows are back", lambda: room.find (role="status bar", holds="27 rows"))
        time.sleep (0.5)
        room.type ("failed=true")
        room.keys ("Return")
        room.wait ("what is typed is a filter", lambda: room.find (role="status bar", holds="3 of 27 rows"))


def who_opens_while_the_last_one_ends_gets_a_window (_sample):
    """A program that exits with a large trace owns its D-Bus name for a while without answering."""
    with desk.Desk () as room:
        path = os.path.join (room.folder, "big.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_BIG"], "30M", path], check=True, stdout=subprocess.DEVNULL)
        room.open_window (path)
        room.wait ("it is read", lambda: room.find (role="status bar", holds=" rows") and
                   room.find (name="Cancel") is None)
        subprocess.run (["gdbus", "call", "--session", "--dest", "org.netstitch.Netstitch", "--object-path",
                         "/org/netstitch/Netstitch", "--method", "org.gtk.Actions.Activate", "quit", "[]", "{}"],
                        env=room.env, check=True, stdout=subprocess.DEVNULL)
        room.open_window (path)


def who_looks_for_rows_comes_back_to_them (sample):
    """Find and Filter leave the trace information page, where there are no rows."""
    with desk.Desk () as room:
        open_sample (room, sample)
        for keys, entry in (("ctrl+f", "Find"), ("ctrl+l", "Filter")):
            room.keys ("ctrl+i")
            room.wait ("the page is shown", lambda: room.find (role="label", name="Questions this trace can answer"))
            room.keys (keys)
            room.wait ("the rows are back", lambda: room.find (role="status bar", holds="27 rows"))
            room.wait (f"the entry {entry} has the keyboard", lambda: room.focused () is not None and
                       room.focused ().get_role_name () in ("text", "entry"))
            room.keys ("Escape", "Escape")


def a_server_is_agreed_to_at_once (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        room.keys ("ctrl+comma")
        button = room.wait ("it is offered", lambda: room.find (role="push button", holds="Symbol Server"))
        room.wait ("files can be chosen", lambda: room.find (name="Choose a GeoIP database"))
        desk.Atspi.Action.do_action (button, 0)
        box = room.wait ("the server is one of the path",
                         lambda: room.find (role="check box", holds="msdl.microsoft.com"))
        if not box.get_state_set ().contains (desk.Atspi.StateType.CHECKED):
            raise desk.Failed ("it is not agreed to")


def recent_traces_tell_what_was_in_them (sample):
    with desk.Desk () as room:
        open_sample (room, sample)
        room.wait ("the findings are counted", lambda: room.find (role="push button", holds="findings…"))
        activate (room, "close")
        room.window.wait (desk.PATIENCE_S)
        room.open_window ()
        room.wait ("the start page tells", lambda: room.find (role="label", holds="17.50 s · 27 rows · "))


def tooltips_do_not_repeat_the_panel (sample):
    with desk.Desk () as room:
        open_sample (room, sample)

        def point (x):
            for step in (0, 1, 2):
                subprocess.run (["xdotool", "mousemove", str (x + step), "596"], env=room.env, check=True)
                time.sleep (0.3)
            time.sleep (1)
        point (880)
        if room.find (role="label", holds="OUTLOOK.EXE (4312) made a request") is not None:
            raise desk.Failed ("the panel and a tooltip tell of the same")


def windows_of (room):
    """Returns (x, y, width, height) of the program's visible windows, the smallest first."""
    told = subprocess.run (["xdotool", "search", "--onlyvisible", "--pid", str (room.window.pid), ".*"],
                           env=room.env, capture_output=True, text=True, check=False).stdout.split ()
    boxes = []
    for number in told:
        shell = subprocess.run (["xdotool", "getwindowgeometry", "--shell", number], env=room.env,
                                capture_output=True, text=True, check=False).stdout
        values = dict (line.split ("=") for line in shell.splitlines () if "=" in line)
        if "HEIGHT" in values:
            boxes.append (tuple (int (values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")))
    return sorted (boxes, key=lambda box: box[2] * box[3])


def what_a_cell_has_no_room_for_stands_above_its_row (sample):
    """The tooltip of a truncated cell is above the row, so that it does not cover the next rows."""
    with desk.Desk () as room:
        open_sample (room, sample)
        row = room.wait ("a row is there", lambda: next (
            (node for node in room.walk (cells=True) if node.get_role_name () == "table row"
             and "autodiscover" in desk.text_of (node)), None))
        cell = room.wait ("its server is cut off", lambda: next (
            (desk.box_of (node) for node in room.walk (row, cells=True)
             if desk.text_of (node).startswith ("Server: autodiscover")), None))
        before = len (windows_of (room))
        for step in (0, 1, 2):
            subprocess.run (["xdotool", "mousemove", str (cell.x + 20 + step), str (cell.y + cell.height // 2)],
                            env=room.env, check=True)
            time.sleep (0.2)
        room.wait ("it is told", lambda: len (windows_of (room)) > before)
        tip = windows_of (room)[0]
        if tip[1] + tip[3] > cell.y + 4:
            raise desk.Failed (f"it reaches from {tip[1]} to {tip[1] + tip[3]}, over the row at {cell.y}")
        subprocess.run (["xdotool", "mousemove", str (cell.x + 20), str (cell.y + 60)], env=room.env, check=True)
        room.wait ("it goes when the pointer does", lambda: len (windows_of (room)) == before)


if __name__ == "__main__":
    sys.exit (run_claims ("told", (a_wrong_line_of_the_thresholds_is_told,
                                   tabs_with_nothing_are_behind_more, the_panel_tells_of_the_trace,
                                   a_damaged_trace_is_not_called_whole,
                                   the_call_tree_has_the_keyboard,
                                   a_closed_panel_gives_the_keyboard_to_the_table, sums_of_another_table_name_it,
                                   a_missing_file_is_told_of_in_a_sentence,
                                   an_address_without_a_name_is_told_of, states_are_only_read, pages_say_whose_facts_they_show,
                                   what_had_not_ended_took_at_least,
                                   help_without_a_viewer_is_a_web_page,
                                   a_viewer_that_would_not_find_the_pages_is_not_asked,
                                   a_viewer_that_finds_the_pages_is_asked, copies_have_the_units_of_the_screen,
                                   the_menu_of_rows_says_the_value, the_menu_of_a_row_is_whole,
                                   the_menu_of_a_row_fits_a_small_screen,
                                   the_keyboard_comes_back_from_a_submenu,
                                   who_has_cleared_a_filter_types_the_next_one,
                                   who_looks_for_rows_comes_back_to_them,
                                   who_opens_while_the_last_one_ends_gets_a_window, a_server_is_agreed_to_at_once,
                                   recent_traces_tell_what_was_in_them,
                                   tooltips_do_not_repeat_the_panel,
                                   what_a_cell_has_no_room_for_stands_above_its_row)))
