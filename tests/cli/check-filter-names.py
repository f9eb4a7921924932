#!/usr/bin/env python3
# Tests files with filter names of the Windows Filtering Platform in archives, with a trace or alone: they are read
# like unpacked files.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-filter-names.py CLI MAKE-LAYERS"""
import gzip
import io
import json
import pathlib
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

cli, make_layers = sys.argv[1:]
claims = 0


def claim (holds, what):
    global claims
    if not holds:
        sys.exit (f'does not hold: {what}')
    claims += 1


def names (*words):
    """Returns the filter names in the rows, and the messages about them."""
    done = subprocess.run ((cli, 'wfp', *map (str, words), '--format', 'json'), capture_output=True, text=True)
    claim (done.returncode == 0, (words, done.stderr))
    return {row['filter_name'] for row in json.loads (done.stdout)} - {None, ''}, done.stderr


def pack_zip (path, members):
    with zipfile.ZipFile (path, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr (name, data)
    return path


def pack_tar (path, members):
    with tarfile.open (path, 'w:gz') as archive:
        for name, data in members:
            info = tarfile.TarInfo (name)
            info.size = len (data)
            archive.addfile (info, io.BytesIO (data))
    return path


def pack_cab (path, members):
    """Writes an uncompressed cabinet file, as [MS-CAB] specifies it."""
    all_bytes = b''.join (data for name, data in members)
    blocks = [all_bytes[at:at + 32768] for at in range (0, len (all_bytes), 32768)]
    files = b''
    at = 0
    for name, data in members:
        files += struct.pack ('<IIHHHH', len (data), at, 0, 0x5000, 0, 0x20) + name.replace ('/', '\\').encode () + b'\0'
        at += len (data)
    folder_at = 36
    data_at = folder_at + 8 + len (files)
    body = b''.join (struct.pack ('<IHH', 0, len (block), len (block)) + block for block in blocks)
    path.write_bytes (b'MSCF' + struct.pack ('<IIIIIBBHHHHH', 0, data_at + len (body), 0, folder_at + 8, 0, 3, 1, 1,
                                             len (members), 0, 0, 0) +
                      struct.pack ('<IHH', data_at, len (blocks), 0) + files + body)
    return path


with tempfile.TemporaryDirectory () as top:
    top = pathlib.Path (top)
    made = top / 'made'
    made.mkdir ()
    subprocess.run ((make_layers, made / 't.etl', 'wfp'), check=True)
    trace, table = (made / 't.etl').read_bytes (), (made / 'wfpstate.xml').read_bytes ()
    told = {'Block backup to the Internet'}
    claim (names (made / 't.etl')[0] == told, 'beside the trace')
    alone = top / 'alone'
    alone.mkdir ()
    here = alone / 'here.etl'
    here.write_bytes (trace)
    claim (names (here)[0] == set (), 'none beside it')

    # Beside one trace or several, at the top or in a folder, in upper or lower case, in every archive format.
    for pack, ending in ((pack_zip, '.zip'), (pack_tar, '.tar.gz'), (pack_tar, '.tgz'), (pack_cab, '.cab')):
        for number, members in enumerate ((
                [('t.etl', trace), ('wfpstate.xml', table)],
                [('x/t.etl', trace), ('x/wfpstate.xml', table)],
                [('x/t.etl', trace), ('filters.xml', table)],
                [('t.etl', trace), ('x/WFPState.XML', table)],
                [('x/t.etl', trace), ('x/u.etl', trace), ('x/wfpdiag.xml', table)])):
            whole = pack (top / f'{number}{ending}', members)
            claim (names (whole)[0] == told, (whole, members[-1][0], names (whole)))
            folder = top / f'folder{number}{ending}'
            folder.mkdir ()
            pack (folder / ('a' + ending), members)
            claim (names (folder)[0] == told, (folder, names (folder)))
        # An archive of filter names only, beside the trace.
        one = pack (top / ('names' + ending), [('x/wfpstate.xml', table)])
        found, heard = names (here, one)
        claim (found == told and 'left out' not in heard, (one, heard))
    (top / 'wfpstate.xml.gz').write_bytes (gzip.compress (table))
    claim (names (here, top / 'wfpstate.xml.gz')[0] == told, 'packed alone')
    # A folder with an archive, and a file of filter names beside the archive.
    folder = top / 'beside'
    folder.mkdir ()
    pack_zip (folder / 'a.zip', [('t.etl', trace)])
    (folder / 'wfpstate.xml').write_bytes (table)
    claim (names (folder)[0] == told, 'beside the archive')

    # The nearest of two files counts; a file in a sibling folder may be from another computer and is not read.
    other = table.replace (b'Block backup to the Internet', b'Other rule')
    both = pack_zip (top / 'both.zip', [('wfpstate.xml', other), ('x/t.etl', trace), ('x/wfpstate.xml', table)])
    claim (names (both)[0] == told, 'the next of two')
    apart = pack_zip (top / 'apart.zip', [('x/t.etl', trace), ('y/wfpstate.xml', table)])
    claim (names (apart)[0] == set (), 'of another folder')

    # A file that cannot be read is reported, and another one is read instead.
    broken = pack_zip (top / 'broken.zip', [('x/t.etl', trace), ('x/wfpstate.xml', table[:200])])
    found, heard = names (broken)
    claim (found == set () and 'broken.zip is damaged' in heard and
           'names of filters in wfpstate.xml are not read: ' in heard, heard)
    rest = pack_zip (top / 'rest.zip', [('t.etl', trace), ('wfpstate.xml', b''), ('filters.xml', table)])
    found, heard = names (rest)
    claim (found == told and 'names of filters in wfpstate.xml are not read: ' in heard, heard)
    locked = bytearray (pack_zip (top / 'locked.zip', [('t.etl', trace), ('wfpstate.xml', table)]).read_bytes ())
    for mark, at in ((b'PK\3\4', 6), (b'PK\1\2', 8)):
        place = locked.rindex (mark)
        locked[place + at] |= 1
    (top / 'locked.zip').write_bytes (locked)
    found, heard = names (top / 'locked.zip')
    claim (found == set () and 'is protected by a password' in heard, heard)
    text = pack_zip (top / 'text.zip', [('wfpstate.xml', b'<other/>')])
    found, heard = names (here, text)
    claim ('text.zip is left out: ' in heard, heard)

    # Nested archives are not read, which is reported.
    log = b'2026-01-02T03:04:05Z one\n'
    inner = pack_zip (top / 'inner.zip', [('t.etl', trace), ('u.log.gz', gzip.compress (log)), ('v.tar.gz', b'v')])
    found, heard = names (inner)
    claim ('inner.zip is left out: 2 archives in it are not read' in heard, heard)
print (f'{claims} claims hold')
