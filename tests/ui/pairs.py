#!/usr/bin/python3
"""Tests the Paired tab, which shows requests at both endpoints.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import struct
import subprocess
import sys

import desk
from walk import activate, check_names, run_claims

sys.path.insert (0, str (pathlib.Path (__file__).parent.parent / "cli"))
from two_machines import MS, START, US, Network  # noqa: E402


def make_captures (room):
    """Writes captures of forty requests over ten connections; the server's clock is 1.7 s ahead."""
    net = Network (3, 1_700_000_000, 0, 450 * US, 200 * US)
    for number in range (10):
        ends = (("10.1.0.5", 50000 + number), ("192.0.2.80", 80))
        time, numbers = net.connect (START + number * 700 * MS, ends)
        for turn in range (4):
            time = net.request (time, ends, numbers, f"/{number}/{turn}", (turn + 3) * MS)[0] + 5 * MS
        net.close (time, ends, numbers)
    net.write (pathlib.Path (room.folder))
    return [os.path.join (room.folder, name) for name in ("client.pcap", "server.pcap")]


def set_processors (path, n_processors):
    """Changes the number of processors of a trace, so that it is from another computer."""
    with open (path, "r+b") as file:
        # TRACE_LOGFILE_HEADER follows the headers of the buffer and of its first record.
        file.seek (0x48 + 0x20 + 0x0c)
        file.write (struct.pack ("<I", n_processors))


def make_etl (room, name, n_processors):
    """Converts a capture to a trace of a computer with n_processors."""
    made = os.path.join (room.folder, name + ".etl")
    subprocess.run ([os.environ["NETSTITCH_CLI"], "export", os.path.join (room.folder, name + ".pcap"), "--as", "etl",
                     "-o", made], check=True, stderr=subprocess.DEVNULL)
    set_processors (made, n_processors)
    return made


def make_traces (room):
    """Writes traces of forty requests, four of them over a connection that the server did not record."""
    net = Network (3, 1_700_000_000, 0, 450 * US, 200 * US)
    for number in range (10):
        ends = (("10.1.0.5", 50000 + number), ("192.0.2.80", 80))
        there = False if number == 4 else None
        time, numbers = net.connect (START + number * 40 * MS, ends, there)
        for turn in range (4):
            time = net.request (time, ends, numbers, f"/{number}/{turn}", (turn + 3) * MS, there)[0] + 5 * MS
        net.close (time, ends, numbers, there)
    net.write (pathlib.Path (room.folder))
    return [make_etl (room, name, 2 + number) for number, name in enumerate (("client", "server"))]


def make_three (room):
    """Writes captures of a server and of two clients."""
    folder = pathlib.Path (room.folder)
    seen = []
    for number, name in enumerate (("near", "far")):
        net = Network (3 + number, 1_700_000_000, 0, 450 * US, 200 * US)
        ends = ((f"10.1.0.{number}", 50000), ("192.0.2.80", 80))
        time, numbers = net.connect (START, ends)
        for turn in range (4 + number):
            time = net.request (time, ends, numbers, f"/{name}/{turn}", 3 * MS)[0] + 5 * MS
        net.close (time, ends, numbers)
        seen += net.seen[1]
        net.write (folder)
        os.rename (folder / "client.pcap", folder / (name + ".pcap"))
    net.seen = ([], seen)
    net.write (folder)
    return [make_etl (room, name, 2 + number) for number, name in enumerate (("near", "far", "server"))]


def activate_in (room, window, action, value=None):
    """Like activate(), but for any window; a disabled action has no effect."""
    subprocess.run (["gdbus", "call", "--session", "--dest", "org.netstitch.Netstitch",
                     "--object-path", f"/org/netstitch/Netstitch/window/{window}",
                     "--method", "org.gtk.Actions.Activate", action, f"[<{value}>]" if value is not None else "[]", "{}"],
                    env=room.env, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def printed (client, server):
    return json.loads (subprocess.run ([os.environ["NETSTITCH_CLI"], "pairs", client, server, "--format", "json"],
                                       check=True, stdout=subprocess.PIPE, text=True).stdout)


def press (room, name):
    node = room.wait (f"{name} is there", lambda: room.find (role="push button", name=name))
    desk.Atspi.Action.do_action (node, 0)


def in_ms (time):
    return f"{time / 1e6:,.1f}"


def list_is_that_of_the_command_line (_):
    with desk.Desk () as room:
        client, server = make_captures (room)
        rows = printed (client, server)
        room.open_window (client)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "pair-with", f"'{server}'")
        room.wait ("both ends are found", lambda: room.find (holds="requests: 40, seen at both: 40"))
        room.wait ("the clock is told", lambda: room.find (holds="server.pcap is 1,700."))
        shown = {desk.text_of (node) for node in room.walk (cells=True)}
        for row in rows[:5]:
            for name in ("network_out_ns", "server_work_ns", "network_back_ns", "duration_ns"):
                if in_ms (row[name]) not in shown:
                    raise desk.Failed (f"the list lacks {name} {in_ms (row[name])} of {row}; it shows {sorted (filter (None, shown))}")
        check_names (room, "the list of both ends")
        # A manual clock offset is shown as such, and can be reset.
        room.keys ("alt+m")
        room.keys ("ctrl+a")
        room.type ("1690")
        room.keys ("Return")
        room.wait ("it is said by hand", lambda: room.find (holds="The clock was set manually."))
        press (room, "Automatic")
        room.wait ("the clock is found again", lambda: room.find (holds="server.pcap is 1,700."))
        press (room, "Go to Server")
        room.wait ("the other trace is shown", lambda: room.find (holds="1 row selected"))


def clock_by_hand_is_kept (_):
    with desk.Desk () as room:
        client, server = make_captures (room)
        room.open_window (client)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "pair-with", f"'{server}'")
        room.wait ("the clock is told", lambda: room.find (holds="server.pcap is 1,700."))
        room.keys ("alt+m")
        room.keys ("ctrl+a")
        room.type ("1690")
        room.keys ("Return")
        room.wait ("it is said by hand", lambda: room.find (holds="The clock was set manually."))
        room.keys ("Escape")
        room.wait ("the window is closed", lambda: room.find (holds="The clock was set manually.") is None)
        activate (room, "pair-with", f"'{server}'")
        room.wait ("it is as it was said", lambda: room.find (holds="The clock was set manually."))
        press (room, "Automatic")
        room.wait ("the clock is found again", lambda: room.find (holds="server.pcap is 1,700."))
        room.keys ("Escape")
        room.wait ("the window is closed", lambda: room.find (holds="server.pcap is 1,700.") is None)
        activate (room, "pair-with", f"'{server}'")
        room.wait ("what was said is forgotten", lambda: room.find (holds="server.pcap is 1,700."))


def two_machines_have_a_tab (_):
    with desk.Desk () as room:
        client, server = make_traces (room)
        room.open_window (client)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        # The running instance opens both; the trace of the other machine gets its own window.
        subprocess.run ([os.environ["NETSTITCH"], client, server], env=room.env, check=True)
        tab = lambda: room.find (role="page tab", holds="Paired")

        # The window of the server was opened last and is active.
        room.wait ("the trace of the server has a tab", tab)
        activate_in (room, 2, "show-pairs")
        room.wait ("the server's table is there", lambda: room.find (holds="4 of 40 requests are not paired: 4 used"))
        check_names (room, "the tab of pairs")
        activate_in (room, 2, "pair-next-unpaired")
        room.wait ("all of it is paired", lambda: room.find (holds="Each request of this trace was seen at both ends."))
        activate_in (room, 2, "go-to-text", "'#table=activities;row=1'")
        room.wait ("a row is chosen", lambda: room.find (holds="1 row selected"))
        # The row of the other endpoint is in the other window, which shows the tab once it is active.
        activate_in (room, 2, "pair-other-end")
        room.wait ("the way of the request is told", lambda: room.find (holds="the request reached server.etl after"))
        activate_in (room, 1, "show-pairs")
        room.wait ("the client's table is there",
                   lambda: room.find (holds="4 of 40 requests are not paired: 4 used connections that server.etl did not "
                                            "record."))
        activate_in (room, 1, "pair-next-unpaired")
        room.wait ("it has no other end", lambda: room.find (holds="the request was not seen on server.etl"))
        activate_in (room, 1, "pair-other-end")
        room.wait ("it says so", lambda: room.find (holds="The request was not seen on server.etl."))
        # The tab applies the filter of the activities.
        activate_in (room, 1, "set-filter", "'url:/0/'")
        room.wait ("few are left", lambda: room.find (holds="Each request is paired."))


def name_in_front (room):
    return subprocess.run (["xdotool", "getactivewindow", "getwindowname"], env=room.env, check=False,
                           stdout=subprocess.PIPE, text=True).stdout


def is_at_list_item (room):
    """Returns whether a list item has the focus, so that the list is open."""
    room.forget ()
    focused = room.focused ()
    return focused is not None and focused.get_role_name () == "list item"


def one_of_three_machines_is_chosen (_):
    with desk.Desk () as room:
        near, far, server = make_three (room)
        room.open_window (server)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        subprocess.run ([os.environ["NETSTITCH"], near, far], env=room.env, check=True)
        room.wait ("all are read", lambda: all (room.find (role="frame", name=os.path.basename (path)) for path in (near, far)))
        # Activates the window of the server again.
        subprocess.run ([os.environ["NETSTITCH"], server], env=room.env, check=True)
        room.wait ("the server's window is in front", lambda: name_in_front (room).startswith ("server.etl"))
        room.wait ("the server's trace is paired with one", lambda: room.find (role="page tab", holds="Paired"))
        activate_in (room, 1, "show-pairs")
        room.wait ("others can be chosen", lambda: room.find (role="push button", holds="Other machine: "))
        check_names (room, "the tab with a choice of machines")
        for name, n_rows in (("far.etl", 5), ("near.etl", 4), ("far.etl", 5)):
            room.keys ("alt+m")
            room.wait ("the machines are offered", lambda: is_at_list_item (room))
            room.keys ("Home" if name == "far.etl" else "End", "Return")
            room.wait (f"{name} is chosen", lambda name=name: room.find (role="push button", holds=f"Other machine: {name}"))
            room.wait ("its requests are there", lambda n=n_rows: room.find (holds=f"Median of {n} paired"))


def one_machine_has_one_end (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "pair-with", f"'{sample}'")
        room.wait ("it says so", lambda: room.find (holds="both were recorded by one machine"))
        if room.find (role="page tab", holds="Paired") is not None:
            raise desk.Failed ("one machine has a tab of pairs")


if __name__ == "__main__":
    sys.exit (run_claims ("pairs", (list_is_that_of_the_command_line, clock_by_hand_is_kept, two_machines_have_a_tab, one_of_three_machines_is_chosen,
                                    one_machine_has_one_end)))
