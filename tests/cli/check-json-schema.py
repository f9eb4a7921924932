#!/usr/bin/env python3
# Checks that the JSON output of netstitch-cli conforms to its JSON schema.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-json-schema.py SCHEMA CLI TRACE"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TYPES = {'string': str, 'integer': int, 'boolean': bool, 'array': list, 'object': dict, 'null': type(None)}
path, cli, trace = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
wrong = []


def complain(where, value, schema):
    """Validates a value by the subset of JSON Schema that the schema uses: types, properties, items."""
    kinds = schema['type'] if isinstance(schema['type'], list) else [schema['type']]
    if type(value) not in [TYPES[kind] for kind in kinds]:
        wrong.append(f'{where}: {value!r} is no {" or ".join(kinds)}')
        return
    if isinstance(value, dict):
        wrong.extend(f'{where}: {name} is missing' for name in schema.get('required', ()) if name not in value)
        for name, member in value.items():
            if name in schema.get('properties', {}):
                complain(f'{where}.{name}', member, schema['properties'][name])
            elif 'properties' in schema:
                wrong.append(f'{where}.{name} is not in the schema')
    if isinstance(value, list) and 'items' in schema:
        for i, item in enumerate(value):
            complain(f'{where}[{i}]', item, schema['items'])


def words_of(verb):
    """Returns the arguments to test a verb with, or None if it cannot be tested here."""
    if verb in ('info', 'symbols', 'payload', 'dump', 'codes'):
        return {'codes': [verb, '0xc0000236']}.get(verb, [verb, trace])
    if verb == 'report':
        return [verb, trace, '--audit']
    if verb == 'diff':
        part = folder / 'part.etl'
        subprocess.run([cli, 'export', trace, '--as', 'etl', '--rows', '1-5', '-o', part], check=True)
        return [verb, trace, str(part), '--columns', 'all']
    if verb == 'pairs':
        return None  # Needs traces of two machines: see check-pairs.py.
    if verb == 'correlate':
        events = json.loads(subprocess.check_output([cli, 'events', trace, '--format', 'json']))
        linked = [event['n'] for event in events if event['activity']]
        return [verb, trace, '--event', str(linked[0])] if linked else None
    if verb == 'pdb':
        pdb = pathlib.Path(os.environ.get('NETSTITCH_TEST_PDB', '')) / 'crash.pdb'
        return [verb, str(pdb), '--identity'] if pdb.is_file() else None
    return [verb, trace, '--limit', '200']


schemas = json.loads(path.read_bytes())['$defs']
n_rows = 0
with tempfile.TemporaryDirectory() as made:
    folder = pathlib.Path(made)
    for verb, schema in schemas.items():
        words = words_of(verb)
        if words is None:
            continue
        printed = subprocess.run([cli, *words, '--format', 'json'], check=True, capture_output=True)
        rows = json.loads(printed.stdout)
        rows = rows if isinstance(rows, list) else [rows]
        n_rows += len(rows)
        if verb in ('info', 'diff', 'report', 'stacks', 'codes') and not rows:
            wrong.append(f'{verb}: there is nothing to check')
        for i, row in enumerate(rows):
            complain(f'{verb}[{i}]', row, schema)
# Every verb that supports JSON must be in the schema.
listed = subprocess.check_output([cli, '--complete', ''], text=True).split()
for verb in listed:
    if not verb.startswith('-') and '--format' in subprocess.check_output([cli, verb, '--help'], text=True) \
            and verb not in schemas:
        wrong.append(f'{verb} is not in the schema')
if n_rows == 0:
    wrong.append('the trace has no rows to check')
print('\n'.join(wrong[:40]) or f'{n_rows} rows of {len(schemas)} verbs are as the schema says')
sys.exit(bool(wrong))
