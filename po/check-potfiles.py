#!/usr/bin/env python3
"""Checks that POTFILES.in lists every file with translatable texts and no file that does not exist."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
listed = set((root / 'po' / 'POTFILES.in').read_text(encoding='utf-8').split())
spoken = set()
cut = []
for path in sorted((root / 'src').rglob('*')):
    text = path.read_text(encoding='utf-8') if path.suffix in ('.c', '.h', '.ui') else ''
    # xgettext expands the format macros of inttypes.h only and would truncate a text at any other macro.
    if re.search(r'\b(?:[NC]?_|\w*gettext)\s*\((?:\s*"(?:[^"\\]|\\.)*"|\s*PRI\w+|\s*,|\s*[A-Z_]+PACKAGE)*\s*G_G\w*_FORMAT', text):
        cut.append(str(path.relative_to(root)))
    if re.search(r'\bN?_ ?\("|\bngettext ?\(|translatable="yes"', text):
        spoken.add(str(path.relative_to(root)))
for path in (root / 'data').glob('*.in'):
    if path.suffixes[-2:] in (['.desktop', '.in'], ['.xml', '.in']):
        spoken.add(str(path.relative_to(root)))
spoken.add('data/org.netstitch.Netstitch.gschema.xml')
spoken.add('data/netstitch-mime.xml.in')
missing = sorted(spoken - listed)
gone = sorted(name for name in listed if not (root / name).exists())
if '--write' in sys.argv:
    (root / 'po' / 'POTFILES.in').write_text('\n'.join(sorted(spoken)) + '\n', encoding='utf-8')
    sys.exit(0)
for name in missing:
    print(f'not in po/POTFILES.in: {name}')
for name in gone:
    print(f'in po/POTFILES.in but gone: {name}')
for name in cut:
    print(f'{name}: a text for translators with a macro of GLib: take one of inttypes.h')
# xgettext reports a text that is used both with and without a plural form; msgfmt would reject it later.
quarrels = []
if shutil.which('xgettext'):
    words = ['--keyword=' + word for word in ('_', 'N_', 'C_:1c,2', 'NC_:1c,2', 'ngettext:1,2', 'g_dngettext:2,3',
                                              'g_dcgettext:2', 'g_dpgettext2:2c,3')]
    done = subprocess.run(['xgettext', '--from-code=UTF-8', '--output=' + os.devnull, *words,
                           *sorted(name for name in spoken if name.endswith('.c'))],
                          cwd=root, capture_output=True, text=True)
    quarrels = [line for line in done.stderr.splitlines() if 'plural' in line or 'error' in line]
for line in quarrels:
    print(line)
print('POTFILES.in is complete' if not missing and not gone
      else 'to put it right: po/check-potfiles.py . --write')
sys.exit(bool(missing or gone or cut or quarrels))
