#!/usr/bin/env python3
"""Checks that flatpak-free-build-notes.md lists the packages that the build requires.

Usage: check-notes.py SOURCE_ROOT

For Debian these are the packages of build-aux/packages.sh. For other systems, the packages whose name is the same on
all systems must be listed.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import re
import sys

# Required build tools whose packages have the same name on all systems.
SAME_NAME = {'gcc', 'meson', 'itstool', 'yelp-tools', 'desktop-file-utils', 'shared-mime-info'}
# Package groups and the required packages that they contain.
GROUPS = {'base-devel': {'gcc'}}


def command_of(notes, manager):
    """Returns the packages of the command `sudo MANAGER …`, with package groups expanded."""
    found = re.search(r'^sudo ' + re.escape(manager) + r' ((?:.*\\\n)*.*)$', notes, re.MULTILINE)
    if not found:
        sys.exit(f'the notes have no line "sudo {manager}"')
    words = set(found[1].replace('\\\n', ' ').split())
    return words.union(*(GROUPS.get(word, set()) for word in words))


def main():
    root = pathlib.Path(sys.argv[1])
    notes = (root / 'flatpak-free-build-notes.md').read_text(encoding='utf-8')
    packages = (root / 'build-aux' / 'packages.sh').read_text(encoding='utf-8')
    needed = set(re.search(r'^BUILD_PACKAGES="([^"]*)"', packages, re.MULTILINE)[1].split())
    wrong = []

    told = command_of(notes, 'apt install')
    wrong += [f'apt: {name} is missing' for name in sorted(needed - told)]
    wrong += [f'apt: {name} is not in packages.sh' for name in sorted(told - needed)]
    for manager in ('dnf install', 'pacman -S --needed', 'zypper install'):
        missing = SAME_NAME - command_of(notes, manager)
        wrong += [f'{manager}: {name} is missing' for name in sorted(missing)]
    for line in wrong:
        print(line)
    return bool(wrong)


sys.exit(main())
