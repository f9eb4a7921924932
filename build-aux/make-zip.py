#!/usr/bin/env python3
"""Packs files into a reproducible zip archive: make-zip.py OUT NAME=FILE…

SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import sys
import zipfile

# The earliest time that a zip archive can store; a fixed time makes the archive reproducible.
WHEN = (1980, 1, 1, 0, 0, 0)

with zipfile.ZipFile (sys.argv[1], "w", zipfile.ZIP_DEFLATED) as out:
    for word in sys.argv[2:]:
        name, file = word.split ("=", 1)
        member = zipfile.ZipInfo (name, WHEN)
        member.compress_type = zipfile.ZIP_DEFLATED
        member.external_attr = 0o644 << 16
        out.writestr (member, pathlib.Path (file).read_bytes ())
