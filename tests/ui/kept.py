#!/usr/bin/python3
"""Tests the files that the program stores for traces and their removal, and traces without a local path.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import subprocess
import sys
import time

import desk
from walk import run_claims

BOOKMARK = """<bookmark href="file://{path}" added="{day}" modified="{day}" visited="{day}"><info>
<metadata owner="http://freedesktop.org"><mime:mime-type type="{kind}"/><bookmark:applications>
<bookmark:application name="Other" exec="&apos;other %u&apos;" modified="{day}" count="1"/>
</bookmark:applications></metadata></info></bookmark>
"""
XBEL = """<?xml version="1.0" encoding="UTF-8"?>
<xbel version="1.0" xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
 xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info">
{bookmarks}</xbel>
"""


def press (room, name):
    desk.Atspi.Action.do_action (room.find (role="push button", name=name), 0)


def the_list_of_recent_traces_is_cleared (sample):
    """Other files in the desktop's list of recent files are kept."""
    with desk.Desk () as room:
        recent = os.path.join (room.env["XDG_DATA_HOME"], "recently-used.xbel")
        # GTK drops entries that are too old.
        day = time.strftime ("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime ())
        with open (recent, "w", encoding="utf-8") as file:
            file.write (XBEL.format (bookmarks=BOOKMARK.format (path=sample, day=day, kind="application/x-etl") +
                                     BOOKMARK.format (path="/tmp/letter.txt", day=day, kind="text/plain")))
        room.open_window ()
        room.wait ("the trace is listed", lambda: room.find (holds=os.path.basename (sample)))
        if room.find (holds="letter.txt") is not None:
            raise desk.Failed ("a letter is among the traces")
        press (room, "Clear List")
        room.wait ("the list is empty", lambda: room.find (holds=os.path.basename (sample)) is None)

        def written ():
            with open (recent, encoding="utf-8") as file:
                return file.read ()
        room.wait ("the desktop's list has no trace any more", lambda: sample not in written ())
        if "letter.txt" not in written ():
            raise desk.Failed ("the letter is gone, too")


def what_is_kept_is_cleared (sample):
    """Each kind of stored files is cleared separately; other files are kept."""
    with desk.Desk () as room:
        kept = {}
        for title, place in (("Views and bookmarks of traces", ("XDG_STATE_HOME", "views", "a.view")),
                             ("Downloaded symbols", ("XDG_CACHE_HOME", "symbols", "a.pdb/1/a.pdb"))):
            kept[title] = os.path.join (room.env[place[0]], "netstitch", place[1], place[2])
            os.makedirs (os.path.dirname (kept[title]))
            with open (kept[title], "wb") as file:
                file.write (b"x" * 3000)
        beside = os.path.join (room.env["XDG_CACHE_HOME"], "netstitch", "beside")
        with open (beside, "wb") as file:
            file.write (b"x")
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        room.keys ("ctrl+comma")
        room.wait ("the preferences are there", lambda: room.find (name="Clear: Downloaded symbols"))
        sheet = desk.box_of (room.find (role="frame", name="Preferences") or
                             room.find (role="dialog", name="Preferences"))
        if sheet.width > 900:
            raise desk.Failed (f"its notes make the window {sheet.width} px wide")
        press (room, "Clear: Downloaded symbols")
        room.wait ("the symbols are gone", lambda: not os.path.exists (kept["Downloaded symbols"]))
        room.wait ("there is nothing left to clear", lambda: not room.find (
            name="Clear: Downloaded symbols").get_state_set ().contains (desk.Atspi.StateType.SENSITIVE))
        if not os.path.exists (kept["Views and bookmarks of traces"]):
            raise desk.Failed ("views went with the symbols")
        press (room, "Clear: Views and bookmarks of traces")
        room.wait ("the views are gone", lambda: not os.path.exists (kept["Views and bookmarks of traces"]))
        if not os.path.exists (beside):
            raise desk.Failed ("what is none of both was removed")


def a_trace_without_a_path_is_opened (sample):
    """A GResource with an overlay stands in for a remote file: GIO reads both as streams."""
    place = "/org/netstitch/elsewhere"
    with desk.Desk (G_RESOURCE_OVERLAYS=f"{place}={os.path.dirname (sample)}") as room:
        room.open_window (f"resource://{place}/{os.path.basename (sample)}")
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        title = room.find (role="label", name=os.path.basename (sample))
        if title is None:
            raise desk.Failed ("the window has not the name of the file that was asked for")
        left = [name for folder, _, names in os.walk (room.env["XDG_CACHE_HOME"]) for name in names
                if name.endswith (".etl") or "fetched" in folder + name]
        if left:
            raise desk.Failed (f"copies are left behind: {left}")


def settings_are_kept_without_a_bus (sample):
    """Settings are saved without a session bus, as in a minimal container, where GIO would try to launch one."""
    with desk.Desk () as room:
        env = dict (room.env)
        for name in ("DBUS_SESSION_BUS_ADDRESS", "GSETTINGS_BACKEND"):
            env.pop (name, None)
        env.update (GTK_A11Y="none", PATH=room.folder)
        log = os.path.join (room.folder, "alone.log")
        with open (log, "wb") as out:
            window = subprocess.Popen ([os.environ["NETSTITCH"], sample], env=env, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=out, preexec_fn=desk.die_with_parent)
        subprocess.run (["timeout", str (desk.PATIENCE_S), "xdotool", "search", "--sync", "--onlyvisible", "--name",
                         os.path.basename (sample), "windowactivate", "--sync"], env=room.env, check=True)
        # F9 hides the panel, which is saved as a setting.
        room.keys ("F9", "ctrl+w")
        status = window.wait (desk.PATIENCE_S)
        with open (log, encoding="utf-8", errors="replace") as said:
            wrong = [line for line in said if desk.COMPLAINT.search (line)]
        if status != 0 or wrong:
            raise desk.Failed (f"it ends with {status} and says {wrong[:3]}")
        with open (os.path.join (env["XDG_CONFIG_HOME"], "glib-2.0", "settings", "keyfile"), encoding="utf-8") as file:
            if "[org/netstitch/Netstitch]" not in file.read ():
                raise desk.Failed ("its settings are not in the file")


if __name__ == "__main__":
    sys.exit (run_claims ("kept", (the_list_of_recent_traces_is_cleared, what_is_kept_is_cleared,
                                   a_trace_without_a_path_is_opened,
                                   settings_are_kept_without_a_bus)))
