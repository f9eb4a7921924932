#!/usr/bin/env python3
"""Tests Parquet files: an independent reader compares each value that make-parquet wrote.

Usage: check-parquet.py FOLDER-OF-READER MAKE-PARQUET
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
import parquet_reader  # noqa: E402

NAMES = ['', 'a', 'Zürich', '\U0001f600', 'long long long']
MASK = 0xffffffff


def mix(i, salt):
    x = (i * 2654435761 + salt * 40503) & MASK
    x ^= x >> 15
    x = x * 2246822519 & MASK
    return x ^ x >> 13


def make_row(i):
    counts = range(mix(i, 2) % 5, 0, -1)
    return {
        'flag': None if mix(i, 5) % 3 == 0 else bool(mix(i, 6) & 1),
        'number': (((mix(i, 7) << 32) + 2**63) % 2**64 - 2**63) - 0x7fffffff,
        'few': None if mix(i, 8) % 50 == 0 else mix(i, 9) % 4,
        'moment': 1700000000123456789 + i,
        'text': f'text {mix(i, 1)}',
        'name': None if mix(i, 10) % 7 == 0 else NAMES[mix(i // 20, 11) % 5],
        'texts': None if mix(i, 12) % 4 == 0 else [NAMES[((mix(i, 3) + n) & MASK) % 5] for n in counts],
        'numbers': [-(mix(i, 4) % (n * 7)) for n in counts],
        'none': None,
        'same': -1,
    }


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'rows.parquet')
    for n_rows, group in ((0, 1), (1, 1), (7, 1 << 25), (8, 1 << 25), (9, 1 << 25), (1000, 1), (20001, 1 << 25),
                          (50000, 1 << 20)):
        subprocess.run([sys.argv[2], path, str(n_rows), str(group)], check=True)
        columns, rows = parquet_reader.read(path)
        wanted = [make_row(i) for i in range(n_rows)]
        if rows != wanted:
            at = next((i for i, (a, b) in enumerate(zip(rows, wanted)) if a != b), min(len(rows), n_rows))
            sys.exit(f'{n_rows} rows, groups of {group} bytes: row {at} is {rows[at:at + 1]}, wanted {wanted[at:at + 1]}')
        kinds = {column.name: (column.is_list, column.is_timestamp) for column in columns}
        assert kinds['texts'] == (True, False) and kinds['moment'] == (False, True), kinds
    again = open(path, 'rb').read()
    subprocess.run([sys.argv[2], path, '50000', str(1 << 20)], check=True)
    assert open(path, 'rb').read() == again, 'the same rows make another file'
print('what was written is read back')
