#!/usr/bin/env python3
# Tests that the condensed schemas agree with the manifests they were made from, and that they are used.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-manifests.py DATA/SCHEMAS NETSTITCH-CLI

The manifests are in ../manifests beside the traces of NETSTITCH_TEST_TRACES; without them the test is skipped. The
reader of the schema file is independent of the program's and follows the format that make-schemas.py describes."""
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET
import zlib

N_EVENTS = 2000
WIDTHS = [4] * 13 + [2] * 13 + [1] * 5
ROWS = [0, 0, 0, 0, 0, 1, 3, 4, 5, 5, 6, 6, 6, 0, 0, 0, 1, 1, 2, 3, 3, 3, 3, 3, 3, 4, 0, 0, 3, 3, 4]
(OPCODE, FIRST, NAME, ID, BUILD, LAYOUT, N_TOP, PLACES, IN_TYPE, VERSION, FLAGS) = (1, 5, 6, 13, 14, 15, 17, 18, 20, 26, 29)
IN = {'UnicodeString': 1, 'AnsiString': 2, 'Int8': 3, 'UInt8': 4, 'Int16': 5, 'UInt16': 6, 'Int32': 7, 'UInt32': 8,
      'Int64': 9, 'UInt64': 10, 'Float': 11, 'Double': 12, 'Boolean': 13, 'Binary': 14, 'GUID': 15, 'Pointer': 16,
      'FILETIME': 17, 'SYSTEMTIME': 18, 'SID': 19, 'HexInt32': 20, 'HexInt64': 21, 'CountedUtf16String': 22,
      'CountedMbcsString': 23}


def local(tag):
    return tag.rsplit('}', 1)[-1]


def read_file(path):
    """Reads the schema file: {guid: {(id, version): [(build, [(name, in-type), …])]}}"""
    data = pathlib.Path(path).read_bytes()
    _, n, names, words, _, _, _, _ = struct.unpack_from('<8I', data, 8)
    dictionary = data[40 + n * 32 + names:][:words]
    out = {}
    for i in range(n):
        g = data[40 + i * 16:][:16]
        guid = '-'.join([g[3::-1].hex(), g[5:3:-1].hex(), g[7:5:-1].hex(), g[8:10].hex(), g[10:].hex()])
        place, size = (struct.unpack_from('<I', data, 40 + n * 16 + (k * n + i) * 4)[0] for k in (1, 2))
        out[guid] = read_block(zlib.decompressobj(zdict=dictionary).decompress(data[place:place + size]))
    return out


def read_block(block):
    sizes, at, columns = struct.unpack_from('<8I', block), 32, []
    for width, row in zip(WIDTHS, ROWS):
        columns.append(struct.unpack_from(f'<{sizes[row]}{ {4: "I", 2: "H", 1: "B"}[width] }', block, at))
        at += width * sizes[row]
    texts, events = block[at:], {}
    for e in range(sizes[0]):
        layout = columns[LAYOUT][e]
        first = columns[FIRST][layout]
        fields = [(texts[columns[NAME][f]:texts.index(b'\0', columns[NAME][f])].decode(), columns[IN_TYPE][f], columns[FLAGS][f])
                  for f in columns[PLACES][first:first + columns[N_TOP][layout]]]
        events.setdefault((columns[ID][e], columns[VERSION][e]), []).append((columns[BUILD][e], fields))
    return events


def manifests(folder):
    for path in sorted(folder.glob('*/*')):
        build = re.search(r'-(\d+)(\.tar\.xz)?$', path.name if path.parent.name == 'all' else path.parent.name)
        build = int(build[1]) if build else 0
        if path.suffix in ('.xml', '.man'):
            yield build, path.read_bytes()
        elif path.name.endswith('.tar.xz'):
            with tarfile.open(path) as archive:
                for member in archive:
                    if member.isfile():
                        yield build, archive.extractfile(member).read()


def read_manifests(folder):
    """Reads the manifests: {(guid, id, version): [(build, [(name, in-type), …])]}"""
    out = {}
    for build, text in manifests(folder):
        try:
            root = ET.fromstring(text)
        except ET.ParseError:
            continue  # test-schema-data counts malformed manifests
        for provider in root.iter():
            if local(provider.tag) != 'provider':
                continue
            templates = {t.get('tid'): [(d.get('name'), (d.get('inType') or '').removeprefix('win:')) for d in t]
                         for t in provider.iter() if local(t.tag) == 'template'}
            for event in provider.iter():
                if local(event.tag) == 'event' and event.get('value'):
                    key = (provider.get('guid').strip('{}').lower(), int(event.get('value'), 0), int(event.get('version') or 0))
                    out.setdefault(key, []).append((build, templates.get(event.get('template'), [])))
    return out


def is_same(ours, theirs):
    """Returns whether fields agree. Ours may end at a field of unknown length; names and types must agree up to
    there."""
    if len(ours) > len(theirs):
        return False
    return all(name == other and (flags & 1 or in_type == IN.get(kind, in_type) or name in ('connid', 'Destination'))
               for (name, in_type, flags), (other, kind) in zip(ours, theirs))


def check_events(ours, theirs):
    wrong = []
    chosen = random.sample(sorted(theirs), min(N_EVENTS, len(theirs)))
    for guid, number, version in chosen:
        rows = ours.get(guid, {}).get((number, version))
        if rows is None:
            wrong.append(f'{guid} {number} v{version} is missing')
            continue
        for build, fields in rows:
            if not any(b == build and is_same(fields, f) for b, f in theirs[guid, number, version]):
                wrong.append(f'{guid} {number} v{version} of {build}: {fields}')
    return len(chosen), wrong


def check_traces(cli, traces, theirs):
    n, wrong = 0, {}
    for path in sorted(traces.glob('*.etl')):
        run = subprocess.run([cli, 'events', path, '--format', 'jsonl'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in run.stdout.splitlines():
            if b'"header":"manifest"' not in line:
                continue
            event = json.loads(line)
            n += 1
            key = (event['provider'], event['id'], event['version'])
            if event['schema'] == 'none' and key in theirs:
                wrong[key] = path.name
    return n, wrong


def main():
    traces = pathlib.Path(os.environ.get('NETSTITCH_TEST_TRACES', '/nowhere'))
    folder = traces / '../manifests'
    if not folder.is_dir():
        print('1..0 # SKIP there are no manifests')
        return
    seed = random.randrange(1 << 32)
    random.seed(seed)
    print(f'1..2\n# seed {seed}')
    theirs = read_manifests(folder)
    n, wrong = check_events(read_file(sys.argv[1]), theirs)
    for line in wrong[:20]:
        print('# ' + line)
    print(f'{"not " if wrong else ""}ok 1 - {n} of {len(theirs)} events say what their manifests say')
    n, wrong = check_traces(sys.argv[2], traces, theirs)
    for key, name in list(wrong.items())[:20]:
        print('# bytes:', *key, name)
    print(f'{"not " if wrong or n == 0 else ""}ok 2 - none of {n} events that a manifest describes is shown as bytes')


main()
