#!/usr/bin/env python3
"""Tests that several processes write the same fleet tables as one, by GNU parallel and by a Slurm job array.

Usage: check-shared.py CLI MAKE-FLEET DATA-FOLDER

SPDX-License-Identifier: GPL-3.0-or-later
"""
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

cli, make_fleet, data = sys.argv[1:]
data = pathlib.Path(data).resolve()
environment = os.environ | {'PATH': f'{pathlib.Path(cli).resolve().parent}:{os.environ["PATH"]}'}
N_TRACES, N_TASKS = 60, 3


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob('*.parquet')}


def is_running(asker):
    """Returns whether a service is running. If it is only installed, its clients retry for minutes."""
    try:
        return subprocess.run([asker], capture_output=True, check=False, timeout=10).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment | more, timeout=500)
    if done.returncode != 0:
        sys.exit(f'{words}: {done.returncode}: {done.stderr}')


def tell_task(array, task, step):
    """Returns the variables that Slurm sets for a task; None: no step."""
    variables = {'ID': task, 'MIN': array[0], 'MAX': array[-1], 'COUNT': len(array), 'STEP': step}
    return {f'SLURM_ARRAY_TASK_{name}': str(value) for name, value in variables.items() if value is not None}


with tempfile.TemporaryDirectory() as top:
    top = pathlib.Path(top)
    traces = top / 'all traces'
    run(make_fleet, traces, top / 'facts.jsonl', str(N_TRACES))
    (traces / "odd 'name'; $(x).etl").write_text('no trace\n' * 100)
    # Endings in capitals, compressed files, subfolders and links are traces, too; a compressed log is none.
    names = sorted(path.name for path in traces.glob('[0-9]*.etl'))
    (traces / 'below').mkdir()
    (traces / names[0]).rename(traces / 'CAPITALS.ETL')
    (traces / names[1]).rename(traces / 'below' / 'trace.etl.001')
    (traces / 'packed.etl.GZ').write_bytes(gzip.compress((traces / names[2]).read_bytes()))
    (traces / names[2]).unlink()
    (traces / names[3]).rename(top / 'elsewhere.etl')
    (traces / 'link.etl').symlink_to(top / 'elsewhere.etl')
    (traces / 'LOG.TXT.GZ').write_bytes(gzip.compress(b'no trace'))
    # An archive of logs alone is a trace that cannot be read, not a log of the traces beside it.
    with zipfile.ZipFile(traces / 'logs.zip', 'w') as file:
        file.writestr('pfirewall.log', '#Version: 1.5\n#Fields: date time action protocol src-ip dst-ip src-port dst-port\n'
                      '2026-03-02 13:15:00 DROP TCP 10.0.0.1 10.0.0.2 50000 443\n')
    done = subprocess.run([cli, 'extract', '--recursive', traces, '--to', top / 'alone', '-q'], check=False)
    if done.returncode != 3:
        sys.exit(f'alone: {done.returncode}')
    # Files without rows are written by processes that have no row for the table.
    wanted = {name: data for name, data in files(top / 'alone').items() if 'part-none' not in name}
    if sum(name.startswith('trace/') for name in wanted) != N_TRACES:
        sys.exit('alone: other traces')
    if sum(name.startswith('failures/') for name in wanted) != 2:
        sys.exit('alone: two traces cannot be read')

    def compare(folder, what):
        found = {name: data for name, data in files(folder).items() if 'part-none' not in name}
        if found.keys() != wanted.keys():
            sys.exit(f'{what}: other files: {sorted(found.keys() ^ wanted.keys())[:9]}')
        if found != wanted:
            sys.exit(f'{what}: other rows: {sorted(name for name in found if found[name] != wanted[name])[:9]}')
        print(f'{what}: as one process alone')

    # The arrays 4-6 and 0-6:2, and 4-6 without the step, which is then 1.
    for array, step in ([4, 5, 6], 1), ([0, 2, 4, 6], 2), ([4, 5, 6], None):
        tables = top / f'tasks {array[0]} {step}'
        for task in array:
            run(data / 'slurm.sh', traces, tables, **tell_task(array, task, step))
        compare(tables, f'{len(array)} tasks of an array, step {step}')

    # For the lists 3,7 and 1,3,5 and 1,2,5, Slurm passes on step 1.
    for array, task, step in ([3, 7], 3, 1), ([3, 7], 7, 1), ([1, 3, 5], 3, 1), ([1, 2, 5], 1, 1), ([0, 3, 4], 3, 2):
        done = subprocess.run([data / 'slurm.sh', traces, top / 'gaps'], capture_output=True, text=True, check=False,
                              env=environment | tell_task(array, task, step))
        if done.returncode != 2 or f'--array=0-{len(array) - 1}' not in done.stderr or (top / 'gaps').exists():
            sys.exit(f'task {task} of the array {array}: {done.returncode}: {done.stderr}')
    print('arrays with gaps are refused')

    if shutil.which('parallel'):
        run(data / 'parallel.sh', traces, top / 'parallel', JOBS='2')
        compare(top / 'parallel', 'two processes of GNU parallel')
        before = files(top / 'parallel')
        run(data / 'parallel.sh', traces, top / 'parallel', JOBS='2')
        if files(top / 'parallel') != before:
            sys.exit('a second run changes files')
    else:
        print('# GNU parallel is not here (package parallel): its script was not run')

    if shutil.which('sbatch') and is_running('sinfo'):
        run('sbatch', '--wait', '--export=ALL', f'--array=0-{2 * (N_TASKS - 1)}:2', f'--output={top}/slurm-%a.log',
            data / 'slurm.sh', traces, top / 'slurm')
        compare(top / 'slurm', 'a job array of Slurm, step 2')
    else:
        print('# Slurm does not run here (packages slurmctld slurmd munge): only its script was run')
