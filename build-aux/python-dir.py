#!/usr/bin/env python3
"""Prints where Python modules of a prefix go: python-dir.py PREFIX.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import sysconfig

prefix = sys.argv[1]
schemes = sysconfig.get_scheme_names()
# Debian's Python looks in dist-packages: of packages below /usr, of others below /usr/local.
if prefix == '/usr' and 'deb_system' in schemes:
    scheme, base = 'deb_system', prefix
elif prefix == '/usr/local' and 'posix_local' in schemes:
    scheme, base = 'posix_local', '/usr'
else:
    scheme, base = 'posix_prefix', prefix
print(sysconfig.get_path('purelib', scheme, {'base': base, 'installed_base': base}))
