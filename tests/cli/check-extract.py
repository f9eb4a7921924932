#!/usr/bin/env python3
"""Tests extract over many traces: each format agrees with the verbs, and a run can be repeated, interrupted, killed
or divided among processes.

Usage: check-extract.py CLI SAMPLE SCHEMA TRACES

SCHEMA is the output of --schema for the current version of the schema; TRACES is a folder of traces with requests of
other libraries. The checks that need these traces are skipped if they are missing.
"""
import contextlib
import fcntl
import glob
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import parquet_reader  # noqa: E402

CLI, SAMPLE, SCHEMA, TRACES = sys.argv[1:5]
# Tables that a verb prints, too. The listings have stack frames only on request.
VERBS = ('activities', 'dns', 'tcp', 'flows', 'winsock', 'findings', 'processes', 'providers')
FRAMES = ('stack', 'first_stack', 'middle_stacks', 'last_stack')
LEFT_OUT = ('phases', 'evidence')
claims = 0


def claim(ok, what):
    global claims
    claims += 1
    if not ok:
        sys.exit(f'not so: {what}')
    print(f'ok {claims} - {what}')


def extract(*words, status=0, **more):
    run = subprocess.run([CLI, 'extract', *map(str, words)], capture_output=True, text=True, **more)
    if status is not None and run.returncode != status:
        sys.exit(f'extract {words}: status {run.returncode}, wanted {status}: {run.stderr}')
    return run


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(pathlib.Path(folder).rglob('*'))
            if path.is_file()}


def rows_of(folder, table, end='parquet'):
    rows = []
    for path in sorted(glob.glob(f'{folder}/{table}/*/*.{end}')):
        if end == 'parquet':
            rows += parquet_reader.read(path)[1]
        else:
            rows += [json.loads(line) for line in open(path, encoding='utf-8')]
    return rows


def said(verb, trace):
    run = subprocess.run([CLI, verb, trace, '--format', 'jsonl', '-q', '--columns', 'all'], capture_output=True,
                         text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def key(row):
    return [str(row.get(name)) for name in ('id', 'guid', 'start_utc', 'subject', 'text')]


def copy_traces(folder, n):
    """Writes n traces that differ in their last bytes only, which no row depends on."""
    whole = pathlib.Path(SAMPLE).read_bytes()
    for i in range(n):
        pathlib.Path(folder, f'{i:03}.etl').write_bytes(whole + bytes(i + 1))


with tempfile.TemporaryDirectory() as top:
    top = pathlib.Path(top)
    one = top / 'one'
    extract(SAMPLE, '--to', one)

    # The tables have the values that the verbs print.
    for verb in VERBS:
        wanted, got = said(verb, SAMPLE), rows_of(one, verb)
        claim(len(wanted) == len(got), f'{verb}: {len(wanted)} rows')
        for want, have in zip(sorted(wanted, key=key), sorted(got, key=key)):
            for name, value in want.items():
                if name in LEFT_OUT or name in FRAMES:
                    continue
                if have.get(name, 'no column') != value:
                    sys.exit(f'{verb} {want.get("id")}: {name} is {have.get(name, "no column")!r}, the verb has {value!r}')
            for name, value in (want.get('phases') or {}).items():
                if have[f'phase_{name}'] != value:
                    sys.exit(f'{verb} {want["id"]}: phase_{name}')
    claim(True, 'each value is that of the verb')

    # Columns that only the tables have.
    activities = rows_of(one, 'activities')
    trace, = rows_of(one, 'trace')
    info = json.loads(subprocess.run([CLI, 'info', SAMPLE, '--format', 'json', '-q'], capture_output=True, text=True,
                                     check=True).stdout)
    info = info[0] if isinstance(info, list) else info
    claim(all(trace[name] == info[name] for name in ('size', 'session', 'os_version', 'events_lost', 'buffers_lost')),
          'the table of traces says what info says')
    claim(trace['n_activities'] == len(activities) and trace['n_findings'] ==
          sum(row['verdict'] == 'found' for row in rows_of(one, 'findings')), 'and counts what the tables hold')
    claim(all(row['trace_id'] == trace['trace_id'] and row['start_utc'] - row['open_ns'] == trace['start_utc']
              for row in activities), 'moments are those of the trace and its time zero')
    claim(activities == sorted(activities, key=lambda row: row['start_utc']), 'rows come by their begin')
    stacks = {row['stack_key']: row['frames'] for row in rows_of(one, 'stacks')}
    claim(len(stacks) >= 5 and all(stacks[row['last_key']] for row in activities if row['last_key']) and
          any(row['first_key'] != row['last_key'] for row in activities), 'keys of stacks stand for frames')
    http = rows_of(one, 'http')
    claim({row['layer'] for row in http} == {verb for verb in ('webio', 'wininet', 'chromium', 'dotnet') if said(verb, SAMPLE)} and
          len(http) == sum(len(said(verb, SAMPLE)) for verb in ('webio', 'wininet', 'chromium', 'dotnet')),
          'requests of all libraries in one shape')
    for name, layer in (('correlation-Chromium-C1', 'chromium'), ('dotnet-Requests-N01', 'dotnet')):
        path = f'{TRACES}/synthetic/{name}.etl'
        if not os.path.exists(path):
            print(f'# skipped: {path} is not there')
            continue
        extract(path, '--to', top / layer)
        wanted = {row['id']: row for row in said(layer, path)}
        got = [row for row in rows_of(top / layer, 'http') if row['layer'] == layer]
        claim(len(got) == len(wanted) > 0 and
              all(row['request'] == (None if wanted[row['id']]['request'] is None else str(wanted[row['id']]['request']))
                  and row['http_status'] == wanted[row['id']]['http_status'] for row in got),
              f'requests of {layer} have the kinds of the column')
    # Tables for which the sample has no rows.
    for name, tables in (('dotnet-Requests-N01.etl', ('dotnet',)), ('bits-B01.etl', ('bits',)), ('wfp-W01.zip', ('wfp',)),
                         ('smb-S01.etl', ('smb',)), ('rpc-R01.etl', ('rpc',)), ('quic-Q01.etl', ('quic',)),
                         ('bits-C01.etl', ('capi2',)), ('correlation-LDAP-L1.etl', ('ldap',)),
                         ('correlation-URLMon-M1.etl', ('urlmon',))):
        path = f'{TRACES}/synthetic/{name}'
        if not os.path.exists(path):
            print(f'# skipped: {path} is not there')
            continue
        extract(path, '--to', top / name, '--tables', ','.join(tables))
        for table in tables:
            wanted, got = said(table, path), rows_of(top / name, table)
            claim(len(wanted) == len(got) > 0, f'{table}: {len(wanted)} rows')
            for want, have in zip(sorted(wanted, key=key), sorted(got, key=key)):
                for field, value in want.items():
                    if field not in FRAMES and have.get(field, 'no column') != value:
                        sys.exit(f'{table} {want["id"]}: {field} is {have.get(field, "no column")!r}, the verb has {value!r}')
    claim(True, 'each value of a layer is that of its verb')
    full = top / 'full'
    extract(SAMPLE, '--to', full, '--stacks', 'full', '--tables', 'activities')
    wanted = {row['id']: row['stack'] for row in said('activities', SAMPLE)}
    claim(any(wanted.values()) and all(row['stack'] == wanted[row['id']] for row in rows_of(full, 'activities')),
          'frames stand in rows where that was asked for')
    extract(SAMPLE, '--to', top / 'no', '--stacks', 'none', '--tables', 'activities,stacks')
    claim(rows_of(top / 'no', 'stacks') == [] and
          all(row['first_key'] is None and row['stack_path'] is None for row in rows_of(top / 'no', 'activities')),
          'and nothing of stacks where it was not')
    claim(sorted(path.name for path in (top / 'no').glob('[!.]*')) == ['activities', 'failures', 'stacks', 'trace'],
          'only tables that were asked for')

    # The other output formats.
    extract(SAMPLE, '--to', top / 'lines', '--as', 'jsonl')
    extract(SAMPLE, '--to', top / 'all.sqlite', '--as', 'sqlite')
    database = sqlite3.connect(top / 'all.sqlite')
    database.row_factory = sqlite3.Row
    claim(database.execute('PRAGMA integrity_check').fetchone()[0] == 'ok', 'the database is whole')
    for table in (*VERBS, 'http', 'stacks', 'trace'):
        parquet, lines = rows_of(one, table), rows_of(top / 'lines', table, 'jsonl')
        found = [dict(row) for row in database.execute(f'SELECT * FROM "{table}"')]
        columns = parquet_reader.read(glob.glob(f'{one}/{table}/*/part-none.parquet')[0])[0]
        claim(len(parquet) == len(lines) == len(found), f'{table}: as many rows in all forms')
        for a, b, c in zip(parquet, lines, found):
            for column in columns:
                value = a[column.name]
                if column.is_timestamp and value is not None:
                    second, rest = divmod(value, 10**9)
                    value = time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(second)) + f'.{rest:09}Z'
                other = c[column.name]
                if column.is_list and other is not None:
                    other = json.loads(other)
                if column.kind == parquet_reader.BOOLEAN and other is not None:
                    other = bool(other)
                if not (value == b[column.name] == other):
                    sys.exit(f'{table}.{column.name}: {value!r}, {b[column.name]!r}, {other!r}')
    claim(database.execute('SELECT count(*) FROM activities_with_stacks WHERE last_frames IS NOT NULL').fetchone()[0] > 0,
          'the view has the frames')

    # File permissions.
    extract(SAMPLE, '--to', top / 'open', '--mode', '0644')
    extract(SAMPLE, '--to', top / 'open.sqlite', '--as', 'sqlite', '--mode', '0644')
    for where, mode in ((one, 0o600), (top / 'open', 0o644)):
        claim({path.stat().st_mode & 0o777 for path in where.rglob('*.parquet')} == {mode}, f'files have mode {mode:o}')
    claim([path.stat().st_mode & 0o777 for path in (top / 'all.sqlite', top / 'open.sqlite')] == [0o600, 0o644],
          'databases, too')

    # The schema.
    schema = extract('--schema').stdout
    wanted, got = json.load(open(SCHEMA, encoding='utf-8')), json.loads(schema)
    claim(wanted == got, 'the schema is that of its version: raise NS_EXTRACT_SCHEMA_VERSION with a change, and the file')
    for table, columns in got['tables'].items():
        if [column['name'] for column in columns] != \
                [column.name for column in parquet_reader.read(glob.glob(f'{one}/{table}/*/part-none.parquet')[0])[0]]:
            sys.exit(f'{table}: other columns than the schema says')
    claim(True, 'files have the columns of the schema, also without rows')

    # The same extraction by two jobs, over existing output, with copies and unreadable files.
    many = top / 'many'
    (many / 'below').mkdir(parents=True)
    copy_traces(many, 4)
    (many / 'below' / '004.etl').write_bytes((many / '003.etl').read_bytes() + b'x')
    (many / 'again.etl').write_bytes((many / '000.etl').read_bytes())
    (many / 'wrong.etl').write_text('no trace at all\n' * 30)
    for name in ('notes.txt', 'NOTES.TXT.GZ'):
        (many / name).write_text('not looked at\n')
    run = extract(many, '--to', top / 'a', status=3)
    claim('extracted: 4, failed: 1, already present: 0, specified twice: 1' in run.stderr and
          '\nnetstitch-cli: wrong.etl is' in '\n' + run.stderr,
          'what became of the traces is told')
    failure, = rows_of(top / 'a', 'failures')
    claim(failure['file'] == 'wrong.etl' and failure['reason'].startswith('wrong.etl is') and
          'text file' in failure['reason'] and failure['size'] == 480,
          'a trace that cannot be read is a row of failures')
    before = files(top / 'a')
    extract(many, '--to', top / 'b', '--jobs', 2, status=3)
    claim(files(top / 'b') == before, 'two jobs write the same files')
    run = extract(many, '--to', top / 'a', '--resume', status=3)
    claim('extracted: 0, failed: 1, already present: 4' in run.stderr and files(top / 'a') == before,
          'a run that goes on reads only what is missing')
    extract(many, '--to', top / 'a', status=3)
    claim(files(top / 'a') == before, 'the same again makes the same files')
    extract(many, '--to', top / 'deep', '--recursive', status=3)
    claim({row['file'] for row in rows_of(top / 'deep', 'trace')} == {'000.etl', '001.etl', '002.etl', '003.etl', 'below/004.etl'},
          'subfolders of')
    (many / 'wrong.etl').write_bytes((many / '000.etl').read_bytes() + b'now')
    extract(many, '--to', top / 'a', '--resume')
    claim(len(rows_of(top / 'a', 'trace')) == 5, 'what was mended is there afterwards')
    claim(not rows_of(top / 'a', 'failures'), 'and is no failure any more')

    # Temporary files of a killed run are removed; those that another process has locked are kept.
    folder = top / 'a' / 'activities' / 'day=__HIVE_DEFAULT_PARTITION__'
    (folder / 'part-none.parquet.aaaaaa').write_text('left')
    with open(folder / 'part-none.parquet.bbbbbb', 'w', encoding='utf-8') as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        extract(many, '--to', top / 'a', '--resume')
        claim([path.name for path in sorted(folder.iterdir())] == ['part-none.parquet', 'part-none.parquet.bbbbbb'],
              'files of others that write there, too, stay')
    extract(many, '--to', top / 'a', '--resume')
    claim(os.listdir(folder) == ['part-none.parquet'], 'nothing is left behind')

    # A table file that exists although the trace has no rows for it is removed.
    claim(all(os.listdir(path) for path in (top / 'a').glob('*/day=*')), 'no folder is empty')
    done = next((top / 'a' / 'trace').glob('day=*/part-[0-9a-f]*.parquet'))
    stale = top / 'a' / 'quic' / done.parent.name / done.name
    stale.parent.mkdir(exist_ok=True)
    stale.write_bytes(done.read_bytes())
    extract(many, '--to', top / 'a')
    claim(not stale.parent.exists(), 'a file of before is gone where there are no rows any more')

    # Input files from a list.
    names = [str(many / name) for name in ('000.etl', '001.etl')]
    extract('--from-file', '-', '--to', top / 'list', input='\n'.join(names) + '\n')
    (top / 'zeros').write_bytes('\0'.join(names).encode())
    extract('--from-file', top / 'zeros', '-0', '--to', top / 'zero')
    claim(files(top / 'list') == files(top / 'zero') and len(rows_of(top / 'list', 'trace')) == 2, 'names of a list')

    # With --redact the tables have no names, as in other exports.
    extract(SAMPLE, '--to', top / 'masked', '--redact')
    text = json.dumps([rows_of(top / 'masked', table) for table in (*VERBS, 'http', 'stacks', 'trace')])
    hosts = {row['server'] for row in activities if row['server'] and '.' in row['server']}
    claim(len(hosts) > 3 and not [host for host in hosts if host in text] and 'server-' in text, 'stand-ins take the place of hosts')

    # With --redact the tables do not show whose trace it is, also of unreadable files.
    whose = top / 'whose'
    whose.mkdir()
    shutil.copy(SAMPLE, whose / 'trace-of-somebody.etl')
    (whose / 'broken-of-somebody.etl').write_text('not a trace')
    for flag in ((), ('--redact',)):
        told = b''
        for form in ('jsonl', 'sqlite'):
            to = top / f'whose{len(flag)}.{form}'
            extract(whose, '--to', to, '--as', form, *flag, status=3)
            told += b''.join(path.read_bytes() for path in (to.rglob('*.jsonl') if form == 'jsonl' else (to,)))
        with contextlib.closing(sqlite3.connect(to)) as database:
            named = database.execute('select file, session from trace').fetchall() + database.execute(
                'select file, reason from failures').fetchall()
        claim(len(named) == 2 and all((cell is None) == bool(flag) for row in named for cell in row),
              f'names of files and of the session {"are left out" if flag else "are told"}')
        claim((b'of-somebody' in told) == (not flag), f'names of files stand {"nowhere" if flag else "there"}')

    # Invalid arguments.
    for words, part in ((('--to', top / 'w'), 'usage'), ((SAMPLE,), '--to'), ((SAMPLE, '--to', top / 'w', '--as', 'orc'), 'parquet'),
                        ((SAMPLE, '--to', top / 'w', '--tables', 'dsn'), 'dsn'), ((SAMPLE, '--to', top / 'w', '--stacks', 'x'), 'keys')):
        claim(part in extract(*words, status=2).stderr, f'refused: {words[-1]}')
    (top / 'file').write_text('')
    claim('cannot be made' in extract(SAMPLE, '--to', top / 'file', status=1).stderr, 'no folder, and that is said')
    (top / 'odd.sqlite').write_text('not a database, but text that is long enough for a page\n' * 100)
    claim('cannot be written' in extract(SAMPLE, '--to', top / 'odd.sqlite', '--as', 'sqlite', status=1).stderr,
          'another file is not written over')
    run = extract(SAMPLE, '--to', top / 'full-disk', status=1,
                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
    claim('cannot be written' in run.stderr and not rows_of(top / 'full-disk', 'trace'), 'no room, and that is said')

    # A worker process that fails costs only its own trace.
    held = top / 'held'
    held.mkdir()
    copy_traces(held, 2)
    os.mkfifo(held / 'pipe.etl')
    run = extract(held, '--to', top / 'fifo', status=3)
    claim('pipe.etl' in run.stderr and 'extracted: 2, failed: 1' in run.stderr, 'what is no file is a failure')
    # Sanitizers reserve far more address space than they use, so --memory has no effect with them.
    if b'__asan_init' not in pathlib.Path(CLI).read_bytes():
        run = extract(SAMPLE, '--to', top / 'small', '--memory', 1, status=3)
        claim('extracted: 0, failed: 1' in run.stderr and len(rows_of(top / 'small', 'failures')) == 1,
              'a job without memory costs its trace')

    # A run that is killed at any moment can be resumed.
    fleet = top / 'fleet'
    fleet.mkdir()
    copy_traces(fleet, 12)
    extract(fleet, '--to', top / 'whole')
    wanted = {name: data for name, data in files(top / 'whole').items()}
    chance = random.Random(1)
    for form, where in (('parquet', top / 'killed'), ('sqlite', top / 'killed.sqlite')):
        for _ in range(10):
            process = subprocess.Popen([CLI, 'extract', fleet, '--to', where, '--as', form, '--jobs', '2', '--resume'],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(chance.random() * 0.4)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        extract(fleet, '--to', where, '--as', form, '--jobs', 2, '--resume')
        if form == 'parquet':
            claim({name: data for name, data in files(where).items() if re.search(r'\.parquet$', name)} == wanted,
                  'killed ten times and resumed: the same files')
        else:
            database = sqlite3.connect(where)
            count = dict(database.execute('SELECT trace_id, count(*) FROM activities GROUP BY 1').fetchall())
            claim(database.execute('PRAGMA integrity_check').fetchone()[0] == 'ok' and len(count) == 12 and
                  set(count.values()) == {len(activities)} and
                  database.execute('SELECT count(*), count(DISTINCT trace_id) FROM trace').fetchone() == (12, 12),
                  'killed ten times and resumed: no row twice, none missing')
    process = subprocess.Popen([CLI, 'extract', fleet, '--to', top / 'stopped', '--jobs', '2'], stderr=subprocess.PIPE, text=True)
    while not glob.glob(f'{top}/stopped/failures/*/*.parquet'):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    message = process.communicate(timeout=60)[1]
    claim('CRITICAL' not in message and ((process.returncode, 'stopped' in message) == (1, True) or
                                         'extracted: 12' in message),
          f'Ctrl+C ends it with a word: {message.strip()}')

print(f'{claims} claims hold')
