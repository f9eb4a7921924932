#!/usr/bin/env python3
# Checks that each built-in name and prefix of secrets is in the table of its character.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Usage: check-secret-tables.py SOURCE

An entry in the table of another character is never compared, so its secret would be shown."""
import pathlib
import re
import sys

SIGNS = {'underscore': '_', 'dash': '-', 'dot': '.', 'slash': '/'}

src = pathlib.Path(sys.argv[1]) / 'src' / 'base'
wrong = []
n_entries = 0


def read_tables(name, prefix):
    """Yields the character and the entries of each table whose name begins with PREFIX, and checks that it is used."""
    text = (src / name).read_text(encoding='utf-8')
    for sign, entries in re.findall(r'\b' + prefix + r'(\w+)\[\] = \{(.*?)\n\};', text, re.S):
        if f'GROUP ({prefix}{sign})' not in text:
            wrong.append(f'{name}: {prefix}{sign} is in no group')
        yield SIGNS.get(sign, sign), entries


for sign, entries in read_tables('ns-secret-names.c', 'ends_in_'):
    for secret in re.findall(r'\{ ((?:"[^"]*" ?)+),', entries):
        n_entries += 1
        whole = ''.join(re.findall(r'"([^"]*)"', secret))
        if not whole.endswith(sign):
            wrong.append(f'ns-secret-names.c: {whole} does not end in {sign}')
for sign, entries in read_tables('ns-secrets-prefixes.c', 'at_'):
    for beginning, place in re.findall(r'\{ "([^"]*)", (\d+),', entries):
        n_entries += 1
        if beginning[int(place):int(place) + 1] != sign:
            wrong.append(f'ns-secrets-prefixes.c: {beginning} does not have {sign} at {place}')
if n_entries < 100:
    wrong.append(f'only {n_entries} entries were found')
print('\n'.join(wrong) or f'{n_entries} names and prefixes of secrets are in the tables of their characters')
sys.exit(bool(wrong))
