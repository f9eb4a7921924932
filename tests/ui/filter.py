#!/usr/bin/python3
"""Tests filters of the window by keyboard and by actions.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys
import time

import desk

try:
    from gi.repository import Gio, GLib
except ImportError:
    Gio = None

NAME = "org.netstitch.Netstitch"
PATH = "/org/netstitch/Netstitch/window/1"
ALL = 27


class Window:
    """The program's window, controlled by its actions on D-Bus."""

    def __init__ (self, room, *arguments):
        self.room = room
        room.open_window (*arguments)
        self.bus = Gio.bus_get_sync (Gio.BusType.SESSION, None)
        room.wait ("the trace is open", lambda: self.state ()[0] == "trace")

    def call (self, method, parameters):
        return self.bus.call_sync (NAME, PATH, "org.gtk.Actions", method, parameters, None,
                                   Gio.DBusCallFlags.NONE, 30000, None)

    def read (self, action):
        reply = self.call ("Describe", GLib.Variant ("(s)", (action,)))
        return reply.unpack ()[0][2][0]

    def state (self):
        """Returns (page, table, filter, rows, selected, begin, end)."""
        return self.read ("state")

    def act (self, action, parameter=None):
        parameters = [parameter] if parameter is not None else []
        self.call ("Activate", GLib.Variant ("(sava{sv})", (action, parameters, {})))

    def say (self, action, text):
        self.act (action, GLib.Variant ("s", text))

    def select (self, *rows):
        self.act ("select-rows", GLib.Variant ("au", rows))

    def wait_filter (self, text, n_rows):
        self.room.wait (f"the filter is {text!r} and {n_rows} rows are left: {self.state ()}",
                        lambda: (self.state ()[2], self.state ()[3]) == (text, n_rows))

    def wait_hit (self, current, n_hits):
        self.room.wait (f"hit {current} of {n_hits} is looked at",
                        lambda: self.read ("find-state")[1:] == (current, n_hits, False))


def texts (room):
    return [desk.text_of (node) for node in room.walk ()]


def completes (room, sample):
    """Completes a field, and then a value of this trace, by keyboard."""
    window = Window (room, sample)
    room.keys ("ctrl+l")
    room.type ("serv")
    room.keys ("Down", "Return")
    room.type ("tele")
    room.wait ("a value is offered, and how many rows have it",
               lambda: "telemetry.example.org, 7" in texts (room))
    offers = room.find (name="Completions")
    offer = room.find (name="telemetry.example.org, 7")
    if desk.box_of (offers).height > 1.5 * desk.box_of (offer).height:
        raise desk.Failed ("the list is higher than the one value it offers")
    room.keys ("Down", "Return")
    window.wait_filter ("server:telemetry.example.org", 7)
    room.keys ("Return")
    room.wait ("it is a chip",
               lambda: any (text.startswith ("server:telemetry.example.org, 7")
                            for text in texts (room)))
    window.act ("set-filter", GLib.Variant ("s", ""))
    window.say ("type-filter", "server:")
    window.act ("take-offer", GLib.Variant ("u", 0))
    window.wait_filter ("server:mail.example.com", 7)


def offers_what_fits_at_once (room, sample):
    """Right after an operator is typed, values are suggested, not fields."""
    Window (room, sample)
    room.keys ("ctrl+l")
    room.type ("server=")
    room.wait ("values are offered", lambda: "mail.example.com, 7" in texts (room))


def says_what_is_wrong (room, sample):
    """An error is shown below the entry while the rows stay; Esc closes it."""
    window = Window (room, sample)
    window.say ("set-filter", "failed")
    window.wait_filter ("failed", 3)
    room.keys ("ctrl+l")
    room.type ("nosuch>3")
    reason = "there is no such field; to look for the text, quote it"
    room.wait ("the reason is told", lambda: reason in texts (room))
    if window.state ()[2:4] != ("failed", 3):
        raise desk.Failed (f"the last good rows are gone: {window.state ()}")
    room.keys ("Escape")
    room.wait ("the reason is closed", lambda: reason not in texts (room))


def clears_only_what_is_there (room, sample):
    """The button that shows all rows exists only while a filter hides some."""
    window = Window (room, sample)
    button = lambda: room.find (role="push button", name="Show all rows")
    room.wait ("the entry is there", lambda: room.find (name="Filter"))
    if button () is not None:
        raise desk.Failed ("there is a button to clear an empty filter")
    window.say ("set-filter", "failed=true")
    window.wait_filter ("failed=true", 3)
    desk.Atspi.Action.do_action (room.wait ("a filter can be cleared", button), 0)
    window.wait_filter ("", ALL)
    room.wait ("nothing is left to clear", lambda: button () is None)


def keeps_its_size_with_the_panel (room, sample):
    """In the smallest window, the panel takes space from the other parts and does not enlarge the window."""
    Window (room, sample)
    subprocess.run (["xdotool", "getactivewindow", "windowsize", "900", "600"], env=room.env,
                    check=True)
    frame = lambda: room.application ().get_child_at_index (0)
    room.wait ("the window is small", lambda: desk.box_of (frame ()).width <= 900)
    room.wait ("the panel has gone", lambda: room.find (role="page tab", name="Flame") is None)
    room.keys ("F9")
    room.wait ("the panel is there", lambda: room.find (role="page tab", name="Flame"))
    if desk.box_of (frame ()).width > 900:
        raise desk.Failed (f"the window is {desk.box_of (frame ()).width} wide")


def walks_chips_by_keys (room, sample):
    window = Window (room, sample)
    window.say ("set-filter", "failed=true pid=4312")
    window.wait_filter ("failed=true pid=4312", 2)
    room.keys ("ctrl+l", "Left", "space")
    window.wait_filter ("failed=true", 3)
    room.keys ("space", "Left", "Delete")
    window.wait_filter ("pid=4312", 9)
    room.keys ("ctrl+z")
    window.wait_filter ("failed=true pid=4312", 2)
    room.keys ("ctrl+l", "BackSpace")
    room.keys ("ctrl+a")
    room.type ("pid=9036")
    window.wait_filter ("failed=true pid=9036", 1)


def takes_back_step_by_step (room, sample):
    """Ctrl+Z in the entry undoes typing first and then filters, and does not redo."""
    def typed ():
        node = room.focused ()
        return desk.Atspi.Text.get_text (node, 0, desk.Atspi.Text.get_character_count (node))

    def expect (words, text, n_rows):
        window.wait_filter (text, n_rows)
        if typed () != words:
            raise desk.Failed (f"{typed ()!r} stands in the entry, not {words!r}")

    window = Window (room, sample)
    room.keys ("ctrl+l")
    room.wait ("the entry has the keyboard", lambda: desk.text_of (room.focused ()) == "Filter")
    room.type ("pid=4312")
    window.wait_filter ("pid=4312", 9)
    room.keys ("Return")
    room.type ("failed")
    window.wait_filter ("pid=4312 failed", 2)
    room.keys ("ctrl+z")
    expect ("", "pid=4312", 9)
    room.keys ("ctrl+z")
    expect ("", "", ALL)
    for _ in range (3):
        room.keys ("ctrl+z")
    time.sleep (0.5)
    expect ("", "", ALL)
    # Text that is not a valid filter is undone, with and without a previous filter.
    room.type ("nosuch>3")
    room.wait ("the reason is told", lambda: room.find (holds="there is no such field"))
    room.keys ("ctrl+z")
    expect ("", "", ALL)
    room.type ("failed")
    window.wait_filter ("failed", 3)
    room.type (" nosuch>3")
    room.wait ("the reason is told again", lambda: room.find (holds="there is no such field"))
    room.keys ("ctrl+z")
    expect ("failed", "failed", 3)
    # In another entry Ctrl+Z undoes typing there.
    room.keys ("ctrl+f")
    room.type ("mail")
    room.keys ("ctrl+z")
    room.wait ("its letters are taken back", lambda: typed () != "mail")
    if window.state ()[2] != "failed":
        raise desk.Failed ("the filter went, too")


def keeps_what_is_off (room, sample):
    """A filter chip that is switched off is restored when the trace is opened again."""
    window = Window (room, sample)
    window.say ("set-filter", "failed=true pid=4312")
    window.act ("chip-toggle", GLib.Variant ("u", 0))
    window.wait_filter ("pid=4312", 9)
    room.keys ("ctrl+w")
    room.window.wait (desk.PATIENCE_S)
    window = Window (room, sample)
    window.wait_filter ("pid=4312", 9)
    window.act ("chip-toggle", GLib.Variant ("u", 0))
    window.wait_filter ("failed=true pid=4312", 2)
    # The accessible name uses the singular for one row.
    window.say ("set-filter", "pid=4312 status=503")
    room.wait ("a chip is spoken of as one row", lambda: "status=503, 1 row" in texts (room))


def filters_from_a_cell (room, sample):
    """O, X and Shift+O in the table filter by the server of the row."""
    window = Window (room, sample)
    window.select (0)
    window.act ("only-value")
    window.wait_filter ('server="mail.example.com"', 7)
    window.act ("undo-filter")
    window.act ("without-value")
    window.wait_filter ('-server="mail.example.com"', 20)


def keeps_filters_by_name (room, sample):
    window = Window (room, sample)
    window.say ("set-filter", "failed duration>500ms")
    window.wait_filter ("failed duration>500ms", 3)
    saved = room.find (role="push button", holds="Saved")
    box = desk.box_of (saved)
    subprocess.run (["xdotool", "mousemove", str (box.x + box.width // 2), str (box.y + box.height // 2), "click", "1"],
                    env=room.env, check=True)
    room.wait ("its name can be typed", lambda: desk.text_of (room.focused ()) == "Name for this filter")
    room.type ("slow failures")
    room.keys ("Return")
    room.wait ("it is said that it is saved", lambda: room.find (holds="Filter saved"))
    window.say ("set-filter", "")
    window.say ("use-filter", "slow failures")
    window.wait_filter ("failed duration>500ms", 3)
    window.say ("forget-filter", "slow failures")
    window.say ("set-filter", "")
    window.say ("use-filter", "slow failures")
    window.wait_filter ("", ALL)


def run (claim, sample):
    """Runs a test in a child process, since AT-SPI connects to one desktop per process."""
    child = os.fork ()
    if child == 0:
        status = 0
        try:
            with desk.Desk () as room:
                claim (room, sample)
        except desk.NoDesk as error:
            print (f"# {error}", flush=True)
            status = 77
        except BaseException as error:  # pylint: disable=broad-except
            said = f"{type (error).__name__}: {error}"
            print ("# " + said.replace ("\n", "\n# "), flush=True)
            # Meson shows standard error of a failed test.
            print (f"{claim.__name__}: {said}", file=sys.stderr, flush=True)
            status = 1
        os._exit (status)
    return os.waitstatus_to_exitcode (os.waitpid (child, 0)[1])


def main (suite, claims):
    sample = os.environ["NETSTITCH_SAMPLE"]
    wanted = sys.argv[1:]
    failed = False
    print (f"1..{len (claims)}", flush=True)
    for number, claim in enumerate (claims, 1):
        name = f"/{suite}/" + claim.__name__.replace ("_", "-")
        status = run (claim, sample) if not wanted or claim.__name__ in wanted else 77
        failed = failed or status not in (0, 77)
        print (("ok" if status in (0, 77) else "not ok") + f" {number} {name}"
               + (" # SKIP" if status == 77 else ""), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit (main ("filter", (completes, offers_what_fits_at_once, says_what_is_wrong,
                               clears_only_what_is_there,
                               keeps_its_size_with_the_panel, walks_chips_by_keys, takes_back_step_by_step,
                               keeps_what_is_off,
                               filters_from_a_cell, keeps_filters_by_name)))
