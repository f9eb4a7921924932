#!/usr/bin/python3
"""Makes web pages of the help: make-html.py YELP-BUILD OUTPUT SOURCE

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import sys

yelp_build, output, source = sys.argv[1:4]
# What is left of pages that have gone must not be installed.
shutil.rmtree (output, ignore_errors=True)
os.makedirs (output)
sys.exit (subprocess.run ([yelp_build, "html", "-o", output, source], check=False).returncode)
