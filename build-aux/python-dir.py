#!/usr/bin/env python3
"""Prints the directory for the Python modules of a prefix: python-dir.py PREFIX.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import sysconfig

prefix = sys.argv[1]
schemes = sysconfig.get_scheme_names()
# Debian's Python searches dist-packages: below /usr for packages, below /usr/local for local installations.
if prefix == '/usr' and 'deb_system' in schemes:
    scheme, base = 'deb_system', prefix
elif prefix == '/usr/local' and 'posix_local' in schemes:
    scheme, base = 'posix_local', '/usr'
else:
    scheme, base = 'posix_prefix', prefix
print(sysconfig.get_path('purelib', scheme, {'base': base, 'installed_base': base}))
