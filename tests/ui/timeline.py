#!/usr/bin/python3
"""Tests the timeline in the window: shortcuts, clocks, bookmarks, lanes, printing and pictures.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import stat
import subprocess
import sys
import time
import zlib

import desk
from walk import focus_part, run_claims, timeline_name

BUS_NAME = "org.netstitch.Netstitch"
WINDOW = "/org/netstitch/Netstitch/window/1"


class Actions:
    """The window's actions on D-Bus."""

    def __init__ (self, room):
        from gi.repository import Gio, GLib
        self.variant = GLib.Variant
        self.bus = Gio.DBusConnection.new_for_address_sync (
            room.env["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

    def call (self, method, parameters):
        return self.bus.call_sync (BUS_NAME, WINDOW, "org.gtk.Actions", method, parameters,
                                   None, 0, 10000, None)

    def do (self, name, parameter=None):
        self.call ("Activate", self.variant ("(sava{sv})",
                                             (name, [] if parameter is None else [parameter], {})))

    def state (self, name):
        reply = self.call ("Describe", self.variant ("(s)", (name,))).unpack ()
        return reply[0][2][0]


def start (room, sample):
    room.open_window (sample)
    room.wait ("the timeline is there", lambda: timeline_name (room))
    focus_part (room, "image")
    return Actions (room)


def a_bar_tells_its_row (sample):
    """The tooltip has the sentence of the row, and a line with what the bar does not show."""
    with desk.Desk () as room:
        actions = start (room, sample)
        box = desk.box_of (room.wait ("there is a ruler", lambda: room.find (holds="Ruler, in view")))
        window = subprocess.run (["xdotool", "getactivewindow"], env=room.env, check=True, capture_output=True,
                                 text=True).stdout.strip ()
        # A bar of the second lane then covers the whole view.
        actions.do ("zoom-span", actions.variant ("(xx)", (7900000000, 8500000000)))
        room.wait ("it is zoomed", lambda: actions.state ("state")[5] == 7900000000)
        for step in (0, 1):
            subprocess.run (["xdotool", "mousemove", "--window", window, str (box.x + box.width // 2 + step),
                             str (box.y + box.height + 24 + 12)], env=room.env, check=True)
            time.sleep (0.2)
        told = desk.text_of (room.wait ("the bar tells its row", lambda: room.find (holds="confidence:")))
        if not re.fullmatch (r"OUTLOOK\.EXE \(4312\) made a request to mail\.example\.com at 7\.838 s .*\n"
                             r"WinHTTP · sent 2,148 B · received 1,012 B · confidence: likely", told, re.S):
            raise desk.Failed (f"it says {told!r}")


def time_cells (room, begin):
    """Returns the table cells that contain a time of day."""
    return [node for node in room.walk (cells=True) if begin in desk.text_of (node)]


def times_are_told_by_another_clock (sample):
    with desk.Desk () as room:
        actions = start (room, sample)
        # Without the panel, the Open column has enough space.
        room.keys ("F9")
        room.keys ("t", "t")
        room.wait ("the clock is UTC", lambda: actions.state ("clock") == "utc")
        room.wait ("the rows say so", lambda: time_cells (room, "13:14:"))
        room.keys ("t", "t")
        room.wait ("the clock is the trace's again", lambda: actions.state ("clock") == "trace")
        room.wait ("the rows tell seconds", lambda: not time_cells (room, "13:14:"))


def marks_have_words_and_come_back (sample):
    with desk.Desk () as room:
        actions = start (room, sample)
        span = actions.variant ("(xx)", (2000000000, 6000000000))
        actions.do ("select-span", span)
        room.keys ("M")
        room.wait ("the words are asked for",
                   lambda: room.find (name="Bookmark label"))
        room.type ("login storm")
        room.keys ("Return")
        room.wait ("a mark is there", lambda: "1 bookmark" in " ".join (timeline_name (room)))
        actions.do ("select-span", actions.variant ("(xx)", (9000000000, 10000000000)))
        actions.do ("bookmark")
        room.wait ("two are there", lambda: "2 bookmarks" in " ".join (timeline_name (room)))
        actions.do ("select-span", actions.variant ("(xx)", (0, 0)))
        focus_part (room, "image")
        room.keys ("alt+r")
        actions.do ("only-span")
        room.wait ("rows between the marks are shown",
                   lambda: actions.state ("state")[2] == "open_ns=2.000000000s..9.000000000s")
        room.keys ("ctrl+z", "ctrl+w")
        room.window.wait (30)
        kept = ""
        for folder, _, names in os.walk (room.env["XDG_STATE_HOME"]):
            for name in names:
                with open (os.path.join (folder, name), "rb") as file:
                    kept += file.read ().decode ("utf-8", "replace")
        if "login storm" not in kept:
            raise desk.Failed ("the words of the mark are not kept")
        room.open_window (sample)
        room.wait ("the marks are back",
                   lambda: timeline_name (room)
                   and "2 bookmarks" in " ".join (timeline_name (room)))


def focused_name (room):
    node = room.focused ()
    return (node.get_role_name (), desk.text_of (node)) if node is not None else ("", "")


def strip_and_ruler_are_reached_by_keys (sample):
    with desk.Desk () as room:
        actions = start (room, sample)
        room.keys ("w", "w", "Tab")
        room.wait ("the overview has the focus",
                   lambda: focused_name (room)[0] == "slider"
                   and focused_name (room)[1].startswith ("Overview"))
        room.keys ("Home")
        room.wait ("the beginning is in view", lambda: actions.state ("state")[5] == 0)
        room.keys ("Right")
        room.wait ("it went on", lambda: actions.state ("state")[5] > 0)
        length = actions.state ("state")[6] - actions.state ("state")[5]
        room.keys ("plus")
        room.wait ("plus zooms", lambda: actions.state ("state")[6]
                   - actions.state ("state")[5] < length)
        if os.environ.get ("NETSTITCH_PICTURES"):
            room.picture (os.path.join (os.environ["NETSTITCH_PICTURES"], "overview.png"))
        room.keys ("Return", "Tab")
        room.wait ("all is in view, and the ruler has the focus",
                   lambda: actions.state ("state")[5] == 0
                   and focused_name (room)[1].startswith ("Ruler, in view"))
        actions.do ("select-span", actions.variant ("(xx)", (2000000000, 6000000000)))
        room.keys ("End", "ctrl+Right")
        name = room.wait ("the end has moved",
                          lambda: re.search (r"end of the selected span: 2\S*\D+6\D+[1-9]",
                                             focused_name (room)[1]))
        if os.environ.get ("NETSTITCH_PICTURES"):
            room.picture (os.path.join (os.environ["NETSTITCH_PICTURES"], "ruler.png"))
        if not name:
            raise desk.Failed (focused_name (room)[1])


def a_lane_that_is_pinned_keeps_the_keys (sample):
    """A lane that is pinned moves to the top and keeps the focus."""
    def lane ():
        node = next ((node for node in room.walk () if node.get_role_name () == "image"
                      and node.get_state_set ().contains (desk.Atspi.StateType.FOCUSED)), None)
        return desk.text_of (node) if node is not None else ""

    with desk.Desk () as room:
        start (room, sample)
        room.wait ("the first lane is a process", lambda: "Timeline" in lane ())
        room.keys ("Down", "Down")
        room.wait ("a server has the focus", lambda: lane ().startswith ("autodiscover."))
        room.keys ("p", "Down")
        room.wait ("the first process follows it", lambda: lane ().startswith ("OUTLOOK.EXE"))


def a_head_has_buttons (sample):
    """A lane under the pointer has buttons; the one that hides it does not collapse it."""
    with desk.Desk () as room:
        actions = start (room, sample)
        node = room.find (role="image", holds="Timeline")
        box = desk.box_of (node)
        found = subprocess.run (["xdotool", "getactivewindow"], env=room.env, capture_output=True,
                                check=True, text=True).stdout.strip ()
        # The second lane; the lane names are 234 px wide, with the buttons at the end.
        subprocess.run (["xdotool", "mousemove", "--window", found, str (box.x + 234 - 16),
                         str (box.y + 54 + 30 + 36), "click", "1"], env=room.env, check=True)
        room.wait ("it is hidden", lambda: room.find (holds="1 lane hidden"))
        actions.do ("show-lanes")
        room.wait ("it is back", lambda: not room.find (holds="1 lane hidden"))


def a_head_that_stays_leads_to_its_place (sample):
    """When lanes are scrolled, the process of the topmost lane stays visible. A click or Enter scrolls to it; only at
    its own position a click collapses it."""
    def lane ():
        node = next ((node for node in room.walk () if node.get_role_name () == "image"
                      and node.get_state_set ().contains (desk.Atspi.StateType.FOCUSED)), None)
        return desk.text_of (node) if node is not None else ""

    def point (*then):
        subprocess.run (["xdotool", "mousemove", "--window", found, str (box.x + 60), str (box.y + 54 + 30 + 12), *then],
                        env=room.env, check=True)

    def next_lane (name):
        """Checks the lane below the first lane: its server, or the next process if it is collapsed."""
        room.keys ("Up", "Up", "Up", "Down")
        room.wait (f"{name} is next", lambda: lane ().startswith (name))
        room.keys ("Up")

    with desk.Desk () as room:
        start (room, sample)
        box = desk.box_of (room.find (role="image", holds="Timeline"))
        found = subprocess.run (["xdotool", "getactivewindow"], env=room.env, capture_output=True,
                                check=True, text=True).stdout.strip ()
        point ("click", "5", "click", "5")
        point ("click", "1")
        room.wait ("the process has the keys", lambda: lane ().startswith ("OUTLOOK.EXE"))
        next_lane ("mail.example.com")
        point ("click", "5", "click", "5")
        room.keys ("Return")
        point ("click", "1")
        next_lane ("updatehelper.exe")


def pages_turn_and_come_back (sample):
    with desk.Desk () as room:
        actions = start (room, sample)
        room.keys ("w", "w", "w", "w")
        room.wait ("it is zoomed in", lambda: actions.state ("state")[5] > 0)
        began = actions.state ("state")[5:7]
        room.keys ("ctrl+bracketright")
        room.wait ("a page later is shown", lambda: actions.state ("state")[5] > began[0])
        room.keys ("ctrl+bracketleft")
        room.wait ("the page is back", lambda: abs (actions.state ("state")[5] - began[0]) < 1000)
        room.keys ("ctrl+0")
        room.wait ("the whole trace is shown", lambda: actions.state ("state")[5] == 0)


def drawing_on_the_ruler_selects_or_zooms (sample):
    """Dragging on the ruler selects a time span in either direction; with Ctrl it zooms and selects nothing."""
    with desk.Desk () as room:
        actions = start (room, sample)
        whole = actions.state ("state")[5:7]
        box = desk.box_of (room.wait ("there is a ruler", lambda: room.find (holds="Ruler, in view")))
        window = subprocess.run (["xdotool", "getactivewindow"], env=room.env, check=True, capture_output=True,
                                 text=True).stdout.strip ()

        def draw (begin, end):
            def move (part):
                subprocess.run (["xdotool", "mousemove", "--window", window, str (round (box.x + box.width * part)),
                                 str (box.y + box.height // 3)], env=room.env, check=True)
                time.sleep (0.15)

            move (begin)
            subprocess.run (["xdotool", "mousedown", "1"], env=room.env, check=True)
            for step in (0.1, 0.3, 0.6, 1):
                move (begin + (end - begin) * step)
            subprocess.run (["xdotool", "mouseup", "1"], env=room.env, check=True)

        draw (0.7, 0.4)
        room.wait ("a span is selected", lambda: room.find (holds="start of the selected span")
                   or room.find (holds="end of the selected span"))
        if actions.state ("state")[5:7] != whole:
            raise desk.Failed ("it was zoomed, too")
        room.keys ("Escape")
        subprocess.run (["xdotool", "keydown", "ctrl"], env=room.env, check=True)
        draw (0.2, 0.6)
        subprocess.run (["xdotool", "keyup", "ctrl"], env=room.env, check=True)
        room.wait ("two fifths are in view",
                   lambda: 0.3 < (actions.state ("state")[6] - actions.state ("state")[5]) / whole[1] < 0.5)
        if room.find (holds="of the selected span"):
            raise desk.Failed ("a span is selected, too")


def a_narrow_zoom_is_told_apart (sample):
    with desk.Desk () as room:
        actions = start (room, sample)
        actions.do ("zoom-span", actions.variant ("(xx)", (10457056000, 10457061000)))
        room.wait ("its ends are not told alike", lambda: room.find (holds="10.4570560") and room.find (holds="10.4570610"))


def count_pages (pdf):
    """Returns the number of pages; cairo since 1.18 stores page objects in compressed streams."""
    with open (pdf, "rb") as file:
        text = file.read ()
    for packed in re.findall (rb"stream\r?\n(.*?)endstream", text, re.DOTALL):
        try:
            text += zlib.decompressobj ().decompress (packed)
        except zlib.error:
            pass
    pages = re.search (rb"/Count (\d+)", text)
    return int (pages[1]) if pages is not None else None


def what_is_shown_is_printed_and_pictured (sample):
    with desk.Desk () as room:
        actions = start (room, sample)
        pdf = os.path.join (room.folder, "pages.pdf")
        svg = os.path.join (room.folder, "timeline.svg")
        png = os.path.join (room.folder, "timeline.png")
        actions.do ("print-to", actions.variant ("s", pdf))
        room.wait ("the pages are there", lambda: os.path.exists (pdf))
        pages = count_pages (pdf)
        # 27 rows do not fit on the page with the timeline.
        if pages != 2:
            raise desk.Failed (f"two pages were wanted, {pages} are there")
        actions.do ("save-picture-to", actions.variant ("s", svg))
        actions.do ("save-picture-to", actions.variant ("s", png))
        room.wait ("the pictures are there", lambda: os.path.exists (svg) and os.path.exists (png))
        with open (svg, "rb") as file:
            if b"<svg" not in file.read (400):
                raise desk.Failed ("the picture is no SVG")
        with open (png, "rb") as file:
            if file.read (8) != b"\x89PNG\r\n\x1a\n":
                raise desk.Failed ("the picture is no PNG")
        for path in (pdf, svg, png):
            if stat.S_IMODE (os.stat (path).st_mode) != 0o600:
                raise desk.Failed (f"{os.path.basename (path)} may be read by others")


def pages_that_cannot_be_written_are_told_of (sample):
    with desk.Desk () as room:
        actions = start (room, sample)
        path = os.path.join (room.folder, "nowhere", "pages.pdf")
        actions.do ("print-to", actions.variant ("s", path))
        room.wait ("what could not be written is named", lambda: room.find (holds=f"“{path}” could not be written: "))
        os.mkdir (os.path.dirname (path))
        os.mkdir (path)
        actions.do ("print-to", actions.variant ("s", path))
        room.wait ("why not is told", lambda: room.find (holds=f"“{path}” could not be written: Is a directory"))
        if os.listdir (os.path.dirname (path)) != ["pages.pdf"]:
            raise desk.Failed (f"there are {os.listdir (os.path.dirname (path))}")


def height_of (png):
    with open (png, "rb") as file:
        return int.from_bytes (file.read (24)[20:], "big")


def pictures_wait_for_the_lanes (sample):
    """The lanes of many rows are laid out in a thread: a picture that is requested meanwhile waits for them, but not
    after rows were only sorted."""
    with desk.Desk () as room:
        big = os.path.join (room.folder, "big.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_BIG"], "--rows=60000", big], check=True,
                        stdout=subprocess.DEVNULL)
        actions = start (room, big)
        png = os.path.join (room.folder, "timeline.png")
        room.wait ("all rows are there", lambda: actions.state ("state")[3] > 50000)
        # Changing the filter discards the lanes before the picture is requested.
        actions.do ("set-filter", actions.variant ("s", "port=443"))
        actions.do ("set-filter", actions.variant ("s", ""))
        actions.do ("save-picture-to", actions.variant ("s", png))
        room.wait ("the picture is there", lambda: os.path.exists (png))
        if height_of (png) < 300:
            raise desk.Failed (f"a picture of {height_of (png)} px holds no lanes")
        actions.do ("sort", actions.variant ("s", "-duration_ns"))
        os.unlink (png)
        actions.do ("save-picture-to", actions.variant ("s", png))
        room.wait ("another order keeps no picture waiting", lambda: os.path.exists (png))


def reports_wait_for_the_lanes (sample):
    """A report that is requested early waits for the lanes, too."""
    with desk.Desk () as room:
        big = os.path.join (room.folder, "big.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_BIG"], "--rows=60000", big], check=True,
                        stdout=subprocess.DEVNULL)
        actions = start (room, big)
        report = os.path.join (room.folder, "report.html")
        room.wait ("all rows are there", lambda: actions.state ("state")[3] > 50000)
        actions.do ("select-rows", actions.variant ("au", [0]))
        actions.do ("export-to", actions.variant ("s", report))
        room.wait ("the report is there", lambda: os.path.exists (report))
        with open (report) as file:
            height = re.search (r"<svg[^>]* height=.(\d+)", file.read ())
        if height is None or int (height[1]) < 300:
            raise desk.Failed (f"a picture of {height and height[1]} px in a report holds no lanes")


def choosing_a_row_brings_its_bar_into_view (sample):
    """Selecting a row scrolls the timeline only if its bar is out of view."""
    with desk.Desk () as room:
        actions = start (room, sample)

        def seen ():
            return actions.state ("state")[5:7]

        actions.do ("zoom-span", actions.variant ("(xx)", (0, 2000000000)))
        room.wait ("it is zoomed", lambda: seen () == (0, 2000000000))
        # The first row begins before 1 s.
        actions.do ("select-rows", actions.variant ("au", [0]))
        room.wait ("it is chosen", lambda: "OUTLOOK" in timeline_name (room)[0])
        if seen () != (0, 2000000000):
            raise desk.Failed (f"the time moved for a bar in view: {seen ()}")
        # The upload to the file server began at 5 s.
        actions.do ("select-rows", actions.variant ("au", [11]))
        room.wait ("its bar is in view", lambda: seen ()[0] <= 5000000000 < seen ()[1])
        if seen ()[1] - seen ()[0] != 2000000000:
            raise desk.Failed ("it zoomed")


def many_connections_share_lanes (sample):
    """The seven connections to one server share a lane, unless lanes are unpacked."""
    with desk.Desk () as room:
        actions = start (room, sample)

        def names (n):
            """Returns the names of the first n lanes."""
            seen = []
            room.keys (*["Up"] * 30)
            for _ in range (n):
                seen.append (focused_name (room)[1])
                room.keys ("Down")
            return seen

        packed = names (6)
        if packed[4:6] != ["telemetry.example.org", "svchost.exe"]:
            raise desk.Failed (f"the connections of the server have lanes of their own: {packed}")
        actions.do ("pack-lanes")
        room.wait ("they are unpacked", lambda: actions.state ("pack-lanes") is False)
        apart = names (8)
        if not any (name.startswith ("connection ") for name in apart):
            raise desk.Failed (f"there is no lane of one connection: {apart}")


def thread_strip (room):
    """Returns the text of the CPU strip below the lanes, or None."""
    for node in room.walk ():
        if node.get_role_name () == "image" and re.match (r"(Thread|CPU of the thread)",
                                                          desk.text_of (node)):
            return desk.text_of (node)
    return None


def the_thread_of_a_row_has_a_strip (sample):
    """The thread ran all the time except for 100 ms; a trace without thread switches has no CPU strip."""
    with desk.Desk () as room:
        path = os.path.join (room.folder, "switches.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_SWITCHES"], path], check=True)
        actions = start (room, path)
        room.wait ("no thread is chosen",
                   lambda: thread_strip (room) ==
                   "CPU of the thread: no row with a known thread is selected")
        actions.do ("select-rows", actions.variant ("au", [0]))
        room.wait ("the strip tells of the thread: 350 of 500 ms",
                   lambda: thread_strip (room) == "Thread 1 ran 70 % of the time shown")
        room.wait ("the panel tells of it, too", lambda: room.find (
            holds="Ran for 300 ms, was ready without a processor for 0.000 ms, waited for 100 ms."))
        actions.do ("zoom-span", actions.variant ("(xx)", (220000000, 280000000)))
        room.wait ("it did not run in what is shown now",
                   lambda: thread_strip (room) == "Thread 1 ran 0 % of the time shown")
        actions.do ("cpu-strip")
        room.wait ("the strip is gone", lambda: thread_strip (room) is None)
        actions.do ("cpu-strip")
        room.wait ("the strip is back", lambda: thread_strip (room))
        room.keys ("ctrl+w")
        room.window.wait (desk.PATIENCE_S)
        start (room, sample)
        if thread_strip (room) is not None:
            raise desk.Failed ("a trace without switches and samples has a strip")


if __name__ == "__main__":
    sys.exit (run_claims ("timeline", (times_are_told_by_another_clock, marks_have_words_and_come_back,
                                       strip_and_ruler_are_reached_by_keys, a_head_has_buttons,
                                       a_head_that_stays_leads_to_its_place,
                                       a_bar_tells_its_row, a_lane_that_is_pinned_keeps_the_keys,
                                       the_thread_of_a_row_has_a_strip, pages_turn_and_come_back,
                                       choosing_a_row_brings_its_bar_into_view,
                                       many_connections_share_lanes,
                                       a_narrow_zoom_is_told_apart, drawing_on_the_ruler_selects_or_zooms,
                                       what_is_shown_is_printed_and_pictured,
                                       pages_that_cannot_be_written_are_told_of,
                                       pictures_wait_for_the_lanes,
                                       reports_wait_for_the_lanes)))
