#!/usr/bin/env python3
# Tests a hand-over (bundle) of the sample trace: it has the same rows and stacks, and damage is reported.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-bundle.py CLI TRACE"""
import json
import re
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

# Without row numbers, which are assigned anew.
COLUMNS = ('open_ns,close_ns,process,pid,tid,protocol,layers,method,server,url,ip,port,local_port,sent,received,'
           'http_status,status,error,duration_ns,phases,confidence,chain_depth,stack_count')
WANTED = ('--filter', 'process:OUTLOOK')

cli, sample = sys.argv[1:]
folder = tempfile.TemporaryDirectory ()
# The window stores its state there.
env = dict (os.environ, XDG_STATE_HOME=folder.name)
bundle = pathlib.Path (folder.name) / 'outlook.etl.zip'


def run (*words):
    return subprocess.run ((cli, *words), capture_output=True, text=True, env=env)


def rows (path, *words):
    done = run ('activities', str (path), '--format', 'json', '--columns', COLUMNS, *words)
    assert done.returncode == 0, done
    return json.loads (done.stdout)


def stacks (path, *words):
    all_of_them = json.loads (run ('stacks', str (path), '--format', 'json', *words).stdout)
    return [{key: value for key, value in one.items () if key != 'id'} for one in all_of_them]


done = run ('export', sample, '--as', 'bundle', *WANTED, '-o', str (bundle))
assert done.returncode == 0 and re.fullmatch (r'netstitch-cli: wrote .*: \d+ rows, [\d.]+.kB\n', done.stderr), done
names = zipfile.ZipFile (bundle).namelist ()
assert names == ['netstitch/view.txt', 'netstitch/names.txt', 'trace.etl', 'report.html'], names
assert zipfile.ZipFile (bundle).testzip () is None
assert b'process:OUTLOOK' in zipfile.ZipFile (bundle).read ('netstitch/view.txt')
assert bundle.stat ().st_mode & 0o777 == 0o600

# The hand-over has only the filtered rows, so it needs no filter.
before = rows (sample, *WANTED)
assert len (before) > 5 and rows (bundle) == before, before
assert stacks (bundle) == stacks (sample, *WANTED)

# A hand-over of a hand-over.
again = pathlib.Path (folder.name) / 'again.etl.zip'
assert run ('export', str (bundle), '--as', 'bundle', '-o', str (again)).returncode == 0
assert rows (again) == before

# An export never overwrites its input. --redact is refused, because a hand-over may contain names.
done = run ('export', str (bundle), '--as', 'bundle', '-o', str (bundle))
assert done.returncode == 2 and 'itself' in done.stderr, done
done = run ('export', sample, '--as', 'bundle', '--redact', '-o', str (again))
assert done.returncode == 2 and done.stderr.count ('\n') == 1, done

# Reports what the hand-over contains.
def info (path):
    done = run ('info', str (path), '--format', 'json')
    assert done.returncode == 0, done
    return json.loads (done.stdout)


told = info (bundle)
assert told['carried_view'] is True and told['carried_names'] == 0 and not told['damage'], told
told = info (sample)
assert told['carried_view'] is False and told['carried_names'] == 0, told
with zipfile.ZipFile (again, 'w') as archive:
    archive.writestr ('netstitch/names.txt', 'netstitch names 1\nm\tx\nf\t1\tc\t0\ta\nf\t2\tc\t0\nf\t3\tr\t0\tb\n')
    archive.write (sample, 'trace.etl')
assert info (again)['carried_names'] == 2, info (again)

# Truncated behind the trace: all rows are present, and the missing report is reported.
cut = pathlib.Path (folder.name) / 'cut.etl.zip'
with zipfile.ZipFile (bundle) as archive:
    cut.write_bytes (bundle.read_bytes ()[:archive.getinfo ('report.html').header_offset + 200])
assert rows (cut) == before
done = run ('activities', str (cut), '--format', 'json')
assert 'damaged' in done.stderr, done
assert [place['what'] for place in info (cut)['damage']] == ['the hand-over is cut off: its report is missing']

# Truncated within the trace: the readable rows are present, and the damage is reported.
cut = pathlib.Path (folder.name) / 'cut.etl.zip'
whole = bundle.read_bytes ()
with zipfile.ZipFile (bundle) as archive:
    start = archive.getinfo ('trace.etl').header_offset
    size = archive.getinfo ('trace.etl').compress_size
cut.write_bytes (whole[:start + 100 + size // 2])
done = run ('activities', str (cut), '--format', 'json')
assert done.returncode == 0 and 'damaged' in done.stderr, done
