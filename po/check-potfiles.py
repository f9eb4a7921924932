#!/usr/bin/env python3
"""Every file with words for people stands in POTFILES.in, and every file there is still there."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
listed = set((root / 'po' / 'POTFILES.in').read_text(encoding='utf-8').split())
spoken = set()
cut = []
for path in sorted((root / 'src').rglob('*')):
    text = path.read_text(encoding='utf-8') if path.suffix in ('.c', '.ui') else ''
    # xgettext knows the macros of inttypes.h and no others: it would cut the text there.
    if re.search(r'\bN?_\s*\((?:\s*"(?:[^"\\]|\\.)*"|\s*PRI\w+)*\s*G_GU?INT64', text):
        cut.append(str(path.relative_to(root)))
    if re.search(r'\bN?_ ?\("|\bngettext ?\(|translatable="yes"', text):
        spoken.add(str(path.relative_to(root)))
for path in (root / 'data').glob('*.in'):
    if path.suffixes[-2:] in (['.desktop', '.in'], ['.xml', '.in']):
        spoken.add(str(path.relative_to(root)))
spoken.add('data/org.netstitch.Netstitch.gschema.xml')
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
print('POTFILES.in is complete' if not missing and not gone
      else 'to put it right: po/check-potfiles.py . --write')
sys.exit(bool(missing or gone or cut))
