#!/usr/bin/env python3
# Tests the findings in the sample trace, word for word.
#
# SPDX-License-Identifier: GPL-3.0-or-later
"""Use: check-findings.py CLI TRACE"""
import json
import subprocess
import sys

GOLDEN = """id\tseverity\tconfidence\tcost_ns\tcount\trows\tactivities\ttext
D09\tproblem\thigh\t1498980000\t1\ttcp:15\t22\tupdatehelper.exe (9036): telemetry.example.org (198.51.100.40:443) \
did not answer within 1.50 s (connects: 1).
D30\tproblem\thigh\t751200000\t1\tactivities:17\t17\tOUTLOOK.EXE (4312): mail.example.com/EWS/Exchange.asmx \
answered 503.
D32\twarning\tmedium\t650000000\t5\tactivities:16;activities:19;activities:24;activities:26;activities:27\t\
16;19;24;26;27\tupdatehelper.exe (9036): 5 of 6 requests to telemetry.example.org opened a new connection \
although an earlier one was available; connecting took 650 ms.
D11\twarning\thigh\t486980000\t1\ttcp:7\t9\tOUTLOOK.EXE (4312): autodiscover.example.com (198.51.100.7:443) \
refused the connection.
D01\tinfo\tmedium\t1900000000\t1\tdns:3\t\tupdatehelper.exe (9036): the response for telemetry.example.org took \
1.90 s; no operation is known to have waited for it.
"""
EVIDENCE = {'D01': ['Info', 'Info'],
            'D09': ['TcpRequestConnect', 'TcpConnectTcbProceeding', 'TcpConnectTcbFailure'],
            'D11': ['TcpRequestConnect', 'TcpConnectTcbProceeding', 'TcpConnectTcbFailure']}
KEYS = ('id title severity verdict confidence process subject open_ns close_ns cost_ns count evidence activities '
        'text advice needs').split ()


def run (*words):
    return subprocess.run ((sys.argv[1], 'findings', sys.argv[2], *words), check=True,
                           capture_output=True, text=True).stdout


printed = run ('--format', 'tsv', '--filter', 'verdict=found and id!=D45', '--columns',
               'id,severity,confidence,cost_ns,count,rows,activities,text')
assert printed == GOLDEN, printed
rows = json.loads (run ('--format', 'json'))
for row in rows:
    assert list (row)[:len (KEYS)] == KEYS, row
    assert row['verdict'] == 'found' or row['text'].startswith (('No occurrence', 'The required events were not recorded')), row
assert len ({row['id'] for row in rows}) == len (rows) == 46, len (rows)
found = {row['id']: row for row in rows if row['verdict'] == 'found'}
assert list (found)[-1] == 'D45' and found['D45']['needs'], found['D45']
names = dict (line.split ('\t') for line in subprocess.run (
    (sys.argv[1], 'events', sys.argv[2], '--format', 'tsv', '--columns', 'n,name'), check=True, capture_output=True,
    text=True).stdout.splitlines ()[1:])
evidence = {name: [names[str (n)] for n in found[name]['evidence']] for name in ('D01', 'D09', 'D11')}
assert evidence == EVIDENCE, evidence
for row in found.values ():
    # D45 is about events that were not recorded, so it has no evidence.
    assert row['evidence'] == sorted (set (row['evidence'])), row
    assert row['evidence'] or row['id'] == 'D45', row
assert not any (row['evidence'] for row in rows if row['verdict'] != 'found')
print (f'{len (rows)} rules said what they should')

same = subprocess.run ((sys.argv[1], 'diff', sys.argv[2], sys.argv[2], '--format', 'tsv'), check=True,
                       capture_output=True, text=True).stdout
assert same.startswith ('change\tprocess\t') and same.count ('\n') == 1, same
assert subprocess.run ((sys.argv[1], 'diff', sys.argv[2]), capture_output=True).returncode == 2
print ('the trace does not differ from itself')
