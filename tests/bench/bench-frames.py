#!/usr/bin/python3
"""What a step of zoom or pan costs in a real window of 1400 × 900 px that shows a million rows.

Each line is a kind of step: how often it was made, and how long the main thread was on a processor
for it, frame included, in milliseconds: median, 95th percentile, most.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys
import time

sys.path.insert (0, os.path.join (os.path.dirname (os.path.abspath (__file__)), "..", "ui"))
import desk
from walk import focus_part, shown_count, timeline_name

# Megabytes of a trace of a million rows.
SIZE = "748"
STEPS = (("zoom in", "w", 12), ("pan later", "d", 30), ("pan earlier", "a", 30),
         ("zoom out", "s", 12), ("lane down", "Down", 30))
SETTLE_S = 0.25


def busy_ms (pid):
    with open (f"/proc/{pid}/task/{pid}/schedstat") as file:
        return int (file.read ().split ()[0]) / 1e6


def step (room, key):
    before = busy_ms (room.window.pid)
    room.keys (key)
    last = before
    until = time.monotonic () + 5
    while time.monotonic () < until:
        time.sleep (SETTLE_S)
        now = busy_ms (room.window.pid)
        if now - last < 0.3:
            break
        last = now
    return last - before


def settle (room):
    """Waits until what opening a trace brings with it has ended."""
    before = -1000
    while busy_ms (room.window.pid) - before > 2:
        before = busy_ms (room.window.pid)
        time.sleep (1)


def measure (path):
    with desk.Desk () as room:
        desk.PATIENCE_S = 300
        room.open_window (path)
        room.wait ("the rows are there", lambda: "rows" in shown_count (room))
        room.wait ("the timeline is there", lambda: timeline_name (room))
        focus_part (room, "image")
        settle (room)
        for name, key, times in STEPS:
            costs = sorted (step (room, key) for _ in range (times))
            print (f"{name:12} {times:3} times: median {costs[len (costs) // 2]:6.1f}, "
                   f"95 % {costs[int (len (costs) * 0.95)]:6.1f}, most {costs[-1]:6.1f} ms",
                   flush=True)


def main ():
    path = os.environ.get ("NETSTITCH_BIG")
    made = None
    if path is None:
        made = path = os.path.join (os.environ.get ("TMPDIR", "/tmp"), f"frames-{os.getpid ()}.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_BIG"], SIZE, path], check=True)
    try:
        measure (path)
    except desk.NoDesk as error:
        print (f"skipped: {error}")
        return 77
    finally:
        if made is not None:
            os.unlink (made)
    return 0


if __name__ == "__main__":
    sys.exit (main ())
