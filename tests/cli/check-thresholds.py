#!/usr/bin/env python3
"""Tests thresholds from the command line and from the user's file: they apply, every output format states them, and
error messages name file and line.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

"""Use: check-thresholds.py CLI TRACE"""

cli, trace = sys.argv[1:]
failed = []


def claim(holds, what):
    if not holds:
        failed.append(what)


def run(folder, *words):
    return subprocess.run((cli, *words), capture_output=True, text=True, timeout=120,
                          env={**os.environ, 'XDG_CONFIG_HOME': str(folder)})


def findings(folder, *words):
    done = run(folder, 'findings', trace, '--format', 'json', *words)
    claim(done.returncode == 0, f'{words}: {done.stderr}')
    return json.loads(done.stdout or '[]')


def of(rows, rule):
    return next(row for row in rows if row['id'] == rule)


with tempfile.TemporaryDirectory() as name:
    top = pathlib.Path(name)
    nothing = top / 'nothing'
    usual = findings(nothing)
    slow = next(row for row in usual if row['verdict'] == 'found' and row['id'] in ('D43', 'D37', 'D32', 'D39'))
    rule = slow['id']
    line = {'D43': 'D43.wait = 3600 s', 'D37': 'D37.wait = 3600 s',
            'D32': 'D32.connections = 1000000 times', 'D39': 'D39.repeats = 1000000 times'}[rule]
    key = line.split(' = ')[0]
    claim(any(entry.startswith(key + ' = ') for entry in slow['thresholds']), 'a finding does not have its thresholds')
    claim(not any('Changed thresholds:' in row['text'] for row in usual), 'the usual thresholds are told of')

    own = top / 'own'
    (own / 'netstitch').mkdir(parents=True)
    file = own / 'netstitch' / 'thresholds'
    file.write_text(f'# ours\n{line}\n')
    mine = findings(own)
    row = of(mine, rule)
    claim('Changed thresholds: ' + line + ' instead of ' in row['text'], f'{rule} does not say so: {row["text"]}')
    claim(line in row['thresholds'], f'{rule} does not have the line')
    claim(row['verdict'] == 'not found', f'{rule} is found by {line}')
    claim(any(other['verdict'] == 'found' for other in mine), 'other rules are not as before')
    # The text report wraps its paragraphs.
    told = ' '.join(run(own, 'report', trace, '--text').stdout.split())
    usual_told = ' '.join(run(nothing, 'report', trace, '--text').stdout.split())
    claim(slow['text'] in usual_told, 'the report does not have the finding')
    claim(row['verdict'] != 'found' or row['text'] in told, 'the report does not say so')
    claim(row['verdict'] == 'found' or slow['text'] not in told, 'the report has what the findings have not')

    given = top / 'given'
    given.write_text(next(entry for entry in slow['thresholds'] if entry.startswith(key)) + '\n')
    again = findings(own, '--thresholds', str(given))
    claim([other['text'] for other in again] == [other['text'] for other in usual],
          'what is named on the command line does not lie over the file of the user')

    given.write_text('D01.slow = 1 s\nD01.slow 2\nD01.problem = 0 s\n')
    done = run(nothing, 'findings', trace, '--thresholds', str(given))
    claim(done.returncode == 2, f'a wrong file ends with {done.returncode}')
    claim(done.stdout == '', 'a wrong file lets something be printed')
    for number in (2, 3):
        claim(any(f'{given}:{number}: ' in line for line in done.stderr.splitlines()),
              f'line {number} is not told: {done.stderr}')
    claim(len(done.stderr.splitlines()) == 2, f'two wrong lines are not two lines: {done.stderr}')
    file.write_text('nonsense\n')
    done = run(own, 'findings', trace)
    claim(done.returncode == 2 and f'{file}:1: ' in done.stderr, 'a wrong file of the user is not told')
    done = run(nothing, 'findings', trace, '--thresholds', str(top / 'none'))
    claim(done.returncode == 2 and str(top / 'none') in done.stderr, 'a file that is not there is not told')

for what in failed:
    print(what)
sys.exit(bool(failed))
