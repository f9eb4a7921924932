#!/usr/bin/python3
"""Tests exports through the dialog by keyboard: other programs can read each format, and the dialog reports what was
written.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import glob
import itertools
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile

import desk
from walk import run_claims, shown_count

N_ROWS = 27
# Activities with a URL, the only ones that HAR holds.
N_REQUESTS = 17
POWERS = {"byte": 1, "bytes": 1, "kB": 1e3, "MB": 1e6}


def read_text (path):
    with open (path, encoding="utf-8-sig", newline="") as file:
        return file.read ()


def count_cells (path, delimiter):
    """Returns the number of rows below the titles; each row must have a cell for each title."""
    titles, *rows = csv.reader (read_text (path).splitlines (), delimiter=delimiter)
    if any (len (row) != len (titles) for row in rows):
        raise desk.Failed (f"{path}: rows and titles differ")
    return len (rows)


def count_activities (path):
    """Returns the number of activities in an exported trace. Related rows are exported, too, so there may be more."""
    found = subprocess.run ([os.environ["NETSTITCH_CLI"], "activities", path, "--format", "jsonl"], check=True,
                            capture_output=True, text=True)
    return len (found.stdout.splitlines ())


def count_bundle (path):
    with zipfile.ZipFile (path) as archive:
        if archive.testzip () is not None:
            raise desk.Failed (f"{path} is a broken archive")
    return count_activities (path)


def extract (path, *options):
    """Extracts the same trace by the command line, for comparison."""
    to = path + ".extracted"
    trace = os.path.join (os.path.dirname (os.path.dirname (path)), "requests.etl")
    subprocess.run ([os.environ["NETSTITCH_CLI"], "extract", trace, "--quiet", "--to", to, *options], check=True)
    return to


def count_parquet (path):
    """The file must equal that of the command line, byte for byte."""
    part, = [name for name in glob.glob (f"{extract (path)}/activities/*/*.parquet") if "-none." not in name]
    with open (part, "rb") as ours, open (path, "rb") as theirs:
        if ours.read () != theirs.read ():
            raise desk.Failed (f"{path} is not what the command line writes")
    return N_ROWS


def read_database (path):
    with sqlite3.connect (path) as database:
        if database.execute ("PRAGMA integrity_check").fetchall () != [("ok",)]:
            raise desk.Failed (f"{path} is damaged")
        names = sorted (name for name, in database.execute ("SELECT name FROM sqlite_master WHERE type = 'table'"))
        # The command line writes the path as it was specified.
        database.row_factory = sqlite3.Row
        return {name: [{**row, "file": None} for row in database.execute (f'SELECT * FROM "{name}"')] for name in names}


def count_database (path):
    tables = read_database (path)
    wanted = read_database (extract (path, "--as", "sqlite"))
    # The window exports only findings that apply, and the command line all rules.
    wanted["findings"] = [row for row in wanted["findings"] if row["verdict"] == "found"]
    for name in tables.keys () | wanted.keys ():
        for row, other in itertools.zip_longest (tables.get (name, []), wanted.get (name, []), fillvalue={}):
            if row != other:
                raise desk.Failed (f"{path}, {name}: {row.items () - other.items ()} is not what the command line writes: "
                                   f"{other.items () - row.items ()}")
    if len (tables["activities"]) != N_ROWS:
        raise desk.Failed (f"{path} has {len (tables['activities'])} activities")
    return sum (len (rows) for rows in tables.values ())


def is_some (found):
    return N_ROWS if found else 0


# (extension, function that returns the number of rows in the file), in the order of the list.
FORMS = (
    (".csv", lambda path: count_cells (path, ",")),
    (".tsv", lambda path: count_cells (path, "\t")),
    (".json", lambda path: len (json.loads (read_text (path)))),
    (".jsonl", lambda path: len ([json.loads (line) for line in read_text (path).splitlines ()])),
    (".md", lambda path: sum (line.startswith ("|") for line in read_text (path).splitlines ()) - 2),
    (".parquet", count_parquet),
    (".sqlite", count_database),
    (".html", lambda path: is_some (read_text (path).lower ().startswith ("<!doctype html>"))),
    (".report.txt", lambda path: is_some ("telemetry.example.org" in read_text (path))),
    (".etl.zip", count_bundle),
    (".etl", count_activities),
    (".har", lambda path: len (json.loads (read_text (path))["log"]["entries"])),
    (".perfetto.json", lambda path: is_some (json.loads (read_text (path))["traceEvents"])),
    (".speedscope.json", lambda path: is_some (json.loads (read_text (path))["profiles"])),
)


def proposed_name (room):
    """Returns the proposed file name, by copying it from the entry of the file dialog."""
    room.wait ("a place to save is asked for", lambda: is_focused (room, "text", "Name"))
    room.keys ("ctrl+a", "ctrl+c")
    return subprocess.run (["xclip", "-selection", "clipboard", "-o"], env=room.env, check=False, capture_output=True,
                           text=True, timeout=desk.PATIENCE_S).stdout


def is_focused (room, role, begin=""):
    node = room.focused ()
    return node is not None and node.get_role_name () == role and desk.text_of (node).startswith (begin)


def choose_form (room, nth, ending):
    room.keys ("alt+o")
    room.wait ("the forms are listed", lambda: is_focused (room, "list item"))
    # In GTK 4.18 the first key press in a list that has just opened has no effect.
    room.keys ("End", "Home", *["Down"] * nth, "Return")
    room.wait (f"{ending} is chosen",
               lambda: is_focused (room, "push button", "Format: ") and f"({ending})" in desk.text_of (room.focused ()))


def export_as (room, nth, ending):
    path = os.path.join (room.folder, "out", "requests" + ending)
    if nth > 0:  # the first format is the default
        choose_form (room, nth, ending)
    room.keys ("alt+e")
    wanted = "requests-part" + ending if ending.startswith (".etl") else "requests" + ending
    proposed = proposed_name (room)
    if proposed != wanted:
        raise desk.Failed (f"{proposed!r} is proposed, not {wanted!r}")
    room.type (path)
    room.keys ("Return")
    line = room.wait (f"what was written is told of {ending}",
                      lambda: room.find (holds=f"Exported to requests{ending}: "))
    return path, desk.text_of (line)


def check_told (path, line, n_rows):
    told = re.search (r": (\d+) rows?(?: of all tables)?, ([\d.]+)\s(\w+)$", line)
    if told is None or int (told[1]) != n_rows:
        raise desk.Failed (f"{line!r}: {n_rows} rows were asked for")
    size = os.stat (path).st_size
    if abs (float (told[2]) * POWERS[told[3]] - size) > 0.06 * POWERS[told[3]]:
        raise desk.Failed (f"{line!r}: the file has {size} bytes")


def every_form_is_written_and_told (sample):
    with desk.Desk () as room:
        trace = os.path.join (room.folder, "requests.etl")
        os.mkdir (os.path.join (room.folder, "out"))
        shutil.copy (sample, trace)
        room.open_window (trace)
        room.wait ("all rows are there", lambda: shown_count (room) == f"{N_ROWS} rows")
        room.keys ("ctrl+s")
        room.wait ("rows and columns are asked for", lambda: is_focused (room, "push button", "Export"))
        # The list of formats scrolls under the pointer, which would select an item.
        subprocess.run (["xdotool", "mousemove", "2", "2"], env=room.env, check=True)
        for nth, (ending, count) in enumerate (FORMS):
            path, line = export_as (room, nth, ending)
            least = N_REQUESTS if ending == ".har" else N_ROWS
            check_told (path, line, count (path) if ending == ".sqlite" else least)
            if room.find (name="Open Folder") is None:
                raise desk.Failed (f"{ending}: the folder is not offered")
            if count (path) < least:
                raise desk.Failed (f"{ending}: {count (path)} rows of {least}")
            print (f"# {line}")


def an_ending_is_proposed_once (sample):
    """The proposed name does not repeat an extension that the trace already has."""
    with desk.Desk () as room:
        trace = os.path.join (room.folder, "requests.csv.etl")
        shutil.copy (sample, trace)
        room.open_window (trace)
        room.wait ("all rows are there", lambda: shown_count (room) == f"{N_ROWS} rows")
        room.keys ("ctrl+s")
        room.wait ("rows and columns are asked for", lambda: is_focused (room, "push button", "Export"))
        room.keys ("alt+e")
        name = proposed_name (room)
        if name != "requests.csv":
            raise desk.Failed (f"{name!r} is proposed")


def others_may_read_what_is_shared (sample):
    """A shared file is readable by others whatever the umask; other files are private."""
    with desk.Desk () as room:
        trace = os.path.join (room.folder, "requests.etl")
        shutil.copy (sample, trace)
        umask = os.umask (0o077)
        room.open_window (trace)
        os.umask (umask)
        room.wait ("all rows are there", lambda: shown_count (room) == f"{N_ROWS} rows")
        room.keys ("ctrl+s")
        room.wait ("rows and columns are asked for", lambda: is_focused (room, "push button", "Export"))
        share = room.find (role="check box", holds="Share")
        for name, mode in (("own.csv", 0o600), ("shared.csv", 0o644), ("own again.csv", 0o600)):
            path = os.path.join (room.folder, name)
            is_shared = mode != 0o600
            if share.get_state_set ().contains (desk.Atspi.StateType.CHECKED) != is_shared:
                room.keys ("alt+r")
            room.wait (f"it is chosen for {name}", lambda is_shared=is_shared: share.get_state_set ().contains (
                desk.Atspi.StateType.CHECKED) == is_shared)
            room.keys ("alt+e")
            proposed_name (room)
            room.type (path)
            room.keys ("Return")
            room.wait (f"{name} is written", lambda name=name: room.find (holds=f"Exported to {name}: "))
            found = os.stat (path).st_mode & 0o777
            if found != mode:
                raise desk.Failed (f"{name} has mode {found:o}")


if __name__ == "__main__":
    sys.exit (run_claims ("exported", (every_form_is_written_and_told, an_ending_is_proposed_once,
                                      others_may_read_what_is_shared)))
