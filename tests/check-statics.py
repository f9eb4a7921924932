#!/usr/bin/env python3
"""Checks that the program has no mutable global state except what ALLOWED lists with a reason.

A symbol in a writable section of an object file is state of the process. Two traces that are open with different
settings would share it.
"""
import pathlib
import re
import subprocess
import sys

ROOMS = ('base', 'etl', 'side', 'schema', 'wire', 'engine', 'findings', 'symbols', 'query', 'analysis', 'export', 'draw', 'model', 'ui', 'cli')
# Written once, by the type system at class initialization or by g_quark_from_static_string().
TYPE_SYSTEM = re.compile (r'\w+_parent_class|Ns\w+_private_offset|static_g_define_type_id|\w+_type_id__once'
                          r'|signals|properties|quark|line_changed|job_ready|static_resource|_GWarningOnceBoolean\d+')
# room/file: (symbols, reason).
ALLOWED = {
    'base/ns-hash': ({'key', 'is_drawn'}, 'the key of all hashes, drawn once'),
    'base/ns-crash-stack': ({'is_used', 'room'}, "a thread's own stack for the handler of signals, which are the process's"),
    'engine/open/ns-event-read': ({'last_of_thread'}, "a key: each thread's own last record, so that a repeated look reads nothing"),
    'cli/ns-cli-memory': ({'last_words'}, 'what a handler of signals writes'),
    'cli/ns-cli-output': ({'is_stopped', 'phase', 'stop_pipe', 'unfinished'}, 'what a handler of signals reads'),
}
WRITTEN = re.compile (r'\.(t?data|t?bss)(\.(?!rel\.ro)\w+)*$|\*COM\*')

nm, build = sys.argv[1], pathlib.Path (sys.argv[2]) / 'src'
found = {}
n_files = 0
for room in ROOMS:
    objects = [str (path) for path in sorted ((build / room).rglob ('*.o'))]
    n_files += len (objects)
    text = subprocess.run ([nm, '-f', 'sysv', *objects], capture_output=True, text=True, check=True).stdout
    home = None
    for line in text.splitlines ():
        head = re.match (r'Symbols from .*?([^/]+)\.c\.o:$', line)
        if head:
            # The object of a file in a subfolder is named after both: bits_ns-bits.
            home = f'{room}/' + re.sub (r'^([\w-]+)_(?=ns-)', lambda folder: folder[1].replace ('_', '/') + '/', head[1])
            continue
        cells = [cell.strip () for cell in line.split ('|')]
        if home is None or len (cells) != 7 or not WRITTEN.match (cells[6]) or cells[3] == 'SECTION':
            continue
        name = re.sub (r'\.\d+$', '', cells[0])
        if not name.startswith (('__', '.L')) and not TYPE_SYSTEM.fullmatch (name):
            found.setdefault (home, set ()).add (name)

wrong = []
for home, names in sorted (found.items ()):
    for name in sorted (names - ALLOWED.get (home, (set (), ''))[0]):
        wrong.append (f'src/{home}.c: {name} changes and belongs to the whole program; let an object own it')
for home, (names, _) in sorted (ALLOWED.items ()):
    for name in sorted (names - found.get (home, set ())):
        wrong.append (f'src/{home}.c: {name} is allowed by tests/check-statics.py and is not there')
if n_files == 0:
    wrong.append (f'nothing is compiled below {build}')
print ('\n'.join (wrong) or f'{sum (map (len, found.values ()))} names that change in {n_files} files, each with a reason')
sys.exit (bool (wrong))
