#!/usr/bin/python3
"""Tests the appearance of the window by its pixels.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import itertools
import os
import shutil
import subprocess
import sys

import desk
from walk import activate, check_names, focus_part, run_claims


def brightness (room, area, what="mean"):
    """Returns the mean brightness of a screen area, from 0 (black) to 1, or another ImageMagick statistic."""
    picture = os.path.join (room.folder, "screen.png")
    room.picture (picture)
    told = subprocess.run (["convert", picture, "-crop", area, "+repage", "-colorspace", "Gray",
                            "-format", f"%[fx:{what}]", "info:"], capture_output=True, check=True)
    return float (told.stdout)


def ground_of_tables (sample, settings):
    """Returns the brightness of the tables with some GTK settings, and the contrast of the header bar's buttons."""
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")
    with desk.Desk () as room:
        folder = os.path.join (room.env["XDG_CONFIG_HOME"], "gtk-4.0")
        os.makedirs (folder, exist_ok=True)
        with open (os.path.join (folder, "settings.ini"), "w") as file:
            file.write (f"[Settings]\n{settings}\n")
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="row"))
        return brightness (room, "400x200+300+500"), \
            brightness (room, "320x30+1050+12", "maxima-minima")


def is_dark_when_gtk_is_told_so (sample):
    seen, _ = ground_of_tables (sample, "gtk-application-prefer-dark-theme=1")
    if seen > 0.4:
        raise desk.Failed (f"the ground of the tables is {seen:.2f} bright")


def is_light_otherwise (sample):
    seen, _ = ground_of_tables (sample, "gtk-application-prefer-dark-theme=0")
    if seen < 0.75:
        raise desk.Failed (f"the ground of the tables is {seen:.2f} bright")


def buttons_are_seen_whatever_the_theme_is_called (sample):
    """GTK falls back to its light theme if a theme with a dark name is not installed."""
    ground, contrast = ground_of_tables (sample, "gtk-theme-name=HighContrastInverse")
    if contrast < 0.6:
        raise desk.Failed (f"tables are {ground:.2f} bright, buttons stand out by {contrast:.2f}")


def the_chosen_one_stands_out_in_high_contrast (sample):
    """In the dark high-contrast theme, the active button of a group is bright and the others are not."""
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")
    with desk.Desk (GTK_THEME="Default-hc-dark") as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "select-rows", "[uint32 3]")
        room.wait ("a row is selected", lambda: room.find (holds="1 row selected"))
        seen = {}
        for name in ("Full", "Last"):
            box = desk.box_of (room.wait (f"“{name}” is there",
                                          lambda: room.find (role="push button", name=name)))
            seen[name] = brightness (room, f"{box.width}x{box.height}+{box.x}+{box.y}")
        if seen["Full"] < seen["Last"] + 0.3:
            raise desk.Failed (f"the chosen button is {seen['Full']:.2f} bright, another {seen['Last']:.2f}")


def the_lane_of_a_row_is_marked (_sample):
    """The lane of the selected row is marked, also if thousands of rows share a collapsed lane."""
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")
    with desk.Desk () as room:
        path = os.path.join (room.folder, "big.etl")
        subprocess.run ([os.environ["NETSTITCH_MAKE_BIG"], "100M", path], check=True, stdout=subprocess.DEVNULL)
        room.open_window (path)
        room.wait ("it is read", lambda: room.find (name="Cancel") is None and
                   room.find (role="status bar", holds=" rows"))
        for row in range (6):
            activate (room, "select-rows", f"[uint32 {row}]")
            # The mark is at the left edge of the lane.
            room.wait (f"the lane of row {row} is marked", lambda: brightness (room, "2x322+6+212", "minima") < 0.6)
            activate (room, "select-rows", "@au []")
            room.wait ("no lane is", lambda: brightness (room, "2x322+6+212", "minima") > 0.8)


def a_cut_trace_tells_what_could_be_read (sample):
    with desk.Desk () as room:
        path = os.path.join (room.folder, "cut.etl")
        with open (sample, "rb") as whole, open (path, "wb") as cut:
            cut.write (whole.read ()[:70000])
        room.open_window (path)
        room.wait ("the bar tells of it", lambda: room.find (role="label", holds="opened up to the damage"))
        if room.find (holds="of 20.00 s") is None:
            raise desk.Failed ("the title does not tell how long the trace was")
        if room.find (holds="Partly opened: 61 %") is None:
            raise desk.Failed ("the status bar does not tell how much was read")
        desk.Atspi.Action.do_action (room.find (role="push button", name="Details"), 0)
        room.wait ("the list is there", lambda: room.find (name="Readable contents"))
        for words in ("5 buffers, 404 events", "2 buffers missing", "about 160 events",
                      "all 10 providers"):
            if room.find (holds=words) is None:
                raise desk.Failed (f"the list does not tell “{words}”")
        if room.find (role="page tab", holds="Activity") is not None:
            raise desk.Failed ("the tables are behind the list")
        check_names (room, "the list")
        desk.Atspi.Action.do_action (room.find (name="Show the Rows"), 0)
        room.wait ("the rows are back", lambda: room.find (role="page tab", holds="Activity"))


def a_refused_file_is_looked_at (sample):
    with desk.Desk () as room:
        path = os.path.join (room.folder, "nightly-load.etl")
        with open (path, "w") as file:
            file.write ("SELECT * FROM a;\n" * 20)
        room.open_window (path)
        room.wait ("it is refused", lambda: room.find (name="This is not a Windows event trace"))
        room.wait ("it was looked at", lambda: room.find (name="340 bytes"))
        for words in ("02 00 02 c0", "43 54 20 2a  “CT *”", "a text file; not zip, cab or pcapng"):
            if room.find (name=words) is None:
                raise desk.Failed (f"it does not tell “{words}”")
        if room.find (name="Export rows") is not None:
            raise desk.Failed ("there is nothing to export, and a button for it")
        check_names (room, "the refusal")


def the_panel_of_a_small_window_is_a_drawer (sample):
    with desk.Desk (size="900x600") as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        if room.find (role="label", name="Saved") is not None or room.find (holds="Windows build"):
            raise desk.Failed ("a small window spends its room on words")
        if room.find (role="label", name="Open") is None:
            raise desk.Failed ("a window that has room for it lacks a word")
        tables = room.find (role="page tab list", name="Tables")
        before = desk.box_of (tables).width
        room.keys ("F9")
        panel = room.wait ("the panel is there",
                           lambda: room.find (role="page tab list", name="Details"))
        if desk.box_of (room.find (role="page tab list", name="Tables")).width != before:
            raise desk.Failed ("the panel takes room from the tables")
        if desk.box_of (panel).width < 288:
            raise desk.Failed (f"the panel is {desk.box_of (panel).width} px wide")
        room.keys ("F9")
        room.wait ("the panel is gone",
                   lambda: room.find (role="page tab list", name="Details") is None)


def a_low_window_shares_its_height (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))

        def resize (height):
            subprocess.run (["xdotool", "getactivewindow", "windowmove", "0", "0", "windowsize", "1400", str (height)],
                            env=room.env, check=True)

        def tables ():
            """Returns the box from the tabs to the bar below the tables."""
            box = desk.box_of (room.find (role="page tab list", name="Tables"))
            box.height = desk.box_of (room.find (holds="Trace time")).y - box.y
            return box

        resize (900)
        room.wait ("the window is large", lambda: tables ().height > 250)
        resize (500)
        # Tabs and titles are 66 px high, a row 24 px.
        room.wait ("the table has five rows", lambda: 66 + 5 * 24 <= tables ().height < 66 + 8 * 24)
        resize (900)
        room.wait ("the window is large again", lambda: tables ().height > 250)
        handle = tables ().y - 5
        # Offsets to try: the handle is 12 px high, and the window's border counts only if it is drawn.
        offsets = itertools.cycle ((5, 0, -4, 9))

        def is_moved ():
            # A press during layout may miss the handle.
            here = tables ().y - next (offsets)
            if here > handle + 80:
                return True
            subprocess.run (["xdotool", "mousemove", "500", str (here), "sleep", "0.2", "mousedown", "1",
                             "mousemove", "500", str (here + 60), "sleep", "0.1",
                             "mousemove", "500", str (handle + 100), "sleep", "0.1", "mouseup", "1", "sleep", "0.2"],
                            env=room.env, check=True)
            return False
        room.wait ("the handle was moved", is_moved)
        moved = tables ().height
        resize (500)
        room.wait ("the table has five rows again", lambda: 66 + 5 * 24 <= tables ().height < 66 + 8 * 24)
        resize (900)
        room.wait ("the handle is where it was moved to", lambda: abs (tables ().height - moved) <= 1)


def a_tight_window_opens_without_a_word (sample):
    with desk.Desk (size="860x600") as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        if room.find (role="label", name="Open") is not None:
            raise desk.Failed ("a tight window spends its room on a word")
        if room.find (role="push button", name="Open") is None:
            raise desk.Failed ("nothing opens a trace")


def headers_have_a_page (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        subprocess.run (["xdotool", "mousemove", "300", "590", "click", "1"], env=room.env, check=True)
        room.wait ("a row is selected", lambda: room.find (holds="1 row selected"))
        pages = room.find (role="page tab list", name="Details")
        names = [desk.text_of (pages.get_child_at_index (i)) for i in range (pages.get_child_count ())]
        if "Payload" in names:
            raise desk.Failed ("a trace without packets has a page for their bytes")
        desk.Atspi.Selection.select_child (pages, names.index ("Headers"))
        text = room.wait ("the headers are there",
                          lambda: room.find (role="text", name="Headers of the row"))
        told = desk.Atspi.Text.get_text (text, 0, -1)
        if "HTTP/1.1 200 OK\nContent-Type: text/xml" not in told:
            raise desk.Failed (f"the page tells {told!r}")


def the_overview_tells_how_the_code_came_here (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "select-rows", "[uint32 0]")
        more = room.wait ("the stack is there in short",
                          lambda: room.find (role="label", name="webio+0x1f20") and
                          room.find (role="label", holds="by thread 4312 · waited 2.005 ms") and
                          room.find (role="push button", holds="more lines…"))
        if room.find (role="label", holds="after 342\u00a0ms; 344\u00a0ms since it was queued, 46\u00a0% of that") is None:
            raise desk.Failed ("a line may end between a number and its unit")
        desk.Atspi.Action.do_action (more, 0)
        room.wait ("all of it has a page", lambda: room.find (name="Fold system frames"))

        def seam_is_told_whole ():
            """The label wraps to two lines, since the panel is too narrow for one."""
            words = [node for node in room.walk () if node.get_role_name () == "label" and
                     desk.text_of (node).endswith ("· Windows thread pool · observed")]
            return any (desk.box_of (node).height > 28 for node in words)
        room.wait ("how a seam is known can be read", seam_is_told_whole)


def the_overview_shows_parts_of_the_path (sample):
    """The buttons on the Overview page and those on the Stack page control the same setting."""
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "select-rows", "[uint32 0]")

        def press (what):
            button = room.wait (f"there is {what}", lambda: room.find (role="push button", name=what))
            desk.Atspi.Action.do_action (button, 0)

        def is_pressed (what):
            return room.find (role="push button", name=what).get_state_set ().contains (
                desk.Atspi.StateType.PRESSED)

        def show_page (name):
            pages = room.find (role="page tab list", name="Details")
            names = [desk.text_of (pages.get_child_at_index (i)) for i in range (pages.get_child_count ())]
            desk.Atspi.Selection.select_child (pages, names.index (name))

        room.wait ("the whole path is there, from the call on", lambda: room.find (name="webio+0x1f20"))
        press ("First")
        room.wait ("it begins with who asked", lambda: not room.find (name="webio+0x1f20") and
                   room.find (name="OLMAPI32+0x3c1"))
        press ("Middle")
        room.wait ("nothing is between, and the buttons stay",
                   lambda: room.find (holds="no stack between") and is_pressed ("Middle"))
        show_page ("Stack")
        room.wait ("the page shows the same part", lambda: room.find (name="Fold system frames") and
                   not room.find (name="Whole Stack…") and is_pressed ("Middle"))
        press ("Last")
        show_page ("Overview")
        room.wait ("so does the overview", lambda: room.find (name="webio+0x1f20") and is_pressed ("Last"))
        press ("Whole Stack…")
        room.wait ("all of it has a page", lambda: room.find (name="Fold system frames") and
                   not room.find (name="Whole Stack…") and is_pressed ("Full"))


def the_sentence_leads_to_what_it_names (sample):
    """The keyboard moves between the links of the sentence, and activates them."""
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))

        def go_to_link (n_tabs):
            activate (room, "show-tab", "'activities'")
            activate (room, "select-rows", "[uint32 8]")
            room.wait ("the sentence says whose code asked",
                       lambda: room.find (role="label", holds="made a request to autodiscover.example.com at "
                                                              "4.004\u00a0s in OLMAPI32.DLL+0x53c1"))
            for page in ("Fields", "Overview"):
                pages = room.find (role="page tab list", name="Details")
                names = [desk.text_of (pages.get_child_at_index (i))
                         for i in range (pages.get_child_count ())]
                desk.Atspi.Selection.select_child (pages, names.index (page))
            focus_part (room, "panel")
            for _ in range (8):
                room.keys ("Tab")
                if "request to autodiscover" in desk.text_of (room.focused ()):
                    break
            for _ in range (n_tabs):
                room.keys ("Tab")
            room.keys ("Return")

        go_to_link (1)
        room.wait ("the server leads to the question for its address",
                   lambda: room.find (role="label", holds="autodiscover.example.com → "))
        go_to_link (2)
        room.wait ("the code leads to its frame",
                   lambda: room.focused () is not None and
                   "OLMAPI32.DLL+0x53c1" in desk.text_of (room.focused ()))


def the_menu_of_a_frame_counts_its_rows (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "select-rows", "[uint32 8]")
        pages = room.wait ("a row is selected",
                           lambda: room.find (role="page tab list", name="Details"))
        names = [desk.text_of (pages.get_child_at_index (i)) for i in range (pages.get_child_count ())]
        desk.Atspi.Selection.select_child (pages, names.index ("Stack"))
        room.wait ("the stack is there", lambda: room.find (holds="OLMAPI32.DLL+0x53c1"))
        focus_part (room, "panel")
        for _ in range (12):
            room.keys ("Tab")
            if room.focused () is not None and room.focused ().get_role_name () == "list item":
                break
        # In GTK 4.18 the first key press stays on the title of the thread.
        for _ in range (4):
            room.keys ("Down")
            if desk.text_of (room.focused ()).startswith ("OLMAPI32.DLL+0x53c1"):
                break

        def counted ():
            # On a busy computer the menu opens before the rows are counted.
            room.keys ("Menu")
            found = (room.find (holds="Only Rows through This Frame\u20039") and
                     room.find (holds="Without Rows through It\u200318"))
            if not found:
                room.keys ("Escape")
            return found
        room.wait ("both entries tell how many rows they show", counted)


def the_note_below_the_flames_is_whole (sample):
    with desk.Desk (size="1400x900") as room:
        room.open_window (sample)
        pages = room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        names = [desk.text_of (pages.get_child_at_index (i)) for i in range (pages.get_child_count ())]
        desk.Atspi.Selection.select_child (pages, names.index ("Flame"))
        note = room.wait ("the note is there", lambda: room.find (role="label", holds="A dashed box is a thread switch"))
        foot = room.wait ("the foot of the window is there", lambda: room.find (holds="Symbols 0 %"))
        room.wait ("its last line is above that", lambda: desk.box_of (note).height > 0 and (
            desk.box_of (note).y + desk.box_of (note).height <= desk.box_of (foot).y))


def the_page_of_the_trace_fits_a_small_window (sample):
    with desk.Desk (size="900x600") as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        room.keys ("ctrl+i")
        room.wait ("the page is there", lambda: room.find (name="Which process did it?"))
        room.wait ("it counts the answers",
                   lambda: room.find (holds="questions can be answered, 2 in part, 3 not"))

        def lies_below ():
            questions = room.find (name="Questions this trace can answer")
            providers = room.find (holds="Providers seen")
            return desk.box_of (providers).y > desk.box_of (questions).y + 100
        room.wait ("the providers stand below the questions", lies_below)


def what_a_trace_lacks_leads_to_the_recipe (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        room.keys ("ctrl+i")
        room.wait ("the page is there", lambda: room.find (name="Which process did it?"))
        order = [room.find (name=question) for question in
                 ("Is the trace complete?", "Which code caused it?", "What did the packets contain?")]
        if [desk.box_of (node).y for node in order] != sorted (desk.box_of (node).y for node in order):
            raise desk.Failed ("what is answered does not stand above what is not")
        def who_wrote_most_is_first ():
            names = [desk.text_of (node) for node in room.walk (cells=True)]
            return (any ("Microsoft-Windows-WebIO" in name for name in names) and
                    [name for name in names if "Microsoft-Windows-WebIO" in name
                     or "EventTrace" in name][0].find ("WebIO") >= 0)
        room.wait ("who wrote most stands first", who_wrote_most_is_first)
        if room.find (holds="Adds: stacks of the providers, the category netlog") is None:
            raise desk.Failed ("it is not told what a better recording has besides")
        if room.find (holds="per second; the additions increase that.") is None:
            raise desk.Failed ("it is not told how large such a recording was")
        if room.find (name="Events lost while recording") is not None:
            raise desk.Failed ("there is a line for losses, and nothing was lost")
        desk.Atspi.Action.do_action (room.find (role="push button", name="the category netlog"), 0)
        box = room.wait ("the recipe is there", lambda: room.find (role="check box", name="Browsers"))
        if not box.get_state_set ().contains (desk.Atspi.StateType.CHECKED):
            raise desk.Failed ("what was asked for is not ticked")
        if room.find (role="check box", name="Processor").get_state_set ().contains (
                desk.Atspi.StateType.CHECKED):
            raise desk.Failed ("what was not asked for is ticked")


def a_question_chooses_what_is_recorded (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "recipe", "''")
        room.wait ("the steps are there", lambda: room.find (name="1. Start") and room.find (name="6. Export"))
        def is_ticked (name):
            return room.find (role="check box", name=name).get_state_set ().contains (
                desk.Atspi.StateType.CHECKED)
        if not is_ticked ("LDAP") or room.find (name="wpr -start netstitch.wprp -filemode") is None:
            raise desk.Failed ("not all that the views show is recorded by default")
        # The question has the focus when the sheet opens.
        room.keys ("space")
        room.wait ("the questions are there", lambda: room.find (name="What do the packets contain?"))
        room.keys ("End")
        room.keys ("Return")
        room.wait ("packets have a command of their own", lambda: room.find (name="pktmon stop"))
        room.wait ("what they need is ticked", lambda: is_ticked ("Names") and not is_ticked ("LDAP"))
        if room.find (name="Copy the command that stops") is None:
            raise desk.Failed ("the command that stops cannot be copied")


def the_first_page_tells_how_to_record (sample):
    with desk.Desk () as room:
        room.open_window ()
        room.wait ("the profile is offered", lambda: room.find (name="How to Record…"))
        check_names (room, "the first page")
        if room.find (name="wpr -start netstitch.wprp -filemode") is None:
            raise desk.Failed ("the command for the profile is not there")
        packets = room.find (name="Packets")
        desk.Atspi.Action.do_action (packets, 0)
        room.wait ("the command is another", lambda: room.find (holds="pktmon start --capture"))
        if room.find (name="How to Record…") is not None:
            raise desk.Failed ("a recording without the profile asks for it")


def the_call_tree_groups_its_numbers (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "call-tree")
        room.wait ("the total is there",
                   lambda: [node for node in room.walk (cells=True)
                            if "≥ 18,509.2" in desk.text_of (node)])
        # The legend is shown before the graph is laid out, and lists all of its colors.
        room.wait ("the colours are told", lambda: room.find (role="label", name="thread switch") and
                   room.find (role="label", holds="OLMAPI32"))
        # Child frames are sorted by width, so only that column title has an arrow.
        room.wait ("only the title of the count has the mark",
                   lambda: [desk.text_of (node).split (",")[0] for node in room.walk (cells=True)
                            if node.get_role_name () == "label" and "▼" in desk.text_of (node)] == ["Requests ▼"])


def has_color (room, box, color):
    """Returns whether an area contains a color, with a tolerance for antialiasing."""
    picture = os.path.join (room.folder, "screen.png")
    room.picture (picture)
    told = subprocess.run (["convert", picture, "-crop", f"{box.width}x{box.height}+{box.x}+{box.y}", "+repage",
                            "-fuzz", "8%", "-fill", "black", "+opaque", color, "-fill", "white", "-opaque", color,
                            "-format", "%[fx:maxima]", "info:"], capture_output=True, check=True)
    return float (told.stdout) > 0.9


def the_mark_of_the_call_tree_follows_the_style (sample):
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "call-tree")
        box = room.wait ("the mark is there", lambda: box_of_title (room, "Requests ▼"))
        room.wait ("it has the colour of light", lambda: has_color (room, box, "#1a63c0"))
        subprocess.run (["gdbus", "call", "--session", "--dest", "org.netstitch.Netstitch",
                         "--object-path", "/org/netstitch/Netstitch", "--method", "org.gtk.Actions.Activate",
                         "style", "[<'dark'>]", "{}"], env=room.env, check=True, stdout=subprocess.DEVNULL)
        room.wait ("it has that of dark", lambda: has_color (room, box, "#84b6f2"))


def lists_beside_the_window_look_as_its_tables (sample):
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")
    with desk.Desk () as room:
        part = os.path.join (room.folder, "part.etl")
        subprocess.run ([os.environ["NETSTITCH_CLI"], "export", sample, "--as", "etl", "--filter", "process:OUTLOOK",
                         "-o", part], check=True)
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "compare-with", f"'{part}'")
        room.wait ("it is compared", lambda: room.find (holds="Gone: "))
        # No row of the main window is selected, so the color can only be in the other window.
        screen = desk.box_of (room.find (role="tree table", name="Operations that differ"))
        screen.x, screen.y, screen.width, screen.height = 0, 0, 1400, 900
        room.wait ("the chosen line has the ground of a chosen row", lambda: has_color (room, screen, "#d6e6f9"))


def lists_beside_the_window_grow_with_the_font (sample):
    with desk.Desk () as room:
        folder = os.path.join (room.env["XDG_CONFIG_HOME"], "gtk-4.0")
        os.makedirs (folder, exist_ok=True)
        with open (os.path.join (folder, "settings.ini"), "w") as file:
            file.write ("[Settings]\ngtk-font-name=Sans 22\n")
        part = os.path.join (room.folder, "part.etl")
        subprocess.run ([os.environ["NETSTITCH_CLI"], "export", sample, "--as", "etl", "--filter", "process:OUTLOOK",
                         "-o", part], check=True)
        room.open_window (sample)
        room.wait ("the trace is open", lambda: room.find (role="label", name="sample.etl"))
        activate (room, "compare-with", f"'{part}'")
        view = room.wait ("it is compared", lambda: room.find (holds="Gone: ") and
                          room.find (role="tree table", name="Operations that differ"))

        def has_room_for_names ():
            return any (desk.box_of (node).width > 160 for node in room.walk (view, cells=True)
                        if desk.text_of (node).startswith ("svchost.exe"))
        room.wait ("the column of processes is wider than with a small font", has_room_for_names)


def the_call_tree_tells_what_it_can_speak_of (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "call-tree")
        room.wait ("it is told how many rows have a stack",
                   lambda: room.find (name="27 rows · 18 with a stack"))
        # Frames show module names without the extension.
        room.keys ("ctrl+f")
        room.type ("outlook")
        room.wait ("it is told how much was found",
                   lambda: room.find (role="label", name="1 · 33 %"))
        room.keys ("Return")
        room.wait ("a frame has its module without the ending",
                   lambda: room.find (role="label", name="OUTLOOK+0x1f0"))
        if room.find (role="push button", name="Export the tree") is None:
            raise desk.Failed ("nothing exports the tree")
        path = os.path.join (room.folder, "tree.csv")
        activate (room, "export-tree-to", repr (path))
        room.wait ("the tree is exported", lambda: os.path.isfile (path))
        printed = subprocess.run ([os.environ["NETSTITCH_CLI"], "stacks", "--tree", "--format",
                                   "csv", sample], capture_output=True, check=True).stdout
        with open (path, "rb") as file:
            if file.read () != printed:
                raise desk.Failed ("the command line prints another tree")
        # An error of the export is shown in the window.
        activate (room, "export-tree-to", "'/nowhere-at-all/tree.csv'")
        room.wait ("it is said that nothing was written",
                   lambda: room.find (holds="nowhere-at-all"))
        activate (room, "call-tree")
        room.wait ("the table does not speak of stacks", lambda: room.find (name="27 rows"))


def the_call_tree_is_of_the_table_in_front (sample):
    """The call tree has the activities of the visible table's rows; the bar above it shows how many."""
    def operations (*more):
        told = subprocess.run ([os.environ["NETSTITCH_CLI"], "webio", "--format", "tsv", "--columns", "activity",
                                *more, sample], capture_output=True, check=True, text=True).stdout
        return len (set (told.split ()[1:]))

    def is_told (n_operations):
        return any (f" · {n_operations} operation" in desk.text_of (node) for node in room.walk ())

    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "show-tab", "'webio'")
        activate (room, "call-tree")
        room.wait ("it is of all operations with WinHTTP", lambda: is_told (operations ()))
        activate (room, "set-filter", "'status>=400'")
        n_failed = operations ("--filter", "status>=400")
        if not 0 < n_failed < operations ():
            raise desk.Failed (f"{n_failed} failed")
        room.wait ("it is of those that failed", lambda: is_told (n_failed))
        # Processes have no activities: the label says that the tree has all activities.
        activate (room, "show-tab", "'processes'")
        room.wait ("it is said that the tree is of all operations",
                   lambda: room.find (holds="Call tree of the 27 operations"))


def width_of_ends (room):
    """Returns the total width of the buttons that choose the root of the tree."""
    return sum (desk.box_of (room.find (role="push button", name=name)).width
                for name in ("From first stack", "From network call", "First stack only"))


def the_call_tree_fits_a_small_window (sample):
    with desk.Desk (size="900x600") as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "call-tree")
        room.wait ("the tree is there", lambda: room.find (name="27 rows · 18 with a stack"))
        narrow = width_of_ends (room)
        room.keys ("ctrl+f")
        room.type ("outlook")
        room.wait ("it is told how much was found",
                   lambda: room.find (role="label", name="1 · 33 %"))
        close = desk.box_of (room.find (role="push button", name="Back to the table") or
                             room.find (role="push button", name="Back to the table"))
        if close.x + close.width > 900:
            raise desk.Failed (f"the last button of the page ends at {close.x + close.width} px")
        subprocess.run (["xdotool", "getactivewindow", "windowmove", "0", "0", "windowsize", "1600", "600"],
                        env=room.env, check=True)
        room.wait ("there is room for captions", lambda: room.find (role="label", name="Call tree"))
        if width_of_ends (room) > narrow:
            raise desk.Failed ("words of buttons were cut though the entry had room")


def groups_and_columns_say_what_they_are (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "group-by", "'process_pid,server'")
        activate (room, "expand-groups")
        room.wait ("in a group of one server the host is not said again",
                   lambda: [node for node in room.walk (cells=True)
                            if desk.text_of (node) == "Group: POST /EWS/Exchange.asmx"])
        if room.find (name="27 rows · 4 processes · 7 servers") is None:
            raise desk.Failed ("it is not told of what the groups are")
        if room.find (name="Group by one more column") is None:
            raise desk.Failed ("nothing adds one more column to group by")
        if room.find (role="label", name="›") is None:
            raise desk.Failed ("nothing tells that the server is inside the process")
        activate (room, "columns")
        room.wait ("the shown ones have a title", lambda: room.find (name="Shown, in this order"))
        if room.find (role="label", name="group") is None:
            raise desk.Failed ("nothing tells which columns the groups are of")
        if room.find (name="Hidden") is None or room.find (name="Save as View…") is None:
            raise desk.Failed ("the others have none, or the view cannot be kept")

        def stands_above (one, other):
            # While the list is rebuilt, it is empty for a moment.
            boxes = [room.find (role="check box", name=name) for name in (one, other)]
            return None not in boxes and desk.box_of (boxes[0]).y < desk.box_of (boxes[1]).y
        room.wait ("the columns stand in their order",
                   lambda: stands_above ("Process", "Server"))
        down = room.wait ("columns can be moved",
                          lambda: room.find (role="push button", name="Move down"))
        desk.Atspi.Action.do_action (down, 0)
        room.wait ("the first one that is no group stands behind the next",
                   lambda: stands_above ("Method", "Protocol"))


def box_of_title (room, name):
    """Returns the box of a column title; titles are cells, too."""
    for node in room.walk (cells=True):
        if desk.text_of (node).split (",")[0] == name and desk.has_room (node):
            return desk.box_of (node)
    return None


def narrow_tables_have_no_shade_at_the_edge (sample):
    if shutil.which ("convert") is None or shutil.which ("import") is None:
        raise desk.NoDesk ("needs imagemagick")
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the rows are counted", lambda: room.find (role="status bar", holds="27 rows"))
        activate (room, "show-tab", "'threads'")
        room.wait ("the threads are there", lambda: box_of_title (room, "Start Address"))
        room.wait ("all of them are", lambda: room.find (role="status bar", holds="24 rows"))
        panel = desk.box_of (room.find (role="page tab list", name="Details"))
        last = box_of_title (room, "End (s)")
        edge = panel.x - 6
        if last.x + last.width > edge - 40:
            raise desk.NoDesk ("the columns fill the table here")
        seen = brightness (room, f"30x100+{edge - 34}+{last.y + last.height + 100}")
        if seen < 0.995:
            raise desk.Failed (f"beside the last column it is {seen:.3f} bright")


def late_moments_are_not_cut_off (sample):
    traces = os.environ.get ("NETSTITCH_TEST_TRACES", "")
    path = os.path.join (traces, "ShutdownPerfDiagLogger.etl")
    if not os.path.exists (path):
        raise desk.NoDesk ("no trace of hours")
    with desk.Desk () as room:
        room.open_window (path)
        room.wait ("the tables are there", lambda: room.find (role="page tab", holds="Events"))
        activate (room, "show-tab", "'events'")
        room.wait ("the events are there", lambda: box_of_title (room, "Details"))
        width = box_of_title (room, "Time (s) ▲").width
        if width < 108:
            raise desk.Failed (f"“29519.660 123 4” has {width} px")
        activate (room, "columns")
        reset = room.wait ("the columns can be reset",
                           lambda: room.find (role="push button", name="Reset Columns"))
        desk.Atspi.Action.do_action (reset, 0)
        room.keys ("Escape")
        room.wait ("the columns are back", lambda: room.find (role="push button", name="Reset Columns") is None)
        width = box_of_title (room, "Time (s) ▲").width
        if width < 108:
            raise desk.Failed (f"“29519.660 123 4” has {width} px after the columns were reset")


def providers_without_a_name_have_their_guid (sample):
    path = os.path.join (os.environ.get ("NETSTITCH_TEST_TRACES", ""), "CldFlt0.etl")
    if not os.path.exists (path):
        raise desk.NoDesk ("no trace with such a provider")
    with desk.Desk () as room:
        room.open_window (path)
        room.wait ("the tables are there", lambda: room.find (role="page tab", holds="Providers"))
        activate (room, "show-tab", "'providers'")
        room.wait ("the GUID stands for the name",
                   lambda: [node for node in room.walk (cells=True)
                            if desk.text_of (node)
                            == "Provider: 2818ef08-6a54-396f-2244-5a6ea4a98cf0"])
        room.keys ("ctrl+i")
        room.wait ("one is told as one",
                   lambda: room.find (name="1 question can be answered, 0 in part, 13 not.") and
                   room.find (name="Windows 10.0, build 26100, 1 processor, 64-bit"))


def a_finding_leads_to_what_it_stands_on (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the panel is there", lambda: room.find (role="page tab list", name="Details"))
        activate (room, "go-to", "('findings', uint32 0)")
        room.wait ("what to try is there", lambda: room.find (holds="try the port from another computer"))
        link = room.wait ("its events can be looked at",
                          lambda: room.find (role="push button", name="Supporting Events"))
        desk.Atspi.Action.do_action (link, 0)
        room.wait ("they are counted", lambda: room.find (holds="3 records that belong to the rows of this finding"))
        for event in ("TcpRequestConnect", "TcpConnectTcbProceeding", "TcpConnectTcbFailure"):
            room.wait (f"{event} is one", lambda: [node for node in room.walk (cells=True) if event in desk.text_of (node)])
        activate (room, "go-to", "('tcp', uint32 3)")
        room.wait ("one is one", lambda: room.find (holds="1 record with a field that contains a key of the row"))


if __name__ == "__main__":
    sys.exit (run_claims ("looks", (is_dark_when_gtk_is_told_so, is_light_otherwise,
                                    buttons_are_seen_whatever_the_theme_is_called,
                                    the_chosen_one_stands_out_in_high_contrast,
                                    the_lane_of_a_row_is_marked,
                                    the_mark_of_the_call_tree_follows_the_style,
                                    lists_beside_the_window_look_as_its_tables,
                                    lists_beside_the_window_grow_with_the_font,
                                    a_cut_trace_tells_what_could_be_read,
                                    a_refused_file_is_looked_at,
                                    the_panel_of_a_small_window_is_a_drawer,
                                    a_low_window_shares_its_height,
                                    a_tight_window_opens_without_a_word,
                                    headers_have_a_page,
                                    the_overview_tells_how_the_code_came_here,
                                    the_overview_shows_parts_of_the_path,
                                    the_sentence_leads_to_what_it_names,
                                    the_menu_of_a_frame_counts_its_rows, the_note_below_the_flames_is_whole,
                                    the_page_of_the_trace_fits_a_small_window,
                                    what_a_trace_lacks_leads_to_the_recipe,
                                    a_question_chooses_what_is_recorded,
                                    the_first_page_tells_how_to_record,
                                    groups_and_columns_say_what_they_are,
                                    narrow_tables_have_no_shade_at_the_edge,
                                    late_moments_are_not_cut_off,
                                    providers_without_a_name_have_their_guid,
                                    a_finding_leads_to_what_it_stands_on,
                                    the_call_tree_groups_its_numbers,
                                    the_call_tree_tells_what_it_can_speak_of,
                                    the_call_tree_is_of_the_table_in_front,
                                    the_call_tree_fits_a_small_window)))
