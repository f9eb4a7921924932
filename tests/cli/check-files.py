#!/usr/bin/env python3
"""Tests the permissions of output files: private to the owner whatever the umask, readable by others on request.

Usage: check-files.py CLI SAMPLE.etl
"""
import os
import stat
import subprocess
import sys
import tempfile

cli, sample = sys.argv[1:]
WRITERS = [['export', sample, '--as', form] for form in
           ('csv', 'json', 'har', 'html', 'etl', 'bundle', 'perfetto', 'speedscope')]
WRITERS += [['activities', sample], ['events', sample, '--limit', '5'], ['render', sample, '--as', 'png'], ['recipe']]
wrong = []


def run(*words):
    return subprocess.run([cli, *words], capture_output=True, check=False)


def claim(is_so, what):
    if not is_so:
        wrong.append(what)


with tempfile.TemporaryDirectory() as folder:
    for mask in (0o000, 0o022, 0o077):
        os.umask(mask)
        for writer in WRITERS:
            for more, mode in (([], 0o600), (['--mode', '0644'], 0o644), (['--mode', '640'], 0o640)):
                path = os.path.join(folder, 'out')
                done = run(*writer, '-o', path, *more)
                claim(done.returncode == 0, f'{writer} {more}: {done.stderr.decode()}')
                if os.path.exists(path):
                    real = stat.S_IMODE(os.stat(path).st_mode)
                    claim(real == mode, f'{writer} {more}, umask {mask:o}: {real:o}')
                    os.unlink(path)
    for bad in ('', '8', 'rw', '0644x', '-1', '7777', '0044', '0x1ff'):
        path = os.path.join(folder, 'bad')
        done = run('activities', sample, '-o', path, f'--mode={bad}')
        claim(done.returncode == 2 and not os.path.exists(path), f'--mode {bad} is taken')
    done = run('activities', sample, '--mode', '0644')
    claim(done.returncode == 2 and done.stdout == b'', '--mode without a file is taken')

for line in wrong:
    print(line)
sys.exit(1 if wrong else 0)
