#!/usr/bin/python3
"""Tests navigation between rows: follow, go to, find, and back.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shlex
import subprocess
import sys

import desk
from filter import ALL, GLib, Window, main, texts


def follows (room, sample):
    """Follows the connection and the server of a row, and goes back."""
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


def printed_calls (sample, text):
    """Returns the ids of the calls that the command line prints for a filter."""
    return subprocess.run ([os.environ["NETSTITCH_CLI"], "calls", sample, "--columns", "id", "--filter", text],
                           check=True, capture_output=True, text=True).stdout.splitlines ()[1:]


def follows_calls_of_a_socket (room, sample):
    """Following a call filters by its socket; the command line prints the same rows."""
    window = Window (room, sample)
    printed = printed_calls (sample, "endpoint=0xffffcc0000000100")
    before = len (printed_calls (sample, "pending=false"))
    window.say ("show-tab", "calls")
    window.say ("set-filter", "pending=false")
    room.wait ("calls are filtered", lambda: window.state ()[1:4] == ("calls", "pending=false", before))
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
    # The timeline scrolls to the row without changing the zoom.
    window.act ("zoom-span", GLib.Variant ("(xx)", (10000000000, 11000000000)))
    window.say ("go-to-text", "files.example.net")
    room.wait ("the row is in view",
               lambda: window.state ()[5] < 5000000000 < window.state ()[6]
               and window.state ()[6] - window.state ()[5] == 1000000000)
    room.keys ("Return")
    window.act ("zoom-whole")
    window.say ("go-to-text", "12.5 s")
    room.wait ("the moment is in the middle",
               lambda: window.state ()[5] < 12500000000 < window.state ()[6]
               and window.state ()[6] - window.state ()[5] < 2000000000)
    window.say ("go-to-text", "#t=2s+3s;table=tcp;row=2")
    room.wait ("the link is followed",
               lambda: window.state ()[1] == "tcp"
               and window.state ()[5:] == (2000000000, 5000000000))
    # Going to a row that the filter hides removes the filter, even before the filter has finished.
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
    # Return right after typing goes to matches of the whole text.
    room.keys ("ctrl+a")
    room.type ("OLMAPI32.DLL")
    room.keys ("Return")
    room.wait ("one of its hits is looked at",
               lambda: window.read ("find-state")[0] == "OLMAPI32.DLL" and window.read ("find-state")[1] > 0)
    room.keys ("ctrl+a")
    room.type ("OLMAPI32.DLL+0x3c1")
    room.keys ("Return")
    window.wait_hit (1, n_hits)
    room.keys ("shift+Return")
    window.wait_hit (n_hits, n_hits)
    room.keys ("Return", "ctrl+g")
    window.wait_hit (2, n_hits)


def goes_back_to_the_start (room, sample):
    """Sixty changes of zoom, span and filter; going back restores the initial state."""
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
    """Opens a view by command-line options, and copies an equivalent command."""
    window = Window (room, "--table=activities", "--filter", "failed", "--sort=-duration",
                     "--go", "#t=2s+10s", sample)
    window.wait_filter ("failed", 3)
    room.wait ("the place is gone to",
               lambda: window.state ()[5:] == (2000000000, 12000000000))
    window.act ("copy-command")
    said = []

    def is_copied ():
        try:
            clip = subprocess.run (["xclip", "-selection", "clipboard", "-o"], env=room.env,
                                   capture_output=True, check=False, timeout=10)
        except subprocess.TimeoutExpired:
            return False
        said[:] = [clip.stdout.decode ()]
        return said[0].startswith ("netstitch-cli activities ")

    try:
        room.wait ("the command is copied", is_copied)
    except FileNotFoundError:
        return
    command = said[0].replace ("netstitch-cli", shlex.quote (os.environ["NETSTITCH_CLI"]), 1)
    rows = subprocess.run (["sh", "-c", command.replace ("--format json", "--format tsv")],
                           capture_output=True, check=True).stdout.decode ().splitlines ()
    if len (rows) != 4:
        raise desk.Failed (f"{command} prints {rows}")
    path = os.path.join (room.folder, "view.tsv")
    window.say ("export-to", path)
    room.wait ("the rows are written", lambda: os.path.exists (path))
    with open (path) as file:
        # The titles of an export have units, so they differ.
        if [line.rstrip ("\n") for line in file][1:] != rows[1:]:
            raise desk.Failed ("the command prints other rows than the window shows")


def shows_what_went_wrong (room, sample):
    """A finding leads to its activities, or to rows of another table if it has none."""
    n_found = len (subprocess.run ([os.environ["NETSTITCH_CLI"], "findings", sample, "--filter", "verdict=found",
                                    "--format", "tsv"], check=True, capture_output=True,
                                   text=True).stdout.splitlines ()) - 1
    window = Window (room, sample)
    window.say ("show-tab", "findings")
    room.wait ("the findings are shown", lambda: window.state ()[1:4] == ("findings", "", n_found))
    window.select (2)
    room.wait ("one is selected", lambda: window.state ()[4] == 1)
    window.act ("show-finding")
    window.wait_filter ("finding:D32", 5)
    if window.state ()[1] != "activities":
        raise desk.Failed (f"the rows are elsewhere: {window.state ()}")
    window.say ("set-filter", "")
    window.say ("show-tab", "findings")
    window.select (4)
    window.act ("show-finding")
    room.wait ("what no operation stands on leads to the names",
               lambda: window.state ()[1:4] == ("dns", "id in (3)", 1))


def printed_rows (sample, text):
    """Returns the number of rows that the command line prints for a filter."""
    return len (subprocess.run ([os.environ["NETSTITCH_CLI"], "activities", sample, "--filter", text,
                                 "--format", "tsv"], check=True, capture_output=True,
                                text=True).stdout.splitlines ()) - 1


def follows_a_process (room, sample):
    """Follows the process of an activity, and of a row in the table of processes."""
    window = Window (room, sample)
    n_rows = printed_rows (sample, "pid=4312")
    window.select (0)
    window.act ("follow-process")
    window.wait_filter ("pid=4312", n_rows)
    room.wait ("a chip is called by the process",
               lambda: any (said.startswith ("OUTLOOK.EXE (4312)") for said in texts (room)))
    window.act ("undo-filter")
    window.wait_filter ("", ALL)
    window.say ("show-tab", "processes")
    room.wait ("the processes are shown", lambda: window.state ()[1] == "processes")
    window.select (3)
    window.act ("follow-process-tree")
    tree = 'process_tree:"(7720)"'
    n_rows = printed_rows (sample, tree)
    window.wait_filter (tree, n_rows)
    if window.state ()[1] != "activities" or not 0 < n_rows < ALL:
        raise desk.Failed (f"operations are not shown: {window.state ()}")
    room.wait ("a chip says what it started, too",
               lambda: any (said.startswith ("EXCEL.EXE (7720) and its descendants") for said in texts (room)))


if __name__ == "__main__":
    sys.exit (main ("ways", (follows, follows_a_process, follows_calls_of_a_socket, goes_to_what_is_pasted,
                             finds_frames, goes_back_to_the_start, opens_a_view, shows_what_went_wrong)))
