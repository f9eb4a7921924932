#!/usr/bin/env python3
# Tests the pairs of connections in captures of two machines whose clocks differ: the estimated clock offset, and
# where requests spent their time.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-pairs.py CLI"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from two_machines import ACK, MS, PSH, START, SYN, US, Network

cli = sys.argv[1]
MEMBERS = set (re.findall (r'^  (\w+) +[a-z]', subprocess.run ((cli, 'pairs', '--help'), check=True, capture_output=True,
                                                             text=True).stdout.split ('\nFields')[1], re.M))
claims = 0


def claim (holds, what):
    global claims
    if not holds:
        sys.exit (f'does not hold: {what}')
    claims += 1


def pairs (*words, status=0):
    done = subprocess.run ((cli, 'pairs', *map (str, words), '--format', 'json'), capture_output=True, text=True)
    claim (done.returncode == status, (words, done))
    return json.loads (done.stdout) if status == 0 else None, done.stderr


def check (seed, offset, drift, folder):
    net = Network (seed, offset, drift, 450 * US, 300 * US)
    server = ('192.0.2.80', 80)
    truth = {}
    unseen = set ()
    for number in range (60):
        time = START + number * 997 * MS + net.random.randrange (200 * MS)
        # Some connections reuse a port, some pass an address translation, and some were not captured by the server.
        ends = (('10.1.0.5', 50000 if number % 20 == 7 else 50100 + number), server)
        there = (('198.51.100.9', 1024 + number), server) if number % 10 == 3 else False if number % 10 == 6 else None
        time, numbers = net.connect (time, ends, there)
        for turn in range (3):
            path = f'/{number}/{turn}'
            work = net.random.randrange (2 * MS, 40 * MS)
            back, came, left = net.request (time, ends, numbers, path, work, there)
            if there is False:
                unseen.add (path)
            else:
                truth[path] = (came - time, work, back - left, back - time)
            time = back + net.random.randrange (MS, 50 * MS)
        net.close (time, ends, numbers, there)
    net.write (folder)

    rows, told = pairs (folder / 'client.pcap', folder / 'server.pcap')
    middle = START + 30 * 10**9
    requests = {row['url'].split ('intranet', 1)[1]: row for row in rows if row['url']}
    claim (len (requests) == len (rows), 'each request has one row')
    claim (all (row['client_machine'] == 'client.pcap' for row in rows), 'who asked is who waited for the handshake')
    claim ({path for path, row in requests.items () if row['server_row'] is not None} == set (truth), 'what both saw')
    claim (unseen and unseen == {path for path, row in requests.items () if row['server_row'] is None}, 'what one saw')
    first = next (iter (requests.values ()))
    claim (set (first) == MEMBERS, f'--help tells of {MEMBERS ^ set (first)}')
    claim (first['clock'] == 'exchanges' and first['exchanges'] > 200, first)
    claim (abs (first['clock_offset_ns'] - (net.there (middle) - middle)) < 50 * US + abs (drift) * 31 * 10**9,
           (first['clock_offset_ns'], net.there (middle) - middle))
    claim (abs (first['clock_drift_ppb'] - drift * 1e9) < 2000, (first['clock_drift_ppb'], drift))
    claim (430 * US < first['uncertainty_ns'] < 500 * US, first['uncertainty_ns'])
    for path, (out, work, back, whole) in truth.items ():
        row = requests[path]
        parts = [row[name + '_ns'] for name in ('client_queue', 'network_out', 'server_work', 'network_back')]
        claim (row['server_queue_ns'] is None, 'packets show no queue')
        claim (abs (parts[1] - out) < 50 * US and abs (parts[3] - back) < 50 * US, (path, parts, out, back))
        claim (abs (parts[2] - work) < 5 * US, (path, parts, work))
        number, turn = map (int, path.split ('/')[1:])
        # The first request of a connection waited for the connect.
        claim (parts[0] > 800 * US if turn == 0 else parts[0] < 5 * US, (path, parts))
        claim (abs (sum (parts[1:]) - whole) < 5 * US and abs (sum (parts) - row['duration_ns']) <= 4, (path, parts, whole))
        claim (row['evidence'] == ('nat' if number % 10 == 3 else 'sequence') and row['confidence'] == 3, row)
    claim ('ahead of that of' in told and 'contradicting round trips: 0' in told, told)

    # With the captures in reverse order, client and server are the same.
    turned, _ = pairs (folder / 'server.pcap', folder / 'client.pcap')
    claim ([row['client_machine'] for row in turned] == ['client.pcap'] * len (rows), 'named the other way round')
    claim (abs (turned[0]['clock_offset_ns'] + first['clock_offset_ns']) < 50 * US + abs (drift) * 62 * 10**9, turned[0])

    # A manual clock offset.
    hand, _ = pairs (folder / 'client.pcap', folder / 'server.pcap', '--clock-offset', f'server.pcap={-offset / 1e9}')
    claim (hand[0]['clock'] == 'hand' and hand[0]['clock_offset_ns'] == offset, hand[0])
    redacted, _ = pairs (folder / 'client.pcap', folder / 'server.pcap', '--redact')
    claim ('intranet' not in json.dumps (redacted) and '192.0.2' not in json.dumps (redacted) and
           'client.pcap' not in json.dumps (redacted), 'names are left out')


RETRY = bytes.fromhex ('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c')


def hello (kind, number):
    body = bytes ((3, 3)) + number + b'\0' + b'\x13\x01\0' + b'\0\0'
    shake = bytes ((kind,)) + len (body).to_bytes (3, 'big') + body
    return b'\x16\x03\x01' + struct.pack ('>H', len (shake)) + shake


def talk_tls (net, number, is_retry):
    """Adds TLS records of a connection without its TCP handshake to both captures; addresses and sequence numbers are
    translated for the server. With is_retry, the captures have nothing in common but a HelloRetryRequest."""
    ends = (('10.1.0.5', 50100 + number), ('192.0.2.80', 443))
    there = (('198.51.100.9', 1024 + number), ends[1])
    numbers = [net.random.getrandbits (31), net.random.getrandbits (31)]
    shift = 12345 * (number + 1)
    time = START + number * 997 * MS
    records = [] if is_retry else [(False, hello (1, net.random.randbytes (32)))]
    records.append ((True, hello (2, RETRY if is_retry else net.random.randbytes (32))))
    records += [(turn % 2 == 1, None) for turn in range (10)]
    for is_back, data in records:
        mine, theirs = ([data or b'\x17\x03\x03\0\x40' + net.random.randbytes (64)] * 2 if not is_retry or data else
                        [b'\x17\x03\x03\0\x40' + net.random.randbytes (64) for _ in range (2)])
        came = time + net.way ()
        at_client, at_server = (came, time) if is_back else (time, came)
        seq, ack = numbers[is_back], numbers[not is_back]
        net.seen[0].append ((at_client, net.frame (ends, is_back, seq, ack, PSH | ACK, mine)))
        net.seen[1].append ((net.there (at_server), net.frame (there, is_back, seq + shift, ack + shift, PSH | ACK, theirs)))
        numbers[is_back] += len (mine)
        time = came + MS


with tempfile.TemporaryDirectory () as top:
    top = pathlib.Path (top)
    check (1, 1_700_000_000, 20e-6, top)
    check (2, -43_210_987, -35e-6, top)
    check (3, 0, 0, top)

    # The same addresses at another time of day are not a common connection.
    net = Network (4, 2 * 3600 * 10**9, 0, 450 * US, 300 * US)
    time, numbers = net.connect (START, (('10.1.0.5', 50000), ('192.0.2.80', 80)), False)
    net.request (time, (('10.1.0.5', 50000), ('192.0.2.80', 80)), numbers, '/a', MS, False)
    other = Network (5, 2 * 3600 * 10**9, 0, 450 * US, 300 * US)
    time, numbers = other.connect (START, (('10.1.0.5', 50000), ('192.0.2.80', 80)))
    other.request (time, (('10.1.0.5', 50000), ('192.0.2.80', 80)), numbers, '/b', MS)
    net.seen = (net.seen[0], other.seen[1])
    net.write (top)
    rows, told = pairs (top / 'client.pcap', top / 'server.pcap')
    claim (all (row['server_row'] is None for row in rows) and 'no recorded connection in common' in told, (rows, told))

    # A handshake alone is too little to estimate the clock offset.
    net = Network (6, 10**9, 0, 450 * US, 300 * US)
    ends = (('10.1.0.5', 50000), ('192.0.2.80', 80))
    net.send (START, ends, False, 1, 0, SYN)
    net.send (START + MS, ends, True, 1, 2, SYN | ACK)
    net.write (top)
    rows, told = pairs (top / 'client.pcap', top / 'server.pcap')
    claim ('assumed to be equal' in told and all (row['clock'] == 'wall' for row in rows), (rows, told))

    # Devices that translate addresses and sequence numbers do not change the random values of TLS hellos. A
    # HelloRetryRequest has a constant random value, so it is no evidence.
    for n_connections, is_retry in ((8, False), (1, True)):
        net = Network (7, 1_700_000_000, 20e-6, 450 * US, 300 * US)
        for number in range (n_connections):
            talk_tls (net, number, is_retry)
        net.write (top)
        rows, told = pairs (top / 'client.pcap', top / 'server.pcap')
        if is_retry:
            claim (all (row['server_row'] is None for row in rows), rows)
        else:
            claim ([(row['evidence'], row['client_row'], row['server_row']) for row in rows] ==
                   [('tls', number, number) for number in range (1, 9)], (rows, told))

    _, told = pairs (top / 'client.pcap', status=1)
    claim ('specify traces of two machines' in told, told)

    # With three machines, each pair of them is compared.
    servers = []
    for number, name in enumerate (('one', 'other')):
        net = Network (8 + number, 1_700_000_000, 0, 450 * US, 200 * US)
        ends = ((f'10.1.0.{number}', 50000), ('192.0.2.80', 80))
        time, numbers = net.connect (START, ends)
        for turn in range (4):
            time = net.request (time, ends, numbers, f'/{turn}', 3 * MS)[0] + 5 * MS
        servers += net.seen[1]
        net.write (top)
        (top / 'client.pcap').rename (top / f'{name}.pcap')
    net.seen = ([], servers)
    net.write (top)
    rows, told = pairs (top / 'one.pcap', top / 'server.pcap', top / 'other.pcap')
    claim (sorted (row['client_machine'] for row in rows if row['server_row'] is not None) == 4 * ['one.pcap'] + 4 * ['other.pcap'] and
           all (row['server_machine'] == 'server.pcap' for row in rows), rows)
print (f'{claims} claims hold')
