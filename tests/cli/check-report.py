#!/usr/bin/env python3
"""Tests the report as HTML and as text: outcomes, findings, and reasons.

Usage: check-report.py CLI SAMPLE.etl
"""
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

cli, sample = sys.argv[1:]
SPACE = '{http://www.w3.org/1999/xhtml}'
wrong = []


def claim(is_so, what):
    if not is_so:
        wrong.append(what)


def run(*words):
    return subprocess.run([cli, *words, '--quiet'], capture_output=True, check=True).stdout.decode()


def text_of(element):
    return ' '.join(''.join(element.itertext()).split())


def tables_of(page):
    """Returns the tables below each heading, as lists of rows of cells."""
    found = {}
    title = None
    for element in page.find(SPACE + 'body'):
        if element.tag == SPACE + 'h2':
            title = text_of(element)
        elif element.tag == SPACE + 'table':
            rows = [[text_of(cell) for cell in row] for row in element.iter(SPACE + 'tr')]
            found.setdefault(title, []).append(rows)
    return found


rows = json.loads(run('activities', sample, '--format', 'json'))
findings = [row for row in json.loads(run('findings', sample, '--format', 'json')) if row['verdict'] == 'found']
calls = json.loads(run('calls', sample, '--format', 'json'))
failed = [row for row in rows if row['failed']]
for more, chosen in (([], rows), (['--filter', 'failed = true'], failed)):
    source = run('export', sample, '--as', 'html', *more)
    page = ElementTree.fromstring(source.split('\n', 1)[1])
    text = run('report', sample, '--text', *more)
    all_text = text_of(page)
    tables = tables_of(page)
    head, *body = tables['Rows'][0]
    claim(not re.search(r'(src|href)="(?!data:|#)', source), f'{more}: the page asks for something elsewhere')
    claim('@page' in source and 'A4' in source, f'{more}: nothing is said of paper')
    claim(len(body) == len(chosen), f'{more}: {len(body)} rows')
    for row, cells in zip(chosen, body):
        for key, title in (('status', 'Status'), ('error', 'Error')):
            claim(cells[head.index(title)] == (row[key] or ''), f'row {row["id"]}: {title} {cells}')
    ids = {row['id'] for row in chosen}
    about = [row for row in findings if not more or ids & set(row['activities'])]
    claim(0 < len(about), f'{more}: no finding to look for')
    claim(not more or len(about) < len(findings), 'the filter leaves every finding')
    for finding in findings:
        for what, where in (('page', all_text), ('text', text)):
            is_there = ''.join(finding['text'].split()) in ''.join(where.split())
            claim(is_there == (finding in about), f'{more}: {finding["id"]} in the {what}')
    longest = max(map(len, text.split('\nFindings\n')[1].split('\nRows\n')[0].split('\n')))
    claim(longest <= 100, f'{more}: a line of findings has {longest} characters')
    sequences = tables['Call sequences']
    claim(len(sequences) >= len([row for row in chosen if row['failed']]), f'{more}: {len(sequences)} sequences')
    listed = ' '.join(' '.join(cells) for sequence in sequences for cells in sequence)
    for row in failed:
        ends = [call for call in calls if call['winsock'] == row['winsock'] and
                call['activity'] == row['id'] and call['status']]
        for call in ends:
            for what, where in (('page', listed), ('text', ' '.join(text.split()))):
                claim(call['status_text'] in where, f'{more}: {call["status_text"]} is not on the {what}')
    claim('STATUS_CONNECTION_REFUSED (0xC0000236 / 3221226038): ' in listed, f'{more}: no code in words')
    claim(any(re.fullmatch(r'OK, \d{1,3}(,\d{3})+ B', cells[4]) for sequence in sequences for cells in sequence),
          f'{more}: no bytes with their thousands apart')
    words = [(cell.get('class'), max(map(len, text_of(cell).split() or [''])))
             for cell in page.iter(SPACE + 'td') if not cell.get('align')]
    claim(all((kind == 'long') == (longest > 22) for kind, longest in words) and {'long', None} <= {k for k, _ in words},
          f'{more}: short words are broken anywhere, or long ones nowhere')
    claim(any(cells[1] == 'DNS' and cells[4] for sequence in sequences for cells in sequence), f'{more}: no lookup')
    for sequence in sequences:
        times = [float(cells[0]) for cells in sequence[1:]]
        claim(times == sorted(times) and times[0] >= 0, f'{more}: out of order: {times}')
    for title in ('Findings', 'Rows', 'Call sequences and stacks'):
        claim(f'\n{title}\n' + '-' * len(title) + '\n' in text, f'{more}: the text has no {title}')

redacted = run('report', sample, '--text', '--redact')
for row in rows:
    claim(not row['server'] or row['server'] not in redacted, f'{row["server"]} is in the text without names')
for words in ([], ['--text', '--audit'], ['--audit', '--redact'], ['--text', '--format', 'csv']):
    done = subprocess.run([cli, 'report', sample, *words], capture_output=True, check=False)
    claim(done.returncode == 2 and not done.stdout, f'report {words} is taken')

for line in wrong[:40]:
    print(line)
sys.exit(1 if wrong else 0)
