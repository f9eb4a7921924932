#!/usr/bin/python3
"""Tests that actions without effect are disabled.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import subprocess
import sys

import desk
from walk import activate, run_claims, shown_count

WINDOW = "/org/netstitch/Netstitch/window/1"
# Actions that are enabled with and without a trace.
EVERYWHERE = {"open", "open-folder", "close", "recipe", "escape", "fullscreen", "show-help-overlay"}
# Actions that are always disabled here: read-only states, and actions whose state this test does not reach.
NEVER = {"busy", "damage", "cancel", "follow", "places", "state", "event", "find-state"}
# What each action requires besides a trace.
NEEDS = {
    "rows": {"select-all", "copy-markdown", "copy-json", "step-row"},
    "row": {"copy", "copy-value", "copy-sentence", "only-value", "without-value", "also-value", "follow-chain",
            "follow-connection", "follow-process", "follow-process-tree", "follow-server"},
    "bar": {"centre-row", "row-to-span", "zoom-row"},
    "stack": {"copy-stack"},
    "span": {"zoom-selected-span", "only-span"},
    "filter": {"copy-filter", "save-filter"},
    "undo": {"undo-filter"},
    "mark": {"next-bookmark"},
    "marks": {"marks-to-span"},
    "tree": {"export-tree", "export-tree-to", "only-frame"},
    "groups": {"expand-groups", "fold-groups", "toggle-group", "group-remove", "group-move", "group-toggle",
               "group-edit"},
    "hidden": {"show-lanes"},
    "finding": {"show-finding", "copy-finding", "hide-rule"},
    "find": {"find-next", "find-previous"},
    "earlier": {"page-earlier"},
    "later": {"page-later"},
    "part": {"zoom-out", "zoom-whole"},
    "states": {"state-lanes"},
    "stacks": {"call-tree"},
    "playing": {"play", "play-step", "play-at", "play-speed"},
    "switches": {"cpu-strip"},
    "conversation": {"open-in-wireshark"},
    "record": {"choose-byte", "choose-field", "fold-field"},
    "narrowed": {"whole-trace"},
    "pairs": {"pair-next-unpaired", "pair-other-end", "show-pairs"},
}
# Actions whose state this test does not check.
OTHERS = {"back", "forward", "reload", "open-text", "forget-filter", "present-window"}


def works (room):
    """Returns which actions of the window are enabled."""
    told = subprocess.run (["gdbus", "call", "--session", "--dest", "org.netstitch.Netstitch",
                            "--object-path", WINDOW, "--method", "org.gtk.Actions.DescribeAll"],
                           env=room.env, check=True, capture_output=True, text=True).stdout
    found = dict (re.findall (r"'([a-z-]+)': \((true|false)", told))
    return {name: value == "true" for name, value in found.items ()}


def expect (room, what, there):
    """Checks that exactly those actions are enabled whose requirements are in `there`."""
    missing = set ().union (*(names for need, names in NEEDS.items () if need not in there))

    def differs ():
        now = works (room)
        known = set (now) - OTHERS - NEVER
        return {name for name in known if now[name] == (name in missing)} or \
            {name for name in NEVER & set (now) if now[name]}
    try:
        room.wait (f"actions are right: {what}", lambda: not differs ())
    except desk.Failed as error:
        raise desk.Failed (f"{error}: {sorted (differs ())}") from None


def without_a_trace_little_can_be_done (sample):
    with desk.Desk () as room:
        room.open_window ()
        wanted = EVERYWHERE | {"forget-filter"}

        def differ ():
            return wanted ^ {name for name, is_on in works (room).items () if is_on}
        try:
            room.wait ("nothing but that can be done", lambda: not differ ())
        except desk.Failed as error:
            raise desk.Failed (f"{error}: {sorted (differ ())}") from None


def what_can_do_nothing_is_switched_off (sample):
    """(state of the window, actions that lead to it, requirements that it meets)"""
    steps = (
        ("nothing selected", (), set ()),
        ("a row without a stack", (("select-rows", "[uint32 1]"),), {"row", "bar"}),
        ("a row with a stack", (("select-rows", "[uint32 0]"),), {"row", "bar", "stack"}),
        ("a span", (("select-rows", "@au []"), ("select-span", "(int64 1000, int64 9000000000)")), {"span"}),
        ("a bookmark", (("bookmark", None),), {"span", "mark"}),
        ("two bookmarks", (("select-span", "(int64 0, int64 0)"), ("bookmark", None)), {"mark", "marks"}),
        ("a filter", (("set-filter", "'protocol:winhttp'"),), {"mark", "marks", "filter", "undo", "narrowed"}),
        ("a group", (("group-by", "'process'"),), {"mark", "marks", "filter", "undo", "narrowed", "groups"}),
    )
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        for what, actions, there in steps:
            for name, value in actions:
                activate (room, name, value)
            expect (room, what, there | {"rows", "stacks", "states"})
        # At the begin of playback no row is shown.
        for name in ("reset-view", "playback"):
            activate (room, name)
        expect (room, "a playback", {"undo", "playing", "filter", "stacks", "states"})
        for name in ("playback", "reset-view", "call-tree"):
            activate (room, name)
        expect (room, "the call tree", {"undo", "rows", "tree", "stacks", "states"})


def what_leads_nowhere_is_switched_off (sample):
    """Find Next needs a search text, and paging a part of the trace beyond the view."""
    def are (names, is_on):
        now = works (room)
        return all (now[name] == is_on for name in names)
    finds = ("find-next", "find-previous")
    pages = ("page-earlier", "page-later")
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        zooms = ("zoom-out", "zoom-whole")
        room.wait ("nothing was typed, and all is in view", lambda: are (finds + pages + zooms, False))
        activate (room, "find-text", "'mail'")
        room.wait ("something was typed", lambda: are (finds, True))
        activate (room, "select-span", "(int64 5000000000, int64 9000000000)")
        activate (room, "zoom-selected-span")
        room.wait ("there is more on both sides", lambda: are (pages + zooms, True))


def a_record_is_needed_to_choose_in_it (sample):
    with desk.Desk () as room:
        def are (is_on):
            now = works (room)
            return all (now[name] == is_on for name in NEEDS["record"])
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        room.wait ("no record is there", lambda: are (False))
        activate (room, "show-tab", "'events'")
        activate (room, "select-rows", "[uint32 3]")
        room.wait ("a record is taken apart", lambda: are (True))
        activate (room, "select-rows", "@au []")
        room.wait ("it is gone", lambda: are (False))


def lanes_of_states_need_some (sample):
    """The action depends on the providers of the trace until its events were searched for states; then it is disabled
    if there are none."""
    with desk.Desk () as room:
        switches = os.path.join (room.folder, "switches.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_SWITCHES"], switches], check=True)
        room.open_window (switches)
        room.wait ("its rows are there", lambda: works (room)["set-filter"])
        room.wait ("no provider tells of states", lambda: not works (room)["state-lanes"])
        activate (room, "close")
        room.window.wait (desk.PATIENCE_S)
        room.forget ()
        room.open_window (sample)
        room.wait ("TCPIP may tell of them", lambda: works (room).get ("state-lanes"))
        activate (room, "state-lanes")
        room.wait ("it told of none", lambda: not works (room)["state-lanes"])
        if room.find (holds="Machine states"):
            raise desk.Failed ("there is a lane of nothing")


def a_trace_without_stacks_has_no_call_tree (sample):
    with desk.Desk () as room:
        packets = os.path.join (room.folder, "packets.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_PACKETS"], packets], check=True)
        room.open_window (packets)
        room.wait ("its rows are there", lambda: works (room)["set-filter"])
        room.wait ("there is no tree of them", lambda: not works (room)["call-tree"])


if __name__ == "__main__":
    sys.exit (run_claims ("works", (without_a_trace_little_can_be_done, what_can_do_nothing_is_switched_off,
                                    what_leads_nowhere_is_switched_off, lanes_of_states_need_some,
                                    a_record_is_needed_to_choose_in_it,
                                    a_trace_without_stacks_has_no_call_tree)))
