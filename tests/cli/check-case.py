#!/usr/bin/env python3
"""Tests cases: a trace split into several files has the rows of the whole trace, and files that are left out are
reported.

Usage: check-case.py CLI SAMPLE.etl
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

cli, sample = sys.argv[1:]
VERBS = ('activities', 'dns', 'tcp', 'winsock', 'webio', 'wininet', 'http-server', 'calls', 'tasks', 'processes',
         'threads', 'images', 'findings', 'stacks')
wrong = []


def run(*words):
    done = subprocess.run([cli, *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def claim(is_so, what):
    if not is_so:
        wrong.append(what)


def info(*words):
    code, out, err = run('info', *words, '--format', 'json')
    claim(code == 0, f'info {words}: {err}')
    return json.loads(out) if code == 0 else {}


def split(data, is_first):
    """Splits a trace into two files: the buffers for which is_first(number, count, bytes) is true, and the others. Each
    file begins with the first buffer."""
    places = []
    at = 0
    while at + 0x48 <= len(data):
        size = struct.unpack_from('<I', data, at)[0]
        places.append((at, at + size))
        at += size
    parts = [bytearray(data[:places[0][1]]), bytearray(data[:places[0][1]])]
    for number, (begin, end) in enumerate(places[1:]):
        parts[0 if is_first(number, len(places), data[begin:end]) else 1] += data[begin:end]
    return parts


WAYS = {
    'processor': lambda number, count, buffer: buffer[0x28] % 2 == 0,
    'alternate': lambda number, count, buffer: number % 2 == 0,
    'half': lambda number, count, buffer: number < count // 2,
}


def rows(verb, *files):
    code, out, err = run(verb, *files, '--format', 'jsonl')
    claim(code == 0, f'{verb} {files}: {err}')
    lines = [json.loads(line) for line in out.splitlines()]
    # The numbers of records include the header record of each file.
    for line in lines:
        line.pop('evidence', None)
    return sorted(json.dumps(line) for line in lines)


with tempfile.TemporaryDirectory() as folder:
    whole = os.path.join(folder, 'whole.etl')
    if sample.endswith('.zip'):
        with zipfile.ZipFile(sample) as archive:
            name = [name for name in archive.namelist() if name.endswith('.etl')][0]
            data = archive.read(name)
    else:
        with open(sample, 'rb') as file:
            data = file.read()
    with open(whole, 'wb') as file:
        file.write(data)
    expected = {verb: rows(verb, whole) for verb in VERBS}
    merged = os.path.join(folder, 'merged.etl')
    run('export', whole, '--as', 'etl', '-o', merged)
    exported = {verb: rows(verb, merged) for verb in VERBS}
    os.unlink(merged)
    alone = info(whole)
    code, out, err = run('activities', whole, '--columns', 'input', '--format', 'json')
    claim(all(row['input'] is None for row in json.loads(out)), 'a file alone has no name to tell')
    claim(len(alone['inputs']) == 1 and alone['duplicates'] == 0 and alone['left_out'] == [], 'a file alone')

    # The trace is split into two files in several ways.
    for way, is_first in WAYS.items():
        files = []
        for number, part in enumerate(split(data, is_first)):
            files.append(os.path.join(folder, f'{way}-{number}.etl'))
            with open(files[-1], 'wb') as file:
                file.write(part)
        for verb in VERBS:
            claim(rows(verb, *files) == expected[verb], f'{verb} of {way}: other rows than of the whole')
        joined = info(*files)
        claim(joined['events'] == alone['events'] + 1, f"{way}: {joined['events']} events, {alone['events']} alone")
        claim(sum(one['events'] - one['duplicates'] for one in joined['inputs']) == joined['events'], f'{way}: sum')
        claim([one['file'] for one in joined['inputs']] == files, f'{way}: names')
        base = os.path.basename(files[1])
        code, out, err = run('events', *files, '--filter', f'input:{base}', '--fields', 'input', '--format', 'csv')
        claim(set(out.splitlines()[1:]) == {base}, f'{way}: events by their file')
        claim(len(out.splitlines()) - 1 == joined['inputs'][1]['events'], f'{way}: number of events by their file')
        # A row belongs to the file with the record of its begin time.
        code, out, err = run('events', *files, '--columns', 'time_ns,input', '--format', 'json')
        inputs_at_ns = {}
        for one in json.loads(out):
            inputs_at_ns.setdefault(one['time_ns'], set()).add(one['input'])
        seen = set()
        for verb, moment in (('activities', 'open_ns'), ('tcp', 'open_ns'), ('dns', 'open_ns'), ('calls', 'open_ns'),
                             ('webio', 'open_ns'), ('tasks', 'create_ns'), ('processes', 'start_ns'),
                             ('threads', 'start_ns'), ('images', 'load_ns')):
            code, exact, err = run(verb, *files, '--columns', f'{moment},input', '--format', 'json')
            for row in json.loads(exact):
                names = inputs_at_ns.get(row[moment])
                seen.add(row['input'])
                claim(names is None or row['input'] in names, f"{way}: {verb} at {row[moment]} of {row['input']}")
        claim(way == 'processor' or seen >= {os.path.basename(path) for path in files}, f'{way}: rows of {seen}')
        code, out, err = run('activities', *files, '--filter', f'input:{base}', '--columns', 'input', '--format', 'csv')
        claim(set(out.splitlines()[1:]) <= {base}, f'{way}: rows by their file')
        # The rows' records are exported as one trace, and an export never overwrites an input.
        code, out, err = run('export', *files, '--as', 'etl', '-o', merged)
        claim(code == 0, f'{way}: {err}')
        for verb in VERBS:
            claim(rows(verb, merged) == exported[verb], f'{verb} of the trace exported from {way}')
        os.unlink(merged)
        code, out, err = run('export', *files, '--as', 'etl', '-o', files[1])
        claim(code != 0 and 'the trace itself' in err, f'{way}: an input as output: {err}')
        # A hand-over holds the rows of all files and lists the files.
        bundle = os.path.join(folder, 'case.etl.zip')
        code, out, err = run('export', *files, '--as', 'bundle', '-o', bundle)
        claim(code == 0, f'{way}: {err}')
        claim(rows('activities', bundle) == exported['activities'], f'activities of what was handed over of {way}')
        with zipfile.ZipFile(bundle) as parts:
            page = parts.read('report.html').decode()
        for one in joined['inputs']:
            claim(f'{os.path.basename(one["file"])}: events: {one["events"]}, duplicates: {one["duplicates"]}, lost: 0'
                  in page, f'{way}: files of a report')
        code, out, err = run('export', *files, '--as', 'html', '--redact')
        claim(code == 0 and os.path.basename(files[0]) not in out, f'{way}: files of a report without names')
        os.unlink(bundle)
        for path in files:
            os.unlink(path)

    # Two sessions of one boot: process names, images, stacks and tasks of one session are used for the other.
    files = []
    for number, part in enumerate(split(data, WAYS['half'])):
        files.append(os.path.join(folder, f'session-{number}.etl'))
        with open(files[-1], 'wb') as file:
            file.write(part.replace('Sample\0'.encode('utf-16le'), f'Sampl{number}\0'.encode('utf-16le'), 1))
    if 'Sample\0'.encode('utf-16le') in data[:0x400]:
        joined = info(*files)
        claim([one['session'] for one in joined['inputs']] == ['Sampl0', 'Sampl1'] and joined['gaps'] == [], f'two sessions: {joined}')
        for verb in VERBS:
            claim(rows(verb, *files) == expected[verb], f'{verb} of two sessions: other rows than of the whole')
        names = {row['process'] for row in map(json.loads, rows('activities', files[1]))}
        named = {row['process'] for row in map(json.loads, rows('activities', *files))}
        claim(None not in named and names != named, f'the second session alone does not know all names: {names} {named}')

    # A file without a boot time belongs to another file if Windows build, processors and clock agree.
    boot_at = 0x48 + 0x20 + 0xf8
    for number, build_more in ((0, 0), (1, 1)):
        with open(files[1], 'rb') as file:
            part = bytearray(file.read())
        claim(info(files[1])['boot_time'] is not None, 'it tells that at first')
        part[boot_at:boot_at + 8] = bytes(8)
        # Offset 8 of TRACE_LOGFILE_HEADER: the build, behind the buffer size and the version.
        build = struct.unpack_from('<I', part, 0x48 + 0x20 + 8)[0]
        struct.pack_into('<I', part, 0x48 + 0x20 + 8, build + build_more)
        untold = os.path.join(folder, f'untold-{number}.etl')
        with open(untold, 'wb') as file:
            file.write(part)
        joined = info(files[0], untold)
        claim(info(untold)['boot_time'] is None, 'it does not tell any more')
        if build_more == 0:
            claim([one['why'] for one in joined['inputs']] == [None, 'the same build, processors and clock'], f'untold: {joined["inputs"]}')
        else:
            claim([one['state'] for one in joined['left_out']] == ['other-machine'] and
                  'another build of Windows' in joined['left_out'][0]['reason'], f'untold: {joined["left_out"]}')
        os.unlink(untold)

    # Every verb accepts several files, a folder, or an archive of several files.
    place = os.path.join(folder, 'place')
    os.mkdir(place)
    with zipfile.ZipFile(os.path.join(folder, 'place.zip'), 'w') as archive:
        for path in files:
            shutil.move(path, place)
            archive.write(os.path.join(place, os.path.basename(path)), os.path.basename(path))
    files = [os.path.join(place, os.path.basename(path)) for path in files]
    words = {'render': ('--as', 'svg', '-o', os.path.join(folder, 'picture.svg')), 'report': ('--audit',),
             'export': ('--as', 'csv'), 'correlate': ('--row', '1'), 'lanes': ('--format', 'jsonl')}
    helped = run('--help')[1].split('Verbs:')[1].split('\n\n')[0]
    verbs = re.findall(r'^  ([a-z-]+) ', helped, re.MULTILINE)
    claim(len(verbs) > 40, f'verbs: {verbs}')
    for verb in verbs:
        # Skips verbs that need no trace, exactly two traces, or report per trace.
        if verb in ('extract', 'mcp', 'diff', 'pairs', 'pdb', 'recipe', 'codes', 'help', 'completion', 'correlate'):
            continue
        said = [run(verb, *named, *words.get(verb, ())) for named in (files, [place], [os.path.join(folder, 'place.zip')])]
        claim({code for code, out, err in said} == {0}, f'{verb} of a case: {said}')
        claim(len({len(out.splitlines()) for code, out, err in said}) == 1 and not any('left out' in err for code, out, err in said),
              f'{verb} of files, folder and archive: {[(len(out), err) for code, out, err in said]}')

    # Files of a series: gaps and overlaps between two files are reported with their time spans.
    def thirds(number, count):
        return number * 3 // count

    buffers = [lambda number, count, buffer: thirds(number, count) == 0,
               lambda number, count, buffer: thirds(number, count) == 2,
               lambda number, count, buffer: thirds(number, count) != 2,
               lambda number, count, buffer: thirds(number, count) != 0]
    series = []
    for name, chosen in zip(('net_001.etl', 'net_003.etl', 'twice_1.etl', 'twice_2.etl'), buffers):
        series.append(os.path.join(folder, name))
        with open(series[-1], 'wb') as file:
            file.write(split(data, chosen)[0])
    hole = info(*series[:2])
    spans = [(one['what'], one['first'], one['second'], one['file']) for one in hole['gaps']]
    claim(spans == [('missing', 0, 1, 'net_002.etl')], f"a hole: {hole['gaps']}")
    claim(hole['inputs'][1]['start_utc'] > hole['inputs'][0]['end_utc'], f"spans of parts: {hole['inputs']}")
    code, out, err = run('info', *series[:2])
    claim('between net_001.etl and net_003.etl: net_002.etl' in out, 'a hole, for people')
    twice = info(*series[2:])
    claim([one['what'] for one in twice['gaps']] == ['overlap'] and twice['gaps'][0]['begin_ns'] <
          twice['gaps'][0]['end_ns'], f"an overlap: {twice['gaps']}")
    claim(alone['gaps'] == [] and info(series[0])['gaps'] == [], 'a file alone has no gaps')
    claim(json.loads(run('info', *series[:2], '--redact', '--format', 'json')[1])['gaps'] == [], 'gaps without names')

    # The message names the damaged file.
    with open(series[1], 'r+b') as file:
        # The header field of the last buffer that holds its number of used bytes.
        file.seek(-struct.unpack_from('<I', data)[0] + 4, os.SEEK_END)
        file.write(bytes([255]) * 64)
    code, out, err = run('activities', *series[:2])
    claim(code == 0 and f'{series[1]} is damaged' in err and f'{series[0]} is damaged' not in err, f'damage: {err}')

    # A copy of a file adds no rows; a file that is named twice is read once.
    copy = os.path.join(folder, 'copy.etl')
    with open(copy, 'wb') as file:
        file.write(data)
    for verb in VERBS:
        claim(rows(verb, whole, copy) == expected[verb], f'{verb} with a copy')
    twice = info(whole, copy)
    claim(twice['events'] == alone['events'] + 1 and twice['duplicates'] == alone['events'] - 1,
          f"a copy: {twice['events']} events, {twice['duplicates']} duplicates")
    claim(twice['duplicates_by_pair'] == [{'first': 0, 'second': 1, 'events': alone['events'] - 1}], 'a copy: pairs')
    code, out, err = run('info', whole, whole)
    claim(code == 0 and 'it was specified before' in err, f'the same name twice: {err}')

    # A folder with files that cannot be read.
    case = os.path.join(folder, 'case')
    os.mkdir(case)
    with open(os.path.join(case, 'a.etl'), 'wb') as file:
        file.write(data)
    with open(os.path.join(case, 'b.etl'), 'wb') as file:
        file.write(b'no trace')
    with open(os.path.join(case, 'notes.txt'), 'wb') as file:
        file.write(b'notes')
    about = info(case)
    claim([os.path.basename(one['file']) for one in about['inputs']] == ['a.etl'], 'inputs of a folder')
    claim([(os.path.basename(one['file']), one['state']) for one in about['left_out']] == [('b.etl', 'unreadable')],
          'left out of a folder')
    code, out, err = run('activities', case)
    claim(code == 0 and 'b.etl is left out: ' in err, f'a folder: {err}')
    # The number of messages about unreadable files is limited, and many files need few file descriptors.
    many = os.path.join(folder, 'many')
    os.mkdir(many)
    for number in range(60):
        with open(os.path.join(many, f'{number:02}.etl'), 'wb') as file:
            file.write(data if number % 2 else b'no trace')
    code, out, err = run('activities', many)
    claim(code == 0 and len(err.splitlines()) == 21 and '10 more files' in err, f'many left out: {err}')
    done = subprocess.run(['sh', '-c', 'ulimit -n 20; exec "$@"', 'sh', cli, 'info', many, '--format', 'json', '-q'],
                          capture_output=True, text=True, check=False)
    claim(done.returncode == 0 and len(json.loads(done.stdout)['inputs']) == 30, f'few descriptors: {done.stderr}')
    code, out, err = run('activities', case, '-q')
    claim(err == '', f'a folder, quiet: {err}')
    os.unlink(os.path.join(case, 'a.etl'))
    code, out, err = run('activities', case)
    claim(code != 0 and out == '' and len(err.splitlines()) == 1, f'nothing to read: {err}')
    empty = os.path.join(folder, 'empty')
    os.mkdir(empty)
    code, out, err = run('activities', empty)
    claim(code != 0 and 'holds no trace' in err, f'an empty folder: {err}')
    code, out, err = run('diff', whole, copy, whole)
    claim(code == 2, f'three files to compare: {err}')

    # Files with filter names may have the names of traces and either encoding; without a trace they are an error.
    for name, coding in (('names.xml', 'utf-8'), ('wide.XML', 'utf-16')):
        names = os.path.join(folder, name)
        with open(names, 'w', encoding=coding) as file:
            file.write('<wfpstate><layers/></wfpstate>')
        code, out, err = run('wfp', names)
        claim(code == 1 and 'contains filter names but no trace; specify the trace' in err, f'{name} alone: {err}')
        for words in ((whole, names), (names, whole)):
            code, out, err = run('info', *words, '--format', 'json')
            claim(code == 0 and json.loads(out)['left_out'] == [] and 'left out' not in err, f'{words}: {err}')
            code, out, err = run('activities', *words, '--format', 'jsonl')
            claim(code == 0 and 'left out' not in err and out == run('activities', whole, '--format', 'jsonl')[1],
                  f'{words}: {err}')
    other = os.path.join(folder, 'other.xml')
    with open(other, 'w', encoding='utf-8') as file:
        file.write('<instrumentationManifest/>')
    code, out, err = run('activities', whole, other)
    claim('other.xml is left out' in err, f'XML of something else: {err}')

for line in wrong:
    print(line)
sys.exit(1 if wrong else 0)
