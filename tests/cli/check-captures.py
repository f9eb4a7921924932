#!/usr/bin/env python3
"""Tests packet captures: alone, in an archive, and beside the trace they were made from.

Usage: check-captures.py CLI SAMPLE.etl make-packets
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import zipfile

cli, _sample, make_packets = sys.argv[1:]
wrong = []


def run(*words):
    done = subprocess.run([cli, *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def claim(is_so, what):
    if not is_so:
        wrong.append(what)


def rows(verb, columns, *files):
    code, out, err = run(verb, '--columns', columns, *files, '--format', 'jsonl')
    claim(code == 0, f'{verb} {files}: {code} {err}')
    return [json.loads(line) for line in out.splitlines()]


FLOW = 'kind,client_ip,client_port,server_ip,server_port,packets,payload_c2s,payload_s2c,retransmissions_s2c'
PACKET = 'time_ns,length,captured,src,dst,protocol,info'

with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, 'trace.etl')
    subprocess.run([make_packets, trace], check=True)
    flows = rows('flows', FLOW, trace)
    packets = rows('packets', PACKET, trace)
    begin = packets[0]['time_ns']
    for row in packets:
        row['time_ns'] -= begin
    claim(len(flows) == 1 and len(packets) == 3, 'the trace has a conversation of three packets')
    for form in ('pcapng', 'pcap'):
        capture = os.path.join(folder, 'capture.' + form)
        code, _, err = run('export', '--as', form, '-o', capture, trace, '--include-secrets')
        claim(code == 0, err)
        claim(rows('flows', FLOW, capture) == flows, f'{form}: the conversation is that of the trace')
        # The time base of a capture is its first packet; pcap times have a resolution of microseconds.
        claim(rows('packets', PACKET, capture) == packets, f'{form}: the packets are those of the trace')
        code, out, _ = run('events', capture, '--columns', 'id,name', '--format', 'jsonl')
        named = {(row['id'], row['name']) for row in map(json.loads, out.splitlines())}
        claim((160, 'Packet') in named, f'{form}: the events of packets have a name: {named}')
        code, out, _ = run('info', capture, '--format', 'json')
        told = json.loads(out)
        claim(told['size'] == os.path.getsize(capture), f'{form}: the size is that of the file')
        claim(told['os_version'] is None and told['boot_time'] is None, f'{form}: no computer is told')

        archive = os.path.join(folder, form + '.zip')
        with zipfile.ZipFile(archive, 'w') as out:
            out.write(capture, 'in/capture.' + form)
        claim(rows('flows', FLOW, archive) == flows, f'{form} in an archive: the same conversation')

        # A capture opened with its trace has the same packets, each with one more appearance.
        both = rows('packets', PACKET + ',appearances', trace, capture)
        claim([row.pop('appearances') for row in both] == [2, 2, 2], f'{form} beside: {both}')
        claim(len(both) == 3, f'{form} beside the trace: no packet twice')
        claim(rows('flows', FLOW, capture, trace) == flows, f'{form} named first: the same conversation')
        code, out, _ = run('info', trace, capture, '--format', 'json')
        told = json.loads(out)['inputs']
        claim('capture' in (told[1]['why'] or ''), f'{form}: why it belongs to the case')

        # The clock of the capture may be that of another computer: --clock-offset corrects it, and the clock of the
        # trace remains the reference.
        name = os.path.basename(capture)
        moved = rows('packets', PACKET, trace, capture, '--clock-offset', f'{name}=5')
        first = [row['time_ns'] for row in rows('packets', PACKET, trace)]
        claim([row['time_ns'] for row in moved] == sorted(first + [time + 5000000000 for time in first]) or
              form == 'pcap' and len(moved) == 6 and
              all(abs(row['time_ns'] - time - 5000000000) < 1000 for row, time in zip(moved[3:], first)),
              f'{form}: five seconds later: {moved}')
        early = rows('packets', PACKET, trace, capture, '--clock-offset', f'{name}=-5')
        claim(len(early) == 6 and early[0]['time_ns'] >= 0 and
              abs(early[3]['time_ns'] - early[0]['time_ns'] - 5000000000) < 1000, f'{form}: earlier than the trace: {early}')
        code, out, _ = run('info', trace, capture, '--clock-offset', f'{capture}=5', '--format', 'json')
        told = json.loads(out)['inputs']
        claim([one['clock_offset_ns'] for one in told] == [0, 5000000000], f'{form}: the correction is told')
        code, out, _ = run('info', trace, capture, '--clock-offset', f'{name}=5')
        claim('clock corrected by 5.000 s' in out, f'{form}: the correction is told to people: {out}')
        for verb in ('packets', 'info', 'records') if form == 'pcapng' else ('packets',):
            code, _, err = run(verb, trace, capture, '--clock-offset', 'trace.etl=5')
            claim(code == 2 and f'correct that of {name}' in err, f'{form}: {verb} refuses the other clock: {code} {err}')
        code, _, err = run('packets', capture, '--clock-offset', f'{name}=5')
        claim(code == 2 and 'no other trace is open that' in err, f'{form}: a file alone: {code} {err}')

        with open(capture, 'rb') as whole, open(os.path.join(folder, 'cut.' + form), 'wb') as part:
            part.write(whole.read()[:-10])
        cut = part.name
        code, out, err = run('packets', '--columns', PACKET, cut, '--format', 'jsonl', '-v')
        claim(len(out.splitlines()) == 2, f'{form}: packets before the cut are read')
        claim('ends inside' in err, f'{form}: the cut is told: {err}')

    with open(os.path.join(folder, 'empty.pcap'), 'wb') as out:
        out.write(bytes.fromhex('d4c3b2a1' '02000400' '00000000' '00000000' 'ffff0000' '01000000'))
    code, _, err = run('packets', out.name)
    claim(code != 0 and '(pcap) without packets' in err, f'a capture without packets is an error with a word: {err}')

    # Drivers leave padding between the header and the content of a Wi-Fi frame, and the Protected flag although the
    # frame is decrypted.
    head, gap = bytes.fromhex('8842' '2c00') + bytes(range(18)) + bytes(4), bytes.fromhex('1122002000000000')
    content = bytes.fromhex('aaaa03000000' '0800' '4500001c' '00010000' '40110000' '0a000005' '0a000006' '03e8' '0035' '0008' '0000')
    wifi = os.path.join(folder, 'wifi.pcap')
    for n_gap in (0, 4, 8):
        frame = head + gap[:n_gap] + content
        with open(wifi, 'wb') as out:
            out.write(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 65535, 105))
            out.write(struct.pack('<IIII', 1700000000, 0, len(frame), len(frame) + 3) + frame)
        claim(rows('packets', 'src,src_port,length', wifi) == [{'src': '10.0.0.5', 'src_port': 1000, 'length': len(frame) + 3}],
              f'gap of {n_gap}: the packet is read')
        for form, header in (('pcap', 24), ('pcapng', 0)):
            code, _, err = run('export', '--as', form, '-o', wifi + '.' + form, wifi)
            claim(code == 0, err)
            plain = head[:1] + b'\x02' + head[2:] + content
            with open(wifi + '.' + form, 'rb') as out:
                claim(struct.pack('<II', len(plain), len(plain) + 3) + plain in out.read()[header:],
                      f'gap of {n_gap}: readers of the {form} find the packet')

for what in wrong:
    print(what)
sys.exit(1 if wrong else 0)
