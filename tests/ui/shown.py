#!/usr/bin/python3
"""Tests which rows the timeline and the tables show, select and sum: by lane, time span and playback position.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import os
import re
import subprocess
import sys
import time

import desk
from timeline import Actions, start
from walk import focus_part, run_claims, shown_count, timeline_name


def a_lane_makes_a_filter (sample):
    with desk.Desk () as room:
        actions = start (room, sample)
        room.keys ("Home", "Up", "Up", "Up", "Down")
        actions.do ("only-lane")
        room.wait ("only that server is shown",
                   lambda: actions.state ("state")[2]
                   == '(pid="4312" server="mail.example.com" port="443")')
        if actions.state ("state")[3] != 7:
            raise desk.Failed (f"{actions.state ('state')[3]} rows, 7 are in the lane")
        actions.do ("undo-filter")
        room.wait ("all are back", lambda: actions.state ("state")[3] == 27)
        actions.do ("without-lane")
        room.wait ("all others are shown", lambda: actions.state ("state")[3] == 20)
        actions.do ("undo-filter")
        actions.do ("select-rows", actions.variant ("au", [0]))
        actions.do ("follow-connection")
        room.wait ("the connection is followed",
                   lambda: re.fullmatch (r"tcp=\d+", actions.state ("state")[2]))
        n_rows = {table: len (subprocess.run ([os.environ["NETSTITCH_CLI"], table, sample, "--format",
                                               "tsv"], check=True, capture_output=True,
                                              text=True).stdout.splitlines ()) - 1
                  for table in ("tcp", "webio", "threads", "events")}
        # Every other table shows the rows that belong to it, and a chip names the filter.
        for table, holds in (("tcp", "id in ("), ("webio", "activity in ("), ("threads", "pid in ("),
                             ("events", "n in (")):
            actions.do ("show-tab", actions.variant ("s", table))
            room.wait (f"{table} is filtered", lambda: actions.state ("state")[1] == table
                       and holds in actions.state ("state")[2])
            room.wait ("its chip is there",
                       lambda: room.find (holds="Connection to mail.example.com"))
            room.wait ("its tab tells of how many", lambda: room.find (
                role="label", name=f"{actions.state ('state')[3]} of {n_rows[table]}"))
        # Removing the chip in one table removes it in all.
        actions.do ("chip-remove", actions.variant ("u", 0))
        for table in ("events", "tcp", "activities"):
            actions.do ("show-tab", actions.variant ("s", table))
            room.wait (f"{table} shows all", lambda: actions.state ("state")[1] == table
                       and actions.state ("state")[2] == "")


def marked_spans_are_ranges (sample):
    """Two time spans with labels, and a filter by one of them: in the window, after a restart, and on the command
    line."""
    with desk.Desk () as room:
        actions = start (room, sample)
        for begin, end, name in ((0, 3, "begin"), (3, 12, "the rest")):
            actions.do ("select-span", actions.variant ("(xx)", (begin * 10**9, end * 10**9)))
            actions.do ("name-bookmark-to", actions.variant ("s", name))
        actions.do ("select-span", actions.variant ("(xx)", (0, 0)))
        actions.do ("set-filter", actions.variant ("s", "range:nowhere"))
        room.wait ("a range without a name is a mistake",
                   lambda: actions.state ("state")[2] == "")
        actions.do ("set-filter", actions.variant ("s", 'range:"the rest"'))
        room.wait ("it is filtered", lambda: 0 < actions.state ("state")[3] < 27)
        n_rows = actions.state ("state")[3]
        lines = subprocess.run ([os.environ["NETSTITCH_CLI"], "activities", sample, "--format",
                                 "tsv", "--columns", "open_ns,close_ns", "--range",
                                 "begin=0..3;the rest=3..12", "--filter", 'range:"the rest"'],
                                check=True, capture_output=True, text=True).stdout.splitlines ()
        if len (lines) - 1 != n_rows:
            raise desk.Failed (f"{n_rows} rows here, {len (lines) - 1} on the command line")
        for line in lines[1:]:
            opened, closed = (int (cell) for cell in line.split ("\t"))
            if opened < 3 * 10**9 or closed > 12 * 10**9:
                raise desk.Failed (f"{line} is not in the range")
        room.keys ("ctrl+w")
        room.window.wait (30)
        room.open_window (sample)
        actions = Actions (room)
        room.wait ("it is so again", lambda: actions.state ("state")[3] == n_rows
                   and actions.state ("state")[2] == 'range:"the rest"')


def dimmed_rows_cannot_be_chosen (sample):
    """With filtered rows dimmed, the lanes stay; dimmed bars cannot be selected, and the setting is saved."""
    with desk.Desk () as room:
        actions = start (room, sample)
        actions.do ("set-filter", actions.variant ("s", "failed=true"))
        room.wait ("three rows are left", lambda: actions.state ("state")[3] == 3)
        if actions.state ("keep-filtered"):
            raise desk.Failed ("rows are dimmed before anybody wants it")
        actions.do ("keep-filtered")
        room.wait ("they are now", lambda: actions.state ("keep-filtered"))
        # Steps through the bars of the first process: of nine rows, one is not dimmed.
        room.keys ("Home", "Up", "Up", "Up", "period", "period", "period")
        room.wait ("a kept bar is chosen", lambda: actions.state ("state")[4] == 1
                   and "failed" in timeline_name (room)[0])
        room.keys ("ctrl+w")
        room.window.wait (30)
        room.open_window (sample)
        room.wait ("it is so again", lambda: Actions (room).state ("keep-filtered"))


def a_playback_tells_nothing_ahead (sample):
    """Playback shows nothing that is later than its position. Row 10 began at 4.105 s and took 300 ms."""
    with desk.Desk () as room:
        actions = start (room, sample)
        ended = re.compile (r"4\.105 s \([a-z]+ [a-z0-9]+\), ended after 300")
        goes_on = "It is still in progress at this playback position."
        actions.do ("playback")
        room.wait ("the panel tells of the playback", lambda: room.find (name="Playback"))
        actions.do ("playback")
        room.wait ("the panel no longer does", lambda: room.find (name="Playback") is None)
        actions.do ("playback")
        actions.do ("play-at", actions.variant ("x", 4300000000))
        room.wait ("ten rows had begun", lambda: shown_count (room) == "10 of 27 rows")
        actions.do ("select-rows", actions.variant ("au", [9]))
        room.wait ("the panel says that the row goes on", lambda: room.find (holds=goes_on))
        is_told = lambda: any (ended.search (desk.text_of (node).replace ("\u00a0", " "))
                               for node in room.walk (cells=True))
        if is_told ():
            raise desk.Failed ("the end of the row is told before it has come")
        if not any (desk.text_of (node).endswith (": …") for node in room.walk (cells=True)):
            raise desk.Failed ("no cell leaves out what is not known")
        actions.do ("play-at", actions.variant ("x", 4500000000))
        room.wait ("its end is told then", is_told)
        actions.do ("play-at", actions.variant ("x", 1000000000))
        room.wait ("the panel says that it begins later",
                   lambda: room.find (name="Not started yet"))
        actions.do ("play-at", actions.variant ("x", 4500000000))
        room.wait ("it is told of again", is_told)
        actions.do ("playback")
        room.wait ("all rows are back", lambda: shown_count (room) == "27 rows")


def the_view_goes_with_a_playback (sample):
    """The timeline scrolls with the playback position, also when zoomed; going back skips the scrolled views."""
    with desk.Desk () as room:
        actions = start (room, sample)
        actions.do ("zoom-span", actions.variant ("(xx)", (1000000000, 2000000000)))
        actions.do ("playback")
        actions.do ("play-at", actions.variant ("x", 8000000000))
        room.wait ("the moment is in view, and as much as before",
                   lambda: actions.state ("state")[5] <= 8000000000 <= actions.state ("state")[6]
                   and actions.state ("state")[6] - actions.state ("state")[5] == 1000000000)
        actions.do ("play-speed", actions.variant ("s", "10"))
        actions.do ("play")
        room.wait ("the view was turned over while it played",
                   lambda: actions.state ("state")[5] > 9000000000)
        actions.do ("playback")
        actions.do ("back")
        room.wait ("pages that were turned are no steps",
                   lambda: actions.state ("state")[5:] == (0, 17500900000))


def a_moment_is_placed_by_keys (sample):
    """The playback bar has a slider for the position; the speed keeps its setting."""
    with desk.Desk () as room:
        actions = start (room, sample)
        # Without playback, the button of an empty table shows all rows.
        actions.do ("set-filter", actions.variant ("s", "process:nobody"))
        room.wait ("no row is left", lambda: shown_count (room) == "0 of 27 rows")
        room.wait ("all rows are offered", lambda: room.find (name="Show All Rows"))
        actions.do ("undo-filter")
        room.wait ("all rows are back", lambda: shown_count (room) == "27 rows")
        actions.do ("playback")
        room.wait ("nothing had begun", lambda: shown_count (room) == "0 of 27 rows")
        room.wait ("that is said", lambda: room.find (holds="at this playback position"))
        room.keys ("Tab", "Tab", "Tab", "End")
        room.wait ("all had begun", lambda: re.fullmatch ("27( of 27)? rows", shown_count (room)))
        room.keys (*["Left"] * 30)
        room.wait ("not all had", lambda: re.fullmatch ("2[0-6] of 27 rows", shown_count (room)))
        actions.do ("play-speed", actions.variant ("s", "0.1"))
        room.wait ("the speed is told", lambda: room.find (name="Speed \u00d7 0.1"))
        actions.do ("playback")
        actions.do ("playback")
        room.wait ("it is told again", lambda: room.find (name="Speed \u00d7 0.1"))
        begin = time.monotonic ()
        actions.do ("play")
        time.sleep (2.5)
        moment = room.steady (lambda: desk.Atspi.Value.get_current_value (room.find (name="Playback position")))
        # On a busy computer, more time than 2.5 s may have passed.
        passed = time.monotonic () - begin
        if not 0 < moment < 0.4 * passed:
            raise desk.Failed (f"the moment is {moment} s after {passed:.1f} s of a tenth of the speed")


def tab_counts (room):
    """Returns the count that each tab shows after its title."""
    labels = [[desk.text_of (node) for node in room.walk (tab) if node.get_role_name () == "label"]
              for tab in room.walk () if tab.get_role_name () == "page tab"]
    return {texts[0]: texts[-1] for texts in labels if texts}


def begun_by (sample, table, moment):
    """Returns the number of rows that began up to a time, according to the command line."""
    lines = subprocess.run ([os.environ["NETSTITCH_CLI"], table, sample, "--filter", f"not open_ns>{moment}s",
                             "--format", "csv"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return str (len (lines.splitlines ()) - 1)


def tabs_of_a_playback_count_nothing_ahead (sample):
    with desk.Desk (size="1900x1000") as room:
        actions = start (room, sample)
        before = room.wait ("tabs have counts",
                            lambda: {name: count for name, count in tab_counts (room).items () if name in ("TCP", "DNS")})
        actions.do ("playback")
        for moment in (4.3, 9.1):
            wanted = {"TCP": begun_by (sample, "tcp", moment), "DNS": begun_by (sample, "dns", moment)}
            actions.do ("play-at", actions.variant ("x", int (moment * 1e9)))
            room.wait (f"at {moment} s the tabs say {wanted}, not {before}",
                       lambda: all (tab_counts (room).get (name) == count for name, count in wanted.items ()))
            if wanted["TCP"] == before["TCP"]:
                raise desk.Failed ("all had begun by then")
        actions.do ("playback")
        room.wait ("the tabs count all again", lambda: all (tab_counts (room).get (name) == before[name] for name in before))


def number_behind (line, word):
    return int (re.search (re.escape (word) + r" ([0-9,\u2009\u202f ]+)", line)[1]
                .translate ({ord (c): None for c in ", \u2009\u202f"}))


def sums_are_those_of_the_export (sample):
    """The sums in the status bar equal those of the exported rows."""
    with desk.Desk () as room:
        actions = start (room, sample)
        path = os.path.join (room.folder, "rows.csv")
        for rows in ([0, 3, 7, 11], list (range (27))):
            actions.do ("select-rows", actions.variant ("au", rows))
            said = f"{len (rows)} rows selected"
            room.wait (said, lambda: room.find (holds=said) and room.find (holds="Σ received"))
            line = desk.text_of (room.find (holds="Σ received"))
            actions.do ("export-to", actions.variant ("s", path))
            room.wait ("the rows are exported", lambda: os.path.exists (path))
            with open (path, newline="", encoding="utf-8-sig") as file:
                table = list (csv.DictReader (file))
            os.unlink (path)
            if len (table) != len (rows):
                raise desk.Failed (f"{len (table)} rows are exported, not {len (rows)}")
            for word, name in (("Σ sent", "sent"), ("Σ received", "received")):
                title = next (title for title in table[0] if title.startswith (name))
                summed = sum (int (row[title] or 0) for row in table)
                if number_behind (line, word) != summed:
                    raise desk.Failed (f"{line!r}, but {title} adds up to {summed}")


def frame_of_look (lines, n_before, what):
    """Returns the first frame, from 1, in which a part of the window looks different after selection n_before (from 0),
    or None. The part may look as before later, since scroll bars fade."""
    chosen = [at for at, line in enumerate (lines) if line == "choice"][n_before:]
    if not chosen:
        return None
    before = [line for line in lines[:chosen[0]] if line.startswith (what)][-1]
    frame = 1
    for line in lines[chosen[0] + 1:]:
        if line == "frame":
            frame += 1
        elif line.startswith (what) and line != before:
            return frame
    return None


def a_choice_is_seen_in_the_next_frame (sample):
    """A selected row is marked in the table and outlined in the timeline in the same frame."""
    with desk.Desk () as room:
        path = os.path.join (room.folder, "frames")
        room.open_window (sample, extra={"LD_PRELOAD": os.environ["NETSTITCH_FRAME_WATCH"],
                                         "NETSTITCH_FRAME_WATCH_FILE": path})
        room.wait ("the timeline is there", lambda: timeline_name (room))
        focus_part (room, "table row")
        actions = Actions (room)

        def lines ():
            with open (path, encoding="ascii") as file:
                return file.read ().splitlines ()

        def choose (how, *parts):
            n_before = lines ().count ("choice")
            how ()
            for part in parts:
                room.wait (f"the {part} shows the choice",
                           lambda: frame_of_look (lines (), n_before, part))
                frame = frame_of_look (lines (), n_before, part)
                print (f"# the {part} showed it in frame {frame}")
                if frame != 1:
                    raise desk.Failed (f"the {part} showed a choice in frame {frame} after it")

        for row in (3, 9, 20):
            choose (lambda: actions.do ("select-rows", actions.variant ("au", [row])),
                    "timeline", "table")
        for _ in range (2):
            choose (lambda: room.keys ("Down"), "timeline")


def nothing_is_drawn_at_rest (sample):
    """No frame is drawn while nothing changes. The window is right-to-left, where the program positions columns that
    are narrower than the table."""
    with desk.Desk (size="2600x1000") as room:
        path = os.path.join (room.folder, "frames")
        room.open_window (sample, extra={"LD_PRELOAD": os.environ["NETSTITCH_FRAME_WATCH"],
                                         "NETSTITCH_FRAME_WATCH_FILE": path,
                                         "NETSTITCH_FRAME_WATCH_RTL": "1"})
        room.wait ("the timeline is there", lambda: timeline_name (room))
        actions = Actions (room)
        subprocess.run (["xdotool", "getactivewindow", "windowsize", "2600", "1000"], env=room.env,
                        check=True)
        actions.do ("show-tab", actions.variant ("s", "processes"))
        room.wait ("five rows are shown", lambda: shown_count (room) == "5 rows")

        def count_frames ():
            with open (path, encoding="ascii") as file:
                return file.read ().splitlines ().count ("frame")

        def rests ():
            n_frames = count_frames ()
            time.sleep (1)
            return count_frames () == n_frames

        room.wait ("no frame is drawn any more", rests)


def a_group_opens_where_it_is (sample):
    """Collapsing a group while the table is scrolled down and no row is selected keeps the group in view."""
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the timeline is there", lambda: timeline_name (room))
        actions = Actions (room)
        actions.do ("group-by", actions.variant ("s", "process_pid,server"))
        actions.do ("expand-groups")

        def rows ():
            """Returns (y, text) of the rows; the y of rows out of view is near the top, or outdated."""
            return [(desk.box_of (node).y, desk.text_of (node)) for node in room.walk (cells=True)
                    if node.get_role_name () == "table row" and not desk.is_row_of_titles (node)]

        room.wait ("groups and rows are there", lambda: actions.state ("places")[0] > 27 + 4)
        top = rows ()[0][0]
        seventh = rows ()[6][1]
        subprocess.run (["xdotool", "getactivewindow", "mousemove", "--window", "%1", "200",
                         str (top + 60), "click", "--repeat", "60", "5"], env=room.env, check=True)
        room.wait ("the end is in view", lambda: rows ()[-1][0] > top + 100)
        time.sleep (1)
        at = max (at for at, (_, text) in enumerate (rows ()[:-1]) if re.search (r": \d+ rows?, ", text))
        group = rows ()[at][1]
        places = actions.state ("places")[0]
        # Newer GTK exposes only rows in view, up to the last row of the table.
        actions.do ("toggle-group", actions.variant ("u", places - len (rows ()) + at))
        room.wait ("a group is closed", lambda: actions.state ("places")[0] < places)
        time.sleep (0.5)
        below = [text for y, text in rows () if y > top + 100]
        if seventh in below or group not in below:
            raise desk.Failed (f"{group!r} was closed, now {rows ()} are shown")


if __name__ == "__main__":
    sys.exit (run_claims ("shown", (a_group_opens_where_it_is, a_choice_is_seen_in_the_next_frame, nothing_is_drawn_at_rest, a_playback_tells_nothing_ahead,
                                    the_view_goes_with_a_playback, a_moment_is_placed_by_keys,
                                    tabs_of_a_playback_count_nothing_ahead, sums_are_those_of_the_export,
                                    a_lane_makes_a_filter, marked_spans_are_ranges, dimmed_rows_cannot_be_chosen)))
