#!/usr/bin/env python3
# What netstitch-cli prints is what the JSON schema says.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-json-schema.py SCHEMA CLI TRACE"""
import json
import pathlib
import subprocess
import sys

TYPES = {'string': str, 'integer': int, 'boolean': bool, 'array': list, 'object': dict, 'null': type(None)}
path, cli, trace = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
wrong = []


def complain(where, value, schema):
    """As much of the language as our schema speaks: types, members, elements."""
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


schemas = json.loads(path.read_bytes())['$defs']
n_rows = 0
for verb, schema in schemas.items():
    printed = subprocess.run([cli, verb, trace, '--format', 'json', '--limit', '200'], check=True, capture_output=True)
    rows = json.loads(printed.stdout)
    n_rows += len(rows)
    for i, row in enumerate(rows):
        complain(f'{verb}[{i}]', row, schema)
if n_rows == 0:
    wrong.append('the trace has no rows to check')
print('\n'.join(wrong[:40]) or f'{n_rows} rows of {len(schemas)} verbs are as the schema says')
sys.exit(bool(wrong))
