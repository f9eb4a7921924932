#!/usr/bin/env python3
"""Checks the MIME types that a desktop detects for trace files, and that it offers Netstitch to open them.

Usage: check-file-types.py MIME-FILE DESKTOP-FILE

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

TRACE = struct.pack ("<I", 0x10000) + bytes (68) + struct.pack ("<H", 2) + b"\x02\xc0" + bytes (4000)
# (name, content, MIME type, whether Netstitch is the default application)
FILES = (("a b.etl", TRACE, "application/x-etl", True),
         ("UPPER.ETL", TRACE, "application/x-etl", True),
         ("trace without ending", TRACE, "application/x-etl", True),
         ("trace.etl.zip", b"PK\x03\x04" + bytes (60), "application/x-etl+zip", True),
         ("trace.etl.gz", b"\x1f\x8b\x08" + bytes (60), "application/x-etl+gzip", True),
         ("trace.etlgz", b"\x1f\x8b\x08" + bytes (60), "application/x-etl+gzip", True),
         ("trace.wpapk", b"PK\x03\x04" + bytes (60), "application/x-wpapk", True),
         ("logs.zip", b"PK\x03\x04" + bytes (60), "application/zip", False),
         ("logs.cab", b"MSCF" + bytes (60), "application/vnd.ms-cab-compressed", False),
         ("logs.7z", b"7z\xbc\xaf\x27\x1c" + bytes (60), "application/x-7z-compressed", False),
         ("capture.pcap", b"\xd4\xc3\xb2\xa1\x02\x00\x04\x00" + bytes (16), "application/vnd.tcpdump.pcap", False),
         ("capture.pcapng", b"\x0a\x0d\x0d\x0a" + bytes (24), "application/x-pcapng", False),
         ("logs.gz", b"\x1f\x8b\x08" + bytes (60), "application/gzip", False))


def ask (env, *words):
    return subprocess.run (words, env=env, capture_output=True, text=True, check=False).stdout


def main ():
    failed = 0
    with tempfile.TemporaryDirectory () as name:
        folder = pathlib.Path (name)
        packages = folder / "mime" / "packages"
        programs = folder / "applications"
        packages.mkdir (parents=True)
        programs.mkdir ()
        shutil.copy (sys.argv[1], packages)
        # A desktop only offers applications whose Exec program exists.
        words = pathlib.Path (sys.argv[2]).read_text (encoding="utf-8")
        (programs / pathlib.Path (sys.argv[2]).name).write_text (
            words.replace ("Exec=netstitch", "Exec=true"), encoding="utf-8")
        subprocess.run (["update-mime-database", folder / "mime"], check=True, capture_output=True)
        subprocess.run (["update-desktop-database", programs], check=False)
        env = os.environ | {"XDG_DATA_HOME": name, "LC_ALL": "C.UTF-8",
                            "XDG_CONFIG_HOME": str (folder / "config")}
        for number, (file, content, kind, is_default) in enumerate (FILES, 1):
            (folder / file).write_bytes (content)
            told = ask (env, "gio", "info", "-a", "standard::content-type", str (folder / file))
            offered = ask (env, "gio", "mime", kind)
            holds = (f"content-type: {kind}\n" in told
                     and "org.netstitch.Netstitch.desktop" in offered
                     and (not is_default or "Default application" in offered
                          and "org.netstitch" in offered.splitlines ()[0]))
            failed += not holds
            print (f"{'ok' if holds else 'not ok'} {number} - {file} is {kind}")
            if not holds:
                print ("# " + (told + offered).replace ("\n", "\n# "))
    print (f"1..{len (FILES)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit (main ())
