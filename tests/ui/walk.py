#!/usr/bin/python3
"""Tests the window by keyboard and accessible names only.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import os
import re
import subprocess
import sys

import desk

# Interactive roles, which need an accessible name.
INTERACTIVE = {"push button", "toggle button", "check box", "radio button", "entry", "text",
               "password text", "spin button", "combo box", "slider", "link", "page tab",
               "menu item", "check menu item", "radio menu item", "table row", "list item",
               "tree table", "page tab list", "search box"}
# Without a name, GTK returns the type of the widget or of its child.
NO_NAME = re.compile (r"^((Gtk|Ns|Gdk)[A-Z]\w*|Tab|Tab list|)$")
# Column titles are in a row, and lists have recycled rows without content.
TITLES = re.compile (r"^GtkColumnViewTitle$")


def is_titles (node):
    """Returns whether a row has column titles, is unused, or contains a widget with its own name."""
    first = node.get_child_at_index (0) if node.get_child_count () > 0 else None
    return first is None or TITLES.match (desk.text_of (first)) or \
        (first.get_role_name () in INTERACTIVE and not NO_NAME.match (desk.text_of (first)))


def is_out_of_sight (row):
    """Rows outside the view exist in GTK, but get their names only when they scroll into view."""
    box = desk.box_of (row)
    around = desk.box_of (row.get_parent ())
    return box.y >= around.y + around.height or box.y + box.height <= around.y


def check_names (room, where, cells=False):
    nameless = []
    for node in room.walk (cells=cells):
        role = node.get_role_name ()
        name = desk.text_of (node)
        if role in INTERACTIVE and NO_NAME.match (name):
            if role in ("table row", "list item") and (is_titles (node) or is_out_of_sight (node)):
                continue
            parent = node.get_parent ()
            nameless.append (f"{role} {name!r} in {parent.get_role_name ()} "
                             f"{desk.text_of (parent)!r}")
    if nameless:
        raise desk.Failed (f"{where}: without a name: " + "; ".join (nameless[:6]))


def role_of_focus (room):
    """Returns the role of the focused object, or None, as while another window is activated."""
    node = room.focused ()
    return node.get_role_name () if node is not None else None


def focus_part (room, role):
    """Presses F6 until an object with this role has the focus."""
    for _ in range (6):
        node = room.focused ()
        if node is not None and node.get_role_name () == role:
            return node
        room.keys ("F6")
    raise desk.Failed (f"F6 never came to a {role}")


def shown_count (room):
    node = room.find (role="status bar", holds="row")
    return desk.text_of (node) if node is not None else ""


def timeline_name (room):
    node = room.find (role="image", holds="Timeline")
    return (desk.text_of (node), node.get_description ()) if node is not None else None


def chips (room):
    return sorted (desk.text_of (node) for node in room.walk ()
                   if node.get_role_name () in ("toggle button", "push button")
                   and desk.text_of (node).startswith (("failed=", "server=")))


def save_as (room, keys, path):
    room.keys (keys)
    room.wait ("rows and columns are asked for", lambda: room.find (holds="Format"))
    room.keys ("Return")
    room.wait ("a place to save is asked for", lambda: room.find (holds="Name"))
    room.keys ("ctrl+a")
    room.type (path)
    room.keys ("Return")


def is_offered (room, button):
    """Returns whether the dialog with the focus has an enabled button of this name."""
    around = room.focused ()
    while around is not None and around.get_parent ().get_role_name () != "application":
        around = around.get_parent ()
    return around is not None and any (
        desk.text_of (node).endswith (button) and node.get_state_set ().contains (desk.Atspi.StateType.SENSITIVE)
        for node in room.walk (around) if node.get_role_name () == "push button")


def choose_path (room, path, button):
    """Enters a path in GTK's file dialog and confirms it by @button."""
    room.keys ("ctrl+l")
    room.wait ("a path can be typed", lambda: role_of_focus (room) in ("text", "entry"))
    room.type (path)
    # GTK may still complete the typed path; deletes the completion.
    room.keys ("shift+End", "Delete")
    # Newer GTK checks that the file exists before Return has an effect.
    room.wait ("the path can be taken", lambda: is_offered (room, button))
    room.keys ("Return")


def open_by_keys (room, sample):
    room.open_window ()
    check_names (room, "start page")
    room.keys ("ctrl+o")
    room.wait ("a file is asked for", lambda: room.find (name="Open Traces"))
    choose_path (room, sample, "Open")
    room.wait ("the trace is open", lambda: room.find (role="label", name="sample.etl"))
    room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
    check_names (room, "trace", cells=True)


def find_failed (room):
    room.keys ("ctrl+l")
    room.type ("failed=true")
    room.wait ("three rows are left", lambda: shown_count (room) == "3 of 27 rows")
    room.keys ("Return")
    focus_part (room, "table row")
    room.keys ("Down", "Home")
    row = room.wait ("a failed row has the focus",
                     lambda: (room.focused () if "failed with" in
                              desk.text_of (room.focused ()) else None))
    return desk.text_of (row)


def see_stack (room):
    room.keys ("F6")
    room.keys ("ctrl+Next")
    room.wait ("the stack is shown", lambda: room.find (role="list", name="Stack"))
    stack = room.find (role="list", name="Stack")
    frames = [desk.text_of (node) for node in room.walk (stack)]
    if not any ("!" in frame or "+0x" in frame for frame in frames):
        raise desk.Failed (f"the stack has no frame: {frames}")
    check_names (room, "stack page")


def filter_to_server (room):
    focus_part (room, "table row")
    room.keys ("o")
    room.wait ("only rows of its server are left", lambda: shown_count (room) == "1 of 27 rows")
    if len (chips (room)) < 2:
        raise desk.Failed (f"two chips are expected, not {chips (room)}")


def mark_it (room):
    focus_part (room, "image")
    room.keys ("f", "f", "m")
    room.wait ("the bookmark is told of",
               lambda: "1 bookmark" in (timeline_name (room) or ("", ""))[1])
    return timeline_name (room)


def leave_export (room):
    """Closes the export dialog after it has reported what it wrote."""
    room.wait ("what was written is told", lambda: room.find (holds="Exported to"))
    room.keys ("Escape")


def export_rows (room):
    path = os.path.join (room.folder, "rows.csv")
    save_as (room, "ctrl+s", path)
    room.wait ("the rows are written", lambda: os.path.exists (path))
    leave_export (room)
    room.wait ("the dialog is gone", lambda: room.find (holds="Format") is None)
    with open (path, newline="") as file:
        rows = list (csv.reader (file))
    if len (rows) != 2:
        raise desk.Failed (f"one row and its titles are expected: {rows}")


def rows_and_columns_of_an_export_are_chosen (sample):
    """Exporting all rows and columns includes filtered rows; the file equals that of the command line."""
    with desk.Desk () as room:
        path = os.path.join (room.folder, "all.csv")
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        activate (room, "set-filter", "'failed=true'")
        room.wait ("three rows are left", lambda: shown_count (room) == "3 of 27 rows")
        room.keys ("ctrl+s")
        room.wait ("nothing is selected, three are filtered",
                   lambda: room.find (name="Selected: 0") and room.find (name="Filtered: 3"))
        room.keys ("alt+a", "alt+l", "alt+e")
        room.wait ("a place to save is asked for", lambda: room.find (holds="Name"))
        room.keys ("ctrl+a")
        room.type (path)
        room.keys ("Return")
        room.wait ("the rows are written", lambda: os.path.exists (path))
        leave_export (room)
        room.wait ("the dialog is gone", lambda: room.find (name="Filtered: 3") is None)
        expected = subprocess.run ([os.environ["NETSTITCH_CLI"], "activities", sample, "--format",
                                    "csv", "--columns", "all"], check=True, capture_output=True)
        with open (path, "rb") as file:
            if file.read () != expected.stdout:
                raise desk.Failed ("the file is not what the command line writes")
        if os.stat (path).st_mode & 0o077 != 0:
            raise desk.Failed ("others may read the file")


def walk (sample):
    """A typical session: open, find, view the stack, filter, bookmark, export, and restore after a restart."""
    with desk.Desk () as room:
        open_by_keys (room, sample)
        sentence = find_failed (room)
        see_stack (room)
        filter_to_server (room)
        before = mark_it (room)
        if sentence not in before[0]:
            raise desk.Failed (f"the timeline says {before[0]!r}, not {sentence!r}")
        export_rows (room)
        was = chips (room)
        focus_part (room, "image")
        room.keys ("ctrl+w")
        room.window.wait (desk.PATIENCE_S)
        room.open_window (sample)
        room.wait ("the rows are as they were", lambda: shown_count (room) == "1 of 27 rows")
        room.wait ("the timeline is as it was", lambda: timeline_name (room) == before)
        if chips (room) != was:
            raise desk.Failed (f"chips were {was}, are {chips (room)}")


def is_inside (node, role):
    while node is not None and node.get_role_name () != role:
        node = node.get_parent ()
    return node is not None


BUTTONS = {"push button", "toggle button", "check box", "radio button", "combo box"}
TYPES_HEARD = {"GtkColumnListView", "GtkStackPage", "GtkPopoverMenu"}
SAID_TWICE = re.compile (r"^(.{3,}?) \1$")


def check_once (room, where):
    """Checks that no button repeats its label or includes the mnemonic mark, that containers which screen readers
    announce have names, and that combo boxes name their selected item."""
    wrong = []
    for node in room.walk ():
        role = node.get_role_name ()
        name = desk.text_of (node)
        if role in BUTTONS and ("_" in name or SAID_TWICE.match (name)):
            wrong.append (name)
        elif name in TYPES_HEARD and not is_inside (node, "push button"):
            wrong.append (name)
        elif role == "combo box" and node.get_child_count () > 0 and \
                not desk.text_of (node.get_child_at_index (0)).startswith (name.partition (": ")[0] + ": "):
            wrong.append (f"{name}, without the choice")
    if wrong:
        raise desk.Failed (f"{where}: {wrong}")


def asking_for_too_much_harms_nothing (sample):
    """Assistive technology may ask for a window that was just closed: no closed window may stay hidden behind the
    others."""
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        for key, what in ((None, None), ("ctrl+question", "Keyboard Shortcuts"),
                          ("ctrl+comma", "Preferences"), ("ctrl+s", "Export Rows"),
                          ("ctrl+o", "Open Traces"), ("about", "Windows network traces on Linux")):
            if key == "about":
                subprocess.run (["gdbus", "call", "--session", "--dest", "org.netstitch.Netstitch",
                                 "--object-path", "/org/netstitch/Netstitch",
                                 "--method", "org.gtk.Actions.Activate", "about", "[]", "{}"],
                                env=room.env, check=True, stdout=subprocess.DEVNULL)
            elif key is not None:
                room.keys (key)
            if what is not None:
                room.wait (f"{what} is shown", lambda: room.find (holds=what))
                room.keys ("Escape")
                room.wait (f"{what} is closed",
                           lambda: room.application ().get_child_count () == 1)
            for number in (1, 7):
                room.application ().get_child_at_index (number)
            room.wait (f"the window is there after {what}", room.application)


def every_page_has_names (sample):
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        focus_part (room, "table row")
        room.keys ("Down")
        first = timeline_name (room)[0]
        room.keys ("alt+Down")
        room.wait ("the row below is chosen", lambda: timeline_name (room)[0] != first)
        room.keys ("alt+Up")
        room.wait ("the row above is chosen again",
                   lambda: timeline_name (room)[0] == first)
        focus_part (room, "panel")
        for _ in range (6):
            room.keys ("ctrl+Next")
            check_names (room, "a page of the panel")
            check_once (room, "a page of the panel")
        for key, what in (("ctrl+f", "Find in this table"), ("ctrl+e", "Columns"),
                          ("ctrl+i", "Trace information"), ("ctrl+i", "Activity"),
                          ("ctrl+comma", "Preferences"), ("ctrl+s", "Export Rows"),
                          ("F10", "Keyboard Shortcuts")):
            room.keys (key)
            room.wait (f"{what} is shown", lambda: room.find (holds=what))
            check_names (room, what)
            check_once (room, what)
            if key not in ("ctrl+i",):
                room.keys ("Escape")


def activate (room, action, value=None):
    """Activates an action of the window by D-Bus."""
    subprocess.run (["gdbus", "call", "--session", "--dest", "org.netstitch.Netstitch",
                     "--object-path", "/org/netstitch/Netstitch/window/1",
                     "--method", "org.gtk.Actions.Activate", action,
                     f"[<{value}>]" if value is not None else "[]", "{}"],
                    env=room.env, check=True, stdout=subprocess.DEVNULL)


def exported_columns (room):
    """Returns the columns of the visible table, from the title line of an export."""
    path = os.path.join (room.folder, "columns.csv")
    if os.path.exists (path):
        os.unlink (path)
    activate (room, "export-to", f"'{path}'")
    room.wait ("rows are exported", lambda: os.path.exists (path))
    with open (path, encoding="utf-8-sig") as file:
        return next (csv.reader (file))


def columns_are_found_by_their_names (sample):
    """Columns are shown by typing in the search, and stay shown after a restart."""
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        before = exported_columns (room)
        room.keys ("ctrl+e")
        room.wait ("the search has the focus",
                   lambda: desk.text_of (room.focused ()) == "Search columns")
        room.type ("first stack")
        room.wait ("it is found", lambda: room.find (name="First Stack, not shown"))
        room.keys ("Return")
        room.wait ("Enter shows it", lambda: room.find (name="First Stack, shown"))
        room.keys ("Return")
        room.wait ("Enter hides it again", lambda: room.find (name="First Stack, not shown"))
        room.keys ("Down")
        room.wait ("Down goes to it",
                   lambda: desk.text_of (room.focused ()) == "First Stack, not shown")
        room.keys ("space")
        room.wait ("it is shown", lambda: room.find (name="First Stack, shown"))
        room.keys ("Escape")
        after = exported_columns (room)
        if [name for name in after if name not in before] != ["first_stack"]:
            raise desk.Failed (f"columns were {before}, are {after}")
        room.keys ("ctrl+w")
        room.window.wait (30)
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        if exported_columns (room) != after:
            raise desk.Failed (f"columns are {exported_columns (room)} after a restart")


def catch_help (room):
    """Installs a help viewer that writes the requested pages to a file; returns its path."""
    pages = os.path.join (room.folder, "pages")
    viewer = os.path.join (room.folder, "viewer")
    applications = os.path.join (room.env["XDG_DATA_HOME"], "applications")
    with open (viewer, "w", encoding="utf-8") as file:
        file.write (f'#!/bin/sh\necho "$1" >> {pages}\n')
    os.chmod (viewer, 0o700)
    os.makedirs (applications)
    with open (os.path.join (applications, "viewer.desktop"), "w", encoding="utf-8") as file:
        file.write (f"[Desktop Entry]\nType=Application\nName=Viewer\nExec={viewer} %u\n"
                    "MimeType=x-scheme-handler/help;\n")
    with open (os.path.join (room.env["XDG_CONFIG_HOME"], "mimeapps.list"), "w",
               encoding="utf-8") as file:
        file.write ("[Default Applications]\nx-scheme-handler/help=viewer.desktop\n")
    return pages


def help_is_opened_where_it_is_wanted (sample):
    """F1 also works in popovers and dialogs, which grab the keyboard; closing them returns the focus to the table."""
    with desk.Desk () as room:
        pages = catch_help (room)
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        expected = []
        for key, name, page in ((None, None, "table"), ("ctrl+e", "Search columns", "table"),
                                ("ctrl+comma", "Symbol path", "symbols")):
            if key is None:
                focus_part (room, "table row")
            else:
                room.keys (key)
                room.wait (f"{name} has the focus",
                           lambda: desk.text_of (room.focused ()) == name)
            room.keys ("F1")
            expected.append (f"help:netstitch/{page}")
            room.wait (f"{expected} are opened", lambda: os.path.exists (pages)
                       and open (pages, encoding="utf-8").read ().split () == expected)
            if key is not None:
                room.keys ("Escape")
                room.wait ("a row has the focus again",
                           lambda: role_of_focus (room) == "table row")


def is_title (label):
    """Returns whether a label is in a column title, whose parent is named by its type, or in newer GTK by the title."""
    around = label.get_parent ().get_parent ()
    return around.get_role_name () == "filler" and \
        (TITLES.match (desk.text_of (around)) or desk.text_of (around) == desk.text_of (label) != "")


def titles (room):
    return [desk.text_of (node) for node in room.walk (room.find (role="tree table"), cells=True)
            if node.get_role_name () == "label" and is_title (node)]


def a_view_is_shared_as_text (sample):
    with desk.Desk () as room:
        view = os.path.join (room.folder, "some.nsview")
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        before = titles (room)
        with open (view, "w", encoding="utf-8") as file:
            file.write ("[Netstitch view]\nversion=1\nlanes=server\n"
                        "[activities]\ncolumns=url:300;colour;server;duration_ns\n"
                        "filter=failed=true\nsort=-duration_ns\n")
        activate (room, "open-view-from", f"'{view}'")
        room.wait ("its filter counts", lambda: shown_count (room) == "3 of 27 rows")
        room.wait ("what is unknown is named", lambda: room.find (holds="activities: colour"))
        after = titles (room)
        if [title.split (" ")[0] for title in after] != ["URL", "Server", "Duration"]:
            raise desk.Failed (f"columns were {before}, are {after}")
        again = os.path.join (room.folder, "again.nsview")
        activate (room, "save-view-to", f"'{again}'")
        room.wait ("it is saved", lambda: os.path.exists (again))
        with open (again, encoding="utf-8") as file:
            text = file.read ()
        for line in ("lanes=server", "columns=url:300;server:", "filter=failed=true",
                     "sort=-duration_ns"):
            if line not in text:
                raise desk.Failed (f"{line} is missing in {text}")


def a_view_leaves_the_columns_of_others (sample):
    """A saved view shows the same columns when it is opened; Reset View restores the columns from before."""
    with desk.Desk () as room:
        saved = os.path.join (room.folder, "saved.nsview")
        small = os.path.join (room.folder, "small.nsview")
        with open (small, "w", encoding="utf-8") as file:
            file.write ("[Netstitch view]\nversion=1\n[activities]\ncolumns=url:300;duration_ns\n")
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        activate (room, "show-column", "('protocol', false)")
        room.wait ("a column is hidden", lambda: "Protocol" not in titles (room))
        before = room.steady (lambda: titles (room))
        activate (room, "save-view-to", f"'{saved}'")
        room.wait ("it is saved", lambda: os.path.exists (saved))
        activate (room, "open-view-from", "'/no/such.nsview'")
        room.wait ("it is said that there is none", lambda: room.find (holds="No such file"))
        activate (room, "open-view-from", f"'{saved}'")
        room.wait ("it is said that it was opened", lambda: room.find (holds="was opened"))
        if room.steady (lambda: titles (room)) != before:
            raise desk.Failed (f"columns were {before}, are {titles (room)}")
        activate (room, "open-view-from", f"'{small}'")
        room.wait ("there are two columns", lambda: len (titles (room)) == 2)
        room.keys ("ctrl+w")
        room.window.wait (desk.PATIENCE_S)
        room.open_window (sample)
        room.wait ("all columns are there in another window", lambda: titles (room) == before)
        activate (room, "open-view-from", f"'{small}'")
        room.wait ("there are two columns", lambda: len (titles (room)) == 2)
        activate (room, "reset-view")
        room.wait (f"the columns are there again: {before}", lambda: titles (room) == before)


def url_cells (room):
    return [desk.text_of (node).partition (": ")[2]
            for node in room.walk (room.find (role="tree table"), cells=True)
            if desk.text_of (node).startswith ("URL: ")]


def a_url_begins_behind_its_server (sample):
    """The URL is shown without the server while the Server column is visible."""
    with desk.Desk () as room:
        view = os.path.join (room.folder, "some.nsview")
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        room.wait ("paths are there",
                   lambda: any (cell.startswith ("/") for cell in url_cells (room)))
        paths = url_cells (room)
        with open (view, "w", encoding="utf-8") as file:
            file.write ("[Netstitch view]\nversion=1\n"
                        "[activities]\ncolumns=url:300;duration_ns\n")
        activate (room, "open-view-from", f"'{view}'")
        room.wait ("URLs are whole",
                   lambda: not any (cell.startswith ("/") for cell in url_cells (room)))
        urls = url_cells (room)
        behind = [re.sub ("^https://[^/]+", "", url) for url in urls]
        if behind != paths or paths == urls:
            raise desk.Failed (f"{paths} are not the paths of {urls}")


def apart (claim, sample):
    """Runs a test in a child process."""
    reader, writer = os.pipe ()
    child = os.fork ()
    if child == 0:
        os.close (reader)
        status = 0
        try:
            claim (sample)
        except desk.NoDesk as error:
            os.write (writer, str (error).encode ())
            status = 77
        except BaseException as error:  # pylint: disable=broad-except
            os.write (writer, f"{type (error).__name__}: {error}".encode ())
            status = 1
        os._exit (status)
    os.close (writer)
    with os.fdopen (reader, errors="replace") as said:
        text = said.read ()
    status = os.waitstatus_to_exitcode (os.waitpid (child, 0)[1])
    if status == 77:
        raise desk.NoDesk (text)
    if status != 0:
        raise desk.Failed (text or f"ended with {status}")


def run_claims (suite, claims):
    """Runs all tests or those named on the command line, each with its own desktop."""
    sample = os.environ["NETSTITCH_SAMPLE"]
    wanted = sys.argv[1:]
    failed = 0
    print (f"1..{len (claims)}", flush=True)
    for number, claim in enumerate (claims, 1):
        name = claim.__name__.replace ("_", "-")
        if wanted and name not in wanted:
            continue
        try:
            # AT-SPI connects to one desktop per process.
            apart (claim, sample)
            print (f"ok {number} /{suite}/{name}", flush=True)
        except desk.NoDesk as error:
            print (f"ok {number} /{suite}/{name} # SKIP {error}", flush=True)
        except desk.Failed as error:
            failed += 1
            for line in str (error).splitlines ():
                print (f"# {line}")
            print (f"{name}: {error}", file=sys.stderr, flush=True)
            print (f"not ok {number} /{suite}/{name}", flush=True)
    return 1 if failed else 0


def a_page_begins_with_what_is_in_it (sample):
    """Wrapped labels must not request the height of one letter per line."""
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("the trace is shown", lambda: shown_count (room) == "27 rows")
        room.keys ("ctrl+i")
        fact = room.wait ("the page is shown", lambda: room.find (role="label", name="Recorded"))
        room.wait ("its facts stand at its top", lambda: desk.box_of (fact).y < 250)
        room.wait ("its questions stand below them", lambda: desk.box_of (
            room.find (role="label", name="Questions this trace can answer")).y < 400)
        room.keys ("ctrl+comma")
        room.wait ("the preferences are shown", lambda: room.find (name="Preferences"))


def what_is_folded_away_is_passed_over (sample):
    """Tab skips collapsed parts; desk.Desk reports GTK's warnings."""
    with desk.Desk () as room:
        room.open_window (sample)
        room.wait ("all rows are there", lambda: shown_count (room) == "27 rows")
        focus_part (room, "panel")
        for title in ("Summary", "Trace Health"):
            for _ in range (6):
                if desk.text_of (room.focused ()) == title:
                    break
                room.keys ("Tab")
            room.wait (f"{title} has the focus", lambda: desk.text_of (room.focused ()) == title)
            room.keys ("Return")
        room.keys ("Tab")
        room.wait ("the parts are passed", lambda: desk.text_of (room.focused ()) not in ("Summary", "Trace Health"))


if __name__ == "__main__":
    sys.exit (run_claims ("walk", (walk, every_page_has_names,
                                   asking_for_too_much_harms_nothing,
                                   help_is_opened_where_it_is_wanted,
                                   rows_and_columns_of_an_export_are_chosen,
                                   columns_are_found_by_their_names,
                                   a_view_is_shared_as_text, a_view_leaves_the_columns_of_others,
                                   a_page_begins_with_what_is_in_it,
                                   what_is_folded_away_is_passed_over,
                                   a_url_begins_behind_its_server)))
