#!/usr/bin/env python3
"""Prints the build targets that the tests of a build folder need, one ninja path per line.

  test-targets.py FOLDER SUITE…    the tests of these suites, or of all if none is named; -SUITE excludes one

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import subprocess
import sys


def introspect(folder, what):
    out = subprocess.run(['meson', 'introspect', '--' + what, folder], check=True, capture_output=True)
    return json.loads(out.stdout)


def main():
    folder = os.path.realpath(sys.argv[1])
    wanted = {name for name in sys.argv[2:] if not name.startswith('-')}
    unwanted = {name[1:] for name in sys.argv[2:] if name.startswith('-')}
    files = {target['id']: target['filename'] for target in introspect(folder, 'targets')}
    built = {name for names in files.values() for name in names}
    needed = set()
    for test in introspect(folder, 'tests'):
        # Meson reports a suite as "project:suite".
        suites = {suite.split(':')[-1] for suite in test['suite']}
        if suites & unwanted or (wanted and not suites & wanted):
            continue
        for target in test['depends']:
            needed.update(files[target])
        # Files that a test names only in its environment or arguments: libraries to preload, programs to
        # start. Some of these paths are relative to the build folder.
        needed.update(built.intersection(os.path.join(folder, value) for value in test['env'].values()))
        needed.update(built.intersection(test['cmd']))
    for path in sorted(needed):
        print(os.path.relpath(path, folder))


if __name__ == '__main__':
    main()
