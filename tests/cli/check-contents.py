#!/usr/bin/env python3
"""Compares the decoding of DNS, TLS, QUIC and IP fragments with tshark's.

Usage: check-contents.py CLI MAKE_FRAMES

The expected values are the output of TShark 4.0.17 for the same packets. If tshark of that version is installed, its
output is compared again.
"""
import json
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

cli, make_frames = sys.argv[1:]
HERE, THERE = '10.0.0.5', '10.0.0.53'
VERSION = '4.0.17'
wrong = []


def expect(what, got, wanted):
    if got != wanted:
        wrong.append('%s: %r, not %r' % (what, got, wanted))


# ---------------------------------------------------------------- frames

def ether(kind, data):
    return bytes(range(12)) + struct.pack('>H', kind) + data


def ipv4(src, dst, protocol, data, number=1, offset=0, more=False):
    return ether(0x0800, struct.pack('>BBHHHBBH4s4s', 0x45, 0, 20 + len(data), number, (0x2000 if more else 0) | offset // 8, 64, protocol, 0,
                                     socket.inet_aton(src), socket.inet_aton(dst)) + data)


def ipv6(src, dst, protocol, data):
    return ether(0x86dd, struct.pack('>IHBB', 0x60000000, len(data), protocol, 64) + socket.inet_pton(socket.AF_INET6, src)
                 + socket.inet_pton(socket.AF_INET6, dst) + data)


def udp(src, dst, data):
    return struct.pack('>HHHH', src, dst, 8 + len(data), 0) + data


def tcp(src, dst, seq, ack, flags, data=b'', options=b''):
    return struct.pack('>HHIIBBHHH', src, dst, seq, ack, (20 + len(options)) // 4 << 4, flags, 64240, 0, 0) + options + data


class Frames:
    def __init__(self):
        self.lines = []
        self.ms = 10.0

    def add(self, sent, frame, ms=1.0):
        self.ms += ms
        self.lines.append('%.4f %s %s' % (self.ms, '>' if sent else '<', frame.hex()))

    def udp4(self, sent, port, service, data, ms=1.0, there=THERE):
        if sent:
            self.add(True, ipv4(HERE, there, 17, udp(port, service, data)), ms)
        else:
            self.add(False, ipv4(there, HERE, 17, udp(service, port, data)), ms)


class Talk:
    """A TCP connection; `say` sends one segment."""

    def __init__(self, frames, port, service, isn=1000):
        self.frames, self.ports, self.next = frames, (port, service), [isn, isn + 4000]
        self.say(True, 2)
        self.say(False, 18)
        self.say(True, 16)

    def say(self, sent, flags, data=b'', at=None):
        i = 0 if sent else 1
        seq = self.next[i] if at is None else at
        src, dst = (self.ports if sent else self.ports[::-1])
        ends = (HERE, THERE) if sent else (THERE, HERE)
        self.frames.add(sent, ipv4(*ends, 6, tcp(src, dst, seq, self.next[1 - i] if flags & 16 else 0, flags, data)))
        if at is None:
            self.next[i] = seq + len(data) + (1 if flags & 3 else 0)


# ---------------------------------------------------------------- DNS

def name_of(text):
    return b''.join(bytes([len(x)]) + x.encode() for x in text.split('.') if x) + b'\0'


A, NS, CNAME, SOA, PTR, MX, TXT, AAAA, SRV, OPT, SVCB, HTTPS = 1, 2, 5, 6, 12, 15, 16, 28, 33, 41, 64, 65
EDNS = b'\0' + struct.pack('>HHIH', OPT, 1232, 0, 0)


def question(number, name, kind, edns=False, flags=0x0100):
    return struct.pack('>HHHHHH', number, flags, 1, 0, 0, int(edns)) + name_of(name) + struct.pack('>HH', kind, 1) + (EDNS if edns else b'')


def record(name, kind, data, ttl=60):
    return name + struct.pack('>HHIH', kind, 1, ttl, len(data)) + data


def answer(number, name, kind, records=(), rcode=0, flags=0x8180, authority=(), edns=False, ask=True):
    return struct.pack('>HHHHHH', number, flags | rcode, int(ask), len(records), len(authority), int(edns)) + (
        name_of(name) + struct.pack('>HH', kind, 1) if ask else b'') + b''.join(records) + b''.join(authority) + (EDNS if edns else b'')


HEAD = b'\xc0\x0c'  # compression pointer to the name of the question


# The answer is too large for one fragment.
MANY = ['10.2.0.%d' % i for i in range(60)]


def soa():
    return record(HEAD, SOA, name_of('ns.example') + name_of('root.example') + struct.pack('>IIIII', 1, 2, 3, 4, 5))


def dns_frames():
    frames = Frames()

    def ask(number, name, kind, *answers, edns=False, port=None):
        frames.udp4(True, port or 50000 + number, 53, question(number, name, kind, edns))
        for data in answers:
            frames.udp4(False, port or 50000 + number, 53, data, 7)

    ip4 = record(HEAD, A, bytes([10, 1, 2, 3]))
    ask(1, 'plain.example', A, answer(1, 'plain.example', A, [ip4]))
    ask(2, 'plain.example', AAAA, answer(2, 'plain.example', AAAA, [], authority=[soa()]))
    ask(3, 'alias.example', A, answer(3, 'alias.example', A, [
        record(HEAD, CNAME, name_of('one.example')), record(name_of('one.example'), CNAME, name_of('two.example')),
        record(name_of('two.example'), A, bytes([10, 1, 2, 4])), record(name_of('two.example'), A, bytes([10, 1, 2, 5]))]))
    ask(4, 'nothere.example', A, answer(4, 'nothere.example', A, rcode=3, authority=[soa()], edns=True), edns=True)
    ask(5, 'large.example', TXT, answer(5, 'large.example', TXT, flags=0x8380))
    ask(6, 'svc.example', HTTPS, answer(6, 'svc.example', HTTPS, [
        record(HEAD, HTTPS, struct.pack('>H', 1) + b'\0' + struct.pack('>HH', 1, 6) + b'\2h2\2h3' + struct.pack('>HH', 4, 4) + bytes([10, 1, 2, 6]))]))
    ask(7, 'refused.example', A, answer(7, 'refused.example', A, rcode=5))
    ask(8, 'fail.example', AAAA, answer(8, 'fail.example', AAAA, rcode=2))
    ask(9, '_ldap._tcp.example', SRV, answer(9, '_ldap._tcp.example', SRV, [
        record(HEAD, SRV, struct.pack('>HHH', 0, 100, 389) + name_of('dc.example'))]))
    ask(10, '4.3.2.1.in-addr.arpa', PTR, answer(10, '4.3.2.1.in-addr.arpa', PTR, [record(HEAD, PTR, name_of('host.example'))]))
    ask(11, 'Case.Example', A, answer(11, 'cASE.eXAMPLE', A, [ip4]))
    # A query retransmitted from the same port, and two answers to it.
    ask(12, 'again.example', A)
    frames.ms += 1000
    ask(12, 'again.example', A, answer(12, 'again.example', A, [ip4]), answer(12, 'again.example', A, [ip4]))
    # Queries for A and AAAA in succession from one port.
    ask(13, 'both.example', A, port=51000)
    ask(14, 'both.example', AAAA, answer(13, 'both.example', A, [ip4]), answer(14, 'both.example', AAAA, [
        record(HEAD, AAAA, socket.inet_pton(socket.AF_INET6, '2001:db8::7'))]), port=51000)
    ask(15, 'silent.example', A)
    # DNS over TCP: two queries in one segment, the answers in segments of 17 bytes.
    talk = Talk(frames, 52000, 53)
    both = b''.join(struct.pack('>H', len(x)) + x for x in (question(16, 'tcp.example', A), question(17, 'tcp.example', AAAA)))
    talk.say(True, 24, both)
    both = b''.join(struct.pack('>H', len(x)) + x for x in (answer(16, 'tcp.example', A, [ip4]), answer(17, 'tcp.example', AAAA)))
    for at in range(0, len(both), 17):
        talk.say(False, 24, both[at:at + 17])
    # Multicast DNS and LLMNR queries are not transactions.
    frames.udp4(True, 5353, 5353, question(0, '_http._tcp.local', PTR, flags=0), there='224.0.0.251')
    frames.udp4(True, 55355, 5355, question(18, 'printer', A, flags=0), there='224.0.0.252')
    # DNS over IPv6.
    here, there = '2001:db8::5', '2001:db8::53'
    frames.add(True, ipv6(here, there, 17, udp(53001, 53, question(19, 'six.example', A))))
    frames.add(False, ipv6(there, here, 17, udp(53, 53001, answer(19, 'six.example', A, [ip4]))), 5)
    # An answer in two fragments that arrive in reverse order.
    many = [record(HEAD, A, socket.inet_aton(ip)) for ip in MANY]
    data = udp(53, 53002, answer(20, 'pieces.example', A, many))
    frames.add(True, ipv4(HERE, THERE, 17, udp(53002, 53, question(20, 'pieces.example', A))))
    frames.add(False, ipv4(THERE, HERE, 17, data[400:], 77, 400))
    frames.add(False, ipv4(THERE, HERE, 17, data[:400], 77, 0, True))
    # Two fragments over IPv6.
    data = udp(53, 53003, answer(21, 'pieces6.example', A, many))
    frames.add(True, ipv6(here, there, 17, udp(53003, 53, question(21, 'pieces6.example', A))))
    frames.add(False, ipv6(there, here, 44, struct.pack('>BBHI', 17, 0, 1, 99) + data[:400]))
    frames.add(False, ipv6(there, here, 44, struct.pack('>BBHI', 17, 0, 400, 99) + data[400:]))
    # The second fragment is missing.
    data = udp(53, 53004, answer(22, 'torn.example', A, many))
    frames.add(True, ipv4(HERE, THERE, 17, udp(53004, 53, question(22, 'torn.example', A))))
    frames.add(False, ipv4(THERE, HERE, 17, data[:400], 78, 0, True))
    # A fragment is duplicated.
    data = udp(53005, 9999, bytes(72))
    frames.add(True, ipv4(HERE, THERE, 17, data[:40], 79, 0, True))
    frames.add(True, ipv4(HERE, THERE, 17, data[:40], 79, 0, True))
    frames.add(True, ipv4(HERE, THERE, 17, data[40:], 79, 40))
    frames.add(False, ipv4(THERE, HERE, 1, b'\x08\0\0\0\0\1\0\1'), 9000)
    return frames


# ---------------------------------------------------------------- TLS

def vector(size, data):
    return len(data).to_bytes(size, 'big') + data


def hello(server, alpn=(), versions=(), padding=0):
    extensions = b''
    if server:
        extensions += struct.pack('>H', 0) + vector(2, vector(2, b'\0' + vector(2, server.encode())))
    if padding:
        extensions += struct.pack('>H', 21) + vector(2, bytes(padding))
    if alpn:
        extensions += struct.pack('>H', 16) + vector(2, vector(2, b''.join(vector(1, x.encode()) for x in alpn)))
    if versions:
        extensions += struct.pack('>H', 43) + vector(2, vector(1, b''.join(struct.pack('>H', x) for x in versions)))
    return b'\1' + vector(3, b'\3\3' + bytes(32) + vector(1, b'') + vector(2, b'\xc0\x2f\x13\x02') + vector(1, b'\0') + vector(2, extensions))


def server_hello(version=0x0303, cipher=0xc02f, alpn='', real=0, session=b''):
    extensions = b''
    if alpn:
        extensions += struct.pack('>H', 16) + vector(2, vector(2, vector(1, alpn.encode())))
    if real:
        extensions += struct.pack('>HHH', 43, 2, real)
    return b'\2' + vector(3, struct.pack('>H', version) + bytes(32) + vector(1, session) + struct.pack('>H', cipher) + b'\0' + vector(2, extensions))


def tls_record(kind, data, version=0x0303):
    return bytes([kind]) + struct.pack('>H', version) + vector(2, data)


def tls_frames():
    frames = Frames()
    # The ClientHello in one segment.
    talk = Talk(frames, 50001, 443)
    talk.say(True, 24, tls_record(22, hello('one.example', ('h2', 'http/1.1')), 0x0301))
    talk.say(False, 24, tls_record(22, server_hello(alpn='h2')))
    # The ClientHello in three segments, split within its server name.
    talk = Talk(frames, 50002, 8443)
    data = tls_record(22, hello('two.example', ('h2',), (0x0a0a, 0x0304, 0x0303)))
    talk.say(True, 24, data[:60])
    talk.say(True, 24, data[60:75])
    talk.say(True, 24, data[75:])
    talk.say(False, 24, tls_record(22, server_hello(cipher=0x1302, real=0x0304)))
    # The handshake message in two records; the segments arrive in reverse order.
    talk = Talk(frames, 50003, 443)
    message = hello('three.example', padding=300)
    data = tls_record(22, message[:100]) + tls_record(22, message[100:])
    seq = talk.next[0]
    talk.say(True, 24, data[200:], seq + 200)
    talk.say(True, 24, data[:200], seq)
    talk.next[0] = seq + len(data)
    talk.say(False, 24, tls_record(22, server_hello(cipher=0x009c)))
    # A retransmitted first segment, and an alert.
    talk = Talk(frames, 50004, 443)
    data = tls_record(22, hello('four.example'))
    seq = talk.next[0]
    talk.say(True, 24, data[:50])
    frames.ms += 300
    talk.say(True, 24, data[:50], seq)
    talk.say(True, 24, data[50:])
    talk.say(False, 24, tls_record(21, b'\2\x28'))
    # Without a server name.
    talk = Talk(frames, 50005, 443)
    talk.say(True, 24, tls_record(22, hello('')))
    talk.say(False, 24, tls_record(22, server_hello(version=0x0301), 0x0301))
    # The middle of the ClientHello was not captured, so nothing is decoded.
    talk = Talk(frames, 50006, 443)
    data = tls_record(22, hello('six.example', padding=300))
    talk.say(True, 24, data[:50])
    talk.next[0] += 30
    talk.say(True, 24, data[80:])
    return frames


# ---------------------------------------------------------------- QUIC

# From RFC 9001, A.2 and A.3: the first bytes with the unencrypted fields of the headers, followed by zeros.
INITIAL = bytes.fromhex('c000000001088394c8f03e5157080000449e7b9aec34d1b1c98dd7689fb8ec11') + bytes(1168)
ANSWER = bytes.fromhex('cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a') + bytes(100)


def quic_frames():
    frames = Frames()
    frames.udp4(True, 50443, 443, INITIAL)
    frames.udp4(False, 50443, 443, ANSWER)
    frames.udp4(True, 50443, 443, b'\x40' + bytes(60))
    return frames


# ---------------------------------------------------------------- comparison

def list_rows(*words):
    done = subprocess.run([cli, *words, '--format', 'json'], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def ask_tshark(path, display, *fields):
    words = ['tshark', '-n', '-r', path, '-Y', display, '-T', 'fields', '-E', 'aggregator=|', '-o', 'tcp.reassemble_out_of_order:TRUE']
    for field in fields:
        words += ['-e', field]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return [line.split('\t') for line in done.stdout.splitlines()]


has_tshark = shutil.which('tshark') is not None and VERSION in subprocess.run(['tshark', '--version'], capture_output=True, text=True,
                                                                              check=True).stdout.split('\n')[0]


def open_frames(folder, name, frames):
    trace = '%s/%s.etl' % (folder, name)
    subprocess.run([make_frames, trace], input='\n'.join(frames.lines) + '\n', text=True, check=True)
    out = None
    if has_tshark:
        out = trace + '.pcapng'
        subprocess.run([cli, 'export', trace, '--as', 'pcapng', '-o', out, '--quiet'], check=True)
    return trace, out


TYPES = {1: 'A', 12: 'PTR', 16: 'TXT', 28: 'AAAA', 33: 'SRV', 65: 'HTTPS'}
RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']
MS = 1000000
# Query name, type, response code, addresses, aliases, response time in nanoseconds.
DNS = [
    ('4.3.2.1.in-addr.arpa', 'PTR', 'NOERROR', [], [], 7 * MS),
    ('_ldap._tcp.example', 'SRV', 'NOERROR', [], [], 7 * MS),
    ('again.example', 'A', 'NOERROR', ['10.1.2.3'], [], 1008 * MS),
    ('alias.example', 'A', 'NOERROR', ['10.1.2.4', '10.1.2.5'], ['one.example', 'two.example'], 7 * MS),
    ('both.example', 'A', 'NOERROR', ['10.1.2.3'], [], 8 * MS),
    ('both.example', 'AAAA', 'NOERROR', ['2001:db8::7'], [], 14 * MS),
    ('case.example', 'A', 'NOERROR', ['10.1.2.3'], [], 7 * MS),
    ('fail.example', 'AAAA', 'SERVFAIL', [], [], 7 * MS),
    ('large.example', 'TXT', 'NOERROR', [], [], 7 * MS),
    ('nothere.example', 'A', 'NXDOMAIN', [], [], 7 * MS),
    ('pieces.example', 'A', 'NOERROR', MANY, [], 2 * MS),
    ('pieces6.example', 'A', 'NOERROR', MANY, [], 2 * MS),
    ('plain.example', 'A', 'NOERROR', ['10.1.2.3'], [], 7 * MS),
    ('plain.example', 'AAAA', 'NOERROR', [], [], 7 * MS),
    ('refused.example', 'A', 'REFUSED', [], [], 7 * MS),
    ('silent.example', 'A', None, [], [], None),
    ('six.example', 'A', 'NOERROR', ['10.1.2.3'], [], 5 * MS),
    ('svc.example', 'HTTPS', 'NOERROR', [], [], 7 * MS),
    ('tcp.example', 'A', 'NOERROR', ['10.1.2.3'], [], 3 * MS),
    ('tcp.example', 'AAAA', 'NOERROR', [], [], 5 * MS),
    ('torn.example', 'A', None, [], [], None),
]


def dns_of_tshark(path):
    """Returns one row per transaction, with its first answer."""
    found = {}
    lines = ask_tshark(path, 'dns && !mdns && !llmnr && !icmp', 'dns.qry.name', 'dns.qry.type', 'dns.flags.response', 'dns.flags.rcode', 'dns.a',
                       'dns.aaaa', 'dns.cname', 'dns.time')
    for names, kinds, responses, rcode, ip4, ip6, cnames, time in lines:
        for name, kind in zip(names.lower().split('|'), kinds.split('|')):
            key = (name, TYPES[int(kind)])
            if responses.split('|')[0] in ('0', 'False'):
                found.setdefault(key, (*key, None, [], [], None))
            elif found[key][2] is None:
                # An address hint of an SVCB record is not an answer to this query.
                ips = (ip4 + ip6).split('|') if ip4 + ip6 and key[1] in ('A', 'AAAA') else []
                found[key] = (*key, RCODES[int(rcode)], ips, cnames.split('|') if cnames else [], round(float(time) * 1e9))
    return sorted(found.values(), key=lambda x: x[:2])


def check_dns(folder):
    trace, out = open_frames(folder, 'dns', dns_frames())
    rows = list_rows('dns', trace)
    ours = sorted(((row['query'].lower(), row['type'], row['rcode'], row['addresses'], row['aliases'],
                    row['duration_ns'] if row['rcode'] else None) for row in rows), key=lambda x: x[:2])
    for got, wanted in zip(ours, DNS):
        expect('dns', got, wanted)
    expect('questions', len(ours), len(DNS))
    if out:
        for got, wanted in zip(dns_of_tshark(out), DNS):
            expect('dns of tshark', got, wanted)
    by_name = {row['query']: row for row in rows}
    expect('no record of the type', by_name['fail.example']['status'], 9002)
    expect('an empty answer', [row['status'] for row in rows if row['query'] == 'plain.example'], [0, 9501])
    expect('no answer', by_name['silent.example']['status'], 1460)
    expect('asked again', by_name['again.example']['retries'], 1)
    expect('truncated', [name for name, row in by_name.items() if row['truncated']], ['large.example'])
    infos = [row['info'] for row in list_rows('packets', trace)]
    for info in ('answer AAAA plain.example: no records', 'answer TXT large.example (truncated)', 'answer A nothere.example NXDOMAIN',
                 'answer HTTPS svc.example: HTTPS 1 . alpn=h2,h3 ipv4hint=10.1.2.6', 'query A printer', 'query PTR _http._tcp.local'):
        expect(info, info in infos, True)
    # Payload bytes of each direction, and the packets with missing fragments.
    flows = {row['client_port']: row for row in list_rows('flows', trace)}
    expect('pieces', [(flows[port]['packets'], flows[port]['payload_s2c'], flows[port]['truncated_packets']) for port in (53002, 53003, 53004)],
           [(3, 992, 0), (3, 993, 0), (2, 392, 1)])
    expect('overlaps', (flows[53005]['packets'], flows[53005]['payload_c2s'], flows[53005]['truncated_packets']), (3, 72, 0))


# Server name, offered ALPN protocols, offered versions, version, cipher suite, ALPN protocol, alert.
TLS = [
    ('one.example', ['h2', 'http/1.1'], ['TLS 1.2'], 'TLS 1.2', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'h2', None),
    ('two.example', ['h2'], ['TLS 1.3', 'TLS 1.2'], 'TLS 1.3', 'TLS_AES_256_GCM_SHA384', None, None),
    ('three.example', [], ['TLS 1.2'], 'TLS 1.2', 'TLS_RSA_WITH_AES_128_GCM_SHA256', None, None),
    ('four.example', [], ['TLS 1.2'], None, None, None, 'handshake_failure'),
    (None, [], ['TLS 1.2'], 'TLS 1.0', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', None, None),
    (None, None, None, None, None, None, None),
]


def check_tls(folder):
    trace, out = open_frames(folder, 'tls', tls_frames())
    rows = list_rows('flows', trace)
    for row, wanted in zip(rows, TLS):
        expect('tls', tuple(row['tls_' + name] for name in ('sni', 'alpn_offered', 'offered', 'version', 'cipher', 'alpn', 'alert')), wanted)
    expect('connections', len(rows), len(TLS))
    if out:
        names = {}
        for stream, name in ask_tshark(out, 'tls.handshake.type == 1', 'tcp.stream', 'tls.handshake.extensions_server_name'):
            names[int(stream)] = name or None
        expect('names of tshark', [names.get(i) for i in range(len(TLS))], [wanted[0] for wanted in TLS])


def check_quic(folder):
    trace, out = open_frames(folder, 'quic', quic_frames())
    wanted = ('QUIC', '1', '8394c8f03e515708', 'f067a5502a4262b5')
    rows = list_rows('flows', trace)
    expect('quic', [tuple(row[name] for name in ('app', 'quic_version', 'quic_dcid', 'quic_scid')) for row in rows], [wanted])
    if out:
        lines = ask_tshark(out, 'quic.long.packet_type', 'quic.dcid', 'quic.scid')
        expect('quic of tshark', (lines[0][0], lines[1][1]), wanted[2:])


with tempfile.TemporaryDirectory() as folder:
    check_dns(folder)
    check_tls(folder)
    check_quic(folder)
print('\n'.join(wrong))
sys.exit(1 if wrong else 0)
