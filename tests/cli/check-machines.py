#!/usr/bin/env python3
# Tests traces of several machines: their rows are in one list, on one clock, each with its machine.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-machines.py CLI SAMPLE.etl"""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

from two_machines import MS, START, US, Network

cli, sample = sys.argv[1:]
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
    out, told = run (verb, *words, '--format', 'json')
    return json.loads (out), told


def set_processors (path, n_processors):
    """Changes the number of processors of a trace, so that it is from another computer."""
    data = bytearray (path.read_bytes ())
    # TRACE_LOGFILE_HEADER follows the headers of the buffer and of its first record.
    struct.pack_into ('<I', data, 0x48 + 0x20 + 0x0c, n_processors)
    path.write_bytes (data)


def check_packets (folder, seed, offset, drift, is_translated, is_from_middle):
    """Checks captures of client and server whose clocks differ. With is_from_middle, they have no TCP handshakes."""
    net = Network (seed, offset, drift, 450 * US, 300 * US)
    server = ('192.0.2.80', 80)
    truth = {}
    begin = [None, None]
    for number in range (40):
        time = START + number * 997 * MS + net.random.randrange (200 * MS)
        ends = (('10.1.0.5', 50100 + number), server)
        there = (('198.51.100.9', 1024 + number), server) if is_translated else None
        time, numbers = net.connect (time, ends, there)
        time += 5 * MS
        begin = [begin[0] or len (net.seen[0]), begin[1] or len (net.seen[1])]
        for turn in range (3):
            back, came, left = net.request (time, ends, numbers, f'/{number}/{turn}', 5 * MS, there)
            truth[f'/{number}/{turn}'] = (time, came)
            time = back + 10 * MS
        net.close (time, ends, numbers, there)
    if is_from_middle:
        net.seen = tuple ([one for one in seen if not one[1][47] & 2] for seen in net.seen)
    net.write (folder)
    files = []
    for number, name in enumerate (('client', 'server')):
        files.append (folder / f'{name}.etl')
        run ('export', folder / f'{name}.pcap', '--as', 'etl', '-o', files[-1])
        claim (len (rows ('flows', files[-1])[0]) == 40, 'the exported trace has the packets of its rows')
        set_processors (files[-1], 2 + number)

    found, told = rows ('activities', *files, '--columns', 'machine,url,open_ns,local,remote')
    claim ('is left out' not in told and 'is ' in told and ' s ahead of that of ' in told, told)
    claim ({row['machine'] for row in found} == {'client.etl', 'server.etl'}, 'each row has its machine')
    claim ([row['open_ns'] for row in found] == sorted (row['open_ns'] for row in found), 'one order of time')
    claim (min (row['open_ns'] for row in found) >= 0, 'no time is before the first')
    alone = rows ('activities', files[0], '--columns', 'url')[0] + rows ('activities', files[1], '--columns', 'url')[0]
    claim (sorted (row['url'] or '' for row in found) == sorted (row['url'] or '' for row in alone), 'no row is lost')
    at = {}
    for row in found:
        if row['url']:
            at.setdefault (row['url'].split ('intranet', 1)[1], {})[row['machine']] = row['open_ns']
    claim (set (at) == set (truth), 'every request')
    for path, (sent, came) in truth.items ():
        # At the client, the first request of a connection begins with the connect, so its begin is not comparable.
        if path.endswith ('/0'):
            continue
        apart = at[path]['server.etl'] - at[path]['client.etl']
        claim (abs (apart - (came - sent)) < 50 * US, (path, apart, came - sent))

    # The column "machine" comes first by default; filters and sorting support it.
    out, _ = run ('activities', *files, '--format', 'csv')
    claim (out.startswith ('machine,'), out[:60])
    found, _ = rows ('activities', *files, '--filter', 'machine:server.etl')
    claim (len (found) == len (rows ('activities', files[1])[0]) and
           {row['machine'] for row in found} == {'server.etl'}, 'filtered by it')
    found, _ = rows ('flows', *files, '--sort', '-machine,open_ns', '--limit', '41')
    claim ([row['machine'] for row in found] == ['server.etl'] * 40 + ['client.etl'], 'sorted by it')

    # Connections of both machines are paired by their sequence numbers, through NAT, or, captured from the middle on,
    # by their payload.
    pairs, _ = rows ('pairs', *files)
    evidence = ('payload' if is_from_middle else 'nat' if is_translated else 'sequence')
    claim ({row['evidence'] for row in pairs} == {evidence}, {row['evidence'] for row in pairs})
    claim (all (row['server_row'] is not None for row in pairs) and len (pairs) == len (truth), 'each request has both rows')
    for row in pairs:
        path = row['url'].split ('intranet', 1)[1]
        claim (abs (row['network_out_ns'] - (truth[path][1] - truth[path][0])) < 50 * US, row)


with tempfile.TemporaryDirectory () as top:
    top = pathlib.Path (top)
    check_packets (top, 1, 1_700_000_000, 20e-6, False, False)
    check_packets (top, 2, -1_043_210_987, -35e-6, True, False)
    check_packets (top, 3, 2_700_000_000, 12e-6, True, True)

    # The same events on two machines: each machine has its own rows, and no row is dropped as a duplicate.
    here = top / 'here.etl'
    other = top / 'other.etl'
    here.write_bytes (pathlib.Path (sample).read_bytes ())
    other.write_bytes (here.read_bytes ())
    set_processors (other, 8)
    for verb in ('activities', 'processes', 'tcp', 'findings'):
        alone, _ = rows (verb, here)
        both, told = rows (verb, here, other)
        claim (len (both) == 2 * len (alone) and 'assumed to be equal' in told, (verb, len (both), told))
        for name in ('here.etl', 'other.etl'):
            mine = [{key: value for key, value in row.items () if key != 'machine'} for row in both
                    if row['machine'] == name]
            claim (mine == alone, f'{verb} of {name} are as if it were alone')
    out, _ = run ('findings', here, other, '--format', 'text')
    claim (out.startswith ('here.etl\n') and '\n\nother.etl\n' in out, 'sentences below the name of the machine')
    claim (all (row['machine'] is None for row in rows ('activities', here, '--columns', 'machine')[0]),
           'one machine has no name to tell')

    # info describes the files of all machines, each like a single trace, and says why they are separate.
    about = [json.loads (run ('info', *files, '--format', 'json')[0]) for files in ((here,), (other,), (here, other))]
    apart = about[2]['left_out']
    claim ([(pathlib.Path (one['file']).name, one['state']) for one in apart] == [('other.etl', 'other-machine')] and
           'processors' in apart[0]['reason'], apart)
    named = ('size', 'session', 'machine', 'boot_time', 'os_build', 'processors', 'start_utc', 'end_utc', 'events', 'events_lost',
             'buffers_lost', 'buffers_damaged')
    for alone, one in ((about[0], about[2]['inputs'][0]), (about[1], apart[0])):
        claim (all (one[name] == alone['inputs'][0][name] for name in named) and one['events'] > 0, one)
    out, told = run ('info', here, other)
    claim ('info shows one machine:' in told, told)
    lines = out[out.index ('Computer started', out.index ('Left out') - 600):].splitlines ()
    claim (lines[1].endswith ('  here.etl') and lines[2].endswith ('  other.etl') and
           all (about[0]['start_utc'][:19] in line and str (about[0]['inputs'][0]['os_build']) in line for line in lines[1:3]), lines[:4])
    claim ('other.etl: ' in out[out.index ('Left out'):], out)

    # Events of one machine after the other, on a common clock.
    alone = json.loads (run ('events', here, '--columns', 'n,time_ns,id', '--format', 'json')[0])
    out, told = run ('events', here, other, '--columns', 'machine,n,time_ns,id', '--format', 'json')
    both = json.loads (out)
    claim ('left out' not in told and [row['machine'] for row in both] == ['here.etl'] * len (alone) + ['other.etl'] * len (alone),
           f'each record has its machine: {told}')
    for name in ('here.etl', 'other.etl'):
        mine = [{key: value for key, value in row.items () if key != 'machine'} for row in both if row['machine'] == name]
        claim (mine == alone, f'records of {name} are as if it were alone')
    for form, begin in (('csv', 'machine,'), ('jsonl', '{"machine":"here.etl"'), ('text', 'machine')):
        out, _ = run ('events', here, other, '--format', form, '--offset', len (alone) - 1, '--limit', 2)
        lines = out.splitlines ()
        claim (lines[0].startswith (begin) and len (lines) == 2 + (form != 'jsonl') and 'here.etl' in lines[-2] and
               'other.etl' in lines[-1], f'records across machines as {form}: {out}')
    out, _ = run ('events', here, other, '--filter', 'machine:other.etl', '--sort', '-n', '--limit', 3, '--format', 'json')
    claim ([row['machine'] for row in json.loads (out)] == ['other.etl'] * 3, f'records by machine: {out}')
    out, told = run ('dump', here, other)
    lines = [f'{path.name},{line}' for path in (here, other) for line in run ('dump', path)[0].splitlines ()]
    claim (out.splitlines () == lines and 'left out' not in told, f'dump of both: {told}')
    _, told = run ('correlate', here, other, '--event', alone[-1]['n'], status=2)
    claim ('other.etl is left out' in told, f'what is linked is of one machine: {told}')

    # A manual clock offset, and options that are limited to one machine.
    by_hand, told = rows ('tcp', here, other, '--clock-offset', 'other.etl=1.5', '--columns', 'machine,id,open_ns')
    times = {name: {row['id']: row['open_ns'] for row in by_hand if row['machine'] == name} for name in ('here.etl', 'other.etl')}
    claim (times['here.etl'] and all (times['other.etl'][row] - time == 1_500_000_000 for row, time in times['here.etl'].items ()
                                      if time is not None), 'moved by hand')
    early, told = rows ('tcp', here, other, '--clock-offset', 'other.etl=-1.5', '--columns', 'machine,id,open_ns')
    claim (min (row['open_ns'] for row in early if row['open_ns'] is not None) >= 0, 'the one that began first has time 0')
    for option in ('--rows=1', '--group-by=process', '--redact'):
        _, told = run ('tcp', here, other, option, '--format', 'csv', status=2)
        claim ('of one machine' in told, told)
    # The rows of a third machine are listed and an unreadable file is reported, both for separate files and for members
    # of an archive.
    third = top / 'third.etl'
    third.write_bytes (here.read_bytes ())
    set_processors (third, 16)
    broken = top / 'broken.etl'
    broken.write_bytes (b'no trace')
    with zipfile.ZipFile (top / 'all.zip', 'w') as archive:
        for path in (here, other, third, broken):
            archive.write (path, path.name)
    for named in ((here, other, broken, third), (top / 'all.zip',)):
        found, told = rows ('tcp', *named, '--columns', 'machine')
        claim (len ({row['machine'] for row in found}) == 3 and len (found) == 3 * len (rows ('tcp', here)[0]), (named, told))
        lines = [line for line in told.splitlines () if 'left out' in line]
        claim (len (lines) == 1 and 'broken.etl' in lines[0], told)
    # Machines beyond the maximum of 8 are reported.
    many = [top / f'many{number}.etl' for number in range (9)]
    for number, path in enumerate (many):
        path.write_bytes (here.read_bytes ())
        set_processors (path, 2 + number)
    found, told = rows ('tcp', *many, '--columns', 'machine')
    claim (len ({row['machine'] for row in found}) == 8 and 'many8.etl is left out: no more than 8 machines' in told, told)
print (f'{claims} claims hold')
