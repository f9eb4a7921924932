#!/usr/bin/env python3
"""Compares the TCP analysis of random connections with tshark's for the same packets.

Usage: check-traffic.py CLI MAKE_TRAFFIC NUMBERS.json [--write] [--seeds A-B] [--keep FOLDER]

NUMBERS.json holds the counts of tshark for the first seeds, and its version; these counts are always compared. If
tshark is installed, each packet and each connection is compared, too; --write updates the counts.
"""
import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

FIELDS = {'retransmission': 'retransmission', 'fast_retransmission': 'fast_retransmission',
          'spurious_retransmission': 'spurious_retransmission', 'out_of_order': 'out_of_order', 'lost_segment': 'lost_segment',
          'ack_lost_segment': 'ack_lost_segment', 'duplicate_ack': 'duplicate_ack', 'zero_window': 'zero_window',
          'window_full': 'window_full', 'keep_alive': 'keep_alive', 'keep_alive_ack': 'keep_alive_ack',
          'window_update': 'window_update', 'zero_window_probe': 'zero_window_probe',
          'zero_window_probe_ack': 'zero_window_probe_ack'}
# (packets, concurrent connections, packets per connection)
SHAPES = ((1500, 3, 200), (1500, 40, 30))

wrong = []


def expect(what, got, wanted):
    if got != wanted:
        wrong.append('%s: %r, not %r' % (what, got, wanted))


def list_rows(cli, *words):
    done = subprocess.run([cli, *words, '--format', 'jsonl'], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask_tshark(path):
    fields = ['frame.packet_id', 'tcp.stream', 'frame.len', 'tcp.seq_raw', 'tcp.len', 'tcp.srcport', 'tcp.flags.syn', *('tcp.analysis.' + name for name in FIELDS.values())]
    words = ['tshark', '-n', '-r', path, '-T', 'fields']
    for field in fields:
        words += ['-e', field]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return [dict(zip(fields, line.split('\t'))) for line in done.stdout.splitlines()]


def count_distinct(segments):
    """Returns the number of distinct sequence numbers with data."""
    if not segments:
        return 0
    base = segments[0][0]
    total, reached = 0, None
    for begin, size in sorted((((seq - base + 0x80000000) & 0xffffffff) - 0x80000000, size) for seq, size in segments):
        if reached is None or begin > reached:
            total, reached = total + size, begin + size
        elif begin + size > reached:
            total, reached = total + begin + size - reached, begin + size
    return total


def compare(what, packets, flows, seen):
    """Compares each packet, and each connection by the packets that both programs assign to it."""
    expect('%s: packets' % what, len(packets), len(seen))
    streams = {}
    sums = collections.Counter()
    segments = collections.defaultdict(list)
    n_shown = 0
    for row, packet in zip(packets, seen):
        marks = {name for name, field in FIELDS.items() if packet['tcp.analysis.' + field]}
        sums.update(marks)
        if packet['tcp.len'] != '0' and 'keep_alive' not in marks:
            segments[packet['tcp.stream'], packet['tcp.srcport'] == '40000'].append((int(packet['tcp.seq_raw']), int(packet['tcp.len'])))
        if set(row['analysis'] or ()) != marks and n_shown < 10:
            n_shown += 1
            wrong.append('%s: packet %d of stream %s: %r, tshark: %r' % (what, row['id'], packet['tcp.stream'], sorted(row['analysis'] or ()), sorted(marks)))
        if streams.setdefault(packet['tcp.stream'], row['flow']) != row['flow']:
            wrong.append('%s: packet %d is of conversation %d, of %d before' % (what, row['id'], row['flow'], streams[packet['tcp.stream']]))
    expect('%s: conversations' % what, len(flows), len(streams))
    expect('%s: each its own' % what, len(set(streams.values())), len(streams))
    by_id = {row['id']: row for row in flows}
    for stream, flow in streams.items():
        row = by_id[flow]
        wanted = sorted(count_distinct(segments[stream, is_server]) for is_server in (False, True))
        expect('%s: bytes of conversation %d' % (what, flow), sorted((row['payload_c2s'], row['payload_s2c'])), wanted)
    sums['conversations'] = len(streams)
    return sums


def count(packets, flows):
    sums = collections.Counter()
    for row in packets:
        sums.update(row['analysis'] or ())
    sums['conversations'] = len(flows)
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('cli')
    parser.add_argument('make_traffic')
    parser.add_argument('numbers')
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--seeds', default='1-2')
    parser.add_argument('--keep')
    args = parser.parse_args()
    first, last = (int(word) for word in args.seeds.split('-'))
    has_tshark = shutil.which('tshark') is not None
    told = {'tshark': '', 'sums': {}}
    if has_tshark:
        told['tshark'] = subprocess.run(['tshark', '--version'], capture_output=True, text=True, check=True).stdout.split()[2]
    numbers = told
    if os.path.exists(args.numbers) and not args.write:
        with open(args.numbers, encoding='utf-8') as file:
            numbers = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        folder = args.keep or folder
        for seed in range(first, last + 1):
            for n, n_open, n_each in SHAPES:
                what = 'seed %d, %d packets, %d at a time' % (seed, n, n_open)
                trace = '%s/%d-%d.etl' % (folder, seed, n_open)
                out = trace + '.pcapng'
                subprocess.run([args.make_traffic, str(seed), str(n), str(n_open), str(n_each), trace], check=True)
                packets = list_rows(args.cli, 'packets', trace)
                flows = list_rows(args.cli, 'flows', trace)
                if has_tshark and (args.write or numbers['tshark'] == told['tshark']):
                    subprocess.run([args.cli, 'export', trace, '--as', 'pcapng', '-o', out, '--quiet'], check=True)
                    told['sums'][what] = dict(sorted(compare(what, packets, flows, ask_tshark(out)).items()))
                if what in numbers['sums']:
                    expect(what, dict(sorted(count(packets, flows).items())), numbers['sums'][what])
    if args.write:
        with open(args.numbers, 'w', encoding='utf-8') as file:
            json.dump(told, file, indent=1, sort_keys=True)
            file.write('\n')
    print('\n'.join(wrong))
    return 1 if wrong else 0


sys.exit(main())
