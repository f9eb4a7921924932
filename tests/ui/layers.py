#!/usr/bin/python3
"""Tests the tabs of protocol layers: they exist only if the trace has rows for them, and the panel describes and
links their rows.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys

import desk
from findings import tabs_of
from walk import activate, check_names, run_claims

# (table, title of the tab, row from 0, text in the panel, prefixes of links)
LAYERS = (
    ("dotnet", ".NET", 1, "waited 81.0 ms for a connection", ("TCP: ", "Activity: ")),
    ("smb", "SMB", 14, "1 command received no response for 2.30 s", ("TCP: ", "Activity: ", "Contains: ")),
    ("capi2", "CAPI2", 1, "checked the revocation of a certificate", ("Part of: ", "Contains: ")),
    ("wfp", "WFP", 0, "by the filter “Block backup to the Internet”", ("TCP: ", "Activity: ")),
    ("quic", "QUIC", 0, "completed the handshake in 25.0 ms", ("UDP: ", "Contains: ")),
    ("rpc", "RPC", 2, "called procedure 44 of lsarpc", ("Other side: ",)),
    ("bits", "BITS", 0, "on behalf of", ("WinHTTP: ", "Activity: ")),
)


def is_said (room, words):
    """Searches the labels; the panel has no-break spaces between numbers and units."""
    return any (words in desk.text_of (node).replace ("\u00a0", " ") for node in room.walk ()
                if node.get_role_name () == "label")


def links (room):
    return [desk.text_of (node) for node in room.walk ()
            if node.get_role_name () in ("push button", "link") and ": " in desk.text_of (node)]


def layers_have_tabs_where_they_have_rows (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        told = [title for _, title, *_ in LAYERS if title in tabs_of (room)]
        if told:
            raise desk.Failed (f"a trace without them has tabs of {told}")


def rows_of_layers_are_told_and_lead_on (sample):
    with desk.Desk (size="1600x1000") as room:
        path = os.path.join (room.folder, "layers.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_LAYERS"], path], check=True)
        room.open_window (path)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="rows"))
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        for table, title, row, sentence, wanted in LAYERS:
            activate (room, "go-to", f"('{table}', uint32 {row})")
            room.wait (f"{title} is told", lambda sentence=sentence: is_said (room, sentence))
            room.wait (f"{title} has a tab", lambda title=title: title in tabs_of (room))
            room.wait (f"{title} leads on", lambda wanted=wanted: all (
                any (link.startswith (begin) for link in links (room)) for begin in wanted))
        # Follows the link from an RPC client call to the server call.
        activate (room, "go-to", "('rpc', uint32 2)")
        room.wait ("the other side is linked", lambda: any (link.startswith ("Other side: ") for link in links (room)))
        activate (room, "go-to", "('rpc', uint32 3)")
        room.wait ("the other side is told", lambda: is_said (room, "was called: procedure 44"))
        check_names (room, "the tab of remote calls")


def has_column (room, title):
    return room.steady (lambda: any (desk.text_of (node) == title for node in room.walk (cells=True)
                                     if node.get_role_name () == "label"))


def a_small_window_keeps_what_a_layer_is_about (sample):
    """A narrow window keeps the columns with the endpoint of dropped packets and with a connection's handshake, and
    hides filter ids and losses."""
    with desk.Desk (size="900x600") as room:
        path = os.path.join (room.folder, "layers.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_LAYERS"], path], check=True)
        room.open_window (path)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="rows"))
        activate (room, "show-tab", "'wfp'")
        room.wait ("the other end is a column", lambda: has_column (room, "IP address:port"))
        activate (room, "show-tab", "'quic'")
        room.wait ("the handshake is a column", lambda: has_column (room, "Handshake (ms)"))
        room.wait ("losses are none", lambda: not has_column (room, "Packets Lost"))


if __name__ == "__main__":
    sys.exit (run_claims ("layers", [layers_have_tabs_where_they_have_rows, rows_of_layers_are_told_and_lead_on,
                                    a_small_window_keeps_what_a_layer_is_about]))
