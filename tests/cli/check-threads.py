#!/usr/bin/env python3
"""Tests that the output is the same, byte for byte, if no thread can be started.

Usage: check-threads.py CLI SAMPLE.etl MAKE-BIG NO-THREADS.so
"""
import glob
import os
import subprocess
import sys
import tempfile

cli, sample, make_big, no_threads = sys.argv[1:]
# Enough rows that filters, sorting, sums, findings and exports run on two threads.
N_ROWS = 60000
wrong = []


def run(words, **environment):
    return subprocess.run([cli, *words], env=dict(os.environ, **environment),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def claim_same(*words):
    with_them = run(words)
    without = run(words, LD_PRELOAD=no_threads)
    if with_them.returncode != 0 or not with_them.stdout:
        wrong.append('%s: %r' % (words, with_them.stderr))
    elif (without.returncode, without.stdout) != (0, with_them.stdout):
        wrong.append('%s: %d, %r, %d bytes for %d' % (words, without.returncode, without.stderr,
                                                      len(without.stdout), len(with_them.stdout)))


def dup_tables(folder):
    """Returns the content of all Parquet files by relative path."""
    paths = glob.glob(folder + '/**/*.parquet', recursive=True)
    return {os.path.relpath(path, folder): open(path, 'rb').read() for path in paths}


def claim_same_tables(trace, folder):
    """Neither the process that begins nor the one that reads the trace needs a thread."""
    for name, environment in (('with', {}), ('without', {'LD_PRELOAD': no_threads})):
        done = run(['extract', trace, '--to', folder + '/' + name, '--quiet'], **environment)
        if done.returncode != 0:
            wrong.append('extract %s threads: %r' % (name, done.stderr))
    tables = dup_tables(folder + '/with')
    if not tables or tables != dup_tables(folder + '/without'):
        wrong.append('extract: %d files differ' % len(tables))


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = folder + '/rows.etl'
        subprocess.run([make_big, '--rows=%d' % N_ROWS, path], check=True,
                       stderr=subprocess.DEVNULL)
        claim_same('activities', path, '--sort', 'server,-begin', '--filter', 'duration > 1us',
                   '--format', 'csv')
        claim_same('activities', path, '--group-by', 'process,server', '--format', 'json')
        claim_same('findings', path, '--format', 'json')
        claim_same_tables(path, folder)
        claim_same('stacks', sample, '--symbols', folder, '--format', 'json')
    print('\n'.join(wrong) or 'it is the same')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
