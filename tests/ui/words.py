#!/usr/bin/python3
"""Tests translations: with a catalog that marks every string, no unmarked string is shown.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import re
import shutil
import subprocess
import sys

import desk
from walk import activate, focus_part, run_claims

ROOT = os.path.join (os.path.dirname (os.path.abspath (__file__)), "..", "..")
BEGIN, END = "⟦", "⟧"
# GTK's own strings, which its own catalog translates, and names that are not translated.
FOREIGN = {"Minimize", "Maximize", "Close", "Cancel", "Previous tab", "Next tab", "Netstitch",
           "sample.etl", "netstitch", "Menu"}
SPOKEN = {"push button", "toggle button", "check box", "label", "entry", "text", "page tab",
          "status bar", "page tab list", "spin button", "combo box", "image", "tree table", "list",
          "menu item", "check menu item", "radio menu item", "frame"}
NO_NAME = re.compile (r"^(Gtk|Ns|Gdk)[A-Z]\w*$")
PLACE = re.compile (r"\+0x[0-9a-f]+\b")
LETTERS = re.compile (r"[A-Za-z]{2}")


def write_catalogue (folder):
    """Compiles a translation that marks every string."""
    run = dict (check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    pot = os.path.join (folder, "netstitch.pot")
    po = os.path.join (folder, "netstitch.po")
    subprocess.run (["xgettext", "--from-code=UTF-8", "--add-comments", "--keyword=_",
                     "--keyword=N_", "--keyword=C_:1c,2", "--keyword=NC_:1c,2",
                     "--keyword=g_dngettext:2,3", "--files-from=po/POTFILES.in", "--directory=.",
                     "-o", pot], **run)
    subprocess.run (["msginit", "--no-translator", "--locale=en_US.UTF-8", "-i", pot, "-o", po],
                    **run)
    with open (po, encoding="utf-8") as file:
        blocks = file.read ().split ("\n\n")
    for i, block in enumerate (blocks[1:], 1):
        blocks[i] = re.sub (r'^(msgstr(?:\[\d\])? )"(.*(?:\n".*)*)"$', mark, block, flags=re.M)
    with open (po, "w", encoding="utf-8") as file:
        file.write ("\n\n".join (blocks))
    place = os.path.join (folder, "locale", "xx", "LC_MESSAGES")
    os.makedirs (place)
    subprocess.run (["msgfmt", "-o", os.path.join (place, "netstitch.mo"), po], **run)


def mark (match):
    text = match.group (2)
    # Line breaks at the ends of a string stay outside of the marks.
    start = re.match (r'(?:"\n")?(?:\\n)?', text).end ()
    end = len (text) - 2 if text.endswith ("\\n") else len (text)
    return f'{match.group (1)}"{text[:start]}{BEGIN}{text[start:end]}{END}{text[end:]}"'


def data_words (sample):
    """Returns the words of the trace, which are not translated."""
    words = {"QPC", "Traces", "Sample"}
    for verb, *more in (("activities",), ("activities", "--columns", "pid_source"), ("processes",),
                        ("providers",), ("dns",), ("images",), ("events",)):
        output = subprocess.run ([os.environ["NETSTITCH_CLI"], verb, sample, "--format", "csv", *more],
                                 check=False, capture_output=True, text=True).stdout
        words.update (re.findall (r"[A-Za-z][\w.-]+", output))
    # Frames have module names without the extension.
    return words | {word[:-4] for word in words if word[-4:].lower () in (".dll", ".exe")}


def unmarked (room, data):
    found = []
    for node in room.walk ():
        name = desk.text_of (node)
        role = node.get_role_name ()
        # Commands for Windows are not translated.
        if name.startswith (("netsh ", "pktmon ", "wpr ", "logman ")):
            continue
        if role not in SPOKEN or NO_NAME.match (name) or name in FOREIGN or BEGIN in name:
            continue
        # Skips the offset in the module of frames without names, which newer GTK exposes as labels.
        left = [word for word in re.findall (r"[A-Za-z][\w.-]+", PLACE.sub ("", name)) if word not in data]
        if LETTERS.search (" ".join (left)):
            found.append (f"{role} {name!r}")
    return found


def use_language (room, language):
    """Sets the language. Newer C libraries do not translate in the locale C.UTF-8, so it is copied under another
    name."""
    plain = "/usr/lib/locale/C.utf8"
    room.env.update (LANGUAGE=language, LC_ALL="C.UTF-8",
                     NETSTITCH_LOCALE_DIR=os.path.join (room.folder, "locale"))
    if os.path.isdir (plain):
        shutil.copytree (plain, os.path.join (room.folder, "locales", language + ".utf8"))
        room.env.update (LC_ALL=language + ".UTF-8", LOCPATH=os.path.join (room.folder, "locales"))


def no_raw_english_is_shown (sample):
    with desk.Desk () as room:
        write_catalogue (room.folder)
        data = data_words (sample)
        use_language (room, "xx")
        room.open_window ()
        raw = unmarked (room, data)
        room.keys ("ctrl+w")
        room.window.wait (desk.PATIENCE_S)
        room.open_window (sample)
        room.wait ("the trace is open", lambda: room.find (role="label", name="sample.etl"))
        focus_part (room, "table row")
        room.keys ("Down")
        raw += unmarked (room, data)
        focus_part (room, "panel")
        for _ in range (5):
            room.keys ("ctrl+Next")
            raw += unmarked (room, data)
        for key in ("ctrl+i", "ctrl+i", "ctrl+comma", "Escape", "ctrl+e"):
            room.keys (key)
            raw += unmarked (room, data)
        if raw:
            raise desk.Failed ("not translated: " + "; ".join (sorted (set (raw))))


def rows_stand_in_the_window_from_right_to_left (sample):
    """GTK mirrors the window for Hebrew if the program has a Hebrew catalog and the locale exists."""
    with desk.Desk () as room:
        made = subprocess.run (["localedef", "-i", "he_IL", "-f", "UTF-8",
                                os.path.join (room.folder, "he_IL.UTF-8")],
                               check=False, capture_output=True)
        if not os.path.exists (os.path.join (room.folder, "he_IL.UTF-8")):
            raise desk.NoDesk (made.stderr.decode ())
        write_catalogue (room.folder)
        os.rename (os.path.join (room.folder, "locale", "xx"),
                   os.path.join (room.folder, "locale", "he"))
        room.env.update (LANGUAGE="he", LC_ALL="he_IL.UTF-8", LOCPATH=room.folder,
                         NETSTITCH_LOCALE_DIR=os.path.join (room.folder, "locale"))
        room.open_window (sample)
        row = focus_part (room, "table row")
        table = desk.box_of (room.find (role="tree table"))
        seen = [node for node in room.walk (row, cells=True)
                if node.get_role_name () == "table cell" and
                table.x <= desk.box_of (node).x < table.x + table.width]
        panel = desk.box_of (room.find (role="page tab", holds="Overview"))
        if panel.x > table.x + table.width / 2:
            raise desk.NoDesk ("this GTK does not mirror here")
        if len (seen) < 6:
            raise desk.Failed (f"only {len (seen)} cells of a row stand in the window")
        # Lane names are on the right, but time still runs from left to right.
        part = room.find (role="slider")
        timeline = desk.box_of (part.get_parent ())
        plot = desk.box_of (part)
        if plot.x != timeline.x or plot.width > timeline.width - 100:
            raise desk.Failed (f"time stands from {plot.x} to {plot.x + plot.width} in a timeline "
                               f"from {timeline.x} to {timeline.x + timeline.width}")
        first = next (node for node in room.walk (row, cells=True)
                      if node.get_role_name () == "table cell" and "OUTLOOK.EXE" in desk.text_of (node))
        box = desk.box_of (first)
        if box.x + box.width > table.x + table.width + 1:
            raise desk.Failed ("the first columns stand out of the window")
        # The columns stay aligned to the right edge after all of them fit.
        activate (room, "panel")

        def stands_at_the_edge ():
            table = desk.box_of (room.find (role="tree table"))
            box = desk.box_of (first)
            return abs (table.x + table.width - box.x - box.width) < 60
        room.wait ("the first column stands at the right edge", stands_at_the_edge)
        activate (room, "panel")
        # The same applies to grouped tables, and to a table that is shown for the first time.
        for action, value, text in (("group-by", "'process'", "OUTLOOK.EXE"),
                                    ("info", None, "EventTrace")):
            activate (room, action, value)

            def stands_at_the_right ():
                return [node for node in room.walk (cells=True)
                        if node.get_role_name () == "table cell" and text in desk.text_of (node) and
                        desk.box_of (node).x > 0 and
                        desk.box_of (node).x + desk.box_of (node).width <= 1400]
            room.wait (f"the first column of {action} is in view", stands_at_the_right)


def keys_fit_into_a_small_window (sample):
    """The German titles of the shortcuts are the longest ones."""
    with desk.Desk (size="900x600") as room:
        use_language (room, "de")
        place = os.path.join (room.folder, "locale", "de", "LC_MESSAGES")
        os.makedirs (place)
        subprocess.run (["msgfmt", "-o", os.path.join (place, "netstitch.mo"), os.path.join (ROOT, "po", "de.po")],
                        check=True)
        room.open_window (sample)
        room.wait ("the trace is open", lambda: room.find (role="label", name="sample.etl"))
        room.keys ("ctrl+question")
        title = room.wait ("the keys are shown in German", lambda: room.find (holds="Mit einem anderen Trace"))
        while title.get_role_name () not in ("frame", "dialog"):
            title = title.get_parent ()
        box = desk.box_of (title)
        if box.width > 900 or box.height > 600:
            raise desk.Failed (f"{box.width} × {box.height} px")


if __name__ == "__main__":
    sys.exit (run_claims ("words", (no_raw_english_is_shown,
                                    rows_stand_in_the_window_from_right_to_left,
                                    keys_fit_into_a_small_window)))
