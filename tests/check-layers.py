#!/usr/bin/env python3
"""Checks which source folder ("room") includes which, and which may include heavy libraries."""
import pathlib
import re
import sys

MAY_SEE = {
    'base':     set(),
    'etl':      {'base'},
    'side':     {'base'},
    'schema':   {'base', 'etl'},
    'wire':     {'base'},
    'engine':   {'base', 'etl', 'side', 'schema', 'wire'},
    'findings': {'base', 'engine'},
    'symbols':  {'base'},
    'query':    {'base', 'schema', 'engine', 'symbols', 'findings'},
    'analysis': {'base', 'schema', 'engine', 'symbols', 'findings', 'query'},
    'export':   {'base', 'etl', 'schema', 'wire', 'engine', 'symbols', 'findings', 'query', 'analysis'},
    'draw':     {'base', 'engine', 'query', 'analysis'},
    'model':    {'base', 'etl', 'side', 'schema', 'wire', 'engine', 'symbols', 'findings', 'query', 'analysis', 'export'},
    'ui':       {'base', 'draw', 'model'},
    'cli':      {'base', 'etl', 'side', 'schema', 'wire', 'engine', 'symbols', 'findings', 'query', 'analysis', 'export', 'draw'},
}
# Folders of the engine: each may include those before it.
ENGINE = ('catalog', 'trace', 'build', 'stacks', 'system', 'tasks', 'net', 'app', 'activities', 'open')
HEAVY = {'gtk/': {'ui'}, 'cairo': {'ui', 'draw'}, 'libxml/': {'schema'}, 'gio/': {'model', 'ui', 'cli', 'symbols'},
         'archive': {'etl', 'symbols', 'export'}, 'libsoup/': {'symbols'}, 'maxminddb': {'engine'},
         'zlib': {'schema', 'wire'}, 'brotli/': {'wire'}, 'zstd': {'wire', 'export'}, 'sqlite3': {'export'}}
WALL = 1200
# Rooms that may read the tables of a trace only through ns_trace_get_row().
BY_ACCESSOR = {'ui', 'cli'}

src = pathlib.Path(sys.argv[1])
lists = (src / 'engine/catalog/ns-catalog-lists.h').read_text(encoding='utf-8')
members = re.findall(r'^  TABLE \(\w+, (\w+),', lists, re.MULTILINE)
table = re.compile(r'\btraces?(?:\[[^]]*\])?->(' + '|'.join(members) + r'|tables|logs)\b')
wrong = []
for path in sorted(src.rglob('*.[ch]')):
    room = path.relative_to(src).parts[0]
    text = path.read_text(encoding='utf-8')
    lines = text.splitlines()
    if len(lines) > WALL:
        wrong.append(f'{path}: {len(lines)} lines, the wall is {WALL}')
    if room not in MAY_SEE:
        wrong.append(f'{path}: there is no room {room}')
        continue
    if 'NS_GUID_INIT (' in text and path.name != 'ns-provider-guids.h':
        wrong.append(f'{path}: GUIDs stand in src/etl/ns-provider-guids.h only')
    for number, line in enumerate(lines, 1):
        if m := re.search(r'\bg_(str|int|int64|double)_hash\b(?! \()', line):
            if path.name != 'ns-hash.c':
                wrong.append(f'{path}:{number}: g_{m[1]}_hash is known to strangers; see base/ns-hash.h')
        if m := re.match(r'#include\s+"(\w+)/', line):
            if m[1] != room and m[1] not in MAY_SEE[room]:
                wrong.append(f'{path}:{number}: {room} must not include {m[1]}')
        if re.search(r'\bg_array_index \([^;]*, Ns\w+Row, (?![ikn] - 1)[^;]*(?<!len) - 1\)', line):
            wrong.append(f'{path}:{number}: rows count from 1: read them by NS_ROW_AT() or ns_trace_get_row()')
        if room in BY_ACCESSOR and (m := table.search(line)):
            wrong.append(f'{path}:{number}: {room} must read {m[1]} by ns_trace_get_row() and the like')
        if room == 'engine' and (m := re.match(r'#include\s+"engine/([\w-]+)/', line)):
            inner = path.relative_to(src).parts[1]
            if ENGINE.index(m[1]) > ENGINE.index(inner):
                wrong.append(f'{path}:{number}: engine/{inner} must not include engine/{m[1]}')
        if m := re.match(r'#include\s+<([^>]+)>', line):
            for prefix, rooms in HEAVY.items():
                if m[1].startswith(prefix) and room not in rooms:
                    wrong.append(f'{path}:{number}: {room} must not include <{m[1]}>')
if len(members) < 2:
    wrong.append('the list of tables was not found in ns-catalog-lists.h')
print('\n'.join(wrong) or 'layers hold')
sys.exit(bool(wrong))
