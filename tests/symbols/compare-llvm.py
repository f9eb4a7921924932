#!/usr/bin/env python3
"""Compares names, lines and inlined frames of random addresses with llvm-symbolizer.

usage: compare-llvm.py NETSTITCH_CLI [--modules N] [--functions N] [--addresses N] [--image EXE --pdb PDB] [--factor N]

Builds a Windows program of many small C++ functions with clang and lld, unless one is specified, and compares the
answers of both tools for addresses in its code. Skipped (exit code 77) if these tools are not installed.

The functions, innermost first, and the lines must be equal. Three differences are expected: llvm-symbolizer 14 takes
the line inside an inlined function from the annotation of the next range; it takes the first of several lines at one
address, of which all but the last have no code; and it names the padding between functions after the function before.
So a line may also be the line of the same code built with DWARF, and padding may have no name.

With --factor the speed is compared, too, for measurements rather than tests: processor time including program start
and output, which does not depend on the load of the computer. The wall-clock time is printed beside it.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import json
import os
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time

SKIP = 77
INT3 = 0xcc
VERSIONS = [''] + ['-%d' % version for version in range(20, 12, -1)]
COMPILER = ['--target=x86_64-pc-windows-msvc', '-c', '-O1', '-g', '-fno-stack-protector', '-fno-exceptions',
            '-fno-rtti', '-fdebug-compilation-dir=.']
LINKER = ['/nologo', '/nodefaultlib', '/entry:entry', '/subsystem:console', '/opt:noref,noicf', '/Brepro']

HEADER = '''#pragma once
extern volatile int sink;
namespace core { namespace detail {
__attribute__((always_inline)) static inline int mix (int a)
{
  sink -= a;
  int r = a * 31;
  sink ^= r;
  return r ^ (a >> 3);
}
__attribute__((always_inline)) static inline int mix_twice (int a)
{
  int r = mix (a);
  sink += 3;
  return r + mix (a + 1);
}
template <class T> struct Box
{
  T v;
  __attribute__((always_inline)) T get () const
  {
    sink++;
    return v;
  }
};
template <class A, class B> struct Pair
{
  A first;
  B second;
  __attribute__((noinline)) int hash () const
  {
    int h = (int) first * 31;
    sink ^= h;
    return h + (int) second;
  }
};
}}
'''

BODY = '''{
  int r = a * %d;
  r += core::detail::mix_twice (a);
  for (int i = 0; i < a; i++)
    {
      sink += i * %d;
      r ^= sink;
    }
  return r + %s;
}
'''

SHAPES = [
    ('__attribute__((noinline)) int Controller::handle_%05d (int a)\n', 'state'),
    ('__attribute__((noinline)) int queue_%05d (int a, core::detail::Box<int> x)\n', 'x.get ()'),
    ('static __attribute__((noinline, used)) int local_%05d (int a)\n', '1'),
    ('template <class T> __attribute__((noinline)) int generic_%05d (int a, T t)\n', '(int) t'),
    ('namespace { __attribute__((noinline, used)) int hidden_%05d (int a, core::detail::Pair<int, long long> p)\n',
     'p.hash ()'),
]


def find_tool(name):
    for version in VERSIONS:
        path = shutil.which(name + version)
        if path:
            return path
    return None


def write_sources(folder, n_modules, n_functions):
    with open(os.path.join(folder, 'core.h'), 'w') as out:
        out.write(HEADER)
    for module in range(n_modules):
        lines = ['#include "core.h"\n', 'namespace app { namespace mod%04d {\n' % module, 'struct Controller { int state;\n']
        lines += ['int handle_%05d (int a);\n' % f for f in range(0, n_functions, len(SHAPES))]
        lines.append('};\n')
        for function in range(n_functions):
            head, value = SHAPES[function % len(SHAPES)]
            lines.append(head % function + BODY % (function + 1, function % 13 + 1, value))
            if 'template' in head:
                lines.append('template int generic_%05d<double> (int, double);\n' % function)
            if head.startswith('namespace'):
                lines.append('}\n')
        lines.append('}}\n')
        if module == 0:
            lines.append('volatile int sink;\nextern "C" int _fltused = 0;\nextern "C" int entry () { return sink; }\n')
        with open(os.path.join(folder, 'm%04d.cpp' % module), 'w') as out:
            out.writelines(lines)


def build(folder, clang, lld, n_modules, kind):
    options, debug = {'pdb': ('-gcodeview', '/debug'), 'dwarf': ('-gdwarf', '/debug:dwarf')}[kind]
    objects = []
    for module in range(n_modules):
        objects.append('%s%04d.obj' % (kind, module))
        subprocess.run([clang, *COMPILER, options, 'm%04d.cpp' % module, '-o', objects[-1]], cwd=folder, check=True)
    subprocess.run([lld, *LINKER, debug, '/pdb:app.pdb', '/pdbaltpath:app.pdb', '/out:%s.exe' % kind, *objects],
                   cwd=folder, check=True)
    return os.path.join(folder, kind + '.exe')


def read_code(image):
    """Returns the address and the bytes of an image's code section."""
    with open(image, 'rb') as file:
        data = file.read()
    at = struct.unpack_from('<I', data, 60)[0]
    n_sections, n_optional = struct.unpack_from('<H', data, at + 6)[0], struct.unpack_from('<H', data, at + 20)[0]
    for i in range(n_sections):
        name, size, rva, _, offset = struct.unpack_from('<8s4I', data, at + 24 + n_optional + 40 * i)
        if name.rstrip(b'\0') == b'.text':
            return rva, data[offset:offset + size]
    sys.exit('no code in ' + image)


def strip_signature(name):
    """Returns a function name without its parameters, which llvm-symbolizer prints for public symbols and methods."""
    name = re.sub(r"`anonymous namespace'|\(anonymous namespace\)", '(anonymous)', name)
    depth = 0
    for i in range(len(name) - 1, -1, -1):
        depth += {')': 1, '(': -1}.get(name[i], 0)
        if name[i] == '(' and depth == 0 and not name[i:].startswith('(anonymous)'):
            name = name if name[:i].endswith('operator') else name[:i]
            break
    return name.strip()


def without_arguments(name):
    """Returns a name without template arguments, which each tool formats differently."""
    depth, out = 0, []
    for c in name:
        depth -= c == '>' and depth > 0
        if depth == 0 and c != '>':
            out.append(c)
        depth += c == '<'
    return ''.join(out)


def run(command, text=None, times=1):
    """Returns the output of a program and its minimum processor and wall-clock times."""
    spent = []
    for _ in range(times):
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        answer = subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True, text=True).stdout
        end, after = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, end - begin))
    return answer, [min(one) for one in zip(*spent)]


def ask_llvm(symbolizer, image, rvas):
    text = ''.join('0x%x\n' % rva for rva in rvas)
    answer, seconds = run([symbolizer, '--obj=' + image, '--relative-address', '--inlining', '--functions=linkage'], text)
    frames = []
    for block in answer.rstrip('\n').split('\n\n'):
        lines = block.split('\n')
        frames.append([(strip_signature(lines[i]), lines[i + 1].rsplit(':', 2)) for i in range(0, len(lines) - 1, 2)])
    return [[(name, os.path.basename(place[0]), int(place[1])) for name, place in one] for one in frames], seconds


def ask_netstitch(cli, pdb, rvas, times):
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as file:
        file.write(''.join('%x\n' % rva for rva in rvas))
        file.flush()
        answer, seconds = run([cli, 'pdb', pdb, '--rvas', file.name, '--format', 'json'], times=times)
    frames = []
    for row in json.loads(answer):
        levels = row['inlines'] + [row]
        frames.append([((level['symbol'] or '??').replace("`anonymous namespace'", '(anonymous)'),
                        os.path.basename(level['file'] or '??').split('\\')[-1], level['line'] or 0) for level in levels])
    return frames, seconds


def compare(rvas, code_at, ours, theirs, dwarf):
    """Compares each address; returns the number of results of each kind, and the unexplained differences."""
    counts = {'equal': 0, 'inlined': 0, 'dwarf': 0, 'padding': 0}
    differences = []
    for i, rva in enumerate(rvas):
        mine, other = ours[i], theirs[i]
        names = [[without_arguments(level[0]) for level in one] for one in (mine, other)]
        lines = [[level[1:] for level in one] for one in (mine, other, dwarf[i] if dwarf else [])]
        if mine[0][0] == '??' and other[0][2] == 0 and code_at(rva) == INT3:
            counts['padding'] += 1
        elif names[0] != names[1]:
            differences.append((rva, 'functions', mine, other))
        else:
            counts['inlined'] += len(mine) > 1
            if lines[0] == lines[1]:
                counts['equal'] += 1
            elif lines[0] == lines[2]:
                counts['dwarf'] += 1
            else:
                differences.append((rva, 'lines', mine, other) + ((dwarf[i],) if dwarf else ()))
    return counts, differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('cli')
    parser.add_argument('--modules', type=int, default=8)
    parser.add_argument('--functions', type=int, default=60)
    parser.add_argument('--addresses', type=int, default=10000)
    parser.add_argument('--image')
    parser.add_argument('--pdb')
    parser.add_argument('--factor', type=float)
    parser.add_argument('--keep')
    options = parser.parse_args()
    clang, lld, symbolizer = (find_tool(name) for name in ('clang++', 'lld-link', 'llvm-symbolizer'))
    missing = [name for name, path in (('clang', clang), ('lld', lld), ('llvm-symbolizer', symbolizer)) if path is None]
    if missing:
        print('skipped: not installed: ' + ', '.join(missing))
        return SKIP

    with tempfile.TemporaryDirectory(prefix='netstitch-') as folder:
        folder = options.keep or folder
        image, pdb, dwarf_image = options.image, options.pdb, None
        if image is None:
            write_sources(folder, options.modules, options.functions)
            image, pdb = build(folder, clang, lld, options.modules, 'pdb'), os.path.join(folder, 'app.pdb')
            dwarf_image = build(folder, clang, lld, options.modules, 'dwarf')
        begin, code = read_code(image)
        if dwarf_image is not None and len(read_code(dwarf_image)[1]) != len(code):
            sys.exit('the same source gave other code with DWARF')
        rng = random.Random(5)
        rvas = [rng.randrange(begin, begin + len(code)) for _ in range(options.addresses)]
        ours, our_seconds = ask_netstitch(options.cli, pdb, rvas, 10 if options.factor else 1)
        theirs, their_seconds = ask_llvm(symbolizer, image, rvas)
        dwarf = ask_llvm(symbolizer, dwarf_image, rvas)[0] if dwarf_image else None

    counts, differences = compare(rvas, lambda rva: code[rva - begin], ours, theirs, dwarf)
    print('%d addresses, %d of them in inlined code: %d equal in all, %d in all but a line that DWARF has as we do, '
          '%d between functions; %d differ' % (len(rvas), counts['inlined'], counts['equal'], counts['dwarf'],
                                               counts['padding'], len(differences)))
    for what, ours, theirs in zip(('processors', 'clock'), our_seconds, their_seconds):
        print('%s: netstitch-cli %.3f s, llvm-symbolizer %.3f s: %.0f times' % (what, ours, theirs, theirs / ours))
    for difference in differences[:10]:
        print('0x%x: %s: %s, not %s' % difference[:4], *difference[4:])
    if options.factor is not None and their_seconds[0] < options.factor * our_seconds[0]:
        print('not %g times as fast' % options.factor)
        return 1
    return 1 if differences else 0


sys.exit(main())
