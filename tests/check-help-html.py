#!/usr/bin/env python3
"""Checks that the HTML help builds in folders with spaces in their names.

Usage: check-help-html.py MAKE-HTML YELP-BUILD SOURCE

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys
import tempfile


def main ():
    make_html, yelp_build, source = sys.argv[1:4]
    with tempfile.TemporaryDirectory () as folder:
        pages = shutil.copytree (source, os.path.join (folder, "with a blank", "C"))
        made = os.path.join (folder, "with a blank", "html")
        if subprocess.run ([make_html, yelp_build, made, pages], check=False).returncode != 0:
            sys.exit ("the pages were not made")
        missing = [name for name in os.listdir (pages) if name.endswith (".page") and
                   not os.path.exists (os.path.join (made, name.replace (".page", ".html")))]
        pictures = os.path.join (pages, "figures")
        missing += [name for name in os.listdir (pictures)
                    if not os.path.exists (os.path.join (made, "figures", name))]
        if missing:
            sys.exit (f"not made: {', '.join (sorted (missing))}")


if __name__ == "__main__":
    main ()
