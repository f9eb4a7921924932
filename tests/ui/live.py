#!/usr/bin/python3
"""Tests incomplete traces: while they are recorded, and while they are loaded.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import time

import desk
from gi.repository import GLib
from filter import Window
from walk import activate, focus_part, role_of_focus, run_claims, shown_count, timeline_name

# Offset of the end time in the trace header: buffer header, record header, 16 bytes into the payload.
END_TIME_AT = 72 + 32 + 16


def parts_of (sample):
    """Splits a trace into its buffers, and sets the end time to 0, as in a trace that is being recorded."""
    with open (sample, "rb") as file:
        data = bytearray (file.read ())
    size = struct.unpack_from ("<I", data, 0)[0]
    end_time = bytes (data[END_TIME_AT:END_TIME_AT + 8])
    data[END_TIME_AT:END_TIME_AT + 8] = bytes (8)
    buffers = [bytes (data[at:at + size]) for at in range (0, len (data), size)]
    return buffers, end_time


def count_of (room):
    words = shown_count (room).split ()
    return int (words[-2].replace (",", "")) if len (words) > 1 else 0


def wait_until_more (room, before):
    began = time.monotonic ()
    room.wait ("new rows are shown", lambda: count_of (room) > before)
    return time.monotonic () - began


def follows_a_growing_file (sample):
    buffers, end_time = parts_of (sample)
    with desk.Desk () as room:
        path = os.path.join (room.folder, "live.etl")
        with open (path, "wb") as file:
            file.write (b"".join (buffers[:len (buffers) // 2]))
        room.open_window (path)
        room.wait ("the first rows are shown", lambda: count_of (room) > 0)
        room.wait ("it is said that the trace is followed", lambda: room.find (name="Following"))
        first = count_of (room)
        focus_part (room, "table row")
        room.keys ("Down", "Down")
        chosen = timeline_name (room)[0].split (". ", 1)[1]
        slowest = 0
        half = len (buffers) // 2
        with open (path, "ab") as file:
            for number, buffer in enumerate (buffers[half:]):
                # A partly written buffer is not reported as damage.
                file.write (buffer[:len (buffer) // 2])
                file.flush ()
                time.sleep (0.1)
                file.write (buffer[len (buffer) // 2:])
                file.flush ()
                time.sleep (0.1)
                if number == 0:
                    slowest = wait_until_more (room, first)
        with open (path, "r+b") as file:
            file.seek (END_TIME_AT)
            file.write (end_time)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        room.wait ("nothing is followed any more", lambda: room.find (name="Following") is None)
        print (f"# the first new rows were there after {slowest:.2f} s")
        if chosen not in timeline_name (room)[0]:
            raise desk.Failed (f"{chosen!r} was chosen, now {timeline_name (room)[0]!r}")
        if room.find (holds="Damaged") is not None:
            raise desk.Failed ("a trace that was being written is called damaged")
        seen = timeline_name (room)[0].split (". ", 1)[0]
        cold = os.path.join (room.folder, "cold.etl")
        shutil.copyfile (path, cold)
        room.keys ("ctrl+w")
        room.window.wait (desk.PATIENCE_S)
        os.unlink (path)
        shutil.rmtree (room.env["XDG_STATE_HOME"])
        room.open_window (cold)
        room.wait ("a cold open shows the same", lambda: shown_count (room) == "27 rows" and
                   timeline_name (room)[0].split (". ", 1)[0] == seen)


def sees_a_trace_closed_while_it_is_read (_sample):
    """The trace is closed while it is loaded; the file does not change afterwards."""
    with desk.Desk () as room:
        path = os.path.join (room.folder, "large.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_BIG"], "400M", path], check=True, stdout=subprocess.DEVNULL)
        with open (path, "r+b") as file:
            file.seek (END_TIME_AT)
            end_time = file.read (8)
            file.seek (END_TIME_AT)
            file.write (bytes (8))
        room.open_window (path)
        room.wait ("much of it is read, and its header long ago",
                   lambda: any (re.search (r"\b[1-3]\d\d\.\d\sMB of", desk.text_of (node))
                                for node in room.walk ()))
        with open (path, "r+b") as file:
            file.seek (END_TIME_AT)
            file.write (end_time)
        room.wait ("it was read", lambda: room.find (name="Cancel") is None)
        # Either the last read of the header or the next check of the file notices it.
        time.sleep (1)
        room.wait ("nothing is followed any more", lambda: room.find (name="Following") is None)


def pauses_following (sample):
    buffers, _ = parts_of (sample)
    with desk.Desk () as room:
        path = os.path.join (room.folder, "live.etl")
        with open (path, "wb") as file:
            file.write (b"".join (buffers[:len (buffers) // 2]))
        room.open_window (path)
        room.wait ("the first rows are shown", lambda: count_of (room) > 0)
        first = count_of (room)
        following = room.wait ("it is said that the trace is followed",
                               lambda: room.find (name="Following"))
        desk.Atspi.Action.do_action (following, 0)
        room.wait ("following pauses", lambda: room.find (holds="paused"))
        with open (path, "ab") as file:
            file.write (b"".join (buffers[len (buffers) // 2:]))
        time.sleep (1.5)
        if count_of (room) != first:
            raise desk.Failed ("rows came while it paused")
        desk.Atspi.Action.do_action (room.find (holds="paused"), 0)
        room.wait ("what came meanwhile is shown", lambda: shown_count (room) == "27 rows")


def groups_stay_open (sample):
    """Groups that are expanded stay expanded while rows are added."""
    def rows_seen ():
        return [desk.text_of (node) for node in room.walk (cells=True) if node.get_role_name () == "table row"]

    def are_open ():
        return any (re.search (r" (made a request to|connected to|exchanged|sent) ", said) for said in rows_seen ())

    buffers, end_time = parts_of (sample)
    with desk.Desk () as room:
        path = os.path.join (room.folder, "live.etl")
        with open (path, "wb") as file:
            file.write (b"".join (buffers[:len (buffers) // 2]))
        window = Window (room, path)
        room.wait ("it is said that the trace is followed", lambda: room.find (name="Following"))
        first = window.state ()[3]
        window.say ("group-by", "process_pid")
        room.wait ("there are groups", lambda: any ("OUTLOOK.EXE (4312):" in said for said in rows_seen ()))
        window.act ("expand-groups")
        room.wait ("they are open", are_open)
        with open (path, "ab") as file:
            file.write (b"".join (buffers[len (buffers) // 2:]))
        room.wait ("new rows are there", lambda: window.state ()[3] > first)
        room.wait ("there are groups again",
                   lambda: any ("OUTLOOK.EXE (4312):" in said for said in rows_seen ()))
        if not are_open ():
            raise desk.Failed (f"groups were closed: {rows_seen ()}")
        with open (path, "r+b") as file:
            file.seek (END_TIME_AT)
            file.write (end_time)
        room.wait ("nothing is followed any more", lambda: room.find (name="Following") is None)
        if not are_open ():
            raise desk.Failed (f"groups were closed at the end: {rows_seen ()}")


def a_group_stays_as_it_was_left (sample):
    """A group that was expanded by going to a row, or collapsed afterwards, stays so while rows are added."""
    buffers, _ = parts_of (sample)
    with desk.Desk () as room:
        path = os.path.join (room.folder, "live.etl")
        with open (path, "wb") as file:
            file.write (b"".join (buffers[:2]))
        window = Window (room, path)
        room.wait ("it is said that the trace is followed", lambda: room.find (name="Following"))
        window.say ("group-by", "process_pid")
        room.wait ("there are groups", lambda: window.read ("places")[1] > 0)
        window.act ("go-to", GLib.Variant ("(su)", ("activities", 0)))
        is_open = True

        def groups_are_right ():
            places, groups = window.read ("places")
            return (places > groups + 1) == is_open

        for at in range (2, len (buffers)):
            room.wait ("its group is open or closed", groups_are_right)
            before = window.state ()[3]
            with open (path, "ab") as file:
                file.write (buffers[at])
            room.wait ("there are more rows", lambda: window.state ()[3] > before)
            time.sleep (1)
            if window.state ()[4] != 1 or not groups_are_right ():
                raise desk.Failed (f"{window.state ()[4]} selected, places: {window.read ('places')}")
            if is_open:
                is_open = False
                window.act ("fold-groups")


def the_end_stays_in_view (sample):
    """A table that is scrolled to its end follows new rows."""
    buffers, _ = parts_of (sample)
    with desk.Desk () as room:
        path = os.path.join (room.folder, "live.etl")
        with open (path, "wb") as file:
            file.write (b"".join (buffers[:2]))
        window = Window (room, path)
        room.wait ("it is said that the trace is followed", lambda: room.find (name="Following"))
        window.say ("show-tab", "events")
        focus_part (room, "table row")
        room.keys ("End")

        def last_is_there ():
            number = f"No.: {window.state ()[3] - 1}"
            return any (desk.text_of (node) == number for node in room.walk (cells=True))

        room.wait ("the last row is in view", last_is_there)
        for at in range (2, len (buffers)):
            before = window.state ()[3]
            with open (path, "ab") as file:
                file.write (buffers[at])
            room.wait ("there are more rows", lambda: window.state ()[3] > before)
            room.wait ("the last one is in view again", last_is_there)


def a_playback_goes_on (sample):
    """Playback keeps its position and filter while buffers are added."""
    buffers, end_time = parts_of (sample)
    with desk.Desk () as room:
        path = os.path.join (room.folder, "live.etl")
        with open (path, "wb") as file:
            file.write (b"".join (buffers[:len (buffers) // 2]))
        window = Window (room, path)
        room.wait ("it is said that the trace is followed", lambda: room.find (name="Following"))
        window.say ("set-filter", "-process:svchost")
        room.wait ("six rows are kept", lambda: window.state ()[3] == 6)
        window.act ("playback")
        room.wait ("the moment can be moved", lambda: room.find (role="slider", name="Playback position"))

        def is_at_moment ():
            if desk.text_of (room.focused ()) != "Playback position":
                room.keys ("Tab")
                return False
            return True
        room.wait ("it has the keyboard", is_at_moment)
        room.keys ("End", *["Left"] * 10)
        room.wait ("a part is shown", lambda: 0 < window.state ()[3] < 6)
        before = window.state ()[3]
        with open (path, "ab") as file:
            file.write (b"".join (buffers[len (buffers) // 2:]))
        room.wait ("there are more rows", lambda: shown_count (room) == f"{before} of 27 rows")
        room.keys ("End")
        room.wait ("the moment can go to the new end", lambda: shown_count (room) == "21 of 27 rows")
        with open (path, "r+b") as file:
            file.seek (END_TIME_AT)
            file.write (end_time)
        room.wait ("nothing is followed any more", lambda: room.find (name="Following") is None)
        window.act ("playback")
        room.wait ("all rows are back", lambda: shown_count (room) == "21 of 27 rows"
                   and room.find (name="Playback position") is None)


def entry_text (node):
    return desk.Atspi.Text.get_text (node, 0, desk.Atspi.Text.get_character_count (node))


def is_focused (room, role, name):
    node = room.focused ()
    return node is not None and node.get_role_name () == role and desk.text_of (node) == name


def what_is_being_done_goes_on (sample):
    """Typing, searching and menus are not disturbed while rows are added."""
    buffers, _ = parts_of (sample)
    with desk.Desk () as room:
        path = os.path.join (room.folder, "live.etl")
        with open (path, "wb") as file:
            file.write (b"".join (buffers[:2]))
        window = Window (room, path)
        room.wait ("it is said that the trace is followed", lambda: room.find (name="Following"))

        def have_more (at):
            before = window.state ()[3]
            with open (path, "ab") as file:
                file.write (buffers[at])
            room.wait ("there are more rows", lambda: window.state ()[3] > before)
            time.sleep (0.5)

        def claim (what, holds):
            if not holds:
                raise desk.Failed (f"{what}; focus: {desk.text_of (room.focused ())!r}, {window.state ()}")

        # An incomplete filter, with the caret inside of it.
        room.keys ("ctrl+l")
        room.type ("nosuch>3")
        room.keys ("Left", "Left")
        room.wait ("its fault is told", lambda: room.find (holds="there is no such field"))
        have_more (2)
        entry = room.focused ()
        claim (f"what was typed is there: {entry_text (entry)!r}", entry.get_role_name () == "text" and entry_text (entry) == "nosuch>3")
        claim ("the cursor is where it was", desk.Atspi.Text.get_caret_offset (entry) == 6)
        claim ("its fault is told still", room.find (holds="there is no such field"))
        room.keys ("ctrl+a", "BackSpace", "Escape")

        # A search at its second match.
        have_more (3)
        room.keys ("ctrl+f")
        room.type ("POST")
        room.keys ("Return", "Return")
        room.wait ("the second hit is looked at", lambda: window.read ("find-state")[:2] == ("POST", 2))
        n_hits = window.read ("find-state")[2]
        have_more (4)
        claim ("the find bar has the keyboard", is_focused (room, "entry", "Find in this table"))
        room.wait ("its hit is looked at, and later ones are found, too",
                   lambda: window.read ("find-state")[1] == 2 and window.read ("find-state")[2] > n_hits)
        room.keys ("Escape")

        # Menus keep their focused item.
        focus_part (room, "table row")
        room.keys ("Menu", "Down")
        room.wait ("the menu of rows is open", lambda: role_of_focus (room) == "menu item")
        item = desk.text_of (room.focused ())
        have_more (5)
        claim ("the menu of rows has the keyboard", is_focused (room, "menu item", item))
        room.keys ("Escape")
        room.wait ("it is closed", lambda: role_of_focus (room) == "table row")
        room.keys ("F10", "Down", "Down")
        room.wait ("the main menu is open", lambda: role_of_focus (room) == "menu item")
        item = desk.text_of (room.focused ())
        have_more (6)
        claim ("the main menu has the keyboard", is_focused (room, "menu item", item))


def the_view_of_rows_stays (_sample):
    """Rows in view do not move while rows are added, although the selected row is far above and is restored later."""
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        print ("# ImageMagick is not there: no picture was looked at")
        return
    with desk.Desk () as room:
        path = os.path.join (room.folder, "large.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_BIG"], "100M", path], check=True, stdout=subprocess.DEVNULL)
        buffers, _ = parts_of (path)
        n_parts = 4
        with open (path, "wb") as file:
            file.write (b"".join (buffers[:-n_parts]))
        window = Window (room, path)
        room.wait ("it is said that the trace is followed", lambda: room.find (name="Following"))
        window.say ("show-tab", "events")
        row = room.wait ("rows are seen", lambda: room.find (role="table row", holds="event 0 at"))
        window.select (0)
        box = desk.box_of (row)
        subprocess.run (["xdotool", "mousemove", str (box.x + 200), str (box.y + 100),
                         "click", "--repeat", "42", "--delay", "30", "5"], env=room.env, check=True)

        def numbers ():
            """Returns a hash of the pixels of the row numbers in the middle of the table."""
            picture = os.path.join (room.folder, "screen.png")
            room.picture (picture)
            return subprocess.run (["convert", picture, "-crop", f"60x160+{box.x}+{box.y + 60}", "+repage",
                                    "-format", "%#", "info:"], check=True, stdout=subprocess.PIPE).stdout

        time.sleep (1)
        seen = numbers ()
        # The last buffer is left out: with it, the notice of an incomplete trace disappears, which moves the table.
        for buffer in buffers[-n_parts:-1]:
            before = window.state ()[3]
            with open (path, "ab") as file:
                file.write (buffer)
            room.wait ("there are more rows", lambda: window.state ()[3] > before)
            room.wait ("its row is selected again", lambda: window.state ()[4] == 1)
            time.sleep (0.5)
            if numbers () != seen:
                raise desk.Failed ("the table was scrolled")


def evidence_is_found_again (sample):
    """Evidence of a selected finding is found again after the trace is read again."""
    def evident (path):
        lines = subprocess.run ([os.environ["NETSTITCH_CLI"], "findings", path, "--format", "tsv",
                                 "--filter", "evidence:*"], check=True, stdout=subprocess.PIPE, text=True).stdout
        return len (lines.splitlines ()) - 1

    buffers, _ = parts_of (sample)
    with desk.Desk () as room:
        path = os.path.join (room.folder, "live.etl")
        with open (path, "wb") as file:
            file.write (b"".join (buffers[:len (buffers) * 2 // 3]))
        window = Window (room, path)
        room.wait ("it is said that the trace is followed", lambda: room.find (name="Following"))
        window.say ("show-tab", "findings")
        window.say ("set-filter", "evidence:*")
        before = evident (path)
        window.wait_filter ("evidence:*", before)
        with open (path, "ab") as file:
            file.write (b"".join (buffers[len (buffers) * 2 // 3:]))
        wanted = evident (path)
        if not 0 < before < wanted:
            raise desk.Failed (f"{before} findings have records, and {wanted} later")
        window.wait_filter ("evidence:*", wanted)


def a_large_trace_is_read_on_without_a_pause (_sample):
    """Buffers that are added in quick succession wait for one more read, without growing delays."""
    with desk.Desk () as room:
        path = os.path.join (room.folder, "large.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_BIG"], "100M", path], check=True, stdout=subprocess.DEVNULL)
        buffers, _ = parts_of (path)
        n_parts = 10
        with open (path, "wb") as file:
            file.write (b"".join (buffers[:-n_parts]))
        window = Window (room, path)
        room.wait ("it is said that the trace is followed", lambda: room.find (name="Following"))
        window.say ("show-tab", "events")
        taken = []
        for at in range (len (buffers) - n_parts, len (buffers)):
            before = window.state ()[3]
            began = time.monotonic ()
            with open (path, "ab") as file:
                file.write (buffers[at])
            room.wait ("its records are there", lambda: window.state ()[3] > before)
            taken.append (time.monotonic () - began)
        # The first buffer does not wait for another read.
        waited = sorted (taken[1:])[len (taken) // 2]
        print (f"# the first was there after {taken[0]:.2f} s, the others after {waited:.2f} s")
        if waited > 2.5 * taken[0] + 0.5:
            raise desk.Failed ("reading pauses")


def says_more_may_come (room):
    """Searches in one walk of the tree, since the state changes meanwhile."""
    said = "\n".join (desk.text_of (node) for node in room.walk ())
    return all (re.search (words, said)
                for words in (r"Whole trace [\d,]+ so far", r"· [\d,]+ rows so far",
                              r"Reading… [\d,]+ rows", "later rows may still change"))


def stops_reading_at_once (_sample):
    with desk.Desk () as room:
        path = os.path.join (room.folder, "big.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_BIG"], "400M", path], check=True,
                        stdout=subprocess.DEVNULL)
        room.open_window (path)
        room.wait ("the first rows are shown while the rest is read",
                   lambda: room.find (name="Cancel") and count_of (room) > 0)
        room.wait ("it is said that more may come, above and below the rows and in the title",
                   lambda: says_more_may_come (room))
        room.wait ("nothing is called wrong with the file", lambda: room.find (holds="of the file has been read"))
        began = time.monotonic ()
        room.keys ("Escape")
        room.wait ("what was read stays and says that it is not all",
                   lambda: room.find (holds="Incomplete: reading was stopped"))
        print (f"# stopped and seen after {1000 * (time.monotonic () - began):.0f} ms")
        if count_of (room) == 0:
            raise desk.Failed ("what was read is gone")
        room.wait ("nothing is read any more", lambda: room.find (name="Cancel") is None)
        if [words for words in ("so far", "may still change", "Reading…") if room.find (holds=words)]:
            raise desk.Failed ("more rows are promised than will come")
        activate (room, "show-tab", "'findings'")
        room.wait ("findings are told of the part that was read", lambda: room.find (
            holds="checks so far, on the part of the file that was read"))
        if room.find (holds="checks found nothing"):
            raise desk.Failed ("something is said to be nowhere in a file of which a part was read")


def says_that_rows_are_waited_for (_sample):
    """Rows that a slow filter has not examined yet are not counted as matches."""
    with desk.Desk () as room:
        path = os.path.join (room.folder, "big.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_BIG"], "400M", path], check=True,
                        stdout=subprocess.DEVNULL)
        window = Window (room, path)
        room.wait ("it is read", lambda: room.find (name="Cancel") is None and count_of (room) > 0)
        window.say ("show-tab", "events")
        room.wait ("events are counted", lambda: room.find (role="status bar", holds="events"))
        window.say ("set-filter", "details~/foo.*bar/")
        said = []
        for _ in range (1200):
            node = room.find (role="status bar", holds="event")
            text = desk.text_of (node) if node is not None else ""
            if text and said[-1:] != [text]:
                said.append (text)
            if text.startswith ("0 of "):
                break
            time.sleep (0.05)
        print (f"# {said}")
        # On a busy computer the first look may come after the filter has finished.
        if not re.fullmatch (r"([\d,]+ events\|)?Searching [\d,]+ events…\|0 of [\d,]+ events",
                             "|".join (said)):
            raise desk.Failed (f"it said {said}")


def says_what_became_of_the_file (sample):
    with desk.Desk () as room:
        path = os.path.join (room.folder, "short.etl")
        shutil.copy (sample, path)
        room.open_window (path)
        room.wait ("the rows are shown", lambda: count_of (room) > 0)
        time.sleep (1)
        n_rows = count_of (room)
        # The file is truncated, deleted and restored.
        os.truncate (path, os.path.getsize (path) // 2)
        room.wait ("it is said that it has changed",
                   lambda: room.find (holds="has changed on disk") and
                   room.find (role="push button", name="Read Again"))
        os.unlink (path)
        room.wait ("it is said that it is gone, and nothing can be read again",
                   lambda: room.find (holds="no longer exists") and
                   not room.find (role="push button", name="Read Again"))
        focus_part (room, "table row")
        room.keys ("Down", "Down")
        if count_of (room) != n_rows:
            raise desk.Failed ("rows went with the file")
        shutil.copy (sample, path)
        room.wait ("it is said that there is another",
                   lambda: room.find (role="push button", name="Read Again"))


if __name__ == "__main__":
    sys.exit (run_claims ("live", (follows_a_growing_file, sees_a_trace_closed_while_it_is_read,
                                   pauses_following, groups_stay_open, a_playback_goes_on,
                                   a_group_stays_as_it_was_left, the_end_stays_in_view,
                                   evidence_is_found_again, what_is_being_done_goes_on, the_view_of_rows_stays,
                                   a_large_trace_is_read_on_without_a_pause,
                                   says_that_rows_are_waited_for,
                                   says_what_became_of_the_file, stops_reading_at_once)))
