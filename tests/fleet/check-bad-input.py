#!/usr/bin/env python3
"""Tests failures of extract over many traces: full disk, missing permission, a growing trace, very many file names, a
killed process.

Usage: check-bad-input.py CLI MAKE-FLEET

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

cli, make_fleet = sys.argv[1:]
cli = str(pathlib.Path(cli).resolve())
N_NAMES, N_TRACES = 10000, 60
claims = 0


def claim(holds, what):
    global claims
    if not holds:
        sys.exit(f'does not hold: {what}')
    claims += 1


def extract(*words, status=0, **more):
    run = subprocess.run([cli, 'extract', *map(str, words)], capture_output=True, text=True, check=False, timeout=500, **more)
    claim(run.returncode == status and 'CRITICAL' not in run.stderr, f'{words}: {run.returncode}: {run.stderr[-500:]}')
    return run.stderr


def is_running(pid):
    try:
        return pathlib.Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False


def list_files(pid, numbers=None):
    """What the open files of a process are, and of a working one at least those that stay open."""
    found = set()
    for number in numbers or os.listdir(f'/proc/{pid}/fd'):
        try:
            found.add(os.readlink(f'/proc/{pid}/fd/{number}'))
        except OSError:
            continue
    return found


def parts(folder, table):
    return [path for path in (folder / table).rglob('part-*.jsonl') if 'part-none' not in path.name]


with tempfile.TemporaryDirectory() as top:
    top = pathlib.Path(top)
    fleet = top / 'traces'
    subprocess.run([make_fleet, fleet, top / 'facts.jsonl', str(N_TRACES)], check=True)

    # Very many file names, from a folder and from a list, which extract reads one by one.
    many = top / 'many'
    many.mkdir()
    (many / 'a.etl').write_text('no trace at all\n' * 30)
    for number in range(N_NAMES - 1):
        os.link(many / 'a.etl', many / f'{number}.etl')
    words = extract(many, '--to', top / 'm', '--as', 'jsonl', status=3)
    claim(f'failed: 1, already present: 0, specified twice: {N_NAMES - 1}' in words, words[-300:])
    names = '\0'.join(str(path) for path in many.iterdir()) + '\0' + str(fleet / '000.etl')
    words = extract('--from-file', '-', '-0', '--to', top / 'l', '--as', 'jsonl', '-q', status=3, input=names)
    claim(words == '' and len(parts(top / 'l', 'trace')) == 1 and len(parts(top / 'l', 'failures')) == 1, 'a list of as many names')
    (top / 'list').write_text('x' * 100000)
    claim('-0' in extract('--from-file', top / 'list', '--to', top / 'l', status=1), 'a list without an end of a name')
    claim('none' in extract('--from-file', top / 'none', '--to', top / 'l', status=1), 'a list that is not there')

    # Names that are longer than a pipe holds, and longer in the reports of their failures.
    (top / 'long').write_bytes(b''.join(b'/' + bytes([number + 1]) * 60000 + b'\n' for number in range(8)))
    run = subprocess.Popen([cli, 'extract', '--from-file', top / 'long', '--to', top / 'n', '--as', 'jsonl', '-q'])
    try:
        claim(run.wait(timeout=300) == 3 and len(parts(top / 'n', 'failures')) == 8, 'names that are very long')
    finally:
        run.kill()

    # A trace that grows while it is read.
    growing = top / 'growing'
    growing.mkdir()
    (growing / 'a.etl').write_bytes((fleet / '001.etl').read_bytes())
    is_done = threading.Event()

    def grow():
        with open(growing / 'a.etl', 'ab', buffering=0) as file:
            while not is_done.wait(0.0005):
                file.write(b'x')

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        words = extract(growing, '--to', top / 'g', '--as', 'jsonl', status=3)
    finally:
        is_done.set()
        writer.join()
    claim('written to while it was read' in words and not parts(top / 'g', 'trace') and not parts(top / 'g', 'activities'),
          'a trace that grows is none yet')
    extract(growing, '--to', top / 'g', '--as', 'jsonl', '--resume')
    claim(len(parts(top / 'g', 'trace')) == 1, 'once it is whole it is taken')

    # A worker process that is killed costs only its own trace.
    run = subprocess.Popen([cli, 'extract', fleet, '--to', top / 'k', '--as', 'jsonl', '--jobs', '2'], stderr=subprocess.PIPE, text=True)
    children = pathlib.Path(f'/proc/{run.pid}/task/{run.pid}/children')
    while not parts(top / 'k', 'activities') and run.poll() is None:
        time.sleep(0.001)
    found = children.read_text().split() if children.exists() else []
    for child in found[:1]:
        os.kill(int(child), signal.SIGKILL)
    words = run.communicate(timeout=300)[1]
    n_done, n_failed = map(int, re.search(r'extracted: (\d+), failed: (\d+)', words).groups())
    claim(n_done + n_failed == N_TRACES and n_failed <= 1 and len(parts(top / 'k', 'trace')) == n_done, words)
    claim(n_failed == 0 or (run.returncode == 3 and 'signal 9' in words), words)
    print(f'# {n_failed} trace was lost with the process that read it')
    left = [str(path) for path in (top / 'k').rglob('*') if path.is_file() and path.suffix != '.jsonl']
    claim(not left, f'nothing is left of it: {left}')
    extract(fleet, '--to', top / 'k', '--as', 'jsonl', '--resume')
    claim(len(parts(top / 'k', 'trace')) == N_TRACES and not parts(top / 'k', 'failures'), 'it is there after the next run')

    # A worker process that is killed between two traces costs none.
    run = subprocess.Popen([cli, 'extract', fleet, '--to', top / 'b', '--as', 'jsonl', '--jobs', '1'], stderr=subprocess.PIPE, text=True)
    children = pathlib.Path(f'/proc/{run.pid}/task/{run.pid}/children')
    while not parts(top / 'b', 'activities') and run.poll() is None:
        time.sleep(0.001)
    # The stopped parent does not read the result of the worker, which then waits for its next trace.
    os.kill(run.pid, signal.SIGSTOP)
    time.sleep(0.5)
    found = children.read_text().split() if children.exists() else []
    for child in found:
        os.kill(int(child), signal.SIGKILL)
    time.sleep(0.5)
    os.kill(run.pid, signal.SIGCONT)
    words = run.communicate(timeout=300)[1]
    claim(run.returncode == 0 and f'extracted: {N_TRACES}, failed: 0' in words, words)
    if not found:
        print('# no process was there to be killed between two traces')

    # The processes that read are forked by one that has a single thread and is still the only one that reads the list.
    for words in ((), ('--resume', '--as', 'sqlite')):
        run = subprocess.Popen([cli, 'extract', '--from-file', '-', '--to', top / f'f{len(words)}', '--jobs', '3', '-q', *words],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for path in sorted(fleet.glob('*.etl'))[:40]:
            run.stdin.write(f'{path}\n')
        run.stdin.flush()
        children = pathlib.Path(f'/proc/{run.pid}/task/{run.pid}/children')
        deadline = time.monotonic() + 200
        while children.exists() and len(children.read_text().split()) < 3 and time.monotonic() < deadline:
            time.sleep(0.001)
        found = children.read_text().split() if children.exists() else []
        if found:
            # ThreadSanitizer has a thread of its own.
            claim(b'__tsan_init' in pathlib.Path(cli).read_bytes() or len(os.listdir(f'/proc/{run.pid}/task')) == 1, 'it has threads')
            claim(len(found) == 3, f'{len(found)} processes read')
        mine = list_files(run.pid, (0, 1))
        for child in found:
            others = mine | {name for other in found if other != child for name in list_files(other, (0, 1))}
            # It closes them once it runs.
            while others & list_files(child) and time.monotonic() < deadline:
                time.sleep(0.01)
            claim(not others & list_files(child), f'files of others: {others}, {list_files(child)}')
        run.communicate(timeout=300)
        claim(run.returncode == 0, 'a list that comes slowly')

    # When the process that forked them is killed, the others end, too.
    run = subprocess.Popen([cli, 'extract', '--from-file', '-', '--to', top / 'o', '--jobs', '2', '-q'], stdin=subprocess.PIPE, text=True)
    run.stdin.write(''.join(f'{path}\n' for path in sorted(fleet.glob('*.etl'))[:4]))
    run.stdin.flush()
    children = pathlib.Path(f'/proc/{run.pid}/task/{run.pid}/children')
    deadline = time.monotonic() + 200
    while children.exists() and len(children.read_text().split()) < 2 and time.monotonic() < deadline:
        time.sleep(0.001)
    found = children.read_text().split() if children.exists() else []
    run.kill()
    run.wait()
    run.stdin.close()
    deadline = time.monotonic() + 200
    while any(is_running(child) for child in found) and time.monotonic() < deadline:
        time.sleep(0.01)
    claim(not any(is_running(child) for child in found), 'a process goes on without the one that forked it')

    # A full disk and a read-only disk.
    room = top / 'room'
    room.mkdir()
    script = (f'mount -t tmpfs -o size=200k none {room} || exit 77; "$1" extract "$2" --to {room}/t -q; echo "$?"; '
              f'ls -R {room} >&2; find {room} -name "*.??????" | grep -v parquet$ | grep . && exit 9; '
              # A second tmpfs: in a user namespace a remount is refused because of its uid= option.
              f'mount -t tmpfs -o ro none {room} || exit 77; "$1" extract "$2" --to {room}/u -q; echo "$?"')
    done = subprocess.run(['unshare', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', cli, fleet], capture_output=True,
                          text=True, check=False)
    if done.returncode == 77 or 'unshare' in done.stderr:
        print('# no disk of its own can be mounted here: a full one was not tried')
    else:
        claim(done.stdout.split() == ['1', '1'] and 'No space left' in done.stderr and 'Read-only file system' in done.stderr,
              f'no room, and no permission, are told: {done.stdout} {done.stderr[-1000:]}')

    traces = sorted(fleet.glob('*.etl'))

    # Inputs that cannot be read, with one name in two folders.
    for folder in ('links 1', 'links 2'):
        (top / folder).mkdir()
        (top / folder / 'dangling.etl').symlink_to('nowhere')
    told = extract(top / 'links 1', top / 'links 2', '--to', top / 'dangling', '--as', 'jsonl', status=3)
    claim(len(parts(top / 'dangling', 'failures')) == 2 and 'same trace' not in told, 'two failures of one name')

    # File names that are no text: tables are UTF-8.
    odd = top / 'odd names'
    odd.mkdir()
    name = os.fsencode(odd) + b'/caf\xe9.etl'
    shutil.copy(traces[0], name)
    pathlib.Path(os.fsdecode(os.fsencode(odd) + b'/wrong\xff.etl')).write_text('no trace\n' * 50)
    extract(odd, '--to', top / 'utf8', '--as', 'jsonl', status=3)
    found = [json.loads(part.read_text(encoding='utf-8')) for table in ('trace', 'failures') for part in parts(top / 'utf8', table)]
    claim([row['file'] for row in found] == ['caf\ufffd.etl', 'wrong\ufffd.etl'] and
          'wrong\ufffd.etl' in found[1]['reason'], 'names are valid texts')

    # What the tables leave out is told: members that are no traces, other computers, and damage.
    archive = top / 'case.zip'
    with zipfile.ZipFile(archive, 'w') as file:
        file.write(traces[0], 'one.etl')
        file.write(traces[1], 'other.etl')
        file.writestr('junk.etl', 'no trace\n' * 50)
    cut = top / 'cut.etl'
    cut.write_bytes(traces[0].read_bytes()[:20000])
    for path, words in ((archive, ('(junk.etl) is left out', 'several machines')), (cut, ('cut.etl is damaged',))):
        told = extract(path, '--to', top / f'left out of {path.name}')
        claim(all(word in told for word in words), told)
        claim(extract(path, '--to', top / f'left out of {path.name}', '-q') == '', 'but not with --quiet')

    # Wrong usage is refused before anything is written.
    keep = top / 'keep'
    keep.write_text('keep\n')
    claim('--to DIR' in extract(traces[0], '--to', '', status=2), 'an empty folder name')
    claim('--schema' in extract(traces[0], '--to', top / 'none', '-o', keep, status=2) and keep.read_text() == 'keep\n' and
          not (top / 'none').exists(), 'an output file')
    claim('cannot read' in extract('--from-file', top, '--to', top / 'none', status=1), 'a folder as a list')
    with open(traces[0], 'rb') as file:
        claim('standard input' in extract('-', '--to', top / 'none', status=2, stdin=file), 'a trace from standard input')

    # A failure goes when the input can be read, or fails with other contents.
    grows = top / 'grows.etl'
    for form, to in (('jsonl', top / 'grown'), ('sqlite', top / 'grown.sqlite')):
        for contents, failed in ((b'no trace\n' * 50, 1), (b'nor this one\n' * 50, 1), (traces[0].read_bytes(), 0)):
            grows.write_bytes(contents)
            extract(grows, '--to', to, '--as', form, '--resume', status=3 if failed else 0)
            found = len(parts(to, 'failures')) if form == 'jsonl' else \
                sqlite3.connect(to).execute('SELECT count(*) FROM failures').fetchone()[0]
            claim(found == failed, f'{form}: {found} failures, {failed} expected')

    # A killed process leaves no rows of its options to a later run with others.
    extract(fleet, '--to', top / 'plain', '--as', 'jsonl', '-q')
    wanted = {part.relative_to(top / 'plain'): part.read_bytes() for table in ('trace', 'activities', 'processes')
              for part in parts(top / 'plain', table)}
    for number in range(5):
        to = top / f'mixed {number}'
        run = subprocess.Popen([cli, 'extract', fleet, '--redact', '--to', to, '--as', 'jsonl', '-q'])
        deadline = time.monotonic() + 100
        while len(parts(to, 'trace')) <= number * 8 and run.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        run.kill()
        run.wait()
        time.sleep(0.3)
        extract(fleet, '--to', to, '--as', 'jsonl', '-q', '--resume')
        found = {part.relative_to(to): part.read_bytes() for table in ('trace', 'activities', 'processes')
                 for part in parts(to, table)}
        claim(found == wanted, f'{sum(found.get(name) != data for name, data in wanted.items())} files differ')

    # Rows written with other options are not those that are wanted now.
    log = top / 'pfirewall.log'
    log.write_text('#Version: 1.5\n#Fields: date time action protocol src-ip dst-ip src-port dst-port\n'
                   '2026-03-02 13:15:00 DROP TCP 10.0.0.1 10.0.0.2 50000 443\n')
    for form, to in (('parquet', top / 'again'), ('sqlite', top / 'again.sqlite')):
        run = [traces[0], '--as', form, '--to', to, '--resume']
        for more, already in (([], 0), ([], 1), ([log], 0), ([log], 1), (['--redact'], 0), (['--redact'], 1),
                              (['--tables', 'dns'], 0), (['--include-secrets'], 0), ([], 0), ([], 1)):
            told = extract(*run, *more)
            claim(f'already present: {already}' in told, f'{form} {more}: {told}')

print(f'{claims} claims hold')
