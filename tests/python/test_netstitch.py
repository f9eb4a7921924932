#!/usr/bin/env python3
"""Tests that the Python module agrees with the command line.

Usage: test_netstitch.py CLI SAMPLE.etl MODULE-FOLDER

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import pydoc
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

CLI, SAMPLE, FOLDER = sys.argv[1:4]
sys.dont_write_bytecode = True
sys.path.insert(0, FOLDER)
import netstitch  # noqa: E402  pylint: disable=wrong-import-position


def said(verb, *words):
    out = subprocess.run([CLI, verb, SAMPLE, *words, '--format', 'jsonl'], capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def make_program(folder, text):
    path = pathlib.Path(folder) / 'program'
    path.write_text(text, encoding='utf-8')
    path.chmod(0o755)
    return path


class Module(unittest.TestCase):
    def setUp(self):
        self.trace = netstitch.open(SAMPLE, program=CLI)

    def test_rows_are_those_of_the_program(self):
        self.assertEqual(list(self.trace.activities()), said('activities'))
        self.assertEqual(list(self.trace.findings()), said('findings'))
        self.assertEqual(list(self.trace.table('http-server')), said('http-server'))
        self.assertEqual(self.trace.info, said('info')[0])
        self.assertEqual(self.trace.stacks(1), said('stacks', '--row', '1')[0])

    def test_rows_are_chosen(self):
        rows = list(self.trace.activities(filter='sent>0', columns=['id', 'sent'], sort='-sent', limit=3, offset=1, begin=0, end=15.5))
        self.assertEqual(rows, said('activities', '--filter', 'sent>0', '--columns', 'id,sent', '--sort=-sent', '--limit', '3',
                                    '--offset', '1', '--from', '0', '--to', '15.5'))
        self.assertEqual(len(rows), 3)

    def test_paths(self):
        self.assertEqual(netstitch.open(pathlib.Path(SAMPLE), program=CLI).info, self.trace.info)
        self.assertEqual(netstitch.open([SAMPLE], program=CLI).info['events'], self.trace.info['events'])
        with netstitch.open(SAMPLE, program=CLI) as trace:
            self.assertIn(SAMPLE, repr(trace))
        with self.assertRaises(netstitch.UsageError):
            netstitch.open([])
        with self.assertRaises(netstitch.Error):
            list(netstitch.open('--help', program=CLI).activities())
        with self.assertRaises(TypeError):
            netstitch.open([b'x'])

    def test_who_stops_early_ends_the_program(self):
        rows = self.trace.table('events')
        self.assertEqual(next(rows), said('events', '--limit', '1')[0])
        rows.close()
        self.assertEqual(list(rows), [])

    def test_errors_have_the_words_of_the_program(self):
        with self.assertRaises(netstitch.UsageError) as caught:
            list(self.trace.activities(columns='durations_ns'))
        self.assertIn('duration_ns', str(caught.exception))
        self.assertNotIn('netstitch-cli:', str(caught.exception))
        self.assertEqual(caught.exception.status, 2)
        with self.assertRaisesRegex(netstitch.UsageError, 'there is no table'):
            self.trace.table('--help')
        with self.assertRaisesRegex(netstitch.Error, 'none.etl'):
            _ = netstitch.open('none.etl', program=CLI).info
        with self.assertRaisesRegex(netstitch.Error, 'cannot be run'):
            _ = netstitch.open(SAMPLE, program='/none/netstitch-cli').info
        with self.assertRaises(netstitch.UsageError):
            self.trace.stacks(10**6)

    def test_empty_names_mean_the_default(self):
        for empty in ([], (), '', iter([])):
            self.assertEqual(list(self.trace.activities(columns=empty)), said('activities'))
        for empty in ([], (), ''):
            self.assertEqual(list(self.trace.activities(sort=empty)), said('activities'))
        with tempfile.TemporaryDirectory() as top:
            self.trace.extract(pathlib.Path(top) / 'fleet', tables=[])
            self.assertTrue((pathlib.Path(top) / 'fleet' / 'activities').exists())

    def test_arguments_of_the_program(self):
        with tempfile.TemporaryDirectory() as top:
            program = make_program(top, f'#!{sys.executable}\nimport json, sys\nprint(json.dumps({{"words": sys.argv}}))\n')
            trace = netstitch.open('x.etl', program=program, symbols='srv*')
            for name in ('activities', 'tasks', 'stacks', 'symbols'):
                self.assertIn('--symbols=srv*', next(trace.table(name))['words'], name)
            self.assertNotIn('--symbols=srv*', next(trace.table('dns'))['words'])
            words = next(trace.table('dns', begin=1e16, end=-1e-7))['words']
            self.assertLess({'--from=10000000000000000', '--to=-0.0000001'}, set(words))
            words = next(trace.table('dns', begin=0.1, end='2026-01-31T08:00'))['words']
            self.assertLess({'--from=0.1', '--to=2026-01-31T08:00'}, set(words))
        self.assertEqual(list(netstitch.open(SAMPLE, program=CLI, symbols='.').table('stacks')), said('stacks', '--symbols', '.'))

    def test_what_cannot_be_an_argument(self):
        for text in ('a\0b', 'a\ud800b'):
            for call in (lambda text=text: list(self.trace.activities(filter=text)),
                         lambda text=text: list(self.trace.activities(columns=[text])),
                         lambda text=text: list(self.trace.table(text)),
                         lambda text=text: self.trace.extract(text),
                         lambda text=text: netstitch.open(text, program=CLI).info,
                         lambda text=text: netstitch.open(SAMPLE, program=text).info,
                         lambda text=text: netstitch.open(SAMPLE, program=CLI, member=text).info):
                with self.assertRaises(netstitch.UsageError) as caught:
                    call()
                self.assertTrue(str(caught.exception).isprintable(), caught.exception)

    def test_names_of_files_that_are_not_text(self):
        with tempfile.TemporaryDirectory() as top:
            path = os.path.join(top, '\udcff.etl')
            shutil.copy(SAMPLE, path)
            trace = netstitch.open(path, program=CLI)
            self.assertEqual(trace.info['file'], path)
            self.assertEqual(list(trace.activities()), said('activities'))
            with self.assertRaisesRegex(netstitch.Error, 'cannot be run') as caught:
                _ = netstitch.open(path, program=os.path.join(top, '\udcfe')).info
            self.assertTrue(str(caught.exception).isprintable())

    def test_what_is_not_a_row(self):
        with self.assertRaisesRegex(netstitch.UsageError, 'there is no table “help”'):
            self.trace.table('help')
        with tempfile.TemporaryDirectory() as top:
            for output in ('Usage: x', '17', '{"id":'):
                trace = netstitch.open(SAMPLE, program=make_program(top, f"#!/bin/sh\necho '{output}'\n"))
                with self.assertRaisesRegex(netstitch.Error, f'“{output}”, which is not a row'):
                    list(trace.activities())
            # A failure is reported with its reason, also if it interrupts a row.
            program = make_program(top, '#!/bin/sh\nprintf \'{"id":1}\\n{"id":\'\necho full >&2\nexit 1\n')
            rows = netstitch.open(SAMPLE, program=program).activities()
            self.assertEqual(next(rows), {'id': 1})
            with self.assertRaisesRegex(netstitch.Error, '^full$'):
                next(rows)

    def test_tables(self):
        with tempfile.TemporaryDirectory() as top:
            top = pathlib.Path(top)
            self.trace.extract(top / 'all.sqlite', form='sqlite', tables=['activities', 'dns'], stacks='none')
            base = sqlite3.connect(top / 'all.sqlite')
            self.assertEqual(base.execute('SELECT count(*) FROM activities').fetchone()[0], len(said('activities')))
            (top / 'wrong.etl').write_text('no trace\n' * 100)
            many = netstitch.open([SAMPLE, top / 'wrong.etl'], program=CLI)
            with self.assertRaisesRegex(netstitch.PartlyError, 'wrong.etl') as caught:
                many.extract(top / 'fleet', jobs=2, resume=True, redact=True)
            self.assertEqual(caught.exception.status, 3)
            self.assertEqual(len([path for path in (top / 'fleet' / 'trace').rglob('*.parquet') if 'none' not in path.name]), 1)
            with self.assertRaises(netstitch.UsageError):
                self.trace.extract(top / 'x', form='orc')

    def test_the_program_of_the_environment(self):
        os.environ['NETSTITCH_CLI'] = CLI
        try:
            self.assertEqual(netstitch.open(SAMPLE).info, self.trace.info)
        finally:
            del os.environ['NETSTITCH_CLI']

    def test_frames_want_pandas(self):
        try:
            import pandas  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
        except ImportError:
            with self.assertRaises(ImportError):
                self.trace.frame()
        else:
            self.assertEqual(len(self.trace.frame('dns')), len(said('dns')))

    def test_everything_is_described(self):
        for thing in (netstitch, *(getattr(netstitch, name) for name in netstitch.__all__)):
            self.assertTrue(thing.__doc__)
        for name, member in vars(netstitch.Trace).items():
            if not name.startswith('_'):
                self.assertTrue(member.__doc__, name)
        self.assertIn('activities', pydoc.render_doc(netstitch))
        self.assertTrue((pathlib.Path(FOLDER) / 'netstitch' / 'py.typed').exists())


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
