#!/usr/bin/env python3
"""Checks that every language of LINGUAS has a file that msgfmt accepts and that keeps all placeholders.

check-translations.py PO-FOLDER

Untranslated texts are no error, because a translation may come later than its text.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import re
import shutil
import subprocess
import sys

# Placeholders that msgfmt does not check: words in braces that findings replace, and markup tags.
KEPT = re.compile(r'\{[a-z_]+\}|</?[a-z]+\b[^>]*>')
STRING = re.compile(r'^(msg\w+(?:\[\d\])?) "(.*)"$')


def entries(text):
    """Yields (line, texts, translations) of each entry, except fuzzy and obsolete ones."""
    entry, key, line, fuzzy = {}, None, 0, False
    for number, row in enumerate((text + '\n').split('\n'), 1):
        match = STRING.match(row)
        if match:
            key = match[1]
            line = line or number
            entry[key] = match[2]
        elif row.startswith('"') and key:
            entry[key] += row[1:-1]
        elif row.startswith('#,'):
            fuzzy = 'fuzzy' in row
        elif not row:
            if entry.get('msgid') and not fuzzy:
                yield (line, [entry[k] for k in ('msgid', 'msgid_plural') if k in entry],
                       [value for k, value in entry.items() if k.startswith('msgstr')])
            entry, key, line, fuzzy = {}, None, 0, False


def check(path):
    """Returns the errors of a translation file as lines."""
    if not path.exists():
        return [f'{path}: named in LINGUAS, but not there']
    wrong = []
    if shutil.which('msgfmt'):
        done = subprocess.run(['msgfmt', '--check', '--check-accelerators=_', '--output-file=/dev/null', path],
                              capture_output=True, text=True)
        if done.returncode:
            wrong += done.stderr.splitlines()
    for line, texts, translations in entries(path.read_text(encoding='utf-8')):
        wanted = [sorted(KEPT.findall(text)) for text in texts]
        for translation in translations:
            if translation and sorted(KEPT.findall(translation)) not in wanted:
                wrong.append(f'{path}:{line}: “{translation}” has not all of {", ".join(wanted[-1]) or "nothing"}')
    return wrong


def main():
    folder = pathlib.Path(sys.argv[1])
    languages = (folder / 'LINGUAS').read_text(encoding='utf-8').split()
    wrong = [line for language in languages for line in check(folder / f'{language}.po')]
    for path in sorted(folder.glob('*.po')):
        if path.stem not in languages:
            wrong.append(f'{path}: not named in LINGUAS')
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
