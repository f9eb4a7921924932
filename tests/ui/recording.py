#!/usr/bin/python3
"""Tests How to Record: the window and the command line write the same recipe, all steps work by keyboard, and a trace
that lacks events leads to the matching options.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile

import desk
from walk import activate, catch_help, check_names, check_once, run_claims, shown_count

# (keys to press in succession, the equivalent options of the command line)
CHOICES = (
    ((), "--as wprp"),
    (("alt+k", "alt+f", "alt+u", "alt+j"), "--as wprp --no-stacks --no-headers --clr --js"),
    (("alt+k", "alt+f", "alt+u", "alt+j", "alt+d"), "--as wprp --content"),
    (("alt+d", "alt+l", "alt+v", "alt+p"),
     "--as wprp --layers http,sockets,connections,names,counters,tls,quic,browsers,office,environment,server,"
     "processor"),
    (("alt+m", "A:0x10:5"),
     "--as wprp --layers http,sockets,connections,names,counters,tls,quic,browsers,office,environment,server,"
     "processor --provider A:0x10:5"),
)


def open_sheet (room, sample, missing=""):
    room.open_window (sample)
    room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
    activate (room, "recipe", f"'{missing}'")
    room.wait ("the steps are there", lambda: room.find (name="1. Start") and room.find (name="6. Export"))
    room.wait ("the question has the keyboard", lambda: "Question" in desk.text_of (room.focused ()))


def pasted (room):
    """Returns the content of the clipboard as bytes."""
    return subprocess.run (["xclip", "-selection", "clipboard", "-o"], env=room.env, check=False,
                           capture_output=True, timeout=desk.PATIENCE_S).stdout


def command_of (room):
    node = room.find (role="label", holds="netstitch-cli recipe --as ")
    return shlex.split (desk.text_of (node)) if node is not None else []


def written_by (words):
    if words[0] != "netstitch-cli":
        raise desk.Failed (f"no command of ours: {words}")
    return subprocess.run ([os.environ["NETSTITCH_CLI"], *words[1:]], check=True, capture_output=True).stdout


def focused_name (room):
    """Returns the name of the focused widget in the active window. A button with a menu in a window behind may still
    report the focus, so the last one counts."""
    def find ():
        names = [desk.text_of (node) for node in room.walk ()
                 if node.get_state_set ().contains (desk.Atspi.StateType.FOCUSED)]
        return names[-1] if names else ""
    return room.steady (find)


def go_to (room, name):
    """Presses Tab until the focused widget's name begins with `name`."""
    for _ in range (80):
        if desk.text_of (room.focused ()).startswith (name):
            return
        room.keys ("Tab")
    raise desk.Failed (f"Tab never came to {name}")


def expect_same (room, words):
    room.wait (f"the command is {words}",
               lambda: command_of (room) == ["netstitch-cli", "recipe", *shlex.split (words)])
    wanted = written_by (command_of (room))
    room.keys ("alt+y")
    room.wait (f"the window writes what {words} does", lambda: pasted (room) == wanted)


def the_command_line_writes_the_same (sample):
    """Every option, and every question with the format that answers it."""
    if shutil.which ("xclip") is None:
        raise desk.NoDesk ("needs xclip")
    with desk.Desk () as room:
        open_sheet (room, sample)
        for keys, words in CHOICES:
            for key in keys:
                if key.startswith ("alt+"):
                    room.keys (key)
                else:
                    room.type (key)
            expect_same (room, words)


def what_a_form_cannot_do_is_taken_back (sample):
    """netsh cannot select events, so the option that leaves headers out is reset."""
    if shutil.which ("xclip") is None:
        raise desk.NoDesk ("needs xclip")
    with desk.Desk () as room:
        open_sheet (room, sample, "packets")
        expect_same (room, "--as pktmon --layers connections,names --packets 128")
        if room.find (name="With the capture kit: netstitch-record start -Packets 128") is None:
            raise desk.Failed ("it is not told how the kit records packets")
        go_to (room, "Format")
        room.keys ("space", "Home", "Return")
        room.wait ("it is a profile", lambda: "wprp" in command_of (room))
        room.keys ("alt+r", "alt+f")
        room.wait ("headers are left out", lambda: "--no-headers" in command_of (room))
        go_to (room, "Format")
        room.keys ("space", "Home", "Down", "Down", "Return")
        room.wait ("headers are in", lambda: room.find (holds="Headers of requests are still recorded"))
        expect_same (room, "--as netsh --layers http,connections,names --packets 128")


def the_kit_holds_what_was_chosen (sample):
    """A saved kit equals that of the command line, byte for byte."""
    with desk.Desk () as room:
        open_sheet (room, sample)
        room.keys ("space", "End", "Up", "Up", "Return")
        room.wait ("names and what is round them are chosen",
                   lambda: "names,environment" in command_of (room))
        path = os.path.join (room.folder, "kit.zip")
        room.keys ("alt+i")
        room.wait ("a place is asked for", lambda: room.find (name="Save Capture Kit"))
        room.wait ("a name can be typed", lambda: room.focused ().get_role_name () in ("text", "entry"))
        room.keys ("ctrl+a")
        room.type (path)
        room.keys ("Return")
        room.wait ("the kit is there", lambda: os.path.exists (path))
        expected = os.path.join (room.folder, "expected.zip")
        subprocess.run ([os.environ["NETSTITCH_CLI"], "recipe", "--as", "kit", "--layers", "names,environment",
                         "-o", expected], check=True)
        with open (path, "rb") as ours, open (expected, "rb") as theirs:
            if ours.read () != theirs.read ():
                raise desk.Failed ("the window saves another kit than the command line")
        with zipfile.ZipFile (path) as kit:
            profile = kit.read ("netstitch-capture/netstitch.wprp").decode ()
        layers = set (re.findall (r'EventProvider Id="EP_([a-z]+)_', profile)) - {"system"}
        if layers - {"stacks"} != {"names", "environment"}:
            raise desk.Failed (f"the kit records {layers}")


def bodies_are_asked_for_with_a_warning (sample):
    with desk.Desk () as room:
        open_sheet (room, sample)
        if room.find (holds="contents of bodies") is None:
            raise desk.Failed ("it is not told that bodies are left out")
        if room.find (holds="forms with passwords") is not None:
            raise desk.Failed ("it warns of what is not recorded")
        room.keys ("alt+d")
        room.wait ("it is told what they hold", lambda: room.find (holds="forms with passwords"))
        room.wait ("the kit is refused", lambda: not room.find (
            role="push button", name="Save Capture Kit…").get_state_set ().contains (desk.Atspi.StateType.SENSITIVE))
        if room.find (holds="contents of bodies") is not None:
            raise desk.Failed ("it is told that bodies are left out")
        check_names (room, "How to Record")
        check_once (room, "How to Record")


def the_steps_are_reached_by_the_keyboard (sample):
    """With Tab and Return only, starting from the menu: the start and stop commands are copied, the other steps open
    help pages."""
    if shutil.which ("xclip") is None:
        raise desk.NoDesk ("needs xclip")
    with desk.Desk () as room:
        pages = catch_help (room)
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        room.keys ("F10")
        room.wait ("the menu is open", lambda: room.focused ().get_role_name () == "menu item")
        room.keys ("t")
        room.wait ("the steps are there", lambda: room.find (name="1. Start"))
        room.wait ("the question has the keyboard", lambda: "Question" in focused_name (room))
        opened = []
        seen = []
        for _ in range (80):
            name = focused_name (room)
            if name == "Copy the command that starts":
                room.keys ("Return")
                room.wait ("it is copied", lambda: pasted (room) == b"wpr -start netstitch.wprp -filemode")
                seen.append ("start")
            elif name == "Copy the command that stops":
                room.keys ("Return")
                room.wait ("it is copied", lambda: pasted (room) == b"wpr -stop C:\\trace.etl")
                seen.append ("stop")
            elif name == "Help" and seen == ["start", "stop"] and len (opened) < 3:
                room.keys ("Return")
                opened.append ("help:netstitch/" + ("filter", "details", "export")[len (opened)])
                room.wait (f"{opened[-1]} is opened", lambda: os.path.exists (pages)
                           and open (pages, encoding="utf-8").read ().split () == opened)
            if len (opened) == 3:
                return
            room.keys ("Tab")
        raise desk.Failed (f"not all steps were reached: {seen} {opened}")


def what_is_missing_is_ticked (sample):
    """The missing events come from rules that could not be evaluated; their names are those of the trace information
    page."""
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        activate (room, "show-tab", "'findings'")
        lacks = room.wait ("it is offered", lambda: room.find (role="push button", name="Record What Is Missing…"))
        desk.Atspi.Action.do_action (lacks, 0)
        told = room.wait ("it says what is missing",
                          lambda: room.find (role="label", holds="Records what the trace lacks: "))
        names = desk.text_of (told).partition (": ")[2].rstrip (".").split (", ")
        if "LDAP" in names or not names:
            raise desk.Failed (f"the sample has searches: {names}")
        for name in names:
            box = room.find (role="check box", name=name)
            if not box.get_state_set ().contains (desk.Atspi.StateType.CHECKED):
                raise desk.Failed (f"{name} is missing, and not ticked")


def expect_missing (room, name, box):
    """Presses a button, which must open the options with this one checked and named as missing."""
    desk.Atspi.Action.do_action (room.wait (f"there is {name}", lambda: room.find (role="push button", name=name)), 0)
    told = room.wait (f"{name} says what is missing",
                      lambda: room.find (role="label", holds="Records what the trace lacks: "))
    if box not in desk.text_of (told).partition (": ")[2].rstrip (".").split (", "):
        raise desk.Failed (f"{name}: {desk.text_of (told)}")
    if box != "Packets" and not room.find (role="check box", name=box).get_state_set ().contains (
            desk.Atspi.StateType.CHECKED):
        raise desk.Failed (f"{name}: {box} is not ticked")
    room.keys ("Escape")
    room.wait ("the choices are closed", lambda: room.find (name="1. Start") is None)


def every_place_leads_to_what_it_lacks (sample):
    """The trace information page, its questions, and an empty table lead to the options that record what is missing."""
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        room.keys ("ctrl+i")
        room.wait ("the page is there", lambda: room.find (name="Which process did it?"))
        expect_missing (room, "pktmon or ndiscap", "Packets")
        expect_missing (room, "Record What Is Missing…", "Browsers")
        room.keys ("ctrl+i")
        activate (room, "show-tab", "'http-server'")
        expect_missing (room, "How to Record This", "Server")


if __name__ == "__main__":
    sys.exit (run_claims ("recording", [
        the_command_line_writes_the_same,
        what_a_form_cannot_do_is_taken_back,
        the_kit_holds_what_was_chosen,
        bodies_are_asked_for_with_a_warning,
        the_steps_are_reached_by_the_keyboard,
        what_is_missing_is_ticked,
        every_place_leads_to_what_it_lacks,
    ]))
