#!/usr/bin/env python3
"""Tests the export of packets: a capture that Wireshark reads, and the list of appearances at capture points.

Usage: check-packets.py CLI SAMPLE.etl MAKE_PACKETS

If tshark is installed, its output is compared.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

cli, sample, make_packets = sys.argv[1:]
wrong = []


def run(*words, ok=True):
    done = subprocess.run([cli, *words], capture_output=True, text=True)
    if (done.returncode == 0) != ok:
        wrong.append('%s: %d %s' % (' '.join(words), done.returncode, done.stderr))
    return done


def list_rows(*words):
    return json.loads(run(*words, '--format', 'json').stdout)


def count_blocks(path):
    """Returns the number of blocks of each type in a pcapng file."""
    with open(path, 'rb') as file:
        data = file.read()
    counts = {}
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from('<II', data, at)
        counts[kind] = counts.get(kind, 0) + 1
        at += size
    return counts


def expect(what, got, wanted):
    if got != wanted:
        wrong.append('%s: %r, not %r' % (what, got, wanted))


def ask_tshark(path, *fields):
    words = ['tshark', '-r', path, '-T', 'fields']
    for field in fields:
        words += ['-e', field]
    done = subprocess.run(words, capture_output=True, text=True)
    expect('tshark', done.returncode, 0)
    return [line.split('\t') for line in done.stdout.splitlines()]


with tempfile.TemporaryDirectory() as folder:
    trace = folder + '/packets.etl'
    out = folder + '/out.pcapng'
    subprocess.run([make_packets, trace], check=True)
    packets = list_rows('packets', trace)
    flows = list_rows('flows', trace)
    activities = list_rows('activities', trace)

    run('export', trace, '--as', 'pcapng', '-o', out)
    expect('packets of the trace', count_blocks(out).get(6), len(packets))
    if shutil.which('tshark'):
        seen = ask_tshark(out, 'frame.packet_id', 'frame.len', 'ip.src')
        expect('tshark', seen, [[str(row['id']), str(row['length']), row['src']] for row in packets])

        # What Wireshark shows for a packet that a Windows component dropped.
        dropped = folder + '/dropped.etl'
        subprocess.run([make_packets, '--pktmon', dropped], check=True)
        run('export', dropped, '--as', 'pcapng', '-o', out)
        seen = ask_tshark(out, 'frame.interface_name', 'frame.interface_description', 'frame.comment', 'frame.verdict.hw')
        expect('a drop', seen, [['adapter.sys', 'A component, component 11', 'dropped: Filtered (8)', '08 00 00 00']])

    # The export of a conversation or of an activity has its packets only.
    for row in flows:
        run('export', trace, '--as', 'pcapng', '--table', 'flows', '--rows', str(row['id']), '-o', out)
        expect('packets of conversation %d' % row['id'], count_blocks(out).get(6), row['packets'])
    for row in activities:
        words = ('export', trace, '--as', 'pcapng', '--rows', str(row['id']), '-o', out)
        of_row = [packet for packet in packets if packet['flow'] and packet['flow'] == row['flow']]
        if of_row:
            run(*words)
            expect('packets of operation %d' % row['id'], count_blocks(out).get(6), len(of_row))
    run('export', trace, '--as', 'pcapng', '--table', 'packets', '--rows', '2', '-o', out)
    expect('one packet', count_blocks(out).get(6), 1)
    run('export', trace, '--as', 'pcapng', '--table', 'events', '--rows', '1', '-o', out, ok=False)
    run('export', trace, '--as', 'csv', '--table', 'flows', '-o', folder + '/x.csv', ok=False)

    # Without packets no file is written.
    none = folder + '/none.pcapng'
    said = run('export', sample, '--as', 'pcapng', '-o', none, ok=False)
    expect('says so', 'there are no packets' in said.stderr, True)
    expect('no file', os.path.exists(none), False)

    told = json.loads(run('info', trace, '--format', 'json').stdout)['packets']
    expect('info', [told[key] for key in ('records', 'packets', 'appearances', 'truncated', 'dropped', 'lost')],
           [len(packets), len(packets), sum(row['appearances'] for row in packets), 0, 0, 0])
    expect('nothing cut', told['snap_length'], None)
    expect('info without packets', json.loads(run('info', sample, '--format', 'json').stdout)['packets'], None)
    seen = list_rows('packets', trace, '--appearances')
    expect('appearances', len(seen), sum(row['appearances'] for row in packets))
    expect('the rows', [row['packet'] for row in seen if row['shown']], [row['id'] for row in packets])
    expect('times', [row['time_ns'] for row in seen if row['shown']], [row['time_ns'] for row in packets])
    expect('one packet', [row['packet'] for row in list_rows('packets', trace, '--appearances', '--rows', '3')], [3])
    run('packets', trace, '--appearances', '--columns', 'id', ok=False)
    expect('no packets', list_rows('packets', sample, '--appearances'), [])
    expect('says why', 'has no events of: ' in run('packets', sample, '--appearances').stderr, True)
    expect('quietly', run('packets', sample, '--appearances', '--quiet').stderr, '')

    # For an empty list, every verb names the providers whose events it needs.
    n_empty = 0
    for verb in run('--complete', '').stdout.split():
        said = run(verb, '--help').stdout if not verb.startswith('-') else ''
        if '--format' not in said or verb in ('payload', 'codes', 'pdb', 'recipe', 'diff', 'pairs', 'correlate', 'report', 'info',
                                              'symbols', 'findings'):
            continue
        done = run(verb, trace, '--format', 'json')
        if json.loads(done.stdout):
            continue
        n_empty += 1
        for form in ('text', 'csv', 'json'):
            told = run(verb, trace, '--format', form).stderr
            if not re.search(r'Microsoft-Windows-|kernel|an application|Chrome|System\.Net|No log of another tool', told):
                wrong.append('%s in %s says nothing of why it is empty: %r' % (verb, form, told))
        expect('%s is quiet' % verb, run(verb, trace, '--quiet').stderr, '')
    expect('most lists are empty', n_empty > 10, True)

print('\n'.join(wrong))
sys.exit(1 if wrong else 0)
