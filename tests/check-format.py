#!/usr/bin/env python3
"""Checks that C files are formatted by clang-format 14, have a purpose and a licence line, and declare ns_ names."""
import pathlib
import re
import shutil
import subprocess
import sys

top = pathlib.Path(sys.argv[1])
files = sorted(p for room in ('src', 'tests') for p in (top / room).rglob('*.[ch]')
               if '_build' not in p.parts)
wrong = []
for path in files:
    text = path.read_text(encoding='utf-8')
    first = text.split('\n', 1)[0]
    if not first.startswith('/* '):
        wrong.append(f'{path}: the first line does not say what the file is for')
    if 'SPDX-License-Identifier: GPL-3.0-or-later' not in text[:600]:
        wrong.append(f'{path}: no licence line at the top')
    if path.is_relative_to(top / 'src') and path.suffix == '.h':
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith('typedef'):
                continue
            if m := re.match(r'^(?:\w[\w \*]*[ \*])?(\w+) \(', line):
                name = m[1]
                if not re.match(r'(?:_?ns_|NS_|G_|GDK_|__attribute__)', name):
                    wrong.append(f'{path}:{number}: {name} has no ns_ prefix')

tool = shutil.which('clang-format-14') or shutil.which('clang-format')
if tool is None:
    print('clang-format is not installed', file=sys.stderr)
    sys.exit(77)
version = subprocess.run([tool, '--version'], capture_output=True, text=True).stdout
if ' 14.' not in version:
    print(f'clang-format 14 decides the layout; here is {version.strip()}: layout not checked')
else:
    tidy = [str(p) for p in files if 'Generated' not in p.open(encoding='utf-8').readline()]
    for i in range(0, len(tidy), 50):
        run = subprocess.run([tool, '--dry-run', '-Werror', '--style=file', *tidy[i:i + 50]],
                             capture_output=True, text=True)
        if run.returncode:
            wrong += sorted({line.split(':')[0] + ': not as clang-format leaves it'
                             for line in run.stderr.splitlines() if 'error:' in line})
print('\n'.join(wrong) or f'{len(files)} files in order')
sys.exit(bool(wrong))
