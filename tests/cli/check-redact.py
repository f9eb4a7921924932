#!/usr/bin/env python3
# Tests that exports of the sample trace with --redact contain no names, and that all other values are unchanged.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-redact.py CLI TRACE"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

NAMES = ('mail.example.com', 'example.', 'telemetry', 'autodiscover', 'dc01', '203.0.113.24', '198.51.100.',
         '192.168.17.1', '10.20.0.11', 'budget', 'Program Files', 'C:\\', 'Exchange', 'sync', 'cookie=7')
STAYS = ('protocol', 'process', 'pid', 'method', 'status', 'open_ns', 'close_ns', 'duration_ns', 'sent', 'received',
         'port', 'phases', 'error')


def run (*words):
    return subprocess.run ((sys.argv[1], 'export', sys.argv[2], *words), capture_output=True, text=True)


def rows (*words):
    return json.loads (run ('--as', 'json', '--columns', 'all', *words).stdout)


def check_no_name_leaves ():
    for form in ('csv', 'tsv', 'json', 'jsonl', 'markdown'):
        plain = run ('--as', form, '--columns', 'all').stdout
        text = run ('--as', form, '--columns', 'all', '--redact').stdout
        for name in NAMES:
            assert name in plain or '\\' in name, (form, name)
            assert name not in text, (form, name)


def check_no_name_leaves_in_other_forms ():
    plain = run ('--as', 'har', '--payload').stdout
    for form in (('har',), ('har', '--payload'), ('html',)):
        text = run ('--as', *form, '--redact').stdout
        for name in (*NAMES, 'owa', 'sample'):
            # Sentences have words that contain a name, such as “exchanged”.
            assert not re.search (rf'(?<!\w){re.escape (name)}(?!\w)', text, re.IGNORECASE), (form, name)
    assert 'owa' in plain and 'text/xml' in plain
    entries = json.loads (plain)['log']['entries']
    shared = json.loads (run ('--as', 'har', '--payload', '--redact').stdout)['log']
    assert 'left out' in shared['comment'], shared['comment']
    for entry, other in zip (entries, shared['entries'], strict=True):
        for field in ('time', 'timings', 'startedDateTime', '_process', '_pid', 'connection'):
            assert entry.get (field) == other.get (field), (field, entry, other)
        assert entry['response']['status'] == other['response']['status']
        assert entry['response']['content']['mimeType'] == other['response']['content']['mimeType']
        assert 'text' not in other['response']['content'] and 'postData' not in other['request']
        names = [header['name'] for header in entry['response']['headers']]
        assert names == [header['name'] for header in other['response']['headers']]
    report = run ('--as', 'html', '--redact', '--filter', 'server:mail').stdout
    assert 'server-1' in report and '<svg' not in report and 'mail' not in report
    assert '<svg' in run ('--as', 'html').stdout


def check_the_rest_stays ():
    for plain, redacted in zip (rows (), rows ('--redact'), strict=True):
        for field in STAYS:
            assert plain[field] == redacted[field], (field, plain, redacted)


def check_the_same_stays_the_same ():
    names = {}
    whole = rows ('--redact')
    for plain, redacted in zip (rows (), whole, strict=True):
        for field in ('server', 'ip', 'url'):
            if plain[field] is not None:
                assert names.setdefault (plain[field], redacted[field]) == redacted[field]
    assert len (set (names.values ())) == len (names), names
    some = rows ('--redact', '--rows', '5-9', '--sort', '-id')
    assert some == [row for row in reversed (whole) if 5 <= row['id'] <= 9]
    url = next (row['url'] for row in whole if row['url'] is not None)
    assert re.fullmatch (r'https://server-\d+/path-\d+', url), url


def check_what_cannot_be_told_apart_is_refused ():
    for form in ('bundle', 'etl', 'pcapng', 'pcap', 'perfetto', 'speedscope'):
        done = run ('--as', form, '--redact')
        assert done.returncode == 2 and done.stdout == '' and form in done.stderr, (form, done)


def check_no_file_name_leaves ():
    """Names of captures and logs often contain those of their computer or its user."""
    frame = bytes.fromhex ('020000000001' '020000000002' '0800' '4500001c' '00010000' '40110000' '0a000005' '0a000006'
                           '03e80035' '00080000')
    with tempfile.TemporaryDirectory () as folder:
        tables = {}
        for place in ('one', 'another folder'):
            where = pathlib.Path (folder, place)
            where.mkdir ()
            capture, log = where / 'DC7-alice.pcap', where / 'DC7-alice.log'
            capture.write_bytes (struct.pack ('<IHHiIIIIIII', 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1, 1700000000, 0, len (frame),
                                              len (frame)) + frame)
            log.write_text ('#Fields: date time cs-method cs-uri-stem c-ip sc-status\n2023-11-14 22:13:20 GET / 10.0.0.5 200\n')
            words = (sys.argv[1], 'flows', capture, '--format', 'json', '--columns', 'all')
            plain, text = (subprocess.run ((*words, *more), capture_output=True, text=True, check=True).stdout
                           for more in ((), ('--redact',)))
            assert 'alice' in plain and 'alice' not in text, text
            subprocess.run ((sys.argv[1], 'extract', capture, log, '--redact', '--as', 'jsonl', '--to', where / 'tables', '-q'),
                            check=True)
            tables[place] = {str (path.relative_to (where)): path.read_text () for path in where.glob ('tables/*/*/*.jsonl')}
            assert tables[place] and not any ('alice' in text for text in tables[place].values ()), tables[place]
        # Nor does a table depend on the folder.
        assert len ({json.dumps (files, sort_keys=True) for files in tables.values ()}) == 1


check_no_name_leaves ()
check_no_file_name_leaves ()
check_no_name_leaves_in_other_forms ()
check_the_rest_stays ()
check_the_same_stays_the_same ()
check_what_cannot_be_told_apart_is_refused ()
