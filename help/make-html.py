#!/usr/bin/python3
"""Makes web pages of the help: make-html.py YELP-BUILD OUTPUT SOURCE

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys
import tempfile

yelp_build, output, source = sys.argv[1:4]
# yelp-build takes the addresses of pages for their paths: with a blank in the name of a folder it finds none.
with tempfile.TemporaryDirectory (prefix="netstitch-help-") as folder:
    pages = shutil.copytree (source, os.path.join (folder, "C"))
    made = os.path.join (folder, "html")
    os.makedirs (made)
    status = subprocess.run ([yelp_build, "html", "-o", made, pages], check=False).returncode
    if status == 0 and not os.path.exists (os.path.join (made, "index.html")):
        sys.exit (f"{yelp_build} made no pages of {source}")
    # What is left of pages that have gone must not be installed.
    shutil.rmtree (output, ignore_errors=True)
    shutil.copytree (made, output)
sys.exit (status)
