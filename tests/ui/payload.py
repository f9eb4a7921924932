#!/usr/bin/python3
"""Tests the Payload page of the panel.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time

import desk
from walk import activate, check_names, run_claims

BYTES = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n\x00\x01\xffz"


def show_bytes (room, pages):
    """Selects the Payload page; newer GTK exposes only tabs that are in view."""
    def place_of_bytes ():
        names = [desk.text_of (pages.get_child_at_index (i)) for i in range (pages.get_child_count ())]
        if "Payload" in names:
            return (names.index ("Payload"), )
        if "Next tab" in names:
            click (room, pages.get_child_at_index (names.index ("Next tab")))
            time.sleep (0.3)
            pages.clear_cache ()
        return None

    place, = room.wait ("the page of bytes is there", place_of_bytes)
    tab = pages.get_child_at_index (place)
    if desk.box_of (tab).width > 1:
        click (room, tab)
    else:
        desk.Atspi.Selection.select_child (pages, place)


def click (room, node):
    box = desk.box_of (node)
    subprocess.run (["xdotool", "mousemove", str (box.x + box.width // 2), str (box.y + box.height // 2), "click", "1"],
                    env=room.env, check=True)


def open_payload (room, view="recorded", wanted=None, make=()):
    """Opens the Payload page of a trace with one connection; returns its text, or None if settings are specified."""
    path = os.path.join (room.folder, "packets.etl")
    desk.say_wanted (room, payload_view=f"'{view}'", **(wanted or {}))
    subprocess.run ([os.environ["NETSTITCH_MAKE_PACKETS"], *make, path], check=True)
    room.open_window (path)
    pages = room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
    room.wait ("the row is there", lambda: room.find (holds="1 row · "))
    activate (room, "select-rows", "[uint32 0]")
    room.wait ("a row is selected", lambda: room.find (holds="1 row selected"))
    show_bytes (room, pages)
    if wanted is not None:
        return None
    return room.wait ("the bytes are there", lambda: room.find (role="text", name="Bytes of the row"))


def copy_as (room, key):
    """Chooses an item of the copy menu by its mnemonic; returns the text of the clipboard."""
    button = desk.box_of (room.wait ("bytes can be copied", lambda: room.find (name="Copy bytes")))
    subprocess.run (["xdotool", "mousemove", str (button.x + button.width // 2),
                     str (button.y + button.height // 2), "click", "1"], env=room.env, check=True)
    time.sleep (1.5)
    room.keys (key)
    time.sleep (1)
    return subprocess.run (["xclip", "-o", "-selection", "clipboard"], env=room.env, check=True,
                           stdout=subprocess.PIPE, text=True, timeout=20).stdout


def bytes_can_be_read (_sample):
    with desk.Desk () as room:
        text = open_payload (room)
        told = desk.Atspi.Text.get_text (text, 0, -1)
        if "0010  48 6f 73 74 3a 20 61 0d  Host: a." not in told:
            raise desk.Failed (f"the page tells {told!r}")
        check_names (room, "the page of bytes")


def bytes_can_be_copied (_sample):
    if shutil.which ("xclip") is None:
        raise desk.NoDesk ("needs xclip")
    with desk.Desk () as room:
        open_payload (room)
        copied = copy_as (room, "h")
        if bytes.fromhex (copied) != BYTES:
            raise desk.Failed (f"hex: {copied!r}")
        copied = copy_as (room, "c")
        if bytes (int (one, 16) for one in re.findall ("0x(..)", copied)) != BYTES:
            raise desk.Failed (f"C: {copied!r}")
        copied = copy_as (room, "b")
        if base64.b64decode (copied, validate=True) != BYTES:
            raise desk.Failed (f"base64: {copied!r}")


def bodies_are_decoded (_sample):
    with desk.Desk () as room:
        told = desk.Atspi.Text.get_text (open_payload (room, "decoded"), 0, -1)
        wanted = ("Set-Cookie: …\nContent-Encoding: gzip\n\n" + '{"greeting": "grüße"}\n' * 3)
        if wanted not in told or "secret" in told:
            raise desk.Failed (f"the page tells {told!r}")
        check_names (room, "the page of decoded bytes")


def digests (told):
    """Returns (direction, SHA-256 of the bytes) of each hex dump."""
    found = []
    for line in told.splitlines ():
        dump = re.match ("[0-9a-f]{4,}  ((?:[0-9a-f]{2} )+)", line)
        if line in ("Sent", "Received", "Bytes"):
            found.append ((line, hashlib.sha256 ()))
        elif dump and found:
            found[-1][1].update (bytes.fromhex (dump[1]))
    return [(way, digest.hexdigest ()) for way, digest in found]


def bytes_of_a_request_are_those_that_were_recorded (_sample):
    """The bytes are from WinHTTP events; the trace has no packets."""
    made = [hashlib.sha256 (bytes ((i * 7 + i // 256 + seed) % 256 for i in range (3000))).hexdigest ()
            for seed in (1, 2)]
    with desk.Desk () as room:
        text = open_payload (room, make=("--request",))
        found = digests (desk.Atspi.Text.get_text (text, 0, -1))
        if found != [("Sent", made[0]), ("Received", made[1])]:
            raise desk.Failed (f"the page has {found}, made were {made}")


def payload_is_not_loaded_when_nobody_wants_it (_sample):
    with desk.Desk () as room:
        open_payload (room, wanted={"payload_never": "true"})
        room.wait ("the page says why", lambda: room.find (holds="Payloads are not loaded"))


def secrets_are_hidden_among_bytes (_sample):
    with desk.Desk () as room:
        told = desk.Atspi.Text.get_text (open_payload (room), 0, -1)
        if "2a 2a 2a 2a" not in told or "secret" in "".join (re.findall ("  (.{8})\n", told)):
            raise desk.Failed (f"the page tells {told!r}")


def packets_alone_have_their_conversations (_sample):
    """A trace of packets only has rows for their conversations, so the table is not empty."""
    path = os.path.join (os.environ["NETSTITCH_TEST_TRACES"], "PktMon-server2022.etl")
    if not os.path.exists (path):
        raise desk.NoDesk ("needs the shared traces")
    with desk.Desk () as room:
        room.open_window (path)
        room.wait ("the conversation is counted", lambda: room.find (role="status bar", holds="1 row"))
        room.wait ("it is in the table", lambda: any ("10.9.1.14" in desk.text_of (node)
                                                     for node in room.walk (cells=True)))
        for name in ("Packets", "Conversations"):
            if room.find (role="page tab", holds=name) is None:
                raise desk.Failed (f"there is no tab {name}")


if __name__ == "__main__":
    sys.exit (run_claims ("payload", (bytes_can_be_read, bytes_can_be_copied, bodies_are_decoded,
                                     bytes_of_a_request_are_those_that_were_recorded,
                                     payload_is_not_loaded_when_nobody_wants_it,
                                     packets_alone_have_their_conversations,
                                     secrets_are_hidden_among_bytes)))
