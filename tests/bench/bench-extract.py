#!/usr/bin/python3
"""What tables of a large trace cost beside a listing of its activities, and what a second process gains over many.

Usage: bench-extract.py CLI MAKE_BIG MAKE_FLEET SIZE

Times are ratios of what ran right after each other; the processors' time tells more where others use the computer.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import glob
import os
import subprocess
import sys
import tempfile
import time

CLI, MAKE_BIG, MAKE_FLEET, SIZE = sys.argv[1:5]
MIB = 1024 * 1024
N_TRACES = 200
PARTLY = 3  # some traces could not be read
# Those whose rows are the most; in CSV with all columns, as in tables.
TABLES = ("activities", "dns", "tcp", "winsock")


def cost (*words):
    """Wall clock and processors' time in seconds, and the largest process in MiB."""
    begin = time.monotonic ()
    with open (os.devnull, "wb") as nothing:
        process = subprocess.Popen ([CLI, *words], stdout=nothing)
        _, status, usage = os.wait4 (process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode (status)
    if process.returncode not in (0, PARTLY):
        raise SystemExit (f"{words}: status {process.returncode}")
    return time.monotonic () - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def size_of (pattern):
    return sum (os.path.getsize (path) for path in glob.glob (pattern, recursive=True))


def csv_bytes (trace, table):
    listed = subprocess.run ([CLI, table, trace, "--columns", "all", "--format", "csv"], check=True, capture_output=True)
    return len (listed.stdout)


def large (folder):
    trace = os.path.join (folder, "large.etl")
    to = os.path.join (folder, "tables")
    subprocess.run ([MAKE_BIG, SIZE, trace], check=True, stdout=subprocess.DEVNULL)
    listing = cost ("activities", trace)
    tables = cost ("extract", trace, "--to", to, "--quiet")
    print (f"{SIZE}: activities {listing[0]:.2f} s ({listing[1]:.2f} s of processors, {listing[2]:.0f} MiB), "
           f"extract {tables[0]:.2f} s ({tables[1]:.2f} s, {tables[2]:.0f} MiB)")
    print (f"extract / activities: {tables[0] / listing[0]:.2f} by the clock, {tables[1] / listing[1]:.2f} of processors "
           f"(wanted: 1.3); {tables[2] - listing[2]:.0f} MiB more (wanted: below 200)")
    packed = sum (size_of (f"{to}/{table}/*/*.parquet") for table in TABLES)
    plain = sum (csv_bytes (trace, table) for table in TABLES)
    print (f"Parquet / CSV: {packed / MIB:.1f} / {plain / MIB:.1f} MiB = {packed / plain:.3f} (wanted: 0.1)")


def many (folder):
    traces = os.path.join (folder, "fleet")
    subprocess.run ([MAKE_FLEET, traces, os.path.join (folder, "facts.jsonl"), str (N_TRACES)], check=True,
                    stdout=subprocess.DEVNULL)
    one = cost ("extract", traces, "--to", os.path.join (folder, "one"), "--quiet", "--jobs", "1")
    two = cost ("extract", traces, "--to", os.path.join (folder, "two"), "--quiet", "--jobs", "2")
    print (f"fleet: {one[0]:.2f} s ({one[1]:.2f} s of processors) by one process, {two[0]:.2f} s ({two[1]:.2f} s) by two: "
           f"{one[0] / two[0]:.2f} times as fast (wanted: 1.8); each is busy for {one[1] / one[0]:.2f} of its time")


def main ():
    with tempfile.TemporaryDirectory () as folder:
        large (folder)
        many (folder)


if __name__ == "__main__":
    main ()
