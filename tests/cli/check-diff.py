#!/usr/bin/env python3
# Tests the differences between the sample trace and a part of it: which are printed, and in which columns and order.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-diff.py CLI TRACE"""
import json
import pathlib
import subprocess
import sys
import tempfile

USUAL = ('change process method server url row_a row_b duration_a_ns duration_b_ns delta_ns phase phase_delta_ns '
         'status_a status_b').split ()
PHASES = 'pool queue proxy dns connect tls send wait receive other'.split ()

cli, sample = sys.argv[1:]
folder = tempfile.TemporaryDirectory ()
part = str (pathlib.Path (folder.name) / 'part.etl')
out = pathlib.Path (folder.name) / 'out.json'


def run (*words):
    return subprocess.run ((cli, *words), check=True, capture_output=True, text=True).stdout


def diff (*words):
    return [tuple (row.values ()) for row in json.loads (run ('diff', sample, part, '--format', 'json', *words))]


def refuses (*words):
    done = subprocess.run ((cli, 'diff', sample, part, *words), capture_output=True, text=True)
    assert done.returncode == 2 and not done.stdout and done.stderr.count ('\n') == 1, (words, done)


run ('export', sample, '--as', 'etl', '--filter', 'process:OUTLOOK', '-o', part)
head = run ('diff', sample, part, '--format', 'tsv').splitlines ()[0].split ('\t')
assert head == USUAL, head
head = run ('diff', sample, part, '--format', 'tsv', '--columns', 'all').splitlines ()[0].split ('\t')
assert head == USUAL + [phase + '_delta_ns' for phase in PHASES] + ['ip'], head

rows = diff ('--columns', 'row_a')
assert len (rows) > 10, rows
assert diff ('--columns', 'row_a', '--limit', '3', '--offset', '2') == rows[2:5]
assert diff ('--columns', 'row_b, row_a,change') == [(None, row, 'gone') for (row,) in rows]

# Sorted by descending duration; the sort by process is stable.
longest = diff ('--columns', 'duration_a_ns,row_a', '--sort', '-duration_a_ns')
assert longest == sorted (longest, key=lambda row: -row[0]), longest
names = diff ('--columns', 'process,row_a', '--sort', 'process')
assert names == sorted (names, key=lambda row: row[0].lower ()), names
servers = [row[0] for row in diff ('--columns', 'server', '--sort', '-server')]
known = [server for server in servers if server is not None]
assert 0 < len (known) < len (servers) and servers[:len (known)] == sorted (known, reverse=True), servers

# A filter applies to the rows of either trace.
asked = diff ('--columns', 'process,status_a', '--filter', 'process:updatehelper status>=200')
assert asked and all (row[0] == 'updatehelper.exe' and row[1] == '204' for row in asked), asked
assert diff ('--filter', 'process:OUTLOOK') == []
opened = {row['id']: row['open_ns'] for row in json.loads (run ('activities', sample, '--format', 'json', '--columns',
                                                                'id,open_ns', '--from', '5', '--to', '10'))}
within = [row for (row,) in diff ('--columns', 'row_a', '--from', '5', '--to', '10')]
assert within == [row for (row,) in rows if row in opened] and 0 < len (within) < len (rows), within

assert run ('diff', sample, part, '--format', 'json', '-o', str (out)) == ''
assert len (json.loads (out.read_text ())) == len (rows)
for words in (('--columns', 'nonsense'), ('--sort', '-nonsense'), ('--filter', 'nonsense:1'), ('--from', 'nonsense'),
              ('--rows', '3')):
    refuses (*words)
print (f'{len (rows)} differences, chosen, sorted and cut')
