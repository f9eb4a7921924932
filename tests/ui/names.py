#!/usr/bin/python3
"""Tests the servers and addresses of a DNS name in the panel.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import subprocess
import sys

import desk
from walk import activate, check_names, run_claims

SHOWN = ["Name server 10.0.0.1 (LAN): no reply", "Name server 10.0.0.2 (LAN): answered 7.000 ms",
         "Address 192.0.2.1: not used", "Address 192.0.2.2: connected", "Address 192.0.2.3: not used"]


def printed (path):
    """Returns the lines that the command line prints for the same name."""
    lines = json.loads (subprocess.run ([os.environ["NETSTITCH_CLI"], "dns", path, "--tree", "--format", "json"],
                                        check=True, stdout=subprocess.PIPE, text=True).stdout)
    # JSON has an identifier of the state, the panel its text.
    texts = {None: "not used", "silent": "no reply"}
    return [(line["text"], texts.get (line["state"], line["state"])) for line in lines[1:]]


def panel_shows_what_the_command_line_prints (_sample):
    with desk.Desk () as room:
        path = os.path.join (room.folder, "names.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_NAMES"], path], check=True)
        room.open_window (path)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "go-to", "('dns', uint32 0)")
        for line in SHOWN:
            room.wait (f"“{line}” is there", lambda: room.find (name=line))
        for (text, state), line in zip (printed (path), SHOWN, strict=True):
            if text not in line or state not in line:
                raise desk.Failed (f"the command line has {text} {state}, the panel {line}")
        check_names (room, "the panel of a name")


if __name__ == "__main__":
    sys.exit (run_claims ("names", (panel_shows_what_the_command_line_prints,)))
