#!/usr/bin/env python3
"""Checks which source folder ("room") calls which, by the undefined symbols of the compiled objects.

The includes that check-layers.py checks can be bypassed by a header that includes another one; the symbols of an
object file cannot.
"""
import collections
import pathlib
import re
import subprocess
import sys

rules = (pathlib.Path (__file__).parent / 'check-layers.py').read_text (encoding='utf-8')
MAY_SEE = eval (re.search (r'^MAY_SEE = (\{.*?^\})', rules, re.M | re.S)[1])
ENGINE = eval (re.search (r'^ENGINE = (\(.*?\))', rules, re.M)[1])
# Rooms that a room may call although it does not include them by name: the headers that it may include pass these
# functions on. The window calls functions of query results and file facts; findings and query call functions of the
# file's header.
MAY_CALL = {
    'findings': {'etl'},
    'query': {'etl', 'side'},
    'analysis': {'etl', 'side'},
    'ui': {'etl', 'side', 'engine', 'findings', 'query', 'analysis', 'export'},
}

nm, build = sys.argv[1], pathlib.Path (sys.argv[2]) / 'src'
home = {}
needs = collections.defaultdict (set)
inner_home = {}
inner_needs = collections.defaultdict (set)
for room in MAY_SEE:
    objects = [str (path) for path in sorted ((build / room).rglob ('*.o'))]
    text = subprocess.run ([nm, '-A', *objects], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines ():
        path, _, rest = line.partition (':')
        words = rest.split ()
        name = path.rpartition ('/')[2]
        inner = name.partition ('_')[0]
        if len (words) == 3 and words[1] in 'TDBRV':
            home[words[2]] = room
            if room == 'engine':
                inner_home[words[2]] = inner
        elif len (words) == 2 and words[0] == 'U':
            needs[room].add ((words[1], name))
            if room == 'engine':
                inner_needs[inner].add ((words[1], name))
wrong = []
for room, symbols in needs.items ():
    doors = MAY_SEE[room] | MAY_CALL.get (room, set ()) | {room}
    for symbol, path in sorted (symbols):
        if home.get (symbol, room) not in doors:
            wrong.append (f'{room} must not call {home[symbol]}: {symbol} in {path}')
for inner, symbols in inner_needs.items ():
    for symbol, path in sorted (symbols):
        if ENGINE.index (inner_home.get (symbol, inner)) > ENGINE.index (inner):
            wrong.append (f'engine/{inner} must not call engine/{inner_home[symbol]}: {symbol} in {path}')
if not home:
    wrong.append (f'nothing is compiled below {build}')
print ('\n'.join (wrong) or f'{len (home)} symbols, each called by who may')
sys.exit (bool (wrong))
