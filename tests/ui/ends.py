#!/usr/bin/python3
"""Traces of two machines that recorded the same connections.

`ends.py CLI FOLDER`, where CLI is netstitch-cli, writes the traces that a picture in the help shows.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import random
import struct
import subprocess
import sys

sys.path.insert (0, str (pathlib.Path (__file__).parent.parent / "cli"))
from two_machines import MS, START, US, Network  # noqa: E402

PATHS = ("/api/orders/7", "/api/prices", "/api/orders/9", "/api/orders", "/api/customers/88", "/api/session",
         "/api/stock?sku=4410", "/api/audit")
WORK_MS = (3, 13, 43, 44, 88, 215, 580)


def set_processors (path, n_processors):
    """Changes the number of processors of a trace, so that it is from another computer."""
    with open (path, "r+b") as file:
        # TRACE_LOGFILE_HEADER follows the headers of the buffer and of its first record.
        file.seek (0x48 + 0x20 + 0x0c)
        file.write (struct.pack ("<I", n_processors))


def make_etl (cli, folder, name, n_processors):
    """Converts a capture to a trace of a computer with n_processors."""
    made = os.path.join (folder, name + ".etl")
    subprocess.run ([cli, "export", os.path.join (folder, name + ".pcap"), "--as", "etl", "-o", made], check=True,
                    stderr=subprocess.DEVNULL)
    set_processors (made, n_processors)
    return made


def write (cli, folder):
    """Writes traces of a client and of a server whose clock is 1.3 s behind; the server does not see one of the nine
    connections."""
    chance = random.Random (5)
    net = Network (3, -1_284_300_000, 0, 1900 * US, 900 * US)
    for number in range (9):
        ends = (("10.1.0.5", 50000 + number), ("192.0.2.80", 80))
        there = False if number == 4 else None
        time, numbers = net.connect (START + number * 400 * MS, ends, there)
        for turn in range (8):
            path = PATHS[(number * 3 + turn) % len (PATHS)]
            time = net.request (time, ends, numbers, path, chance.choice (WORK_MS) * MS, there)[0] + chance.randrange (3, 90) * MS
        net.close (time, ends, numbers, there)
    net.write (pathlib.Path (folder))
    for number, (capture, name) in enumerate ((("client", "CLIENT-07"), ("server", "WEB-01"))):
        os.rename (os.path.join (folder, capture + ".pcap"), os.path.join (folder, name + ".pcap"))
        make_etl (cli, folder, name, 2 + number)
        os.remove (os.path.join (folder, name + ".pcap"))


if __name__ == "__main__":
    write (*sys.argv[1:])
