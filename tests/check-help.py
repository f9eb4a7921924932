#!/usr/bin/env python3
"""Checks that every help page that the program refers to exists, that the page of keyboard shortcuts lists every
shortcut of the program, and that the shortcuts window fits on a small screen.

Usage: check-help.py SOURCE-ROOT

SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import re
import sys

NAMED = (re.compile (r'ns_help_(?:set_page|show) \([^;]*?"([\w-]+)"\)', re.S),
         re.compile (r'ns_help_button_new \("([\w-]+)"\)'),
         re.compile (r'"app\.help-page"[^;]*?;[^;]*?"s",\s*"([\w-]+)"', re.S),
         re.compile (r"app\.help-page\('([\w-]+)'\)"),
         re.compile (r'name="action-name">app\.help-page</property>\s*'
                     r"<property name=\"action-target\">'([\w-]+)'"),
         re.compile (r"help:netstitch/([\w-]+)"))

# GTK never splits a group of shortcuts over columns; more rows than this do not fit on a small screen.
MAX_KEYS = 9


def tall_groups (root):
    text = (root / "src" / "ui" / "help-overlay.ui").read_text (encoding="utf-8")
    groups = text.split ('class="GtkShortcutsGroup"')[1:]
    return [f"help-overlay.ui: group {i} is too tall" for i, group in enumerate (groups, 1)
            if group.count ('class="GtkShortcutsShortcut"') > MAX_KEYS]


# Key names of GTK and their labels in the help.
CAPS = {"Control": "Ctrl", "comma": ",", "plus": "+", "equal": "+", "minus": "−", "question": "?",
        "Escape": "Esc", "Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}


def keys_left_out (root):
    """Returns the shortcuts that the help page lacks. If an action has several, the first one is enough."""
    text = (root / "src" / "ui" / "ns-application.c").read_text (encoding="utf-8")
    table = text[text.index ("} accels[] = {"):]
    accels = re.findall (r'"(?:win|app)\.[^"]+", \{ ([^}]+) \}', table[:table.index ("};")])
    page = (root / "help" / "C" / "keys.page").read_text (encoding="utf-8")
    if len (accels) < 30:
        return ["ns-application.c: the keys are not found: the pattern has gone stale"]
    missing = []
    for accel in accels:
        first = re.findall (r'"([^"]+)"', accel)[0]
        caps = [CAPS.get (cap, cap.upper () if len (cap) == 1 else cap)
                for cap in re.findall (r"[^<>]+", first)]
        wanted = "".join (f"<key>{cap}</key>" for cap in caps)
        if (f"<keyseq>{wanted}</keyseq>" if len (caps) > 1 else wanted) not in page:
            missing.append (f"keys.page: {'+'.join (caps)} is left out")
    return missing


def main ():
    root = pathlib.Path (sys.argv[1])
    missing = []
    n_named = 0
    for path in sorted ((root / "src" / "ui").rglob ("*")):
        if path.suffix not in (".c", ".ui"):
            continue
        text = path.read_text (encoding="utf-8")
        for pattern in NAMED:
            for page in pattern.findall (text):
                n_named += 1
                if not (root / "help" / "C" / f"{page}.page").exists ():
                    missing.append (f"{path.relative_to (root)}: there is no page {page}")
    pages = {path.stem for path in (root / "help" / "C").glob ("*.page")}
    built = (root / "help" / "meson.build").read_text (encoding="utf-8")
    missing += [f"help/meson.build does not install {page}.page" for page in sorted (pages)
                if f"'{page}.page'" not in built]
    missing += tall_groups (root)
    missing += keys_left_out (root)
    if n_named < 8:
        missing.append (f"only {n_named} pages are named: the patterns have gone stale")
    print ("\n".join (missing) or f"{n_named} pages are named, and exist")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit (main ())
