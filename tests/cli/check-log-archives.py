#!/usr/bin/env python3
# Tests logs of other tools in archives, beside traces or alone: they are read like unpacked files.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-log-archives.py CLI SAMPLE.etl"""
import datetime
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

cli, sample = sys.argv[1:]
claims = 0


def claim (holds, what):
    global claims
    if not holds:
        sys.exit (f'does not hold: {what}')
    claims += 1


def run (*words, status=0):
    done = subprocess.run ((cli, *map (str, words)), capture_output=True, text=True)
    claim (done.returncode == status, (words, done))
    return done.stdout, done.stderr


def rows (verb, *words):
    out, told = run (verb, *words, '--format', 'json')
    return json.loads (out), told


def lines (*words):
    return [{key: value for key, value in row.items () if key != 'id'} for row in rows ('log', *words)[0]]


def pack (path, members):
    """Writes a ZIP archive of (name, bytes) pairs; names may be duplicated."""
    with zipfile.ZipFile (path, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            info = zipfile.ZipInfo (name)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr (info, data)
    return path


begin = datetime.datetime.fromisoformat (rows ('info', sample)[0]['start_utc'][:19])
stamps = [(begin + datetime.timedelta (seconds=n)).strftime ('%Y-%m-%d %H:%M:%S') for n in range (1, 4)]
IIS = ('#Fields: date time cs-method cs-uri-stem c-ip sc-status\n' +
       ''.join (f'{stamp} GET /{n} 10.0.0.9 200\n' for n, stamp in enumerate (stamps))).encode ()
WALL = ('#Version: 1.5\n#Fields: date time action protocol src-ip dst-ip src-port dst-port\n'
        f'{stamps[0]} DROP TCP 10.0.0.1 10.0.0.2 50000 443\nno line\n').encode ('utf-16')
ENTRY = json.dumps ({'log': {'version': '1.2', 'creator': {'name': 'x', 'version': '1'}, 'entries': [
    {'startedDateTime': stamps[1].replace (' ', 'T') + 'Z', 'time': 5,
     'request': {'method': 'GET', 'url': 'http://a/'}, 'response': {'status': 200}}]}}).encode ()

with tempfile.TemporaryDirectory () as top:
    top = pathlib.Path (top)
    here = top / 'here.etl'
    here.write_bytes (pathlib.Path (sample).read_bytes ())
    trace = here.read_bytes ()
    (top / 'u_ex.log').write_bytes (IIS)
    (top / 'pfirewall.log').write_bytes (WALL)
    (top / 'page.har').write_bytes (ENTRY)
    LOGS = [('logs/u_ex.log', IIS), ('logs/pfirewall.log', WALL), ('page.har', ENTRY), ('README.txt', b'read me\n')]
    unpacked = lines (here, top / 'u_ex.log', top / 'pfirewall.log', top / 'page.har')
    claim (len (unpacked) == 5, unpacked)
    alone = rows ('activities', here)[0]

    # In the archive of the trace, beside it, or in a folder; in every archive format that Python can write.
    pack (top / 'all.zip', [('a.etl', trace), *LOGS])
    pack (top / 'logs.zip', LOGS)
    with tarfile.open (top / 'logs.tar.gz', 'w:gz') as archive:
        for name, data in LOGS:
            info = tarfile.TarInfo (name)
            info.size = len (data)
            archive.addfile (info, io.BytesIO (data))
    folder = top / 'folder'
    folder.mkdir ()
    (folder / 'a.etl').write_bytes (trace)
    pack (folder / 'logs.zip', LOGS)
    for named in ((top / 'all.zip',), (here, top / 'logs.zip'), (here, top / 'logs.tar.gz'), (folder,),
                  (here, top / 'logs.zip', top / 'logs.zip')):
        claim (lines (*named) == unpacked, (named, lines (*named)))
        found, told = rows ('activities', *named)
        claim ([{**row, 'input': None} for row in found] == [{**row, 'input': None} for row in alone], named)
        claim ('holds no trace' not in told and 'pfirewall.log: line 4 is left out' in told, told)
        about, told = rows ('info', *named)
        claim (sorted ((one['file'].rsplit ('/', 1)[1], one['kind'], one['rows'], one['lines_left_out']) for one in about['logs']) ==
               [('page.har', 'har', 1, 0), ('pfirewall.log', 'firewall', 1, 1), ('u_ex.log', 'w3c', 3, 0)], about['logs'])
        claim (all (one['start_utc'] is not None for one in about['logs']), about['logs'])
        claim (all (one.get ('repeated') or 'specified before' in one['reason'] for one in about['left_out']), about['left_out'])
    plain = [row | {'source': None} for row in lines (here, top / 'u_ex.log')]
    for name in ('u_ex.log.gz', 'U_EX.LOG.GZ'):
        (top / name).write_bytes (gzip.compress (IIS))
        claim ([row | {'source': None} for row in lines (here, top / name)] == plain, 'a log that was packed alone')
    pack (top / 'one.zip', [('u_ex.log', IIS)])
    claim (lines (here, top / 'one.zip') == lines (here, top / 'u_ex.log'), 'an archive of one log')

    # --clock-offset accepts the name or the path of a log; --member selects only that member.
    before = [row['time_ns'] for row in lines (here, top / 'one.zip')]
    for name in ('u_ex.log', top / 'one.zip' / 'u_ex.log'):
        after = [row['time_ns'] for row in lines (here, top / 'one.zip', '--clock-offset', f'{name}=1.5')]
        claim (after == [time + 1_500_000_000 for time in before], after)
    claim (lines (top / 'all.zip', '--member', 'a.etl') == [], 'a member alone')

    # Archives without logs, and logs that cannot be read.
    out, told = run ('log', top / 'logs.zip', status=1)
    claim ('holds no trace' in told and 'together with a trace' in told, told)
    pack (top / 'text.zip', [('README.txt', b'read me\n'), ('LICENSE.txt', b'do\n')])
    out, told = run ('log', here, top / 'text.zip')
    claim ('text.zip is left out: it holds no trace, and no log of a known kind' in told, told)
    pack (top / 'twice.zip', [('u_ex.log', IIS), ('u_ex.log', IIS)])
    found, told = rows ('log', here, top / 'twice.zip')
    claim (len (found) == 3 and 'has several logs of this name' in told, told)
    inner = (top / 'logs.zip').read_bytes ()
    pack (top / 'nested.zip', [('a.etl', trace), ('inner.zip', inner)])
    out, told = run ('log', top / 'nested.zip')
    claim ('nested.zip is left out: 1 archive in it is not read' in told, told)
    long = IIS + b''.join (b'%s GET /%d 10.0.0.9 200\n' % (stamps[0].encode (), n * 7919 % 99991) for n in range (20000))
    whole = pack (top / 'long.zip', [('u_ex.log', long)])
    data = bytearray (whole.read_bytes ())
    data[len (data) // 2] ^= 0xff
    (top / 'damaged.zip').write_bytes (data)
    found, told = rows ('log', here, top / 'damaged.zip')
    claim (0 < len (found) and 'the archive is damaged, and the log ends here' in told, (len (found), told))
    (top / 'cut.zip').write_bytes (whole.read_bytes ()[:-len (data) // 2])
    found, told = rows ('log', here, top / 'cut.zip')
    claim (len (found) < 20003 and 'damaged' in told, (len (found), told))

    # A hand-over stores the lines of the logs as a table, and they are not read twice.
    run ('export', top / 'all.zip', '--as', 'bundle', '-o', top / 'part.etl.zip')
    run ('export', here, *(top / name for name in ('u_ex.log', 'pfirewall.log', 'page.har')), '--as', 'bundle',
         '-o', top / 'same.etl.zip')
    claim (0 < len (lines (top / 'part.etl.zip')) <= len (unpacked) and
           lines (top / 'part.etl.zip') == lines (top / 'same.etl.zip'), 'lines of a hand-over')

    # The logs beside the traces of a machine belong to that machine.
    other = bytearray (trace)
    # Traces with different numbers of processors are from different computers.
    struct.pack_into ('<I', other, 0x48 + 0x20 + 0x0c, 16)
    pack (top / 'other.zip', [('b.etl', other), ('c.etl', other), ('u_ex.log', IIS)])
    found, told = rows ('log', here, top / 'other.zip')
    claim ([row['machine'] for row in found] == ['b.etl'] * 3, found)
    found, told = rows ('activities', here, top / 'other.zip')
    claim (len (found) == 2 * len (alone) and {row['machine'] for row in found} == {'here.etl', 'b.etl'}, told)
    pack (top / 'both.zip', [('x/a.etl', trace), ('y/b.etl', other), ('y/c.etl', other), ('u_ex.log', IIS)])
    found, told = rows ('log', top / 'both.zip')
    claim ([row['machine'] for row in found] == ['a.etl'] * 3, found)
    found, told = rows ('activities', top / 'both.zip')
    claim (len (found) == 2 * len (alone) and {row['machine'] for row in found} == {'a.etl', 'b.etl'}, told)
print (f'{claims} claims hold')
