#!/usr/bin/python3
"""Tests the tabs of packets and conversations.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys
import time

import desk
from walk import activate, check_names, run_claims

DO_THIS = "Select a packet to see its fields and its bytes here."


def open_packets (room, extra=None):
    path = os.path.join (room.folder, "packets.etl")
    subprocess.run ([os.environ["NETSTITCH_MAKE_PACKETS"], path], check=True)
    room.open_window (path, extra=extra)
    room.wait ("the row is there", lambda: room.find (holds="1 row · "))
    activate (room, "show-tab", "'packets'")
    room.wait ("the pane says what to do", lambda: room.find (role="label", name=DO_THIS))


def fields (room):
    """Returns the visible lists of fields."""
    return [node for node in room.walk ()
            if node.get_role_name () == "list" and desk.text_of (node) == "Fields of the packet"]


def choose_packet (room, row):
    activate (room, "go-to", f"('packets', uint32 {row})")
    return room.wait ("the fields are there", lambda: fields (room))


def the_tree_stands_beside_the_bytes (sample):
    with desk.Desk () as room:
        open_packets (room)
        lists = choose_packet (room, 0)
        if len (lists) != 1:
            raise desk.Failed (f"the fields are listed {len (lists)} times")
        below = desk.box_of (lists[0])
        hex_view = room.wait ("the bytes are there", lambda: room.find (role="text", holds="Bytes: "))
        if desk.box_of (hex_view).x <= below.x + below.width // 2:
            raise desk.Failed ("the bytes do not stand beside the tree")
        room.wait ("the packet is told", lambda: room.find (role="label", holds="Packet 1 · "))
        room.wait ("all of it was captured", lambda: room.find (role="label", holds=" bytes · all captured"))
        room.wait ("the status bar counts", lambda: room.find (holds="1 packet selected"))
        room.wait ("and says what is chosen in it", lambda: room.find (holds="1 packet selected   "))
        activate (room, "select-rows", "[uint32 0, uint32 1]")
        # With two packets selected, the status bar shows no field, which would seem to belong to both.
        room.wait ("of two nothing is chosen", lambda: room.find (name="2 packets selected"))
        activate (room, "select-rows", "[uint32 0]")
        room.wait ("one is selected again", lambda: room.find (holds="1 packet selected   "))
        if room.find (role="label", holds="Decoded by") is not None:
            raise desk.Failed ("a packet is said to be described by a manifest")
        if room.steady (lambda: any (node.get_role_name () == "label" and desk.text_of (node) == "Type"
                                     for node in room.walk (cells=True))):
            raise desk.Failed ("fields of a packet have a column of types, which they lack")
        check_names (room, "the tab of packets")


def what_an_empty_table_says_lies_below_its_titles (sample):
    """The text of an empty table is below the column titles, although the pane leaves the table little space."""
    with desk.Desk (size="1200x700") as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "show-tab", "'packets'")
        said = room.wait ("what is missing is said", lambda: room.find (role="label", holds="This trace has no events of"))
        title = room.wait ("the columns have titles", lambda: room.steady (
            lambda: next ((node for node in room.walk (cells=True)
                           if node.get_role_name () == "label" and desk.text_of (node) == "Direction"), None)))

        def is_below ():
            above = desk.box_of (title)
            return desk.box_of (said).y >= above.y + above.height
        room.wait ("no title lies under it", is_below)


def a_field_is_its_bytes_both_ways (sample):
    with desk.Desk () as room:
        open_packets (room)
        choose_packet (room, 0)
        activate (room, "choose-field", "'Destination port'")
        room.wait ("its bytes are told", lambda: room.find (holds="field Destination port, bytes 36–37"))
        room.wait ("its bytes are marked", lambda: room.find (role="text", holds="Bytes: Destination port, "))
        activate (room, "choose-byte", "uint32 23")
        room.wait ("the byte has a field", lambda: room.find (holds="field Protocol, byte 23"))
        activate (room, "choose-field", "'Host'")
        room.wait ("the message is taken apart", lambda: room.find (holds="field Host, bytes "))
        activate (room, "choose-field", "'First line'")
        choose_packet (room, 1)
        room.wait ("another packet is told", lambda: room.find (role="label", holds="Packet 2 · "))


def conversations_are_rows (sample):
    with desk.Desk () as room:
        open_packets (room)
        activate (room, "show-tab", "'flows'")
        table = room.wait ("the table is there", lambda: room.find (role="table", name="Conversations")
                           or room.find (role="tree table", name="Conversations"))
        room.wait ("who talked to whom", lambda: any (
            "10.0.0.5:50001" in desk.text_of (node) for node in room.walk (table, cells=True)))
        room.wait ("they are counted", lambda: room.find (role="status bar", holds="1 row"))


def packets_of_a_conversation_are_exported (sample):
    with desk.Desk () as room:
        open_packets (room)
        activate (room, "show-tab", "'flows'")
        room.wait ("they are counted", lambda: room.find (role="status bar", holds="1 row"))
        path = os.path.join (room.folder, "conversation.pcapng")
        activate (room, "export-to", f"'{path}'")
        room.wait ("their packets are written", lambda: os.path.exists (path))
        with open (path, "rb") as file:
            data = file.read ()
        # Counts enhanced packet blocks by walking the block lengths.
        at, n_packets = 0, 0
        while at < len (data):
            n_packets += int.from_bytes (data[at:at + 4], "little") == 6
            at += int.from_bytes (data[at + 4:at + 8], "little")
        if n_packets != 3:
            raise desk.Failed (f"{n_packets} packets are exported, not 3")


def take_apart (room, extra=None):
    open_packets (room, extra)
    choose_packet (room, 0)
    button = room.wait ("the button is there", lambda: room.find (name="Wireshark's Fields"))
    desk.Atspi.Action.do_action (button, 0)


def sharkds_of (pid):
    """Returns the sharkd child processes of a process."""
    found = set ()
    for folder in os.listdir ("/proc"):
        try:
            with open (f"/proc/{folder}/stat") as file:
                before, _, behind = file.read ().rpartition (") ")
        except OSError:
            continue
        if before.endswith ("(sharkd") and behind.split ()[1] == str (pid):
            found.add (folder)
    return found


def quit_program (room):
    subprocess.run (["gdbus", "call", "--session", "--dest", "org.netstitch.Netstitch",
                     "--object-path", "/org/netstitch/Netstitch",
                     "--method", "org.gtk.Actions.Activate", "quit", "[]", "{}"],
                    env=room.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    room.window.wait (20)
    room.window = None


def wireshark_takes_packets_apart (sample):
    """Fields of Wireshark mark bytes, too; the sharkd process is reused for the next packet, and ends with the
    program."""
    if shutil.which ("tshark") is None and shutil.which ("sharkd") is None:
        raise desk.NoDesk ("there is neither tshark nor sharkd")
    with desk.Desk () as room:
        take_apart (room)
        room.wait ("they are there", lambda: room.find (role="label", name="Fields: Wireshark"))
        activate (room, "choose-field", "'Destination Port'")
        room.wait ("its bytes are told", lambda: room.find (holds="field Destination Port, bytes 36–37"))
        waiting = sharkds_of (room.window.pid)
        if len (waiting) != (shutil.which ("sharkd") is not None):
            raise desk.Failed (f"{len (waiting)} sharkds are there")
        choose_packet (room, 1)
        room.wait ("the next packet is told", lambda: room.find (role="label", holds="Packet 2 · "))
        room.wait ("its fields are there", lambda: room.find (role="label", name="Fields: Wireshark"))
        if sharkds_of (room.window.pid) != waiting:
            raise desk.Failed ("the next packet has a sharkd of its own")
        quit_program (room)
        left = [pid for pid in waiting if os.path.exists (f"/proc/{pid}")]
        for _ in range (100):
            if not left:
                break
            time.sleep (0.1)
            left = [pid for pid in waiting if os.path.exists (f"/proc/{pid}")]
        if left:
            raise desk.Failed ("it is still there when the window has gone")


def a_missing_tshark_is_told (sample):
    """A message says that tshark is not installed, and the program's own fields stay."""
    with desk.Desk () as room:
        take_apart (room, {"PATH": "/nowhere"})
        room.wait ("it is told", lambda: room.find (role="label", holds="(tshark) is not installed"))
        activate (room, "choose-field", "'Destination port'")
        room.wait ("the fields are there", lambda: room.find (holds="field Destination port, bytes 36–37"))


def appearances_are_listed (sample):
    """The appearances of a packet: the components it passed and the one that dropped it."""
    with desk.Desk () as room:
        path = os.path.join (room.folder, "pktmon.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_PACKETS"], "--pktmon", path], check=True)
        room.open_window (path)
        room.wait ("the tab is there", lambda: room.find (holds="Packets"))
        activate (room, "show-tab", "'packets'")
        choose_packet (room, 0)
        room.wait ("where it was first", lambda: room.find (role="label", name="○ tcpip.sys"))
        room.wait ("where it left", lambda: room.find (role="label", name="● adapter.sys"))
        room.wait ("where it was dropped", lambda: room.find (role="label", name="✗ filter.sys"))
        room.wait ("why", lambda: room.find (role="label", name="dropped: Filtered (8)"))


def a_row_is_opened_in_wireshark (sample):
    """A stand-in for Wireshark records its arguments, a file and a filter; the file is deleted after it ends."""
    with desk.Desk () as room:
        bin_folder = os.path.join (room.folder, "bin")
        os.mkdir (bin_folder)
        told = os.path.join (room.folder, "told")
        with open (os.path.join (bin_folder, "wireshark"), "w") as file:
            file.write (f'#!/bin/sh\n{{ echo "$*"; wc -c < "$2"; }} > {told}.new\nmv {told}.new {told}\n')
        os.chmod (os.path.join (bin_folder, "wireshark"), 0o755)
        room.env["PATH"] = bin_folder + ":" + room.env.get ("PATH", os.environ["PATH"])
        open_packets (room)
        choose_packet (room, 0)
        activate (room, "open-in-wireshark")
        room.wait ("it is started", lambda: os.path.exists (told))
        with open (told) as file:
            words, size = file.read ().splitlines ()
        path = words.split ()[1]
        if words != f"-r {path} -Y ip.addr == 10.0.0.5 && ip.addr == 1.2.3.4 && tcp.port == 50001 && tcp.port == 80":
            raise desk.Failed (f"it is told {words}")
        if int (size) < 300:
            raise desk.Failed (f"its file has {size} bytes")
        room.wait ("the file is gone", lambda: not os.path.exists (os.path.dirname (path)))


def lists_field (room, name):
    """Returns whether a field is listed; the accessible name of its cell is `name: value`."""
    return any (desk.text_of (cell).startswith (name + ": ")
                for node in fields (room) for cell in room.walk (node, cells=True))


def the_tree_folds (sample):
    """A collapsed protocol stays collapsed in the next packet, until a field in it is selected."""
    with desk.Desk () as room:
        open_packets (room)
        choose_packet (room, 0)
        activate (room, "choose-field", "'Destination port'")
        room.wait ("it is unfolded", lambda: lists_field (room, "Destination port"))
        activate (room, "fold-field", "'TCP'")
        room.wait ("it is folded", lambda: not lists_field (room, "Destination port"))
        room.wait ("it is listed itself", lambda: lists_field (room, "TCP"))
        room.wait ("the folded one is chosen", lambda: room.find (holds="field TCP, bytes "))
        choose_packet (room, 1)
        room.wait ("another packet is told", lambda: room.find (role="label", holds="Packet 2 · "))
        activate (room, "choose-field", "'TCP'")
        room.wait ("it is listed, too", lambda: lists_field (room, "TCP"))
        if lists_field (room, "Source port"):
            raise desk.Failed ("what is folded is listed")
        activate (room, "choose-field", "'Destination port'")
        room.wait ("it is unfolded again", lambda: lists_field (room, "Destination port"))
        room.wait ("its bytes are told", lambda: room.find (holds="field Destination port, bytes 36–37"))


def a_file_goes_with_the_program (sample):
    """The temporary file is deleted when the program ends, even if Wireshark is still running."""
    with desk.Desk () as room:
        bin_folder = os.path.join (room.folder, "bin")
        os.mkdir (bin_folder)
        told = os.path.join (room.folder, "told")
        with open (os.path.join (bin_folder, "wireshark"), "w") as file:
            file.write (f'#!/bin/sh\necho "$2" > {told}.new\nmv {told}.new {told}\nexec sleep 20\n')
        os.chmod (os.path.join (bin_folder, "wireshark"), 0o755)
        room.env["PATH"] = bin_folder + ":" + room.env.get ("PATH", os.environ["PATH"])
        open_packets (room)
        choose_packet (room, 0)
        activate (room, "open-in-wireshark")
        room.wait ("it is started", lambda: os.path.exists (told))
        with open (told) as file:
            path = file.read ().strip ()
        if not os.path.exists (path):
            raise desk.Failed ("there is no file")
        quit_program (room)
        if os.path.exists (os.path.dirname (path)):
            raise desk.Failed ("the file is still there")


if __name__ == "__main__":
    sys.exit (run_claims ("packets", (the_tree_stands_beside_the_bytes,
                                      what_an_empty_table_says_lies_below_its_titles, a_field_is_its_bytes_both_ways,
                                      conversations_are_rows, packets_of_a_conversation_are_exported,
                                      a_row_is_opened_in_wireshark, a_file_goes_with_the_program,
                                      the_tree_folds, appearances_are_listed,
                                      wireshark_takes_packets_apart, a_missing_tshark_is_told)))
