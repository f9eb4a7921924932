#!/usr/bin/env python3
"""Writes C source with ASCII files as string constants: make-texts.py HEADER NAME=FILE … > SOURCE."""
import pathlib
import sys

print (f'/* Made by build-aux/make-texts.py. */\n#include "{sys.argv[1]}"')
for argument in sys.argv[2:]:
    name, _, path = argument.partition ('=')
    text = pathlib.Path (path).read_bytes ().decode ('ascii').replace ('\r\n', '\n')
    print (f'\nconst char {name}[] =')
    for line in text.splitlines ():
        escaped = line.replace ('\\', '\\\\').replace ('"', '\\"').replace ('\t', '\\t').replace ('?', '\\?')
        print (f'  "{escaped}\\n"')
    print ('  "";')
