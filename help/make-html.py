#!/usr/bin/python3
"""Generates the help as web pages: make-html.py YELP-BUILD OUTPUT SOURCE

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys
import tempfile

yelp_build, output, source = sys.argv[1:4]
# yelp-build uses the URLs of pages as paths and finds none if a folder name contains a space.
with tempfile.TemporaryDirectory (prefix="netstitch-help-") as folder:
    pages = shutil.copytree (source, os.path.join (folder, "C"))
    made = os.path.join (folder, "html")
    os.makedirs (made)
    status = subprocess.run ([yelp_build, "html", "-o", made, pages], check=False).returncode
    if status == 0 and not os.path.exists (os.path.join (made, "index.html")):
        sys.exit (f"{yelp_build} made no pages of {source}")
    # Removes pages of earlier builds, which must not be installed.
    shutil.rmtree (output, ignore_errors=True)
    shutil.copytree (made, output)
sys.exit (status)
