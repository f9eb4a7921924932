#!/usr/bin/python3
"""Tests tables that are large enough for two threads to write them: each row of the listing is present once.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import filecmp
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

CLI, MAKE_BIG = sys.argv[1:3]
N_CONNECTIONS = 20000
SHARED = 16384


def run (*words):
    return subprocess.run ([CLI, *words], check=True, capture_output=True, text=True)


def extract (trace, to, form):
    return int (re.search (r"rows: (\d+)", run ("extract", trace, "--to", to, "--as", form).stderr)[1])


def read_lines (to, table):
    rows = []
    for path in glob.glob (f"{to}/{table}/*/*.jsonl"):
        with open (path, encoding="utf-8") as lines:
            rows += [json.loads (line) for line in lines]
    return rows


def list_files (to):
    return sorted (os.path.relpath (path, to) for path in glob.glob (f"{to}/**/*.parquet", recursive=True))


def main ():
    failures = []
    with tempfile.TemporaryDirectory () as folder:
        trace = os.path.join (folder, "large.etl")
        subprocess.run ([MAKE_BIG, "--rows", str (N_CONNECTIONS), trace], check=True, stdout=subprocess.DEVNULL)
        n_rows = extract (trace, folder + "/lines", "jsonl")
        tables = os.listdir (folder + "/lines")
        if sum (len (read_lines (folder + "/lines", table)) for table in tables) != n_rows:
            failures.append (f"{n_rows} rows are told, which the files do not hold")
        listed = [json.loads (line) for line in run ("activities", trace, "--format", "jsonl").stdout.splitlines ()]
        told = {row["id"]: row for row in read_lines (folder + "/lines", "activities")}
        if len (listed) < SHARED or len (told) != len (listed):
            failures.append (f"{len (told)} activities of {len (listed)}")
        for row in listed:
            differs = [key for key in row if key in told[row["id"]] and told[row["id"]][key] != row[key]]
            if differs:
                failures.append (f"row {row['id']}: {differs}")
                break
        if extract (trace, folder + "/one", "parquet") != n_rows or extract (trace, folder + "/two", "parquet") != n_rows:
            failures.append ("Parquet has other rows than JSON lines")
        files = list_files (folder + "/one")
        if list_files (folder + "/two") != files or \
                filecmp.cmpfiles (folder + "/one", folder + "/two", files, shallow=False)[0] != files:
            failures.append ("the same trace makes other files")
    for line in failures:
        print ("not ok:", line)
    print (f"{len (listed)} activities compared")
    return bool (failures)


if __name__ == "__main__":
    sys.exit (main ())
