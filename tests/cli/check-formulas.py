#!/usr/bin/env python3
"""Tests that no cell of CSV or TSV is a spreadsheet formula, and that each cell reads back unchanged.

Usage: check-formulas.py CLI SAMPLE.etl
"""
import csv
import io
import itertools
import re
import subprocess
import sys
import tempfile

cli, sample = sys.argv[1:]
VERBS = [['activities'], ['activities', '--columns', 'all'], ['dns'], ['tcp'], ['winsock'], ['webio'],
         ['processes'], ['images'], ['providers'], ['findings'], ['calls'], ['tasks'], ['info'], ['info', '--stats'],
         ['events', '--limit', '3000'], ['activities', '--group-by', 'process,server'], ['report', '--audit'],
         ['stacks'], ['stacks', '--tree'], ['symbols'], ['export']]
MARKS = tuple('=+-@\t\r')
NUMBER = re.compile(r'-\d+(\.\d+)?\Z')
wrong = []


def spoil(data):
    """Inserts a character that begins a formula before each longer word of the trace."""
    marks = itertools.cycle(['=', '+', '-', '@', "'=", "''-", "'a"])

    def wide(found):
        mark = next(marks).encode('utf-16-le')
        return mark + found.group()[len(mark):]

    def narrow(found):
        mark = next(marks).encode()
        return mark + found.group()[len(mark):]

    data = re.sub(rb'(?<![\x20-\x7e]\0)(?:[A-Za-z]\0)(?:[A-Za-z.-]\0){5,}', wide, data)
    return re.sub(rb'(?<![\x20-\x7e])[A-Za-z][A-Za-z.-]{6,}', narrow, data)


def run(verb, form, *more):
    words = [cli, verb[0], trace.name, *verb[1:], '--quiet', '--as' if verb[0] == 'export' else '--format', form, *more]
    process = subprocess.run(words, capture_output=True, check=False)
    if process.returncode != 0:
        wrong.append(f'{verb} {form}: {process.stderr.decode()}')
    return process.stdout.decode('utf-8')


def cells_of(text, form):
    if form == 'csv':
        return list(csv.reader(io.StringIO(text, newline='')))
    return [line.split('\t') for line in text.split('\n')[:-1]]


def read_back(cell):
    return cell[1:] if re.match(r"'+[=+\-@\t\r]", cell) else cell


trace = tempfile.NamedTemporaryFile(suffix='.etl')
with open(sample, 'rb') as file:
    trace.write(spoil(file.read()))
trace.flush()
n_guarded = n_apostrophes = n_verbs = 0
for verb in VERBS:
    for form in ('csv', 'tsv'):
        guarded = cells_of(run(verb, form), form)
        exact = cells_of(run(verb, form, '--no-formula-guard'), form)
        if [len(row) for row in guarded] != [len(row) for row in exact]:
            wrong.append(f'{verb} {form}: the guard changes rows')
            continue
        n_here = 0
        for row, others in zip(guarded, exact):
            for cell, other in zip(row, others):
                if cell.startswith(MARKS) and not NUMBER.match(cell):
                    wrong.append(f'{verb} {form}: a formula: {cell[:60]!r}')
                if read_back(cell) != other:
                    wrong.append(f'{verb} {form}: {cell[:60]!r} is not {other[:60]!r}')
                n_here += cell != other
                n_apostrophes += cell.startswith("''")
        n_guarded += n_here
        n_verbs += n_here > 0

if n_guarded < 100 or n_verbs < 20 or n_apostrophes == 0:
    wrong.append(f'only {n_guarded} cells of {n_verbs} lists were guarded: this shows too little')
for line in wrong[:40]:
    print(line)
print(f'{n_guarded} cells of {n_verbs} lists guarded, {n_apostrophes} with an apostrophe of their own')
sys.exit(1 if wrong else 0)
