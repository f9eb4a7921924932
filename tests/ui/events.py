#!/usr/bin/python3
"""Tests the Events tab: fields and bytes below the table.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys

import desk
from walk import activate, check_names, run_claims

# Row of AfdConnectExWithAddress, an event that the schemas describe.
EVENT = 69
DO_THIS = "Select an event to see its fields and its bytes here."


def open_events (room, sample):
    room.open_window (sample)
    room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
    activate (room, "show-tab", "'events'")
    room.wait ("the pane says what to do", lambda: room.find (role="label", name=DO_THIS))


def choose_event (room):
    activate (room, "go-to", f"('events', uint32 {EVENT})")
    return room.wait ("the fields are there", lambda: fields (room))


def fields (room):
    """Returns the visible lists of fields."""
    return [node for node in room.walk ()
            if node.get_role_name () == "list" and desk.text_of (node) == "Fields of the event"]


def bytes_seen (room):
    return room.find (role="text", holds="Bytes: ")


def chosen (room):
    reply = subprocess.run (["gdbus", "call", "--session", "--dest", "org.netstitch.Netstitch",
                             "--object-path", "/org/netstitch/Netstitch/window/1",
                             "--method", "org.gtk.Actions.Describe", "event"],
                            env=room.env, check=True, stdout=subprocess.PIPE, text=True).stdout
    return reply


def fields_and_bytes_stand_below_the_table (sample):
    """The fields and bytes of an event are below the table, and not in the panel as well."""
    with desk.Desk () as room:
        open_events (room, sample)
        lists = choose_event (room)
        if len (lists) != 1:
            raise desk.Failed (f"the fields are listed {len (lists)} times")
        table = room.find (role="table", name="Events") or room.find (role="tree table", name="Events")
        below = desk.box_of (lists[0])
        if table is not None and below.y < desk.box_of (table).y + 24:
            raise desk.Failed ("the fields do not stand below the events")
        hex_view = room.wait ("the bytes are there", lambda: bytes_seen (room))
        if desk.box_of (hex_view).x <= below.x + below.width // 2:
            raise desk.Failed ("the bytes do not stand beside the fields")
        if room.find (role="label", holds="Decoded by: manifest of Windows build") is None:
            raise desk.Failed ("nobody says who described the event")
        room.wait ("the status bar counts", lambda: room.find (holds="1 event selected   60 B payload"))
        if room.find (role="image", holds="Timeline") is not None:
            raise desk.Failed ("the timeline stands over the events")
        if not any (desk.text_of (node).startswith ("Time (s) ▲") for node in room.walk (table, cells=True)):
            raise desk.Failed ("nobody says that the events stand in the order of time")
        room.wait ("events are counted", lambda: room.find (role="status bar", name="735 events"))
        if room.find (name="0.944 660 0".replace (" ", "\u2009")) is None:
            raise desk.Failed ("the panel does not tell the time to its last digit")
        check_names (room, "the tab of events")


def count_rows (room, text):
    """Returns the number of rows in view that contain the text."""
    return sum (text in desk.text_of (node) for node in room.walk () if node.get_role_name () == "table row")


def a_filter_leaves_rows_that_can_be_read (sample):
    """Few rows are left after the table was scrolled to the end of many; they must be drawn."""
    with desk.Desk () as room:
        open_events (room, sample)
        last = int (desk.text_of (room.find (role="status bar", holds=" events")).split ()[0]) - 1
        activate (room, "go-to", f"('events', uint32 {last})")
        room.wait ("the end is seen", lambda: count_rows (room, "wrote event 1044 at 17.50") == 1)
        activate (room, "set-filter", "'id=1021'")
        room.wait ("few rows are left", lambda: room.find (role="status bar", holds=f" of {last + 1} events"))
        room.wait ("they can be read", lambda: count_rows (room, "wrote event 1021 at") > 5)


def a_byte_is_its_field (sample):
    with desk.Desk () as room:
        open_events (room, sample)
        choose_event (room)
        activate (room, "choose-field", "'Endpoint'")
        room.wait ("the field is said to be chosen", lambda: room.find (holds="field Endpoint, bytes 16–23"))
        room.wait ("its bytes are said", lambda: room.find (role="text", holds="Bytes: Endpoint, "))
        view = desk.box_of (bytes_seen (room))
        # Clicks the first byte of the first line.
        subprocess.run (["xdotool", "mousemove", str (view.x + 66), str (view.y + 16), "click", "1"],
                        env=room.env, check=True)
        room.wait ("another field is chosen", lambda: room.find (holds=", bytes 0–"))
        if "Endpoint" in chosen (room):
            raise desk.Failed ("the field of the other byte is still chosen")


def the_row_of_an_event_is_told (sample):
    """The panel links an event to its row."""
    with desk.Desk () as room:
        open_events (room, sample)
        choose_event (room)
        link = room.wait ("the operation is told", lambda: room.find (
            role="push button", name="Row: POST mail.example.com · 200"))
        if room.find (role="label", name="1021 · AfdConnectExWithAddress") is None:
            raise desk.Failed ("the number of the event is no piece of its own in the title")
        if room.find (role="label", holds="same Endpoint: 0x") is None:
            raise desk.Failed ("nobody says why")
        if room.find (role="label", holds="OUTLOOK.EXE (4312), from the event header; matches the owner") is None:
            raise desk.Failed ("the process is not told")
        desk.Atspi.Action.do_action (link, 0)
        room.wait ("the row is selected", lambda: room.find (holds="1 row selected"))


def a_small_window_keeps_room_for_the_fields (sample):
    """A small window hides the hint, so that some fields are visible."""
    with desk.Desk (size="900x600") as room:
        open_events (room, sample)
        rows = choose_event (room)[0]
        room.wait ("the hint has gone", lambda: room.find (role="label", holds="Click a field") is None)
        if room.find (role="label", holds="Decoded by: ") is None:
            raise desk.Failed ("nobody says who described the event")
        room.wait ("three fields can be seen", lambda: desk.box_of (rows).height >= 72)


def the_pane_is_folded_and_stays_so (sample):
    """While the pane is collapsed, the panel shows the fields; the state of the pane is saved."""
    with desk.Desk () as room:
        open_events (room, sample)
        low = desk.box_of (choose_event (room)[0])
        room.keys ("shift+F9")
        room.wait ("the pane is folded", lambda: room.find (role="push button", name="Fields and bytes"))
        lists = room.wait ("the panel has the fields", lambda: fields (room))
        if desk.box_of (lists[0]).x <= low.x:
            raise desk.Failed ("the fields are not in the panel")
        with open (os.path.join (room.env["XDG_CONFIG_HOME"], "glib-2.0", "settings", "keyfile")) as file:
            if "event-pane-shown=false" not in file.read ():
                raise desk.Failed ("nobody remembers that the pane is folded")
        room.keys ("shift+F9")
        room.wait ("it is back", lambda: fields (room) and desk.box_of (fields (room)[0]).x == low.x)


def parts_are_reached_by_keys (sample):
    """The focus moves from the table to the fields and bytes, and F6 moves it through the window."""
    with desk.Desk () as room:
        open_events (room, sample)
        choose_event (room)
        seen = []
        for _ in range (6):
            room.keys ("F6")
            node = room.focused ()
            at = node
            while at is not None and desk.text_of (at) not in ("Fields of the event", "Events", "Filter"):
                at = at.get_parent ()
            seen.append (desk.text_of (at) if at is not None else "")
        if "Fields of the event" not in seen:
            raise desk.Failed (f"F6 comes to {seen}")
        while "Fields of the event" != seen[-1]:
            room.keys ("F6")
            node = room.focused ()
            while node is not None and desk.text_of (node) not in ("Fields of the event",):
                node = node.get_parent ()
            seen.append (desk.text_of (node) if node is not None else "")
        for _ in range (8):
            room.keys ("Tab")
            if room.focused () is not None and desk.text_of (room.focused ()).startswith ("Bytes"):
                return
        raise desk.Failed ("Tab never comes from the fields to the bytes")


def the_timeline_is_shown_when_somebody_wants_it (sample):
    with desk.Desk () as room:
        open_events (room, sample)
        room.keys ("F7")
        room.wait ("the timeline is there", lambda: room.find (role="image", holds="Timeline"))
        activate (room, "show-tab", "'activities'")
        room.wait ("it is there over the rows", lambda: room.find (role="image", holds="Timeline"))


if __name__ == "__main__":
    sys.exit (run_claims ("events", (fields_and_bytes_stand_below_the_table, a_byte_is_its_field,
                                     a_filter_leaves_rows_that_can_be_read, the_row_of_an_event_is_told, a_small_window_keeps_room_for_the_fields,
                                     the_pane_is_folded_and_stays_so, parts_are_reached_by_keys,
                                     the_timeline_is_shown_when_somebody_wants_it)))
