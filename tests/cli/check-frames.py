#!/usr/bin/env python3
"""Compares the dissection of random frames with tshark's: link types, VLAN tags, options, fragments, truncation.

Usage: check-frames.py CLI NUMBERS.json [--write] [--seeds A[-B]] [--kinds KIND,…] [--keep FOLDER]

NUMBERS.json holds the counts of tshark for each seed, and its version; these counts are always compared. If tshark of
this version is installed, each packet and each conversation is compared, too; --write updates the counts. The seed
determines the frames; a capture with a difference is kept in FOLDER.
"""
import argparse
import collections
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

MARKS = ('retransmission', 'fast_retransmission', 'spurious_retransmission', 'out_of_order', 'lost_segment', 'ack_lost_segment',
         'duplicate_ack', 'zero_window', 'window_full', 'keep_alive', 'keep_alive_ack', 'window_update', 'zero_window_probe',
         'zero_window_probe_ack')
LINKS = {'ethernet': 1, 'raw': 101, 'wifi': 105}
SIZES = (0, 0, 1, 6, 7, 50, 200, 600, 1400)
# Kind: (snapshot lengths, 0 for none), (shares of IP packets that are fragmented).
KINDS = {'whole': ((0,), (0,)), 'cut': ((0, 0, 0, 96, 128, 160, 200), (0,)), 'pieces': ((0,), (0, .1, .4))}

wrong = []


def make_block(kind, body):
    body += bytes(-len(body) % 4)
    size = 12 + len(body)
    return struct.pack('<II', kind, size) + body + struct.pack('<I', size)


def write_capture(path, frames):
    links = list(LINKS.values())
    with open(path, 'wb') as out:
        out.write(make_block(0x0a0d0d0a, struct.pack('<IHHq', 0x1a2b3c4d, 1, 0, -1)))
        for link in links:
            out.write(make_block(1, struct.pack('<HHIHHB3xHH', link, 0, 0, 9, 1, 9, 0, 0)))
        for ns, link, data, length, is_out in frames:
            time = 1_700_000_000_000_000_000 + ns
            out.write(make_block(6, struct.pack('<IIIII', links.index(link), time >> 32, time & 0xffffffff, len(data), length) +
                                 data + bytes(-len(data) % 4) + struct.pack('<HHIHH', 2, 4, 2 if is_out else 1, 0, 0)))


class Traffic:
    """Random frames of some conversations, determined by a seed."""

    def __init__(self, seed, kind):
        self.draw = random.Random(seed)
        self.cuts, self.shares = KINDS[kind]
        self.time = 1000
        self.frames = []
        self.number = 1

    def add_frame(self, flow, is_out, ether_type, packet):
        draw = self.draw
        macs = (b'\2\0\0\0\0\1', b'\2\0\0\0\0\2') if is_out else (b'\2\0\0\0\0\2', b'\2\0\0\0\0\1')
        if flow['link'] == 'raw':
            frame = packet
        elif flow['link'] == 'wifi':
            ways = draw.choice((1, 2, 3))
            has_qos = draw.random() < .5
            frame = bytes((0x88 if has_qos else 8, ways, 0, 0)) + macs[1] + macs[0] + b'\2\0\0\0\0\3\0\0'
            frame += b'\2\0\0\0\0\4' * (ways == 3) + bytes(2 * has_qos)
            frame += b'\xaa\xaa\3\0\0\0' + struct.pack('>H', ether_type) + packet
        else:
            tags = b''.join(struct.pack('>HH', *tag) for tag in flow['tags'])
            frame = macs[1] + macs[0] + tags + struct.pack('>H', ether_type) + packet
            if len(frame) < 60 and draw.random() < .7:
                frame += bytes(60 - len(frame))
        self.time += draw.choice((1000, 20000, 300000, 2000000, 30000000))
        self.frames.append((self.time, LINKS[flow['link']], frame[:flow['cut'] or None], len(frame), is_out))

    def split(self, content):
        """Returns the fragments of the content, some out of order or duplicated: (offset, bytes, more fragments)."""
        draw = self.draw
        if len(content) <= 8:
            return [(0, content, False)]
        ends = sorted({8 * draw.randrange(1, (len(content) + 7) // 8) for _ in range(draw.randrange(1, 4))}) + [len(content)]
        begins = [0] + ends[:-1]
        pieces = [(begin, content[begin:end], end < len(content)) for begin, end in zip(begins, ends) if end > begin]
        if draw.random() < .3:
            draw.shuffle(pieces)
        if draw.random() < .1:
            pieces.insert(draw.randrange(len(pieces) + 1), draw.choice(pieces))
        return pieces

    def make_v6_headers(self, place, has_more, is_piece):
        draw = self.draw
        headers = []
        for kind, share in ((0, .3), (43, .2), (60, .2)):
            if draw.random() < share:
                n = draw.randrange(3)
                filler = bytes((253, 0)) + bytes(8 * n + 4) if kind == 43 else bytes((1, 8 * n + 4)) + bytes(8 * n + 4)
                headers.append((kind, bytes((n,)) + filler))
        if is_piece:
            headers.append((44, b'\0' + struct.pack('>HI', place | has_more, self.number)))
        elif draw.random() < .2:
            headers.append((60, b'\0\1\4\0\0\0\0'))
        if not is_piece and draw.random() < .1:
            headers.append((51, b'\4\0\0' + struct.pack('>II', 1, 1) + bytes(12)))
        return headers

    def add_packet(self, flow, is_out, protocol, content):
        draw = self.draw
        ends = flow['ends'] if is_out else flow['ends'][::-1]
        self.number = self.number + 1 & 0xffff
        pieces = self.split(content) if draw.random() < flow['share'] else [(0, content, False)]
        is_piece = len(pieces) > 1
        for place, piece, has_more in pieces:
            if flow['is_v6']:
                headers = self.make_v6_headers(place, has_more, is_piece)
                kinds = [kind for kind, _ in headers] + [protocol]
                body = b''.join(bytes((following,)) + header for following, (_, header) in zip(kinds[1:], headers)) + piece
                self.add_frame(flow, is_out, 0x86dd, struct.pack('>IHBB', 0x60000000, len(body), kinds[0], 64) + b''.join(ends) + body)
                continue
            options = b'\1' * 4 * draw.choice((0, 0, 0, 1, 2))
            size = 20 + len(options) + len(piece)
            # Windows leaves the IP length 0 in packets that the adapter will segment (LSO).
            if not is_piece and draw.random() < flow['offload']:
                size = 0
            self.add_frame(flow, is_out, 0x800,
                           struct.pack('>BBHHHBBH', 0x45 + len(options) // 4, 0, size, self.number, has_more << 13 | place // 8, 64,
                                       protocol, 0) + b''.join(ends) + options + piece)

    def add_segment(self, flow, size):
        draw = self.draw
        is_out = draw.random() < .5
        flags, options = 0x10, b''
        if flow['n'] < 2:
            is_out, flags, size = flow['n'] == 0, (2, 0x12)[flow['n']], 0
            options = b'\2\4\5\xb4\1\3\3' + bytes((draw.randrange(10),))
        elif draw.random() < .3:
            options = b'\1\1\x08\x0a' + bytes(8)
        flow['n'] += 1
        mine, other = (0, 1) if is_out else (1, 0)
        seq, ack = flow['next'][mine], flow['next'][other] if flags & 0x10 else 0
        if size > 0 and draw.random() < .1:
            seq = seq - draw.randrange(1, 2000) & 0xffffffff
        else:
            flow['next'][mine] = seq + size + (flags >> 1 & 1) & 0xffffffff
        ports = flow['ports'] if is_out else flow['ports'][::-1]
        window = draw.choice((64240, 64240, 1000, 0))
        self.add_packet(flow, is_out, 6,
                        struct.pack('>HHIIBBHHH', *ports, seq, ack, (20 + len(options)) // 4 << 4, flags, window, 0, 0) +
                        options + draw.randbytes(size))

    def add_datagram(self, flow, size):
        is_out = self.draw.random() < .5
        ports = flow['ports'] if is_out else flow['ports'][::-1]
        self.add_packet(flow, is_out, 17, struct.pack('>HHHH', *ports, 8 + size, 0) + self.draw.randbytes(size))

    def make(self):
        draw = self.draw
        flows = []
        for i in range(draw.randrange(3, 15)):
            is_v6 = draw.random() < .4
            prefix = bytes.fromhex('20010db8') + bytes(11)
            link = draw.choice(('ethernet', 'ethernet', 'ethernet', 'wifi', 'raw'))
            tags = draw.choice(((), (), (), ((0x8100, 7),), ((0x88a8, 5), (0x8100, 9)), ((0x8100, 0),)))
            flows.append({'is_v6': is_v6, 'link': link, 'tags': tags, 'n': 0,
                          'ends': (prefix + b'\5', prefix + bytes((100 + i,))) if is_v6 else (bytes((10, 0, 0, 5)), bytes((20, 0, 0, 1 + i))),
                          'is_tcp': draw.random() < .7, 'ports': (10000 + i, draw.choice((40000, 9, 5000))),
                          'cut': draw.choice(self.cuts), 'share': draw.choice(self.shares), 'offload': draw.choice((0, 0, 0, .2)),
                          'next': [draw.getrandbits(32), draw.getrandbits(32)]})
        for _ in range(draw.randrange(50, 300)):
            flow = draw.choice(flows)
            (self.add_segment if flow['is_tcp'] else self.add_datagram)(flow, draw.choice(SIZES))
        return self.frames


def list_rows(cli, *words):
    done = subprocess.run([cli, *words, '--format', 'jsonl'], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask_tshark(path):
    fields = ['frame.len', 'tcp.stream', 'udp.stream', 'udp.length', *('tcp.analysis.' + name for name in MARKS)]
    words = ['tshark', '-n', '-r', path, '-T', 'fields', '-E', 'occurrence=l']
    for field in fields:
        words += ['-e', field]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return [dict(zip(fields, line.split('\t'))) for line in done.stdout.splitlines()]


def count(packets, flows):
    sums = collections.Counter({'packets': len(packets)})
    for row in packets:
        sums.update(row['analysis'] or ())
    for row in flows:
        # Without ports, in a truncated frame, tshark has no conversation.
        if row['kind'] in ('tcp', 'udp'):
            sums[row['kind'] + ' conversations'] += 1
        if row['kind'] == 'udp':
            sums['udp bytes'] += row['payload_c2s'] + row['payload_s2c']
    return sums


def count_as_tshark(seen):
    sums = collections.Counter({'packets': len(seen)})
    for packet in seen:
        sums.update(name for name in MARKS if packet['tcp.analysis.' + name])
        sums['udp bytes'] += int(packet['udp.length'] or 8) - 8
    for kind in ('tcp', 'udp'):
        sums[kind + ' conversations'] = len({packet[kind + '.stream'] for packet in seen} - {''})
    return +sums


def compare(what, packets, seen):
    """Compares each packet, and checks that each stream of tshark is one conversation."""
    streams = {}
    for row, packet in zip(packets, seen):
        name = '%s: packet %d' % (what, row['id'])
        marks = sorted(name for name in MARKS if packet['tcp.analysis.' + name])
        if sorted(row['analysis'] or ()) != marks:
            wrong.append('%s: %r, tshark: %r' % (name, row['analysis'], marks))
        if row['length'] != int(packet['frame.len']):
            wrong.append('%s: %d bytes, tshark: %s' % (name, row['length'], packet['frame.len']))
        for kind in ('tcp', 'udp'):
            stream = packet[kind + '.stream']
            if stream != '' and streams.setdefault((kind, stream), row['flow']) != row['flow']:
                wrong.append('%s is of conversation %d, the others of its stream of %d' % (name, row['flow'], streams[kind, stream]))
    if len(set(streams.values())) != len(streams):
        wrong.append('%s: two streams are one conversation' % what)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('cli')
    parser.add_argument('numbers')
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--seeds', help='instead of those of NUMBERS.json')
    parser.add_argument('--kinds', default=','.join(KINDS))
    parser.add_argument('--keep')
    args = parser.parse_args()
    with open(args.numbers, encoding='utf-8') as file:
        numbers = json.load(file)
    told = {'tshark': '', 'sums': {}}
    if shutil.which('tshark') is not None:
        told['tshark'] = subprocess.run(['tshark', '--version'], capture_output=True, text=True, check=True).stdout.split()[2]
    if args.seeds is not None:
        first, _, last = args.seeds.partition('-')
        first, last = int(first), int(last or first)
        names = ['%s %d' % (kind, seed) for kind in args.kinds.split(',') for seed in range(first, last + 1)]
    else:
        names = sorted(numbers['sums'])
    with tempfile.TemporaryDirectory() as folder:
        for what in names:
            kind, seed = what.split(' ')
            n_wrong = len(wrong)
            path = os.path.join(folder, what.replace(' ', '-') + '.pcapng')
            write_capture(path, Traffic(int(seed), kind).make())
            packets = list_rows(args.cli, 'packets', path)
            sums = dict(sorted(count(packets, list_rows(args.cli, 'flows', path)).items()))
            if told['tshark'] != '' and (args.write or numbers['tshark'] == told['tshark']):
                seen = ask_tshark(path)
                compare(what, packets, seen)
                told['sums'][what] = dict(sorted(count_as_tshark(seen).items()))
            wanted = (told if args.write else numbers)['sums'].get(what, told['sums'].get(what))
            if wanted is not None and sums != wanted:
                wrong.append('%s: %r, tshark: %r' % (what, sums, wanted))
            if args.keep and len(wrong) > n_wrong:
                shutil.copy(path, args.keep)
    if args.write:
        told['sums'] = {**numbers['sums'], **told['sums']}
        with open(args.numbers, 'w', encoding='utf-8') as file:
            json.dump(told, file, indent=1, sort_keys=True)
            file.write('\n')
    print('\n'.join(wrong))
    return 1 if wrong else 0


sys.exit(main())
