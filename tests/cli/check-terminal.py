#!/usr/bin/env python3
"""Tests that no verb prints terminal control sequences from texts of a trace.

Usage: check-terminal.py CLI SAMPLE.etl
"""
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import unicodedata
import zipfile

cli, sample = sys.argv[1:]
TABLES = ['activities', 'dns', 'tcp', 'winsock', 'webio', 'wininet', 'ldap', 'urlmon', 'chromium', 'tasks',
          'kernel-network', 'calls', 'packets', 'flows', 'processes', 'threads', 'images', 'providers', 'findings']
FORMS = ['text', 'csv', 'tsv', 'json', 'jsonl', 'markdown']
OTHERS = [['info'], ['info', '--format', 'json'], ['report'], ['stacks'], ['tree'], ['symbols'],
          ['events', '--limit', '2000'], ['dump', '--fields', 'timecreated,taskname,opcodename,properties'],
          ['export', '--as', 'csv'], ['export', '--as', 'html'], ['export', '--as', 'har'],
          ['export', '--as', 'perfetto'], ['export', '--as', 'speedscope'], ['export', '--as', 'markdown']]
wrong = []


def spoil(data):
    """Inserts ESC and CSI (U+001B, U+009B) into each longer word of the trace."""
    wide = re.compile(rb'(?:[A-Za-z.-]\0){6,}')
    narrow = re.compile(rb'[A-Za-z.-]{6,}')

    def into(found, text, width):
        bytes_ = bytearray(found.group())
        at = 2 * width
        bytes_[at:at + len(text)] = text
        return bytes(bytes_)

    data = wide.sub(lambda found: into(found, '\x1b\u009b'.encode('utf-16-le'), 2), data)
    return narrow.sub(lambda found: into(found, '\x1b\u009b'.encode('utf-8'), 1), data)


def on_a_terminal(words):
    """Returns what a verb prints to a terminal on standard output and standard error."""
    ours, theirs = pty.openpty()
    # NO_COLOR turns off the escape sequences of the program itself.
    process = subprocess.Popen([cli, *words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                               env=os.environ | {'NO_COLOR': '1'})
    os.close(theirs)
    pieces = []
    try:
        while piece := os.read(ours, 1 << 16):
            pieces.append(piece)
    except OSError:
        pass  # the program has closed the terminal
    os.close(ours)
    process.wait()
    return b''.join(pieces).decode('utf-8', 'replace')


def check(words):
    """Checks the output of a verb for control characters; returns its length. The terminal turns LF into CR LF."""
    said = on_a_terminal(words)
    # The progress display of the program uses CR.
    bad = sorted({c for c in said.replace('\r', '') if c not in '\n\t' and unicodedata.category(c) == 'Cc'})
    if bad:
        at = said.index(bad[0])
        wrong.append('%s: %r in %r' % (' '.join(words), bad, said[max(at - 30, 0):at + 30]))
    return len(said)


def make_hand_over(path, folder):
    """Writes a hand-over in which every stack frame has a name with control characters."""
    def ask(verb):
        return json.loads(subprocess.run([cli, verb, path, '--format', 'json'], stdout=subprocess.PIPE,
                                         check=True).stdout)

    names = ['netstitch names 1']
    frames = {(frame['module'], frame['rva']) for stack in ask('stacks') for element in stack['elements']
              for frame in element['frames'] if frame['rva']}
    for image in ask('images'):
        identity = '%s;%u;%s' % (image['guid'], image['age'] or 0, image['name'].lower()) if image['guid'] else \
                   '%x;%x;%s' % (image['timestamp'] or 0, image['size'], image['name'].lower())
        names.append('m\t' + identity)
        for module, rva in frames:
            if module == image['name']:
                names += ['f\t%x\t%s\t1\t\x1b[2Jname\u009b\t3\tC:\x1b\t\x07inlined' % (int(rva, 16), kind)
                          for kind in 'cr']
    made = os.path.join(folder, 'made.etl.zip')
    with zipfile.ZipFile(made, 'w') as archive:
        archive.writestr('netstitch/names.txt', '\n'.join(names) + '\n')
        archive.write(path, 'trace.etl')
    return made


with tempfile.TemporaryDirectory() as folder:
    spoiled = os.path.join(folder, 'spoiled.etl')
    with open(sample, 'rb') as file:
        data = file.read()
    with open(spoiled, 'wb') as file:
        file.write(spoil(data))
    said = 0
    for table in TABLES:
        for form in FORMS:
            said += check([table, spoiled, '--format', form, '--columns', 'all'])
    for words in OTHERS:
        said += check([words[0], spoiled, *words[1:]])
    said += check(['diff', sample, spoiled])
    said += check(['activities', spoiled, '--filter', 'process:\x1b[2J\u009b('])
    if said < 100000:
        wrong.append('the spoiled trace says next to nothing: %d' % said)
    made = make_hand_over(sample, folder)
    for words in (['stacks'], ['stacks', '--format', 'text'], ['stacks', '--format', 'csv'], ['tree'],
                  ['report'], ['symbols'], ['findings'], ['activities', '--columns', 'all']):
        check([words[0], made, *words[1:]])
    if 'name' not in on_a_terminal(['stacks', made]):
        wrong.append('the made-up names are not shown')

if wrong:
    print('\n'.join(wrong))
sys.exit(bool(wrong))
