#!/usr/bin/env python3
"""Makes the capture that pictures in the help show. Names and addresses are reserved for documentation.

Usage: capture.py MAKE_FRAMES FILE.etl

SPDX-License-Identifier: GPL-3.0-or-later
"""
import random
import socket
import struct
import subprocess
import sys

HERE, RESOLVER = '192.0.2.20', '192.0.2.53'
rand = random.Random(7)
lines = []


def put(ms, sent, ip_type, peer, body):
    ends = (HERE, peer) if sent else (peer, HERE)
    macs = bytes.fromhex('020000000002' '020000000001')
    ip = struct.pack('>BBHHHBBH', 0x45, 0, 20 + len(body), len(lines), 0x4000, 64 if sent else 52, ip_type, 0)
    frame = (macs if sent else macs[6:] + macs[:6]) + b'\x08\x00' + ip + b''.join(map(socket.inet_aton, ends)) + body
    lines.append((ms, '%.4f %s %s' % (ms, '>' if sent else '<', frame.hex())))


def name_of(text):
    return b''.join(bytes([len(part)]) + part.encode() for part in text.split('.')) + b'\0'


def resolve(ms, port, name, address, took, rcode=0):
    """Adds a DNS query and its answer. `address` None: an error code in the answer; `took` None: no answer."""
    question = name_of(name) + struct.pack('>HH', 1, 1)
    ask = struct.pack('>HHHHHH', port, 0x0100, 1, 0, 0, 0) + question
    put(ms, True, 17, RESOLVER, struct.pack('>HHHH', port, 53, 8 + len(ask), 0) + ask)
    if took is None:
        return
    record = b'' if address is None else b'\xc0\x0c' + struct.pack('>HHIH', 1, 1, 60, 4) + socket.inet_aton(address)
    say = struct.pack('>HHHHHH', port, 0x8180 | rcode, 1, address is not None, 0, 0) + question + record
    put(ms + took, False, 17, RESOLVER, struct.pack('>HHHH', 53, port, 8 + len(say), 0) + say)


class Connection:
    """A TCP connection; each call advances the time by one network delay or more."""

    def __init__(self, ms, port, peer, service, way=10.0):
        self.ms, self.port, self.peer, self.service, self.way = ms, port, peer, service, way
        self.seq = [1000 + port, 7000 + port]

    def segment(self, sent, flags, data=b'', at=None, after=0.1):
        mine, theirs = (0, 1) if sent else (1, 0)
        ports = (self.port, self.service) if sent else (self.service, self.port)
        seq = self.seq[mine] if at is None else at
        self.ms += after
        put(self.ms, sent, 6, self.peer, struct.pack('>HHIIBBHHH', *ports, seq, 0 if flags == 2 else self.seq[theirs],
                                                     0x50, flags, 64240, 0, 0) + data)
        if at is None:
            self.seq[mine] = seq + len(data) + (flags & 3 != 0)

    def open(self):
        self.segment(True, 2)
        self.segment(False, 18, after=2 * self.way)
        self.segment(True, 16)

    def say(self, sent, data, after=None, again=0):
        """Sends data; `again` segments are lost behind the capture point and retransmitted."""
        after = self.way if after is None else after
        lost = []
        for at in range(0, len(data), 1460):
            if len(lost) < again and at > 0:
                lost.append((self.seq[0 if sent else 1], data[at:at + 1460]))
            self.segment(sent, 24, data[at:at + 1460], after=after if at == 0 else 0.3)
        for seq, part in lost:
            self.segment(sent, 24, part, at=seq, after=220)
        self.segment(not sent, 16)

    def close(self, after):
        self.segment(True, 17, after=after)
        self.segment(False, 17, after=2 * self.way)
        self.segment(True, 16)


def vector(size, data):
    return len(data).to_bytes(size, 'big') + data


def record(kind, data):
    return struct.pack('>BH', kind, 0x303) + vector(2, data)


def shake_hands(connection, server):
    def extension(kind, data):
        return struct.pack('>H', kind) + vector(2, data)

    connection.open()
    offered = extension(0, vector(2, b'\0' + vector(2, server.encode()))) + extension(43, b'\x04\x03\x04\x03\x03') + extension(
        16, vector(2, vector(1, b'h2')))
    hello = b'\3\3' + rand.randbytes(32) + b'\0' + b'\0\4\x13\1\x13\2' + b'\1\0' + vector(2, offered)
    connection.say(True, record(22, b'\1' + vector(3, hello)))
    chosen = extension(43, b'\3\4') + extension(51, b'\0\x1d' + vector(2, rand.randbytes(32)))
    answer = b'\3\3' + rand.randbytes(32) + b'\0' + b'\x13\1' + b'\0' + vector(2, chosen)
    connection.say(False, record(22, b'\2' + vector(3, answer)) + record(20, b'\1') + record(23, rand.randbytes(2600)), connection.way + 6)
    connection.say(True, record(20, b'\1') + record(23, rand.randbytes(53)), 1)


def encrypted(n):
    return b''.join(record(23, rand.randbytes(size)) for size in [16000] * (n // 16000) + [n % 16000 or 1])


def browse(ms, port, peer, server, sizes, service=443, again=0, lasts=300):
    connection = Connection(ms, port, peer, service)
    shake_hands(connection, server)
    for size in sizes:
        connection.say(True, encrypted(440), 2)
        connection.say(False, encrypted(size), 30, again)
    connection.close(lasts)


def fetch(ms, port, peer, host, exchanges):
    connection = Connection(ms, port, peer, 80)
    connection.open()
    for line, status, size, wait in exchanges:
        connection.say(True, ('%s HTTP/1.1\r\nHost: %s\r\n\r\n' % (line, host)).encode(), 4)
        connection.say(False, ('HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n' % (status, size)).encode() + b'.' * size, wait)
    connection.close(40)


def ping(ms, number):
    for kind, sent, after in ((8, True, 0), (0, False, 14)):
        put(ms + after, sent, 1, '198.51.100.1', struct.pack('>BBHHH', kind, 0, 0, 1, number) + b'abcdefgh' * 4)


def main():
    put(0, True, 17, '192.0.2.255', struct.pack('>HHHH', 51999, 1900, 20, 0) + b'M-SEARCH * 0')
    resolve(100, 52001, 'www.example.com', '198.51.100.10', 18)
    browse(130, 51001, '198.51.100.10', 'www.example.com', [14000, 21000], lasts=520)
    resolve(180, 52002, 'cdn.example.net', '198.51.100.20', 35)
    browse(230, 51002, '198.51.100.20', 'cdn.example.net', [42000, 60000], again=1, lasts=90)
    browse(260, 51003, '198.51.100.20', 'cdn.example.net', [31000, 28000], lasts=640)
    resolve(400, 52003, 'mail.example.org', '203.0.113.5', 18)
    browse(430, 51004, '203.0.113.5', 'mail.example.org', [3000, 5200], service=993, lasts=700)
    resolve(500, 52004, 'intranet.example', '192.0.2.80', 9)
    fetch(520, 51005, '192.0.2.80', 'intranet.example', [('GET /start', '200 OK', 5200, 60), ('GET /news', '503 Service Unavailable', 120, 1040)])
    resolve(700, 52005, 'download.example', '198.51.100.40', 18)
    fetch(730, 51008, '198.51.100.40', 'download.example', [('GET /big.iso', '200 OK', 131000, 80)])
    resolve(1010, 52006, 'old.example.org', None, 12, rcode=3)
    refused = Connection(1300, 51006, '203.0.113.77', 8443)
    refused.segment(True, 2)
    refused.segment(False, 20, after=20)
    silent = Connection(150, 51007, '203.0.113.99', 443)
    for after in (0.1, 1000):
        silent.segment(True, 2, at=58007, after=after)
    for number in range(1, 5):
        ping(2200 + 500 * number, number)
    text = '\n'.join(line for _, line in sorted(lines))
    subprocess.run([sys.argv[1], sys.argv[2]], input=text + '\n', text=True, check=True)


main()
