#!/usr/bin/python3
"""Tests the desktop notifications when a trace is loaded while another window is active.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys

import desk
from walk import activate, run_claims

try:
    from gi.repository import Gio, GLib
except ImportError:
    Gio = None

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
XML = f"""<node><interface name="{NAME}">
  <method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
    <arg type="as" direction="in"/><arg type="a{{sv}}" direction="in"/><arg type="i" direction="in"/>
    <arg type="u" direction="out"/></method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
    <arg type="s" direction="out"/><arg type="s" direction="out"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>"""


class Bell:
    """A notification service that records what it receives."""

    def __init__ (self, room):
        self.shown = []
        self.gone = []
        self.bus = Gio.DBusConnection.new_for_address_sync (
            room.env["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT |
            Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        self.bus.register_object (PATH, Gio.DBusNodeInfo.new_for_xml (XML).interfaces[0], self.call, None, None)
        self.bus.call_sync ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                            "RequestName", GLib.Variant ("(su)", (NAME, 0)), None, 0, -1, None)

    def call (self, _bus, _sender, _path, _interface, method, parameters, invocation):
        answer = None
        if method == "Notify":
            _, _, _, title, body, _, _, _ = parameters.unpack ()
            self.shown.append ((title, body))
            answer = GLib.Variant ("(u)", (len (self.shown),))
        elif method == "CloseNotification":
            self.gone.append (parameters.unpack ()[0])
        elif method == "GetCapabilities":
            answer = GLib.Variant ("(as)", (["body", "actions"],))
        else:
            answer = GLib.Variant ("(ssss)", ("bell", "test", "1", "1.2"))
        invocation.return_value (answer)

    def press (self, number):
        self.bus.emit_signal (None, PATH, NAME, "ActionInvoked", GLib.Variant ("(us)", (number, "default")))


def front (room):
    """Returns the title of the active window."""
    return subprocess.run (["xdotool", "getactivewindow", "getwindowname"], env=room.env, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.strip ()


def open_and_turn_away (room, path):
    """Opens a trace, then another window in front of it."""
    room.open_window (path)
    name = os.path.basename (path)
    room.wait ("the trace is shown", lambda: front (room) == name and room.find (holds="rows"))
    subprocess.run (["gdbus", "call", "--session", "--dest", "org.netstitch.Netstitch",
                     "--object-path", "/org/netstitch/Netstitch", "--method",
                     "org.gtk.Actions.Activate", "new-window", "[]", "{}"],
                    env=room.env, check=True, stdout=subprocess.DEVNULL)
    room.wait ("another window is in front", lambda: front (room) == "Netstitch")


def copy_of (room, sample):
    return shutil.copyfile (sample, os.path.join (room.folder, "my.etl"))


def refuse (room, path):
    """Reloads a file that is not a trace any more."""
    with open (path, "w", encoding="utf-8") as file:
        file.write ("no trace\n" * 100)
    activate (room, "reload")
    room.wait ("it is refused", lambda: room.find (holds="my.etl could not be opened"))
    room.forget ()


def who_looks_away_is_told_and_led_back (sample):
    with desk.Desk (NETSTITCH_NOTIFY_AFTER_MS="0") as room:
        bell = Bell (room)
        open_and_turn_away (room, copy_of (room, sample))
        before = len (bell.shown)
        activate (room, "reload")
        room.wait ("it is told that the trace is open", lambda: len (bell.shown) > before)
        title, body = bell.shown[before]
        if title != "my.etl is open" or "27 rows" not in body:
            raise desk.Failed (f"it says {title!r}, {body!r}")
        bell.press (before + 1)
        room.wait ("the window is in front", lambda: front (room) == "my.etl")


def what_was_told_goes_when_the_window_is_seen (sample):
    with desk.Desk (NETSTITCH_NOTIFY_AFTER_MS="0") as room:
        bell = Bell (room)
        open_and_turn_away (room, copy_of (room, sample))
        before = len (bell.shown)
        activate (room, "reload")
        room.wait ("it is told that the trace is open", lambda: len (bell.shown) > before)
        gone = len (bell.gone)
        subprocess.run (["xdotool", "search", "--name", "my.etl", "windowactivate"], env=room.env, check=True)
        room.wait ("the window is in front", lambda: front (room) == "my.etl")
        room.wait ("the notification goes", lambda: before + 1 in bell.gone[gone:])


def who_looks_is_not_told (sample):
    with desk.Desk (NETSTITCH_NOTIFY_AFTER_MS="0") as room:
        bell = Bell (room)
        path = copy_of (room, sample)
        room.open_window (path)
        room.wait ("the trace is shown", lambda: front (room) == "my.etl" and room.find (holds="rows"))
        before = len (bell.shown)
        refuse (room, path)
        if len (bell.shown) != before:
            raise desk.Failed (f"who looked was told {bell.shown[before:]}")


def refusals_and_damage_are_told (sample):
    with desk.Desk (NETSTITCH_NOTIFY_AFTER_MS="0") as room:
        bell = Bell (room)
        path = copy_of (room, sample)
        open_and_turn_away (room, path)
        before = len (bell.shown)
        os.truncate (path, os.path.getsize (path) // 2)
        activate (room, "reload")
        room.wait ("a cut trace is told of", lambda: len (bell.shown) == before + 1)
        title, body = bell.shown[-1]
        if title != "my.etl is open" or "incomplete" not in body or "The file ends" not in body:
            raise desk.Failed (f"of a cut trace it says {title!r}, {body!r}")
        refuse (room, path)
        room.wait ("a refusal is told of", lambda: len (bell.shown) == before + 2)
        title, body = bell.shown[-1]
        if title != "my.etl could not be opened" or not body:
            raise desk.Failed (f"of a refusal it says {title!r}, {body!r}")


def who_waited_shortly_is_not_told (sample):
    with desk.Desk () as room:
        bell = Bell (room)
        path = copy_of (room, sample)
        open_and_turn_away (room, path)
        refuse (room, path)
        if bell.shown:
            raise desk.Failed (f"it was told at once: {bell.shown}")


def nobody_is_told_where_nothing_shows_it (sample):
    """Without a notification service nothing is sent, since GIO would log a warning."""
    with desk.Desk (NETSTITCH_NOTIFY_AFTER_MS="0") as room:
        path = copy_of (room, sample)
        open_and_turn_away (room, path)
        refuse (room, path)
        subprocess.run (["xdotool", "search", "--name", "my.etl", "windowactivate"], env=room.env, check=True)
        room.wait ("the window is in front", lambda: front (room) == "my.etl")
        wrong = [line for line in room.window_log ().splitlines () if desk.COMPLAINT.search (line)]
        if wrong:
            raise desk.Failed (f"on standard error: {wrong}")


if __name__ == "__main__":
    sys.exit (run_claims ("notify", (who_looks_away_is_told_and_led_back,
                                     what_was_told_goes_when_the_window_is_seen, who_looks_is_not_told, refusals_and_damage_are_told,
                                     who_waited_shortly_is_not_told, nobody_is_told_where_nothing_shows_it)))
