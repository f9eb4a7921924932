#!/usr/bin/env python3
"""Checks that calls between the files of a source folder ("room") have no cycles, except the groups that
src/DESIGN.md explains.
"""
import collections
import pathlib
import re
import subprocess
import sys

# Groups of files with allowed cycles, as room/file without extension; a subfolder precedes the file with "_".
GROUPS = {
    'the frame of the window': r'ui/(ns-application|ns-window.*|sheets_ns-(compare-sheet|other-trace|pairs-sheet))',
    'the timeline': r'ui/timeline_ns-timeline.*',
    'the table of rows': r'ui/table_ns-(rows-content|table-.*)',
}

nm, build = sys.argv[1], pathlib.Path(sys.argv[2]) / 'src'
home = {}
needs = collections.defaultdict(set)
objects = sorted(build.rglob('*.o'))
for at in range(0, len(objects), 200):
    some = [str(path) for path in objects[at:at + 200]]
    text = subprocess.run([nm, '-A', *some], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        path, _, rest = line.partition(':')
        path = pathlib.Path(path)
        name = f'{path.relative_to(build).parts[0]}/{path.name[:-len(".c.o")]}'
        words = rest.split()
        # Code symbols only: a reference to a data symbol, such as a table of rules, is not a call.
        if len(words) == 3 and words[1] == 'T':
            home[words[2]] = name
        elif len(words) == 2 and words[0] == 'U':
            needs[name].add(words[1])
calls = {name: {home[symbol] for symbol in symbols if symbol in home} - {name}
         for name, symbols in needs.items()}


def reach(start, edges):
    """Returns all files that are reachable from a file by calls."""
    seen, todo = set(), [start]
    while todo:
        for name in edges.get(todo.pop(), ()):
            if name not in seen:
                seen.add(name)
                todo.append(name)
    return seen


from_where = {name: reach(name, calls) for name in calls}
cycles, done = [], set()
for name in sorted(calls):
    if name in done or name not in from_where[name]:
        continue
    cycle = {other for other in from_where[name] if name in from_where.get(other, ())}
    cycles.append(cycle)
    done |= cycle
wrong = []
found = set()
for cycle in cycles:
    group = next((group for group, pattern in GROUPS.items()
                  if all(re.fullmatch(pattern, name) for name in cycle)), None)
    if group is None:
        pairs = [f'{name} → {other}' for name in sorted(cycle) for other in sorted(calls[name] & cycle)]
        wrong.append('these files call each other: ' + ', '.join(pairs))
    found.add(group)
wrong += [f'{group}: nothing calls in circles there any more; strike it here and in src/DESIGN.md'
          for group in GROUPS if group not in found]
if not home:
    wrong.append(f'nothing is compiled below {build}')
print('\n'.join(wrong) or f'{len(calls)} files, {len(cycles)} groups that call in circles')
sys.exit(bool(wrong))
