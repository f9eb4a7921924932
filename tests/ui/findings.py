#!/usr/bin/python3
"""Tests findings in the window: their tab and number, the parts of the panel, and the links to their rows.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import desk
from columns import number_of
from walk import activate, run_claims


def ask (*words):
    return subprocess.run ([os.environ["NETSTITCH_CLI"], *words], check=True, capture_output=True,
                           text=True).stdout


def found_in (trace, *words):
    """Returns the findings of the command line."""
    return [row for row in json.loads (ask ("findings", trace, "--format", "json", *words))
            if row["verdict"] == "found"]


def open_trace (room, trace):
    room.open_window (trace)
    room.wait ("the tabs are there", lambda: len (tabs_of (room)) > 2)


def tabs_of (room):
    """Returns the titles of the visible tabs, from left to right, without the counts that newer GTK includes."""
    tabs = room.find (role="page tab list", name="Tables")
    if tabs is None:
        return []
    return [re.sub (r" [\d,]+( \w+)?$", "", desk.text_of (node)) for node in room.walk (tabs)
            if node.get_role_name () == "page tab" and node.get_parent () == tabs]


def label_beside (room, title):
    """Returns the count of a table's tab: the label after its title."""
    tabs = room.find (role="page tab list", name="Tables")
    for tab in room.walk (tabs):
        if tab.get_role_name () != "page tab" or not desk.text_of (tab).startswith (title):
            continue
        labels = [desk.text_of (node) for node in room.walk (tab) if node.get_role_name () == "label"]
        return labels[1] if len (labels) > 1 else None
    return None


def everywhere_they_are_counted_alike (sample):
    found = found_in (sample)
    count = len (found)
    # The text report wraps lines.
    report = " ".join (ask ("report", sample, "--text").split ())
    told = sum (row["text"] in report for row in found)
    if told != count:
        raise desk.Failed (f"the report tells of {told} findings of {count}")
    with desk.Desk () as room:
        page = os.path.join (room.folder, "page.html")
        part = os.path.join (room.folder, "part.etl.zip")
        ask ("export", sample, "--as", "html", "-o", page)
        ask ("export", sample, "--as", "bundle", "-o", part)
        with open (page) as file:
            text = html.unescape (re.sub ("<[^>]*>", "", file.read ()))
        told = sum (row["text"] in text for row in found)
        if told != count:
            raise desk.Failed (f"the page tells of {told} findings of {count}")
        with zipfile.ZipFile (part) as bundle:
            pages = [bundle.read (name).decode (errors="replace") for name in bundle.namelist ()
                     if name.endswith (".html")]
        told = sum (any (row["text"] in html.unescape (re.sub ("<[^>]*>", "", one)) for one in pages)
                    for row in found)
        if pages and told != count:
            raise desk.Failed (f"the hand-over tells of {told} findings of {count}")
        open_trace (room, sample)
        room.wait ("the tab counts them", lambda: label_beside (room, "Findings") == str (count))
        if tabs_of (room)[1] != "Findings":
            raise desk.Failed (f"the second tab is {tabs_of (room)[1]}")
        room.wait ("the panel counts them", lambda: room.find (role="push button",
                                                               holds=f"All {count} findings"))
        activate (room, "show-tab", "'findings'")
        room.wait ("the line above counts them",
                   lambda: room.find (role="status bar", holds=f"{count} findings · "))
        worst = [sum (row["severity"] == one for row in found) for one in ("problem", "warning", "info")]
        words = ", ".join (f"{n} {word if n == 1 else word + 's'}"
                           for n, word in zip (worst, ("problem", "warning", "note")) if n > 0)
        room.wait ("the line below counts them by what they weigh", lambda: room.find (holds=words))
        activate (room, "list-tabs")
        room.wait ("the menu counts them",
                   lambda: room.find (role="push button", name=f"Go to “Findings”, {count} rows"))


def what_could_not_be_judged_is_one_line (sample):
    rows = json.loads (ask ("findings", sample, "--format", "json"))
    unjudged = [row for row in rows if row["verdict"] == "cannot be judged"]
    fine = [row for row in rows if row["verdict"] == "not found"]
    with desk.Desk () as room:
        open_trace (room, sample)
        activate (room, "show-tab", "'findings'")
        line = room.wait ("they are one line", lambda: room.find (
            holds=f"{len (unjudged)} checks could not be judged"))
        if room.find (holds=unjudged[0]["text"]) is not None:
            raise desk.Failed ("it is unfolded from the start")
        room.wait ("those that found nothing are another",
                   lambda: room.find (holds=f"{len (fine)} checks found nothing"))
        box = desk.box_of (line)
        subprocess.run (["xdotool", "mousemove", str (box.x + 20), str (box.y + box.height // 2), "click", "1"],
                        env=room.env, check=True)
        for row in unjudged:
            room.wait (f"{row['id']} says what it lacks", lambda: room.find (
                role="label", holds=row["id"] + " " + row["title"]))


def a_finding_leads_to_its_rows (sample):
    """Activating a finding filters the activities by it."""
    found = next (row for row in found_in (sample) if row["id"] == "D32")
    at = [row["id"] for row in found_in (sample)].index ("D32")
    with desk.Desk () as room:
        open_trace (room, sample)
        activate (room, "show-tab", "'findings'")
        place = room.wait ("it is listed", lambda: next (
            (node for node in room.walk (cells=True) if node.get_role_name () == "table row"
             and found["text"][:40] in desk.text_of (node)), None))
        activate (room, "select-rows", f"[uint32 {at}]")
        room.wait ("the panel says how it was judged", lambda: room.find (holds="at least 5 connections"))
        room.wait ("and by which rule", lambda: room.find (holds=found["title"] + " · D32"))
        box = desk.box_of (place)
        subprocess.run (["xdotool", "mousemove", str (box.x + 200), str (box.y + box.height // 2),
                         "click", "--repeat", "2", "--delay", "60", "1"], env=room.env, check=True)
        room.wait ("its rows are left", lambda: room.find (role="status bar",
                                                           holds=f"{len (found['activities'])} of "))
        room.wait ("by its name", lambda: room.find (holds="finding:D32"))


def pasted (room):
    """Returns the text of the clipboard."""
    return subprocess.run (["xclip", "-selection", "clipboard", "-o"], env=room.env, check=False,
                           capture_output=True, text=True, timeout=desk.PATIENCE_S).stdout


def row_of (room, text):
    return next ((node for node in room.walk (cells=True) if node.get_role_name () == "table row"
                  and text in desk.text_of (node)), None)


def the_panel_says_what_to_do (sample):
    """The panel shows evidence that adds up to the cost, next steps as buttons, what to record, and shortcuts."""
    found = found_in (sample)
    at = [row["id"] for row in found].index ("D32")
    one = found[at]
    with desk.Desk () as room:
        open_trace (room, sample)
        activate (room, "show-tab", "'findings'")
        room.wait ("it is listed", lambda: row_of (room, one["text"][:40]))
        activate (room, "select-rows", f"[uint32 {at}]")
        for title in ("Finding", "Evidence", "What to Do Next", "To Find the Cause, Record"):
            room.wait (f"there is a part {title}", lambda: room.find (name=title))
        room.wait ("the advice is there", lambda: room.find (role="label", name=one["advice"]))
        room.wait ("what to record is there", lambda: room.find (role="label", holds="requests and responses with their headers"))
        room.wait ("the recipe is", lambda: room.find (role="push button", holds="Record What Is Missing"))
        rows = len (one["activities"])
        room.wait ("its rows stand out", lambda: room.find (
            role="push button", holds=f"{rows} rows of this finding highlighted"))
        if room.find (holds="finding:D32") is not None:
            raise desk.Failed ("choosing a finding sets a filter")
        step = room.find (role="push button", holds="Compare with the ")
        others = re.search ("[0-9]+", desk.text_of (step))[0]
        desk.Atspi.Action.do_action (step, 0)
        room.wait ("the others are left", lambda: room.find (role="status bar", holds=f"{others} of "))


def keys_of_findings (sample):
    found = found_in (sample)
    at = [row["id"] for row in found].index ("D32")
    one = found[at]
    with desk.Desk () as room:
        open_trace (room, sample)
        activate (room, "show-tab", "'findings'")
        place = room.wait ("it is listed", lambda: row_of (room, one["text"][:40]))
        box = desk.box_of (place)
        subprocess.run (["xdotool", "mousemove", str (box.x + 200), str (box.y + box.height // 2), "click", "1"],
                        env=room.env, check=True)
        room.wait ("it is selected", lambda: room.find (holds="1 finding selected"))
        activate (room, "panel")
        room.wait ("the panel is shut", lambda: room.find (name="What to Do Next") is None)
        room.keys ("Return")
        room.wait ("Enter opens the panel", lambda: room.find (name="What to Do Next"))
        if shutil.which ("xclip") is not None:
            room.keys ("ctrl+c")
            room.wait ("sentence, cost and rule are copied", lambda: pasted (room).splitlines () == [
                one["text"], "Cost: 650 ms in 5 rows", f"Rule: {one['title']} · D32"])
            room.keys ("shift+ctrl+c")
            room.wait ("with its evidence", lambda: len (pasted (room).splitlines ()) == 3 + len (one["activities"]))
        activate (room, "hide-rule")
        room.wait ("its rule is hidden", lambda: row_of (room, one["text"][:40]) is None)
        activate (room, "undo-filter")
        room.wait ("and back", lambda: row_of (room, one["text"][:40]))
        place = row_of (room, one["text"][:40])
        box = desk.box_of (place)
        subprocess.run (["xdotool", "mousemove", str (box.x + 200), str (box.y + box.height // 2), "click", "1"],
                        env=room.env, check=True)
        room.wait ("it is selected again", lambda: room.find (holds="1 finding selected"))
        room.keys ("o")
        room.wait ("O leaves its rows", lambda: room.find (holds="finding:D32"))


def what_is_followed_leaves_its_findings (sample):
    """Following a connection filters the findings, too: their tab has a count like other tabs, and the panel has the
    finding's title."""
    found = found_in (sample)
    one = next (row for row in found if row["id"] == "D11")
    of_it = [row for row in found if set (row["activities"]) & set (one["activities"])]
    with desk.Desk () as room:
        open_trace (room, sample)
        room.wait ("the tab counts them", lambda: label_beside (room, "Findings") == str (len (found)))
        activate (room, "select-rows", f"[uint32 {one['activities'][0] - 1}]")
        activate (room, "follow-connection")
        room.wait ("the tab says of how many", lambda: label_beside (room, "Findings") ==
                   f"{len (of_it)} of {len (found)}")
        activate (room, "show-tab", "'findings'")
        room.wait ("it is listed", lambda: row_of (room, one["text"][:40]))
        activate (room, "select-rows", f"[uint32 {found.index (one)}]")
        room.wait ("the panel says which it is", lambda: room.find (
            role="label", name=f"{one['title']} · {one['subject']}"))


def rows_say_what_was_found_with_them (sample):
    """Findings are computed after the rows are shown; the column then updates by itself."""
    one = next (row for row in found_in (sample) if row["id"] == "D11")
    with desk.Desk () as room:
        desk.say_wanted (room, columns="{'activities': <[('finding', 90, true), ('process_pid', 150, true)]>}")
        open_trace (room, sample)
        room.wait ("its row names the rule", lambda: any (
            desk.text_of (node) == f"Findings: {one['id']}" for node in room.walk (cells=True)))


def the_panel_counts_what_a_filter_leaves (sample):
    with desk.Desk () as room:
        open_trace (room, sample)
        activate (room, "show-tab", "'findings'")
        room.wait ("all are counted", lambda: room.find (role="push button", name="All 6 findings…"))
        activate (room, "set-filter", "'severity:problem'")
        room.wait ("what is left is counted", lambda: room.find (role="push button", name="2 of 6 findings…"))


def lanes_follow_the_chosen_finding (sample):
    """While a finding is selected, bars of other rows are dimmed."""
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")

    def count_full (colour):
        """Returns the number of pixels of undimmed bars; the lanes are left of the panel and above the tabs."""
        picture = os.path.join (room.folder, "screen.png")
        room.picture (picture)
        told = subprocess.run (["convert", picture, "-crop", "800x260+240+215", "+repage", "-fx", colour,
                                "-format", "%[fx:mean*w*h]", "info:"], capture_output=True, check=True)
        return number_of (told.stdout)

    def count_receiving ():
        return count_full ("r<0.35&&g<0.6&&b>0.7?1:0")

    with desk.Desk () as room:
        open_trace (room, sample)
        activate (room, "show-tab", "'findings'")
        room.wait ("they are listed", lambda: row_of (room, "did not answer within"))
        all_bars = room.wait ("bars are drawn", lambda: count_receiving () > 500 and count_receiving ())
        activate (room, "select-rows", "[uint32 0]")
        room.wait ("others step back", lambda: count_receiving () < all_bars / 2)
        activate (room, "select-rows", "@au []")
        room.wait ("they are back", lambda: count_receiving () > all_bars * 0.9)


def tabs_keep_their_order (sample):
    """The order of tabs is fixed, also for tabs that are opened on request."""
    # In newer GTK, tabs that are scrolled out of view have no position.
    with desk.Desk (size="2800x900") as room:
        open_trace (room, sample)
        room.keys ("F11")
        room.wait ("all tabs have room", lambda: "Events" in tabs_of (room))
        order = tabs_of (room)
        for name in [name for name in ("URLMon", "Chromium", "Packets") if name not in order]:
            activate (room, "show-tab", f"'{name.lower ()}'")
            room.wait (f"{name} has a tab", lambda: name in tabs_of (room))
        more = tabs_of (room)
        activate (room, "close")
        room.window.wait (desk.PATIENCE_S)
        packets = os.path.join (room.folder, "packets.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_PACKETS"], packets], check=True)
        open_trace (room, packets)
        other = tabs_of (room)
    if [name for name in more if name in order] != order:
        raise desk.Failed (f"tabs have moved: {order}, then {more}")
    if more[:2] != ["Activity", "Findings"]:
        raise desk.Failed (f"the first tabs are {more[:2]}")
    both = [name for name in other if name in more]
    if both != [name for name in more if name in other] or len (both) < 3:
        raise desk.Failed (f"another trace has another order: {other}, not as in {more}")


if __name__ == "__main__":
    sys.exit (run_claims ("findings", (everywhere_they_are_counted_alike,
                                       what_could_not_be_judged_is_one_line,
                                       a_finding_leads_to_its_rows,
                                       the_panel_says_what_to_do,
                                       keys_of_findings,
                                       what_is_followed_leaves_its_findings,
                                       rows_say_what_was_found_with_them,
                                       the_panel_counts_what_a_filter_leaves,
                                       lanes_follow_the_chosen_finding,
                                       tabs_keep_their_order)))
