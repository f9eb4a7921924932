#!/usr/bin/env python3
"""Tests logs of other tools that are opened with a trace: their lines become rows on the clock of the trace.

Usage: check-logs.py CLI SAMPLE.etl
"""
import datetime
import glob
import gzip
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

cli, sample = sys.argv[1:]
wrong = []


def run(*words):
    done = subprocess.run([cli, *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def claim(is_so, what):
    if not is_so:
        wrong.append(what)


def lines(*words):
    code, out, err = run('log', *words, '--format', 'json')
    claim(code == 0, f'log {words}: {err}')
    return json.loads(out) if code == 0 else []


def table_of(folder, name):
    found = []
    for path in sorted(glob.glob(os.path.join(folder, name, '*', '*.jsonl'))):
        with open(path, encoding='utf-8') as file:
            found += [json.loads(line) for line in file]
    return found


about = json.loads(run('info', sample, '--format', 'json')[1])
begin = datetime.datetime.fromisoformat(about['start_utc'][:19] + '+00:00')
# The begin of the trace in units of 100 ns below one second; datetime has a resolution of 1 µs.
ticks = int(about['start_utc'][20:].rstrip('Z').ljust(7, '0')[:7])
rows = json.loads(run('activities', sample, '--format', 'json')[1])
row = [row for row in rows if row['ip'] and row['port'] and row['local_port'] and row['local_ip'] and
       row['protocol'] == 'TCP'][0] if any(row['protocol'] == 'TCP' for row in rows) else \
      [row for row in rows if row['ip'] and row['port'] and row['local_port'] and row['local_ip']][0]


def stamp(time_ns, shift=datetime.timedelta()):
    """Returns a time in whole seconds as text, and as ns since the begin of the trace."""
    whole = begin + datetime.timedelta(seconds=(time_ns + ticks * 100) // 10**9)
    return (whole + shift).strftime('%Y-%m-%d %H:%M:%S'), \
        int((whole - begin).total_seconds()) * 10**9 - ticks * 100


with tempfile.TemporaryDirectory() as folder:
    bias = datetime.timedelta(minutes=-about['timezone_bias_min'])
    local, moment = stamp(row['open_ns'], bias)
    utc, _ = stamp(row['open_ns'])
    firewall = os.path.join(folder, 'pfirewall.log')
    with open(firewall, 'w', encoding='utf-16', newline='\r\n') as file:
        file.write('#Version: 1.5\n#Software: Microsoft Windows Firewall\n#Time Format: Local\n'
                   '#Fields: date time action protocol src-ip dst-ip src-port dst-port path\n'
                   f'{local} DROP TCP {row["local_ip"]} {row["ip"]} {row["local_port"]} {row["port"]} SEND\n'
                   'no line\n')
    iis = os.path.join(folder, 'u_ex.log')
    with open(iis, 'w', encoding='utf-8') as file:
        file.write('#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip sc-status\n'
                   f'{utc} GET /a access_token=s3cr3tvalue99&b=1 10.0.0.9 200\n')

    found = lines(sample, firewall, iis)
    claim(len(found) == 2, f'{len(found)} lines')
    claim([one['source'] for one in found] == ['pfirewall.log', 'u_ex.log'], 'sources')
    claim([one['kind'] for one in found] == ['firewall', 'w3c'], 'kinds')
    wall, web = found if len(found) == 2 else ({}, {})
    summer = wall.get('time_ns', 0) - moment
    claim(summer % (3600 * 10**9) == 0 and abs(summer) <= 3600 * 10**9, f'local time: {wall}, not {moment}')
    claim(web.get('time_ns') == moment, f"UTC: {web.get('time_ns')}, not {moment}")
    claim(wall.get('uncertainty_ns') == 500000000 and wall.get('line') == 5, f'unit and line: {wall}')
    claim((wall.get('ip'), wall.get('port'), wall.get('local_port')) ==
          (row['ip'], row['port'], row['local_port']), f'ends: {wall}')
    if summer == 0:
        claim(wall.get('activity') is not None, f'the operation: {wall}')
        match = [one for one in rows if one['id'] == wall.get('activity')]
        claim(match and match[0]['local_port'] == row['local_port'], f'the operation of a line: {match}')
    claim(web.get('activity') is None and web.get('confidence') is None, 'no operation without ends')
    claim(wall.get('failed') is True and web.get('failed') is False, 'failed')

    # Secrets are masked unless --include-secrets is specified.
    claim('s3cr3tvalue99' not in json.dumps(found), 'a secret in a line')
    shown = lines(sample, iis, '--include-secrets')
    claim('s3cr3tvalue99' in json.dumps(shown), 'a secret that was asked for')
    claim(shown[0]['url'] == '/a?access_token=s3cr3tvalue99&b=1', 'the URL')

    # A malformed line is reported by its number; logs do not change other tables.
    code, out, err = run('log', sample, firewall)
    claim('pfirewall.log: line 6 is left out: ' in err, f'the malformed line: {err}')
    claim(json.loads(run('activities', sample, firewall, '--format', 'json')[1]) == rows, 'other operations')
    claim(run('records', sample, firewall)[1] == run('records', sample)[1], 'other records')
    code, out, err = run('info', sample, firewall, '--format', 'json')
    claim(code == 0 and json.loads(out)['events'] == about['events'] and json.loads(out)['left_out'] == [],
          f'info with a log: {err}')
    listed = json.loads(out)['logs']
    claim([(os.path.basename(one['file']), one['kind'], one['rows'], one['lines_left_out'], one['offset_ns'], one['reason'])
           for one in listed] == [('pfirewall.log', 'firewall', 1, 1, 0, None)], f'logs of info: {listed}')
    claim(listed and listed[0]['start_utc'] is not None and listed[0]['start_utc'] == listed[0]['end_utc'],
          f'span of a log: {listed}')
    code, out, err = run('info', sample, firewall, '--clock-offset', 'pfirewall.log=-1.5', '--format', 'json')
    claim(json.loads(out)['logs'][0]['offset_ns'] == -1500000000, f'a corrected log: {out[-300:]}')
    code, out, err = run('info', sample, firewall)
    claim('pfirewall.log' in out and 'firewall' in out, 'logs of info for people')
    code, out, err = run('info', sample, firewall, '--redact', '--format', 'json')
    claim(json.loads(out)['logs'] == [], 'names of logs are left out')

    # The picture lists the trace and the log below the strip, and has a lane for the log.
    heights = []
    for files in ([sample], [sample, firewall]):
        picture = os.path.join(folder, 'picture.png')
        code, out, err = run('render', *files, '--as', 'png', '-o', picture)
        claim(code == 0, f'render: {err}')
        with open(picture, 'rb') as file:
            heights.append(struct.unpack('>I', file.read()[20:24])[0])
    claim(heights[1] == heights[0] + 36 + 24, f'heights of pictures: {heights}')

    # extract writes the lines as a table; with --redact their text is left out.
    tables = os.path.join(folder, 'tables')
    offset = ('--clock-offset', 'u_ex.log=-2.5')
    code, out, err = run('extract', sample, firewall, iis, *offset, '--to', tables, '--as', 'jsonl')
    claim(code == 0 and 'traces extracted: 1, failed: 0' in err, f'extract: {code} {err}')
    wanted = lines(sample, firewall, iis, *offset)
    told = table_of(tables, 'log')
    claim([{name: one[name] for name in wanted[0]} for one in told] == wanted, f'the table of logs: {told}')
    claim(len({one['trace_id'] for one in told}) == 1 and all(one['start_utc'] for one in told), f'keys: {told}')
    # --resume skips a trace unless its logs or their clock corrections have changed.
    again = ('extract', sample, firewall, iis, '--to', tables, '--as', 'jsonl', '--resume')
    code, out, err = run(*again, *offset)
    claim('extracted: 0, failed: 0, already present: 1' in err, f'the same logs: {err}')
    code, out, err = run(*again)
    claim('extracted: 1, failed: 0, already present: 0' in err, f'another correction: {err}')
    with open(iis, 'rb') as file:
        kept = file.read()
    with open(iis, 'wb') as file:
        file.write(kept + kept.splitlines()[-1] + b'\n')
    code, out, err = run(*again)
    claim('extracted: 1, failed: 0, already present: 0' in err, f'another line in a log: {err}')
    claim(len(table_of(tables, 'log')) == len(wanted) + 1, 'the lines of the changed log')
    code, out, err = run(*again)
    claim('extracted: 0, failed: 0, already present: 1' in err, f'the changed logs again: {err}')
    with open(iis, 'wb') as file:
        file.write(kept)
    code, out, err = run('extract', sample, '--to', tables, '--as', 'jsonl', '--resume')
    claim('extracted: 1, failed: 0, already present: 0' in err and not table_of(tables, 'log'), f'no logs any more: {err}')
    code, out, err = run('extract', sample, '--to', tables, '--as', 'jsonl', '--resume')
    claim('extracted: 0, failed: 0, already present: 1' in err, f'without logs again: {err}')
    code, out, err = run('extract', sample, firewall, iis, '--to', tables + '-redacted', '--as', 'jsonl', '--redact')
    hidden = table_of(tables + '-redacted', 'log')
    claim(len(hidden) == 2 and all(one['text'] is None for one in hidden), f'texts without names: {hidden}')
    claim(row['ip'] not in json.dumps(hidden) and hidden[0]['ip'], f'addresses without names: {hidden}')
    # A list of files names traces only.
    with open(os.path.join(folder, 'list'), 'w', encoding='utf-8') as file:
        file.write(f'{sample}\n{firewall}\n')
    code, out, err = run('extract', '--from-file', file.name, '--to', tables + '-list', '--as', 'jsonl')
    claim(code == 3 and 'pfirewall.log' in err and 'is a log file, not a trace' in err, f'a log in a list: {code} {err}')
    code, out, err = run('extract', firewall, '--to', tables + '-none')
    claim(code == 2 and 'is a log file, not a trace' in err, f'extract of a log alone: {code} {err}')
    # Archives of logs are read together with the traces; an archive of logs without a trace is a failure.
    packed = os.path.join(folder, 'packed.zip')
    with zipfile.ZipFile(packed, 'w') as archive:
        for path in (firewall, iis):
            archive.write(path, os.path.basename(path))
    for named in ([sample, packed], [packed, sample]):
        code, out, err = run('extract', *named, '--to', tables + '-packed', '--as', 'jsonl')
        claim(code == 0 and 'traces extracted: 1, failed: 0' in err, f'packed logs: {code} {err}')
        told = table_of(tables + '-packed', 'log')
        claim([one['text'] for one in told] == [one['text'] for one in lines(sample, firewall, iis)], f'their rows: {told}')
        claim(table_of(tables + '-packed', 'failures') == [], 'none of them fails')
    code, out, err = run('extract', sample, packed, '--to', tables + '-packed', '--as', 'jsonl', '--resume')
    claim('extracted: 0, failed: 0, already present: 1' in err, f'the same packed logs: {err}')
    other = os.path.join(folder, 'other.zip')
    with zipfile.ZipFile(other, 'w') as archive:
        archive.writestr('README.txt', 'read me')
    within = os.path.join(folder, 'within')
    os.mkdir(within)
    shutil.copy(packed, within)
    shutil.copy(firewall, within)
    with gzip.open(os.path.join(within, 'u_ex.log.gz'), 'wb') as file:
        file.write(b'no matter')
    for number, (named, failed) in enumerate(([[packed], 'packed.zip'], [[packed, firewall], 'packed.zip'],
                                              [[sample, other], 'other.zip'], [[within], 'packed.zip'])):
        to = f'{tables}-alone{number}'
        code, out, err = run('extract', *named, '--to', to, '--as', 'jsonl')
        failures = table_of(to, 'failures')
        claim(code == 3 and [os.path.basename(one['file']) for one in failures] == [failed] and
              (failed in failures[0]['reason']) and len(table_of(to, 'log')) == 0, f'{named}: {code} {err} {failures}')
        claim(failed != 'packed.zip' or 'logs in it are read together with a trace' in failures[0]['reason'], failures)

    # A hand-over of rows contains the log lines of their time span.
    bundle = os.path.join(folder, 'part.etl.zip')
    code, out, err = run('export', sample, firewall, iis, *offset, '--as', 'bundle', '-o', bundle,
                         '--filter', f'id={row["id"]}')
    claim(code == 0, f'the hand-over: {err}')
    if code == 0:
        with zipfile.ZipFile(bundle) as parts:
            claim(parts.namelist()[-1] == 'log.csv', f'parts of a hand-over: {parts.namelist()}')
            page = parts.read('report.html').decode()
            parts.extract('log.csv', folder)
        claim('pfirewall.log' in page and 'u_ex.log' in page and '-2.500 s' in page, 'logs of a report')
        # The hand-over has the same lines, linked to the same activities.
        again = lines(bundle)
        wanted = [one for one in lines(sample, firewall, iis, *offset)
                  if one['line'] in [line['line'] for line in again]]
        KEPT = ('source', 'kind', 'line', 'uncertainty_ns', 'action', 'status', 'url', 'ip', 'port', 'local_ip',
                'local_port', 'failed', 'text')
        claim(again and [[one[name] for name in KEPT] for one in again] ==
              [[one[name] for name in KEPT] for one in wanted], f'lines that were handed over: {again}')
        claim(summer != 0 or [one['activity'] is not None for one in again] ==
              [one['activity'] is not None for one in wanted], f'operations of lines handed over: {again}')
        listed = json.loads(run('info', bundle, '--format', 'json')[1])['logs']
        claim({one['file'] for one in listed} == {f'{bundle}/{one["source"]}' for one in again} and
              sum(one['rows'] for one in listed) == len(again), f'logs of the hand-over: {listed}')
        claim('s3cr3tvalue99' not in json.dumps(again) + page, 'a secret in a hand-over')
        # A hand-over of the hand-over, and its table opened as a log beside the trace.
        handed_on = os.path.join(folder, 'on.etl.zip')
        code, out, err = run('export', bundle, '--as', 'bundle', '-o', handed_on)
        claim(code == 0 and [[one[name] for name in KEPT] for one in lines(handed_on)] ==
              [[one[name] for name in KEPT] for one in again], f'handed on: {err}')
        alone = lines(sample, os.path.join(folder, 'log.csv'))
        claim([one['local_port'] for one in alone] == [one['local_port'] for one in again],
              f'the table as a log: {alone}')
        os.unlink(os.path.join(folder, 'log.csv'))
    code, out, err = run('export', sample, '--as', 'bundle', '-o', bundle)
    with zipfile.ZipFile(bundle) as parts:
        claim('log.csv' not in parts.namelist(), 'a hand-over without logs')

    # Filters, clock corrections, folders.
    claim(len(lines(sample, firewall, iis, '--filter', 'log:pfirewall')) == 1, 'by log')
    claim(len(lines(sample, firewall, iis, '--filter', 'action:GET')) == 1, 'by action')
    claim(len(lines(sample, firewall, iis, '--filter', f'ip:{row["ip"]}')) == 1, 'by address')
    moved = lines(sample, iis, '--clock-offset', 'u_ex.log=-2.5')
    claim(moved[0]['time_ns'] == moment - 2500000000, 'the correction')
    code, out, err = run('log', sample, iis, '--clock-offset', 'u_ex.log')
    claim(code == 2, f'a correction that is none: {code} {err}')
    case = os.path.join(folder, 'case')
    os.mkdir(case)
    os.symlink(os.path.abspath(sample), os.path.join(case, 'a.etl'))
    os.rename(iis, os.path.join(case, 'u_ex.log'))
    with open(os.path.join(case, 'notes.txt'), 'w', encoding='utf-8') as file:
        file.write('notes\n')
    with open(os.path.join(case, 'own.csv'), 'w', encoding='utf-8') as file:
        file.write(f'stamp,text\n{utc}Z,hello\n')
    code, out, err = run('log', case)
    claim('own.csv is left out: ' in err and '--time-column' in err, f'a table without known times: {err}')
    found = lines(case, '--time-column', 'stamp')
    claim(sorted(one['source'] for one in found) == ['own.csv', 'u_ex.log'], f'logs of a folder: {found}')
    claim(all(one['time_ns'] == moment for one in found), 'times of a folder')
    code, out, err = run('log', firewall)
    claim(code == 1 and 'is a log file, not a trace' in err, f'a log alone: {code} {err}')
    # Without logs there are no rows.
    claim(lines(sample) == [], 'no log')

print('\n'.join(wrong) or 'logs are rows on the clock of the trace')
sys.exit(bool(wrong))
