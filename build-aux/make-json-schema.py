#!/usr/bin/env python3
# Turns the tables of fields into the JSON schema of what netstitch-cli prints.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: make-json-schema.py src/query/ns-fields-*.c > netstitch-cli.schema.json"""
import json
import pathlib
import re
import sys

TYPES = {'TEXT': 'string', 'GUID': 'string', 'HEX': 'string', 'IP': 'string', 'UINT': 'integer', 'COUNT': 'integer', 'INT': 'integer',
         'BYTES': 'integer', 'TIME': 'integer', 'DURATION': 'integer', 'PORT': 'integer', 'ROW': 'integer',
         'BOOL': 'boolean', 'LIST': 'array', 'OBJECT': 'object'}
TEXT = r'N_\("((?:[^"\\]|\\.)*)"\)'
FIELD = re.compile(r'NS_(FIELD|NUMBERS) \("(\w+)", ' + TEXT + ', ' + TEXT + r', (\w+),')


def read_tables(paths):
    """The fields of each table, by the name of its verb."""
    tables = {}
    for path in paths:
        text = path.read_text(encoding='utf-8')
        for match in re.finditer(r'static const NsField (?:(\w+)_)?fields\[\] = \{(.*?)\n\};', text, re.S):
            name = match[1] or path.stem.removeprefix('ns-fields-')
            tables[name.replace('_', '-')] = FIELD.findall(match[2])
    return tables


def schema_of(fields):
    members = {}
    for macro, name, title, tooltip, kind in fields:
        of_numbers = macro == 'NUMBERS'
        kind = 'LIST' if of_numbers else kind
        member = {'type': [TYPES[kind], 'null'], 'description': tooltip}
        if kind == 'LIST':
            member['items'] = {'type': 'integer' if of_numbers else 'string'}
        members[name] = member
    return {'type': 'object', 'properties': members, 'required': list(members)}


def main():
    tables = read_tables(map(pathlib.Path, sys.argv[1:]))
    schema = {
        '$schema': 'https://json-schema.org/draft/2020-12/schema',
        '$id': 'https://netstitch.org/schema/netstitch-cli.schema.json',
        'title': 'What netstitch-cli prints as JSON',
        'description': 'VERB --format json prints an array of the objects that $defs describes under the name of the '
                       'verb, --format jsonl one a line. Fields may be added, never renamed or dropped. Times are '
                       'nanoseconds since the first record.',
        '$defs': {name: schema_of(tables[name]) for name in sorted(tables)},
    }
    print(json.dumps(schema, indent=1, ensure_ascii=False))


main()
