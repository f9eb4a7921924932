#!/usr/bin/env python3
"""Tests that a run that was killed at any moment can be resumed: no row is duplicated and none is missing.

Usage: check-killed.py CLI MAKE-FLEET

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

cli, make_fleet = sys.argv[1:]
N_TRACES, N_KILLS = 200, 20


def extract(fleet, to, form, jobs=2):
    return [cli, 'extract', fleet, '--to', to, '--as', form, '--jobs', str(jobs), '--resume', '-q']


def files(folder, ending):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob(f'*.{ending}')}


def rows(base):
    return {table: collections.Counter(base.execute(f'SELECT trace_id, * FROM "{table}"').fetchall())
            for table, in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()}


with tempfile.TemporaryDirectory() as top:
    top = pathlib.Path(top)
    fleet = top / 'traces'
    subprocess.run([make_fleet, fleet, top / 'facts.jsonl', str(N_TRACES)], check=True)
    facts = [json.loads(line) for line in (top / 'facts.jsonl').read_text(encoding='utf-8').splitlines()]
    n_requests = sum(fact['kind'] == 'request' for fact in facts)
    chance = random.Random(20)
    for form in ('parquet', 'sqlite'):
        whole, killed = top / f'whole.{form}', top / f'killed.{form}'
        begin = time.monotonic()
        subprocess.run(extract(fleet, whole, form), check=True)
        took = time.monotonic() - begin
        n_killed = 0
        for _ in range(N_KILLS):
            process = subprocess.Popen(extract(fleet, killed, form), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       start_new_session=True)
            time.sleep(chance.random() * took * 2 / N_KILLS)
            os.killpg(process.pid, signal.SIGKILL)
            n_killed += process.wait() == -signal.SIGKILL
        subprocess.run(extract(fleet, killed, form), check=True)
        if form == 'parquet':
            if files(whole, form) != files(killed, form):
                sys.exit(f'parquet: other files after {n_killed} kills')
            if sum(name.startswith('trace/day=2026') for name in files(killed, form)) != N_TRACES:
                sys.exit('parquet: traces are missing')
            continue
        a, b = sqlite3.connect(whole), sqlite3.connect(killed)
        if b.execute('PRAGMA integrity_check').fetchone()[0] != 'ok' or rows(a) != rows(b):
            sys.exit(f'sqlite: other rows after {n_killed} kills')
        if b.execute("SELECT count(*) FROM activities WHERE protocol = 'WinHTTP'").fetchone()[0] != n_requests:
            sys.exit('sqlite: requests are missing, or there twice')
        print(f'{n_killed} runs were killed in the middle')
