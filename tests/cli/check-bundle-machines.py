#!/usr/bin/env python3
# Tests hand-overs (bundles) with traces of several machines: the selected rows of each machine open as one case.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-bundle-machines.py CLI TRACE"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

cli, sample = sys.argv[1:]
COLUMNS = ('--columns', 'machine,open_ns,close_ns,process,pid,protocol,server,url,ip,port,sent,received,stack_count')
claims = 0


def claim (holds, what):
    global claims
    if not holds:
        sys.exit (f'does not hold: {what}')
    claims += 1


def run (*words, status=0):
    done = subprocess.run ((cli, *map (str, words)), capture_output=True, text=True)
    claim (done.returncode == status, (words, done))
    return done.stdout, done.stderr


def rows (verb, *words):
    return json.loads (run (verb, *words, '--format', 'json')[0])


def key (row):
    return json.dumps (row, sort_keys=True)


with tempfile.TemporaryDirectory () as top:
    top = pathlib.Path (top)
    client, server, third = (top / f'{name}.etl' for name in ('client', 'server', 'third'))
    for n_processors, path in ((None, client), (8, server), (16, third)):
        data = bytearray (pathlib.Path (sample).read_bytes ())
        if n_processors is not None:
            # Traces with different numbers of processors are from different computers.
            struct.pack_into ('<I', data, 0x48 + 0x20 + 0x0c, n_processors)
        path.write_bytes (data)
    log = top / 'app.csv'
    start = rows ('info', client)['start_utc']
    log.write_text (f'time,text\n{start},hello\n')

    bundle = top / 'case.etl.zip'
    out, told = run ('export', client, server, third, log, '--as', 'bundle', '-o', bundle)
    whole = rows ('activities', client, server, third, log, *COLUMNS)
    claim (f'{len (whole)} rows' in told and 'left out' not in told, told)
    names = zipfile.ZipFile (bundle).namelist ()
    claim (names == [f'{name}/{part}' for name in ('client', 'server', 'third')
                     for part in ('netstitch/view.txt', 'netstitch/names.txt', f'{name}.etl', 'report.html', 'log.csv')
                     if part != 'log.csv' or name == 'client'], names)
    again = rows ('activities', bundle, *COLUMNS)
    claim ({row['machine'] for row in again} == {'client.etl', 'server.etl', 'third.etl'} and
           sorted (map (key, again)) == sorted (map (key, whole)), (again[:2], whole[:2]))
    claim ([row['text'] for row in rows ('log', bundle)] == ['text hello'] or
           len (rows ('log', bundle)) == len (rows ('log', client, server, third, log)) == 1, rows ('log', bundle))
    # Each machine has its own names of functions and its own report.
    claim (len ({zipfile.ZipFile (bundle).read (f'{name}/report.html') for name in ('client', 'server')}) == 2, 'reports')

    # A filter selects rows of two machines; the hand-over of that hand-over has the same rows.
    name = next (row['process'] for row in whole if row['process'])
    wanted = ('--filter', f'machine:server.etl or (machine:third.etl and process="{name}")')
    part = top / 'part.etl.zip'
    run ('export', client, server, third, '--as', 'bundle', *wanted, '-o', part)
    chosen = rows ('activities', client, server, third, *wanted, *COLUMNS)
    claim (sorted (map (key, rows ('activities', part, *COLUMNS))) == sorted (map (key, chosen)), 'the chosen rows')
    onward = top / 'onward.etl.zip'
    run ('export', part, '--as', 'bundle', '-o', onward)
    claim (rows ('activities', onward, *COLUMNS) == rows ('activities', part, *COLUMNS), 'handed on')

    # Row numbers are unique only within one machine.
    _, told = run ('export', client, server, '--as', 'bundle', '--rows', '1', '-o', top / 'no.zip', status=2)
    claim ('--rows is for rows of one machine' in told, told)
    _, told = run ('export', client, server, '--as', 'bundle', '--filter', 'pid=4294967294', '-o', top / 'no.zip', status=2)
    claim (not (top / 'no.zip').exists (), told)
    # All other export formats hold one machine, and a message says how to choose it.
    _, told = run ('export', client, server, '--as', 'html', '-o', top / 'page.html')
    claim ('server.etl is left out' in told and 'export shows one machine:' in told, told)
    for words in (('records',), ('render', '--as', 'svg'), ('stacks',), ('payload',), ('report', '--text'), ('report', '--audit'),
                  ('symbols',), ('packets', '--appearances'), ('dns', '--tree'), ('info',)):
        out, told = run (words[0], client, server, *words[1:], '-o', top / 'out')
        claim (f'{words[0]} shows one machine:' in told, (words, told))
print (f'{claims} claims hold')
