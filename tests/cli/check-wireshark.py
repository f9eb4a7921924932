#!/usr/bin/env python3
"""Tests how Wireshark reads exported captures: interfaces, options, names, a selection, one conversation.

Usage: check-wireshark.py CLI PRINT-FILTERS MAKE-PACKETS MAKE-FRAMES TRACES [--all]

Runs tshark, capinfos and editcap on generated traces, and on the traces with packets in the folder TRACES, if it
exists. Without tshark the test is skipped.
"""
import argparse
import collections
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# The number of conversations per trace that are exported one by one.
MAX_FLOWS = 4
# Generated traces of the folder: packets of each link type, duplicates, fragments, drops, and packets with names and
# other events.
MADE = ('correlation-Packets-P5', 'ndiswan-*', 'packets-copies-C07', 'packets-dns-D0[15]', 'packets-http-H01', 'packets-join-J01',
        'packets-other-O0[15]')

wrong = []


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def list_rows(cli, *words):
    return [json.loads(line) for line in run(cli, *words, '--format', 'jsonl').splitlines()]


def ask_tshark(path, *fields, wanted=None):
    words = ['tshark', '-n', '-r', path, '-T', 'fields'] + [word for field in fields for word in ('-e', field)]
    return [line.split('\t') for line in run(*words, *(('-Y', wanted) if wanted else ())).splitlines()]


def expect(what, got, wanted):
    if got != wanted:
        wrong.append('%s: %r, not %r' % (what, got, wanted))


def check_packets(what, path, packets):
    fields = ('frame.packet_id', 'frame.len', 'frame.cap_len', 'frame.time_epoch', 'frame.packet_flags_direction', 'frame.verdict.hw')
    seen = ask_tshark(path, *fields)
    expect(what + ': packets', [int(packet[0]) for packet in seen], [row['id'] for row in packets])
    for row, (_, length, captured, _, direction, verdict) in zip(packets, seen):
        name = '%s: packet %d' % (what, row['id'])
        expect(name + ': length', int(length), max(row['length'], row['captured']))
        if row['link_type'] != 105:
            expect(name + ': captured', int(captured), row['captured'])
        expect(name + ': direction', int(direction or '0', 0), {'in': 1, 'out': 2}.get(row['direction'], 0))
        expect(name + ': dropped', verdict != '', row['dropped'])


def check_blocks(what, path, folder, n_packets, has_drops):
    """Checks that capinfos and editcap read the file, and that editcap writes the same packets."""
    told = run('capinfos', '-M', '-c', path)
    expect(what + ': capinfos', int(told.split('Number of packets:')[1].split()[0]), n_packets)
    again = os.path.join(folder, 'again.pcapng')
    fields = ('frame.interface_name', 'frame.interface_description', 'frame.comment', 'frame.packet_id', 'frame.time_epoch', 'frame.len')
    seen = ask_tshark(path, *fields)
    # Wireshark 4.0 writes the verdict option incorrectly, and cannot read its own output.
    if has_drops:
        return
    done = subprocess.run(['editcap', path, again], capture_output=True, text=True, check=False)
    expect(what + ': editcap', (done.returncode, done.stderr), (0, ''))
    expect(what + ': the same again', ask_tshark(again, *fields), seen)
    expect(what + ': packets of an interface without a name', [packet for packet in seen if packet[0] == ''], [])


def check_filters(what, args, trace, path, packets):
    of_flow = collections.defaultdict(list)
    shown = {row['id']: row for row in packets}
    for row in packets:
        of_flow[row['flow']].append(row['id'])
    for line in run(args.print_filters, trace).splitlines()[:MAX_FLOWS]:
        flow, wanted = line.split('\t')
        if wanted == '':
            wrong.append('%s: conversation %s has no filter' % (what, flow))
            continue
        seen = {int(packet[0]) for packet in ask_tshark(path, 'frame.packet_id', wanted=wanted)}
        left_out = [row for row in of_flow[int(flow)] if row not in seen]
        if left_out:
            wrong.append('%s: %r leaves out packets %r of conversation %s' % (what, wanted, left_out, flow))
        more = [row for row in seen if shown[row]['flow'] != int(flow)]
        if more and args.all:
            print('%s: %r shows packets %r of others than conversation %s' % (what, wanted, more, flow))


def check_rows(what, args, trace, folder, packets):
    """Checks that the export of selected packets, or of one conversation, has these packets only."""
    part = os.path.join(folder, 'part.pcapng')
    chosen = [row['id'] for row in packets[::3]]
    run(args.cli, 'export', trace, '--as', 'pcapng', '--table', 'packets', '--rows', ','.join(map(str, chosen)), '-o', part)
    expect(what + ': chosen packets', [int(packet[0]) for packet in ask_tshark(part, 'frame.packet_id')], chosen)
    flow = next((row['flow'] for row in packets if row['flow']), None)
    if flow is not None:
        run(args.cli, 'export', trace, '--as', 'pcapng', '--table', 'flows', '--rows', str(flow), '-o', part)
        expect(what + ': a conversation', [int(packet[0]) for packet in ask_tshark(part, 'frame.packet_id')],
               [row['id'] for row in packets if row['flow'] == flow])


def check_names(what, args, trace, path, packets):
    """Checks that Wireshark resolves addresses of the packets to the names that the trace has for them."""
    names = collections.defaultdict(set)
    for row in list_rows(args.cli, 'dns', trace):
        for address in row['addresses'] or ():
            names[address].add(row['query'])
    seen = {address for row in packets for address in (row['src'], row['dst'])}
    told = set()
    # Reads the name resolution block of the file only, not the DNS packets.
    words = ('tshark', '-r', path, '-q', '-z', 'hosts', '-o', 'nameres.dns_pkt_addr_resolution:FALSE')
    for line in run(*words).splitlines():
        words = line.split()
        if len(words) >= 2 and not line.startswith('#') and words[0] in names:
            told.add(words[0])
            if words[1] not in names[words[0]]:
                wrong.append('%s: %s is called %s' % (what, words[0], words[1]))
    expect(what + ': addresses with names', told, seen & set(names))


def make_traces(args, folder):
    """Makes three traces: a conversation, a dropped packet, and a minute of DNS queries and connections."""
    paths = [os.path.join(folder, name) for name in ('packets.etl', 'dropped.etl', 'capture.etl')]
    run(args.make_packets, paths[0])
    run(args.make_packets, '--pktmon', paths[1])
    run(sys.executable, os.path.join(os.path.dirname(__file__), '..', 'ui', 'capture.py'), args.make_frames, paths[2])
    return paths


def list_traces(folder):
    paths = glob.glob(folder + '/*.etl')
    for name in MADE:
        paths += glob.glob(os.path.join(folder, 'synthetic', name + '.etl'))
    return sorted(paths)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('cli')
    parser.add_argument('print_filters')
    parser.add_argument('make_packets')
    parser.add_argument('make_frames')
    parser.add_argument('traces')
    parser.add_argument('--all', action='store_true', help='also what a filter shows of other conversations')
    args = parser.parse_args()
    if any(shutil.which(name) is None for name in ('tshark', 'capinfos', 'editcap')):
        return SKIPPED
    n_traces = 0
    with tempfile.TemporaryDirectory() as folder:
        for trace in make_traces(args, folder) + list_traces(args.traces):
            path = os.path.join(folder, 'out.pcapng')
            if subprocess.run([args.cli, 'export', trace, '--as', 'pcapng', '-o', path], capture_output=True, check=False).returncode != 0:
                continue
            n_traces += 1
            what = os.path.basename(trace)
            packets = list_rows(args.cli, 'packets', trace)
            check_packets(what, path, packets)
            check_blocks(what, path, folder, len(packets), any(row['dropped'] for row in packets))
            check_filters(what, args, trace, path, packets)
            check_rows(what, args, trace, folder, packets)
            check_names(what, args, trace, path, packets)
    expect('traces with packets', n_traces >= 3, True)
    print('\n'.join(wrong))
    return 1 if wrong else 0


sys.exit(main())
