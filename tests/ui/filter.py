#!/usr/bin/python3
"""Claims about filtering, finding and going in the window, by its keys and by its actions.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys

import desk

try:
    from gi.repository import Gio, GLib
except ImportError:
    Gio = None

NAME = "org.netstitch.Netstitch"
PATH = "/org/netstitch/Netstitch/window/1"
ALL = 27


class Window:
    """A window to be asked and told by its actions, on a desk."""

    def __init__ (self, room, *arguments):
        self.room = room
        room.open_window (*arguments)
        self.bus = Gio.bus_get_sync (Gio.BusType.SESSION, None)
        room.wait ("the trace is open", lambda: self.state ()[0] == "trace")

    def call (self, method, parameters):
        return self.bus.call_sync (NAME, PATH, "org.gtk.Actions", method, parameters, None,
                                   Gio.DBusCallFlags.NONE, 5000, None)

    def read (self, action):
        reply = self.call ("Describe", GLib.Variant ("(s)", (action,)))
        return reply.unpack ()[0][2][0]

    def state (self):
        """(page, table, filter, rows, selected, begin, end)"""
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
    """A field, then a value of this trace, by keys alone."""
    window = Window (room, sample)
    room.keys ("ctrl+l")
    room.type ("serv")
    room.keys ("Down", "Return")
    room.type ("tele")
    room.wait ("a value is offered, and how many rows have it",
               lambda: "telemetry.example.org, 7" in texts (room))
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


def says_what_is_wrong (room, sample):
    """The reason stands below, the rows stay; Esc closes it."""
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
    """The button that shows all rows is there while something hides some."""
    window = Window (room, sample)
    button = lambda: room.find (role="push button", name="Show all rows")
    room.wait ("the entry is there", lambda: room.find (name="Filter"))
    if button () is not None:
        raise desk.Failed ("there is a button to clear an empty filter")
    window.say ("set-filter", "failed=true")
    window.wait_filter ("failed=true", 3)
    room.wait ("a filter can be cleared", button)
    window.say ("set-filter", "")
    window.wait_filter ("", ALL)
    room.wait ("nothing is left to clear", lambda: button () is None)


def keeps_its_size_with_the_panel (room, sample):
    """In the smallest window the panel takes its room from the rest, not from the desk."""
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


def keeps_what_is_off (room, sample):
    """A chip that is switched off is there, and off, when the trace is opened again."""
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


def filters_from_a_cell (room, sample):
    """O, X and Shift+O in the table; the value is that of the server."""
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
    window.say ("save-filter", "slow failures")
    window.say ("set-filter", "")
    window.say ("use-filter", "slow failures")
    window.wait_filter ("failed duration>500ms", 3)
    window.say ("forget-filter", "slow failures")
    window.say ("set-filter", "")
    window.say ("use-filter", "slow failures")
    window.wait_filter ("", ALL)


def follows (room, sample):
    """One step in, one step back."""
    window = Window (room, sample)
    window.select (0)
    for what, text, n_rows in (("connection", "tcp=2", 7), ("server", None, 7)):
        window.act ("follow-" + what)
        room.wait (f"the {what} is followed", lambda: window.state ()[3] == n_rows)
        if text is not None and window.state ()[2] != text:
            raise desk.Failed (f"{what}: {window.state ()[2]}")
        if not any ("mail.example.com" in said and said.startswith (what.capitalize ())
                    for said in texts (room)):
            raise desk.Failed (f"no chip is called by its {what}: {texts (room)}")
        window.act ("back")
        window.wait_filter ("", ALL)
        if window.state ()[4] != 1:
            raise desk.Failed ("the row is not selected any more")
    window.act ("follow-chain")
    room.wait ("the chain is followed", lambda: window.state ()[2].startswith ("id in ("))
    window.act ("undo-filter")
    window.wait_filter ("", ALL)


def follows_calls_of_a_socket (room, sample):
    """Among the calls: those of the same socket, as the command line lists them."""
    window = Window (room, sample)
    printed = subprocess.run ([os.environ["NETSTITCH_CLI"], "calls", sample, "--columns", "id", "--filter",
                               "endpoint=0xffffcc0000000100"], check=True, capture_output=True,
                              text=True).stdout.splitlines ()[1:]
    window.say ("show-tab", "calls")
    window.say ("set-filter", "pending=false")
    room.wait ("calls are filtered", lambda: window.state ()[1:3] == ("calls", "pending=false"))
    before = window.state ()[3]
    window.select (int (printed[2]) - 1)
    window.act ("follow-connection")
    room.wait (f"{len (printed)} calls are left: {window.state ()}",
               lambda: window.state ()[1] == "calls" and window.state ()[3] == len (printed))
    window.act ("undo-filter")
    window.wait_filter ("pending=false", before)


def goes_to_what_is_pasted (room, sample):
    window = Window (room, sample)
    for text, current, n_hits in (("198.51.100.7", 1, 1), ("pid 4312", 1, 9),
                                  ("https://files.example.net/x", 1, 1),
                                  ("0xffffaa0000007000", 1, 1), ("12029", 1, 1),
                                  ("ERROR_WINHTTP_TIMEOUT", 1, 1)):
        window.select ()
        window.say ("go-to-text", text)
        window.wait_hit (current, n_hits)
        room.wait (f"a row for {text} is selected", lambda: window.state ()[4] == 1)
    room.keys ("Return")
    window.say ("go-to-text", "12.5 s")
    room.wait ("the moment is in the middle",
               lambda: window.state ()[5] < 12500000000 < window.state ()[6]
               and window.state ()[6] - window.state ()[5] < 2000000000)
    window.say ("go-to-text", "#t=2s+3s;table=tcp;row=2")
    room.wait ("the link is followed",
               lambda: window.state ()[1] == "tcp"
               and window.state ()[5:] == (2000000000, 5000000000))
    # What a filter hides is shown, also when the filter has not answered yet.
    window.say ("show-tab", "activities")
    window.say ("set-filter", "failed")
    window.say ("go-to-text", "files.example.net")
    window.wait_filter ("", ALL)
    window.act ("undo-filter")
    window.wait_filter ("failed", 3)


def finds_frames (room, sample):
    window = Window (room, sample)
    room.keys ("ctrl+f")
    room.type ("OLMAPI32.DLL+0x3c1")
    room.wait ("rows behind the frame are found", lambda: window.read ("find-state")[2] > 0)
    n_hits = window.read ("find-state")[2]
    room.keys ("Return")
    window.wait_hit (1, n_hits)
    room.keys ("shift+Return")
    window.wait_hit (n_hits, n_hits)
    room.keys ("Return", "ctrl+g")
    window.wait_hit (2, n_hits)


def goes_back_to_the_start (room, sample):
    """Zoom, span and filter, fifty steps and more; then as many back."""
    window = Window (room, sample)
    start = window.state ()
    for i in range (20):
        window.act ("zoom-span", GLib.Variant ("(xx)", (i * 1000000, 5000000000 + i)))
        window.act ("select-span", GLib.Variant ("(xx)", (i, 1000000000 + i)))
        window.say ("set-filter", f"pid>{i}")
    room.wait ("the last filter is applied", lambda: window.state ()[2] == "pid>19")
    for i in range (50):
        window.act ("back")
    room.wait ("it is as it was in the beginning", lambda: window.state () == start)
    window.act ("forward")
    room.wait ("and not yet again", lambda: window.state () != start)


def opens_a_view (room, sample):
    """The words of the command line in, the words of a command line out."""
    window = Window (room, "--table=activities", "--filter", "failed", "--sort=-duration",
                     "--go", "#t=2s+10s", sample)
    window.wait_filter ("failed", 3)
    room.wait ("the place is gone to",
               lambda: window.state ()[5:] == (2000000000, 12000000000))
    window.act ("copy-command")
    said = []

    def is_copied ():
        clip = subprocess.run (["xclip", "-selection", "clipboard", "-o"], env=room.env,
                               capture_output=True, check=False, timeout=10)
        said[:] = [clip.stdout.decode ()]
        return said[0].startswith ("netstitch-cli activities ")

    try:
        room.wait ("the command is copied", is_copied)
    except FileNotFoundError:
        return
    command = said[0].replace ("netstitch-cli", os.environ["NETSTITCH_CLI"], 1)
    rows = subprocess.run (["sh", "-c", command.replace ("--format json", "--format tsv")],
                           capture_output=True, check=True).stdout.decode ().splitlines ()
    if len (rows) != 4:
        raise desk.Failed (f"{command} prints {rows}")
    path = os.path.join (room.folder, "view.tsv")
    window.say ("export-to", path)
    room.wait ("the rows are written", lambda: os.path.exists (path))
    with open (path) as file:
        # Titles of an export name the units.
        if [line.rstrip ("\n") for line in file][1:] != rows[1:]:
            raise desk.Failed ("the command prints other rows than the window shows")


def shows_what_went_wrong (room, sample):
    """The rules are asked beside the window; a finding leads to its rows."""
    window = Window (room, sample)
    window.say ("show-tab", "findings")
    room.wait ("the findings are shown", lambda: window.state ()[1:4] == ("findings", "", 46))
    window.select (3)
    room.wait ("one is selected", lambda: window.state ()[4] == 1)
    window.act ("show-finding")
    window.wait_filter ("id in (16,19,24,26,27)", 5)
    if window.state ()[1] != "activities":
        raise desk.Failed (f"the rows are elsewhere: {window.state ()}")
    window.say ("set-filter", "")
    window.say ("show-tab", "findings")
    window.select (0)
    window.act ("show-finding")
    room.wait ("what no operation stands on leads to the names",
               lambda: window.state ()[1:4] == ("dns", "id in (3)", 1))


CLAIMS = (completes, says_what_is_wrong, clears_only_what_is_there,
          keeps_its_size_with_the_panel, walks_chips_by_keys, keeps_what_is_off,
          filters_from_a_cell, keeps_filters_by_name, follows, follows_calls_of_a_socket, goes_to_what_is_pasted,
          finds_frames,
          goes_back_to_the_start, opens_a_view, shows_what_went_wrong)


def run (claim, sample):
    """In a process of its own: the library knows one desk for each."""
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
            print ("# " + f"{type (error).__name__}: {error}".replace ("\n", "\n# "), flush=True)
            status = 1
        os._exit (status)
    return os.waitstatus_to_exitcode (os.waitpid (child, 0)[1])


def main ():
    sample = os.environ["NETSTITCH_SAMPLE"]
    wanted = sys.argv[1:]
    failed = False
    print (f"1..{len (CLAIMS)}", flush=True)
    for number, claim in enumerate (CLAIMS, 1):
        name = "/filter/" + claim.__name__.replace ("_", "-")
        status = run (claim, sample) if not wanted or claim.__name__ in wanted else 77
        failed = failed or status not in (0, 77)
        print (("ok" if status in (0, 77) else "not ok") + f" {number} {name}"
               + (" # SKIP" if status == 77 else ""), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit (main ())
