#!/usr/bin/env python3
"""Tests that HAR exports are valid HAR 1.2 and have the fields that network panels of browsers read.

Usage: check-har.py CLI SAMPLE.etl
"""
import base64
import ipaddress
import json
import re
import subprocess
import sys
import tempfile
from urllib.parse import parse_qsl, urlsplit

cli, sample = sys.argv[1:]
STAMP = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)\Z')
TEXT, NUMBER, LIST, DICT = str, (int, float), list, dict
LOG = {'version': TEXT, 'creator': DICT, 'pages': LIST, 'entries': LIST}
ENTRY = {'startedDateTime': TEXT, 'time': NUMBER, 'request': DICT, 'response': DICT, 'cache': DICT, 'timings': DICT}
REQUEST = {'method': TEXT, 'url': TEXT, 'httpVersion': TEXT, 'cookies': LIST, 'headers': LIST, 'queryString': LIST,
           'headersSize': NUMBER, 'bodySize': NUMBER}
RESPONSE = {'status': NUMBER, 'statusText': TEXT, 'httpVersion': TEXT, 'cookies': LIST, 'headers': LIST,
            'content': DICT, 'redirectURL': TEXT, 'headersSize': NUMBER, 'bodySize': NUMBER}
CONTENT = {'size': NUMBER, 'mimeType': TEXT}
POSTED = {'mimeType': TEXT, 'text': TEXT}
TIMINGS = {'send': NUMBER, 'wait': NUMBER, 'receive': NUMBER}
OPTIONAL_TIMINGS = {'blocked': NUMBER, 'dns': NUMBER, 'connect': NUMBER, 'ssl': NUMBER}
OPTIONAL = {'serverIPAddress': TEXT, 'connection': TEXT, 'comment': TEXT, '_error': TEXT, 'encoding': TEXT,
            'compression': NUMBER, 'params': LIST, 'postData': DICT}
wrong = []


def claim(is_so, what):
    if not is_so:
        wrong.append(what)


def check_shape(what, value, shape, where):
    for key, kind in shape.items():
        claim(isinstance(value.get(key), kind), f'{where}: {what} has no {key}: {str(value)[:80]}')
    for key, inner in value.items():
        kind = shape.get(key) or OPTIONAL.get(key) or OPTIONAL_TIMINGS.get(key)
        claim(kind is not None or key.startswith('_'), f'{where}: {what} has a member {key}')
        claim(kind is None or isinstance(inner, kind), f'{where}: {what}.{key} is {inner!r}')


def check_pairs(pairs, where):
    for pair in pairs:
        claim(isinstance(pair.get('name'), str) and isinstance(pair.get('value'), str), f'{where}: {pair}')


def check_body(body, where):
    if body.get('encoding') == 'base64':
        base64.b64decode(body['text'], validate=True)
    else:
        claim('encoding' not in body, f'{where}: {body.get("encoding")}')


def check_entry(entry, where):
    request, response = entry['request'], entry['response']
    check_shape('entry', entry, ENTRY, where)
    check_shape('request', request, REQUEST, where)
    check_shape('response', response, RESPONSE, where)
    check_shape('content', response['content'], CONTENT, where)
    check_shape('timings', entry['timings'], TIMINGS, where)
    check_body(response['content'], where)
    if 'postData' in request:
        check_shape('postData', request['postData'], POSTED, where)
        check_body(request['postData'], where)
    for pairs in (request['headers'], response['headers'], request['queryString']):
        check_pairs(pairs, where)
    claim(STAMP.match(entry['startedDateTime']), f'{where}: {entry["startedDateTime"]}')
    claim(urlsplit(request['url']).hostname, f'{where}: no URL: {request["url"]}')
    claim([(pair['name'], pair['value']) for pair in request['queryString']] ==
          parse_qsl(urlsplit(request['url']).query, keep_blank_values=True), f'{where}: query of {request["url"]}')
    if 'serverIPAddress' in entry and where.endswith('plain'):
        ipaddress.ip_address(entry['serverIPAddress'])
    if 'connection' in entry:
        claim(0 < int(entry['connection']) < 65536, f'{where}: connection {entry["connection"]}')
    claim(min(entry['timings'][part] for part in TIMINGS) >= 0 and entry['time'] >= 0, f'{where}: {entry["timings"]}')
    claim(response.get('_error') == entry.get('comment') == response.get('comment'), f'{where}: {response}')
    return 'connection' in entry, '_error' in response, bool(request['queryString'])


def run(*words):
    return json.loads(subprocess.run([cli, *words], capture_output=True, check=True).stdout)


rows = {row['id']: row for row in run('activities', sample, '--format', 'json')}
for name, more in (('plain', []), ('bodies', ['--payload']), ('redacted', ['--redact']),
                   ('both', ['--redact', '--payload'])):
    log = run('export', sample, '--as', 'har', *more)['log']
    check_shape('log', log, LOG, name)
    claim(log['version'] == '1.2' and log['creator']['name'] and log['creator']['version'], f'{name}: {log["creator"]}')
    seen = [0, 0, 0]
    for entry in log['entries']:
        row = rows[entry['_row']]
        where = f'row {row["id"]}, {name}'
        seen = [a + b for a, b in zip(seen, check_entry(entry, where))]
        ports = [str(port) for port in (row['local_port'], row['port']) if port]
        claim(entry.get('connection', ports[0] if ports else None) in (ports or [None]), f'{where}: {ports}')
        claim(('_error' in entry['response']) == (row['error'] is not None), f'{where}: {row["error"]}')
    claim(len(log['entries']) == sum(1 for row in rows.values() if row['url']), f'{name}: {len(log["entries"])} entries')
    claim(all(seen) or '--redact' in more, f'{name}: too little is seen: {seen}')

empty = subprocess.run([cli, 'export', sample, '--as', 'har', '--filter', 'url = ""'], capture_output=True, check=True)
claim(json.loads(empty.stdout)['log']['entries'] == [], 'rows without a URL are entries')
claim(b'no entries' in empty.stderr, f'nothing is said of an archive without entries: {empty.stderr!r}')

with tempfile.TemporaryDirectory() as folder:
    told = subprocess.run([cli, 'export', sample, '--as', 'har', '-o', f'{folder}/s.har'], capture_output=True, check=True,
                          text=True).stderr
    n_entries = sum(1 for row in rows.values() if row['url'])
    claim(f's.har: {n_entries} rows, ' in told and f'{len(rows) - n_entries} rows are not requests' in told, told)

for line in wrong[:40]:
    print(line)
sys.exit(1 if wrong else 0)
