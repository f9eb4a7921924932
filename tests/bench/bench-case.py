#!/usr/bin/env python3
"""Compares the cost of a trace split into several files with the cost of the same trace in one file: wall-clock time,
processor time and peak memory of listing the activities. Fails if processor time or memory exceeds 1.15 times that
of the single file.

Usage: bench-case.py MAKE-BIG CLI SIZE

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import struct
import subprocess
import sys
import tempfile
import time

make_big, cli, size = sys.argv[1:]
MOST = 1.15
ROUNDS = 5


def places(path):
    """Yields the begin and end offset of each ETL buffer. The first field of a buffer header is the buffer's size."""
    with open(path, 'rb') as file:
        whole = os.fstat(file.fileno()).st_size
        at = 0
        while at + 0x48 <= whole:
            file.seek(at)
            n_bytes = struct.unpack('<I', file.read(4))[0]
            yield at, at + n_bytes
            at += n_bytes


def deal_out(path, folder, n_files):
    """Distributes the buffers of a trace over n_files files in turn. Each file begins with a copy of the first buffer,
    which holds the trace header."""
    os.mkdir(folder)
    files = [open(os.path.join(folder, f'{number:03}.etl'), 'wb') for number in range(n_files)]
    with open(path, 'rb') as source:
        for number, (begin, end) in enumerate(places(path)):
            source.seek(begin)
            data = source.read(end - begin)
            for file in files if number == 0 else [files[number % n_files]]:
                file.write(data)
    for file in files:
        file.close()


def measure(path):
    """Returns the minimum of several runs: wall-clock seconds, processor seconds and peak memory in KiB."""
    best = None
    for _ in range(ROUNDS):
        begin = time.monotonic()
        child = subprocess.Popen([cli, 'activities', path, '--format', 'csv', '-q', '-o', os.devnull])
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f'{path}: exit status {child.returncode}')
        now = (time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
        best = now if best is None else tuple(map(min, best, now))
    return best


with tempfile.TemporaryDirectory() as folder:
    whole = os.path.join(folder, 'whole.etl')
    subprocess.run([make_big, size, whole], check=True, stdout=subprocess.DEVNULL)
    alone = measure(whole)
    print(f'1 file: {alone[0]:.2f} s, {alone[1]:.2f} s of processors, {alone[2] / 1024:.0f} MiB')
    is_too_much = False
    for n_files in (2, 8, 64):
        case = os.path.join(folder, f'case-{n_files}')
        deal_out(whole, case, n_files)
        found = measure(case)
        ratios = [a / b for a, b in zip(found, alone)]
        is_too_much = is_too_much or ratios[1] > MOST or ratios[2] > MOST
        print(f'{n_files} files: time {ratios[0]:.2f}, processors {ratios[1]:.2f}, memory {ratios[2]:.2f} of one')
        for name in os.listdir(case):
            os.unlink(os.path.join(case, name))
sys.exit(1 if is_too_much else 0)
