#!/usr/bin/python3
"""Tests several files that are read as one trace in one window.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import struct
import sys

import desk
from support import write_support
from walk import activate, check_names, choose_path, run_claims


def write_halves (folder, sample):
    """Writes the two halves of the sample's buffers; each file begins with a copy of the first buffer."""
    with open (sample, "rb") as file:
        data = file.read ()
    places = []
    at = 0
    while at + 0x48 <= len (data):
        size = struct.unpack_from ("<I", data, at)[0]
        places.append ((at, at + size))
        at += size
    begin = data[:places[0][1]]
    middle = places[len (places) // 2][0]
    names = []
    for number, part in enumerate ((data[len (begin):middle], data[middle:])):
        names.append (os.path.join (folder, f"part{number}.etl"))
        with open (names[-1], "wb") as file:
            file.write (begin + part)
    return names


def write_other (folder, sample):
    """Writes the sample as a trace of another computer: with eight processors."""
    with open (sample, "rb") as file:
        data = bytearray (file.read ())
    # TRACE_LOGFILE_HEADER follows the headers of the buffer and of its first record.
    at = 0x48 + 0x20 + 0x0c
    if struct.unpack_from ("<I", data, at)[0] != 4:
        raise desk.Failed ("the sample is not of four processors")
    struct.pack_into ("<I", data, at, 8)
    path = os.path.join (folder, "other.etl")
    with open (path, "wb") as file:
        file.write (data)
    return path


def frames (room):
    return sorted (desk.text_of (node) for node in room.walk () if node.get_role_name () == "frame")


def is_open (room, title):
    room.wait (f"{title} is open", lambda: title in frames (room))
    room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))


def press (room, name):
    """Presses a button if it exists. The callers retry, since a page that is updated gets new buttons."""
    button = room.find (role="push button", name=name)
    return button is not None and desk.Atspi.Action.do_action (button, 0)


def take_focus (room, name):
    """Moves the focus to a widget by the Tab key only."""
    for _step in range (30):
        focused = room.focused ()
        if focused is not None and focused.get_name () == name:
            return True
        room.keys ("Tab")
    return False


def several_are_one_window (sample):
    with desk.Desk () as room:
        first, second = write_halves (room.folder, sample)
        room.open_window (second, first)
        is_open (room, "part1.etl · 2 files")
        room.wait ("it has the rows of the whole", lambda: room.find (holds="27 rows"))
        if frames (room) != ["part1.etl · 2 files"]:
            raise desk.Failed (f"windows: {frames (room)}")
        room.keys ("ctrl+i")
        room.wait ("both are listed", lambda: room.find (role="label", name="part0.etl")
                   and room.find (role="label", name="part1.etl") and room.find (role="label", name="2 files"))
        check_names (room, "the page with the files")


def all_are_read_from_a_place_that_is_connected_to (sample):
    with desk.Desk () as room:
        folder = os.path.join (room.folder, "far")
        os.mkdir (folder)
        first, second = write_halves (folder, sample)
        room.open_window (first, second, extra={"LD_PRELOAD": os.environ["NETSTITCH_FAR_PLACE"]})
        is_open (room, "part0.etl · 2 files")
        room.wait ("it has the rows of the whole", lambda: room.find (holds="27 rows"))


def one_can_be_taken_out_and_added (sample):
    with desk.Desk () as room:
        first, second = write_halves (room.folder, sample)
        room.open_window (first, second)
        is_open (room, "part0.etl · 2 files")
        activate (room, "set-filter", "'process:OUTLOOK method:POST'")
        room.wait ("some rows are left", lambda: room.find (holds=" of 27 rows"))
        room.keys ("ctrl+i")
        button = room.wait ("it can be taken out", lambda: room.find (
            role="push button", name="Remove part1.etl from this trace; the file is kept"))
        desk.Atspi.Action.do_action (button, 0)
        room.wait ("one is left", lambda: "part0.etl" in frames (room))
        room.wait ("the page stays", lambda: room.find (role="label", name="1 file"))
        if not os.path.exists (second):
            raise desk.Failed ("the file itself is gone")
        room.wait ("it is offered back", lambda: press (room, "Undo"))
        room.wait ("it is back", lambda: "part0.etl · 2 files" in frames (room))
        # Reorders and removes files by keyboard.
        room.wait ("it is listed, and takes the focus", lambda: take_focus (room, "part1.etl"))
        room.keys ("alt+Up")
        room.wait ("it is the first", lambda: "part1.etl · 2 files" in frames (room))
        room.wait ("it keeps the focus", lambda: (room.focused () or room.find (role="frame")).get_name () == "part1.etl")
        room.keys ("alt+Down")
        room.wait ("it is the second again", lambda: "part0.etl · 2 files" in frames (room))
        room.wait ("it keeps the focus again",
                   lambda: (room.focused () or room.find (role="frame")).get_name () == "part1.etl")
        room.keys ("alt+1")
        room.wait ("the questions are a page", lambda: room.find (role="label", name="Questions this trace can answer")
                   and not room.find (role="label", name="part1.etl"))
        room.keys ("alt+2")
        room.wait ("so are the files", lambda: take_focus (room, "part1.etl"))
        room.keys ("Delete")
        room.wait ("one is left again", lambda: "part0.etl" in frames (room))
        room.keys ("ctrl+i", "ctrl+shift+o")
        room.wait ("files are asked for", lambda: room.find (name="Add Files to This Trace"))
        choose_path (room, second, "Add")
        room.wait ("both are there", lambda: "part0.etl · 2 files" in frames (room))
        room.wait ("the filter is kept", lambda: room.find (holds=" of 27 rows"))


def open_again (room, *files):
    room.keys ("ctrl+w")
    room.window.wait (desk.PATIENCE_S)
    room.open_window (*files)


def what_was_read_is_offered_when_it_is_opened_again (sample):
    with desk.Desk () as room:
        folder = os.path.join (room.folder, "halves")
        os.mkdir (folder)
        write_halves (folder, sample)
        extra = os.path.join (room.folder, "u_ex.log")
        with open (extra, "w", encoding="utf-8") as file:
            file.write ("#Fields: date time cs-method cs-uri-stem\n2018-04-23 12:00:00 GET /a\n")
        room.open_window (folder)
        room.wait ("the folder is open", lambda: "halves · 2 files" in frames (room))
        room.keys ("ctrl+i")
        button = room.wait ("one can be taken out", lambda: room.find (
            role="push button", name="Remove part1.etl from this trace; the file is kept"))
        desk.Atspi.Action.do_action (button, 0)
        room.wait ("one is left", lambda: "part0.etl" in frames (room))
        room.wait ("the page stays", lambda: room.find (role="label", name="1 file"))
        room.wait ("others can be added", lambda: press (room, "Add Files…"))
        room.wait ("files are asked for", lambda: room.find (name="Add Files to This Trace"))
        choose_path (room, extra, "Add")
        room.wait ("a log is added", lambda: room.find (role="label", name="u_ex.log"))
        open_again (room, folder)
        room.wait ("all of the folder is read", lambda: "halves · 2 files" in frames (room))
        room.wait ("it is told what was read last time", lambda: room.find (
            holds="When this trace was last open, 1 file was added and 1 file was removed."))
        check_names (room, "the offer of other files")
        room.wait ("that can be had again", lambda: press (room, "Restore Files"))
        room.wait ("it is read", lambda: "part0.etl · 2 files" in frames (room) or "part0.etl" in frames (room))
        room.keys ("ctrl+i")
        room.wait ("the log is there", lambda: room.find (role="label", name="u_ex.log")
                   and not room.find (role="label", name="part1.etl"))
        # Opening the same files again must not offer to restore them.
        open_again (room, os.path.join (folder, "part0.etl"))
        room.wait ("one file is open", lambda: "part0.etl" in frames (room))
        if room.find (role="push button", name="Restore Files"):
            raise desk.Failed ("it is offered for another trace")


def another_computer_has_a_window_of_its_own (sample):
    with desk.Desk () as room:
        first, second = write_halves (room.folder, sample)
        other = write_other (room.folder, sample)
        # Either of the two windows may be in front.
        room.active = lambda: True
        room.open_window (first, other, second)
        room.wait ("there are two windows", lambda: frames (room) == ["other.etl", "part0.etl · 2 files"])


def a_folder_tells_what_it_leaves_out (sample):
    with desk.Desk () as room:
        folder = os.path.join (room.folder, "support")
        os.mkdir (folder)
        write_halves (folder, sample)
        write_other (folder, sample)
        with open (os.path.join (folder, "wrong.etl"), "w", encoding="utf-8") as file:
            file.write ("no trace " * 100)
        room.open_window (folder)
        # Of two computers, the one with more bytes is shown: the whole sample is larger than a half.
        room.wait ("the folder is open", lambda: [name for name in frames (room) if name.startswith ("support")])
        room.wait ("it is said", lambda: room.find (holds=" files are left out") or room.find (holds=" file is left out"))
        room.keys ("ctrl+i")
        room.wait ("the reason is there", lambda: room.find (holds="is not an event trace log"))
        room.wait ("what belongs to another computer can be opened",
                   lambda: room.find (role="push button", name="Open Separately"))
        check_names (room, "the page with what is left out")


def what_is_there_already_is_told (sample):
    with desk.Desk () as room:
        first, second = write_halves (room.folder, sample)
        room.open_window (first, second)
        is_open (room, "part0.etl · 2 files")
        activate (room, "add-files")
        room.wait ("files are asked for", lambda: room.find (name="Add Files to This Trace"))
        choose_path (room, second, "Add")
        room.wait ("it is said that it is there", lambda: room.find (holds="are already part of this trace"))
        room.keys ("ctrl+i")
        room.wait ("the files are told", lambda: room.find (role="label", name="2 files"))
        room.keys ("alt+4")
        title = room.wait ("losses are told", lambda: room.find (role="label", name="Losses and coverage per processor"))
        room.wait ("the card has the page to itself", lambda: desk.box_of (title).x < 100)


def a_folder_of_a_support_script (sample):
    with desk.Desk () as room:
        folder = os.path.join (room.folder, "support")
        os.mkdir (folder)
        names = write_support (sample, folder)
        room.open_window (folder)
        room.wait ("the folder is open", lambda: [name for name in frames (room) if name.startswith ("support")])
        room.wait ("the panel tells that a part is missing", lambda: room.find (holds="A part of a series is missing"))
        if room.find (holds="The file is complete") is not None:
            raise desk.Failed ("the panel takes the trace for whole")
        room.keys ("ctrl+i")
        for name in names:
            room.wait (f"{name} is listed", lambda name=name: room.find (role="label", name=name))
        room.wait ("so is what is missing, by its number", lambda: room.find (role="label", name="net_003.etl"))
        room.wait ("that comes first", lambda: room.find (role="label", holds="A part of a series is missing"))
        check_names (room, "the page with the files of a folder")
        room.wait ("the series has a line", lambda: press (room, "net, 3 parts, 1 gap"))
        room.wait ("it is folded", lambda: not room.find (role="label", name="net_001.etl"))
        if not room.find (role="label", name="net_003.etl"):
            raise desk.Failed ("what is missing is folded, too")
        room.wait ("its line stays", lambda: press (room, "net, 3 parts, 1 gap"))
        room.wait ("it is unfolded", lambda: room.find (role="label", name="net_001.etl"))
        room.wait ("it can be looked for", lambda: press (room, "Find net_003.etl"))
        room.wait ("files are asked for", lambda: room.find (name="Add Files to This Trace"))
        room.keys ("Escape")


def correct (room, name):
    button = room.wait (f"the clock of {name} is told", lambda: room.find (role="push button", holds=f"clock of {name}"))
    desk.Atspi.Action.do_action (button, 0)
    return room.wait ("it is asked for", lambda: room.find (role="text", name="Seconds to add to its times"))


def enter (room, entry, text):
    desk.Atspi.EditableText.set_text_contents (entry, text)
    desk.Atspi.Action.do_action (room.find (role="push button", name="Read Again"), 0)


def a_log_is_put_right_and_stays_so (sample):
    with desk.Desk () as room:
        # The file name extension does not identify it as a log.
        log = os.path.join (room.folder, "own.txt")
        with open (log, "w", encoding="utf-8") as file:
            file.write ("when,said\n2018-04-23 12:00:00,a\n2018-04-23 12:00:01,b\n")
        # A dialog is in front of the window.
        in_front = room.active
        room.active = lambda: True
        room.open_window (sample, log)
        room.active = in_front
        room.wait ("it is open", lambda: room.find (role="page tab list", name="Details"))
        entry = room.wait ("it is asked for", lambda: room.find (role="text", name="Seconds to add to its times"))
        room.wait ("it is said why", lambda: room.find (holds="no lines are read until you select it"))
        room.keys ("Escape")
        room.wait ("it is put away", lambda: not room.find (role="text", name="Seconds to add to its times"))
        room.keys ("ctrl+i")
        room.wait ("its times are not found", lambda: room.find (holds="its time column cannot be detected"))
        entry = correct (room, "own.txt")
        enter (room, entry, "soon")
        room.wait ("it is said what is wrong", lambda: room.find (holds="“soon” is not a number of seconds"))
        check_names (room, "the clock of a log")
        room.keys ("Tab", "space")
        room.wait ("the columns are offered", lambda: (room.focused () or room.find (role="frame")).get_role_name () == "list item")
        # In GTK 4.18 the first key press in a list that has just opened has no effect.
        room.keys ("End", "Home", "Down", "Return")
        room.wait ("one is chosen", lambda: room.find (holds="Time column: when"))
        enter (room, entry, "-1,5")
        room.wait ("it is read so", lambda: room.find (role="push button", holds="own.txt: wall clock, −1.5 s"))
        room.wait ("its lines are there", lambda: room.find (role="label", name="2 lines"))
        room.keys ("ctrl+w")
        room.window.wait (desk.PATIENCE_S)
        room.open_window (sample, log)
        room.wait ("it is open again", lambda: room.find (role="page tab list", name="Details"))
        room.keys ("ctrl+i")
        room.wait ("it is remembered and not asked for again",
                   lambda: room.find (role="push button", holds="own.txt: wall clock, −1.5 s"))
        room.wait ("its lines are there again", lambda: room.find (role="label", name="2 lines"))
        if room.find (role="text", name="Seconds to add to its times"):
            raise desk.Failed ("it is asked for again")


def write_capture (folder):
    """Writes one packet from the time span of the sample."""
    path = os.path.join (folder, "beside.pcap")
    with open (path, "wb") as file:
        file.write (struct.pack ("<IHHIIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        file.write (struct.pack ("<IIII", 1524477600, 0, 2, 2) + bytes (2))
    return path


def has_corrected (room):
    button = room.find (role="push button", holds="Correct the clock of beside.pcap: ")
    return button and desk.text_of (button).endswith (", +3600.5 s")


def the_clock_of_a_file_is_put_right_and_stays_so (sample):
    with desk.Desk () as room:
        capture = write_capture (room.folder)
        room.open_window (sample, capture)
        room.wait ("it is open", lambda: room.find (role="page tab list", name="Details"))
        room.keys ("ctrl+i")
        entry = correct (room, "beside.pcap")
        buttons = [desk.text_of (node) for node in room.walk () if node.get_role_name () == "push button"
                   and desk.text_of (node).startswith ("Correct the clock of")]
        if len (buttons) != 1:
            raise desk.Failed (f"the clock that counts can be moved, too: {buttons}")
        if room.find (holds="Time column"):
            raise desk.Failed ("a trace has no columns")
        check_names (room, "the clock of a file")
        enter (room, entry, "3600.5")
        room.wait ("it is read so", lambda: has_corrected (room))
        room.keys ("ctrl+w")
        room.window.wait (desk.PATIENCE_S)
        room.open_window (sample, capture)
        room.wait ("it is open again", lambda: room.find (role="page tab list", name="Details"))
        room.keys ("ctrl+i")
        room.wait ("it is remembered", lambda: has_corrected (room))
        # Resetting the view keeps clock corrections, since they are not part of the view.
        activate (room, "reset-view")
        room.wait ("it is said that it stays", lambda: room.find (holds="manually set clocks are kept"))
        room.keys ("ctrl+i")
        room.wait ("the files are told again", lambda: room.find (holds="Correct the clock of"))
        if not has_corrected (room):
            raise desk.Failed ("the clock went with the view")


if __name__ == "__main__":
    sys.exit (run_claims ("case", (several_are_one_window, all_are_read_from_a_place_that_is_connected_to,
                                   one_can_be_taken_out_and_added, what_is_there_already_is_told, a_folder_of_a_support_script,
                                   what_was_read_is_offered_when_it_is_opened_again,
                                   another_computer_has_a_window_of_its_own,
                                   a_log_is_put_right_and_stays_so,
                                   the_clock_of_a_file_is_put_right_and_stays_so, a_folder_tells_what_it_leaves_out)))
