#!/usr/bin/env python3
# Generates the JSON schema of the output of netstitch-cli from the tables of fields.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: make-json-schema.py FILE.c … > netstitch-cli.schema.json

The files are src/query/ns-fields-*.c, src/query/ns-fields-events-list.h, src/query/ns-field-tls.h,
src/analysis/ns-difference-cells.c and src/cli/ns-cli-members.c."""
import json
import pathlib
import re
import sys

TYPES = {'TEXT': 'string', 'GUID': 'string', 'HEX': 'string', 'IP': 'string', 'UINT': 'integer', 'COUNT': 'integer', 'INT': 'integer',
         'BYTES': 'integer', 'TIME': 'integer', 'DURATION': 'integer', 'PORT': 'integer', 'ROW': 'integer',
         'BOOL': 'boolean', 'LIST': 'array', 'OBJECT': 'object'}
TEXT = r'N_ ?\("((?:[^"\\]|\\.)*)"\)'
FIELD = re.compile(r'NS_(FIELD|NUMBERS|RANKED) \("(\w+)", ' + TEXT + ', ' + TEXT + r', (\w+),')


def read_shared(path):
    """Returns the source text of the fields that several tables share, keyed by the name of their macro."""
    text = path.read_text(encoding='utf-8')
    return {name: text[text.index('#define ' + name):].split('/* clang-format on', 1)[0]
            for name in re.findall(r'#define (\w+_FIELDS) ?\(', text)}


def read_list(path):
    """Returns the fields of a file that tables include, as NS_FIELD and NS_COLUMN."""
    return re.sub(r'\b[A-Z]+_(FIELD|COLUMN) \(', r'NS_\1 (', path.read_text(encoding='utf-8'))


def read_tables(paths, shared, lists):
    """Returns the fields of each table, keyed by the name of its verb."""
    tables = {}
    for path in paths:
        text = path.read_text(encoding='utf-8')
        text = re.sub(r'^#include "query/(ns-fields-[\w-]+-list\.h)"$', lambda match: lists[match[1]], text, flags=re.M)
        for macro, fields in shared.items():
            text = re.sub(r'^  ' + macro + r' \(\w+\),', lambda _: fields, text, flags=re.M)
        for match in re.finditer(r'static const NsField (?:(\w+)_)?fields\[\] = \{(.*?)\n\};', text, re.S):
            name = match[1] or path.stem.removeprefix('ns-fields-')
            tables[name.replace('_', '-')] = FIELD.findall(match[2])
    return tables


MEMBER = re.compile(r'\{ "(\w+)", "(\w+)", NS_TYPE_(\w+), (NULL|"[\w-]+"), ' + TEXT + r' \},')
CHANGE = re.compile(r'\{ "(\w+)", ' + TEXT + r', CELL_(\w+),')
# Verbs that print the fields of a table with another name: {verb: table}.
OTHERS = {'chromium-events': 'events', 'correlate': 'events', 'lanes': 'events'}
# Verbs that print one object instead of an array.
SINGLE = ('info',)


def read_members(path):
    """Returns the schemas of verbs that print no table, keyed by verb; members that depend on an option are optional."""
    verbs = {}
    for verb, name, kind, option, meaning in MEMBER.findall(path.read_text(encoding='utf-8')):
        schema = verbs.setdefault(verb, {'type': 'object', 'properties': {}, 'required': []})
        schema['properties'][name] = {'type': [TYPES[kind], 'null'], 'description': meaning}
        if option == 'NULL':
            schema['required'].append(name)
    return verbs


def read_changes(path):
    """Returns the schema of `diff`; none of its columns is required, because the user chooses them."""
    numbers = ('ROW', 'DURATION', 'DELTA', 'PHASE_DELTA', 'DELTA_OF_PHASE')
    members = {name: {'type': ['integer' if kind in numbers else 'string', 'null'], 'description': title}
               for name, title, kind in CHANGE.findall(path.read_text(encoding='utf-8'))}
    return {'type': 'object', 'properties': members}


def schema_of(fields):
    members = {}
    for macro, name, title, tooltip, kind in fields:
        of_numbers = macro == 'NUMBERS'
        kind = 'LIST' if of_numbers else 'TEXT' if macro == 'RANKED' else kind
        member = {'type': [TYPES[kind], 'null'], 'description': tooltip}
        if kind == 'LIST':
            member['items'] = {'type': 'integer' if of_numbers else 'string'}
        members[name] = member
    return {'type': 'object', 'properties': members, 'required': list(members)}


def main():
    paths = [pathlib.Path(name) for name in sys.argv[1:]]
    named = {path.name: path for path in paths}
    tables = read_tables((path for path in paths if path.name.startswith('ns-fields-') and path.suffix == '.c'),
                         read_shared(named['ns-field-tls.h']),
                         {name: read_list(path) for name, path in named.items() if name.endswith('-list.h')})
    verbs = {name: schema_of(fields) for name, fields in tables.items()}
    verbs |= {verb: schema_of(tables[name]) for verb, name in OTHERS.items()}
    for verb, schema in read_members(named['ns-cli-members.c']).items():
        known = verbs.setdefault(verb, {'type': 'object', 'properties': {}, 'required': []})
        known['properties'] |= schema['properties']
        known['required'] += schema['required']
    verbs['diff'] = read_changes(named['ns-difference-cells.c'])
    schema = {
        '$schema': 'https://json-schema.org/draft/2020-12/schema',
        '$id': 'https://netstitch.org/schema/netstitch-cli.schema.json',
        'title': 'What netstitch-cli prints as JSON',
        'description': 'VERB --format json prints an array of the objects that $defs describes under the name of the '
                       'verb, --format jsonl one a line; ' + ', '.join(SINGLE) + ' prints one object. Fields may be '
                       'added, never renamed or dropped. Times are nanoseconds since the first record.',
        '$defs': {name: verbs[name] for name in sorted(verbs)},
    }
    print(json.dumps(schema, indent=1, ensure_ascii=False))


main()
