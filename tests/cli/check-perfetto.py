#!/usr/bin/env python3
"""Tests the export for Perfetto by its rules for Chrome JSON: slices nest, threads have names, and flow arrows
connect the layers.

Usage: check-perfetto.py CLI SAMPLE.etl
"""
import collections
import json
import subprocess
import sys

cli, sample = sys.argv[1:]
BELOW = {'WinHTTP': ('dns', 'winsock', 'tcp'), 'Winsock': ('dns', 'tcp'), 'TCP': ('dns',), 'UDP': ('dns',)}
wrong = []


def claim(is_so, what):
    if not is_so:
        wrong.append(what)


def run(*words):
    return json.loads(subprocess.run([cli, *words, '--quiet'], capture_output=True, check=True).stdout)


class Reader:
    """Reads slices by track. An arrow binds to the last slice that began on its thread."""

    def __init__(self, events):
        self.names = {}
        self.tracks = collections.defaultdict(list)
        self.last = {}
        self.starts = {}
        self.arrows = []
        self.begun = set()
        for event in sorted(events, key=lambda event: event.get('ts', -1)):
            getattr(self, 'on_' + event['ph'])(event)
        claim(not any(self.tracks.values()), f'never ended: {[track for track in self.tracks if self.tracks[track]]}')

    def on_M(self, event):
        key = (event['pid'], event['tid']) if event['name'] == 'thread_name' else event['pid']
        claim(key not in self.names, f'named twice: {event}')
        self.names[key] = event['args']['name']

    def on_b(self, event):
        track = (event['cat'], event['id'], event['pid'])
        claim(self.tracks[track] or track not in self.begun, f'begun twice: {event}')
        self.begun.add(track)
        self.tracks[track].append(event)
        self.check_names(event)

    def on_e(self, event):
        open_ones = self.tracks[(event['cat'], event['id'], event['pid'])]
        claim(open_ones, f'ends nothing: {event}')
        if open_ones:
            begun = open_ones.pop()
            claim(begun['name'] == event['name'] and begun['ts'] <= event['ts'], f'{begun} {event}')

    def on_X(self, event):
        claim(event['dur'] >= 0, f'{event}')
        self.last[(event['pid'], event['tid'])] = event
        self.check_names(event)

    def on_s(self, event):
        claim(event['id'] not in self.starts, f'an arrow begins twice: {event}')
        self.starts[event['id']] = self.tied(event)

    def on_f(self, event):
        claim(event['id'] in self.starts and event['bp'] == 'e', f'an arrow from nowhere: {event}')
        self.arrows.append((self.starts.pop(event['id'], None), self.tied(event)))

    def tied(self, event):
        slice_ = self.last.get((event['pid'], event['tid']))
        claim(slice_ is not None and slice_['ts'] == event['ts'], f'an arrow tied to nothing: {event}')
        return slice_ and (slice_['name'], slice_['args']['row'])

    def check_names(self, event):
        claim(self.names.get(event['pid']), f'a process without a name: {event}')
        claim(self.names.get((event['pid'], event['tid'])) or event['tid'] == 0, f'a thread without a name: {event}')


rows = run('activities', sample, '--format', 'json')
titles = {'dns': 'DNS', 'winsock': 'WinSock', 'tcp': 'TCP'}
for more, chosen in (([], rows), (['--filter', 'failed = true'], [row for row in rows if row['failed']])):
    reader = Reader(run('export', sample, '--as', 'perfetto', *more)['traceEvents'])
    claim(not reader.starts, f'arrows to nowhere: {reader.starts}')
    arrows = collections.Counter(reader.arrows)
    ids = {row['id'] for row in chosen}
    expected = 0
    for row in chosen:
        claim(('network', row['id'], row['pid']) in reader.begun, f'row {row["id"]} is missing')
        for layer in BELOW.get(row['protocol'], ()):
            number = row[layer]
            if number:
                expected += 1
                ends = {end for _, end in arrows}
                claim((titles[layer], number) in ends, f'no arrow from row {row["id"]} to {layer} {number}')
        if row['parent'] in ids:
            expected += 1
            claim((('Activity', row['parent']), ('Activity', row['id'])) in arrows, f'no arrow to row {row["id"]}')
    claim(sum(arrows.values()) == expected > 3, f'{more}: {sum(arrows.values())} arrows, not {expected}')
    claim(any(start and start[0] == 'WinSock' and end[0] == 'TCP' for start, end in arrows), 'no arrow below a socket')

for line in wrong[:40]:
    print(line)
sys.exit(1 if wrong else 0)
