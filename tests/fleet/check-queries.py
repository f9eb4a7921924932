#!/usr/bin/env python3
"""Tests that each query of data/fleet has the answer that is known from the generation of a small fleet.

Usage: check-queries.py CLI MAKE-FLEET DATA-FOLDER [--duckdb FOLDER]

The queries also run in DuckDB if FOLDER or $NETSTITCH_DUCKDB has node_modules with @duckdb/node-api.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import datetime
import json
import math
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

cli, make_fleet, data = sys.argv[1:4]
data = pathlib.Path(data).resolve()
duckdb = sys.argv[5] if sys.argv[4:5] == ['--duckdb'] else os.environ.get('NETSTITCH_DUCKDB')
N_TRACES = 200
FIRST_DAY = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
DUCKDB = '''import {DuckDBInstance} from '@duckdb/node-api';
import {readFileSync} from 'node:fs';
const base = await (await DuckDBInstance.create(':memory:')).connect();
process.chdir(process.argv[2]);
for (const path of process.argv.slice(3)) {
  const done = await base.runAndReadAll(readFileSync(path, 'utf-8'));
  console.log(JSON.stringify(done.getRowsJson()));
}
'''


def rank(values, part):
    values = sorted(values)
    return values[max(math.ceil(part * len(values)), 1) - 1]


def answer(facts):
    """Returns the expected rows of each query, from the facts that the traces were generated from."""
    traces = {fact['trace']: fact for fact in facts if fact['kind'] == 'trace'}
    requests = [fact for fact in facts if fact['kind'] == 'request']
    connections = [fact for fact in facts if fact['kind'] == 'connection']
    names = [fact for fact in facts if fact['kind'] == 'name']
    groups = collections.defaultdict(list)
    for fact in requests:
        groups['slow', fact['day'], fact['server']].append(fact['took_ns'])
        groups['version', fact['package']].append(fact['is_failed'])
        groups['path', fact['path']].append(fact['bytes'])
    for fact in connections:
        groups['reset', fact['address']].append(fact['is_reset'])
        groups['again', re.sub(r'\d+$', '', fact['address'])].append(fact['again'])
    for fact in names:
        groups['name', fact['server']].append(fact['is_late'])
    for fact in traces.values():
        if fact['events_lost']:
            groups['lost', fact['machine']].append((fact['events_lost'], fact['buffers_lost']))
    of = {kind: {key[1:]: values for key, values in groups.items() if key[0] == kind} for kind in {key[0] for key in groups}}
    timeline = []
    for fact in requests:
        if fact['server'] == 'mail.example.com':
            trace = traces[fact['trace']]
            begin = FIRST_DAY + datetime.timedelta(seconds=trace['begin_seconds'], microseconds=fact['us'])
            timeline.append((begin.strftime('%Y-%m-%dT%H:%M:%S'), trace['machine'], 'agent.exe', fact['took_ns'], fact['is_failed']))
    return {
        'slowest-servers': {(day, server, len(took), rank(took, 0.5), rank(took, 0.95), rank(took, 0.99))
                            for (day, server), took in of['slow'].items()},
        'failures-by-version': {('agent.exe', package, len(failed), sum(failed), round(100 * sum(failed) / len(failed), 6))
                                for (package,), failed in of['version'].items()},
        'dns-timeouts': {(server, len(late), sum(late)) for (server,), late in of['name'].items() if any(late)},
        'resets': {(address, 443, len(reset), sum(reset)) for (address,), reset in of['reset'].items() if any(reset)},
        'retransmissions': {(net, len(again), sum(again), round(sum(again) / len(again), 6)) for (net,), again in of['again'].items()},
        'stacks-by-bytes': {(path, sum(moved), len(moved)) for (path,), moved in of['path'].items()},
        'lossy-machines': {(machine, len(lost), sum(n for n, _ in lost), sum(n for _, n in lost))
                           for (machine,), lost in of['lost'].items()},
        'server-timeline': set(timeline),
    }


def shape(name, rows):
    """Normalizes the rows of any engine: numbers as numbers, times as text."""
    shaped = []
    for row in rows:
        row = [int(value) if isinstance(value, str) and re.fullmatch(r'-?\d+', value) else value for value in row]
        row = [round(value, 6) if isinstance(value, float) else value for value in row]
        if name == 'stacks-by-bytes':
            frames = row[1] if isinstance(row[1], list) else json.loads(row[1])
            # Frames are ordered outermost first, so the last frame of agent.exe makes the network call.
            row = [[frame for frame in frames if frame.startswith('agent.exe')][-1], *row[2:]]
        if name == 'server-timeline':
            row[0] = row[0].replace(' ', 'T')[:19]  # without microseconds, which are 0
            row[4] = bool(row[4])
        shaped.append(tuple(row))
    return shaped


def ask_sqlite(fleet, name):
    base = sqlite3.connect(':memory:')
    base.execute('ATTACH ? AS fleet', (str(fleet),))
    base.executescript((data / 'sqlite.sql').read_text(encoding='utf-8'))
    return base.execute((data / 'queries' / f'{name}.sql').read_text(encoding='utf-8')).fetchall()


def ask_duckdb(top, names):
    """Runs all queries in one DuckDB process."""
    script = pathlib.Path(duckdb) / f'.fleet-{os.getpid()}.mjs'
    script.write_text(DUCKDB, encoding='utf-8')
    try:
        done = subprocess.run(['node', script, top, data / 'duckdb.sql', *(data / 'queries' / f'{name}.sql' for name in names)],
                              capture_output=True, text=True, cwd=duckdb, check=False)
    finally:
        script.unlink()
    if done.returncode != 0:
        sys.exit(f'duckdb: {done.stderr}')
    return [json.loads(line) for line in done.stdout.splitlines()][1:]


with tempfile.TemporaryDirectory() as top:
    top = pathlib.Path(top)
    subprocess.run([make_fleet, top / 'traces', top / 'facts.jsonl', str(N_TRACES)], check=True)
    facts = [json.loads(line) for line in (top / 'facts.jsonl').read_text(encoding='utf-8').splitlines()]
    answers = answer(facts)
    if {path.stem for path in (data / 'queries').glob('*.sql')} != set(answers):
        sys.exit('queries and answers are not the same')
    subprocess.run([cli, 'extract', top / 'traces', '--to', top / 'fleet.sqlite', '--as', 'sqlite', '--jobs', '2', '-q'], check=True)
    wrong = []
    engines = [('sqlite', name, ask_sqlite(top / 'fleet.sqlite', name)) for name in answers]
    if duckdb and shutil.which('node'):
        subprocess.run([cli, 'extract', top / 'traces', '--to', top / 'fleet', '--jobs', '2', '-q'], check=True)
        engines += [('duckdb', name, rows) for name, rows in zip(answers, ask_duckdb(top, answers))]
    else:
        print('# DuckDB is not here: only SQLite is asked')
    for engine, name, rows in engines:
        rows = shape(name, rows)
        if len(rows) != len(set(rows)) or set(rows) != answers[name] or not rows:
            wrong.append(f'{engine}, {name}: too much {sorted(set(rows) - answers[name])[:3]}, missing {sorted(answers[name] - set(rows))[:3]}')
    # A listing shows the same machine as the tables, unless it is redacted.
    for fact in [fact for fact in facts if fact['kind'] == 'trace'][:3]:
        for more in ((), ('--redact',)):
            told = subprocess.run([cli, 'activities', top / 'traces' / fact['file'], '--columns', 'machine', '--format', 'jsonl',
                                   '-q', *more], capture_output=True, text=True, check=True).stdout
            names = {json.loads(line)['machine'] for line in told.splitlines()}
            if not names or (fact['machine'] in names) == bool(more) or (not more and len(names) > 1):
                wrong.append(f'{fact["file"]} {more}: {names}, not {fact["machine"]}')
        # All rows have the same machine, so as a plain search word it matches none.
        for filter, is_kept in ((fact['machine'], False), (f'machine:{fact["machine"]}', True)):
            told = subprocess.run([cli, 'activities', top / 'traces' / fact['file'], '--filter', filter, '--columns', 'id',
                                   '--format', 'jsonl', '-q'], capture_output=True, text=True, check=True).stdout
            if (told != '') != is_kept:
                wrong.append(f'{fact["file"]}: {filter} keeps {told[:60]!r}')
    if wrong:
        sys.exit('\n'.join(wrong))
    print(f'{len(engines)} answers to {len(answers)} queries are as they must be')
