#!/usr/bin/env python3
"""Tests the Model Context Protocol server: its answers, and the requests that it refuses.

Usage: check-mcp.py CLI SAMPLE.etl MAKE-FLEET

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile

cli, sample, make_fleet = sys.argv[1:]
claims = 0


def claim(holds, what):
    global claims
    if not holds:
        sys.exit(f'does not hold: {what}')
    claims += 1


def serve(messages, *words, status=0):
    """Returns the answers of a new server to some messages: dicts, or bytes that are sent unchanged."""
    lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in messages]
    run = subprocess.run([cli, 'mcp', *map(str, words)], input=b'\n'.join(lines) + b'\n', capture_output=True, timeout=300,
                         check=False)
    claim(run.returncode == status and b'CRITICAL' not in run.stderr, f'{words}: {run.returncode}, {run.stderr[-500:]!r}')
    return [json.loads(line) for line in run.stdout.splitlines()]


def ask(messages, *words):
    """Returns the answers to requests, in the order of the requests."""
    answers = serve([message | {'id': number} for number, message in enumerate(messages)], *words)
    claim(sorted(answer['id'] for answer in answers) == list(range(len(messages))), f'{len(messages)} requests have as many answers')
    return sorted(answers, key=lambda answer: answer['id'])


def request(method, params=None, number=1):
    return {'jsonrpc': '2.0', 'id': number, 'method': method} | ({} if params is None else {'params': params})


def call(name, identity=1, /, **arguments):
    return request('tools/call', {'name': name, 'arguments': arguments}, identity)


def rows_of(answer):
    claim(not answer['result']['isError'], answer['result']['content'][0]['text'])
    text, remark = (part['text'] for part in answer['result']['content'])
    return [json.loads(line) for line in text.splitlines()], json.loads(remark)


def said(verb, *words):
    out = subprocess.run([cli, verb, *map(str, words), '--format', 'jsonl'], capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def check_options(folder):
    """Options that apply to all calls are checked at start and passed on; others are refused."""
    kept = folder.parent / 'kept'
    kept.write_text('kept')
    for words in (['--clock-offset', 'garbage'], ['--time-column', 'u_ex.log='], ['--member', 'x'], ['--recursive'], ['--include-secrets'],
                  ['--output', kept], ['-o', kept], ['--mode', '0600'], ['--progress'], ['-q'], ['-v'], ['--no-formula-guard']):
        serve([], folder, *words, status=2)
    for words in (['--wfp', folder / 'none'], ['--wfp', kept], ['--manifests', folder / 'none']):
        serve([], folder, *words, status=1)
    claim(kept.read_text() == 'kept', 'the file of an option that is refused stays')
    kept.unlink()
    text = subprocess.run([cli, 'mcp', '--help'], capture_output=True, text=True, check=True).stdout
    claim('--clock-offset' in text and not [word for word in ('--member', '--output', '--quiet') if word in text], 'the help lists no others')

    log = call('table', file='one.etl', beside=['u_ex.log'], table='log')
    times = [row['time_ns'] for row in rows_of(serve([log], folder, '--no-redact')[0])[0]]
    for name in ('u_ex.log', folder / 'u_ex.log', os.path.relpath(folder / 'u_ex.log')):
        moved = [row['time_ns'] for row in rows_of(serve([log], folder, '--no-redact', '--clock-offset', f'{name}=100')[0])[0]]
        claim(times and moved == [time + 100 * 10**9 for time in times], f'{name} is moved: {times}, {moved}')
    table = folder / 'table.csv'
    table.write_text('Moment;What\n2026-03-02 13:14:06;a\n2026-03-02 13:14:07;b\n')
    rows = rows_of(serve([call('table', file='one.etl', beside=['table.csv'], table='log')], folder, '--no-redact', '--time-column',
                         'table.csv=Moment')[0])[0]
    claim(len(rows) == 2, f'the time column of a table: {rows}')
    table.unlink()


def check_names_of_machines():
    """No message of a redacted answer names a computer or a member of an archive."""
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(os.path.realpath(name))
        subprocess.run([make_fleet, top / 'traces', top / 'facts', '2'], check=True, capture_output=True)
        folder = top / 'traces'
        with zipfile.ZipFile(folder / 'both.zip', 'w') as archive:
            for number in range(2):
                archive.write(folder / f'00{number}.etl', f'of PC-00{number}.etl')
            archive.writestr('log of PC-000.csv', 'Time;What\n2026-03-02 13:14:06;a\nwrong;b\n')
        several = {'file': '000.etl', 'beside': ['001.etl']}
        calls = [call(tool, **which) for tool in ('activities', 'findings', 'info', 'stacks', 'payload')
                 for which in (several, {'file': 'both.zip'}, {'file': 'both.zip', 'member': 'none'})]
        calls += [call('diff', file='both.zip', other='000.etl'), call('info', file='000.etl', beside=['both.zip'], member='none')]
        text = json.dumps(ask(calls, folder))
        claim('PC-0' not in text and str(folder) not in text, f'no name of a computer: {text}')
        claim('the clocks of 000.etl and 001.etl are' in text and 'both.zip (member 2) is left out: another computer' in text,
              f'but of files: {text}')
        claim('PC-000' in json.dumps(ask(calls, folder, '--no-redact')), 'with names they are told')
        member = rows_of(serve([call('activities', file='both.zip', member='2')], folder)[0])[0]
        claim(member and member == said('activities', folder / '001.etl', '--redact'), 'a member by its number')
        for words in (['findings', folder], ['findings', folder / 'both.zip'], ['stacks', folder / 'both.zip'], ['pairs', folder / 'both.zip'],
                      ['pairs', folder / '000.etl', folder / '001.etl'], ['tcp', folder / 'both.zip'],
                      ['activities', folder / 'both.zip', '--member', 'none']):
            done = subprocess.run([cli, *map(str, words), '--redact', '--format', 'json'], capture_output=True, text=True, check=False)
            claim(done.stderr and 'PC-0' not in done.stderr + done.stdout, f'{words}: {done}')
        subprocess.run([cli, 'extract', folder / 'both.zip', '--to', top / 'tables', '--as', 'jsonl', '--redact'], check=True,
                       capture_output=True)
        failed = subprocess.run([cli, 'extract', folder / 'both.zip', '--to', top / 'failed', '--as', 'jsonl', '--redact', '--member', 'none'],
                                capture_output=True, text=True, check=False)
        claim('no trace of the archive' in failed.stderr and 'PC-0' not in failed.stderr, f'{failed}')
        told = ''.join(path.read_text() for path in (top / 'tables' / 'trace').rglob('*.jsonl'))
        claim('is left out: another computer"' in told and 'PC-0' not in told, f'nor does extract name them: {told[:2000]}')


def check_odd_names():
    """Names that are not UTF-8 are listed as text that opens the file."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(os.path.realpath(name))
        names = [b'a\xff.etl', b'a\\x\xfe\xc3.etl', 'ü\\x41.etl'.encode(), b'new\nline.etl']
        for each in names:
            shutil.copy(sample, os.fsencode(folder) + b'/' + each)
        (folder / os.fsdecode(b'bad\xff.etl')).write_text('no trace\n' * 100)
        listed = [row['file'] for row in rows_of(serve([call('files')], folder)[0])[0]]
        claim(set(listed) == {'a\\xff.etl', 'a\\x5cx\\xfe\\xc3.etl', 'ü\\x41.etl', 'new\nline.etl', 'bad\\xff.etl'}, f'{listed}')
        for words in ([], ['--no-redact']):
            answers = ask([call('info', file=each) for each in listed], folder, *words)
            opened = [each for each, answer in zip(listed, answers) if not answer['result']['isError']]
            claim(set(opened) == set(listed) - {'bad\\xff.etl'}, f'listed names open files: {opened}')
            claim(str(folder) not in json.dumps([answer for answer in answers if answer['result']['isError']]), f'{answers}')
        claim('error' in serve([call('info', file='ä' * 99 + 'x' + 'ä' * 99)], folder)[0], 'a long name is cut between characters')


with tempfile.TemporaryDirectory() as top:
    top = pathlib.Path(os.path.realpath(top))
    folder = top / 'traces'
    (folder / 'below').mkdir(parents=True)
    shutil.copy(sample, folder / 'one.etl')
    shutil.copy(sample, folder / 'below' / 'two.etl')
    shutil.copy(sample, top / 'secret.etl')
    (folder / 'link.etl').symlink_to(top / 'secret.etl')
    (folder / 'inside.etl').symlink_to(folder / 'one.etl')
    os.mkfifo(folder / 'pipe.etl')
    (folder / 'wrong.etl').write_text('no trace\n' * 100)
    log = folder / 'u_ex.log'
    log.write_text('#Fields: date time cs-method cs-uri-stem\n2018-04-23 12:00:00 GET /a\n2018-04-23 12:00:01 GET /b\n')

    # The initialization handshake.
    hello = {'protocolVersion': '2024-11-05', 'capabilities': {}, 'clientInfo': {'name': 'test', 'version': '1'}}
    first, tools, pong = serve([request('initialize', hello), {'jsonrpc': '2.0', 'method': 'notifications/initialized'},
                                request('tools/list', number='two'), request('ping', number=3)], folder)
    claim(first['result']['protocolVersion'] == '2024-11-05' and 'tools' in first['result']['capabilities'], 'the version that was asked for')
    claim(pong == {'jsonrpc': '2.0', 'id': 3, 'result': {}} and tools['id'] == 'two', 'answers have the ids of the requests')
    schemas = {tool['name']: tool['inputSchema'] for tool in tools['result']['tools']}
    claim(set(schemas) == {'files', 'info', 'activities', 'table', 'findings', 'stacks', 'payload', 'diff', 'codes'}, f'{set(schemas)}')
    claim(all(set(schema['required']) <= set(schema['properties']) for schema in schemas.values()), 'schemas make sense')
    odd = serve([request('initialize', {**hello, 'protocolVersion': '1999-01-01'})], folder)[0]
    claim(odd['result']['protocolVersion'] == '2025-06-18', 'the newest version where it knows another')

    # With --no-redact, the tools return what the verbs print.
    files = rows_of(serve([call('files')], folder)[0])[0]
    claim([row['file'] for row in files] == ['below/two.etl', 'inside.etl', 'one.etl', 'wrong.etl'], f'files are listed: {files}')
    claim({row['size'] for row in files[:3]} == {os.path.getsize(sample)}, f'with their sizes: {files}')
    answers = ask([call('activities', file='one.etl', limit=1000), call('table', file='below/two.etl', table='dns'),
                     call('findings', file=str(folder / 'one.etl')), call('info', file='inside.etl'),
                     call('stacks', file='one.etl', row=1), call('payload', file='one.etl', row=1),
                     call('diff', file='one.etl', other='below/two.etl'), call('codes', number=10060),
                     call('codes', number='0x80072ee2')], folder, '--no-redact')
    several = ask([call('table', file='one.etl', beside=['u_ex.log'], table='log'),
                   call('activities', file='one.etl', beside=['u_ex.log', str(folder / 'below' / 'two.etl')], limit=1000),
                   call('info', file='one.etl', beside=[]), call('info', file='one.etl', beside=['/etc/hostname']),
                   call('info', file='one.etl', beside='u_ex.log'), call('info', file='one.etl', beside=[1])], folder, '--no-redact')
    claim(rows_of(several[0])[0] == said('log', folder / 'one.etl', log) and len(rows_of(several[0])[0]) == 2, 'a log beside a trace')
    claim(rows_of(several[1])[0] == said('activities', folder / 'one.etl', log, folder / 'below' / 'two.etl'), 'several files')
    claim(rows_of(several[2])[0][0]['left_out'] == [], 'none beside it')
    claim('in the folders of this server;' in several[3]['error']['message'], 'nor one from elsewhere')
    claim(all('beside is not a list of strings' in answer['error']['message'] for answer in several[4:]), 'a list of texts')
    activities = said('activities', sample)
    claim(rows_of(answers[0])[0] == activities, 'activities are those of the verb')
    claim(rows_of(answers[1])[0] == said('dns', sample), 'rows of a table, too')
    claim(rows_of(answers[2])[0] == said('findings', sample), 'findings, too')
    claim(rows_of(answers[3])[0][0]['events'] == said('info', sample)[0]['events'], 'info, too')
    claim(rows_of(answers[4])[0] == said('stacks', sample, '--row', 1, '--cached-only'), 'stacks, too')
    claim(rows_of(answers[5])[0] == said('payload', sample, '--row', 1), 'payload, too')
    claim(len(rows_of(answers[6])[0]) == len(said('diff', sample, sample)), 'differences, too')
    claim('WSAETIMEDOUT' in answers[7]['result']['content'][0]['text'], 'codes by number')
    claim('TIMEOUT' in answers[8]['result']['content'][0]['text'], 'codes by text')

    # Pages of rows, and columns, order and filter of a call.
    page, rest = ask([call('activities', file='one.etl', limit=2, columns='id,duration_ns', sort='-duration_ns'),
                        call('activities', file='one.etl', offset=2, filter='sent>0', columns='id')], folder)
    rows, remark = rows_of(page)
    claim(rows == said('activities', sample, '--columns', 'id,duration_ns', '--sort=-duration_ns', '--limit', 2) and
          remark['rows'] == 2 and remark['more'] is True and remark['next_offset'] == 2, 'a page, and where the next begins')
    claim(rows_of(rest)[0] == said('activities', sample, '--columns', 'id', '--filter', 'sent>0', '--offset', 2), 'the next page')

    # By default the answers have no names.
    names = {row[field] for row in activities for field in ('server', 'ip', 'url') if row[field]}
    names |= {row['path'] for row in said('processes', sample) if row['path']} | {row['query'] for row in said('dns', sample)}
    names = {name for name in names if len(name) > 5 and not name.startswith('224.')}  # multicast addresses are kept
    claim(len(names) > 10, 'there are names')
    masked = ask([call('activities', file='one.etl', columns='all'), call('findings', file='one.etl', columns='all'),
                    call('info', file='one.etl'), call('stacks', file='one.etl'), call('payload', file='one.etl'),
                    call('diff', file='one.etl', other='below/two.etl', columns='all')] +
                   [call('table', file='one.etl', table=name, columns='all') for name in schemas['table']['properties']['table']['enum']],
                   folder)
    claim(not [answer for answer in masked if answer['result']['isError']], 'all of them answer')
    text = json.dumps(masked)
    left = [name for name in names if name in text or json.dumps(name)[1:-1] in text]
    claim(not left, f'no name of the trace is answered: {left}')
    claim('server-1' in text and 'address-1' in text, 'but stand-ins')
    claim(str(top) not in text, 'nor where the files are')
    refused = serve([call('table', file='one.etl', table='events')], folder)[0]
    claim('without names' in refused['error']['message'], 'records are told with names or not at all')
    claim(rows_of(serve([call('table', file='one.etl', table='events', limit=3)], folder, '--no-redact')[0])[1]['more'] is True,
          'with names they are')

    # Files outside of the folder are refused.
    outside = ['../secret.etl', str(top / 'secret.etl'), 'link.etl', '/etc/passwd', '/proc/self/environ', 'below', '.', '', '..',
               'below/../../secret.etl', 'one.etl/', 'none.etl', '-', '--help', 'pipe.etl', 'one.etl\0.etl', '/dev/zero', 'a' * 5000]
    for name, answer in zip(outside, ask([call('info', file=name) for name in outside], folder, '--no-redact')):
        claim('is not a file in' in answer.get('error', {}).get('message', ''), f'{name!r:.40} is refused: {answer}')
    beside = top / 'traces-2'
    beside.mkdir()
    shutil.copy(sample, beside / 'x.etl')
    claim('error' in serve([call('info', file='../traces-2/x.etl')], folder)[0], 'a folder that begins alike is another')
    claim('result' in serve([call('info', file='x.etl')], folder, beside)[0], 'several folders')
    broken = serve([call('activities', file='wrong.etl')], folder)[0]['result']
    claim(broken['isError'] and str(top) not in broken['content'][0]['text'] and 'wrong.etl' in broken['content'][0]['text'],
          f'what is no trace is told, by the name that was said: {broken}')

    # Invalid arguments.
    wrong = [call('activities'), call('nothing', file='one.etl'), call('info', file=1), call('info', file=['one.etl']),
             call('info', file={'a': 1}), call('info', file=None), call('info', file='one.etl', output='x'),
             call('activities', file='one.etl', limit=0), call('activities', file='one.etl', limit=1001),
             call('activities', file='one.etl', limit=10**30), call('activities', file='one.etl', limit='5'),
             call('activities', file='one.etl', limit=1.5), call('activities', file='one.etl', limit=-1),
             call('activities', file='one.etl', limit=True), call('activities', file='one.etl', filter='x' * 20000),
             call('table', file='one.etl', table='none'), call('table', file='one.etl', table='recipe'),
             call('diff', file='one.etl'), call('codes'), call('codes', number=[]), call('codes', number=True),
             call('codes', number=False), call('codes', number=None), call('codes', number=1.5), call('codes', number={}),
             call('activities', file='one.etl', columns=''), call('activities', file='one.etl', columns=' , '),
             request('tools/call', {'name': 5}), request('tools/call', []), request('tools/call'), request('tools/call', {'name': 'info', 'arguments': 3}),
             request('initialize'), request('initialize', {'protocolVersion': 5})]
    for message, answer in zip(wrong, ask(wrong, folder)):
        claim(answer.get('error', {}).get('code') == -32602, f'{json.dumps(message):.200}: {answer}')
    for answer in ask([call('activities', file='one.etl', filter='server =='), call('activities', file='one.etl', columns='none'),
                         call('activities', file='one.etl', filter='--output=x'), call('stacks', file='one.etl', row=99999),
                         call('activities', file='one.etl', **{'from': 'never'})], folder):
        claim(answer['result']['isError'] and answer['result']['content'][0]['text'], f'{answer}')
    claim(sorted(path.name for path in top.rglob('*')) ==
          sorted(['traces', 'below', 'one.etl', 'two.etl', 'secret.etl', 'link.etl', 'inside.etl', 'pipe.etl', 'wrong.etl', 'u_ex.log',
                  'traces-2', 'x.etl']),
          'nothing was written')

    # Invalid messages.
    deep = b'[' * 100000
    huge = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":"' + b'x' * (2 << 20) + b'"}'
    many = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[' + b','.join([b'1'] * 5000) + b']}'
    bad = [(b'{', -32700), (b'hello', -32700), (b'\xff\xfe', -32700), (b'{"jsonrpc":"2.0","id":1,"method":"ping",}', -32700),
           (b"{'id':1}", -32700), (b'{"jsonrpc":"2.0","id":01,"method":"ping"}', -32700), (deep, -32700), (huge, -32600), (many, -32700),
           (b'[]', -32600), (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600), (b'5', -32600), (b'null', -32600), (b'"x"', -32600),
           (b'{}', -32600), (b'{"id":1,"method":"ping"}', -32600), (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
           (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
           (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
           (b'{"jsonrpc":"2.0","id":1}', -32600), (b'{"jsonrpc":"2.0","id":"' + b'9' * 1000 + b'","method":"ping"}', -32600),
           (b'{"jsonrpc":"2.0","id":' + b'9' * 1000 + b',"method":"ping"}', -32600),
           (b'{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32601), (b'{"jsonrpc":"2.0","id":1,"method":""}', -32601),
           (b'{"jsonrpc":"2.0","id":1,"method":"tools/call\\u0000"}', -32601)]
    for (line, code), answer in zip(bad, serve([line for line, _ in bad], folder), strict=True):
        claim(answer['error']['code'] == code, f'{line[:80]!r}: {answer}')
    ids = [0, -1, 2**53 + 1, 10**40, 'x', '', 'ü"\\\n', '9' * 200, 1.5]
    claim([answer['id'] for answer in serve([request('ping', number=number) for number in ids], folder)] == ids, 'ids come back as they were')
    quiet = serve([b'', b'   ', {'jsonrpc': '2.0', 'method': 'notifications/none'}, {'jsonrpc': '2.0', 'method': 'ping'},
                   {'jsonrpc': '2.0', 'id': 9, 'result': {}}, {'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': 5}}],
                  folder)
    claim(quiet == [], 'what wants no answer gets none')

    # Many messages in random order.
    chance = random.Random(7)
    lot = []
    for number in range(10000):
        kind = chance.randrange(8)
        lot.append([request('ping', number=number), request('tools/list', number=number), call('info', number, file='../x'),
                    call('files', number, limit=1), request('none', number=number), call('none', number),
                    {'jsonrpc': '2.0', 'id': number}, call('codes', number, number=[number])][kind])
    answers = serve(lot, folder)
    claim([answer['id'] for answer in answers] == list(range(10000)), '10,000 requests have 10,000 answers')
    lot = [call('codes', number, number=number) if number % 3 else request('ping', number=number) for number in range(300)]
    answers = serve(lot, folder)
    claim(sorted(answer['id'] for answer in answers) == list(range(300)) and not [a for a in answers if 'error' in a],
          'more calls than wait at a time are all done')

    # Cancelled requests.
    lot = [call('activities', number, file='one.etl') for number in range(4)]
    lot += [{'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': number}} for number in (0, 2)]
    claim({answer['id'] for answer in serve(lot, folder)} == {1, 3}, 'calls that were cancelled are not answered')

    # The verbs themselves refuse --redact for output that cannot be redacted, or leave columns out.
    for words in (['events', sample], ['packets', sample], ['packets', sample, '--appearances'], ['dns', sample, '--tree'],
                  ['tcp', sample, '--group-by', 'server'], ['stacks', sample, '--tree'], ['info', sample, '--format', 'text'],
                  ['info', sample, '--stats', '--format', 'json'], ['payload', sample, '--format', 'text'],
                  ['kernel-network', sample, '--raw']):
        done = subprocess.run([cli, *words, '--redact'], capture_output=True, text=True, check=False)
        claim(done.returncode == 2 and '--redact' in done.stderr and not done.stdout, f'{words} with --redact: {done.stderr}')
    claim({row['server'] for row in said('diff', sample, sample, '--redact')} <= {None}, 'no hosts of differences')

    # Invalid command lines.
    serve([], status=2)
    serve([], top / 'none', status=1)
    serve([], folder / 'one.etl', status=1)
    check_options(folder)

check_names_of_machines()
check_odd_names()
print(f'{claims} claims hold')
