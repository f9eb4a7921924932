#!/usr/bin/env python3
"""Prints what has to be built for tests of a build folder, one path of ninja's a line.

  test-targets.py FOLDER SUITE…    the tests of these suites; -SUITE leaves one out; none: all tests

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
        # A suite is told as "project:suite".
        suites = {suite.split(':')[-1] for suite in test['suite']}
        if suites & unwanted or (wanted and not suites & wanted):
            continue
        for target in test['depends']:
            needed.update(files[target])
        # What a test is only told of: libraries to load before others, programs to start. Some are named from
        # the build folder on.
        needed.update(built.intersection(os.path.join(folder, value) for value in test['env'].values()))
        needed.update(built.intersection(test['cmd']))
    for path in sorted(needed):
        print(os.path.relpath(path, folder))


if __name__ == '__main__':
    main()
