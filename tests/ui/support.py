#!/usr/bin/python3
"""Writes the files of a support script: three trace files of a series with a gap, and two logs.

Usage: support.py SAMPLE.etl FOLDER

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import struct
import sys

# The sample begins at 13:14:05 UTC; its local time is UTC+1.
FIREWALL = """#Version: 1.5
#Software: Microsoft Windows Firewall
#Time Format: Local
#Fields: date time action protocol src-ip dst-ip src-port dst-port path
2026-03-02 14:14:06 ALLOW TCP 192.168.17.23 203.0.113.24 50114 443 SEND
2026-03-02 14:14:09 DROP TCP 192.168.17.23 198.51.100.7 50115 443 SEND
2026-03-02 14:14:10 ALLOW TCP 192.168.17.23 192.0.2.81 50131 443 SEND
2026-03-02 14:14:18 DROP TCP 192.168.17.23 198.51.100.40 50204 443 SEND
2026-03-02 14:14:19 ALLOW UDP 192.168.17.23 192.168.17.1 61000 53 SEND
"""
WEB = """#Software: Microsoft Internet Information Services 10.0
#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip sc-status time-taken
2026-03-02 13:14:07 GET /owa/ - 192.168.17.23 302 38
2026-03-02 13:14:08 GET /owa/api/v2/folders - 192.168.17.23 200 395
2026-03-02 13:14:12 POST /EWS/Exchange.asmx - 192.168.17.23 503 748
"""


def places (data):
    """Returns the begin and end offset of each buffer."""
    found = []
    at = 0
    while at + 0x48 <= len (data):
        size = struct.unpack_from ("<I", data, at)[0]
        found.append ((at, at + size))
        at += size
    return found


def write_support (sample, folder):
    """Returns the file names, the logs last."""
    with open (sample, "rb") as file:
        data = file.read ()
    begin, *rest = [data[first:end] for first, end in places (data)]
    size = len (rest) // 3
    parts = {"net_001.etl": rest[:size], "net_002.etl": rest[size:2 * size], "net_004.etl": rest[2 * size + 1:]}
    for name, buffers in parts.items ():
        with open (os.path.join (folder, name), "wb") as file:
            file.write (begin + b"".join (buffers))
    for name, text in (("pfirewall.log", FIREWALL), ("u_ex260302.log", WEB)):
        with open (os.path.join (folder, name), "w", encoding="utf-8", newline="\r\n") as file:
            file.write (text)
    return [*parts, "pfirewall.log", "u_ex260302.log"]


if __name__ == "__main__":
    os.makedirs (sys.argv[2], exist_ok=True)
    write_support (*sys.argv[1:])
