#!/usr/bin/env python3
"""Tests text output on a terminal: lines fit its width and severities are colored; neither applies in a pipe.

Usage: check-width.py CLI SAMPLE.etl

SPDX-License-Identifier: GPL-3.0-or-later
"""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios

cli, sample = sys.argv[1:]
COLOR = re.compile('\x1b\\[[0-9;]*m')
wrong = []


def on_a_terminal(words, columns, **more):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 40, columns, 0, 0))
    env = {name: value for name, value in os.environ.items() if name != 'NO_COLOR'} | {'TERM': 'xterm'} | more
    process = subprocess.Popen([cli, *words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL,
                               env=env)
    os.close(theirs)
    pieces = []
    try:
        while piece := os.read(ours, 1 << 16):
            pieces.append(piece)
    except OSError:
        pass  # the program has closed the terminal
    os.close(ours)
    if process.wait() != 0:
        wrong.append(f'{words}: status {process.returncode}')
    return b''.join(pieces).decode('utf-8').replace('\r\n', '\n')


for verb in (['activities'], ['tcp'], ['findings'], ['processes'], ['providers'], ['images'], ['symbols'],
             ['activities', '--group-by', 'process,server'], ['webio'], ['events'], ['activities', '--help'],
             ['events', '--columns', 'time,provider,activity,task_name,fields'], ['recipe', '--help']):
    for columns in (60, 80, 200):
        said = on_a_terminal([verb[0], sample, *verb[1:]], columns)
        lines = COLOR.sub('', said).splitlines()
        long = [line for line in lines if len(line) > columns]
        if len(lines) < 2 or long:
            wrong.append(f'{verb} in {columns} columns: {len(lines)} lines, too long: {long[:1]}')

# Sentences and lists that are not tables.
for words in (['codes'], ['codes', '12029'], ['report', sample, '--text']):
    piped = subprocess.run([cli, *words, *(['--format', 'text'] if words[0] == 'codes' else [])], check=True,
                           capture_output=True, text=True).stdout
    for columns in (60, 80, 120):
        lines = COLOR.sub('', on_a_terminal(words, columns)).splitlines()
        long = [line for line in lines if len(line) > columns]
        if len(lines) < 2 or long:
            wrong.append(f'{words} in {columns} columns: {len(lines)} lines, too long: {long[:1]}')
        # Wrapping changes white space only, except in tables, whose cells are truncated.
        if words[0] == 'codes' and ''.join(''.join(lines).split()) != ''.join(piped.split()):
            wrong.append(f'{words} in {columns} columns does not say the same')
    if max(map(len, piped.splitlines())) <= 60:
        wrong.append(f'{words} in a pipe is broken')

# On a narrow terminal a label may take a whole line, and the text after it is complete.
for words in (['codes'], ['report', sample, '--text']):
    for columns in (1, 2, 10, 11, 26, 27, 28, 29, 40):
        said = ''.join(COLOR.sub('', on_a_terminal(words, columns, G_DEBUG='fatal-criticals')).split())
        for name in ('ERROR_WINHTTP_TIMEOUT', 'STATUS_OBJECT_PATH_NOT_FOUND') if words == ['codes'] else ('olmapi32.dll+0x53c1',):
            if name.lower() not in said.lower():
                wrong.append(f'{words} in {columns} columns: {name} is lost')

# The GUID of a provider is left out if it does not fit; values of the trace are never truncated.
for columns, has_guid in ((80, False), (200, True)):
    said = COLOR.sub('', on_a_terminal(['info', sample], columns)).split('Provider')[-1]
    if any(len(line) > columns for line in said.splitlines()) or ('{2f07e2ee-' in said) != has_guid or \
            'Microsoft-Windows-TCPIP' not in said:
        wrong.append(f'info in {columns} columns: {said[-200:]!r}')

# Provider names are truncated at the start, since they differ at the end; in a file or a pipe they are complete.
said = on_a_terminal(['events', sample, '--filter', 'provider:TCPIP'], 80)
if '-TCPIP ' not in said or said.count('…') < 100:
    wrong.append(f'events are cut elsewhere: {said.splitlines()[1:2]}')
piped = subprocess.run([cli, 'events', sample, '--format', 'text', '--filter', 'provider:TCPIP'], check=True,
                       capture_output=True, text=True)
if '…' in piped.stdout or 'Microsoft-Windows-TCPIP' not in piped.stdout:
    wrong.append('events in a pipe are cut')

said = on_a_terminal(['activities', sample, '--columns', 'id,failed,url'], 80)
for line in said.splitlines()[1:]:
    words = COLOR.sub('', line).split()
    if len(words) > 1 and words[1] in ('yes', 'true') and '\x1b[31m' not in line + said.split(line)[0][-8:]:
        wrong.append(f'a failure does not stand out: {line!r}')
if '\x1b[31m' not in said or '\x1b[1m' not in said:
    wrong.append('nothing stands out')
if '\x1b[33m' not in on_a_terminal(['findings', sample], 80):
    wrong.append('no warning stands out')
if '\x1b' in on_a_terminal(['activities', sample], 80, NO_COLOR='1'):
    wrong.append('NO_COLOR is not followed')
if '\x1b' in on_a_terminal(['activities', sample, '--format', 'csv'], 80):
    wrong.append('CSV is colored')

# Findings are never truncated: neither the sentence nor the advice.
told = json.loads(subprocess.run([cli, 'findings', sample, '--format', 'json'], check=True, capture_output=True).stdout)
for columns in (60, 80):
    said = ' '.join(COLOR.sub('', on_a_terminal(['findings', sample], columns)).split())
    for row in told:
        pieces = [row['id'], row['title']]
        if row['verdict'] != 'not found':
            pieces.append(row['text'])
        if row['verdict'] == 'found' and row['advice']:
            pieces.append(row['advice'])
        for piece in pieces:
            # A long word may be broken after punctuation.
            if ''.join(piece.split()) not in said.replace(' ', ''):
                wrong.append(f'findings in {columns} columns do not say whole: {piece!r}')
if 'Cost (ms)' not in on_a_terminal(['findings', sample, '--columns', 'id,cost_ns'], 80).splitlines()[0]:
    wrong.append('columns of findings that were asked for are no table')

piped = subprocess.run([cli, 'activities', sample, '--format', 'text'], check=True, capture_output=True, text=True)
if '\x1b' in piped.stdout or not any(len(line) > 80 for line in piped.stdout.splitlines()):
    wrong.append('text in a pipe is cut or colored')
print('\n'.join(wrong) or 'text fits its lines')
sys.exit(bool(wrong))
