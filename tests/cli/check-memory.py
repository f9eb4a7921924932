#!/usr/bin/env python3
"""Tests that input too large for the available memory is refused with a message that states the reason.

Usage: check-memory.py CLI SAMPLE.etl MAKE-BIG
"""
import gzip
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import zipfile

cli, sample, make_big = sys.argv[1:]
MIB = 1 << 20
BLOCK = 4096
wrong = []


def run(*words, limit=None, n_file=None, folder=None):
    """Runs the command line with limits for its address space and for the size of files, in bytes."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        if n_file is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (n_file, n_file))
    environment = dict(os.environ, MALLOC_ARENA_MAX='1')
    if folder:
        environment['TMPDIR'] = folder
    return subprocess.run([cli, *words], preexec_fn=bound, env=environment, restore_signals=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors='replace')


def claim(what, done, words):
    """Checks that a run failed with status 1, and that its last line contains the words."""
    lines = [line for line in done.stderr.splitlines() if line]
    if done.returncode != 1 or not lines or words not in lines[-1]:
        wrong.append('%s: %d, %r' % (what, done.returncode, done.stderr))


def n_blocks(n_bytes):
    return (n_bytes + BLOCK - 1) // BLOCK


def write_pdb(path, n_modules, n_contributions, record=b''):
    """Writes a sparse PDB file with n_modules bytes of module list and n_contributions bytes of section
    contributions."""
    info = struct.pack('<III', 20000404, 0, 1) + bytes(range(16)) + bytes(20)
    head = struct.pack('<IIIHHHHHH', 0xffffffff, 19990903, 1, 0xffff, 0, 0xffff, 0, 0xffff, 0)
    head += struct.pack('<IIIIIIIIHHI', n_modules, n_contributions, 0, 0, 0, 0, 0, 0, 0, 0x8664, 0)
    sizes = [0, len(info), 0, len(head) + n_modules + n_contributions]
    at, blocks = 3, []
    for size in sizes:
        blocks.append(range(at, at + n_blocks(size)))
        at += n_blocks(size)
    directory = struct.pack('<5I', 4, *sizes) + b''.join(
        struct.pack('<I', block) for stream in blocks for block in stream)
    listed = range(at, at + n_blocks(len(directory)))
    at += len(listed)
    with open(path, 'wb') as file:
        file.truncate((at + 1) * BLOCK)
        file.write(b'Microsoft C/C++ MSF 7.00\r\n\x1aDS'.ljust(32, b'\0'))
        file.write(struct.pack('<6I', BLOCK, 1, at + 1, len(directory), 0, at))
        for block, data in ((blocks[1][0], info), (blocks[3][0], head + record),
                            (listed[0], directory), (at, struct.pack('<%dI' % len(listed), *listed))):
            file.seek(block * BLOCK)
            file.write(data)


def check_pdbs(folder, room):
    path = folder + '/a.pdb'
    write_pdb(path, 600 * MIB, 0)
    claim('a list of modules', run('pdb', path, '--identity', limit=room + 100 * MIB),
          'not enough memory for 629145600 bytes of it')
    write_pdb(path, 0, 600 * MIB, struct.pack('<I', 0xf12eba2d))
    claim('contributions', run('pdb', path, '--identity', limit=room + 100 * MIB),
          'there is not enough memory to read ' + path)
    if run('pdb', path, '--identity').returncode != 0:
        wrong.append('a PDB is not read with enough memory')


def find_room(*words):
    """Returns the address space that the program needs for a verb, to 4 MiB, by binary search."""
    low, high = 16, 4096
    while high - low > 4:
        middle = (low + high) // 2
        if run(*words, limit=middle * MIB).returncode == 0:
            high = middle
        else:
            low = middle
    return high * MIB


def check_text(folder, room):
    path = folder + '/big.mof'
    with open(path, 'w') as file:
        file.write('[Guid("{0a1b2c3d-0001-0002-0304-05060708090b}"), EventType{1')
        file.write(',1' * 500000 + '}] class A {};')
    claim('event classes', run('events', sample, '--manifests', path, limit=room + 24 * MIB),
          'there is not enough memory; close other programs')
    os.unlink(path)


def check_manifest(folder, room):
    """A manifest that cannot be read completely is ignored."""
    path = folder + '/big.man'
    head = ('<instrumentationManifest><instrumentation><events><provider name="A" symbol="A" '
            'guid="{0a1b2c3d-0001-0002-0304-05060708090b}"><events><event value="1"/></events>')
    tail = '</provider></events></instrumentation></instrumentationManifest>'
    with open(path, 'w') as file:
        file.write(head + '<!--' + 'a' * (17 * MIB // 2) + '-->' + tail)
    words = ('events', sample, '--manifests', path)
    if run(*words).returncode != 0:
        wrong.append('a manifest is not read with enough memory')
    for n_mib in (11, 12, 16):
        claim('a manifest, %d MiB' % n_mib, run(*words, limit=room + n_mib * MIB),
              'there is not enough memory for its descriptions')
    os.unlink(path)


def write_image(path, timestamp, n_image, n_functions, n_exports):
    """Writes a sparse PE image with one section for its tables of functions and exports, whose entries are all zero."""
    exports = 0x1000 + n_functions * 12
    n_section = n_functions * 12 + 40 + n_exports * 10
    head = bytearray(0x400)
    struct.pack_into('<H', head, 0, 0x5a4d)
    struct.pack_into('<I', head, 0x3c, 0x80)
    struct.pack_into('<IHHIIIH', head, 0x80, 0x4550, 0x8664, 1, timestamp, 0, 0, 240)
    struct.pack_into('<H', head, 0x98, 0x20b)
    struct.pack_into('<I', head, 0x98 + 56, n_image)
    struct.pack_into('<III', head, 0x98 + 108, 16, exports, 40)
    struct.pack_into('<II', head, 0x98 + 112 + 24, 0x1000, n_functions * 12)
    struct.pack_into('<IIII', head, 0x98 + 248, n_section, 0x1000, n_section, 0x400)
    with open(path, 'wb') as file:
        file.truncate(0x400 + n_section)
        file.write(head)
        file.seek(0x400 + n_functions * 12 + 20)
        file.write(struct.pack('<IIIII', n_exports, n_exports, exports + 40,
                               exports + 40 + 4 * n_exports, exports + 40 + 8 * n_exports))


def check_images(folder, room):
    """An image that is too large is reported as the reason for missing symbols; the verb succeeds."""
    shown = json.loads(run('images', sample, '--format', 'json').stdout)
    image = next(one for one in shown if one['name'] == 'ntdll.dll')
    path = folder + '/' + image['name']

    def describe(limit=None):
        done = run('symbols', sample, '--symbols', folder, '--format', 'json', limit=limit)
        if done.returncode != 0:
            return 'it ends with %d: %s' % (done.returncode, done.stderr)
        return next(one for one in json.loads(done.stdout) if one['name'] == image['name'])['reason']

    for what, counts in (('functions', (8000000, 0)), ('exports', (0, 1000000))):
        write_image(path, image['timestamp'], image['size'], *counts)
        if describe() != 'exports of the image only':
            wrong.append('%s: with enough memory: %s' % (what, describe()))
        reason = describe(limit=room + 8 * MIB)
        if 'cannot read %s: not enough memory for' % path not in reason:
            wrong.append('%s: %s' % (what, reason))
    os.unlink(path)


def check_archive(folder, room):
    """If memory is insufficient, a trace is unpacked to a temporary file."""
    path = folder + '/big.gz'
    with open(sample, 'rb') as file, gzip.open(path, 'wb', compresslevel=1) as packed:
        packed.write(file.read())
        packed.write(bytes(100 * MIB))
    done = run('info', path, limit=room + 40 * MIB, folder=folder)
    if done.returncode != 0:
        wrong.append('an archive: %d, %r' % (done.returncode, done.stderr))
    claim('an archive on a full disk', run('info', path, limit=room + 40 * MIB, n_file=16 * MIB,
                                           folder=folder), 'cannot unpack to ' + folder)
    left = os.listdir(folder)
    os.unlink(path)
    if left != ['big.gz']:
        wrong.append('left behind: %r' % left)


def check_names(folder, room):
    """Too many function names in a hand-over: the trace opens without them, and a message says so."""
    path = folder + '/big.etl.zip'
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr('netstitch/names.txt', 'netstitch names 1\nm\tnobody\n' + 'f\t1\tc\t0\tx\n' * 1200000)
        archive.write(sample, 'trace.etl')
    words = ('activities', path)
    if run(*words).stderr:
        wrong.append('names: with enough memory: %r' % run(*words).stderr)
    done = run(*words, limit=room + 80 * MIB, folder=folder)
    if done.returncode != 0 or 'big.etl.zip is damaged: places: ' not in done.stderr:
        wrong.append('names: %d, %r' % (done.returncode, done.stderr))
    os.unlink(path)


def check_trace(folder, room):
    """The tables of a trace do not fit in memory: the program reports that and removes its output."""
    path = folder + '/big.etl'
    out = folder + '/out.csv'
    subprocess.run([make_big, '16M', path], check=True, stderr=subprocess.DEVNULL)
    needed = find_room('activities', path, '-o', out)
    os.unlink(out)
    # Which allocation fails varies between runs.
    claim('a trace', run('activities', path, '-o', out, limit=(room + needed) // 2),
          '; close other programs and try again')
    if os.listdir(folder) != ['big.etl']:
        wrong.append('left behind: %r' % os.listdir(folder))


def main():
    with tempfile.TemporaryDirectory() as folder:
        room = find_room('events', sample)
        check_pdbs(folder, room)
        os.unlink(folder + '/a.pdb')
        check_text(folder, room)
        check_manifest(folder, room)
        check_images(folder, room)
        check_archive(folder, room)
        check_names(folder, room)
        check_trace(folder, room)
    print('\n'.join(wrong) or 'what does not fit is refused')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
