#!/usr/bin/python3
"""Measures extract: its cost relative to a listing of the activities, and the speed-up of two worker processes.

Usage: bench-extract.py CLI MAKE_BIG MAKE_FLEET SIZE

The figures are ratios of runs made right after each other. On a busy computer, processor time is more reliable than
wall-clock time.

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
PARTLY = 3  # exit status: some traces could not be read
# The tables with the most rows; their Parquet size is compared with CSV of all columns.
TABLES = ("activities", "dns", "tcp", "winsock")


def cost (*words):
    """Runs the command line; returns wall-clock seconds, processor seconds and the peak memory of the largest process
    in MiB."""
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


def compare (tables, trace, what, *words):
    """Prints the cost of extract relative to a listing of activities, which keeps no events for evidence."""
    listing = cost ("activities", trace, *words)
    print (f"activities {what}: {listing[0]:.2f} s ({listing[1]:.2f} s of processors, {listing[2]:.0f} MiB); "
           f"extract / activities: {tables[0] / listing[0]:.2f} by the clock, {tables[1] / listing[1]:.2f} of processors "
           f"(wanted: 1.3); {tables[2] - listing[2]:.0f} MiB more")


def large (folder):
    trace = os.path.join (folder, "large.etl")
    to = os.path.join (folder, "tables")
    subprocess.run ([MAKE_BIG, SIZE, trace], check=True, stdout=subprocess.DEVNULL)
    tables = cost ("extract", trace, "--to", to, "--quiet")
    print (f"{SIZE}: extract {tables[0]:.2f} s ({tables[1]:.2f} s of processors, {tables[2]:.0f} MiB)")
    compare (tables, trace, "as text")
    # All columns, as in the extracted table.
    compare (tables, trace, "in CSV with all columns", "--columns", "all", "--format", "csv")
    findings = cost ("findings", trace)
    print (f"findings, which need all of the trace: {findings[0]:.2f} s ({findings[1]:.2f} s of processors, "
           f"{findings[2]:.0f} MiB); extract takes {tables[2] - findings[2]:.0f} MiB more (wanted: below 200)")
    sums = [0, 0]
    for table in TABLES:
        sizes = size_of (f"{to}/{table}/*/*.parquet"), csv_bytes (trace, table)
        sums = [sum (pair) for pair in zip (sums, sizes)]
        if sizes[1] > MIB:
            print (f"{table}: Parquet / CSV: {sizes[0] / MIB:.1f} / {sizes[1] / MIB:.1f} MiB = {sizes[0] / sizes[1]:.3f}")
    print (f"Parquet / CSV: {sums[0] / MIB:.1f} / {sums[1] / MIB:.1f} MiB = {sums[0] / sums[1]:.3f} (wanted: 0.1)")


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
