#!/usr/bin/env python3
"""Compares demangled names with llvm-undname.

usage: compare-undname.py UNDECORATE_LINES [--names N]

The names are put together by the rules of the grammar, and those that clang gives the functions of
a small program are added where clang is. Skips (exit code 77) where llvm-undname is not installed.

What must be equal is the name without its signature: we leave out what a function takes and
returns. Both are brought to one spelling first, see spell(); what else may differ, and why, stands
in EXPLAINED.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
VERSIONS = [''] + ['-%d' % version for version in range(20, 12, -1)]

SIMPLE = list('CDEFGHIJKMNO') + ['_N', '_J', '_K', '_W', '_S', '_U']
OPERATORS = ['2', '3', '4', '5', '6', '7', '8', '9', 'A', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O',
             'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', '_0', '_1', '_2', '_3', '_4', '_5', '_6', '_U', '_V']
SPECIAL = ['??_7%s6B@', '??_8%s7B@', '??_7%s6BB0@@@', '??_R4%s6B@', '??_G%sUEAAPEAXI@Z', '??_E%sUEAAPEAXI@Z',
           '??_D%sQEAAXXZ', '??_R3%s8', '??_R2%s8']
MEMBERS = ['QEAAXXZ', 'QEBAHH@Z', 'UEAAXXZ', 'MEAAHPEAD@Z', 'AEAAXXZ', 'SAHH@Z', 'QEGBAXXZ', 'QEHAAXXZ']
FREE = ['YAXXZ', 'YAHHH@Z', 'YAPEAXPEBX@Z', 'YAXHZZ', 'YA_NAEBV0@@Z']
DATA = ['3HA', '3PEADEA', '3QBHB']

PROGRAM = '''
namespace outer { namespace inner {
struct Plain { int a; Plain (int); ~Plain (); Plain &operator= (const Plain &); bool operator== (const Plain &) const;
  operator int () const; int operator() (int) const; virtual int turn (double) const; static int count; };
Plain::Plain (int x) : a (x) {}
Plain::~Plain () {}
Plain &Plain::operator= (const Plain &) { return *this; }
bool Plain::operator== (const Plain &o) const { return a == o.a; }
Plain::operator int () const { return a; }
int Plain::operator() (int x) const { return x; }
int Plain::turn (double) const { return a; }
int Plain::count;
template <class A, class B> struct Pair { A a; B b; int sum () const { return sizeof a + sizeof b; } };
template struct Pair<int, unsigned long long>;
template struct Pair<char, Pair<int, short>>;
template <int N, bool B> int counted () { return N; }
template int counted<-7, true> ();
template int counted<4096, false> ();
template <class... T> int pack (T...) { return sizeof... (T); }
template int pack<> ();
template int pack<int, const char *, Plain &&> (int, const char *, Plain &&);
template <class F> int call (F f) { return sizeof f; }
template int call<int (*) (char)> (int (*) (char));
template int call<int (Plain::*) (double) const> (int (Plain::*) (double) const);
template int call<int Plain::*> (int Plain::*);
}}
namespace { __attribute__((used)) int hidden (int x) { return x; } }
inline int keeps () { static int kept; return ++kept; }
int uses () { auto inner = [] (int x) { return x + 1; }; struct Local { int f () { return 2; } } l;
  return keeps () + inner (3) + l.f (); }
extern "C" int plain (int x) { return x; }
'''


def find_tool(name):
    for version in VERSIONS:
        path = shutil.which(name + version)
        if path:
            return path
    return None


class Maker:
    """Names by the rules of the grammar."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def name(self):
        return self.random.choice(['alpha', 'Beta', 'gamma_1', 'x', 'Node', 'operate', 'Q', 'veryLongNameOfSomething'])

    def chain(self, least=0):
        pieces = []
        for _ in range(self.random.randint(least, 3)):
            kind = self.random.random()
            if kind < 0.15:
                pieces.append('?$' + self.name() + '@' + self.arguments(1) + '@')
            elif kind < 0.25:
                pieces.append('?A0x%08x@' % self.random.getrandbits(32))
            else:
                pieces.append(self.name() + '@')
        return ''.join(pieces) + '@'

    def number(self):
        value = self.random.choice([0, 1, 5, 9, 10, 11, 64, 255, 4096, 2 ** 31, 2 ** 63 - 1])
        sign = self.random.choice(['', '?']) if value else ''
        if 1 <= value <= 10:
            return sign + str(value - 1)
        digits = ''
        while value or not digits:
            digits, value = 'ABCDEFGHIJKLMNOP'[value & 15] + digits, value >> 4
        return sign + digits + '@'

    def type(self, depth):
        kind = self.random.randint(0, 9 if depth < 2 else 2)
        if kind <= 1:
            return self.random.choice(SIMPLE)
        if kind == 2:
            return self.random.choice('UVT') + self.name() + '@' + self.random.choice(['@', 'space@@'])
        if kind == 3:
            return 'W4' + self.name() + '@@'
        if kind <= 5:
            return self.random.choice(['PE', 'QE', 'AE']) + self.random.choice('ABCD') + self.type(depth + 1)
        if kind == 6:
            return '$$QE' + self.random.choice('AB') + self.type(depth + 1)
        if kind == 7:
            return 'P6A' + self.type(depth + 1) + self.random.choice(['X', self.type(depth + 1) + '@']) + 'Z'
        if kind == 8:
            return self.random.choice('UV') + '?$' + self.name() + '@' + self.arguments(depth + 1) + '@@'
        return 'PEQ' + self.name() + '@@' + self.type(depth + 1)

    def arguments(self, depth):
        parts = []
        for _ in range(self.random.randint(0, 3)):
            parts.append('$0' + self.number() if self.random.random() < 0.25 else self.type(depth))
        return ''.join(parts) if parts else '$$V'

    def decorated(self):
        kind = self.random.random()
        if kind < 0.1:
            return self.random.choice(SPECIAL) % (self.name() + '@' + self.chain())
        if kind < 0.2:
            return '??' + self.random.choice('01') + self.name() + '@' + self.chain() + 'QEAA@XZ'
        if kind < 0.3:
            return '??B' + self.name() + '@' + self.chain() + 'QEBA' + self.type(1) + 'XZ'
        if kind < 0.45:
            return '??' + self.random.choice(OPERATORS) + self.name() + '@' + self.chain() + self.random.choice(MEMBERS)
        if kind < 0.65:
            return '??$' + self.name() + '@' + self.arguments(0) + '@' + self.chain() + self.random.choice(FREE[:4])
        if kind < 0.75:
            return '?' + self.name() + '@' + self.chain() + self.random.choice(DATA)
        if kind < 0.85:
            return '?' + self.name() + '@?%d??%s@@%s@4HA' % (self.random.randint(0, 5), self.name(), 'YAXXZ')
        return '?' + self.name() + '@' + self.chain(1) + self.random.choice(MEMBERS)


def names_of_clang():
    clang, nm = find_tool('clang++'), find_tool('llvm-nm')
    if clang is None or nm is None:
        print('without names of clang, which is not installed')
        return []
    with tempfile.TemporaryDirectory(prefix='netstitch-') as folder:
        source, out = os.path.join(folder, 'a.cpp'), os.path.join(folder, 'a.obj')
        with open(source, 'w') as file:
            file.write(PROGRAM)
        subprocess.run([clang, '--target=x86_64-pc-windows-msvc', '-c', '-O0', '-w', '-fno-exceptions', source, '-o', out],
                       check=True)
        text = subprocess.run([nm, '--format=just-symbols', out], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [name for name in text.split('\n') if name.startswith('?')]


def without_signature(name):
    """A name without what it takes, which stands in the last brackets outside of any template."""
    depth, close = 0, None
    for i in range(len(name) - 1, -1, -1):
        depth += {')': 1, '(': -1}.get(name[i], 0)
        if name[i] == ')' and depth == 1 and close is None:
            close = i
        if name[i] == '(' and depth == 0:
            if re.fullmatch(r'[ a-z&_0-9.]*', name[close + 1:]) and not name[:i].endswith(('operator', '`')):
                return name[:i]
            break
    return name


def spell(name):
    """One spelling: types without their kinds, and no spaces at all."""
    return re.sub(r'\b(class|struct|union|enum) ', '', name).replace(' ', '')


def name_scopes(name):
    """The function that holds a name, by its name: they have all of its signature, we do not."""
    def name_of(scope):
        what = scope.group(1)
        return scope.group(0) if what == 'anonymous namespace' else "`%s'::`" % without_signature(what).split(' ')[-1]
    return re.sub(r"`([^`']*)'::(?=`)", lambda scope: name_of(scope).removesuffix('`'), name)


# What else may differ: what it is, which names can have it, and what is done to (ours, theirs).
EXPLAINED = [
    ('a table of virtual functions is const by its nature, and which base it is for stands in its signature',
     lambda name, theirs: name.startswith(('??_7', '??_8', '??_R4')),
     lambda mine, other: (mine, re.sub(r'\{for .*', '', re.sub('^const ', '', other)))),
    ('where a base class is found is no part of its name',
     lambda name, theirs: name.startswith('??_R1'),
     lambda mine, other: (mine, re.sub(r' at \([^)]*\)', '', other))),
    ('of the description of a type they take the type for that of the variable, which they are to leave out',
     lambda name, theirs: name.startswith('??_R0'),
     lambda mine, other: (mine[max(mine.find('`RTTI'), 0):], other)),
    ('functions inside of which something stands are named without their signature',
     lambda name, theirs: "'::`" in theirs,
     lambda mine, other: (mine, name_scopes(other))),
    ('they leave out that a member which is pointed to is a pointer that never changes',
     lambda name, theirs: '::*' in theirs,
     lambda mine, other: [re.sub(r'\* ?(const volatile|const|volatile) (?=[^*]*?::\*)', '* ', one)
                          for one in (mine, other)]),
    ('they lose what a pointer to a function takes that returns another one: their brackets do not close',
     lambda name, theirs: theirs.count('(') != theirs.count(')'),
     lambda mine, other: ('', '')),
]


def explain(name, mine, theirs):
    """Which of the explanations make both the same, all of them together; None: they do not."""
    used = []
    for what, applies, change in EXPLAINED:
        if applies(name, theirs):
            mine, theirs = change(mine, theirs)
            used.append(what)
    return used if spell(mine) == spell(without_signature(theirs)) else None


def read_theirs(tool, names):
    out = subprocess.run([tool, '--no-access-specifier', '--no-calling-convention', '--no-member-type', '--no-return-type',
                          '--no-variable-type'], input='\n'.join(names) + '\n', stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True).stdout
    blocks = {}
    lines = out.split('\n')
    for i in range(len(lines) - 1):
        if lines[i] in names and lines[i + 1]:
            blocks[lines[i]] = lines[i + 1]
    return blocks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument('--names', type=int, default=4000)
    parser.add_argument('--show', type=int, default=15)
    options = parser.parse_args()
    undname = find_tool('llvm-undname')
    if undname is None:
        print('skipped: not installed: llvm-undname')
        return SKIP
    maker = Maker(11)
    names = sorted({maker.decorated() for _ in range(options.names)} | set(names_of_clang()))
    ours = subprocess.run([options.tool], input='\n'.join(names) + '\n', stdout=subprocess.PIPE, check=True,
                          text=True).stdout.split('\n')
    theirs = read_theirs(undname, set(names))
    counts, differences = dict.fromkeys((what for what, _, _ in EXPLAINED), 0), []
    n_equal = n_unknown = 0
    for name, mine in zip(names, ours):
        other = theirs.get(name)
        if other is None:
            n_unknown += 1
            continue
        if spell(mine) == spell(without_signature(other)):
            n_equal += 1
            continue
        used = explain(name, mine, other)
        if used is None:
            differences.append((name, mine, other))
        for what in used or ():
            counts[what] += 1
    print('%d names: %d equal, %d differ; llvm-undname does not know %d' % (len(names), n_equal, len(differences), n_unknown))
    for what, count in counts.items():
        print('%d: %s' % (count, what))
    for difference in differences[:options.show]:
        print('%s: %s, not %s' % difference)
    # A corpus of which they understand little would show nothing.
    if n_unknown * 10 > len(names) or n_equal * 2 < len(names):
        print('too few names are of use')
        return 1
    return 1 if differences else 0


sys.exit(main())
