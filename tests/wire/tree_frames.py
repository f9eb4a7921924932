"""Frames of every protocol that the tree dissects: (name, link type, bytes). Addresses and names are reserved for
documentation.
"""
import itertools
import struct

ETHERNET, RAW, WIFI = 1, 101, 105
MACS = bytes.fromhex('0200000000ff' '020000000001')
V4 = bytes((192, 0, 2, 20)), bytes((198, 51, 100, 7))
V6 = bytes.fromhex('20010db8' + '00' * 11 + '14'), bytes.fromhex('20010db8' + '00' * 11 + '35')
LINK_LOCAL = bytes.fromhex('fe80' + '00' * 13 + '01')

# Port 0 stands for a new client port: tshark does not dissect a message again that it has seen before.
NEW = 0
ports = itertools.count(50000)


def ethernet(kind, body, tags=()):
    return MACS + b''.join(struct.pack('>HH', *tag) for tag in tags) + struct.pack('>H', kind) + body


def ipv4(protocol, body, *, options=b'', services=0, place=0, ttl=64, ends=V4):
    return struct.pack('>BBHHHBBH', 0x45 + len(options) // 4, services, 20 + len(options) + len(body), 0x1234, place, ttl, protocol,
                       0xbeef) + ends[0] + ends[1] + options + body


def ipv6(protocol, body, *, first=0x60000000, hops=64, ends=V6):
    return struct.pack('>IHBB', first, len(body), protocol, hops) + ends[0] + ends[1] + body


def udp(source, target, body):
    return struct.pack('>HHHH', source or next(ports), target or next(ports), 8 + len(body), 0xabcd) + body


def tcp(source, target, body=b'', flags=0x18, options=b'', seq=1000, ack=2000):
    return struct.pack('>HHIIHHHH', source or next(ports), target or next(ports), seq, ack, (20 + len(options)) // 4 << 12 | flags, 64240, 0xabcd,
                       5 if flags & 0x20 else 0) + options + body


def icmp(kind, code, rest, body=b''):
    return struct.pack('>BBH', kind, code, 0xabcd) + rest + body


def dns_name(text):
    return b''.join(bytes((len(part),)) + part.encode() for part in text.split('.') if part) + b'\0'


def dns_record(kind, data, name=b'\xc0\x0c', ttl=300, of_class=1):
    return name + struct.pack('>HHIH', kind, of_class, ttl, len(data)) + data


def dns(flags, name, kind, answers=(), authority=(), additional=()):
    return struct.pack('>HHHHHH', 0xd1ce, flags, 1, len(answers), len(authority), len(additional)) + dns_name(name) + struct.pack(
        '>HH', kind, 1) + b''.join((*answers, *authority, *additional))


def block(n, data):
    return len(data).to_bytes(n, 'big') + data


def extension(kind, data):
    return struct.pack('>H', kind) + block(2, data)


def record(kind, data, version=0x0303):
    return struct.pack('>BH', kind, version) + block(2, data)


def handshake(kind, data):
    return bytes((kind,)) + block(3, data)


def hello(is_client, *extensions, suites=(0x1301, 0x1302, 0xc02f, 0x00ff, 0x9999)):
    head = b'\3\3' + bytes(range(32)) + block(1, bytes(range(32)))
    if is_client:
        head += block(2, b''.join(struct.pack('>H', suite) for suite in suites)) + block(1, b'\0')
    else:
        head += struct.pack('>HB', suites[0], 0)
    return handshake(1 if is_client else 2, head + (block(2, b''.join(extensions)) if extensions else b''))


SNI = extension(0, block(2, b'\0' + block(2, b'www.example.com')))
ALPN = extension(16, block(2, block(1, b'h2') + block(1, b'http/1.1')))
VERSIONS = extension(43, block(1, b'\3\4\3\3'))
CLIENT_HELLO = hello(True, SNI, ALPN, VERSIONS, extension(10, block(2, b'\0\x1d\0\x17')), extension(11, block(1, b'\0')),
                     extension(13, block(2, b'\4\3\x08\4')), extension(23, b''), extension(35, b''), extension(45, b'\1\1'),
                     extension(51, block(2, b'\0\x1d' + block(2, bytes(32)))), extension(0xff01, b'\0'), extension(21, bytes(9)))
SERVER_HELLO = hello(False, extension(43, b'\3\4'), extension(51, b'\0\x1d' + block(2, bytes(32))), suites=(0x1301,))


def make_links():
    small = ipv4(17, udp(NEW, 9, b'abcd'))
    yield 'padding', ETHERNET, ethernet(0x800, small) + bytes(14)
    yield 'vlan', ETHERNET, ethernet(0x800, small, ((0x8100, 0xb007),))
    yield 'two vlans', ETHERNET, ethernet(0x86dd, ipv6(17, udp(NEW, 9, b'abcd')), ((0x88a8, 0x6005), (0x8100, 9)))
    yield 'two vlans of one kind', ETHERNET, ethernet(0x800, small, ((0x8100, 5), (0x8100, 9)))
    yield 'pppoe', ETHERNET, ethernet(0x8864, struct.pack('>BBHH', 0x11, 0, 7, 2 + len(small)) + b'\0\x21' + small)
    yield 'mpls', ETHERNET, ethernet(0x8847, bytes.fromhex('00010040' '0002a1fe') + small)
    yield 'snap', ETHERNET, ethernet(8 + len(small), b'\xaa\xaa\3\0\0\0\x08\0' + small)
    yield 'snap of an organization', ETHERNET, ethernet(12, b'\xaa\xaa\3\0\0\x0c\x20\0' + b'\2\xb4\0\0')
    yield 'llc', ETHERNET, ethernet(7, b'\xe0\xe0\3abcd') + bytes(39)
    yield 'llc with numbers', ETHERNET, ethernet(8, b'\x42\x42\2\4abcd') + bytes(38)
    for version, kind, size in ((0, 0, 35), (2, 2, 36), (0, 0x80, 4)):
        bpdu = (bytes((0, 0, version, kind, 0x3e if version else 1)) + bytes.fromhex('8001001122334455' '00000004' '9000066778899aab' '8005'
                                                                                     '0180140002000f00' '00'))[:size]
        yield 'bpdu %d %d' % (version, kind), ETHERNET, ethernet(3 + size, b'\x42\x42\3' + bpdu) + bytes(43 - size)
    for operation in (1, 2):
        yield 'arp %d' % operation, ETHERNET, ethernet(0x806, struct.pack('>HHBBH', 1, 0x800, 6, 4, operation) + MACS[6:] + V4[0] + bytes(6) +
                                                       V4[1]) + bytes(18)
    yield 'raw', RAW, small
    yield 'raw 6', RAW, ipv6(17, udp(NEW, 9, b'abcd'))
    for control in (0x0108, 0x0208, 0x0188, 0x0308, 0x0b88):
        head = struct.pack('<HH', control, 44) + MACS + MACS[6:] + struct.pack('<H', 0x1234)
        head += MACS[:6] * (control & 0x300 == 0x300) + b'\5\0' * (control >> 7 & 1)
        yield 'wi-fi 0x%04x' % control, WIFI, head + b'\xaa\xaa\3\0\0\0\x08\0' + small


def make_network():
    body = udp(NEW, 9, b'abcdefgh')
    yield 'services', RAW, ipv4(17, body, services=0xb9, place=0x4000)
    yield 'more fragments', RAW, ipv4(17, udp(NEW, 9, b'a' * 8), place=0x2000)
    yield 'last fragment', RAW, ipv4(17, b'b' * 11, place=2)
    yield 'both flags', RAW, ipv4(17, udp(NEW, 9, b'a' * 8), place=0xe000)
    for name, options in (('record route', '070b04' 'c0000201' '00000000' '00'), ('router alert', '94040000'),
                          ('timestamp', '440c0500' '00000001' '00000000'), ('loose route', '83070401020304' '01'),
                          ('strict route', '89070401020304' '00'), ('stream', '88040007'),
                          ('nops', '0101010100000000'), ('unknown', 'de04abcd')):
        yield 'option ' + name, RAW, ipv4(17, body, options=bytes.fromhex(options))
    yield 'igmp', RAW, ipv4(2, bytes.fromhex('1600abcd' 'e0000016'), options=bytes.fromhex('94040000'), ttl=1)
    yield 'flow label', RAW, ipv6(17, body, first=0x6b912345)
    hop = bytes.fromhex('05020000' '0100')
    yield 'hop-by-hop', RAW, ipv6(0, bytes((17, 0)) + hop + body)
    yield 'destination options', RAW, ipv6(60, bytes((17, 0)) + b'\1\4\0\0\0\0' + body)
    yield 'one byte of padding', RAW, ipv6(60, bytes((17, 0)) + b'\0\1\3\0\0\0' + body)
    yield 'routing', RAW, ipv6(43, bytes((17, 2, 2, 0)) + bytes(4) + V6[0] + body)
    yield 'first piece', RAW, ipv6(44, struct.pack('>BBHI', 17, 0, 1, 0xdeadbeef) + udp(NEW, 9, b'a' * 8))
    yield 'later piece', RAW, ipv6(44, struct.pack('>BBHI', 17, 0, 16, 0xdeadbeef) + b'b' * 11)
    yield 'all headers', RAW, ipv6(0, bytes((60, 0)) + hop + bytes((43, 0)) + b'\1\4\0\0\0\0' + bytes((44, 0, 253, 0, 0, 0, 0, 0)) +
                                   struct.pack('>BBHI', 17, 0, 0, 5) + body)
    yield 'authentication', RAW, ipv6(51, struct.pack('>BBHII', 17, 4, 0, 0x1001, 9) + bytes(12) + body)
    yield 'authentication 4', RAW, ipv4(51, struct.pack('>BBHII', 17, 4, 0, 0x1001, 9) + bytes(12) + body)
    yield 'gre', RAW, ipv4(47, bytes.fromhex('00000800') + ipv4(17, body))
    yield 'esp', RAW, ipv4(50, struct.pack('>II', 7, 8) + bytes(40))


def make_messages():
    quoted = ipv4(17, udp(NEW, 53, b'abcdefgh'))
    quoted_tcp = ipv4(6, tcp(NEW, 443))
    for kind in (0, 8):
        yield 'echo %d' % kind, RAW, ipv4(1, icmp(kind, 0, struct.pack('>HH', 1, 0x0102), bytes(range(32))))
    yield 'unreachable', RAW, ipv4(1, icmp(3, 3, bytes(4), quoted))
    yield 'too big', RAW, ipv4(1, icmp(3, 4, struct.pack('>HH', 0, 1400), quoted_tcp))
    yield 'redirect', RAW, ipv4(1, icmp(5, 1, V4[1], quoted))
    yield 'time', RAW, ipv4(1, icmp(11, 0, bytes(4), quoted))
    yield 'parameter', RAW, ipv4(1, icmp(12, 0, bytes((20, 0, 0, 0)), quoted))
    yield 'timestamp request', RAW, ipv4(1, icmp(13, 0, struct.pack('>HHIII', 1, 2, 3, 4, 5)))
    quoted = ipv6(17, udp(NEW, 53, b'abcdefgh'))
    for kind in (128, 129):
        yield 'echo %d' % kind, RAW, ipv6(58, icmp(kind, 0, struct.pack('>HH', 1, 0x0102), bytes(range(32))))
    for kind, rest in ((1, 0), (2, 1280), (3, 0), (4, 6)):
        yield 'error %d' % kind, RAW, ipv6(58, icmp(kind, 0, struct.pack('>I', rest), quoted))
    mac = MACS[6:]
    near = {'hops': 255, 'ends': (LINK_LOCAL, V6[1])}
    prefix = bytes((3, 4, 64, 0xc0)) + struct.pack('>III', 86400, 14400, 0) + V6[0][:8] + bytes(8)
    servers = bytes((25, 5, 0, 0)) + struct.pack('>I', 3600) + V6[0] + V6[1]
    search = bytes((31, 4, 0, 0)) + struct.pack('>I', 3600) + (dns_name('corp.example.com') + bytes(24))[:24]
    route = bytes((24, 2, 48, 8)) + struct.pack('>I', 900) + V6[0][:8]
    yield 'router solicitation', RAW, ipv6(58, icmp(133, 0, bytes(4), b'\1\1' + mac), **near)
    yield 'router advertisement', RAW, ipv6(58, icmp(134, 0, struct.pack('>BBHII', 64, 0xc8, 1800, 30000, 1000)[:4],
                                                     struct.pack('>II', 30000, 1000) + b'\1\1' + mac + prefix +
                                                     bytes.fromhex('0501000000000514') + servers + search + route), **near)
    yield 'neighbor solicitation', RAW, ipv6(58, icmp(135, 0, bytes(4), V6[1] + b'\1\1' + mac), **near)
    yield 'neighbor advertisement', RAW, ipv6(58, icmp(136, 0, b'\xe0\0\0\0', V6[1] + b'\2\1' + mac), **near)
    yield 'redirect 6', RAW, ipv6(58, icmp(137, 0, bytes(4), V6[0] + V6[1] + b'\2\1' + mac), **near)
    yield 'nonce', RAW, ipv6(58, icmp(135, 0, bytes(4), V6[1] + bytes((14, 1)) + bytes(6)), **near)
    yield 'listener report', RAW, ipv6(0, bytes((58, 0)) + bytes.fromhex('050200000100') +
                                       icmp(143, 0, bytes.fromhex('00000001'), bytes.fromhex('04000000' 'ff02' + '00' * 13 + '16')), hops=1)


def make_transport():
    for flags in (0x002, 0x012, 0x010, 0x018, 0x011, 0x014, 0x0c2, 0x052, 0x1ff, 0xe00 | 0x10, 0x30, 0):
        yield 'flags 0x%03x' % flags, RAW, ipv4(6, tcp(NEW, 9, flags=flags))
    for name, options in (('begin', '020405b4' '01' '030308' '0101' '0402'), ('time', '0101080a' '00000007' '00000009'),
                          ('one block', '0101050a' '000003e9' '000003f0'), ('two blocks', '01010512' '000003e9' '000003f0' '00000409' '00000450'),
                          ('three blocks', '0101051a' + '000003e9000003f0' * 3), ('wide', '03030e00'),
                          ('too wide', '03030f00'), ('signature', '1312' + '11' * 16 + '0101'), ('fast open', '2206' 'aabbccdd' '0101'),
                          ('user', '1c04' '8005'), ('multipath', '1e0c' '0081' '0011223344556677'), ('unknown', 'c804abcd'),
                          ('end', '00000000'), ('end during', '020405b4' '00' '010101')):
        yield 'option ' + name, RAW, ipv4(6, tcp(NEW, 9, flags=0x12 if name in ('begin', 'wide', 'too wide') else 0x10,
                                                 options=bytes.fromhex(options)))
    yield 'data', RAW, ipv4(6, tcp(NEW, 9, b'abcdefgh'))
    yield 'data 6', RAW, ipv6(6, tcp(NEW, 9, b'abcdefgh'))
    yield 'datagram', RAW, ipv4(17, udp(NEW, 9, b''))


def make_names():
    name = dns_name('alias.example.com')
    answers = (
        ('A', 1, (dns_record(1, V4[1]), dns_record(1, V4[0], ttl=0))), ('AAAA', 28, (dns_record(28, V6[1]),)),
        ('CNAME', 1, (dns_record(5, name), dns_record(1, V4[1], name=name))), ('MX', 15, (dns_record(15, b'\0\x0a' + name),)),
        ('TXT', 16, (dns_record(16, block(1, b'v=spf1') + block(1, b'-all')),)), ('SRV', 33, (dns_record(33, struct.pack('>HHH', 1, 2, 443) + name),)),
        ('PTR', 12, (dns_record(12, name),)), ('NS', 2, (dns_record(2, name),)),
        ('HTTPS', 65, (dns_record(65, b'\0\1\0' + b'\0\1' + block(2, block(1, b'h2')) + b'\0\4' + block(2, V4[1])),)),
        ('CAA', 257, (dns_record(257, b'\0\5issueca.example'),)),
    )
    soa = dns_record(6, name + dns_name('admin.example.com') + struct.pack('>IIIII', 1, 2, 3, 4, 5))
    opt = b'\0' + struct.pack('>HHIH', 41, 1232, 0x8000, 0)
    yield 'query', RAW, ipv4(17, udp(NEW, 53, dns(0x0100, 'www.example.com', 1)))
    yield 'query with options', RAW, ipv4(17, udp(NEW, 53, dns(0x0110, 'www.example.com', 28, additional=(opt,))))
    for kind, number, records in answers:
        yield 'answer ' + kind, RAW, ipv4(17, udp(53, NEW, dns(0x8180, 'www.example.com', number, records)))
    yield 'no such name', RAW, ipv4(17, udp(53, NEW, dns(0x8583, 'none.example.com', 1, authority=(soa,), additional=(opt,))))
    message = dns(0x8380, 'www.example.com', 1, (dns_record(1, V4[1]),))
    yield 'over tcp', RAW, ipv4(6, tcp(53, NEW, block(2, message)))
    yield 'multicast', RAW, ipv4(17, udp(5353, 5353, struct.pack('>HHHHHH', 0, 0x8400, 0, 1, 0, 0) +
                                         dns_record(1, V4[1], name=dns_name('host.local'), of_class=0x8001)))
    yield 'multicast question', RAW, ipv4(17, udp(5353, 5353, struct.pack('>HHHHHH', 0, 0, 1, 0, 0, 0) + dns_name('host.local') +
                                                  b'\0\xff\x80\1'))
    yield 'link-local', RAW, ipv4(17, udp(NEW, 5355, dns(0, 'host', 1)))


def make_secure():
    certificate = handshake(11, block(3, block(3, b'\x30\x03\2\1\5')))
    for name, data in (
            ('client hello', record(22, CLIENT_HELLO, 0x0301)), ('server hello', record(22, SERVER_HELLO)),
            ('hello without extensions', record(22, hello(True))),
            ('old server hello', record(22, hello(False, ALPN.replace(b'\0\x0c\2h2\x08http/1.1', b'\0\3\2h2').replace(b'\0\x0e', b'\0\5'), suites=(0xc02f,)))),
            ('flight', record(22, hello(False, suites=(0xc02f,)) + certificate + handshake(14, b''))),
            ('two records', record(20, b'\1') + record(23, bytes(40))), ('alert', record(21, b'\2\x28')), ('close', record(21, b'\1\0')),
            ('finished', record(20, b'\1') + record(22, bytes(range(100, 140)))), ('heartbeat', record(24, b'\1\0\3abc' + bytes(16))), ('data', record(23, bytes(64)))):
        yield name, RAW, ipv4(6, tcp(NEW, 443, data) if 'server' not in name and name != 'flight' else tcp(443, NEW, data))


def make_web():
    yield 'request', RAW, ipv4(6, tcp(NEW, 80, b'GET /a?b=c HTTP/1.1\r\nHost: www.example.com\r\nAccept: */*\r\n\r\n'))
    yield 'request with body', RAW, ipv4(6, tcp(NEW, 80, b'POST /a HTTP/1.1\r\nHost:www.example.com\r\nContent-Length: 4\r\n\r\nabcd'))
    yield 'response', RAW, ipv4(6, tcp(80, NEW, b'HTTP/1.1 404 Not Found\r\nServer:   example\r\nContent-Length: 4\r\n\r\nabcd'))


def make_quic():
    for name, version in (('1', b'\0\0\0\1'), ('again', b'\0\0\0\1'), ('2', bytes.fromhex('6b3343cf')), ('draft', bytes.fromhex('ff00001d'))):
        first = 0xd0 if name == '2' else 0xc0
        data = bytes((first,)) + version + block(1, bytes(range(8))) + block(1, bytes(range(5))) + b'\0' + b'\x44\x9e' + bytes(1182)
        yield 'quic ' + name, RAW, ipv4(17, udp(40000 if name == 'again' else NEW, 443, data))
    yield 'quic negotiation', RAW, ipv4(17, udp(443, 40000, b'\x80' + bytes(4) + block(1, bytes(range(5))) + block(1, bytes(range(8))) +
                                                b'\0\0\0\1' + bytes.fromhex('6b3343cf')))


def make_all():
    for make in (make_links, make_network, make_messages, make_transport, make_names, make_secure, make_web, make_quic):
        yield from make()
