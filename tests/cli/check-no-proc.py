#!/usr/bin/env python3
"""Tests that extract ends where /proc is not mounted, as in some containers: a process that keeps an end of its own input
waits for ever.

Usage: check-no-proc.py CLI SAMPLE.etl
"""
import os
import subprocess
import sys
import tempfile

cli, sample = sys.argv[1:]
SKIPPED = 77
SECONDS = 60
APART = ['unshare', '--mount', '--map-root-user', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh']


def run(*words):
    return subprocess.run([*APART, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=SECONDS)


try:
    may_mount = run('true').returncode == 0
except FileNotFoundError:
    may_mount = False
if not may_mount:
    print('this computer does not allow a mount namespace')
    sys.exit(SKIPPED)
with tempfile.TemporaryDirectory() as folder:
    done = run(cli, 'extract', '--quiet', '--to', os.path.join(folder, 'tables'), sample)
    parts = [name for _, _, names in os.walk(folder) for name in names if name.startswith('part-') and 'none' not in name]
if done.returncode != 0 or not parts:
    print('status %d, %d files: %r' % (done.returncode, len(parts), done.stdout))
    sys.exit(1)
print('%d files' % len(parts))
